"""What ends a hand, besides moves that do."""

from dataclasses import dataclass

from rummy_env.core.bits import Bools
from rummy_env.core.part import Ending
from rummy_env.core.turn import Turn


@dataclass(frozen=True)
class EmptiedHand(Ending):
    """The hand ends when its mover holds no card any more.

    Source: docs/rules/basic.md#going-out
    """

    def ends(self, turn: Turn) -> Bools:
        return turn.emptied()
