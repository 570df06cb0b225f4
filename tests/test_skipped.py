"""Games that are over before the learner's turn: dealt again, and counted."""

import math
from typing import Any

import gymnasium
import numpy as np
import pytest

import rummy_env
from rummy_env.baselines import Greedy, Policy, Random
from rummy_env.envs.learner import LearnerGames
from rummy_env.envs.sb3 import RummyVecEnv

TEN = rummy_env.rules("going_out", num_players=10)
GAMES = 2000


@pytest.mark.slow
@pytest.mark.parametrize("policy", [Random(), Greedy()])
def test_counting_all_games_ten_equal_players_win_a_tenth_each(policy: Policy) -> None:
    games = LearnerGames(TEN, GAMES, opponents=policy, seed=1)
    games.reset()
    counted, episodes, wins = 0, 0, 0.0
    going = np.ones(GAMES, np.bool_)
    while going.any():
        rows = (~games.over).nonzero()[0]
        view = games.engine.look(games.seats.take(rows), rows)
        actions = np.zeros(GAMES, np.intp)
        actions[rows] = policy.act(view, games.engine.legal_mask(rows), games.engine.random(rows))
        step = games.play(actions)
        first = going.take(step.ended)
        going[step.ended] = False
        unwon = ~step.winners[first].any(axis=1)  # cut off: a tenth for everybody
        wins += float(step.won[first].sum() + unwon.sum() / 10) + int(step.skipped[first, 1].sum())
        episodes += int(first.sum())
        counted += int(first.sum() + step.skipped[first, 0].sum())
    error = math.sqrt(0.1 * 0.9 / counted)
    assert episodes == GAMES
    assert counted > GAMES
    assert wins / counted == pytest.approx(0.1, abs=4 * error)
    if isinstance(policy, Greedy):
        assert wins / episodes > 0.1 + 2 * error


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_the_last_info_of_an_episode_counts_the_games_skipped_before_it(mode: str) -> None:
    games = LearnerGames(TEN, 12, opponents="greedy", seed=3)
    envs: Any = gymnasium.make_vec(
        "rummy_env/Rules-v0", 12, rules=TEN, opponents="greedy", autoreset_mode=mode
    )
    single = RummyVecEnv(TEN, 12, opponents="greedy", seed=3)
    games.reset()
    single.reset()
    _, infos = envs.reset(seed=3)
    found: list[list[tuple[int, ...]]] = [[], [], []]
    for _ in range(40):
        for row, skipped in _ended(games):
            found[0].append((row, *skipped))
        _, _, _, infos = single.step(single.action_masks().argmax(axis=1))
        found[1] += [(row, *info["skipped"]) for row, info in enumerate(infos) if "won" in info]
        _, _, _, _, infos = envs.step(envs.unwrapped.action_masks().argmax(axis=1))
        last = infos.get("final_info", infos) if mode == "SameStep" else infos
        for row in np.flatnonzero(last.get("_skipped", ())).tolist():
            found[2].append((row, *last["skipped"][row]))
    one, batch, vector = (sorted(some) for some in found)
    assert sum(skipped for _, skipped, _ in one) > 0
    assert vector == (batch if mode == "SameStep" else one)


def _ended(games: LearnerGames) -> list[tuple[int, tuple[int, ...]]]:
    step = games.play(games.masks().argmax(axis=1))
    return [(int(row), tuple(some)) for row, some in zip(step.ended, step.skipped, strict=True)]
