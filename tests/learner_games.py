"""A learner's games against others, and what it meets in them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rummy_env import Rules
from rummy_env.envs.learner import LearnerGames
from rummy_env.envs.seating import Opponents
from rummy_env.envs.step import Step
from rummy_env.views.features import Features
from tests.policies import FICKLE, chosen


@dataclass
class Decision:
    """One decision of the learner and what came of it."""

    observation: bytes
    mask: bytes
    reward: np.float32
    terminated: bool = False
    truncated: bool = False
    final_observation: bytes = b""


def begun(
    rules: Rules,
    num_envs: int,
    *,
    opponents: Opponents = FICKLE,
    seed: Any = 3,
    seat: int | str = "rotate",
) -> LearnerGames:
    """Games just dealt, each waiting for the learner."""
    games = LearnerGames(rules, num_envs, opponents=opponents, seed=seed, seat=seat)
    games.reset()
    return games


def step(games: LearnerGames) -> Step:
    """The learner plays one decision in each game; those that end are dealt anew at once."""
    return played(games)[0]


def played(games: LearnerGames) -> tuple[Step, Features]:
    """The same, with what the learner saw at the end of games that ended."""
    came = games.play(chosen(games.engine))
    last_seen = games.observations(came.ended)
    games.reset(rows=came.ended)
    return came, last_seen


def decisions(games: LearnerGames, rows: list[int], count: int) -> list[list[Decision]]:
    """What the learner meets in some of the games."""
    met: list[list[Decision]] = [[] for _ in rows]
    for _ in range(count):
        seen, masks = games.observations(), games.masks()
        came, last_seen = played(games)
        for decided, row in zip(met, rows, strict=True):
            ends = bool(came.terminated[row]), bool(came.truncated[row])
            final = last_seen[came.ended == row].tobytes()
            told = seen[row].tobytes(), masks[row].tobytes(), came.rewards[row]
            decided.append(Decision(*told, *ends, final))
    return met
