"""What decisions are learned from: the rewards of the rules, or the lead that ranks agents."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rummy_env.core.part import Floats, Result, Rewards, Scoring
from rummy_env.core.rules import Rules

Objective = Literal["reward", "lead"]


@dataclass(frozen=True)
class Lead(Rewards):
    """The points of a seat less those of the others on average, divided by the scale of rewards.

    With two seats that is what passes between them. With more, `reward="zero_sum"` may charge a
    seat that loses for its own cards alone, and what is learned then is to lose with few of them.
    """

    def for_hand(self, result: Result, scoring: Scoring) -> Floats:
        """float32[R, P], the reward of every seat."""
        points = result.points
        others = (points.sum(axis=1, keepdims=True) - points) / (points.shape[1] - 1)
        return ((points - others) / scoring.zero_sum_scale).astype(np.float32)


def rewarded_by(rules: Rules, objective: Objective) -> Rules:
    """The rules with the rewards that are learned from."""
    return rules if objective == "reward" else replace(rules, rewards=Lead())
