"""Intervals, tests and ratings from duplicate deals.

The unit is always the deal. The games of one deal share their cards and are far from independent,
so they are first combined into one value. Different deals are independent, and all intervals and
tests rest on how their values scatter. All intervals cover 95 %.

Looking at the figures several times and stopping when they please leads to errors more often than
that. Intervals can therefore be made to hold at several `looks` jointly: each then errs that many
times less often (Bonferroni).
"""

from dataclasses import dataclass

import numpy as np

from rummy_env.core.arrays import Float64s, Rows
from rummy_env.importing import extra

with extra("compare", "comparing agents"):
    import choix
    from scipy import stats

CONFIDENCE = 0.95
MIN_DEALS, MOST_DEALS = 2, 1_000_000
FEW_DEALS = 30
"""Below this many deals the intervals are rough, and reports say so."""
ELO_PER_UNIT = 400 / np.log(10)
"""Elo points per unit of the Bradley-Terry scale."""
RESAMPLES = 400
ROUNDING = 1e-9
"""A difference of at most this fraction of a sum may be a rounding error."""
RIDGE = 4
"""Deals without value or luck, of the usual size, that count against luck being worth anything."""
FIRST_LOOK = 100
"""Deals before a comparison that may stop early looks at its figures for the first time."""


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} [{self.low:.4g}, {self.high:.4g}]"

    def times(self, factor: float) -> "Estimate":
        """Return the same figure in another unit, such as per cent."""
        return Estimate(factor * self.value, factor * self.low, factor * self.high)

    def opposite(self) -> "Estimate":
        """Return the same figure seen from the other side."""
        return Estimate(0.0 - self.value, 0.0 - self.high, 0.0 - self.low)


@dataclass(frozen=True)
class SignTest:
    """The deals in which the first side made more points than the second, fewer, or as many.

    Ties are left out of the test; `p_value` is the exact two-sided chance of such counts between
    equals.
    """

    won: int
    lost: int
    tied: int
    p_value: float


def looks_of(deals: int) -> list[int]:
    """Return the numbers of deals at which a comparison may stop, `deals` at the most included.

    Each is twice the one before, so that few looks suffice and at most half of the deals are played
    in vain.
    """
    found: list[int] = []
    while FIRST_LOOK << len(found) < deals:
        found.append(FIRST_LOOK << len(found))
    return [*found, deals]


def mean(values: Float64s, reach: float, looks: int = 1) -> Estimate:
    """Return the mean over deals, float64[D], and its interval.

    This is the t interval of the deals and two more, one at either end of what a deal may be worth:
    as far from the mean as `reach`, or as the farthest of the values. If nearly all deals tie or
    pay nothing, the t interval alone says too little, because it knows only what has happened, and
    among a few deals rare events have not. The two extra deals stand for those. They carry Agresti
    and Coull's remedy for shares (adding successes and failures that were not seen) over to points,
    and hardly count if there are many deals and they scatter.

    Raises:
        ValueError: If there are fewer than two deals.
    """
    check_deals(len(values))
    middle = float(values.mean())
    far = max(reach, float(np.abs(values - middle).max()))
    return Estimate(middle, *_between(values, middle - far, middle + far, looks))


def less_luck(values: Float64s, luck: Float64s) -> Float64s:
    """Values of deals, float64[D], less the luck in them, whose expectation is known to be 0.

    For each deal, a unit of luck is taken to be worth what best explains the values of all other
    deals, and less the fewer these are (by ridge regression), as anything may explain two or three.
    Since they are independent of the deal's own luck, the expectation of the mean does not change,
    for any number of deals; luck that explains nothing is not subtracted.
    """
    others = len(values) - 1
    value_sum, luck_sum = values.sum() - values, luck.sum() - luck
    product_sum, square_sum = (values * luck).sum() - values * luck, (luck**2).sum() - luck**2
    spread = others * square_sum - luck_sum**2
    known = spread > ROUNDING * others * square_sum
    explained = np.where(known, others * product_sum - value_sum * luck_sum, 0.0)
    return values - explained / np.where(known, spread + RIDGE * square_sum, 1.0) * luck


def rate(values: Float64s, looks: int = 1) -> Estimate:
    """Return the mean over deals of shares of 0 to 1, float64[D], and its interval.

    This is the interval of `mean`, with a deal entirely lost and one entirely won as the two extra
    deals, but it stays between 0 and 1.

    Raises:
        ValueError: If there are fewer than two deals.
    """
    check_deals(len(values))
    low, high = _between(values, 0.0, 1.0, looks)
    return Estimate(float(values.mean()), max(low, 0.0), min(high, 1.0))


def _tail(looks: int) -> float:
    """Return the chance that an interval lies above the truth, and also that it lies below it."""
    return (1 - CONFIDENCE) / 2 / looks


def _between(values: Float64s, least: float, most: float, looks: int) -> tuple[float, float]:
    """Return the t interval of the values and two more, `least` and `most`."""
    sample = np.append(values, [least, most])
    half = stats.t.isf(_tail(looks), len(sample) - 1) * stats.sem(sample)
    return float(sample.mean() - half), float(sample.mean() + half)


