"""Finished hands: whether one can go out, how it falls into melds, and how far it is from that.

Everything follows from one number: the fewest WILDCARDs with which given cards fall into melds
(`grouping.py` by trying the groupings, `sweeping.py` for dozens of cards). A hand that holds as
many is finished, for a WILDCARD too many can join any meld. What is left are the special cards:

    5h 6h WILD | 9c 9d GROUP | RUMMY | NO_MELD
    lacks one    lacks one     a meld  can only be the card left over
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rummy_env.core.bits import Bools, Rows, Words, word
from rummy_env.core.cards import NUM_REGULAR, REGULAR, Pack
from rummy_env.core.checks import check_choice, check_flag
from rummy_env.melds.declaration.grouping import Holding, wilds_needed, wilds_that_do
from rummy_env.melds.declaration.sweeping import wilds_needed_by_sweep
from rummy_env.melds.rank_groups import number_of_groupings
from rummy_env.melds.suit_tables import IMPOSSIBLE, Counts, by_suit, sequences_lack_beside_pure

WILD, GROUP, SEQUENCE, RUMMY = "WILD", "GROUP", "SEQUENCE", "RUMMY"
NO_MELD, CANT_GO_OUT = "NO_MELD", "CANT_GO_OUT"

LEFTOVERS = {"at_most_one": (0, 1), "none": (0,), "exactly_one": (1,)}
"""How many cards may lie outside of the melds."""
MOST_OF = {WILD: 7, GROUP: 1, SEQUENCE: 1, RUMMY: 2, NO_MELD: 1, CANT_GO_OUT: 1}
"""The special cards, and how many of each a pack may have."""

SMALL = 14
"""Up to so many regular cards every grouping is tried."""

MOST_GROUPINGS = 2000
"""With more cards as well, if there are no more groupings; otherwise the sweep is faster."""

_CHUNK, _LARGE_CHUNK = 8192, 256
"""Hands at a time, so that what is computed stays in the processor's cache."""


@dataclass(frozen=True)
class Cards:
    """A batch of hands, sorted by what the cards can do.

    Attributes:
        naturals: uint64[W, N], the regular cards.
        wild: int8[N], WILDCARDs.
        group: bool[N], whether GROUP is held; so sequence, no_meld and cant_go_out.
        rummy: int8[N], RUMMY cards.
    """

    naturals: Words
    wild: Counts
    group: Bools
    sequence: Bools
    rummy: Counts
    no_meld: Bools
    cant_go_out: Bools

    @cached_property
    def count(self) -> Counts:
        """int8[N], regular cards held."""
        return np.bitwise_count(self.naturals).sum(axis=0, dtype=np.int8)

    @property
    def holding(self) -> Holding:
        """What has to fall into melds by the help of WILDCARDs."""
        return Holding(self.naturals, self.group, self.sequence)

    def take(self, rows: Rows | Bools) -> "Cards":
        """The hands of some rows."""
        return Cards(
            naturals=self.naturals[:, rows],
            wild=self.wild[rows],
            group=self.group[rows],
            sequence=self.sequence[rows],
            rummy=self.rummy[rows],
            no_meld=self.no_meld[rows],
            cant_go_out=self.cant_go_out[rows],
        )


