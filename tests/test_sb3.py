"""The Stable-Baselines3 face: what the library asks for, and the same games as without it."""

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

import rummy_env
from rummy_env import IllegalAction, Rules
from rummy_env.baselines import Random
from rummy_env.core.actions import choose
from rummy_env.core.keys import game_seeds
from rummy_env.envs.learner import LearnerGames
from rummy_env.envs.vector import RummyVectorEnv

pytest.importorskip("sb3_contrib", reason="needs rummy-env[train]")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

from rummy_env.envs.sb3 import RummyVecEnv
from tests.conftest import few_variants
from tests.rollout import fitting

pytestmark = pytest.mark.adapter


def short(name: str, **options: Any) -> Rules:
    """Rules under which episodes end within a few decisions, some of them cut off."""
    return fitting(name, hand_size=3, max_turns=8, **options)


def made(name_or_rules: str | Rules, num_envs: int, **settings: Any) -> Any:
    """The environment, of any type: the library's own allows for observations of every kind."""
    return RummyVecEnv(name_or_rules, num_envs, **{"seed": 0, **settings})


def chosen(env: Any) -> Any:
    """Random legal actions, by the games' own random numbers."""
    games = env.games
    rows = np.arange(env.num_envs)
    return choose(env.action_masks(), games.engine.random(rows).random())


def played(env: Any, row: int, steps: int) -> list[tuple[Any, ...]]:
    """What is told of one game, to the last bit."""
    told: list[tuple[Any, ...]] = [(env.reset()[row].tobytes(),)]
    for _ in range(steps):
        mask = env.action_masks()[row].tobytes()
        observations, rewards, dones, infos = env.step(chosen(env))
        info = {key: infos[row].get(key) for key in ("won", "seat", "TimeLimit.truncated")}
        last = infos[row].get("terminal_observation", np.empty(0)).tobytes()
        told.append((mask, observations[row].tobytes(), rewards[row], dones[row], info, last))
    return told


def small_model(env: Any, **settings: Any) -> MaskablePPO:
    """An agent that learns in a second."""
    sizes: dict[str, Any] = {"n_steps": 16, "batch_size": 32, "n_epochs": 2, "seed": 0}
    return MaskablePPO(
        "MlpPolicy", env, device="cpu", policy_kwargs={"net_arch": [16]}, **{**sizes, **settings}
    )


def test_the_face_tells_what_the_games_tell(rules: Rules) -> None:
    env = made(rules, 5, seed=4)
    games = LearnerGames(rules, 5, opponents="greedy", seed=4)
    observations = env.reset()
    games.reset()
    for _ in range(25):
        assert np.array_equal(observations, games.observations())
        assert np.array_equal(env.action_masks(), games.masks())
        actions = chosen(env)
        came = games.play(actions)
        games.reset(rows=came.ended)
        observations, rewards, dones, infos = env.step(actions)
        assert np.array_equal(rewards, came.rewards)
        assert np.array_equal(dones, came.terminated | came.truncated)
        assert [row for row in range(5) if infos[row]] == came.ended.tolist()


def test_spaces_hold_the_observations_and_the_actions(rules: Rules) -> None:
    env = made(rules, 3)
    observations = env.reset()
    assert all(env.observation_space.contains(row) for row in observations)
    assert env.observation_space.dtype == np.int8
    assert env.action_space == spaces.Discrete(env.games.engine.num_actions)
    assert env.action_masks().shape == (3, env.games.engine.num_actions)


@pytest.mark.slow
@few_variants
def test_row_3917_of_4096_plays_as_alone(variant: str) -> None:
    rules = short(variant, num_players=3)
    seeds = game_seeds(1, 4096)
    many = played(made(rules, 4096, opponents="random", seed=seeds), 3917, 25)
    alone = made(rules, 1, opponents="random", seed=seeds[3917:3918])
    assert played(alone, 0, 25) == many
    assert sum(bool(told[3]) for told in many[1:]) > 1


