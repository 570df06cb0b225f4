"""Cards, sets of cards as bits, packs, and the randomness that they are shuffled with."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_env.core import bits, cards, sampling
from rummy_env.core.cards import NO_CARD, NUM_REGULAR, Pack, regular_bit, regular_text
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import GameRandom, shuffled, stream, uniform

SPECIALS = ("WILD", "WILD", "WILD", "RUMMY", "RUMMY", "NO_MELD")
PACKS = [Pack(), Pack(decks=2), Pack(specials=SPECIALS), Pack(decks=2, specials=SPECIALS)]
words = st.integers(0, 2**64 - 1)


# Text


def test_cards_are_written_as_rank_and_suit_and_read_back() -> None:
    texts = [regular_text(bit) for bit in range(NUM_REGULAR)]
    assert texts[0] == "Ac"
    assert texts[12] == "Kc"
    assert texts[13] == "Ad"
    assert texts[51] == "Ks"
    assert [regular_bit(text) for text in texts] == list(range(NUM_REGULAR))
    assert sorted({text[0] for text in texts}) == sorted("A23456789TJQK")


@pytest.mark.parametrize("text", ["10h", "7", "", "1h", "7H", "h7", "7x", "WILD"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"{text!r} is no card"):
        regular_bit(text)


# Packs


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_holds_its_cards(pack: Pack) -> None:
    texts = Counter(pack.cards)
    assert sum(texts.values()) == pack.num_cards == len(set(pack.codes.tolist()))
    assert {texts[regular_text(bit)] for bit in range(NUM_REGULAR)} == {pack.decks}
    assert texts["WILD"] == pack.specials.count("WILD")
    assert NO_CARD not in pack.codes


@pytest.mark.parametrize("pack", PACKS)
def test_a_set_of_cards_is_written_and_read_back(pack: Pack) -> None:
    assert [pack.text(code) for code in pack.codes.tolist()] == list(pack.cards)
    assert pack.texts(pack.everything) == list(pack.cards)
    some = pack.cards[::3]
    assert sorted(pack.texts(pack.words(some))) == sorted(some)
    assert pack.texts(pack.words([])) == []
    with pytest.raises(ValueError, match=r"sets of shape \(2, \d\): give one, as in texts"):
        pack.texts(np.stack([pack.everything] * 2))


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_has_no_card_more_often_than_it_holds_it(pack: Pack) -> None:
    pack.words(["7h"] * pack.decks)
    with pytest.raises(ValueError, match="7h"):
        pack.words(["7h"] * (pack.decks + 1))
    with pytest.raises(ValueError, match="JOKER"):
        pack.words(["JOKER"])


@pytest.mark.parametrize("decks", [0, 3, True, 1.0])
def test_a_pack_is_of_one_or_two_decks(decks: int) -> None:
    with pytest.raises(ValueError, match=f"decks={decks!r}"):
        Pack(decks=decks)


def test_a_pack_has_room_for_so_many_special_cards() -> None:
    Pack(specials=("WILD",) * 12)
    with pytest.raises(ValueError, match="room for 12"):
        Pack(specials=("WILD",) * 13)


def test_the_words_of_ranks() -> None:
    assert [regular_text(bit) for bit in bits.positions(int(cards.ACES))] == [
        "Ac",
        "Ad",
        "Ah",
        "As",
    ]
    assert cards.rank_word("TJ").bit_count() == 8
    assert int(cards.REGULAR) == 2**52 - 1


# Bits


@given(words)
def test_positions_are_the_set_bits(value: int) -> None:
    assert bits.word(bits.positions(value)) == value
    assert len(bits.positions(value)) == value.bit_count()


@given(words)
def test_the_lowest_set_bit_and_its_place(value: int) -> None:
    alone = bits.lowest(np.array([value], np.uint64))
    assert alone[0] == value & -value
    if value:
        assert bits.bit_index(alone)[0] == bits.positions(value)[0]


@given(st.lists(st.integers(1, 64), min_size=1, max_size=9), st.data())
def test_packed_fields_come_out_as_they_went_in(widths: list[int], data: st.DataObject) -> None:
    packer = bits.Packer(widths)
    values = [data.draw(st.integers(0, 2**width - 1)) for width in widths]
    out = np.zeros((packer.num_words, 2), np.uint64)
    for field, value in enumerate(values):
        packer.put(out, field, np.array([value, 0], np.uint64))
    laid = packer.unpack(np.ascontiguousarray(out.T))
    expected = [
        value >> i & 1 for value, width in zip(values, widths, strict=True) for i in range(width)
    ]
    assert laid[0].tolist() == expected
    assert packer.num_bits == sum(widths) == len(expected)
    assert not laid[1].any()


flag_rows = st.integers(1, 300).flatmap(
    lambda width: st.lists(st.integers(0, 2**width - 1), min_size=1, max_size=4).map(
        lambda rows: [[bool(row >> i & 1) for i in range(width)] for row in rows]
    )
)


@given(flag_rows)
def test_rows_of_flags_are_packed_into_words(rows: list[list[bool]]) -> None:
    packed = bits.pack_rows(np.array(rows))
    assert packed.shape == (len(rows), -(-len(rows[0]) // 64))
    for row, laid in zip(rows, packed.tolist(), strict=True):
        value = sum(one << 64 * i for i, one in enumerate(laid))
        assert [bool(value >> i & 1) for i in range(len(row))] == row


@given(flag_rows, st.floats(0, 1, exclude_max=True))
def test_a_draw_picks_the_set_bit_at_its_share_of_all(rows: list[list[bool]], draw: float) -> None:
    drawn = sampling.sample_bit(bits.pack_rows(np.array(rows)), np.full(len(rows), draw))
    for row, position in zip(rows, drawn.tolist(), strict=True):
        found = [i for i, flag in enumerate(row) if flag]
        assert position == (found[int(draw * len(found))] if found else 0)


# Randomness


@given(words, st.integers(1, 52))
def test_a_shuffle_keeps_every_card(key: int, size: int) -> None:
    codes = Pack().codes[:size]
    assert sorted(shuffled(np.array([key], np.uint64), codes)[0].tolist()) == codes.tolist()


def test_a_shuffle_of_piles_puts_no_card_last() -> None:
    piles = np.full((2, 6), NO_CARD, np.uint8)
    piles[0, [1, 4]], piles[1, :3] = [7, 40], [3, 9, 51]
    order = shuffled(game_seeds(1, 2), piles)
    assert sorted(order[0, :2]) == [7, 40]
    assert sorted(order[1, :3]) == [3, 9, 51]
    assert (order[0, 2:] > 51).all()
    assert (order[1, 3:] > 51).all()


def test_every_card_is_as_likely_on_every_place() -> None:
    games = 20_000
    order = shuffled(game_seeds(4, games), Pack().codes)
    counts = np.array([np.bincount(order[:, place], minlength=52) for place in range(52)])
    chi_square = ((counts - games / 52) ** 2 / (games / 52)).sum()
    free = 51 * 51
    assert abs(chi_square - free) < 5 * (2 * free) ** 0.5


def test_neighbouring_cards_are_independent() -> None:
    games = 20_000
    order = shuffled(game_seeds(9, games), Pack().codes).astype(np.int64)
    after = (order[:, 1:] - order[:, :-1] == 1).mean()
    assert abs(after - 1 / 52) < 5 * (1 / 52 / games / 51) ** 0.5


def test_seeds_of_games_are_all_different() -> None:
    seeds = np.concatenate([game_seeds(seed, 20_000) for seed in (0, 1, 2, 2**64 - 2, 2**64 - 1)])
    assert len(set(seeds.tolist())) == 5 * 20_000


def test_the_seed_of_a_game_does_not_depend_on_the_size_of_the_batch() -> None:
    assert game_seeds(3, 10).tolist() == game_seeds(3, 1000)[:10].tolist()


def test_a_stream_has_other_numbers_for_every_counter() -> None:
    seeds = game_seeds(0, 50)
    drawn = {int(word) for counter in range(400) for word in stream(seeds, counter)}
    assert len(drawn) == 400 * 50


def test_of_one_game_a_stream_has_the_numbers_that_it_has_in_a_batch() -> None:
    seeds, counters = game_seeds(0, 50), np.arange(50)
    together = stream(seeds, counters)
    alone = [stream(seeds[i : i + 1], counters[i : i + 1]) for i in range(50)]
    assert (np.concatenate(alone) == together).all()


def test_uniform_numbers_fill_the_interval_evenly() -> None:
    numbers = uniform(game_seeds(6, 100_000))
    assert numbers.min() >= 0
    assert numbers.max() < 1
    counts = np.histogram(numbers, bins=50, range=(0, 1))[0]
    assert ((counts - 2000) ** 2 / 2000).sum() < 49 + 5 * (2 * 49) ** 0.5


def test_the_numbers_of_a_decision_go_with_the_game() -> None:
    keys = game_seeds(2, 8)
    every, some = GameRandom(keys), GameRandom(keys).take(np.array([5, 1]))
    first, second = every.random(), every.random()
    assert some.random().tolist() == first[[5, 1]].tolist()
    assert some.random().tolist() == second[[5, 1]].tolist()
    assert len(some) == 2
    assert (first != second).all()


def test_streams_that_are_taken_go_on_where_they_are() -> None:
    rng = GameRandom(np.arange(4, dtype=np.uint64))
    rng.random()
    part, whole = rng.take(np.array([2, 0])).random(), rng.random()
    assert np.array_equal(part, whole[[2, 0]])
