"""Greed where a finished hand is declared."""

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.declared_moves import WINS, declared_moves
from rummy_env.baselines.kinds import kinds_of
from rummy_env.core.actions import choose
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.cards import NUM_REGULAR
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.melds.declaration import RUMMY, WILD
from rummy_env.melds.hands import Hands
from rummy_env.melds.min_dist import UNREACHABLE

DRAWS = ("draw_stock", "draw_discard", "take_pile", "extra_draw")
_KEPT = {WILD: 2 * UNREACHABLE + 2, RUMMY: 2 * UNREACHABLE + 3}
"""The cost of discarding these: they go only if nothing else can, RUMMY cards last."""
_NEVER = 2 * UNREACHABLE + 4

Draws = npt.NDArray[np.float64]


class DeclaredGreed:
    """Wins when it can, and otherwise comes as near to that as this draw or discard may.

    The measure is the number of draws that a hand is short of finished (`melds/min_dist/`).
    """

    def __init__(self, rules: Rules) -> None:
        self._moves = moves = declared_moves(rules)
        self._extra_costs = np.ones(len(moves.specials), np.int16)
        for kind, cost in _KEPT.items():
            if kind in moves.specials:
                self._extra_costs[moves.specials.index(kind)] = cost - 2 * UNREACHABLE

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Tells if this is the greed for the rules."""
        return "go_out" in kinds_of(rules) and not cls.unknown(rules)

    @classmethod
    def unknown(cls, rules: Rules) -> set[str]:
        """The kinds of action that belong to other families."""
        return kinds_of(rules) - {*WINS, *DRAWS, "discard"}

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Chooses an action in each of N games: intp[N]."""
        actions = self._moves.win(mask)
        drawing = self._moves.drawing(mask)
        draws = rng.random()
        for some, decide in ((drawing, self._draw), (~drawing, self._play)):
            items = np.flatnonzero(some & (actions < 0))
            if items.size:
                actions[items] = decide(view.take(items), mask[items], draws[items])
        return actions

    def _draw(self, view: SeatView, mask: Bools, draws: Draws) -> Rows:
        """From the discard pile what saves a draw at least; else from the stock."""
        moves = self._moves
        hands = moves.hands(view)
        taking = moves.best_taking(view, hands)
        saves = taking.distance < moves.distance(hands.with_blank())
        return np.where(saves | ~mask[:, moves.stock], taking.actions, moves.stock)

    def _play(self, view: SeatView, mask: Bools, draws: Draws) -> Rows:
        """The extra draw if it saves a draw; else a discard after which the fewest are needed."""
        moves = self._moves
        hands = moves.hands(view)
        costs = self._costs(hands, mask[:, moves.discards])
        actions = moves.discards.start + choose(costs == costs.min(axis=1, keepdims=True), draws)
        if moves.extra is not None:
            items = np.flatnonzero(mask[:, moves.extra])
            helps = moves.extra_helps(hands.take(items), view.top[items])
            actions[items[helps]] = moves.extra
        return actions

    def _costs(self, hands: Hands, legal: Bools) -> npt.NDArray[np.int16]:
        """int16[N, discards], the cost of each: less for a draw fewer, then for regular cards."""
        costs = 2 * self._moves.after_discards(hands).astype(np.int16)
        costs[:, NUM_REGULAR:] += self._extra_costs
        return np.where(legal, costs, np.int16(_NEVER))
