"""Batches of hands, with their special cards counted.

All RUMMY cards are alike, and so are all WILDCARDs. So special cards are counted once, and searches
never read them as bits again:

    5h 6h WILD GROUP RUMMY RUMMY        naturals {5h, 6h}   wild 1   group yes   rummy 2

Packs are the first axis here, not the last one as in the state, so each is a contiguous row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Bools, Rows, Words
from rummy_env.core.cards import NO_CARD, REGULAR, Pack
from rummy_env.core.state import CODE_BIT
from rummy_env.melds.suit_tables import Counts

WILD, GROUP, SEQUENCE, RUMMY = "WILD", "GROUP", "SEQUENCE", "RUMMY"
NO_MELD, CANT_GO_OUT = "NO_MELD", "CANT_GO_OUT"

MOST_OF = {WILD: 7, GROUP: 1, SEQUENCE: 1, RUMMY: 2, NO_MELD: 1, CANT_GO_OUT: 1}
"""The special cards, and how many of each a pack may have; lower-cased, the fields of `Hands`."""


@dataclass(frozen=True)
class Batch:
    """Arrays that describe the same items, along the last axis of each array."""

    def take(self, rows: Rows | Bools) -> Self:
        """Some of the items."""
        made: Any = type(self)
        if rows.dtype == np.bool_:
            rows = np.flatnonzero(rows)
        taken: Self = made(*[getattr(self, n).take(rows, axis=-1) for n in made.__match_args__])
        return taken

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """The items of several batches, one batch after the other."""
        made: Any = cls
        arrays = ([getattr(part, name) for part in parts] for name in made.__match_args__)
        joined: Self = made(*[np.concatenate(each, axis=-1) for each in arrays])
        return joined


@dataclass(frozen=True)
class Hands(Batch):
    """A batch of hands.

    Attributes:
        naturals: uint64[W, N], the regular cards.
        wild: int8[N], WILDCARDs.
        group: bool[N], True if GROUP is held; so sequence, no_meld and cant_go_out.
        rummy: int8[N], RUMMY cards.
        blanks: int8[N], cards that fit nowhere and have to be discarded; see `min_dist`.
    """

    naturals: Words
    wild: Counts
    group: Bools
    sequence: Bools
    rummy: Counts
    no_meld: Bools
    cant_go_out: Bools
    blanks: Counts

    def __len__(self) -> int:
        return len(self.wild)

    @cached_property
    def count(self) -> Counts:
        """int8[N], regular cards held."""
        return np.bitwise_count(self.naturals).sum(axis=0, dtype=np.int8)

    @cached_property
    def size(self) -> Counts:
        """int8[N], cards held, blanks among them."""
        counted = self.count + self.wild + self.rummy + self.blanks
        return counted + self.group + self.sequence + self.no_meld + self.cant_go_out

    def with_blank(self) -> "Hands":
        """The hands with one more blank each."""
        return replace(self, blanks=self.blanks + np.int8(1))

    def without(self, kind: str, some: Bools) -> "Hands":
        """The hands with a special card removed from some, bool[N]."""
        held = getattr(self, kind.lower())
        return replace(self, **{kind.lower(): (held - some.astype(np.int8)).astype(held.dtype)})

    def minus(self, cards: Words) -> "Hands":
        """The hands without one copy each of some cards that they hold, uint64[N]."""
        naturals = self.naturals.copy()
        for deck in reversed(range(len(naturals))):
            here = naturals[deck] & cards
            naturals[deck] &= ~cards
            cards = cards & ~here
        return replace(self, naturals=naturals)

    def plus(self, pack: Pack, codes: npt.NDArray[np.uint8]) -> "Hands":
        """The hands with one more card each.

        Args:
            pack: The cards of the game.
            codes: uint8[N], as `Pack.face_codes`; `NO_CARD` for a blank.
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


def spread(start: Rows, stop: Rows) -> tuple[Rows, Rows]:
    """The numbers from each `start` to its `stop`: whose they are, intp[M], and themselves."""
    count = stop - start
    parent = np.arange(len(count)).repeat(count)
    # The running number, less the first one of the same parent, plus the parent's start.
    return parent, np.arange(len(parent)) + (start - count.cumsum() + count).take(parent)


def lower_rows(best: npt.NDArray[Any], rows: Rows, found: npt.NDArray[Any]) -> None:
    """Lower `best[rows[i]]` to `found[i]` in place; rows may repeat.

    Does the same as `np.minimum.at`, which takes ten times as long on two axes.
    """
    order = rows.argsort(kind="stable")
    by_row = rows[order]
    first = np.flatnonzero(np.diff(by_row, prepend=-1))
    some = by_row[first]
    best[some] = np.minimum(best[some], np.minimum.reduceat(found[order], first, axis=0))
