"""Batches of learner's games where they are easily wrong: some games of them, and their records."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import rummy_env
from rummy_env.baselines import Random
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.envs.illegal import ILLEGAL_REWARD
from rummy_env.envs.learner import LearnerGames
from rummy_env.envs.seating import LEARNER
from rummy_env.envs.single import RummyEnv
from rummy_env.envs.vector import RummyVectorEnv
from rummy_env.records import play, read
from tests.conftest import few_or_all, side_by_side
from tests.episodes import KEYS, MODES, pick, quick
from tests.policies import First
from tests.rollout import COPIES, fitting

pytestmark = pytest.mark.adapter

ILLEGAL = ("penalise", "random")
"""What is done about illegal actions."""
WAYS = ("deepcopy", "pickle")
"""To copy games."""


def some_actions(envs: RummyVectorEnv, rng: np.random.Generator, wild: float = 0.1) -> Any:
    """Legal actions, but for a part of them."""
    masks = envs.action_masks()
    actions = pick(masks, rng.random(envs.num_envs))
    illegal = rng.random(envs.num_envs) < wild
    actions[illegal] = masks[illegal].argmin(axis=1)
    return actions


def deal_where_over(envs: RummyVectorEnv, over: Any) -> None:
    if envs.autoreset_mode is AutoresetMode.DISABLED and over.any():
        envs.reset(options={"reset_mask": over})


@few_or_all(
    "variant, mode, illegal_action",
    few=side_by_side(rummy_env.VARIANTS, MODES, ILLEGAL),
    every=product(rummy_env.VARIANTS, MODES, ILLEGAL),
)
def test_every_game_is_recorded_once_by_the_names_of_those_who_played_it(
    variant: str, mode: AutoresetMode, illegal_action: str, tmp_path: Path
) -> None:
    file = tmp_path / "games.jsonl"
    given = quick(variant, illegal_action=illegal_action, record=file)
    given |= {"rules": fitting(variant, num_players=3, hand_size=3, max_turns=8)}
    given |= {"opponents": [(First(), 1), (Random(), 1)]}
    envs, rng = RummyVectorEnv(num_envs=4, autoreset_mode=mode, **given), np.random.default_rng(1)
    games = envs.games
    expected: dict[int, tuple[str, ...]] = {}

    def note() -> None:
        for row in (games.engine.last_action >= 0).nonzero()[0].tolist():
            expected.setdefault(int(games.engine.seeds[row]), tuple(games.agents(row)))

    games.on_move = note
    envs.reset(seed=3)
    for step in range(25):
        if step in (8, 12, 14):
            envs.set_opponents([("random", 1), (First(), 2)])
        _, _, terminated, truncated, _ = envs.step(some_actions(envs, rng))
        deal_where_over(envs, terminated | truncated)
    envs.close()
    records = read(file)
    assert len(records) == len(expected) > 8
    assert {record.seed: record.agents for record in records} == expected
    names = {name for record in records for name in record.agents}
    assert names == {"First", "random", LEARNER}
    for record in records:
        assert sum(1 for _ in play(record)) == len(record.actions) + 1


def test_a_forfeited_game_is_recorded_once_as_unfinished(variant: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    env = RummyEnv(**quick(variant, record=file))
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
    env.step(int(env.action_masks().argmin()))
    env.reset()
    env.step(int(env.action_masks().argmax()))
    assert [record.outcome.end for record in read(file)] == ["unfinished"]
    env.close()
    assert [record.outcome.end for record in read(file)] == ["unfinished"] * 2


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_games_that_are_all_over_at_once_go_on(variant: str, mode: AutoresetMode) -> None:
    for count in (1, 3):
        envs = RummyVectorEnv(num_envs=count, autoreset_mode=mode, **quick(variant))
        envs.reset(seed=1)
        before = envs.games.engine.seeds.copy()
        _, rewards, terminated, _, _ = envs.step(envs.action_masks().argmin(axis=1))
        assert terminated.all()
        assert (rewards == ILLEGAL_REWARD).all()
        if mode is AutoresetMode.NEXT_STEP:
            assert not envs.action_masks().any()
            _, rewards, terminated, truncated, infos = envs.step(np.full(count, -1))
            assert not rewards.any()
            assert not (terminated | truncated).any()
            assert "illegal_action" not in infos
        assert envs.action_masks().any(axis=1).all()
        assert (envs.games.engine.seeds != before).all()


@few_or_all(
    "variant, mode",
    few=side_by_side(rummy_env.VARIANTS, MODES),
    every=product(rummy_env.VARIANTS, MODES),
)
def test_every_game_that_is_not_over_waits_for_the_learner(
    variant: str, mode: AutoresetMode
) -> None:
    rules = fitting(variant, num_players=4, max_turns=1)
    envs = RummyVectorEnv(rules, num_envs=32, opponents=First(), autoreset_mode=mode)
    envs.reset(seed=1)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(12):
        assert np.array_equal(envs.action_masks().any(axis=1), ~envs.games.over)
        over = np.logical_or(*envs.step(some_actions(envs, rng, wild=0))[2:4])
        ended += over.sum()
        deal_where_over(envs, over)
    assert ended > 32


def test_a_penalty_is_added_to_what_was_earned_before() -> None:
    rules = fitting("basic", match="match", deals=3, hand_size=3, num_players=4)
    games = LearnerGames(rules, 600, opponents="greedy", seed=1, illegal_action="penalise")
    earned, rows = np.zeros(600, np.float32), np.arange(600)

    def note() -> None:
        earned[:] += games.engine.rewards[rows, games.seats]

    games.on_move = note
    games.reset()
    before = earned.copy()
    assert before.any()
    came = games.play(games.masks().argmin(axis=1))
    assert np.array_equal(came.rewards, before + np.float32(ILLEGAL_REWARD))
    assert np.array_equal(came.returns, came.rewards)
    assert came.terminated.all()
    assert not came.won.any()
    earned.fill(0)
    came = games.play(rows)  # the actions do not count: all games are dealt anew
    assert earned.any()
    assert not came.rewards.any()
    assert not came.illegal.size
    came = games.play(games.masks().argmax(axis=1))
    assert np.array_equal(came.rewards, earned)
    assert not came.illegal.size


def test_games_left_out_of_a_reset_are_not_touched(variant: str) -> None:
    envs = RummyVectorEnv(num_envs=6, autoreset_mode="Disabled", **quick(variant))
    first, _ = envs.reset(seed=1)
    seats, engine = envs.games.seats.copy(), envs.games.engine
    before = [engine.snapshot(row) for row in range(6)]
    mask = np.array([False, True, False, True, True, False])
    observations, infos = envs.reset(options={"reset_mask": mask})
    assert np.array_equal(infos["seat"], np.where(mask, (seats + 1) % 2, seats))
    assert np.array_equal(observations[~mask], first[~mask])
    assert [engine.snapshot(row) == before[row] for row in range(6)] == (~mask).tolist()


def test_seeds_beside_a_mask_are_those_of_their_games(variant: str) -> None:
    envs = RummyVectorEnv(num_envs=4, **quick(variant))
    envs.reset(seed=1)
    seats, before = envs.games.seats.copy(), envs.games.engine.seeds.copy()
    mask = np.array([False, True, True, True])
    alone, info = RummyEnv(**quick(variant)).reset(seed=50)
    whole, whole_infos = RummyVectorEnv(num_envs=4, **quick(variant)).reset(seed=49)
    for seeds, expected, seat in (
        ([9, 50, None, 51], alone, info["seat"]),
        (49, whole[1], whole_infos["seat"][1]),
    ):
        observations, infos = envs.reset(seed=seeds, options={"reset_mask": mask})
        assert np.array_equal(observations[1], expected)
        assert infos["seat"][1] == seat
        assert envs.games.engine.seeds[0] == before[0]
        assert envs.games.engine.seeds[2] != before[2]
        if seeds != 49:
            assert infos["seat"][2] == (seats[2] + 1) % 2


def test_seeds_may_be_an_array_and_must_be_whole_and_not_negative() -> None:
    envs = RummyVectorEnv("basic", num_envs=3)
    whole, _ = envs.reset(seed=[4, 5, 6])
    array: Any = np.arange(4, 7)
    assert np.array_equal(envs.reset(seed=array)[0], whole)
    for wrong in ([1, -1, 2], [1, 2**64, 3], [1, 2.0, 3], [1, "2", 3]):
        with pytest.raises(ValueError, match="give a whole number from 0 to 18446744073709551615"):
            envs.reset(seed=wrong)  # type: ignore[arg-type]


def test_a_batch_that_is_given_no_seed_draws_one_that_its_generator_gives(variant: str) -> None:
    one, other = (RummyVectorEnv(num_envs=3, **quick(variant)) for _ in range(2))
    assert not np.array_equal(one.reset()[0], other.reset()[0])
    one.reset(seed=6)
    other.reset(seed=6)
    assert one.np_random_seed == other.np_random_seed == 6
    unseeded = RummyVectorEnv(num_envs=3, **quick(variant))
    first = unseeded.reset()[0]
    assert np.array_equal(first, unseeded.reset(seed=unseeded.np_random_seed)[0])
    assert one.np_random.integers(1 << 60) == other.np_random.integers(1 << 60)


@few_or_all(
    "variant, way",
    few=side_by_side(rummy_env.VARIANTS, WAYS),
    every=product(rummy_env.VARIANTS, WAYS),
)
def test_copies_play_on_as_the_games_themselves(variant: str, way: str, tmp_path: Path) -> None:
    file, rng = tmp_path / "games.jsonl", np.random.default_rng(0)
    envs = RummyVectorEnv(num_envs=4, **quick(variant, record=file, observation_keys=KEYS))
    envs.reset(seed=1)
    for _ in range(3):
        envs.step(some_actions(envs, rng))
    recorded, twin = file.read_text(), COPIES[way](envs)
    played = []
    for _ in range(20):
        played.append(some_actions(twin, rng))
        ours = twin.step(played[-1])
    twin.close()
    assert file.read_text() == recorded
    for actions in played:
        theirs = envs.step(actions)
    assert all(np.array_equal(ours[0][key], theirs[0][key]) for key in KEYS)
    assert all(np.array_equal(a, b) for a, b in zip(ours[1:4], theirs[1:4], strict=True))


def test_to_sb3_deals_games_anew_that_are_over(variant: str) -> None:
    pytest.importorskip("stable_baselines3")
    envs = RummyVectorEnv(variant, 3, opponents="random")
    envs.reset(seed=1)
    actions = envs.action_masks().argmax(axis=1)
    actions[1] = envs.action_masks()[1].argmin()
    envs.step(actions)
    assert envs.games.over.tolist() == [False, True, False]
    going_on = [envs.games.engine.snapshot(row) for row in (0, 2)]
    assert envs.to_sb3().action_masks().any(axis=1).all()
    assert [envs.games.engine.snapshot(row) for row in (0, 2)] == going_on


def test_a_batch_that_is_used_after_it_was_closed_records_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    envs = RummyVectorEnv("gin", 2, record=file)
    for number in (1, 2):
        envs.reset(seed=number)
        envs.step(envs.action_masks().argmax(axis=1))
        envs.close()
        assert len(read(file)) == 2 * number


def test_a_game_that_a_step_has_dealt_after_closing_is_recorded_too(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    envs = RummyVectorEnv("gin", 1, record=file)
    envs.reset(seed=1)
    envs.close()
    while not envs.games.over[0]:
        envs.step(envs.action_masks().argmax(axis=1))
    for _ in range(3):  # deals anew, and plays on
        envs.step(envs.action_masks().argmax(axis=1))
    envs.close()
    assert len(read(file)) == 2


def test_the_moves_of_a_policy_that_uses_its_array_again_are_told() -> None:
    class Saving(First):
        """Answers in always the same array."""

        answers = np.zeros(64, np.intp)

        def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
            self.answers[: len(mask)] = super().act(view, mask, rng)
            return self.answers[: len(mask)]

    told = [
        RummyEnv("basic", opponents=opponent, num_players=4, seat=0).reset(seed=3)[1]["others"]
        for opponent in (Saving(), First())
    ]
    assert told[0] == told[1]
    assert len(set(told[0])) > 1
