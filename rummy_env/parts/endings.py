"""Endings of a hand besides the moves that end it."""

from dataclasses import dataclass

from rummy_env.core.bits import Bools
from rummy_env.core.movers import Movers
from rummy_env.core.part import Ending


@dataclass(frozen=True)
class EmptiedHand(Ending):
    """The hand ends when its mover holds no card any more.

    Source: docs/rules/basic.md#going-out
    """

    def ends(self, movers: Movers) -> Bools:
        return movers.emptied()
