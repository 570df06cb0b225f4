"""Gymnasium's doors: its library's own checks, and what those do not look at."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import rummy_env
from rummy_env import IllegalAction, Rules
from rummy_env.baselines import Greedy
from rummy_env.envs.illegal import ILLEGAL_REWARD
from rummy_env.envs.sb3 import RummyVecEnv
from rummy_env.envs.seating import Opponents
from rummy_env.envs.self_play import SelfPlayEnv
from rummy_env.envs.single import RummyEnv
from rummy_env.envs.vector import RummyVectorEnv
from rummy_env.registration import ANY_RULES, gymnasium_id
from tests.conftest import few_or_all, side_by_side
from tests.crossing import crossed
from tests.episodes import KEYS, MODES, pick, quick
from tests.policies import First, decisions

pytestmark = pytest.mark.adapter


def legal_action(env: RummyEnv, rng: np.random.Generator) -> int:
    return int(rng.choice(env.action_masks().nonzero()[0]))


def finish(env: RummyEnv) -> tuple[Any, ...]:
    """Plays on until the episode is over; what its last step gave."""
    rng = np.random.default_rng(0)
    while True:
        step = env.step(legal_action(env, rng))
        if step[2] or step[3]:
            return step


@pytest.mark.parametrize("variant_id", [*map(gymnasium_id, rummy_env.VARIANTS)])
def test_every_variant_is_made_by_its_id_and_by_an_id_that_imports(variant_id: str) -> None:
    env = gymnasium.make(variant_id, opponents="random")
    assert isinstance(env.unwrapped, RummyEnv)
    assert env.spec is not None
    assert env.spec.id == variant_id
    again = gymnasium.make(f"rummy_env:{variant_id}", opponents="random")
    observation, info = env.reset(seed=3)
    assert data_equivalence((observation, info), again.reset(seed=3))
    assert observation in env.observation_space


def test_ids_are_those_of_the_documentation() -> None:
    ids = {env_id for env_id in gymnasium.registry if env_id.startswith("rummy_env/")}
    names = ("Basic", "Bonus", "Classic", "GoingOut", "RummyCards", "Gin", "Rummy500", "Rules")
    assert ids == {f"rummy_env/{name}-v0" for name in names}


def test_complete_rules_have_an_id_too(rules: Rules) -> None:
    env = gymnasium.make(ANY_RULES, rules=rules, opponents=First())
    env.reset(seed=1)
    made = env.unwrapped
    assert isinstance(made, RummyEnv)
    assert made.games.engine.rules == rules


@pytest.mark.filterwarnings("ignore:.*action_masks.*")
def test_gymnasium_check_env(rules: Rules) -> None:
    env = gymnasium.make(ANY_RULES, rules=rules, opponents=First(), disable_env_checker=True)
    check_env(env.unwrapped, skip_render_check=True)


def test_gymnasium_check_env_with_rendering_and_a_dict(variant: str) -> None:
    env = gymnasium.make(
        gymnasium_id(variant),
        opponents=First(),
        observation_keys=KEYS,
        render_mode="ansi",
        render_fps=0,
        disable_env_checker=True,
    )
    check_env(env.unwrapped)


def test_sb3_check_env(rules: Rules) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(RummyEnv(rules, opponents=First()), skip_render_check=True)


CHOICES: dict[str, list[Any]] = {
    "mode": MODES,
    "keys": [None, KEYS],
    "illegal_action": ["penalise", "random"],
}
PAIRED = [tuple(case.values()) for case in crossed(CHOICES, lambda case: True)]
"""Every two of these together."""


@few_or_all(
    "variant, ways",
    few=side_by_side(rummy_env.VARIANTS, PAIRED),
    every=product(rummy_env.VARIANTS, product(*CHOICES.values())),
)
def test_the_native_batch_is_what_gymnasium_makes_of_single_environments(
    variant: str, ways: tuple[AutoresetMode, Any, str]
) -> None:
    mode, keys, illegal_action = ways
    options = quick(variant, observation_keys=keys, illegal_action=illegal_action)
    native = RummyVectorEnv(num_envs=5, autoreset_mode=mode, **options)
    singles = SyncVectorEnv([lambda: RummyEnv(**options)] * 5, autoreset_mode=mode)
    assert native.observation_space == singles.observation_space
    assert native.action_space == singles.action_space
    rng, ended, illegal = np.random.default_rng(2), 0, 0
    seeds: list[int | None] = [7, 3, 7, 1 << 40, 0]
    dealt, dealt_singly = native.reset(seed=seeds), singles.reset(seed=seeds)
    assert data_equivalence(dealt[0], dealt_singly[0])
    assert_same_infos(dealt[1], dealt_singly[1])
    for _ in range(90):
        actions = pick(native.action_masks(), rng.random(5))
        wild = rng.random(5) < 0.05
        actions[wild] = rng.integers(native.games.engine.num_actions, size=wild.sum())
        mine, theirs = native.step(actions), singles.step(actions)
        for ours, other in zip(mine[:4], theirs[:4], strict=True):
            assert data_equivalence(ours, other) or np.array_equal(ours, other)
        assert_same_infos(mine[4], theirs[4])
        over = mine[2] | mine[3]
        ended += int(over.sum())
        illegal += "illegal_action" in mine[4] | mine[4].get("final_info", {})
        if mode is AutoresetMode.DISABLED and over.any():
            options_of_reset = {"reset_mask": over}
            ours, _ = native.reset(options=dict(options_of_reset))
            others, _ = singles.reset(options=dict(options_of_reset))
            assert data_equivalence(ours, others)
    assert ended > 10
    assert illegal > 0


def assert_same_infos(mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Both tell the same of the games that the mask of a key names; a batch has no words."""
    theirs = {key: told for key, told in theirs.items() if key not in ("others", "_others")}
    assert mine.keys() == theirs.keys()
    for key, told in theirs.items():
        if isinstance(told, dict):
            assert_same_infos(mine[key], told)
        elif key.startswith("_"):
            assert (mine[key] == told).all(), key
        else:
            some = theirs[f"_{key}"].nonzero()[0]
            for row in some:
                assert data_equivalence(mine[key][row], told[row]) or mine[key][row] == told[row]


