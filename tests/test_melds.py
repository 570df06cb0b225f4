"""The meld kernels against enumeration: every meld of every hand, and every card that fits one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_env.core import table
from rummy_env.core.arrays import Words
from rummy_env.core.bits import positions, word
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, regular_bit
from rummy_env.core.table import flat_sequences
from rummy_env.melds import patterns as melds

hands = st.sets(st.integers(0, NUM_REGULAR - 1), max_size=26)
crowded = st.tuples(hands, hands).map(lambda two: two[0] | two[1])
aces = st.booleans()


def as_words(bits: set[int]) -> Words:
    return np.array([word(bits)])


def line(suit: int, *, ace_high: bool) -> list[int]:
    """The cards of a suit in ascending order; a high ace stands at both ends."""
    cards = [NUM_RANKS * suit + rank for rank in range(NUM_RANKS)]
    return [*cards, cards[0]] if ace_high else cards


def sequences_of(length: int, *, ace_high: bool) -> list[list[int]]:
    """Every sequence of a length: consecutive cards of a suit, no ace twice."""
    found = []
    for suit in range(4):
        cards = line(suit, ace_high=ace_high)
        found += [cards[i : i + length] for i in range(len(cards) - length + 1)]
    return [cards for cards in found if len(set(cards)) == length]


def groups_in(hand: set[int], size: int) -> set[frozenset[int]]:
    """Every group of a size, by trying all subsets of the cards of a rank."""
    return {
        frozenset(some)
        for rank in range(NUM_RANKS)
        for some in combinations([bit for bit in hand if bit % NUM_RANKS == rank], size)
    }


@given(crowded, st.integers(3, 13), aces)
def test_every_sequence_of_a_hand_is_found_by_its_lowest_card(
    hand: set[int], length: int, ace_high: bool
) -> None:
    starts = melds.sequence_starts(as_words(hand), length, ace_high=ace_high)
    expected = [s[0] for s in sequences_of(length, ace_high=ace_high) if hand.issuperset(s)]
    assert positions(int(starts[0])) == sorted(expected)


@pytest.mark.parametrize("ace_high", [False, True])
@pytest.mark.parametrize("length", range(3, 14))
def test_every_sequence_there_is_can_be_laid_down(length: int, ace_high: bool) -> None:
    every = sequences_of(length, ace_high=ace_high)
    assert len(every) == 4 * melds.starts_per_suit(length, ace_high=ace_high)
    for cards in every:
        starts = melds.sequence_starts(as_words(set(cards)), length, ace_high=ace_high)
        assert cards[0] in positions(int(starts[0]))
        assert table.sequence_cards(cards[0], length) == cards


def test_a_whole_suit_has_one_sequence_of_thirteen_from_the_ace_and_one_from_the_two() -> None:
    suit = as_words(set(range(NUM_RANKS)))
    assert positions(int(melds.sequence_starts(suit, 13, ace_high=True)[0])) == [0, 1]
    assert positions(int(melds.sequence_starts(suit, 13, ace_high=False)[0])) == [0]


@given(crowded, st.integers(3, 13), aces)
def test_squeezed_starts_are_numbered_without_gaps(
    hand: set[int], length: int, ace_high: bool
) -> None:
    starts = melds.sequence_starts(as_words(hand), length, ace_high=ace_high)
    squeezed = melds.squeeze_starts(starts, length, ace_high=ace_high)
    every = [cards[0] for cards in sequences_of(length, ace_high=ace_high)]
    assert [every[i] for i in positions(int(squeezed[0]))] == positions(int(starts[0]))


@given(crowded)
def test_every_group_of_a_hand_is_found(hand: set[int]) -> None:
    threes, fours = melds.groups(as_words(hand))
    found_threes = {
        frozenset(
            NUM_RANKS * suit + bit % NUM_RANKS for suit in range(4) if suit != 3 - bit // NUM_RANKS
        )
        for bit in positions(int(threes[0]))
    }
    found_fours = {
        frozenset(NUM_RANKS * suit + bit for suit in range(4)) for bit in positions(int(fours[0]))
    }
    assert found_threes == groups_in(hand, 3)
    assert found_fours == groups_in(hand, 4)


@given(hands)
def test_a_group_takes_every_card_of_its_rank(hand: set[int]) -> None:
    laid = set().union(*groups_in(hand, 3))
    fits = melds.fits_groups(as_words(laid))
    ranks = {bit % NUM_RANKS for bit in laid}
    assert set(positions(int(fits[0]))) == {b for b in range(NUM_REGULAR) if b % NUM_RANKS in ranks}


Table = list[list[int]]


@st.composite
def sequences_on_the_table(draw: st.DrawFn, *, ace_high: bool) -> Table:
    """Sequences that lie on the table together: no card twice."""
    laid: Table = []
    for _ in range(draw(st.integers(0, 6))):
        length = draw(st.integers(3, 6))
        cards = draw(st.sampled_from(sequences_of(length, ace_high=ace_high)))
        if not {bit for some in laid for bit in some} & set(cards):
            laid.append(cards)
    return laid


def ends(cards: list[int], *, ace_high: bool) -> tuple[int | None, int | None]:
    """What continues a sequence downwards and upwards."""
    suit = line(cards[0] // NUM_RANKS, ace_high=ace_high)
    at = suit.index(cards[0])
    above = at + len(cards)
    return suit[at - 1] if at else None, suit[above] if above < len(suit) else None


def marks(laid: Table) -> Words:
    return np.array([np.bitwise_or.reduce([np.uint64(0), *(table.as_laid(some) for some in laid)])])


@given(st.data(), aces)
def test_the_cards_at_either_end_of_a_sequence_fit(data: st.DataObject, ace_high: bool) -> None:
    laid = data.draw(sequences_on_the_table(ace_high=ace_high))
    on_table = {bit for some in laid for bit in some}
    fits = melds.fits_sequences(marks(laid), ace_high=ace_high)
    expected = {end for some in laid for end in ends(some, ace_high=ace_high) if end is not None}
    assert set(positions(int(fits[0]))) - on_table == expected - on_table


@given(st.data(), aces)
def test_a_card_laid_off_continues_the_lower_sequence(data: st.DataObject, ace_high: bool) -> None:
    laid = data.draw(sequences_on_the_table(ace_high=ace_high))
    on_table = {bit for some in laid for bit in some}
    free = {end for some in laid for end in ends(some, ace_high=ace_high) if end is not None}
    for card in free - on_table:
        fitting = [some for some in laid if card in ends(some, ace_high=ace_high)]
        chosen = min(fitting, key=lambda some: some[0])
        grown = [card, *chosen] if card == ends(chosen, ace_high=ace_high)[0] else [*chosen, card]
        mark, below = melds.laid_off(marks(laid), np.array([word([card])]), ace_high=ace_high)
        after = [grown if some is chosen else some for some in laid]
        assert (marks(laid) | mark).tolist() == marks(after).tolist()
        assert positions(int(below[0])) == ([card] if grown[0] == card else [])


@given(st.data(), aces)
def test_the_cards_of_sequences_are_the_same_cards_as_in_a_hand(
    data: st.DataObject, ace_high: bool
) -> None:
    laid = data.draw(sequences_on_the_table(ace_high=ace_high))
    on_table = {bit for some in laid for bit in some}
    assert set(positions(int(flat_sequences(marks(laid))[0]))) == on_table


def test_an_ace_above_a_king_is_marked_apart_from_an_ace_below_a_two() -> None:
    low, high = ([regular_bit(card) for card in text.split()] for text in ("Ah 2h 3h", "Qh Kh Ah"))
    assert table.as_laid(low) == word(low)
    assert table.as_laid(high) & table.HIGH_ACES == word([NUM_REGULAR + 2])
    assert flat_sequences(np.array([table.as_laid(high)]))[0] == word(high)


def test_hands_of_a_batch_are_looked_at_one_by_one() -> None:
    rng = np.random.default_rng(0)
    many = rng.integers(0, 2**52, 200, dtype=np.uint64)
    at_once = melds.sequence_starts(many, 3, ace_high=True), *melds.groups(many)
    for row in range(200):
        one = many[[row]]
        alone = melds.sequence_starts(one, 3, ace_high=True), *melds.groups(one)
        assert [a[0] for a in alone] == [a[row] for a in at_once]
