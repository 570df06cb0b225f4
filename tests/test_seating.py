"""Who sits at the seats that are not the learner's: pools, their replacement, what is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import IllegalAction, Rules
from rummy_env.baselines import Greedy, Random, Strong
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.envs.learner import LearnerGames
from rummy_env.envs.seating import Opponents
from rummy_env.envs.step import Step
from tests.learner_games import begun, decisions, step
from tests.policies import FICKLE
from tests.rollout import fitting

pytestmark = pytest.mark.adapter


class Witness:
    """Plays the first legal action, and counts what it was asked."""

    def __init__(self) -> None:
        self.decisions = 0
        self.first_decisions = 0

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        self.decisions += len(view)
        self.first_decisions += int(((view.turn_number == 0) & (view.phase == 0)).sum())
        return mask.argmax(axis=1)


class Answers:
    """Gives whatever a function makes of the mask."""

    def __init__(self, answer: Callable[[Bools], Any]) -> None:
        self.answer = answer

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Any:
        return self.answer(mask)


def episode(games: LearnerGames) -> Step:
    """The last step of a game's episode; the games are one."""
    while True:
        came = step(games)
        if came.ended.size:
            return came


def test_opponents_are_drawn_from_the_pool_by_their_weights(variant: str) -> None:
    often, seldom = Witness(), Witness()
    rules = fitting(variant, num_players=3)
    begun(rules, 6000, opponents=[(often, 3), (seldom, 1.0)], seat=0)
    total = often.first_decisions + seldom.first_decisions
    assert total > 5850 * (1 - 1 / rules.num_players)
    assert abs(often.first_decisions / total - 0.75) < 0.02


def test_opponents_change_from_episode_to_episode(variant: str) -> None:
    pool = [(Witness(), 1.0), (Witness(), 1.0)]
    games = begun(rummy_env.rules(variant, max_turns=2), 1, opponents=pool)
    turns = []
    for _ in range(40):
        counts = [witness.decisions for witness, _ in pool]
        episode(games)
        turns.append(tuple(pool[i][0].decisions > counts[i] for i in range(2)))
    assert {(True, False), (False, True)} <= set(turns)


def test_every_seat_has_an_opponent_of_its_own(variant: str) -> None:
    pool = [(Witness(), 1.0), (Witness(), 1.0)]
    games = begun(fitting(variant, num_players=5), 1, opponents=pool)
    episodes = 1 if games.engine.rules.num_players > 2 else 8  # with one opponent at a time
    for _ in range(episodes):
        episode(games)
    assert all(witness.decisions > 0 for witness, _ in pool)


def test_opponents_per_seat_sit_clockwise_from_the_learner(variant: str) -> None:
    rules = fitting(variant, num_players=4, max_turns=12)
    seats = rules.num_players
    given = ["random", "greedy", "strong" if Strong.plays(rules) else "random"][: seats - 1]
    games = begun(rules, 50, opponents=given)
    for _ in range(3):
        for row in range(50):
            names, learner = games.agents(row), int(games.seats[row])
            assert [names[(learner + 1 + i) % seats] for i in range(seats - 1)] == given
        step(games)
    assert set(games.seats.tolist()) == set(range(seats))


def test_opponents_per_seat_are_asked_at_their_own_seats_alone(variant: str) -> None:
    class Seated:
        def __init__(self, seat: int) -> None:
            self.seat, self.asked = seat, 0

        def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
            assert (view._seats == self.seat).all()
            self.asked += len(view)
            return mask.argmax(axis=1)

    rules = fitting(variant, num_players=3)
    seated = [Seated((1 + seat) % rules.num_players) for seat in range(1, rules.num_players)]
    games = begun(rules, 4, opponents=seated, seat=1)
    for _ in range(20):
        step(games)
    assert all(policy.asked for policy in seated)


def test_a_list_of_one_plays_as_that_opponent_alone_does(variant: str) -> None:
    rules = rummy_env.rules(variant)
    alone, listed = (begun(rules, 4, opponents=given) for given in (FICKLE, [FICKLE]))
    assert decisions(alone, [0, 1, 2, 3], 15) == decisions(listed, [0, 1, 2, 3], 15)


