"""Greed in gin."""

import numpy as np

from rummy_env.baselines.gin_moves import GinPlay, GinTurn, dearest_of_least, is_gin
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.rules import Rules
from rummy_env.melds.deadwood import Points


class GinGreed(GinPlay):
    """Lowers its deadwood as far as this card may, and knocks at once."""

    def __init__(self, rules: Rules) -> None:
        """All rules of gin are played alike."""

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Whether this is the greed for the rules."""
        return is_gin(rules)

    def takes(self, turn: GinTurn) -> Bools:
        """Whatever lowers the deadwood."""
        return turn.gain() > 0

    def discards(self, turn: GinTurn, legal: Bools) -> Rows:
        """What leaves least; of equal cards the highest."""
        return dearest_of_least(turn.after, legal)

    def knocks(self, turn: GinTurn, left: Points) -> Bools:
        """At once."""
        return np.ones(len(left), np.bool_)
