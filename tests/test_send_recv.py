"""Games that are sent and received a few at a time, against the same games stepped together."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rummy_env import IllegalAction
from rummy_env.baselines import Random
from rummy_env.core.arrays import Rows
from rummy_env.envs.under_way import UnderWay
from rummy_env.envs.vector import RummyVectorEnv, Stepped
from tests.conftest import few_variants
from tests.policies import FICKLE
from tests.rollout import fitting

pytestmark = pytest.mark.adapter

GAMES = 24


def begun(variant: str, **options: Any) -> RummyVectorEnv:
    rules = fitting(variant, num_players=3, max_turns=12)
    return RummyVectorEnv(rules, GAMES, opponents=[("random", 1), (FICKLE, 2)], **options)


def chosen(envs: RummyVectorEnv, rows: Rows) -> Rows:
    """What a policy plays that hangs on the game alone; any action where the game is over."""
    engine = envs.games.engine
    mask = engine.legal_mask(rows)
    mask[envs.games.over[rows], 0] = True
    return Random().act(engine.look(engine.to_move[rows], rows), mask, engine.random(rows))


def noted(rows: Rows, came: Stepped) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """What came of each game, as bytes and numbers."""
    seen, rewards, terminated, truncated, infos = came
    assert isinstance(seen, np.ndarray)
    for item, row in enumerate(rows.tolist()):
        told = {
            key: np.asarray(values[item]).tolist()
            for key, values in infos.items()
            if not key.startswith("_") and infos[f"_{key}"][item] and key != "env_id"
        }
        ends = bool(terminated[item]), bool(truncated[item])
        yield row, (seen[item].tobytes(), float(rewards[item]), *ends, told)


@few_variants
@pytest.mark.parametrize("illegal_action", ["penalise", "random"])
def test_every_game_goes_as_if_all_were_stepped_together(variant: str, illegal_action: str) -> None:
    together, apart = (begun(variant, illegal_action=illegal_action) for _ in range(2))
    for envs in (together, apart):
        envs.reset(seed=5)
    every, wrong = np.arange(GAMES), apart.games.engine.num_actions
    expected: dict[int, list[Any]] = defaultdict(list)
    found: dict[int, list[Any]] = defaultdict(list)
    made = np.zeros(GAMES, np.intp)

    def asked(envs: RummyVectorEnv, rows: Rows, times: Rows) -> Rows:
        """Now and then, by game and time, an action that is none."""
        return np.where((rows + times) % 11 == 10, wrong, chosen(envs, rows))

    for time in range(40):
        actions = asked(together, every, np.full(GAMES, time))
        for row, one in noted(every, together.step(actions)):
            expected[row].append(one)
    apart.send(asked(apart, every, made), every)
    while min(made) < 40:
        came = apart.recv(5)
        rows = came[-1]["env_id"]
        for row, one in noted(rows, came):
            found[row].append(one)
        made[rows] += 1
        apart.send(asked(apart, rows, made[rows]), rows)
    assert [found[row][:40] for row in range(GAMES)] == [expected[row] for row in range(GAMES)]
    assert sum(one[2] or one[3] for games in expected.values() for one in games) > GAMES


def test_games_that_were_ready_first_are_received_first() -> None:
    games = UnderWay(8)
    games.send(np.array([5, 2, 7, 1]))
    assert games.come_back(np.array([False, False, True, True])) == 2
    games.send(np.array([0]))
    assert games.come_back(np.array([True, False, True])) == 4
    assert games.receive(1).tolist() == [7]
    assert games.receive(2).tolist() == [1, 5]
    assert games.playing.tolist() == [2]
    with pytest.raises(ValueError, match="count=3: give a whole number from 1 to 2 with 2 games"):
        games.check_under_way(3)


@few_variants
def test_the_actions_of_others_are_not_shown_while_a_game_is_under_way(variant: str) -> None:
    envs = begun(variant, seat=0)
    _, infos = envs.reset(seed=3)
    engine, home, shown = envs.games.engine, np.arange(GAMES), 0
    for _ in range(200):
        masks = infos["action_mask"].view(np.bool_)
        masks[envs.games.over[home], 0] = True
        envs.send(masks.argmax(axis=1), home)
        *_, infos = envs.recv(1)
        home = infos["env_id"]
        theirs = engine.to_move != 0
        assert not envs.action_masks()[theirs].any()
        assert not envs.games.masks(theirs.nonzero()[0]).any()
        shown += int(engine.legal_mask()[theirs].sum())
    assert shown


def test_games_that_are_under_way_are_not_handed_over() -> None:
    envs = begun("basic")
    envs.reset(seed=1)
    envs.send(chosen(envs, np.arange(3)), np.arange(3))
    with pytest.raises(ValueError, match="game 0 waits for no action: receive what came"):
        envs.to_sb3()


def test_a_reset_calls_games_off_that_are_under_way() -> None:
    envs = begun("basic")
    envs.reset(seed=1)
    every = np.arange(GAMES)
    first = chosen(envs, every)
    envs.send(first, every)
    envs.recv(3)
    seen, infos = envs.reset(seed=1)
    assert (infos["action_mask"][every, first] == 1).all()
    envs.send(first, every)
    rows = np.concatenate([envs.recv(8)[-1]["env_id"] for _ in range(3)])
    assert sorted(rows) == every.tolist()
    other = begun("basic")
    assert np.array_equal(seen, other.reset(seed=1)[0])
    step = envs.step(chosen(envs, every))
    other.step(first)
    assert np.array_equal(step[0], other.step(chosen(other, every))[0])


def test_moves_of_others_are_forgotten_although_a_game_waits() -> None:
    env = RummyVectorEnv("basic", 8, opponents="random", seat=0)
    _, infos = env.reset(seed=1)
    rows, masks = np.arange(1, 8), infos["action_mask"]
    for _ in range(300):
        env.send(masks[rows].argmax(axis=1), rows)
        *_, infos = env.recv(len(rows))
        masks[infos["env_id"]] = infos["action_mask"]
    assert len(env.games._log._moves) < 100


def test_what_makes_no_sense_is_refused() -> None:
    envs = begun("basic", illegal_action="raise")
    envs.reset(seed=1)
    rows = np.array([3, 4])
    good = chosen(envs, rows)
    with pytest.raises(ValueError, match=r"none is under way, call send\(\) first"):
        envs.recv(1)
    with pytest.raises(ValueError, match="give each once"):
        envs.send(good, [4, 4])
    with pytest.raises(ValueError, match=r"games are 0 to 23"):
        envs.send(good, [4, GAMES])
    with pytest.raises(IllegalAction):
        envs.send(np.array([good[0], 10_000]), rows)
    envs.send(good, rows)
    with pytest.raises(ValueError, match="game 4 waits for no action"):
        envs.send(good, [5, 4])
    with pytest.raises(ValueError, match="game 3 waits for no action"):
        envs.step(np.zeros(GAMES, int))
    for count in (0, 3):
        with pytest.raises(ValueError, match=f"count={count}: give .* from 1 to 2 with 2 games"):
            envs.recv(count)
    assert envs.recv(2)[-1]["env_id"].tolist() == [3, 4]
    with pytest.raises(ValueError, match=r"autoreset_mode='SameStep': send\(\) needs 'NextStep'"):
        begun("basic", autoreset_mode="SameStep").send(good, rows)
    with pytest.raises(ValueError, match="reset"):
        begun("basic").send(good, rows)


def test_the_array_of_numbers_sent_may_be_used_again() -> None:
    envs = begun("gin")
    envs.reset(seed=1)
    rows = np.arange(4)
    envs.send(chosen(envs, rows), rows)
    rows[:] = [4, 5, 6, 7]
    assert envs.recv(4)[-1]["env_id"].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("count", [True, 2.0, 0, 5])
def test_games_are_waited_for_by_a_whole_number(count: Any) -> None:
    envs = begun("gin")
    envs.reset(seed=1)
    envs.send(chosen(envs, np.arange(4)), np.arange(4))
    with pytest.raises(ValueError, match=f"count={count}: give a whole number from 1 to 4"):
        envs.recv(count)
    assert envs.recv(4)[-1]["env_id"].tolist() == [0, 1, 2, 3]
