"""Laying melds down one by one after a knock."""

from collections.abc import Sequence
from dataclasses import dataclass

from rummy_env.core.arrays import Words
from rummy_env.core.bits import WORD_BITS, flags, scattered
from rummy_env.core.display import Hand
from rummy_env.core.features import Graded
from rummy_env.core.movers import Movers
from rummy_env.core.visibility import SeatView
from rummy_env.melds.deadwood import deadwood
from rummy_env.parts.knocking import KnockLimit, is_knocker
from rummy_env.parts.melding import Meld, MeldGroup, MeldSequence
from rummy_env.parts.table_melds import Melding, completes

LONGEST_SHOWN = 5
"""The longest sequence laid down; longer ones are laid down as two."""


@dataclass(frozen=True)
class LayingDown(Melding):
    """The rules of melding after a knock: low aces, any number of melds, laying off allowed.

    Source: docs/rules/gin.md#laying-down
    """

    ace_high: bool = False
    melds_per_turn: int | None = None
    lay_off: bool = True
    final_discard: bool = False

    def shown_hand(self, view: SeatView, seat: int, cards: Words) -> Hand | None:
        """Return None, since `GinPoints` arranges the hand and counts its deadwood."""
        return None

    def _graded(self) -> Sequence[Graded]:
        return [completes(self.ace_high)]  # what cards are worth else is told by the knock

    @property
    def sequence_lengths(self) -> range:
        """The lengths in which sequences are laid down."""
        return range(3, LONGEST_SHOWN + 1)


@dataclass(frozen=True)
class LayDown(Meld):
    """A meld laid down after a knock; a knocker must still be able to come down to the limit.

    Source: docs/rules/gin.md#laying-down
    """

    limit: KnockLimit

    def legal(self, movers: Movers) -> tuple[Words, ...]:
        words = self._plays(movers, movers.hand)
        rows = is_knocker(movers).nonzero()[0]
        if not rows.size:
            return words
        few, allowed = movers.only(rows), tuple(found.copy() for found in words)
        for found, start in zip(allowed, self._first_choices, strict=True):
            found[rows] = self._within_limit(few, found[rows], start)
        return allowed

    def _within_limit(self, movers: Movers, plays: Words, start: int) -> Words:
        """Keep the melds of one word, uint64[R], after which knockers can reach the limit."""
        most = self.limit.of(movers.state.upcard[movers.rows])
        items, bit = flags(plays, WORD_BITS).nonzero()
        rest = movers.hand[items] & ~self._held.take(start + bit)
        return scattered(len(plays), items, bit, deadwood(rest) <= most[items])


class LayDownGroup(LayDown, MeldGroup):
    """Lay down a group after a knock."""


class LayDownSequence(LayDown, MeldSequence):
    """Lay down a sequence after a knock."""
