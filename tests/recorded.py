"""Recorded games, for tests."""

from pathlib import Path

from rummy_env import Engine, Rules
from rummy_env.baselines import Greedy
from rummy_env.envs.recording import RecordedEngine
from rummy_env.records import Record, read
from tests.rollout import choices, finish


def recorded(rules: Rules, path: Path, num_envs: int = 1, seed: int = 3) -> list[Record]:
    """Games played at random to their ends, as the file tells them."""
    engine = RecordedEngine(rules, num_envs, seed, path=path)
    engine.reset()
    finish(engine)
    return read(path)


def well_played(rules: Rules, path: Path, num_envs: int = 1, seed: int = 3) -> list[Record]:
    """Games of greedy agents, in which hands are won, as the file tells them."""
    engine, agent = RecordedEngine(rules, num_envs, seed, path=path), Greedy()
    engine.reset()
    while (rows := engine.running).size:
        view = engine.look(engine.to_move[rows], rows)
        engine.step(agent.act(view, engine.legal_mask(rows), engine.random(rows)), rows)
    return read(path)


def some_play(engine: Engine, steps: int = 60) -> list[int]:
    """Plays at random, to the end if that comes before; returns the actions in the first game."""
    actions: list[int] = []
    while len(actions) < steps and not engine.finished.all():
        engine.step(choices(engine))
        actions.append(int(engine.last_action[0]))
    return actions
