"""How far a hand is from finished, stand-ins included, and which discards keep it closest."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from rummy_env.core.bits import BIT, ZERO, Bools, Words
from rummy_env.core.cards import NO_CARD, REGULAR, slots_of
from rummy_env.core.features import Numbers
from rummy_env.core.rules import END_TURN, Rules
from rummy_env.core.visibility import SeatView
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.min_dist import LARGEST_HAND, UNREACHABLE, MinDist, min_dist
from rummy_env.melds.suit_tables import Counts

FARTHEST = 6
"""Larger distances count as this; so do those of hands that are too large for the tables."""


class Distances:
    """The distances of the hands of views; see `melds/min_dist/`."""

    def __init__(self, rules: Rules, declaration: Declaration) -> None:
        """Takes note of the phases in which a card can be discarded.

        Args:
            rules: The rules of the games.
            declaration: What a finished hand is.
        """
        self._declaration = declaration
        self._largest = LARGEST_HAND if rules.takes_several else rules.hand_size + 1
        ends = [any(then == END_TURN for _, then in phase.moves) for phase in rules.turn]
        self._discarding = np.array([*ends, False])

    @cached_property
    def _min_dist(self) -> MinDist:
        return min_dist(self._declaration, self._largest)

    def distance(self, view: SeatView) -> Numbers:
        """int8[N], draws that hands are short of finished, at most `FARTHEST`.

        Before a discard these are the draws after it; otherwise the next draw is one of them.
        """
        return np.minimum(view.once(self._draws), FARTHEST)

    def _draws(self, view: SeatView) -> Counts:
        """int8[N], the same without a limit; `UNREACHABLE` for hands that are too large."""
        found = np.full(len(view), UNREACHABLE, np.int8)
        waiting = ~self._to_discard(view)
        rows = (view.hand_sizes[:, 0] + waiting <= self._largest).nonzero()[0]
        hands = self._declaration.hands(view.hand[rows])
        hands = replace(hands, blanks=waiting[rows].astype(np.int8))
        found[rows] = self._min_dist.distance(hands)
        return found

    def top_helps(self, view: SeatView) -> Bools:
        """bool[N], whether the viewer, to draw, would be nearer with the top discard."""
        found = np.zeros(len(view), np.bool_)
        small = view.hand_sizes[:, 0] < self._largest
        drawing = (view.to_move == 0) & (view.phase >= 0) & ~self._to_discard(view)
        rows = (small & drawing & (view.top != NO_CARD)).nonzero()[0]
        if rows.size:
            hands = self._declaration.hands(view.hand[rows])
            taken = hands.plus(self._declaration.pack, view.top[rows])
            found[rows] = self._min_dist.distance(taken) < view.once(self._draws)[rows]
        return found

    def least(self, view: SeatView) -> Words:
        """uint64[N], the regular cards whose discard leaves the least distance."""
        found = np.full(len(view), ZERO)
        small = view.hand_sizes[:, 0] <= self._largest
        rows = (self._to_discard(view) & small).nonzero()[0]
        hands = view.hand[rows]
        slots = slots_of(hands[:, 0] & REGULAR)
        if slots.size:
            far = self._min_dist.after_discards(self._declaration.hands(hands), slots)
            best = far == far.min(axis=1, keepdims=True)
            found[rows] = np.bitwise_or.reduce(np.where(best, BIT.take(slots), ZERO), axis=1)
        return found & view.hand[:, 0]

    def _to_discard(self, view: SeatView) -> Bools:
        """bool[N], whether the viewer is to discard a card, or go out."""
        return self._discarding[view.phase] & (view.to_move == 0)
