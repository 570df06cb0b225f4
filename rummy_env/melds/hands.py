"""Hands by what their cards can do: a batch of them, changed card by card.

Which RUMMY card of two it is makes no difference, nor on which bit a WILDCARD lies. So the special
cards are counted once, and the searches never look at them as bits again:

    5h 6h WILD GROUP RUMMY RUMMY        naturals {5h, 6h}   wild 1   group yes   rummy 2

Packs stand in the first axis here, not in the last as in the state: each is one contiguous row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Bools, Rows, Words
from rummy_env.core.cards import NO_CARD, REGULAR, Pack
from rummy_env.core.state import CODE_BIT
from rummy_env.melds.suit_tables import Counts

WILD, GROUP, SEQUENCE, RUMMY = "WILD", "GROUP", "SEQUENCE", "RUMMY"
NO_MELD, CANT_GO_OUT = "NO_MELD", "CANT_GO_OUT"

MOST_OF = {WILD: 7, GROUP: 1, SEQUENCE: 1, RUMMY: 2, NO_MELD: 1, CANT_GO_OUT: 1}
"""The special cards, and how many of each a pack may have; in lower case, the fields of `Hands`."""


@dataclass(frozen=True)
class Hands:
    """A batch of hands.

    Attributes:
        naturals: uint64[W, N], the regular cards.
        wild: int8[N], WILDCARDs.
        group: bool[N], whether GROUP is held; so sequence, no_meld and cant_go_out.
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

    def take(self, rows: Rows | Bools) -> "Hands":
        """Some of the hands."""
        return Hands(*(getattr(self, field.name)[..., rows] for field in fields(self)))

    def with_blank(self) -> "Hands":
        """A blank more in every hand."""
        return replace(self, blanks=self.blanks + np.int8(1))

    def without(self, kind: str, some: Bools) -> "Hands":
        """A special card less in some hands, bool[N], and nothing in its place."""
        held = getattr(self, kind.lower())
        return replace(self, **{kind.lower(): (held - some.astype(np.int8)).astype(held.dtype)})

    def minus(self, cards: Words) -> "Hands":
        """Regular cards less in every hand, and nothing in their place.

        Args:
            cards: uint64[N], sets of cards, of which one of each is held.
        """
        naturals = self.naturals.copy()
        for deck in reversed(range(len(naturals))):
            here = naturals[deck] & cards
            naturals[deck] &= ~cards
            cards = cards & ~here
        return replace(self, naturals=naturals)

    def plus(self, pack: Pack, codes: npt.NDArray[np.uint8]) -> "Hands":
        """A card more in every hand.

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


def join(parts: Sequence[Hands]) -> Hands:
    """Several batches in one."""
    names = [field.name for field in fields(Hands)]
    return Hands(*(np.concatenate([getattr(p, n) for p in parts], axis=-1) for n in names))