@few_variants
def test_infos_tell_of_finished_games_alone_how_they_ended(variant: str) -> None:
    env = made(short(variant), 64)
    env.reset()
    returns, lengths = np.zeros(64, np.float32), np.zeros(64, np.int32)
    cut_off, won = set(), set()
    for _ in range(60):
        before = env.games.seats.copy()
        _, rewards, dones, infos = env.step(chosen(env))
        returns += rewards
        lengths += 1
        assert not any(infos[row] for row in np.flatnonzero(~dones))
        for row in np.flatnonzero(dones):
            info = infos[row]
            assert env.observation_space.contains(info["terminal_observation"])
            assert (info["episode"]["r"], info["episode"]["l"]) == (returns[row], lengths[row])
            assert info["episode"]["t"] >= 0
            assert info["seat"] == before[row] == [*info["agents"]].index("learner")
            assert info["won"] is info["is_success"] is bool(rewards[row] > 0)
            cut_off.add(info["TimeLimit.truncated"])
            won.add(info["won"])
        returns[dones] = lengths[dones] = 0
    assert cut_off == won == {True, False}


def test_a_game_cut_off_pays_nothing_and_shows_its_last_table(variant: str) -> None:
    env = made(short(variant), 64)
    env.reset()
    cut_off = 0
    for _ in range(12):
        observations, rewards, _, infos = env.step(chosen(env))
        for row, info in enumerate(infos):
            if info.get("TimeLimit.truncated"):
                cut_off += 1
                assert rewards[row] == 0
                assert not np.array_equal(info["terminal_observation"], observations[row])
    assert cut_off


def test_masks_come_as_one_array_without_a_loop(variant: str) -> None:
    env = VecMonitor(made(variant, 6))
    env.reset()
    assert is_masking_supported(env)
    assert isinstance(env.env_method("action_masks"), np.ndarray)
    masks = get_action_masks(env)
    assert masks.dtype == np.bool_
    assert masks.shape == (6, env.get_attr("action_space")[0].n)
    assert np.array_equal(env.env_method("action_masks", indices=[4, 1]), masks[[4, 1]])
    assert np.array_equal(env.env_method("action_masks", indices=2), masks[[2]])


def test_every_game_has_an_info_of_its_own(variant: str) -> None:
    env = made(variant, 3)
    env.reset()
    *_, infos = env.step(env.action_masks().argmax(axis=1))
    infos[0]["mine"] = 1
    assert "mine" not in infos[1]


def test_attributes_are_those_of_all_games(variant: str) -> None:
    env = made(variant, 4)
    assert env.get_attr("games") == [env.games] * 4
    assert env.get_attr("render_mode", indices=[0, 2]) == [None, None]
    assert not env.has_attr("no_such_thing")
    assert env.env_is_wrapped(Monitor) == [False] * 4
    env.set_attr("nickname", "table")
    assert env.get_attr("nickname", indices=3) == ["table"]
    env.reset()
    for ask, name in ((env.get_attr, "games"), (env.env_method, "action_masks")):
        with pytest.raises(ValueError, match="indices=4: give a whole number from -4 to 3"):
            ask(name, indices=[4])
    with pytest.raises(ValueError, match=r"'nickname' of games \[1\]: set it for all"):
        env.set_attr("nickname", "seat", indices=[1])
    with pytest.raises(ValueError, match=r"'opponents' is no attribute: call env_method\('set_opp"):
        env.set_attr("opponents", "strong")


def test_new_opponents_can_be_set_through_wrappers(variant: str) -> None:
    class Stubborn(Random):
        asked = 0

        def act(self, view: Any, mask: Any, rng: Any) -> Any:
            Stubborn.asked += 1
            return super().act(view, mask, rng)

    env: Any = VecMonitor(made(variant, 4))
    assert env.env_method("set_opponents", [(Stubborn(), 1.0)]) == [None] * 4
    with pytest.raises(ValueError, match=r"'set_opponents' of games \[1\]: call it for all games"):
        env.env_method("set_opponents", "greedy", indices=[1])
    env.reset()
    env.step(chosen(env.unwrapped))
    assert Stubborn.asked > 0


def test_what_is_returned_is_the_caller_s_to_change(variant: str) -> None:
    env, twin = made(short(variant), 8), made(short(variant), 8)
    env.reset()
    twin.reset()
    for _ in range(15):
        observations, rewards, dones, infos = env.step(chosen(env))
        same = twin.step(chosen(twin))
        assert np.array_equal(observations, same[0])
        assert np.array_equal(rewards, same[1])
        assert np.array_equal(dones, same[2])
        observations.fill(9)
        rewards.fill(9)
        dones.fill(True)
        infos[0]["mark"] = True
        env.action_masks().fill(False)