@dataclass(frozen=True)
class Declaration:
    """What a finished hand is.

    Attributes:
        pack: The cards of the game.
        leftover: How many cards may lie outside of the melds: `"at_most_one"`, `"none"`, or
            `"exactly_one"`, which no six cards in two melds of three fulfil.
        sequences_rummy: Whether all melds are sequences, two or more, one of them without any
            WILDCARD, where WILDCARDs alone count as another sequence.

    Source: docs/rules/going_out.md#a-finished-hand
    """

    pack: Pack
    leftover: str = "at_most_one"
    sequences_rummy: bool = False

    def __post_init__(self) -> None:
        check_choice("leftover", self.leftover, tuple(LEFTOVERS))
        check_flag("sequences_rummy", self.sequences_rummy)
        held = Counter(self.pack.specials)
        if any(count > MOST_OF.get(name, 0) for name, count in held.items()):
            raise ValueError(
                f"specials={self.pack.specials!r}: a pack for declared hands has at most "
                + ", ".join(f"{most} {name}" for name, most in MOST_OF.items())
            )
        if self.sequences_rummy and (self.pack.decks > 1 or not set(held) <= {WILD}):
            raise ValueError(
                f"sequences_rummy=True with {self.pack}: it is played with one pack and WILDCARDs "
                "alone; leave the other special cards out"
            )

    @property
    def lefts(self) -> tuple[int, ...]:
        """How many cards may lie outside of the melds."""
        return LEFTOVERS[self.leftover]

    def can_go_out(self, hands: Words) -> Bools:
        """Whether hands are finished.

        Args:
            hands: uint64[N, W], of any size.

        Returns:
            bool[N].

        Source: docs/rules/going_out.md#a-finished-hand
        """
        out = np.empty(len(hands), np.bool_)
        for start in range(0, len(hands), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            out[chunk] = self._finished(self.sort(hands[chunk]))
        return out

    def sort(self, hands: Words) -> Cards:
        """The cards of hands, by what they can do.

        Args:
            hands: uint64[N, W].
        """
        special = hands[:, 0]
        count = {name: np.bitwise_count(special & mask) for name, mask in self._masks.items()}
        return Cards(
            naturals=np.ascontiguousarray(hands.T) & REGULAR,
            wild=count[WILD].astype(np.int8),
            group=count[GROUP] > 0,
            sequence=count[SEQUENCE] > 0,
            rummy=count[RUMMY].astype(np.int8),
            no_meld=count[NO_MELD] > 0,
            cant_go_out=count[CANT_GO_OUT] > 0,
        )

    @cached_property
    def _masks(self) -> dict[str, np.uint64]:
        """The cards of every special kind, in the first word of a hand."""
        places = [(NUM_REGULAR + i, name) for i, name in enumerate(self.pack.specials)]
        return {kind: word([bit for bit, name in places if name == kind]) for kind in MOST_OF}

    def _finished(self, cards: Cards) -> Bools:
        """bool[N], whether hands fall into melds as this declaration wants it."""
        needed = self.wilds_needed(cards, either=self.leftover == "at_most_one")
        whole = _suffice(cards, needed[0], cards.count, cards.wild)
        finished = whole & ~cards.no_meld
        if self.leftover != "none":
            one_left = whole & cards.no_meld | self._leaves_one(cards, needed, whole)
            finished = one_left if self.leftover == "exactly_one" else finished | one_left
        return finished & ~cards.cant_go_out

    def _leaves_one(self, cards: Cards, needed: Counts, whole: Bools) -> Bools:
        """bool[N], whether all cards but one, which is not NO MELD, fall into melds."""
        left = (cards.count > 0) & _suffice(cards, needed[1], cards.count - 1, cards.wild)
        left |= (cards.wild > 0) & _suffice(cards, needed[0], cards.count, cards.wild - 1)
        left |= (cards.rummy > 0) & whole
        for kind in (GROUP, SEQUENCE):
            rows = getattr(cards, kind.lower()) & ~left & ~cards.no_meld
            if rows.any():
                without = replace(cards.take(rows), **{kind.lower(): np.zeros(rows.sum(), bool)})
                fewest = self.wilds_needed(without)[0]
                left[rows] = _suffice(without, fewest, without.count, without.wild)
        return left & ~cards.no_meld

    def wilds_needed(self, cards: Cards, *, either: bool = False) -> Counts:
        """The fewest WILDCARDs with which all regular cards, or all but one, fall into melds.

        GROUP and SEQUENCE, where they are held, are in the melds.

        Args:
            cards: The hands.
            either: Whether it is enough to know one of the two, if the hand has as many; NO MELD
                is then the card left over where it is held.

        Returns:
            int8[2, N], for no regular card left out and for one; where a hand has fewer, anything
            above what it has.
        """
        if self.sequences_rummy:
            return _needed_for_two_sequences(cards)
        small = cards.count <= SMALL
        if small.all():
            return wilds_needed(cards.holding, cards.wild, 2)
        needed = np.full((2, len(small)), IMPOSSIBLE, np.int8)
        needed[:, small] = wilds_needed(cards.take(small).holding, cards.wild[small], 2)
        rows = np.flatnonzero(~small & ~cards.cant_go_out)
        for start in range(0, len(rows), _LARGE_CHUNK):
            some = rows[start : start + _LARGE_CHUNK]
            needed[:, some] = _needed_in_large(cards.take(some), either=either)
        return needed


def _needed_in_large(cards: Cards, *, either: bool) -> Counts:
    """int8[2, N], as `Declaration.wilds_needed`, for hands of many cards."""
    few = number_of_groupings(cards.naturals, cards.wild + cards.group) <= MOST_GROUPINGS
    needed = np.empty((2, len(few)), np.int8)
    needed[:, few] = wilds_needed(cards.take(few).holding, cards.wild[few], 2)
    needed[:, ~few] = _needed_by_sweep(cards.take(~few), either=either)
    return needed


def _needed_by_sweep(cards: Cards, *, either: bool) -> Counts:
    """int8[2, N], as `Declaration.wilds_needed`, for hands of any size.

    First a few groupings are tried, which mostly do where the hand is finished.
    """
    needed = wilds_that_do(cards.holding, cards.wild, 2)
    one_does = ~cards.no_meld & either
    do = needed <= cards.wild
    open_rows = np.flatnonzero(~np.where(one_does, do.any(axis=0), do.all(axis=0)))
    rest = cards.take(open_rows)
    exact = wilds_needed_by_sweep(rest.holding, rest.wild, one_does[open_rows])
    needed[:, open_rows] = np.minimum(needed[:, open_rows], exact)
    return needed


def _suffice(cards: Cards, needed: Counts, count: Counts, wild: Counts) -> Bools:
    """bool[N], whether so many WILDCARDs do, and none of them is stranded.

    One or two are where no other card is in a meld that they could join.
    """
    alone = (count == 0) & ~cards.group & ~cards.sequence
    return (needed <= wild) & ~(alone & (wild > 0) & (wild < 3))


def _needed_for_two_sequences(cards: Cards) -> Counts:
    """int8[2, N], WILDCARDs for two sequences or more, of which one has none.

    Where a single natural sequence uses all cards, it may be cut to three cards, and the other
    sequence takes what is cut off; so six cards are needed in all.
    """
    needed = sequences_lack_beside_pure(by_suit(cards.naturals), depth=2, bought=0)
    melded = cards.count - np.arange(2, dtype=np.int8)[:, None]
    return np.maximum(needed, 6 - melded)