def test_what_make_vec_gives_is_the_native_batch_with_its_mode(variant: str) -> None:
    for given, mode in (("SameStep", AutoresetMode.SAME_STEP), (AutoresetMode.DISABLED,) * 2):
        envs = gymnasium.make_vec(gymnasium_id(variant), num_envs=3, autoreset_mode=given)
        assert isinstance(envs, RummyVectorEnv)
        assert envs.metadata["autoreset_mode"] is mode
        observations, infos = envs.reset(seed=5)
        assert observations.shape == (3, envs.games.observer.size)
        assert (infos["action_mask"].dtype, infos["action_mask"].shape) == (
            np.int8,
            (3, envs.games.engine.num_actions),
        )
        assert infos["_action_mask"].all()
        assert (envs.action_masks() == infos["action_mask"]).all()


def test_arrays_that_were_returned_are_not_changed_by_later_steps(variant: str) -> None:
    envs = RummyVectorEnv(num_envs=4, **quick(variant, observation_keys=KEYS))
    rng = np.random.default_rng(0)
    came: list[Any] = [envs.reset(seed=1)]
    kept = [json.dumps(came[0], default=np.ndarray.tolist)]
    for _ in range(30):
        came.append(envs.step(pick(envs.action_masks(), rng.random(4))))
        kept.append(json.dumps(came[-1], default=np.ndarray.tolist))
    assert [json.dumps(step, default=np.ndarray.tolist) for step in came] == kept


def test_a_dict_has_the_names_and_the_type_that_were_asked_for(variant: str) -> None:
    plain = RummyEnv(**quick(variant))
    named = RummyEnv(**quick(variant, observation_keys=KEYS, observation_dtype="float32"))
    flat, info = plain.reset(seed=4)
    told, _ = named.reset(seed=4)
    assert isinstance(told, dict)
    assert told in named.observation_space
    assert {key: array.dtype for key, array in told.items()} == dict.fromkeys(KEYS, np.float32)
    assert np.array_equal(told["seen"], flat)
    assert np.array_equal(told["may"], info["action_mask"])
    assert RummyEnv(**quick(variant, observation_dtype=np.float32)).observation_space.dtype == "f4"
    wide = RummyEnv(**quick(variant, observation_dtype="float32"))
    assert wide.reset(seed=4)[0] in wide.observation_space