@pytest.mark.parametrize("seed", [True, "2", 1.0, -1])
def test_seeds_that_are_none_are_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"seed=.*give a whole number from 0"):
        RummyVecEnv("gin", 200).seed(seed)


def test_a_number_of_numpy_is_a_seed_for_many_games() -> None:
    seed: Any = np.int8(2)
    assert RummyVecEnv("gin", 200).seed(seed)[0] == 2


def test_seeds_start_all_over_at_the_next_reset(rules: Rules) -> None:
    env = made(rules, 3, seed=5)
    first = played(env, 1, 12)
    assert played(env, 1, 12) != first
    assert env.seed(5) == [5, None, None]
    assert played(env, 1, 12) == first
    assert played(env, 1, 12) != first
    assert played(made(rules, 3, seed=6), 1, 12) != first


@few_variants
def test_the_monitor_counts_the_same_as_the_games(variant: str) -> None:
    rules = short(variant, match="match", deals=2)
    env, twin = made(rules, 16), made(rules, 16)
    monitored = VecMonitor(env, info_keywords=("won", "seat"))
    monitored.reset()
    twin.reset()
    episodes = 0
    for _ in range(25):
        theirs, ours = monitored.step(chosen(env))[3], twin.step(chosen(twin))[3]
        for their, our in zip(theirs, ours, strict=True):
            if our:
                told, counted = our["episode"], their["episode"]
                assert (told["r"], told["l"]) == (counted["r"], counted["l"])
                assert (counted["won"], counted["seat"]) == (our["won"], our["seat"])
                episodes += 1
    assert episodes >= 16


@pytest.mark.slow
@few_variants
def test_maskable_ppo_learns_saves_loads_and_predicts(variant: str, tmp_path: Path) -> None:
    env: Any = VecMonitor(made(short(variant), 8, opponents=[("greedy", 1), ("random", 1)]))
    model: Any = small_model(env)
    before = {name: value.clone() for name, value in model.policy.state_dict().items()}
    model.learn(250)
    assert any((before[name] != value).any() for name, value in model.policy.state_dict().items())
    assert len(model.ep_success_buffer) == len(model.ep_info_buffer) > 0
    model.save(tmp_path / "agent")
    loaded = MaskablePPO.load(tmp_path / "agent", env=env, device="cpu")
    observations, masks = env.reset(), get_action_masks(env)
    ours, _ = model.predict(observations, action_masks=masks, deterministic=True)
    theirs, _ = loaded.predict(observations, action_masks=masks, deterministic=True)
    assert np.array_equal(ours, theirs)
    assert masks[np.arange(8), ours].all()
    loaded.learn(150, reset_num_timesteps=False)
    assert loaded.num_timesteps > model.num_timesteps


@pytest.mark.slow
@few_variants
def test_training_with_a_seed_can_be_repeated(variant: str) -> None:
    def weights() -> bytes:
        model = small_model(made(short(variant), 4)).learn(100)
        return b"".join(value.numpy().tobytes() for value in model.policy.state_dict().values())

    assert weights() == weights()


@pytest.mark.slow
def test_evaluate_policy_counts_whole_episodes(variant: str) -> None:
    env = VecMonitor(made(short(variant, reward="win"), 8))
    result: Any = evaluate_policy(
        small_model(env), env, n_eval_episodes=40, return_episode_rewards=True
    )
    rewards, lengths = result
    assert len(rewards) == len(lengths) == 40
    assert {-1, 0} <= set(rewards) <= {-1, 0, 0.5, 1}  # two may win together
    assert min(lengths) >= 1


@few_variants
def test_the_evaluation_callback_keeps_the_best_model(variant: str, tmp_path: Path) -> None:
    callback = MaskableEvalCallback(
        VecMonitor(made(short(variant), 8, seed=99)),
        n_eval_episodes=8,
        eval_freq=8,
        log_path=str(tmp_path),
        best_model_save_path=str(tmp_path),
        verbose=0,
    )
    small_model(VecMonitor(made(short(variant), 8))).learn(128, callback=callback)
    told = np.load(tmp_path / "evaluations.npz")
    assert told["results"].shape == told["successes"].shape == (2, 8)
    assert (tmp_path / "best_model.zip").exists()


