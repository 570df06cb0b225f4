"""Batches of hands, with their special cards counted.

Special cards of one kind are interchangeable. So they are counted once, and searches never have to
decode their bits again:

    5h 6h WILD GROUP RUMMY RUMMY        naturals {5h, 6h}   wild 1   group yes   rummy 2

Decks are the first axis here, not the last as in the state, so that each is a contiguous row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from rummy_env.core.arrays import Bools, Int8s, Rows, UInt8s, Words
from rummy_env.core.bits import WORD_BITS
from rummy_env.core.cards import NO_CARD, NUM_REGULAR, REGULAR, Pack
from rummy_env.core.state import CODE_BIT

WILD, GROUP, SEQUENCE, RUMMY = "WILD", "GROUP", "SEQUENCE", "RUMMY"
NO_MELD, CANT_GO_OUT = "NO_MELD", "CANT_GO_OUT"

MOST_OF = {WILD: 7, GROUP: 1, SEQUENCE: 1, RUMMY: 2, NO_MELD: 1, CANT_GO_OUT: 1}
"""The special cards and how many of each a pack may have; in lower case, the fields of `Hands`."""


@dataclass(frozen=True)
class Batch:
    """Arrays that describe the same items, which are the last axis of each array."""

    def take(self, rows: Rows | Bools) -> Self:
        """Return some of the items, given by their indices or by a mask."""
        made: Any = type(self)
        if rows.dtype == np.bool_:
            rows = np.flatnonzero(rows)
        return made(*[getattr(self, n).take(rows, axis=-1) for n in made.__match_args__])

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Concatenate several batches."""
        made: Any = cls
        arrays = ([getattr(part, name) for part in parts] for name in made.__match_args__)
        return made(*[np.concatenate(each, axis=-1) for each in arrays])


@dataclass(frozen=True)
class Hands(Batch):
    """A batch of hands.

    Attributes:
        naturals: uint64[W, N], the regular cards.
        wild: int8[N], wildcards.
        group: bool[N], True if GROUP is held; `sequence`, `no_meld` and `cant_go_out` likewise.
        rummy: int8[N], RUMMY cards.
        blanks: int8[N], cards that fit nowhere and have to be discarded; see `min_dist`.
    """

    naturals: Words
    wild: Int8s
    group: Bools
    sequence: Bools
    rummy: Int8s
    no_meld: Bools
    cant_go_out: Bools
    blanks: Int8s

    def __len__(self) -> int:
        return len(self.wild)

    @cached_property
    def count(self) -> Int8s:
        """The number of regular cards held, int8[N]."""
        return np.bitwise_count(self.naturals).sum(axis=0, dtype=np.int8)

    @cached_property
    def size(self) -> Int8s:
        """The number of cards held, int8[N], including blanks."""
        counted = self.count + self.wild + self.rummy + self.blanks
        return counted + self.group + self.sequence + self.no_meld + self.cant_go_out

    def with_blank(self) -> "Hands":
        """Return the hands with one more blank each."""
        return replace(self, blanks=self.blanks + np.int8(1))

    def without(self, kind: str) -> "Hands":
        """Return the hands with one special card less each, of a kind that they all hold."""
        held = getattr(self, kind.lower())
        return replace(self, **{kind.lower(): (held - np.int8(1)).astype(held.dtype)})

    def plus(self, pack: Pack, codes: UInt8s) -> "Hands":
        """Return the hands with one more card each.

        Args:
            pack: The cards of the game.
            codes: uint8[N], as in `Pack.lowest_codes`; `NO_CARD` for a blank.
        """
        bits = CODE_BIT.take(codes) & REGULAR
        naturals = self.naturals.copy()
        twice = naturals[0] & bits
        naturals[0] |= bits
        if len(naturals) > 1:
            naturals[1] |= twice
        changed: dict[str, Any] = {"naturals": naturals, "blanks": self.blanks + (codes == NO_CARD)}
        for kind in dict.fromkeys(pack.specials):
            held = getattr(self, kind.lower())
            changed[kind.lower()] = (held + (codes == pack.code(kind))).astype(held.dtype)
        return replace(self, **changed)


class Hand(NamedTuple):
    """One hand in Python integers.

    Attributes:
        naturals: The regular cards; the second deck, if any, begins at bit 64.
        specials: How many special cards of each kind of `MOST_OF`, in this order.
        blanks: As in `Hands`.
    """

    naturals: int
    specials: tuple[int, ...]
    blanks: int = 0

    @property
    def size(self) -> int:
        """The number of cards held, including blanks."""
        return self.naturals.bit_count() + sum(self.specials) + self.blanks

    @property
    def faces(self) -> int:
        """The regular cards, of two equal ones one."""
        return (self.naturals | self.naturals >> WORD_BITS) & int(REGULAR)

    def with_blank(self) -> "Hand":
        """Return the hand with one more blank."""
        return self._replace(blanks=self.blanks + 1)

    def plus(self, pack: Pack, code: int) -> "Hand":
        """Return the hand with one more card, as in `Pack.lowest_codes`."""
        if code < NUM_REGULAR:
            card = 1 << code
            return self._replace(
                naturals=self.naturals | card << WORD_BITS * bool(self.naturals & card)
            )
        kind = list(MOST_OF).index(pack.text(code))
        held = self.specials[kind] + 1
        return self._replace(specials=(*self.specials[:kind], held, *self.specials[kind + 1 :]))


def spread(start: Rows, stop: Rows) -> tuple[Rows, Rows]:
    """Expand the ranges `start` to `stop`: for each number its range, intp[M], and the number."""
    count = stop - start
    parent = np.arange(len(count)).repeat(count)
    # The running number, minus the first one of the same parent, plus the parent's start.
    return parent, np.arange(len(parent)) + (start - count.cumsum() + count).take(parent)
