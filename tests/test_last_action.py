"""What an engine tells of the action played last."""

import rummy_env
from rummy_env import Rules
from tests.rollout import choices, dealt, random_play


def test_the_action_played_last_and_its_seat_are_told(rules: Rules) -> None:
    engine = dealt(rules, num_envs=5)
    assert (engine.last_action == -1).all()
    for _ in range(40):
        rows = (~engine.finished).nonzero()[0]
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
