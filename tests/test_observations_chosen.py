"""Observations are chosen at every entry point, and infos tell what happened."""

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest

import rummy_env
from rummy_env import Rules
from rummy_env.baselines.policies import Greedy
from rummy_env.core.visibility import SeatView
from rummy_env.envs.sb3 import RummyVecEnv
from rummy_env.envs.single import RummyEnv
from rummy_env.envs.vector import RummyVectorEnv
from rummy_env.views.features import observer
from rummy_env.views.observing import observer_for
from tests.rollout import dealt

HINTS = {
    *("meldable", "wanted", "fits", "close", "paired", "joining", "least", "distance"),
    *("top_helps", "deadwood", "gain", "gin", "knock", "least_3", "least_6", "feeding"),
}


class Sizes:
    """Cards of the seats, as shares of ten."""

    dtype, low, high = np.float32, 0.0, 6.0

    def __init__(self, rules: Rules) -> None:
        self.size = rules.num_players

    def layout(self) -> list[tuple[str, int, int, str]]:
        return [("sizes", 0, self.size, "cards of each seat, in tens")]

    def __call__(self, view: SeatView) -> np.ndarray:
        return (view.hand_sizes / 10).astype(np.float32)


class Lying(Sizes):
    """Answers with another shape than it says."""

    def __call__(self, view: SeatView) -> np.ndarray:
        return super().__call__(view)[:, 1:]


class Shapeless:
    """Has neither layout nor answers."""

    def __init__(self, rules: Rules) -> None:
        self.size = rules.num_players


OWN = "tests.test_observations_chosen:Sizes"


def test_plain_observations_are_the_others_without_a_solver_s_answers(variant: str) -> None:
    rules = rummy_env.rules(variant)
    plain, hints = observer_for(rules, "plain"), observer_for(rules, "hints")
    told = [name for name, *_ in plain.layout()]
    assert [name for name, *_ in hints.layout() if name in told] == told
    assert {name for name, *_ in hints.layout()} - set(told) <= HINTS
    assert not set(told) & HINTS
    engine = dealt(rules, 8)
    view = engine.look(engine.to_move)
    all_seen = hints(view)
    for name, start, width, _ in plain.layout():
        (place,) = [place for other, place, *_ in hints.layout() if other == name]
        assert np.array_equal(
            plain(view)[:, start : start + width], all_seen[:, place : place + width]
        )


@pytest.mark.parametrize("observation", ["plain", "hints", OWN, Sizes])
def test_every_entry_point_takes_the_observation_that_it_is_given(observation: Any) -> None:
    rules = rummy_env.rules("basic")
    wanted = observer_for(rules, observation)
    aec = rummy_env.env("basic", observation=observation)
    aec.reset(seed=1)
    single = RummyEnv("basic", observation=observation)
    made = gymnasium.make("rummy_env/Basic-v0", observation=observation)
    batch = RummyVectorEnv("basic", 3, observation=observation)
    games = RummyVecEnv("basic", 3, observation=observation)
    spaces = [
        aec.observation_space("player_0")["observation"],
        single.observation_space,
        made.observation_space,
        batch.single_observation_space,
        games.observation_space,
    ]
    assert {space.shape for space in spaces} == {(wanted.size,)}
    assert len({space.dtype for space in spaces}) == 1
    for space, seen in zip(
        spaces,
        [
            aec.observe("player_0")["observation"],
            single.reset(seed=1)[0],
            made.reset(seed=1)[0],
            batch.reset(seed=1)[0][0],
            games.reset()[0],
        ],
        strict=True,
    ):
        assert space.contains(seen)


def test_the_layout_names_every_entry(rules: Rules) -> None:
    for hints in (False, True):
        made = observer(rules, "hints" if hints else "plain")
        entries = [i for _, start, width, _ in made.layout() for i in range(start, start + width)]
        assert entries == list(range(made.size))
        names = [name for name, *_ in made.layout()]
        assert len(set(names)) == len(names)


