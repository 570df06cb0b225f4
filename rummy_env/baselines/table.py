"""The greedy baseline for variants with melds on the table, from the preferences of the moves."""

from typing import ClassVar

import numpy as np

from rummy_env.baselines.kinds import Knowing, block
from rummy_env.core.actions import action_space, choose
from rummy_env.core.arrays import Bools, Int32s, Rows
from rummy_env.core.cards import NUM_REGULAR, regular_bit
from rummy_env.core.one_or_many import any_set
from rummy_env.core.own import check_own
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.parts.table_melds import Melding
from rummy_env.variants import in_short


class TableGreed(Knowing):
    """An order of preference among all actions.

    Moves rank by their `preference`; of one rank the actions with cards of the most points come
    first, or last where the move says so. The first legal action of that order is played, but for
    those that their move does not want at the moment: these come behind all others.
    """

    NEEDED: ClassVar = {"discard"}

    def __init__(self, rules: Rules) -> None:
        space = action_space(rules)
        starts = space.move_of.searchsorted(range(len(space.moves) + 1)).tolist()
        self._moves = [*zip(space.moves, map(slice, starts, starts[1:]), strict=True)]
        self._discards = block(space, "discard")
        points = card_points(rules)
        worth = [sum(points[regular_bit(card)] for card in each.cards) for each in space.actions]
        moves = [space.moves[move] for move in space.move_of]
        ranks = [move.preference or 0.0 for move in moves]
        signs = [1 if move.dear_first else -1 for move in moves]
        order = np.lexsort((np.negative(np.multiply(worth, signs)), np.negative(ranks)))
        self._place = np.zeros(len(order), np.uint16)
        """uint16[A], the place of each action in the order, from the end: 1 for the last."""
        self._place[order] = np.arange(len(order), 0, -1)

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Return True if all actions are ranked, for regular cards that cost points when left."""
        caught = rules.scoring.caught() is not None
        return super().plays(rules) and caught and rules.pack.is_single

    @classmethod
    def unknown(cls, rules: Rules) -> frozenset[str]:
        """Return the kinds of action that have no place in the order."""
        unranked = (move for move in rules.moves() if move.preference is None)
        return frozenset(action.kind for move in unranked for action in move.actions(rules.pack))

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Choose an action in each of N games: intp[N]."""
        liked = mask.copy()
        for move, actions in self._moves:
            asked = any_set(mask[:, actions])
            if asked and (wanted := move.wanted(view)) is not None:
                if np.shape(wanted) != (len(view), 1):
                    check_own(move, "wanted", wanted, liked[:, actions].shape, "bool")
                liked[:, actions] &= wanted
        unliked = np.flatnonzero(~liked.any(axis=1))
        liked[unliked] = mask[unliked]
        chosen: Rows = np.multiply(liked, self._place, dtype=np.uint16).argmax(axis=1)
        discards = (chosen >= self._discards.start) & (chosen < self._discards.stop)
        items = discards.nonzero()[0]
        # Drawn in any case: which numbers follow must not depend on the other games.
        draws = rng.random()
        if items.size:
            # Once the stock is made of cards discarded before, hands would never end if everybody
            # still hoarded the cheapest cards.
            stuck = items[view.renewed[items]]
            if stuck.size:
                chosen[stuck] = choose(liked[stuck], draws[stuck])
        return chosen


def melding_of(rules: Rules) -> Melding:
    """Return the rules for melds on the table.

    Raises:
        ValueError: If there are none.
    """
    if not (found := rules.parts_of(Melding)):
        raise ValueError(
            f"{in_short(rules)} has no melds on the table: ask for rules with a move of melding"
        )
    return found[0]


def card_points(rules: Rules) -> Int32s:
    """Return int32[52], the points that each card costs a player who is caught with it.

    Raises:
        ValueError: If cards left in the hand cost nothing.
    """
    points = rules.scoring.caught()
    if points is None:
        raise ValueError(
            f"{in_short(rules)}: cards left in the hand cost nothing, so none has points"
        )
    check_own(rules.scoring, "caught", points, (NUM_REGULAR,), "int32")
    return np.asarray(points)