def test_new_opponents_sit_down_when_an_episode_begins(variant: str) -> None:
    old, new = Witness(), Witness()
    games = begun(rummy_env.rules(variant, max_turns=20), 1, opponents=old)
    games.set_opponents(new)
    while not step(games).ended.size:
        assert not new.decisions
    before = old.decisions
    assert before > 3
    episode(games)
    episode(games)
    assert new.decisions > 3
    assert old.decisions == before


def test_opponents_of_no_running_episode_are_forgotten(variant: str) -> None:
    games = begun(rummy_env.rules(variant, max_turns=2), 8)
    for _ in range(50):
        games.set_opponents(Random())
        games.reset()
    assert len(games._seating._policies) <= 2


def test_changing_opponents_amid_episodes_does_not_disturb_them(variant: str) -> None:
    rules = fitting(variant, num_players=4, hand_size=3, max_turns=12)
    pool: Opponents = [(Random(), 1.0), (FICKLE, 1.0), (Witness(), 1.0)]
    games, twin = begun(rules, 8, opponents=pool), begun(rules, 8, opponents=pool)
    ended = 0
    for _ in range(30):
        games.set_opponents(pool)
        ours, theirs = step(games), step(twin)
        assert np.array_equal(ours.rewards, theirs.rewards)
        assert np.array_equal(games.observations(), twin.observations())
        ended += ours.ended.size
    assert ended > 8


def test_opponents_can_be_named(rules: Rules) -> None:
    named = begun(rules, 4, opponents=[("random", 1.0), ("greedy", 2.0)])
    given = begun(rules, 4, opponents=[(Random(), 1.0), (Greedy(), 2.0)])
    assert decisions(named, [0, 1, 2, 3], 15) == decisions(given, [0, 1, 2, 3], 15)


@pytest.mark.parametrize(
    ("pool", "words"),
    [
        ([], r"opponents=\[\]: 0 given for 1 other seats; give one for each"),
        (["greedy", "strong"], "2 given for 1 other seats; give one for each, clockwise from the"),
        (["nobody"], "'nobody'"),
        (["greedy", ("random", 1)], "'greedy' is no pair"),
        (("greedy", 1.0), "'greedy' is no pair"),
        ([("greedy", 0)], "weight of 'greedy'=0"),
        ([("greedy", True)], "weight of 'greedy'=True"),
        ([("greedy", -1.5)], "weight of 'greedy'=-1.5"),
        ([("greedy", float("nan"))], "weight of 'greedy'=nan"),
        ([("greedy", float("inf"))], "weight of 'greedy'=inf"),
        ([("greedy", "much")], "weight of 'greedy'='much'"),
        ([("nobody", 1.0)], "'nobody'"),
        ("nobody", "'nobody'"),
    ],
)
def test_a_pool_that_makes_no_sense_is_refused(variant: str, pool: Any, words: str) -> None:
    rules = rummy_env.rules(variant)
    with pytest.raises(ValueError, match=words):
        LearnerGames(rules, 2, opponents=pool)
    with pytest.raises(ValueError, match=words):
        begun(rules, 2).set_opponents(pool)


@pytest.mark.parametrize("thing", [None, 5, [(None, 1.0)]])
def test_an_opponent_that_is_no_policy_is_refused(variant: str, thing: Any) -> None:
    with pytest.raises(TypeError, match="has no method act"):
        LearnerGames(rummy_env.rules(variant), 2, opponents=thing)


@pytest.mark.parametrize(
    "answer",
    [
        lambda mask: np.zeros(len(mask) + 1, np.intp),
        lambda mask: np.zeros(len(mask)),
        lambda mask: None,
    ],
)
def test_a_policy_that_answers_in_another_shape_or_type_is_named(
    variant: str, answer: Callable[[Bools], Any]
) -> None:
    with pytest.raises(ValueError, match=r"Answers.*one whole number a game"):
        begun(rummy_env.rules(variant), 64, opponents=Answers(answer), seat=0)


def test_an_opponent_that_breaks_the_rules_is_named_by_its_seat(variant: str) -> None:
    wrong = Answers(lambda mask: mask.argmin(axis=1))
    rules = rummy_env.rules(variant)
    where = rf"game \d+, seat 1, phase '{rules.turn[0].name}'"
    for seed in range(8):  # one of them may sit in the first game as well
        with pytest.raises(IllegalAction, match=rf"opponent 'Answers' breaks .* {where}"):
            begun(rules, 64, opponents=[(wrong, 1), (Random(), 1)], seat=0, seed=seed)
