"""Laying melds down one by one after a knock."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import ZERO, Words, bit_index, lowest
from rummy_env.core.cards import Pack
from rummy_env.core.turn import Turn
from rummy_env.melds.deadwood import deadwood
from rummy_env.parts.knocking import KnockLimit, is_knocker
from rummy_env.parts.melding import MeldGroup, MeldSequence
from rummy_env.parts.table_melds import Melding

LONGEST_SHOWN = 5
"""Longer sequences are laid down as two."""


@dataclass(frozen=True)
class LayingDown(Melding):
    """How melds are laid down after a knock: the ace is low, any number, everybody lays off.

    Source: docs/rules/gin.md#laying-down
    """

    ace_high: bool = False
    melds_per_turn: int | None = None
    lay_off: bool = True
    final_discard: bool = False

    @property
    def sequence_lengths(self) -> range:
        """Lengths in which sequences are laid down."""
        return range(3, LONGEST_SHOWN + 1)


@dataclass(frozen=True)
class LayDownGroup(MeldGroup):
    """Lay down a group; whoever knocked must still be able to come down to the limit.

    Attributes:
        limit: The most deadwood with which one may knock.

    Source: docs/rules/gin.md#laying-down
    """

    limit: KnockLimit

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        words = self._plays(turn, turn.hand)
        return _within(self.limit, turn, words, self.widths(_ANY_PACK), self._laid)


@dataclass(frozen=True)
class LayDownSequence(MeldSequence):
    """Lay down a sequence; whoever knocked must still be able to come down to the limit.

    Attributes:
        limit: The most deadwood with which one may knock.

    Source: docs/rules/gin.md#laying-down
    """

    limit: KnockLimit

    def legal(self, turn: Turn) -> tuple[Words, ...]:
        words = self._plays(turn, turn.hand)
        return _within(self.limit, turn, words, self.widths(_ANY_PACK), self._held)


_ANY_PACK = Pack()
"""Melds on the table are the same in all packs."""


def _within(
    limit: KnockLimit,
    turn: Turn,
    words: tuple[Words, ...],
    widths: Sequence[int],
    melds: Words,
) -> tuple[Words, ...]:
    """The melds after which a knocker can still come down to the limit.

    Args:
        limit: The limit.
        turn: R games; where the mover did not knock, every meld is allowed.
        words: uint64[R] each, the melds that are held.
        widths: How many melds each word has.
        melds: uint64[sum of widths], the cards of every meld.

    Returns:
        uint64[R] each.
    """
    rows = is_knocker(turn).nonzero()[0]
    if not rows.size:
        return words
    hands, most = turn.hand[rows], limit.of(turn.state.upcard.take(turn.rows[rows]))
    starts = np.cumsum([0, *widths])
    allowed = [found.copy() for found in words]
    for found, start in zip(allowed, starts, strict=False):
        left = found[rows]
        while (items := left.nonzero()[0]).size:
            meld = lowest(left[items])
            rest = hands[items] & ~melds.take(start + bit_index(meld))
            too_much = deadwood(rest) > most[items]
            found[rows[items]] &= ~np.where(too_much, meld, ZERO)
            left[items] ^= meld
    return tuple(allowed)
