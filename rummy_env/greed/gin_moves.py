"""What can be done in gin, and what each discard leaves."""

from functools import lru_cache

import numpy as np

from rummy_env.core.actions import action_space
from rummy_env.core.bits import ZERO, Bools, Rows, Words
from rummy_env.core.deadwood import NOT_HELD, Points, deadwood_after
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.greed.gin_showing import Showing
from rummy_env.greed.picking import block, kinds_of
from rummy_env.parts.knocking import GinPoints

KINDS = {"draw_stock", "draw_discard", "pass", "discard", "knock"}


class GinMoves:
    """What the rules fix: where actions lie, and how melds are laid down.

    Attributes:
        take: The draw of the top discard.
        stock: The draw from the stock.
        refuse: Passing.
        gin: Going gin; None where one knocks with nothing left instead.
        knocks: The knocks, by the card that is discarded.
        discards: The other discards.
        scoring: What a hand is worth.
        showing: What follows a knock where melds are laid down one by one, or None.
    """

    def __init__(self, rules: Rules) -> None:
        space = action_space(rules)
        kinds = kinds_of(space)
        assert isinstance(rules.scoring, GinPoints)
        self.scoring = rules.scoring
        self.take, self.stock = space.index("draw_discard"), space.index("draw_stock")
        self.refuse = space.index("pass")
        self.gin = space.index("gin") if "gin" in kinds else None
        self.knocks, self.discards = block(space, "knock"), block(space, "discard")
        self.showing = Showing(space) if "meld_group" in kinds else None

    def drawing(self, mask: Bools) -> Bools:
        """bool[N], whether a card is to be drawn, or the first upcard taken or refused."""
        return mask[:, self.take] | mask[:, self.stock]

    def can_knock(self, mask: Bools) -> Bools:
        """bool[N], whether the hand can be ended."""
        found: Bools = mask[:, self.knocks].any(axis=1)
        return found if self.gin is None else found | mask[:, self.gin]

    def must_discard(self, mask: Bools) -> Bools:
        """bool[N], whether a card is to be discarded, or knocked with."""
        return mask[:, self.discards].any(axis=1) | self.can_knock(mask)

    def other_draw(self, mask: Bools) -> Rows:
        """intp[N], what to do if the top discard is not wanted."""
        return np.where(mask[:, self.stock], self.stock, self.refuse)

    def cards(self, view: SeatView, mask: Bools) -> Words:
        """uint64[N], the cards from which one is discarded; at the wall the upcard is one."""
        at_wall = mask[:, self.refuse]
        return view.hand[:, 0] | np.where(at_wall, CODE_BIT.take(view.top), ZERO)


gin_moves = lru_cache(maxsize=64)(GinMoves)


def is_gin(rules: Rules) -> bool:
    """Whether a hand ends by knocking."""
    return isinstance(rules.scoring, GinPoints) and kinds_of(action_space(rules)) >= KINDS


def deadwood_with_top(view: SeatView) -> Points:
    """The least deadwood after taking the top discard and discarding another card.

    Returns:
        int16[N].
    """
    after = deadwood_after(view.hand[:, 0] | CODE_BIT.take(view.top))
    after[np.arange(len(view)), view.top] = NOT_HELD
    return after.min(axis=1)