def test_the_learner_sits_where_it_is_told_to_or_moves_on(variant: str) -> None:
    fixed = RummyEnv(**quick(variant, seat=1))
    rotating = RummyEnv(**quick(variant))
    seats = []
    for episode in range(4):
        assert fixed.reset(seed=episode)[1]["seat"] == 1
        seats.append(rotating.reset(seed=9 if episode == 0 else None)[1]["seat"])
        finish(rotating)
    assert [(seat + 1) % 2 for seat in seats[:-1]] == seats[1:]


def test_a_mixture_of_opponents_sits_down_by_its_weights(variant: str) -> None:
    mixture: Opponents = [
        ("random", 3.0),
        (First(), 1.0),
        ("greedy", 1.0),
    ]
    envs = RummyVectorEnv(variant, num_envs=400, opponents=mixture, seat=0)
    envs.reset(seed=2)
    names = [envs.games.agents(row)[1] for row in range(400)]
    assert 200 < names.count("random") < 280
    assert 50 < names.count("First") < 110
    assert 50 < names.count("greedy") < 110


def test_an_episode_tells_at_its_end_whether_it_was_won(variant: str) -> None:
    env, told = RummyEnv(variant, opponents="greedy", seat=0), set()
    for seed in range(12):
        env.reset(seed=seed)
        terminated = truncated = False
        while not (terminated or truncated):
            action = decisions(Greedy(), env.games.engine, np.arange(1))[0]
            _, reward, terminated, truncated, info = env.step(action)
        assert terminated != truncated
        assert not info["action_mask"].any()
        assert info["won"] == env.games.engine.state.winners[0, 0]
        assert info["is_success"] is info["won"]
        assert [*info["agents"]] == ["learner", *["greedy"] * (env.rules.num_players - 1)]
        assert not (info["won"] and reward < 0)
        told.add(info["won"])
    assert told == {True, False}


def test_an_illegal_action_is_penalised_and_ends_the_episode(variant: str) -> None:
    env = RummyEnv(**quick(variant))
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(int(env.action_masks().argmin()))
    assert (reward, terminated, truncated) == (ILLEGAL_REWARD, True, False)
    assert (info["illegal_action"], info["won"]) == (True, False)
    with pytest.raises(ValueError, match="the episode is over: call reset"):
        env.step(0)
    env.reset()
    assert env.action_masks().any()


def test_an_illegal_action_is_replaced_by_any_legal_one(variant: str) -> None:
    env = RummyEnv(**quick(variant, illegal_action="random"))
    played = set()
    for seed in range(12):
        env.reset(seed=seed)
        masks = env.action_masks()
        *_, info = env.step(env.games.engine.num_actions + 5)
        assert info["illegal_action"]
        assert masks[info["played_instead"]]
        played.add(info["played_instead"])
    assert len(played) > 1


def test_an_illegal_action_can_raise_and_changes_nothing(variant: str) -> None:
    envs = RummyVectorEnv(num_envs=3, **quick(variant, illegal_action="raise"))
    envs.reset(seed=1)
    before = [envs.games.engine.snapshot(row) for row in range(3)]
    actions = envs.action_masks().argmax(axis=1)
    actions[1] = envs.action_masks()[1].argmin()
    with pytest.raises(IllegalAction, match="game 1, seat"):
        envs.step(actions)
    assert [envs.games.engine.snapshot(row) for row in range(3)] == before


def test_the_registered_default_does_not_raise(variant: str) -> None:
    env = gymnasium.make(gymnasium_id(variant), opponents="random")
    env.reset(seed=0)
    env.action_space.seed(0)
    illegal = 0
    for _ in range(30):
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        if "illegal_action" in info:
            illegal += 1
            assert (reward, terminated, truncated) == (-1, True, False)
        if terminated or truncated:
            env.reset()
    assert illegal


def test_the_same_seed_gives_the_same_episodes_and_no_seed_others(variant: str) -> None:
    def deals(env: RummyEnv, seed: int | None) -> list[Any]:
        return [env.reset(seed=seed)[0].tobytes(), env.reset()[0].tobytes()]

    first, again = deals(RummyEnv(variant), 5), deals(RummyEnv(variant), 5)
    assert first == again
    assert first[0] != first[1]
    unseeded = RummyEnv(variant)
    drawn = deals(unseeded, None)
    assert drawn != deals(RummyEnv(variant), None)
    assert drawn == deals(RummyEnv(variant), unseeded.np_random_seed)


