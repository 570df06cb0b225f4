"""What decisions are learned from: the rewards of the rules, or the lead that ranks agents."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rummy_env.core.arrays import Floats
from rummy_env.core.part import Result, Rewards, Scoring
from rummy_env.core.rules import Rules
from rummy_env.parts.match import SingleHand
from rummy_env.parts.rewards import ZeroSum, leads

Objective = Literal["reward", "lead"]


@dataclass(frozen=True)
class Lead(Rewards):
    """The points of a seat less those of the others on average, divided by the scale of rewards.

    With two seats that is what passes between them. With more, `reward="zero_sum"` may charge a
    seat that loses for its own cards alone, and what is learned then is to lose with few of them.
    """

    def for_hand(self, result: Result, scoring: Scoring) -> Floats:
        """Return float32[R, P], the reward of every seat."""
        return (leads(result.points) / scoring.zero_sum_scale).astype(np.float32)


def points_of_values(rules: Rules) -> float | None:
    """Return the points of lead that a value of 1 stands for where these rewards are learned from.

    None where values are of something else: of episodes won, of the rest of a match, or of rewards
    that are no leads.
    """
    leads = isinstance(rules.rewards, Lead) or (
        isinstance(rules.rewards, ZeroSum) and rules.num_players == 2
    )
    return rules.scoring.zero_sum_scale if leads and rules.episode == SingleHand() else None


def rewarded_by(rules: Rules, objective: Objective) -> Rules:
    """Return the rules with the rewards that are learned from."""
    return rules if objective == "reward" else replace(rules, rewards=Lead())
