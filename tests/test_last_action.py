"""What an engine tells of single actions: which was played last, and whether one is legal."""

import numpy as np

import rummy_env
from rummy_env import Rules
from tests.rollout import choices, dealt, finish, random_play


def test_the_action_played_last_and_its_seat_are_told(rules: Rules) -> None:
    engine = dealt(rules, num_envs=5)
    assert (engine.last_action == -1).all()
    for _ in range(40):
        rows = engine.running
        actions, movers = choices(engine, rows), engine.to_move[rows].copy()
        engine.step(actions, rows)
        assert (engine.last_action[rows] == actions).all()
        assert (engine.last_mover[rows] == movers).all()


def test_a_new_or_restored_game_has_no_last_action(variant: str) -> None:
    engine = dealt(rummy_env.rules(variant), num_envs=3)
    for _ in random_play(engine, 5):
        pass
    engine.reset([1])
    engine.restore(2, engine.snapshot(0))
    assert engine.last_action[0] >= 0
    assert engine.last_action[1:].tolist() == [-1, -1]


def test_an_action_is_legal_where_the_mask_says_so_and_outside_of_it_none_is(rules: Rules) -> None:
    engine = dealt(rules, num_envs=3, steps=10)
    masks, last = engine.legal_mask(), engine.num_actions - 1
    for action in range(-70, last + 70):
        expected = masks[:, action] if 0 <= action <= last else np.zeros(3, np.bool_)
        assert np.array_equal(engine.is_legal(np.full(3, action)), expected)
    for action in (-(2**63), 2**63 - 1):
        assert not engine.is_legal(np.full(3, action)).any()
    rows = np.array([2, 0])
    assert np.array_equal(engine.is_legal([last, 0], rows), [masks[2, last], masks[0, 0]])


def test_no_action_of_a_finished_game_is_legal(variant: str) -> None:
    engine = dealt(rummy_env.rules(variant), num_envs=2)
    finish(engine)
    assert not any(engine.is_legal([action] * 2).any() for action in range(engine.num_actions))
