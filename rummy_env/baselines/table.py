"""Greed where melds are laid on the table, from what the parts of the rules say of themselves."""

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.kinds import block, kinds_of
from rummy_env.core.actions import action_space, choose
from rummy_env.core.bits import ZERO, Bools, Rows, Words
from rummy_env.core.cards import regular_bit
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.parts.table_melds import Melding


class TableGreed:
    """An order of preference among all actions.

    Moves rank by their `preference`; of one rank the actions with cards of the most points come
    first, or last where the move says so. The first legal action of that order is played, but for
    those that their move does not want at the moment: these come behind all others.
    """

    def __init__(self, rules: Rules) -> None:
        space = action_space(rules)
        ends = np.cumsum([len(move.actions(rules.pack)) for move in space.moves]).tolist()
        self._moves = [
            (move, slice(start, end))
            for move, start, end in zip(space.moves, [0, *ends], ends, strict=False)
        ]
        self._discards = block(space, "discard")
        points = card_points(rules)
        worth = [sum(points[regular_bit(card)] for card in each.cards) for each in space.actions]
        moves = [space.moves[move] for move in space.move_of]
        ranks = [move.preference or 0.0 for move in moves]
        signs = [1 if move.dear_first else -1 for move in moves]
        self._order: Rows = np.lexsort((np.negative(np.multiply(worth, signs)), np.negative(ranks)))

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Tells if this is the greed for the rules."""
        fits = "discard" in kinds_of(rules) and not cls.unknown(rules)
        return fits and rules.scoring.caught() is not None

    @classmethod
    def unknown(cls, rules: Rules) -> set[str]:
        """The kinds of action that have no place in the order."""
        unranked = (move for move in rules.moves() if move.preference is None)
        return {action.kind for move in unranked for action in move.actions(rules.pack)}

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Chooses an action in each of N games: intp[N]."""
        liked = mask.copy()
        for move, actions in self._moves:
            if (wanted := move.wanted(view)) is not None:
                liked[:, actions] &= wanted
        open_to = np.where(liked.any(axis=1, keepdims=True), liked, mask)
        chosen = self._order.take(open_to[:, self._order].argmax(axis=1))
        discards = (chosen >= self._discards.start) & (chosen < self._discards.stop)
        stuck = (self._renewed(view) & discards).nonzero()[0]
        chosen[stuck] = choose(open_to[stuck], rng.random()[stuck])
        return chosen

    @staticmethod
    def _renewed(view: SeatView) -> Bools:
        """bool[N], whether the stock is made of cards that were discarded before.

        If everybody still hoards the cheapest cards then, no hand would ever end.
        """
        return view.stock_open | (view.recycled[:, 0] != ZERO)


def melding_of(rules: Rules) -> Melding:
    """How melds are laid on the table.

    Raises:
        ValueError: If the rules have no melds on the table.
    """
    for part in rules.parts:
        if isinstance(part, Melding):
            return part
    raise ValueError(f"{rules!r} has no melds on the table")


def card_points(rules: Rules) -> npt.NDArray[np.int32]:
    """int32[52], points that each card costs whoever is caught with it.

    Raises:
        ValueError: If cards left in the hand cost nothing.
    """
    points = rules.scoring.caught()
    if points is None:
        raise ValueError(f"{rules!r}: cards left in the hand cost nothing")
    return points


def fitting(view: SeatView, melding: Melding) -> Words:
    """uint64[N], the cards that could be laid off on the melds of the table."""
    if not melding.lay_off:
        return np.zeros(len(view), np.uint64)
    return melding.fits(view.grouped, view.sequenced)