def test_observations_that_are_none_are_refused_with_a_remedy() -> None:
    rules = rummy_env.rules("basic")
    with pytest.raises(ValueError, match=r"observation='full': give 'plain', 'hints', an observer"):
        observer_for(rules, "full")
    with pytest.raises(TypeError, match="has no layout"):
        observer_for(rules, Shapeless)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"Lying.* answers float32\[1, 1\]: give float32\[1, 2\]"):
        RummyEnv("basic", observation=Lying).reset(seed=1)


def test_infos_tell_scores_winners_and_how_a_game_ended(variant: str) -> None:
    env, endings = RummyEnv(variant, opponents="random", seat=0, max_turns=40), set()
    for seed in range(25):
        env.reset(seed=seed)
        over = False
        while not over:
            action = int(env.action_masks().nonzero()[0][-1])
            _, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        state = env.games.engine.state
        assert info["scores"].tolist() == state.scores[0].tolist()
        assert info["winners"].tolist() == state.winners[0].tolist()
        assert (info["ending"] == "cut off") == truncated
        endings.add(info["ending"])
    assert "" not in endings


@pytest.mark.parametrize("preset", ["standard", "openspiel"])
def test_gin_tells_knock_gin_undercut_and_void(preset: str) -> None:
    rules = rummy_env.rules("gin", preset=preset)
    engine, met = dealt(rules, 400), set()
    rows = np.arange(400)
    while not engine.finished.all():
        view, mask, numbers = engine.look(engine.to_move), engine.legal_mask(), engine.random()
        live = (~engine.finished).nonzero()[0]
        some = live[live % 8 > 0] if len(live) else live
        actions = engine.random_actions()
        if some.size:
            actions[some] = Greedy().act(view.take(some), mask[some], numbers.take(some))
        engine.step(actions)
    for row in rows.tolist():
        ending, scores = engine.how_ended(row), engine.state.scores[row]
        met.add(ending)
        knocker = int(engine.state.claimant[row])
        assert (ending == "void") == (knocker < 0)
        if ending in ("gin", "undercut") or (ending == "knock" and scores.any()):
            assert engine.state.winners[row, knocker] == (ending != "undercut")
    assert met >= {"knock", "gin", "undercut", "void"}


def test_infos_tell_what_the_others_did_since_the_last_decision() -> None:
    env = RummyEnv("basic", opponents="greedy", num_players=3, seat=1)
    _, info = env.reset(seed=4)
    while not (others := info["others"]):  # where the learner is the first to move
        _, info = env.reset()
    assert others[0].startswith("player_")
    for _ in range(6):
        played = env.games.engine.state.decisions[0]
        _, _, terminated, _, info = env.step(int(env.action_masks().nonzero()[0][0]))
        if terminated:
            return
        made = env.games.engine.state.decisions[0] - played - 1
        assert len(info["others"]) == made
        assert not any(line.startswith("player_1:") for line in info["others"])


def test_the_others_of_a_batch_are_told_as_numbers() -> None:
    batch = RummyVectorEnv("basic", 5, opponents="greedy", seat=0)
    _, infos = batch.reset(seed=[4, 5, 6, 7, 8])
    singles = [RummyEnv("basic", opponents="greedy", seat=0) for _ in range(5)]
    for i, env in enumerate(singles):
        _, info = env.reset(seed=4 + i)
        assert batch.games.described(batch.games.others()[i]) == info["others"]
    assert "others" not in infos


def test_a_deep_copy_of_a_game_in_play_is_that_game() -> None:
    env = rummy_env.raw_env("basic")
    env.reset(seed=2)
    env.step(int(env.infos[env.agent_selection]["action_mask"].nonzero()[0][0]))
    twin = copy.deepcopy(env)
    assert twin.engine.snapshot(0) == env.engine.snapshot(0)
    for one in (env, twin):
        one.step(int(one.infos[one.agent_selection]["action_mask"].nonzero()[0][-1]))
    assert twin.engine.snapshot(0) == env.engine.snapshot(0)
    twin.step(int(twin.infos[twin.agent_selection]["action_mask"].nonzero()[0][0]))
    assert twin.engine.snapshot(0) != env.engine.snapshot(0)
