"""What decisions are learned from: the rewards of the rules, or the lead that ranks agents."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rummy_env.core.arrays import Floats
from rummy_env.core.part import Counted, Result, Rewards, Scoring
from rummy_env.core.rules import Rules
from rummy_env.parts.rewards import ZeroSum, counted, leads

Objective = Literal["reward", "lead"]


@dataclass(frozen=True)
class Lead(Rewards):
    """What a hand counts for a seat less what it counts for the others on average.

    These are points, divided by the scale of rewards, or hands won. Points of two seats are what
    passes between them. With more, `reward="zero_sum"` may charge a seat that loses for its own
    cards alone, and what is learned then is to lose with few of them.
    """

    counts: Counted = "points"

    def for_hand(self, result: Result, scoring: Scoring) -> Floats:
        """Return float32[R, P], the reward of every seat."""
        if self.counts == "hands":
            return leads(result.winners.astype(np.int32)).astype(np.float32)
        return (leads(result.points) / scoring.zero_sum_scale).astype(np.float32)


def points_of_values(rules: Rules) -> float | None:
    """Return the lead that a value of 1 stands for where these rewards are learned from.

    It is in points, or in hands won for a `Lead` in these. None where values are of something else:
    of episodes won, of the rest of a match, or of rewards that are no leads.
    """
    paid, scale = rules.rewards, rules.scoring.zero_sum_scale
    if not rules.episode.single:
        return None
    if isinstance(paid, Lead):
        return 1.0 if paid.counts == "hands" else scale
    return scale if isinstance(paid, ZeroSum) and rules.num_players == 2 else None


def rewarded_by(rules: Rules, objective: Objective) -> Rules:
    """Return the rules with the rewards that are learned from."""
    return rules if objective == "reward" else replace(rules, rewards=Lead(counted(rules)))
