"""Finished hands: the test for them (here), and their division into melds (`arrangement.py`).

Everything follows from one number: the fewest wildcards with which given cards form melds
(`groupings.py` tries all groupings, `sweep.py` handles dozens of cards). A hand that holds as many
is finished, because surplus wildcards can join any meld. That leaves the other special cards:

    5h 6h WILD | 9c 9d GROUP | RUMMY | NO_MELD
    lacks one    lacks one     a meld  can only be the card left over
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rummy_env.core.arrays import Bools, Int8s, Words
from rummy_env.core.bits import WORD_BITS, word
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR, REGULAR, REGULAR_BITS, SUITS, Pack
from rummy_env.core.checks import check_choice, check_flag
from rummy_env.core.one_or_many import count_bits
from rummy_env.melds.declaration.groupings import DEPTH, number_of_groupings, wilds_needed
from rummy_env.melds.declaration.sweep import wilds_needed_by_sweep
from rummy_env.melds.hands import (
    CANT_GO_OUT,
    GROUP,
    MOST_OF,
    NO_MELD,
    RUMMY,
    SEQUENCE,
    WILD,
    Hand,
    Hands,
)
from rummy_env.melds.patterns import meldable
from rummy_env.melds.suit_tables import IMPOSSIBLE, by_suit, sequences_lack_beside_pure

__all__ = [
    "CANT_GO_OUT",
    "GROUP",
    "LEFTOVERS",
    "NO_MELD",
    "RUMMY",
    "SEQUENCE",
    "WILD",
    "Declaration",
]

LEFTOVERS = {"at_most_one": (0, 1), "none": (0,), "exactly_one": (1,)}
"""The allowed numbers of cards outside the melds."""

SMALL = 14
"""Up to this many regular cards, every grouping is tried."""

MOST_GROUPINGS = 2000
"""With more cards, they are tried if there are at most this many; else the sweep is faster."""

_REGULAR = int(REGULAR)
_ONE, _FOUR = np.uint8(1), np.uint8(4)

_CHUNK, _LARGE_CHUNK = 8192, 256
"""Hands processed at a time, so that intermediate arrays fit in the processor's cache."""