def test_a_batch_takes_a_seed_for_every_game(variant: str) -> None:
    envs = RummyVectorEnv(num_envs=3, **quick(variant))
    one, _ = envs.reset(seed=[8, 9, 10])
    other, _ = envs.reset(seed=8)
    assert np.array_equal(one[0], other[0])
    assert not np.array_equal(one[1:], other[1:])
    mixed, _ = envs.reset(seed=[8, None, 10])
    assert np.array_equal(mixed[[0, 2]], one[[0, 2]])
    assert not np.array_equal(mixed[1], one[1])


def test_to_sb3_plays_the_same_games(variant: str) -> None:
    pytest.importorskip("stable_baselines3")
    envs = RummyVectorEnv(num_envs=3, **quick(variant))
    observations, _ = envs.reset(seed=1)
    games = envs.to_sb3()
    assert games.games is envs.games
    assert np.array_equal(games.games.observations(), observations)
    assert np.array_equal(games.action_masks(), envs.action_masks())
    games.step(pick(games.action_masks(), np.full(3, 0.5)))
    assert not np.array_equal(envs.games.observations(), observations)


def test_the_metadata_has_the_pace_that_was_asked_for() -> None:
    assert RummyEnv("gin", render_fps=30).metadata["render_fps"] == 30
    assert RummyEnv("gin", render_fps=0).metadata["render_fps"] > 0  # as Gymnasium demands


def test_a_person_sees_every_action_of_everybody(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pytest.importorskip("pygame")
    env = RummyEnv(variant, opponents="random", render_mode="human", render_fps=0, seat=0)
    shown = []
    monkeypatch.setattr(
        env._renderer, "render", lambda engine, **_: shown.append(int(engine.state.decisions[0]))
    )
    env.reset(seed=1)
    for _ in range(6):
        env.step(int(env.action_masks().argmax()))
    env.close()
    assert shown[:2] == [0, 1]  # the deal, and an opponent's move
    assert sorted(set(shown)) == list(range(shown[-1] + 1))
    assert shown[-1] >= 6


@pytest.mark.parametrize("make", [RummyEnv, RummyVectorEnv])
def test_closing_closes_the_window(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    env, closed = make("basic", render_mode="ansi"), []
    monkeypatch.setattr(env._renderer, "close", lambda: closed.append("closed"))
    env.close()
    assert closed == ["closed"]


def test_a_batch_shows_all_its_tables_in_the_order_of_the_games() -> None:
    envs = RummyVectorEnv("basic", num_envs=3, render_mode="ansi")
    envs.reset(seed=[1, 2, 3])
    alone = []
    for seed in (1, 2, 3):
        env = RummyEnv("basic", render_mode="ansi")
        env.reset(seed=seed)
        alone.append(env.render())
    assert list(envs.render() or ()) == alone
    assert len(set(map(str, alone))) == 3


def test_games_are_recorded_with_the_names_of_those_who_play(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    env = RummyEnv("basic", opponents="random", seat=1, record=file)
    env.reset(seed=1)
    finish(env)
    env.close()
    (line,) = file.read_text().splitlines()
    assert json.loads(line)["agents"] == ["random", "learner"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"opponents": "gredy"},
            "agent 'gredy': give .*; did you mean 'greedy'",
        ),
        ({"opponents": "agents.nobody:Agent"}, "'agents.nobody:Agent' cannot be imported"),
        ({"opponents": [("greedy", 0)]}, "weight of 'greedy'=0: give a positive number"),
        ({"seat": 2}, "seat=2: give 0 to 1, or 'rotate'"),
        ({"seat": "left"}, "seat='left': give 0 to 1, or 'rotate'"),
        ({"render_mode": "rgb"}, "render_mode='rgb': give one of 'ansi'"),
        ({"illegal_action": "ignore"}, "illegal_action='ignore': give one of 'raise'"),
        ({"observation_keys": "seen"}, "observation_keys='seen': give None, or two names"),
        ({"observation_keys": ("a", "a")}, "give two different names"),
        ({"observation_dtype": "int64"}, "observation_dtype='int64': give one of 'int8'"),
        ({"num_playerz": 3}, "basic has no option num_playerz=3"),
        (
            {"opponent": "greedy"},
            "no option opponent='greedy'; .* environment's own are .*; did you mean 'opponents'",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any], words: str) -> None:
    for make in (RummyEnv, RummyVectorEnv):
        with pytest.raises(ValueError, match=words):
            make("basic", **given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"render_mode": "human"}, "render_mode='human': give one of 'ansi', 'rgb_array'"),
        ({"autoreset_mode": "never"}, "autoreset_mode='never': give one of 'NextStep'"),
        ({"num_envs": 0}, "num_envs=0"),
    ],
)
def test_what_makes_no_sense_for_a_batch_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        RummyVectorEnv("basic", **given)