def sign_test(differences: Float64s, looks: int = 1) -> SignTest:
    """Return the exact binomial test of whether either side wins more deals.

    The differences are float64[D], above 0 where the first side won the deal; 0 is a tie. With
    `looks`, the p-value allows for as many looks at the deals as they came (Bonferroni).
    """
    won, lost = int((differences > 0).sum()), int((differences < 0).sum())
    p_value = float(stats.binomtest(won, won + lost).pvalue) if won + lost else 1.0
    return SignTest(won, lost, len(differences) - won - lost, min(1.0, looks * p_value))


def ratio(totals: Float64s, units: Float64s) -> Float64s:
    """Return float64[D], values whose mean is the total per unit over all deals together.

    Totals, such as points, and units, such as hands, are float64[D], one entry per deal. Deals of
    matches differ in their number of hands, so the mean of their averages is not the average over
    all hands. A deal's value is therefore the overall ratio plus the deal's own deviation from it,
    the usual linearisation of a ratio. If all deals have the same units, it is the deal's average.
    """
    overall = totals.sum() / units.sum()
    return overall + (totals - overall * units) / units.mean()


def ratings(wins: Float64s, pairs: Rows, seed: int, looks: int = 1) -> list[Estimate]:
    """Bradley-Terry strengths of all agents on the Elo scale, with an average of 0.

    `wins`, float64[D, N, 2], holds the games won by either side of each of N pairs in each deal;
    `pairs`, intp[N, 2], the agents of each pair, counted from 0, all connected by pairs.

    Each agent gets one number, such that the differences fit the shares of games won in all
    pairings at once, by maximum likelihood. A lead of 100 stands for 64 % of the games, 200 for
    76 %, 400 for 91 %, whoever the opponent. Agents do not change while they are compared, so the
    fit should not depend on the order of the games, as running updates for players who learn would.

    A deal won entirely and a deal lost entirely are added to every pairing, so that an agent that
    won everything has a finite rating, which is a lower bound. So ratings are drawn together, the
    more the fewer deals there are and the farther the agents are apart.

    The intervals are percentiles over resampled deals, the same deals for all pairs, since that is
    how they were played. To each resample as many such deals are added on average, so that the
    interval has a width even if all deals ended alike, and half a game won by either side, for
    resamples without any such deal.
    """
    rng = np.random.default_rng(seed)
    deals, games = len(wins), wins.mean(axis=0).sum(axis=1, keepdims=True)
    redrawn = []
    for _ in range(RESAMPLES * looks):  # the more looks, the smaller the tails to be found
        unseen = games * rng.poisson(1.0, size=wins[0].shape)
        some = wins[rng.integers(deals, size=deals)]
        redrawn.append(_strengths(some.sum(axis=0) + unseen, pairs))
    lows, highs = np.quantile(redrawn, [_tail(looks), 1 - _tail(looks)], axis=0)
    fitted = _strengths(wins.sum(axis=0) + games, pairs)
    return [Estimate(*map(float, line)) for line in zip(fitted, lows, highs, strict=True)]


def point_ratings(
    leads: Float64s, pairs: Rows, reaches: Float64s, looks: int = 1
) -> list[Estimate]:
    """Strengths of all agents in points per hand, with an average of 0, and their intervals.

    Each agent gets one number, such that the differences come as close as possible to the leads of
    all pairs at once, by least squares. The strengths in a deal follow from its leads, so the
    intervals are those of `mean`.

    Args:
        leads: float64[D, N], of the first agent of each of N pairs over the second, by deal.
        pairs: intp[N, 2], the agents of each pair, counted from 0, all connected by pairs.
        reaches: float64[N], how far the leads of a pair in a deal may differ from those in others.
        looks: As for `mean`.
    """
    agents = np.arange(int(pairs.max()) + 1)
    design = (pairs[:, :1] == agents).astype(np.float64) - (pairs[:, 1:] == agents)
    fit = np.linalg.pinv(design)
    each, reach = leads @ fit.T, np.abs(fit) @ reaches
    return [mean(each[:, agent], float(reach[agent]), looks) for agent in agents]


def _strengths(wins: Float64s, pairs: Rows) -> Float64s:
    """Return float64[agents], Elo points with an average of 0; `wins` is float64[N, 2], by pair."""
    agents = int(pairs.max()) + 1
    table = np.zeros((agents, agents))
    table[pairs[:, 0], pairs[:, 1]] = wins[:, 0] + 0.5
    table[pairs[:, 1], pairs[:, 0]] = wins[:, 1] + 0.5
    return choix.ilsr_pairwise_dense(table) * ELO_PER_UNIT


def check_deals(deals: int) -> None:
    """Refuse fewer deals than an interval needs."""
    if deals < MIN_DEALS:
        raise ValueError(f"deals={deals}: an interval needs at least {MIN_DEALS}")