@dataclass(frozen=True)
class Declaration:
    """The conditions of a finished hand.

    Attributes:
        pack: The cards of the game.
        leftover: The number of cards outside the melds: `"at_most_one"`, `"none"`, or
            `"exactly_one"`, which six cards in two melds of three do not satisfy.
        sequences_rummy: True if the melds must be two or more sequences, at least one of them
            without any wildcard; wildcards alone count as one of the others.

    Raises:
        TypeError: If the pack is none.
        ValueError: If hands are not declared with such a pack, or an option makes no sense.

    Source: docs/rules/going_out.md#a-finished-hand
    """

    pack: Pack
    leftover: str = "at_most_one"
    sequences_rummy: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.pack, Pack):
            raise TypeError(f"pack={self.pack!r}: give a Pack, as in Declaration(Pack())")
        if (self.pack.num_ranks, self.pack.num_suits) != (NUM_RANKS, len(SUITS)):
            raise ValueError(
                f"pack={self.pack}: hands are declared with all {NUM_RANKS} ranks and "
                f"{len(SUITS)} suits; leave num_ranks and num_suits out"
            )
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
                f"sequences_rummy=True with {self.pack}: it is played with one pack and WILD cards "
                "alone; leave the other special cards out"
            )

    @property
    def lefts(self) -> tuple[int, ...]:
        """The allowed numbers of cards outside the melds."""
        return LEFTOVERS[self.leftover]

    def can_go_out(self, hands: Words) -> Bools:
        """Return True for finished hands, bool[N]; hands are uint64[N, W] of any size.

        Source: docs/rules/going_out.md#a-finished-hand
        """
        out = self.may_be_finished([*hands.T])
        rows = out.nonzero()[0]
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            out[chunk] = self._finished(self.hands(hands[chunk]))
        return out

    def may_be_finished(self, decks: Sequence[Words]) -> Bools:
        """Rule out most unfinished hands, W times uint64[N]: bool[N], False for these.

        A regular card that is in no meld of regular cards needs a meld with a stand-in. A sequence
        with k stand-ins has at most 2(k + 1) such cards, as in xx_xx_xx, and a group no more. So
        there are at most four for each special card, plus one left over. Scalars give a flag.
        """
        melded = meldable(decks, groups=not self.sequences_rummy)
        alone = sum(count_bits(cards & REGULAR & ~melded) for cards in decks)
        return alone <= count_bits(decks[0] >> REGULAR_BITS) * _FOUR + _ONE

    def hands(self, words: Words) -> Hands:
        """Convert hands, uint64[N, W], to `Hands`, with their special cards counted."""
        special = words[:, 0]
        count = {name: np.bitwise_count(special & mask) for name, mask in self._masks.items()}
        return Hands(
            naturals=np.ascontiguousarray(words.T) & REGULAR,
            wild=count[WILD].astype(np.int8),
            group=count[GROUP] > 0,
            sequence=count[SEQUENCE] > 0,
            rummy=count[RUMMY].astype(np.int8),
            no_meld=count[NO_MELD] > 0,
            cant_go_out=count[CANT_GO_OUT] > 0,
            blanks=np.zeros(len(words), np.int8),
        )

    def hand(self, decks: Iterable[Words]) -> Hand:
        """Convert one hand, given as W scalars, to `Hand`."""
        words = [int(cards) for cards in decks]
        naturals = sum([(cards & _REGULAR) << WORD_BITS * i for i, cards in enumerate(words)])
        return Hand(naturals, tuple([(words[0] & kind).bit_count() for kind in self._masks_of_one]))

    @cached_property
    def _masks_of_one(self) -> tuple[int, ...]:
        return tuple(int(self._masks[kind]) for kind in MOST_OF)

    @cached_property
    def _masks(self) -> dict[str, np.uint64]:
        """The cards of each special kind, as bits of a hand's first word."""
        places = [(NUM_REGULAR + i, name) for i, name in enumerate(self.pack.specials)]
        return {kind: word([bit for bit, name in places if name == kind]) for kind in MOST_OF}

    def _finished(self, hands: Hands) -> Bools:
        """Return True for hands that meet the conditions, bool[N]."""
        needed = self.wilds_needed(hands, either=self.leftover == "at_most_one")
        whole = _suffice(hands, needed[0], hands.count, hands.wild)
        if self.leftover == "none":
            finished = whole & ~hands.no_meld
        else:
            finished = whole if self.leftover == "at_most_one" else whole & hands.no_meld
            unsettled = ~(finished | hands.no_meld | hands.cant_go_out)
            finished = finished | unsettled & self._leaves_one(hands, needed, whole, unsettled)
        return finished & ~hands.cant_go_out

    def _leaves_one(self, hands: Hands, needed: Int8s, whole: Bools, unsettled: Bools) -> Bools:
        """Return True if all cards but one form melds, bool[N]; only valid where `unsettled`."""
        # The card left over is a regular one, a wildcard, a RUMMY card, GROUP or SEQUENCE.
        left = (hands.count > 0) & _suffice(hands, needed[1], hands.count - 1, hands.wild)
        left |= (hands.wild > 0) & _suffice(hands, needed[0], hands.count, hands.wild - 1)
        left |= (hands.rummy > 0) & whole
        for kind in (GROUP, SEQUENCE):
            rows = np.flatnonzero(getattr(hands, kind.lower()) & unsettled & ~left)
            if rows.size:
                rest = hands.take(rows).without(kind)
                left[rows] = _suffice(rest, self.wilds_needed(rest)[0], rest.count, rest.wild)
        return left

    def wilds_needed(self, hands: Hands, *, either: bool = False) -> Int8s:
        """Return the fewest wildcards with which all regular cards, or all but one, form melds.

        GROUP and SEQUENCE are used in the melds where they are held.

        Args:
            hands: Hands of any size.
            either: True if one answer is enough where the hand has the wildcards for it, except
                where it holds NO_MELD, which is then the card left over.

        Returns:
            int8[2, N], for no regular card left out and for one; where a hand has fewer wildcards,
            any number above those it has.
        """
        if self.sequences_rummy:
            return _needed_for_two_sequences(hands)
        small = hands.count <= SMALL
        if small.all():
            return wilds_needed(hands)
        needed = np.full((2, len(small)), IMPOSSIBLE, np.int8)
        needed[:, small] = wilds_needed(hands.take(small))
        rows = np.flatnonzero(~small & ~hands.cant_go_out)
        for start in range(0, len(rows), _LARGE_CHUNK):
            some = rows[start : start + _LARGE_CHUNK]
            needed[:, some] = _needed_in_large(hands.take(some), either=either)
        return needed


def _needed_in_large(hands: Hands, *, either: bool) -> Int8s:
    """Return `Declaration.wilds_needed` for hands of many cards, int8[2, N]."""
    few = number_of_groupings(hands.naturals, hands.wild + hands.group) <= MOST_GROUPINGS
    needed = np.empty((2, len(few)), np.int8)
    needed[:, few] = wilds_needed(hands.take(few))
    many = hands.take(~few)
    needed[:, ~few] = wilds_needed_by_sweep(many, ~many.no_meld & either)
    return needed


def _suffice(hands: Hands, needed: Int8s, count: Int8s, wild: Int8s) -> Bools:
    """Return True if hands have enough wildcards and none of them is stranded, bool[N].

    One or two are stranded where no other card is in a meld that they could join. The arguments
    are int8[N]: wildcards needed, regular cards in melds, and wildcards in melds.
    """
    alone = (count == 0) & ~hands.group & ~hands.sequence
    return (needed <= wild) & ~(alone & (wild > 0) & (wild < 3))


def _needed_for_two_sequences(hands: Hands) -> Int8s:
    """Return the wildcards needed for two or more sequences, one of them without any; int8[2, N].

    A single natural sequence of all cards may be cut to three cards, and the other sequence takes
    the rest; so six cards are needed in total.
    """
    needed = sequences_lack_beside_pure(by_suit(hands.naturals), DEPTH)
    melded = hands.count - np.arange(DEPTH, dtype=np.int8)[:, None]
    return np.maximum(needed, 6 - melded)
