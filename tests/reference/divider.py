"""Whether a hand falls into melds, by trying every way to divide it.

`is_meld` says what one meld may be; every part of the hand that is one is listed, and the search
puts the cards into them, one after another, until each has its place.

Source: rules.md section 5 (what a meld is, the card left over), section 5.1 (`leftover`,
`sequences_rummy`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from tests.reference.cards import RANKS, SUITS, Cards, rank_of, suit_of
from tests.reference.special_cards import (
    CANT_GO_OUT,
    GROUP,
    RUMMY,
    SEQUENCE,
    WILD,
    check_cards,
    is_natural,
)

AT_MOST_ONE = "at_most_one"
NONE = "none"
EXACTLY_ONE = "exactly_one"

CARDS_LEFT: dict[str, tuple[int, ...]] = {AT_MOST_ONE: (0, 1), NONE: (0,), EXACTLY_ONE: (1,)}
"""How many cards may lie outside of the melds, by the option `leftover`."""

POSITIONS = RANKS + "A"
"""The 14 positions of a sequence, A 2 ... K A. Source: rules.md section 5."""

LONGEST_HAND_CUT = 14
"""Up to this many cards every meld is tried, in larger hands those of at most five cards."""


class Division(NamedTuple):
    """A hand, divided.

    Attributes:
        melds: The melds, each a sorted tuple of cards.
        left: The cards outside of the melds, at most one.
    """

    melds: tuple[Cards, ...]
    left: Cards


def is_group(cards: Sequence[str]) -> bool:
    """Whether cards are a group: three or more, naturals of one rank, stand-ins WILD and GROUP.

    A group of stand-ins alone is three or more WILDs, or two or more with GROUP.

    Source: rules.md section 5.
    """
    naturals = [card for card in cards if is_natural(card)]
    others = [card for card in cards if not is_natural(card)]
    one_rank = len({rank_of(card) for card in naturals}) <= 1
    return len(cards) >= 3 and one_rank and set(others) <= {WILD, GROUP}


def is_sequence(cards: Sequence[str]) -> bool:
    """Whether cards are a sequence: three or more consecutive positions of A 2 ... K A.

    The naturals are of one suit, and each holds a position of its rank; WILD and SEQUENCE hold
    the others. Without naturals it is SEQUENCE with two or more WILDs (WILDs alone are a group).

    Source: rules.md section 5.
    """
    naturals = [card for card in cards if is_natural(card)]
    others = {card for card in cards if not is_natural(card)}
    if len(cards) < 3 or not others <= {WILD, SEQUENCE}:
        return False
    if not naturals:
        return SEQUENCE in others
    if len({suit_of(card) for card in naturals}) > 1:
        return False
    ranks = Counter(rank_of(card) for card in naturals)
    starts = range(len(POSITIONS) - len(cards) + 1)
    return any(ranks <= Counter(POSITIONS[start : start + len(cards)]) for start in starts)


def is_natural_sequence(cards: Sequence[str]) -> bool:
    """Whether cards are a sequence without any WILD. Source: rules.md section 5.1."""
    return is_sequence(cards) and WILD not in cards


def is_meld(cards: Sequence[str], sequences_rummy: bool = False) -> bool:
    """Whether cards, in any order, are one meld.

    Source: rules.md section 5; section 5.1 for Sequences Rummy, where a group is no meld unless
    it is of WILDs alone.
    """
    check_cards(cards)
    if sequences_rummy:
        return is_sequence(cards) or (is_group(cards) and set(cards) == {WILD})
    return list(cards) == [RUMMY] or is_group(cards) or is_sequence(cards)


def is_finished(melds: Sequence[Cards], sequences_rummy: bool) -> bool:
    """Whether melds that leave nothing (or the one card) over make a finished hand.

    Source: rules.md section 5.1, `sequences_rummy`: two or more, one of them natural.
    """
    return not sequences_rummy or (len(melds) >= 2 and any(map(is_natural_sequence, melds)))


def is_division(
    hand: Sequence[str],
    melds: Sequence[Sequence[str]],
    left: Sequence[str],
    *,
    leftover: str = AT_MOST_ONE,
    sequences_rummy: bool = False,
) -> bool:
    """Whether melds and the cards left over divide a hand as the rules want it.

    Source: rules.md section 5: every card used once, except at most one card.
    """
    used = [card for meld in melds for card in meld]
    return (
        CANT_GO_OUT not in hand
        and Counter(hand) == Counter([*used, *left])
        and len(left) in CARDS_LEFT[leftover]
        and all(is_meld(meld, sequences_rummy) for meld in melds)
        and is_finished([tuple(meld) for meld in melds], sequences_rummy)
    )


def can_go_out(
    hand: Sequence[str], *, leftover: str = AT_MOST_ONE, sequences_rummy: bool = False
) -> bool:
    """Whether a hand falls into melds, but for the card that may or must be left over.

    Args:
        hand: Cards as texts, in any order.
        leftover: "at_most_one", "none" or "exactly_one" card outside of the melds.
        sequences_rummy: Whether the hand must be finished as in Sequences Rummy.

    Raises:
        ValueError: If no pack holds these cards, or Sequences Rummy has special cards but WILD.

    Source: rules.md sections 5 and 5.1.
    """
    return divide(hand, leftover=leftover, sequences_rummy=sequences_rummy) is not None


def divide(
    hand: Sequence[str], *, leftover: str = AT_MOST_ONE, sequences_rummy: bool = False
) -> Division | None:
    """One division of a hand, or None where there is none; arguments as for `can_go_out`.

    A hand with CAN'T GO OUT cannot go out; NO MELD is in no meld, so it can only be left over.
    """
    if leftover not in CARDS_LEFT:
        raise ValueError(f"leftover={leftover!r} is not one of {', '.join(CARDS_LEFT)}")
    check_cards(hand)
    if sequences_rummy and not all(is_natural(card) or card == WILD for card in hand):
        raise ValueError(f"Sequences Rummy is played with regular cards and WILD, not {hand}")
    if CANT_GO_OUT in hand:
        return None
    search = _Search(hand, sequences_rummy)
    for count in CARDS_LEFT[leftover]:
        for left in sorted(set(combinations(sorted(hand), count))):
            melds = search.melds_of(left)
            if melds is not None:
                return Division(melds, left)
    return None


Counts = tuple[int, ...]  # of each kind of card, in the order of `_Search.kinds`
Melds = tuple[Cards, ...]


class _Search:
    """All ways to lay the cards of one hand into melds, with what was found remembered."""

    def __init__(self, hand: Sequence[str], sequences_rummy: bool) -> None:
        self.hand = Counter(hand)
        self.sequences_rummy = sequences_rummy
        melds = melds_in(hand, sequences_rummy)
        uses = Counter(card for meld in melds for card in set(meld))
        self.kinds = sorted(self.hand, key=lambda card: (uses[card], card))
        self.melds_with = [
            [(meld, self._counts(Counter(meld))) for meld in melds if kind in meld]
            for kind in self.kinds
        ]
        self.found: dict[tuple[Counts, int, bool], Melds | None] = {}

    def _counts(self, cards: Counter[str]) -> Counts:
        return tuple(cards[kind] for kind in self.kinds)

    def melds_of(self, left: Cards) -> Melds | None:
        """Melds that use every card of the hand but those left over, or None."""
        rest = self._counts(self.hand - Counter(left))
        wanted = 2 if self.sequences_rummy else 0
        return self._melds(rest, wanted, self.sequences_rummy)

    def _melds(self, rest: Counts, wanted: int, want_natural: bool) -> Melds | None:
        """Melds that use up the rest, at least so many, one of them natural if that is wanted."""
        key = (rest, wanted, want_natural)
        if key not in self.found:
            self.found[key] = self._try_melds(rest, wanted, want_natural)
        return self.found[key]

    def _try_melds(self, rest: Counts, wanted: int, want_natural: bool) -> Melds | None:
        """The first kind of card still there must be in some meld: try each of them."""
        if not any(rest):
            return None if wanted or want_natural else ()
        first = next(i for i, count in enumerate(rest) if count)
        for meld, used in self.melds_with[first]:
            after = tuple(have - need for have, need in zip(rest, used, strict=True))
            if min(after) < 0:
                continue
            still_natural = want_natural and not is_natural_sequence(meld)
            others = self._melds(after, max(wanted - 1, 0), still_natural)
            if others is not None:
                return (meld, *others)
        return None


def melds_in(hand: Sequence[str], sequences_rummy: bool = False) -> list[Cards]:
    """Every meld that the cards of a hand can form, each once.

    All naturals of a group are of one rank and those of a sequence of one suit, so it is
    enough to look through the cards of each rank and of each suit, with all that is no natural.

    In a hand of more than `LONGEST_HAND_CUT` cards the melds of six cards or more are left out:
    each of them falls into melds of three to five, so that no division is lost.
    """
    most = len(hand) if len(hand) <= LONGEST_HAND_CUT else 5
    special = [card for card in hand if card in (WILD, GROUP, SEQUENCE, RUMMY)]
    melds: set[Cards] = set()
    naturals = [card for card in hand if is_natural(card)]
    alike = [[card for card in naturals if rank_of(card) == rank] for rank in RANKS]
    alike += [[card for card in naturals if suit_of(card) == suit] for suit in SUITS]
    for cards in alike:
        melds |= {p for p in _parts(cards + special, most) if _is_meld(p, sequences_rummy)}
    return sorted(melds)


@lru_cache(maxsize=1 << 20)
def _is_meld(cards: Cards, sequences_rummy: bool) -> bool:
    return is_meld(cards, sequences_rummy)


def _parts(cards: Sequence[str], most: int) -> Iterator[Cards]:
    """Every choice of up to so many of the cards, sorted; equal cards are not told apart."""
    held = sorted(Counter(cards).items())
    for counts in product(*(range(count + 1) for _, count in held)):
        if 1 <= sum(counts) <= most:
            yield tuple(card for (card, _), n in zip(held, counts, strict=True) for _ in range(n))
