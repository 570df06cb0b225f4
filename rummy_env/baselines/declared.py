"""The greedy baseline for variants with declared hands."""

import numpy as np

from rummy_env.baselines.declared_moves import DeclaredFamily, declared_moves
from rummy_env.core.actions import choose
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.cards import NUM_REGULAR
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.melds.declaration import RUMMY, WILD
from rummy_env.melds.min_dist import UNREACHABLE

_KEPT = {WILD: 2 * UNREACHABLE + 2, RUMMY: 2 * UNREACHABLE + 3}
"""The cost of discarding these: they go only if nothing else can, RUMMY cards last."""
_NEVER = 2 * UNREACHABLE + 4


class DeclaredGreed(DeclaredFamily):
    """Wins when it can, and otherwise gets as near to a finished hand as this move allows.

    The measure is MinDist, the number of draws that a hand is short of finished
    (`melds/min_dist/`).
    """

    def __init__(self, rules: Rules) -> None:
        self._moves = moves = declared_moves(rules)
        self._extra_costs = np.ones(len(moves.specials), np.int16)
        for kind, cost in _KEPT.items():
            if kind in moves.specials:
                self._extra_costs[moves.specials.index(kind)] = cost - 2 * UNREACHABLE

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Chooses an action in each of N games: intp[N]."""
        return self._moves.act(view, mask, rng, self._draw, self._discard)

    def _draw(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Takes a discard that saves at least one draw; else draws from the stock."""
        moves = self._moves
        hands = moves.hands(view)
        taking = moves.best_taking(view, hands)
        saves = taking.distance < moves.distance(hands.with_blank())
        return np.where(saves | ~mask[:, moves.stock], taking.actions, moves.stock)

    def _discard(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Discards for the least MinDist, of equal cards a regular one."""
        moves = self._moves
        costs = 2 * moves.after_discards(moves.hands(view)).astype(np.int16)
        costs[:, NUM_REGULAR:] += self._extra_costs
        costs[~mask[:, moves.discards]] = _NEVER
        best = costs == costs.min(axis=1, keepdims=True)
        return moves.discards.start + choose(best, rng.random())
