"""The lead as what is learned from."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.parts.match import SingleHand
from rummy_env.parts.rewards import ZeroSum, counted
from tests.rollout import dealt, fitting, random_play
from training.objective import points_of_values, rewarded_by
from training.settings import Settings, check


def paid(rules: Rules) -> Iterator[tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]]:
    """The points and rewards of random hands that somebody won, [P] each."""
    engine = Engine(rules, 40, seed=3)
    engine.reset()
    for _ in random_play(engine, 300):
        for row in np.flatnonzero(engine.rewards.any(axis=1)):
            yield engine.state.scores[row].copy(), engine.rewards[row].copy()


@pytest.mark.parametrize("variant", ["basic", "rummy500", "rummy_cards"])
def test_a_seat_is_paid_what_it_makes_more_than_the_others(variant: str) -> None:
    rules = rewarded_by(fitting(variant, num_players=4, hand_size=3), "lead")
    hands = 0
    for points, rewards in paid(rules):
        for seat, reward in enumerate(rewards):
            others = [points[other] for other in range(4) if other != seat]
            lead = (points[seat] - sum(others) / 3) / rules.scoring.zero_sum_scale
            assert reward == pytest.approx(lead, abs=1e-6)
        hands += 1
    assert hands


def test_where_winning_alone_is_paid_the_lead_is_in_hands_won() -> None:
    rules = rewarded_by(rummy_env.rules("basic", num_players=4, reward="win"), "lead")
    engine = Engine(rules, 40, seed=3)
    engine.reset()
    hands = 0
    for _ in random_play(engine, 300):
        for row in np.flatnonzero(engine.rewards.any(axis=1)):
            won = engine.hand_winners[row]
            assert won.sum() == 1
            assert counted(rules) == "hands"
            assert np.allclose(engine.rewards[row], np.where(won, 1, -1 / 3))
            hands += 1
    assert hands


@pytest.mark.parametrize("variant", ["basic", "gin"])
def test_between_two_it_is_what_passes_between_them(variant: str) -> None:
    rules = fitting(variant)
    assert rules.rewards == ZeroSum()
    engine, ours = dealt(rules, 60), dealt(rewarded_by(rules, "lead"), 60)
    hands = 0
    for actions in random_play(engine, 300):
        ours.reset(ours.finished.nonzero()[0])
        ours.step(actions)
        assert np.array_equal(engine.rewards, ours.rewards)
        hands += int(engine.rewards.any(axis=1).sum())
    assert hands


def test_else_the_rules_are_left_as_they_are() -> None:
    rules = rummy_env.rules("basic")
    assert rewarded_by(rules, "reward") is rules


def test_values_are_of_points_where_leads_of_single_hands_are_learned_from() -> None:
    four, two = rummy_env.rules("basic", num_players=4), rummy_env.rules("basic")
    assert points_of_values(two) == points_of_values(rewarded_by(four, "lead")) == 100
    wins = rummy_env.rules("basic", reward="win")
    matches = rummy_env.rules("gin", match="match")
    assert [points_of_values(rules) for rules in (four, wins, matches)] == [None] * 3
    assert points_of_values(rewarded_by(wins, "lead")) == 1


@dataclass(frozen=True)
class OneHand(SingleHand):
    """A single hand, by a class of one's own."""


def test_an_episode_of_ones_own_that_is_one_hand_counts_as_one() -> None:
    rules = replace(rummy_env.rules("gin"), episode=OneHand())
    assert points_of_values(rules) == points_of_values(rummy_env.rules("gin"))


def test_in_a_match_there_is_no_lead_to_learn_from() -> None:
    rules = rummy_env.rules("gin", match="match", reward="win")
    with pytest.raises(ValueError, match="objective='lead': a match is won"):
        check(Settings(objective="lead"), rules)
