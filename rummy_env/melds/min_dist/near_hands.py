"""Hands as `nearness.py` has them: counted by what the cards can do, changed card by card."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Bools, Rows, Words
from rummy_env.core.cards import NO_CARD, REGULAR, Pack, card_flags
from rummy_env.core.state import CODE_BIT
from rummy_env.melds.declaration import (
    CANT_GO_OUT,
    GROUP,
    NO_MELD,
    RUMMY,
    SEQUENCE,
    WILD,
    Cards,
    Declaration,
)
from rummy_env.melds.suit_tables import Counts

_KINDS = {
    WILD: "wild",
    GROUP: "group",
    SEQUENCE: "sequence",
    RUMMY: "rummy",
    NO_MELD: "no_meld",
    CANT_GO_OUT: "cant_go_out",
}
"""The fields of `Cards` that count the special cards."""


@dataclass(frozen=True)
class Hands:
    """A batch of hands.

    Attributes:
        cards: The cards.
        blanks: int8[N], cards that fit nowhere and have to go.
    """

    cards: Cards
    blanks: Counts

    @classmethod
    def of(cls, declaration: Declaration, words: Words) -> "Hands":
        """Hands without blanks, from uint64[N, W]."""
        return cls(declaration.sort(words), np.zeros(len(words), np.int8))

    def __len__(self) -> int:
        return len(self.blanks)

    @cached_property
    def size(self) -> Counts:
        """int8[N], cards and blanks."""
        cards = self.cards
        counted = cards.count + cards.wild + cards.rummy + self.blanks
        return counted + cards.group + cards.sequence + cards.no_meld + cards.cant_go_out

    def take(self, rows: Rows | Bools) -> "Hands":
        """Some of the hands."""
        return Hands(self.cards.take(rows), self.blanks[rows])

    def with_blank(self) -> "Hands":
        """A blank more in every hand."""
        return replace(self, blanks=self.blanks + np.int8(1))

    def without(self, kind: str, some: Bools) -> "Hands":
        """A special card less in some hands, bool[N], and nothing in its place."""
        field = _KINDS[kind]
        held = getattr(self.cards, field)
        less = (held - some.astype(np.int8)).astype(held.dtype)
        return replace(self, cards=replace(self.cards, **{field: less}))

    def minus(self, cards: Words) -> "Hands":
        """Regular cards less in every hand, and nothing in their place.

        Args:
            cards: uint64[N], sets of cards, of which one of each is held.
        """
        naturals = self.cards.naturals.copy()
        for deck in reversed(range(len(naturals))):
            here = naturals[deck] & cards
            naturals[deck] &= ~cards
            cards = cards & ~here
        return replace(self, cards=replace(self.cards, naturals=naturals))

    def plus(self, pack: Pack, codes: npt.NDArray[np.uint8]) -> "Hands":
        """A card more in every hand.

        Args:
            pack: The cards of the game.
            codes: uint8[N], as `Pack.face_codes`; `NO_CARD` for a blank.
        """
        bits = CODE_BIT.take(codes) & REGULAR
        naturals = self.cards.naturals.copy()
        twice = naturals[0] & bits
        naturals[0] |= bits
        if len(naturals) > 1:
            naturals[1] |= twice
        changed: dict[str, Any] = {"naturals": naturals}
        for kind in dict.fromkeys(pack.specials):
            field = _KINDS[kind]
            held = getattr(self.cards, field)
            changed[field] = (held + (codes == pack.code(kind))).astype(held.dtype)
        blanks = self.blanks + (codes == NO_CARD)
        return Hands(replace(self.cards, **changed), blanks)


def join(parts: Sequence[Hands]) -> Hands:
    """Several batches in one."""
    fields = {
        name: np.concatenate([getattr(part.cards, name) for part in parts], axis=-1)
        for name in ("naturals", *_KINDS.values())
    }
    return Hands(Cards(**fields), np.concatenate([part.blanks for part in parts]))


def slots_of(cards: Words) -> Rows:
    """intp[N, K], the bits of regular cards, ascending, then bit 0 for want of more.

    Args:
        cards: uint64[N], sets of regular cards.
    """
    most = int(np.bitwise_count(cards).max(initial=0))
    slots = np.zeros((len(cards), most), np.intp)
    row, bit = np.nonzero(card_flags(cards))
    count = np.bitwise_count(cards).astype(np.intp)
    slots[row, np.arange(len(row)) - (np.cumsum(count) - count)[row]] = bit
    return slots
