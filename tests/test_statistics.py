"""Statistics of deals: intervals, the sign test, ratings."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from rummy_env.evaluation import statistics, words
from tests.conftest import few_or_all


def t_interval(values: Any) -> Any:
    return stats.ttest_1samp(values, 0).confidence_interval(0.95)


@pytest.mark.parametrize(("reach", "far"), [(20.0, 20.0), (2.0, 5.5)])
def test_the_interval_of_a_mean_is_that_of_the_t_test_with_two_deals_more(
    reach: float, far: float
) -> None:
    values = np.array([3.0, -1.0, 4.0, 1.0, 5.0, 9.0])
    found = statistics.mean(values, reach)
    expected = t_interval(np.append(values, [3.5 - far, 3.5 + far]))
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.value == pytest.approx(3.5)


def test_looks_are_few_and_end_with_all_deals() -> None:
    assert statistics.looks_of(2) == [2]
    assert statistics.looks_of(100) == [100]
    assert statistics.looks_of(101) == [100, 101]
    assert statistics.looks_of(2000) == [100, 200, 400, 800, 1600, 2000]


@pytest.mark.slow
def test_intervals_of_several_looks_hold_the_truth_at_all_of_them() -> None:
    """Between equals: in 5 of 100 comparisons at most is there a look at which one seems ahead."""
    rng = np.random.default_rng(0)
    looks, wrong, wrong_at_once = statistics.looks_of(1500), 0, 0
    for _ in range(400):
        values = rng.gamma(2.0, 5.0, 1500) - 10
        wrong += any(excludes_0(statistics.mean(values[:n], 30.0, len(looks))) for n in looks)
        wrong_at_once += any(excludes_0(statistics.mean(values[:n], 30.0)) for n in looks)
    assert wrong <= 0.05 * 400 < wrong_at_once


def excludes_0(found: statistics.Estimate) -> bool:
    return not found.low <= 0 <= found.high


@pytest.mark.slow
@pytest.mark.parametrize("deals", [10, statistics.FEW_DEALS, 200])
def test_intervals_hold_the_truth_19_times_out_of_20(deals: int) -> None:
    rng = np.random.default_rng(0)
    points = [statistics.mean(rng.gamma(2.0, 5.0, deals) - 10, reach=30.0) for _ in range(1000)]
    assert np.mean([e.low <= 0 <= e.high for e in points]) > 0.94
    rates = [statistics.rate(rng.binomial(2, 0.8, deals) / 2) for _ in range(1000)]
    assert np.mean([e.low <= 0.8 <= e.high for e in rates]) > 0.94


def test_the_interval_of_a_rate_is_near_the_exact_binomial_one_for_independent_trials() -> None:
    wins, trials = 700, 1000
    values = np.repeat([1.0, 0.0], [wins, trials - wins])
    exact = stats.binomtest(wins, trials).proportion_ci(0.95, method="exact")
    found = statistics.rate(values)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=1e-3)


def test_the_interval_of_a_rate_stays_open_when_all_deals_went_one_way() -> None:
    won, lost = statistics.rate(np.ones(100)), statistics.rate(np.zeros(100))
    assert (won.value, won.high) == (1, 1)
    assert 0.96 < won.low < 0.98
    assert lost.high == pytest.approx(1 - won.low)


@pytest.mark.parametrize("deals", [2, 20, 1000, 100_000])
def test_the_intervals_have_a_width_where_all_deals_drawn_tie(deals: int) -> None:
    even = statistics.rate(np.full(deals, 0.5))
    lead = statistics.mean(np.zeros(deals), reach=60.0)
    third = statistics.rate(np.full(deals, 1 / 3))
    assert 0 <= even.low < even.value == 0.5 < even.high <= 1
    assert lead.low < lead.value == 0 < lead.high
    assert lead.high == pytest.approx(-lead.low)
    assert third.low < third.value < third.high
    unlike = 1 - (1 / 15) ** (1 / deals)  # if so many tie not, all drawn tie once in 15 times
    assert 60 * unlike < lead.high < 60 * unlike * 2


PAID: Mapping[str, Callable[[np.random.Generator, int], Any]] = {
    "always as much": lambda rng, deals: (np.full(deals, 50.0), np.zeros(deals)),
    "evenly": lambda rng, deals: (rng.uniform(0, 50, deals), np.zeros(deals)),
    "among many small": lambda rng, deals: (np.full(deals, 50.0), rng.integers(-2, 3, deals)),
}
"""What is paid by the deals that pay, and by the others."""


@pytest.mark.slow
@few_or_all(
    "deals, share",
    few=[(10, 0.05), (100, 0.005), (100, 0.2), (400, 0.02)],
    every=product([10, 100, 400], [0.005, 0.02, 0.05, 0.2]),
)
def test_the_intervals_hold_the_truth_where_few_deals_pay(deals: int, share: float) -> None:
    rng = np.random.default_rng(3)
    for scheme, paid in PAID.items():
        held, worth = 0, share * (25 if scheme == "evenly" else 50)
        for _ in range(600):
            found = statistics.mean(np.where(rng.random(deals) < share, *paid(rng, deals)), 50.0)
            held += found.low <= worth <= found.high
        assert held >= 0.93 * 600, scheme
    won = [np.where(rng.random(deals) < share, 1.0, 0.5) for _ in range(600)]
    rates = list(map(statistics.rate, won))
    assert sum(r.low <= 0.5 + share / 2 <= r.high for r in rates) >= 0.93 * 600


@pytest.mark.parametrize(("deals", "wider"), [(2000, 0.1), (500_000, 0.001)])
def test_the_intervals_are_near_those_of_the_t_test_where_deals_are_many(
    deals: int, wider: float
) -> None:
    rng = np.random.default_rng(4)
    points, shares = rng.normal(-7, 10, deals), rng.binomial(2, 0.3, deals) / 2
    for found, values in (
        (statistics.mean(points, 100.0), points),
        (statistics.rate(shares), shares),
    ):
        expected = t_interval(values)
        usual = expected.high - expected.low
        assert usual < found.high - found.low < (1 + wider) * usual
        assert (found.low + found.high) / 2 == pytest.approx(found.value, abs=0.02 * usual)


def test_a_figure_seen_from_the_other_side_has_the_other_sign_and_ends() -> None:
    found = statistics.Estimate(1.0, -0.5, 3.0).opposite()
    assert found == statistics.Estimate(-1.0, -3.0, 0.5)


def test_the_sign_test_is_exact_and_leaves_ties_out() -> None:
    found = statistics.sign_test(np.array([1.5, 2, 3, 0, 4, 5, 6, -2, 7, 0, 0]))
    assert (found.won, found.lost, found.tied) == (7, 1, 3)
    assert found.p_value == pytest.approx(2 * (1 + 8) / 2**8)
    assert found.p_value == pytest.approx(stats.binomtest(7, 8).pvalue)


def test_each_look_adds_to_the_p_value_of_the_sign_test() -> None:
    deals = np.array([1.0] * 9 + [-1.0])
    once = statistics.sign_test(deals).p_value
    assert statistics.sign_test(deals, looks=4).p_value == pytest.approx(4 * once)
    assert statistics.sign_test(-deals[-2:], looks=4).p_value == 1.0


def test_records_may_have_more_deals_than_a_comparison() -> None:
    assert statistics.rate(np.full(statistics.MOST_DEALS + 1, 0.5)).value == 0.5


def test_a_ratio_is_total_by_total_and_its_scatter_is_right() -> None:
    rng = np.random.default_rng(1)
    hands = rng.integers(1, 9, 4000).astype(float)
    points = rng.normal(3 * hands, 2)
    values = statistics.ratio(points, hands)
    assert values.mean() == pytest.approx(points.sum() / hands.sum())
    drawn = rng.integers(4000, size=(500, 4000))
    ratios = points[drawn].sum(axis=1) / hands[drawn].sum(axis=1)
    assert stats.sem(values) == pytest.approx(ratios.std(), rel=0.15)
    assert statistics.ratio(points, np.full(4000, 2.0)) == pytest.approx(points / 2)


def test_ratings_fit_the_shares_and_hold_the_elo_scale() -> None:
    shares = 1 / (1 + 10 ** (-np.array([100.0, 300.0, 200.0]) / 400))
    wins = np.tile(np.stack([shares, 1 - shares], axis=1), (50_000, 1, 1))
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    strong, middle, weak = statistics.ratings(wins[:2000] * 1000, pairs, seed=1)
    assert strong.value - middle.value == pytest.approx(100, abs=0.5)
    assert middle.value - weak.value == pytest.approx(200, abs=0.5)
    assert shares[0] == pytest.approx(0.64, abs=0.001)


@pytest.mark.slow
def test_the_interval_of_a_rating_holds_the_truth() -> None:
    rng = np.random.default_rng(2)
    held = 0
    for seed in range(25):
        first = rng.binomial(2, 0.7, 200).astype(float)
        wins = np.stack([first, 2 - first], axis=1)[:, None]
        rating, _ = statistics.ratings(wins, np.array([[0, 1]]), seed)
        held += rating.low <= 200 * np.log10(0.7 / 0.3) <= rating.high
    assert held >= 21


def test_whoever_wins_everything_has_a_finite_rating() -> None:
    wins = np.tile([[2.0, 0.0]], (50, 1, 1))
    best, worst = statistics.ratings(wins, np.array([[0, 1]]), seed=1)
    assert best.value == -worst.value == pytest.approx(200 * np.log10(102.5 / 2.5))
    assert best.low < best.value < best.high


@pytest.mark.parametrize("agents", [2, 3, 5])
def test_a_rating_lies_within_its_interval_where_everybody_beats_those_below(agents: int) -> None:
    pairs = np.array([*combinations(range(agents), 2)])
    wins = np.tile([[2.0, 0.0]], (500, len(pairs), 1))
    for rating in statistics.ratings(wins, pairs, seed=1):
        assert rating.low < rating.value < rating.high


def test_ratings_of_agents_that_tie_in_all_deals_have_intervals_with_a_width() -> None:
    wins = np.ones((50, 3, 2))
    for rating in statistics.ratings(wins, np.array([[0, 1], [0, 2], [1, 2]]), seed=1):
        assert rating.low < -1
        assert rating.value == pytest.approx(0)
        assert rating.high > 1


@pytest.mark.parametrize("figure", [partial(statistics.mean, reach=1.0), statistics.rate])
def test_one_deal_makes_no_interval(figure: Any) -> None:
    with pytest.raises(ValueError, match="deals=1: an interval needs at least 2"):
        figure(np.ones(1))


def test_point_ratings_fit_the_leads_of_all_pairs() -> None:
    strengths = np.array([3.0, 0.5, -3.5])
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    noise = np.random.default_rng(1).normal(0, 4, (3000, 3))
    leads = strengths[pairs[:, 0]] - strengths[pairs[:, 1]] + noise
    found = statistics.point_ratings(leads, pairs, np.ones(len(pairs)))
    assert sum(rating.value for rating in found) == pytest.approx(0, abs=1e-9)
    for rating, truth in zip(found, strengths, strict=True):
        assert rating.value == pytest.approx(truth, abs=0.15)
        assert 0.1 < rating.high - rating.low < 0.2
    # Without one of the pairs, the others tell all the same.
    fewer = statistics.point_ratings(leads[:, :2], pairs[:2], np.ones(2))
    for rating, truth in zip(fewer, strengths, strict=True):
        assert rating.value == pytest.approx(truth, abs=0.3)


def test_point_ratings_of_full_round_robins_are_the_mean_leads_over_all_agents() -> None:
    rng, agents, deals = np.random.default_rng(2), 4, 50
    pairs = np.array([[i, j] for i in range(agents) for j in range(i + 1, agents)])
    leads = rng.normal(0, 1, (deals, len(pairs)))
    found = statistics.point_ratings(leads, pairs, np.ones(len(pairs)))
    for agent in range(agents):
        signs = (pairs[:, 0] == agent) * 1.0 - (pairs[:, 1] == agent)
        assert found[agent].value == pytest.approx(float((leads @ signs).mean()) / agents)


def test_point_ratings_of_deals_that_all_tie_have_intervals_with_a_width() -> None:
    found = statistics.point_ratings(np.zeros((20, 1)), np.array([[0, 1]]), np.full(1, 10.0))
    assert all(rating.low < 0 < rating.high for rating in found)


def test_more_looks_draw_the_deals_anew_more_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fitted, fit = [0], statistics._strengths

    def counted(wins: Any, pairs: Any) -> Any:
        fitted[0] += 1
        return fit(wins, pairs)

    monkeypatch.setattr(statistics, "_strengths", counted)
    wins, once = np.ones((4, 1, 2)), statistics.RESAMPLES
    for looks in (1, 3):
        fitted[0] = 0
        statistics.ratings(wins, np.array([[0, 1]]), seed=1, looks=looks)
        assert fitted[0] == once * looks + 1


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (-0.25, 1.0, "+0.12 [-0.25, +1.00]"),
        (0.0961, 0.152, "+0.124 [+0.096, +0.152]"),
        (0.1226, 0.1252, "+0.1239 [+0.1226, +0.1252]"),
    ],
)
def test_points_have_as_many_digits_as_their_interval_tells(
    low: float, high: float, told: str
) -> None:
    assert words.points(statistics.Estimate(0.1239, low, high)) == told


def test_the_reach_of_a_rating_is_scaled_as_the_rating_is() -> None:
    found = statistics.point_ratings(np.zeros((20, 1)), np.array([[0, 1]]), np.full(1, 10.0))
    assert found[0].high == pytest.approx(statistics.mean(np.zeros(20), 5.0).high)
