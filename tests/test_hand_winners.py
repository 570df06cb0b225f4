"""Winners of hands, and how restored games ended: what belongs to one engine and one episode."""

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine
from rummy_env.baselines import Greedy
from rummy_env.baselines.asking import decide
from tests.rollout import COPIES, dealt, finish, tables


@pytest.mark.parametrize("way", COPIES)
def test_winners_of_hands_belong_to_one_engine_and_one_episode(way: str) -> None:
    engine = dealt(rummy_env.rules("basic", hand_size=3), 16)
    twin = COPIES[way](engine)
    while (rows := twin.running).size:
        twin.step(decide(twin, [Greedy()], rows), rows)
    assert twin.hand_winners.any()
    assert not engine.hand_winners.any()
    twin.reset()
    assert not twin.hand_winners.any()
    assert not twin.rewards.any()


def test_a_game_that_was_cut_off_is_restored_as_cut_off(variant: str) -> None:
    engine = dealt(rummy_env.rules(variant, max_turns=1), 2)
    finish(engine)
    twin = Engine(engine.rules, 2)
    for row, table in enumerate(tables(engine)):
        twin.restore(row, table)
    assert twin.truncated.all()
    assert not twin.terminated.any()


@pytest.mark.parametrize("match", ["hand", "match"])
def test_restored_games_know_who_won_the_last_hand(variant: str, match: str) -> None:
    engine = dealt(rummy_env.rules(variant, match=match), 64)
    for _ in range(150):
        rows = engine.running
        engine.step(decide(engine, [Greedy()], rows), rows)
    twin = Engine(engine.rules, 64)
    for row, table in enumerate(tables(engine)):
        twin.restore(row, table)
    assert np.array_equal(twin.hand_winners, engine.hand_winners)
    assert twin.hand_winners.any()
    assert twin.how_ended() == engine.how_ended()


def test_random_actions_are_those_of_the_generator() -> None:
    engine = dealt(rummy_env.rules("basic"), 64, steps=1)
    drawn = (engine.random_actions(np.random.default_rng(seed)) for seed in (1, 1, 2))
    one, again, other = drawn
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
