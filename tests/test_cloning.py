"""Cloning: what a teacher shows, and what a network makes of it."""

from typing import Any

import numpy as np
import pytest
import torch

import rummy_env
from rummy_env import Engine
from rummy_env.baselines import Greedy
from rummy_env.core.arrays import Words
from rummy_env.core.keys import game_seeds
from rummy_env.views.features import observer
from tests.fits import few_demonstrations
from tests.models import SMALL_RULES
from tests.torch_policies import learner
from training import cloning
from training.cloning import Demonstrations, clone, demonstrations

__all__ = ["few_demonstrations"]


def test_no_evaluation_plays_what_was_demonstrated(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[Words] = []

    def noted(engine: Engine, *_: Any) -> Demonstrations:
        engine.reset()
        seeds.append(engine.seeds.copy())
        nothing: Any = np.zeros(100, np.int8)
        return Demonstrations(nothing, nothing, nothing, nothing)

    monkeypatch.setattr(cloning, "_block", noted)
    for run in (1, 2, 2**32 - 1):
        demonstrations(SMALL_RULES, "outs", Greedy(), 500, run, lambda share: None)
    shown = np.concatenate(seeds)
    played = [game_seeds(1 + more, 2000) for more in range(3)]
    assert not np.isin(shown, np.concatenate(played)).any()
    assert (
        len({*shown.tolist()}) == len(shown) == 3 * 5 * cloning.GAMES
    )  # and no run is shown what another is


@pytest.mark.parametrize("observation", ["plain", "outs"])
def test_demonstrations_are_choices_of_the_teacher(observation: str) -> None:
    rules, told = rummy_env.rules("basic"), list[float]()
    given = demonstrations(rules, observation, Greedy(), 3000, 1, told.append)
    count = len(given.actions)
    assert count >= 3000
    assert given.observations.shape == (count, observer(rules, observation).size)
    assert (given.masks.sum(axis=1) > 1).all()
    assert given.masks[np.arange(count), given.actions].all()
    assert told == sorted(told)
    assert told[0] == 0
    assert len(told) > 1
    assert told[-1] < 1
    again = demonstrations(rules, observation, Greedy(), 3000, 1, told.append)
    assert all(
        (one == other).all() for one, other in zip(*map(arrays, (given, again)), strict=True)
    )


def arrays(given: cloning.Demonstrations) -> list[Any]:
    return [given.observations, given.masks, given.actions]


@pytest.mark.slow
def test_a_network_learns_to_imitate() -> None:
    rules, told = rummy_env.rules("basic"), list[float]()
    given = demonstrations(rules, "outs", Greedy(), 4000, 1, told.append)
    torch.manual_seed(0)
    policy, _ = learner(rules, 2)
    critic = [array.clone() for array in policy.critic.parameters()]
    guesses = np.mean(1 / given.masks.sum(axis=1))
    told.clear()
    assert clone(policy, given, 1, told.append) > guesses + 0.15
    assert told == sorted(told)
    assert 0 == told[0] < told[-1] < 1
    assert all(torch.equal(*pair) for pair in zip(critic, policy.critic.parameters(), strict=True))


def test_few_demonstrations_take_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cloning, "GAMES", 1024)
    found = demonstrations(rummy_env.rules("basic"), "plain", Greedy(), 500, 1, lambda share: None)
    assert 500 <= len(found.actions) < 2500
