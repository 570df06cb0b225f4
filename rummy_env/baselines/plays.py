"""What heuristics for melds on the table have in common: a draw, then plays and a discard."""

from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import numpy as np

from rummy_env.baselines.kinds import block
from rummy_env.baselines.table import card_points, melding_of
from rummy_env.core.actions import action_space
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.cards import NUM_REGULAR, regular_bit
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView

PLAYS = ("meld_group", "meld_sequence", "lay_off_group", "lay_off_sequence")
DRAWS = ("draw_stock", "draw_discard", "take_pile")

Decide = Callable[[Any, SeatView, Bools], Rows]
"""Chooses an action in each of N games: given facts, view and mask, returns intp[N]."""


class Plays:
    """The melds and lay-offs among the actions of some rules, and what cards cost."""

    def __init__(self, rules: Rules) -> None:
        self.melding = melding_of(rules)
        points = card_points(rules)
        self.points = points.astype(np.float32)[:, None]
        space = action_space(rules)
        self.draws = space.numbers(*DRAWS)
        self.stock = space.index("draw_stock")
        self.discards = block(space, "discard")
        self.plays = block(space, *PLAYS)
        kinds = np.array([action.kind for action in space.actions[self.plays]])
        self.are_plays: Bools = np.isin(kinds, PLAYS)
        """bool[plays], False for actions of other moves that are listed among them."""
        self.lays_off: Bools = np.isin(kinds, PLAYS[2:])
        """bool[plays], True for those that add cards to a meld."""
        cards = [list(map(regular_bit, action.cards)) for action in space.actions[self.plays]]
        filled = zip_longest(*cards, fillvalue=NUM_REGULAR)
        self.cards_of_plays: Rows = np.array(list(filled), np.intp)
        """intp[most, plays], the cards of each play, then `NUM_REGULAR`."""
        self.points_of_plays: Rows = np.array([sum(points[each]) for each in cards], np.intp)
        """intp[plays], what their cards cost together."""


def in_turn(facts: Any, view: SeatView, mask: Bools, draw: Decide, play: Decide) -> Rows:
    """Return intp[N], what `draw` chooses in the games with a draw to make, `play` in the others.

    Args:
        facts: The `Plays` of the rules, which both are given.
        view: The view of N games.
        mask: bool[N, A], the legal actions.
        draw: Called with the facts, and the view and the mask of some of the games.
        play: The same.
    """
    drawing = np.any(mask[:, facts.draws], axis=1)
    actions: Rows = np.zeros(len(view), np.intp)
    for some, decide in ((drawing, draw), (~drawing, play)):
        items = some.nonzero()[0]
        if items.size:
            actions[items] = decide(facts, view.take(items), mask[items])
    return actions