@pytest.mark.parametrize(
    ("reset", "error", "words"),
    [
        ({"seed": [1, 2]}, ValueError, "2 seeds: give one for each of the 3 games"),
        ({"options": {"reset_mask": [True] * 3}}, TypeError, "give a NumPy array of bool"),
        ({"options": {"reset_mask": np.ones(2, bool)}}, ValueError, "one entry a game"),
        ({"options": {"reset_mask": np.zeros(3, bool)}}, ValueError, "at least one of them True"),
        ({"options": {"rest_mask": np.ones(3, bool)}}, ValueError, "the only one is 'reset_mask'"),
        ({"options": [1]}, TypeError, r"options=\[1\]: give a dict, or None"),
        ({"seed": np.array(5)}, ValueError, r"seed=array\(5\): give a whole number, one for each"),
    ],
)
def test_a_reset_that_makes_no_sense_is_refused(
    reset: dict[str, Any], error: type[Exception], words: str
) -> None:
    envs = RummyVectorEnv("basic", num_envs=3)
    envs.reset(seed=1)
    with pytest.raises(error, match=words):
        envs.reset(**reset)


def test_games_must_be_dealt_before_some_of_them_are_dealt_anew() -> None:
    envs = RummyVectorEnv("basic", num_envs=3)
    with pytest.raises(ValueError, match="nothing has been dealt yet: reset all games first"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})


def test_games_that_are_given_no_seed_at_first_draw_one() -> None:
    envs, other = (RummyVectorEnv("basic", num_envs=3) for _ in range(2))
    envs.reset(seed=[1, None, 2])
    other.reset(seed=[1, 5, 2])
    mine, theirs = (each.games.engine.seeds.copy() for each in (envs, other))
    assert (mine == theirs).tolist() == [True, False, True]
    envs.reset(seed=[None, None, None])
    assert not (envs.games.engine.seeds == mine).any()


def test_a_step_into_a_game_that_is_over_is_refused_where_nothing_deals_it_anew() -> None:
    envs = RummyVectorEnv("basic", num_envs=2, autoreset_mode="Disabled")
    envs.reset(seed=1)
    envs.step(np.array([envs.games.engine.num_actions, envs.action_masks()[1].argmax()]))
    with pytest.raises(ValueError, match="game 0 is over: reset it before the next step"):
        envs.step(np.zeros(2, int))


def test_an_episode_has_no_options_and_says_so() -> None:
    env = RummyEnv("basic")
    env.reset(seed=1, options={})
    with pytest.raises(ValueError, match=r"options=\{'seat': 1\}: an episode has none"):
        env.reset(options={"seat": 1})


def test_every_environment_tells_its_rules() -> None:
    rules = rummy_env.rules("gin", knock_card=5)
    assert RummyEnv(rules).rules == RummyVectorEnv(rules).rules == rules
    assert RummyVecEnv(rules, 1).rules == SelfPlayEnv(rules, 1).rules == rules
    assert rummy_env.raw_env("gin", knock_card=5).rules == rules


@pytest.mark.parametrize("door", [RummyEnv, RummyVectorEnv, RummyVecEnv, SelfPlayEnv])
def test_the_name_of_pettingzoo_s_argument_is_an_unknown_option_elsewhere(door: Any) -> None:
    with pytest.raises(ValueError, match="gin has no option name='mine'; it has num_players"):
        door("gin", num_envs=2, name="mine") if door is not RummyEnv else door("gin", name="mine")