def test_a_name_with_options_makes_the_same_rules_as_the_rules(variant: str) -> None:
    rules = fitting(variant, num_players=4, reward="win")
    env = made(variant, 2, num_players=rules.num_players, reward="win")
    assert env.games.engine.rules == made(rules, 2).games.engine.rules == rules


def test_the_learner_s_seat_can_be_fixed(variant: str) -> None:
    rules = fitting(variant, num_players=3)
    last = rules.num_players - 1
    env = made(variant, 4, seat=last, num_players=rules.num_players)
    env.reset()
    assert (env.games.seats == last).all()


def test_complete_rules_with_options_are_refused(variant: str) -> None:
    with pytest.raises(ValueError, match=r"options \{'num_players': 3\} with rummy_env.rules"):
        made(rummy_env.rules(variant), 2, num_players=3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"name_or_rules": "whist"}, "variant='whist'"),
        ({"name_or_rules": 5}, "variant=5"),
        ({"players": 3}, "has no option players=3"),
        ({"num_envs": 0}, "num_envs=0"),
        ({"seat": 2}, "seat=2: give 0 to 1"),
        ({"opponents": []}, r"opponents=\[\]: 0 given for \d other seats; give one"),
        ({"opponents": "nobody"}, "'nobody'"),
        ({"render_mode": "human"}, "render_mode='human'"),
        ({"seed": np.zeros(3, np.uint64)}, "one for each of 2 games"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    variant: str, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        made(**{"name_or_rules": variant, "num_envs": 2, **arguments})


def test_an_illegal_action_is_refused_in_words(variant: str) -> None:
    env = made(variant, 3, illegal_action="raise")
    env.reset()
    actions = chosen(env)
    actions[1] = np.argmin(env.action_masks()[1])
    phase = rummy_env.rules(variant).turn[env.games.engine.state.phase[1]].name
    with pytest.raises(IllegalAction, match=rf"game 1, seat \d, phase '{phase}': action \d+ \("):
        env.step(actions)


def test_without_stable_baselines_the_import_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "rummy_env.envs.sb3")
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    with pytest.raises(ImportError, match=r"pip install 'rummy-env\[train\]'"):
        importlib.import_module("rummy_env.envs.sb3")


def test_an_illegal_action_that_is_not_raised_is_told(variant: str) -> None:
    env = made(rummy_env.rules(variant), 3, illegal_action="penalise")
    env.reset()
    actions = chosen(env)
    actions[1] = env.action_masks()[1].argmin()
    _, rewards, dones, infos = env.step(actions)
    assert [info.get("illegal_action", False) for info in infos] == [False, True, False]
    assert not any("played_instead" in info for info in infos)
    assert dones[1]
    assert rewards[1] == -1


def test_the_action_played_instead_of_an_illegal_one_is_told(variant: str) -> None:
    env = made(rummy_env.rules(variant), 3, illegal_action="random")
    env.reset()
    actions, masks = chosen(env), env.action_masks()
    actions[1] = masks[1].argmin()
    *_, infos = env.step(actions)
    assert ["played_instead" in info for info in infos] == [False, True, False]
    assert masks[1, infos[1]["played_instead"]]


def test_a_construction_that_is_refused_leaves_no_record(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    for wrong in ({"seat": 7}, {"opponents": "nobody"}):
        with pytest.raises(ValueError, match=r"seat=7|'nobody'"):
            RummyVecEnv("basic", 2, record=file, **wrong)
    assert not file.exists()


def test_games_never_dealt_draw_a_seed_when_they_go_to_sb3(variant: str) -> None:
    first, second = (RummyVectorEnv(short(variant), 3).to_sb3() for _ in range(2))
    assert not np.array_equal(first.games.observations(), second.games.observations())


def test_options_are_refused_as_an_episode_has_none() -> None:
    env = made("gin", 2)
    env.set_options({"reset_mask": 1})
    with pytest.raises(ValueError, match=r"options=.*'reset_mask': 1.*an episode has none"):
        env.reset()


def test_a_step_is_waited_for_once() -> None:
    env = made("gin", 2)
    env.reset()
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"no actions are given: call step_async\(\) first"):
            env.step_wait()
        env.step(chosen(env))
