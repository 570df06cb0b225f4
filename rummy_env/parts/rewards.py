"""Reward schemes: points, zero-sum gains, or winning an episode."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from rummy_env.core.arrays import Bools, Float64s, Floats, Integers
from rummy_env.core.checks import check_number
from rummy_env.core.part import Counted, Result, Rewards, Scoring
from rummy_env.core.rules import Rules


def leads(points: Integers) -> Float64s:
    """Return float64[R, P], the points of each seat, int[R, P], less the mean of the others."""
    others = (points.sum(axis=1, keepdims=True) - points) / (points.shape[1] - 1)
    return points - others


@dataclass(frozen=True)
class Points(Rewards):
    """Every seat is paid its score of a hand."""

    def for_hand(self, result: Result, scoring: Scoring) -> Floats:
        return result.points.astype(np.float32)


@dataclass(frozen=True)
class ZeroSum(Rewards):
    """Every seat is paid its gain in a hand, divided by the scale of the scoring."""

    def check_rules(self, rules: Rules) -> None:
        scale, wanted = rules.scoring.zero_sum_scale, "points above 0"
        check_number("zero_sum_scale", scale, wanted, lambda points: 0 < points < math.inf)

    def for_hand(self, result: Result, scoring: Scoring) -> Floats:
        return (result.gains / scoring.zero_sum_scale).astype(np.float32)


@dataclass(frozen=True)
class Win(Rewards):
    """The winners of an episode share 1, the others share -1; nothing is paid if nobody wins."""

    counts = "hands"

    def for_episode(self, winners: Bools) -> Floats:
        losers = ~winners & winners.any(axis=1, keepdims=True)
        share = winners / np.maximum(winners.sum(1, keepdims=True), 1)
        return share - losers / np.maximum(losers.sum(1, keepdims=True), 1)


REWARDS: Mapping[str, Rewards] = MappingProxyType(
    {"points": Points(), "zero_sum": ZeroSum(), "win": Win()}
)
"""The schemes by their names in the option `reward`."""


def counted(rules: Rules) -> Counted:
    """Return what counts of a hand: who wins it, where that alone is paid, else its points.

    In a match, hands count by their points, since these decide it.
    """
    return rules.rewards.counts if rules.episode.single else "points"
