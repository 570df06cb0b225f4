"""Self-play: one learner in every seat, and in a share of the games policies in some seats.

The games are held against a bare engine that plays the same actions.
"""

from collections import Counter
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import rummy_env
from rummy_env import Engine, IllegalAction, Rules
from rummy_env.baselines import Greedy, Random
from rummy_env.core.arrays import Bools
from rummy_env.core.keys import game_seeds
from rummy_env.core.visibility import SeatView
from rummy_env.envs.learner import LearnerGames
from rummy_env.envs.self_play import Outcome, SelfPlayEnv, Turn
from rummy_env.views.features import OBSERVATIONS, PLAIN, observer
from tests.conftest import few_or_all, side_by_side
from tests.policies import Again, Last, chosen, last_legal
from tests.rollout import choices, everything, fitting, tables
from tests.self_play import begun, quick

pytestmark = pytest.mark.adapter

SAME, NEXT, NEVER = AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED

MODES = (SAME, NEXT, NEVER)
modes = few_or_all(
    "variant, mode",
    few=side_by_side(rummy_env.VARIANTS, MODES),
    every=product(rummy_env.VARIANTS, MODES),
)


def dealt(rules: Rules, num_envs: int, seed: Any = 3) -> Engine:
    engine = Engine(rules, num_envs, seed)
    engine.reset()
    return engine


def assert_shows(turn: Turn, engine: Engine, learning: Bools) -> None:
    """A turn tells what the learner's seats to act see, by a plain observation, and may do."""
    seats, observe = engine.to_move, observer(engine.rules, PLAIN)
    assert np.array_equal(turn.seats, seats)
    assert np.array_equal(turn.masks, engine.legal_mask())
    seen = observe(engine.look(seats))
    seen[~(learning | engine.finished)] = 0
    assert np.array_equal(turn.observations, seen)
    assert np.array_equal(turn.learning, learning)


def assert_tells(outcome: Outcome, engine: Engine, before: Bools) -> None:
    """An outcome is what a step of the engine paid and ended; no game ends twice."""
    assert np.array_equal(outcome.rewards, engine.rewards)
    assert np.array_equal(outcome.terminated, engine.terminated & ~before)
    assert np.array_equal(outcome.truncated, engine.truncated & ~before)
    assert np.array_equal(outcome.scores, engine.state.scores)
    assert np.array_equal(outcome.winners, engine.state.winners)
    assert outcome.learners.all()


# The games


@modes
def test_the_games_are_those_of_a_bare_engine(variant: str, mode: AutoresetMode) -> None:
    rules = quick(variant, match="match", deals=2, max_turns=9)
    games, engine = begun(rules, 6, autoreset_mode=mode), dealt(rules, 6)
    turn, ends, pays = games.turn(), 0, 0
    for _ in range(60):
        over = engine.finished.copy()
        assert_shows(turn, engine, ~over)
        actions = chosen(engine)
        turn, outcome = games.step(actions)
        engine.step(actions)
        assert_tells(outcome, engine, over)
        ends += int((outcome.terminated | outcome.truncated).sum())
        pays += int(outcome.rewards.any(axis=1).sum())
        again = {SAME: engine.finished, NEXT: over, NEVER: over & False}[mode]
        engine.reset(again.nonzero()[0])
        assert everything(games.engine) | {"rewards": b""} == everything(engine) | {"rewards": b""}
    assert ends
    assert pays


@modes
def test_games_are_dealt_anew_when_the_mode_says(variant: str, mode: AutoresetMode) -> None:
    rules = quick(variant)
    games, age = begun(rules, 16, autoreset_mode=mode), np.zeros(16, np.intp)
    ended = np.zeros(16, np.bool_)
    for _ in range(40):
        seeds = games.engine.seeds.copy()
        turn, outcome = games.step(choices(games.engine))
        over = outcome.terminated | outcome.truncated
        assert not (over & ended).any()
        new = games.engine.seeds != seeds
        assert np.array_equal(new, {SAME: over, NEXT: ended, NEVER: new & False}[mode])
        assert not outcome.rewards[ended].any()
        ended = over if mode is not NEVER else ended | over
        age = np.where(new, 0, age + 1)
        gone = ended if mode is not SAME else ended & False
        assert np.array_equal(turn.masks.any(axis=1), ~gone)
        assert np.array_equal(turn.learning, ~gone)
    assert ended.all() if mode is NEVER else (age < 40).any()


@pytest.mark.parametrize("mode", [NEXT, NEVER])
def test_actions_in_games_that_are_over_are_ignored(variant: str, mode: AutoresetMode) -> None:
    rules = quick(variant)
    one, other = (begun(rules, 16, autoreset_mode=mode) for _ in range(2))
    ignored = 0
    for _ in range(40):
        actions, over = choices(one.engine), one.engine.finished.copy()
        one.step(actions)
        other.step(np.where(over, -7, actions))
        assert everything(one.engine) == everything(other.engine)
        ignored += int(over.sum())
    assert ignored


def test_some_games_can_be_dealt_anew_by_hand(variant: str) -> None:
    rules = quick(variant)
    games, engine = begun(rules, 6, autoreset_mode=NEVER), dealt(rules, 6)
    for _ in range(3):
        while not engine.finished.all():
            actions = choices(engine)
            games.step(actions)
            engine.step(actions)
        engine.reset([4, 1])
        assert_shows(games.reset(rows=[4, 1]), engine, ~engine.finished)
        engine.reset()
        assert_shows(games.reset(), engine, ~engine.finished)


def test_a_reset_with_a_seed_starts_all_over(variant: str) -> None:
    rules = quick(variant)
    games = begun(rules, 5, seed=7, share=0.5)
    first, learners = tables(games.engine), games.learners.copy()
    for _ in range(30):
        games.step(choices(games.engine))
    games.reset(seed=7)
    assert tables(games.engine) == first
    assert np.array_equal(games.learners, learners)
    games.reset()
    assert tables(games.engine) != first
    games.reset(seed=game_seeds(7, 5)[[2, 0]], rows=[1, 3])
    now = tables(games.engine)
    assert [now[1], now[3]] == [first[2], first[0]]
    assert np.array_equal(games.learners[[1, 3]], learners[[2, 0]])


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_the_observation_is_the_one_asked_for(variant: str, observation: str) -> None:
    rules = quick(variant)
    games = begun(rules, 4, observation=observation)
    for _ in range(10):
        turn, _ = games.step(choices(games.engine))
        engine = games.engine
        expected = observer(rules, observation)(engine.look(engine.to_move))
        assert np.array_equal(turn.observations, expected)
        assert turn.observations.dtype == np.int8
        assert turn.observations.shape == (4, games.observer.size)


def test_what_a_step_returns_is_not_changed_later(variant: str) -> None:
    games = begun(quick(variant), 16, share=0.5, opponents=Random())
    told = [*vars(games.turn()).values()]
    for made in games.step(choices(games.engine)):
        told += vars(made).values()
    kept = [array.copy() for array in told]
    for _ in range(20):
        games.step(choices(games.engine))
    assert all(np.array_equal(now, then) for now, then in zip(told, kept, strict=True))


def test_shapes_and_types_are_those_of_the_documentation(rules: Rules) -> None:
    games = begun(rules, 5, share=0.5)
    turn, outcome = games.step(choices(games.engine))
    told = {**vars(turn), **vars(outcome)}
    rows, players = np.dtype(np.intp).name, rules.num_players
    assert {name: (array.dtype.name, *array.shape) for name, array in told.items()} == {
        "observations": ("int8", 5, games.observer.size),
        "masks": ("bool", 5, games.engine.num_actions),
        "seats": (rows, 5),
        "learning": ("bool", 5),
        "rewards": ("float32", 5, players),
        "terminated": ("bool", 5),
        "truncated": ("bool", 5),
        "scores": ("int32", 5, players),
        "winners": ("bool", 5, players),
        "learners": ("bool", 5, players),
    }


# The share of games in which policies play


def test_without_a_share_every_decision_is_the_learner_s(rules: Rules) -> None:
    games = begun(rules, 16)
    for _ in range(40):
        assert games.learners.all()
        assert games.turn().learning.all()
        games.step(choices(games.engine))


def test_opponents_that_would_play_in_no_game_are_refused() -> None:
    for words in (r"opponents='strong': with share=0 the learner", "give a share above 0"):
        with pytest.raises(ValueError, match=words):
            SelfPlayEnv("basic", 2, opponents="strong")
        with pytest.raises(ValueError, match=words):
            SelfPlayEnv("basic", 2).set_opponents("strong")


@modes
def test_in_shared_games_policies_play_all_seats_but_one_or_one(
    variant: str, mode: AutoresetMode
) -> None:
    policy, asked, ends = Last(), 0, 0
    options: dict[str, Any] = {"autoreset_mode": mode, "observation": PLAIN}
    games = begun(quick(variant), 16, share=1, opponents=policy, **options)
    engine = games.engine
    turn = games.turn()
    for _ in range(40):
        assert {*games.learners.sum(axis=1).tolist()} == {1, games.learners.shape[1] - 1}
        over = engine.finished.copy()
        own = games.learners[np.arange(16), engine.to_move]
        assert_shows(turn, engine, own & ~over)
        actions = np.where(turn.learning, choices(engine), 10**6)
        asked += int((~own & ~over).sum())
        expected, seeds = np.where(own, actions, last_legal(turn.masks)), engine.seeds.copy()
        given = actions.copy()
        turn, outcome = games.step(actions)
        assert np.array_equal(actions, given)
        ends += int((outcome.terminated | outcome.truncated).sum())
        same = ~over & (engine.seeds == seeds)
        assert np.array_equal(engine.last_action[same], expected[same])
    assert policy.asked == asked > 40
    assert ends


def test_each_of_the_policies_of_a_list_sits_alone_among_learners() -> None:
    games = SelfPlayEnv(
        "basic", 300, num_players=4, opponents=[Greedy(), Random(), Last()], share=1
    )
    games.reset(seed=1)
    seated = [[name for name in games._agents(row) if name != "learner"] for row in range(300)]
    alone = Counter(names[0] for names in seated if len(names) == 1)
    assert {*alone} == {"greedy", "random", "Last"}
    assert min(alone.values()) > 30


def test_the_seat_that_learns_stays_the_same_until_the_game_ends(variant: str) -> None:
    games = begun(quick(variant), 32, share=0.5, opponents=Random())
    changes = 0
    for _ in range(60):
        before = games.learners.copy()
        _, outcome = games.step(choices(games.engine))
        changed = (games.learners != before).any(axis=1)
        assert not changed[~(outcome.terminated | outcome.truncated)].any()
        changes += int(changed.sum())
    assert changes


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_the_share_of_games_is_the_one_asked_for_and_all_seats_learn_alike(
    variant: str, share: float
) -> None:
    rules, count = fitting(variant, num_players=4), 2000
    games = begun(rules, count, share=share, opponents=Random())
    for _ in range(2):
        some, players = games.learners.sum(axis=1), rules.num_players
        assert {*some.tolist()} == {1, players - 1, players}
        shared, alone = some < players, some == 1
        assert abs(shared.mean() - share) < 4 * (share * (1 - share) / count) ** 0.5
        if players > 2:  # of two, a learner always has one seat, and the others one
            assert abs(alone[shared].mean() - 0.5) < 2 / shared.sum() ** 0.5
        kinds = (alone, True), (shared & ~alone, False)
        for few, learns in kinds[: players - 1]:
            seats = (games.learners[few] == learns).mean(axis=0)
            even = 1 / players
            assert (abs(seats - even) < 4 * (even * (1 - even) / few.sum()) ** 0.5).all()
        games.reset()


def test_who_learns_depends_on_the_game_s_own_seed_alone(variant: str) -> None:
    rules, seeds = quick(variant), game_seeds(1, 100)
    pool = [(Random(), 1.0), (Last(), 2.0)]
    given: dict[str, Any] = {"share": 0.5, "opponents": pool}
    many = begun(rules, 100, seed=seeds, **given)
    rows = [99, 3, 57]
    few = begun(rules, 3, seed=seeds[rows], **given)
    seen = set()
    for _ in range(40):
        one, other = many.turn(), few.turn()
        assert np.array_equal(many.learners[rows], few.learners)
        for name, array in vars(one).items():
            assert np.array_equal(array[rows], getattr(other, name))
        seen |= {learners.tobytes() for learners in few.learners}
        many.step(choices(many.engine))
        few.step(choices(few.engine))
    assert len(seen) > 2


def test_the_cards_do_not_depend_on_the_share(variant: str) -> None:
    rules = quick(variant)
    alone, shared = begun(rules, 8), begun(rules, 8, share=0.7)
    assert tables(alone.engine) == tables(shared.engine)


def test_new_opponents_play_the_games_that_are_dealt_from_then_on(variant: str) -> None:
    rules = quick(variant)
    old, new = Last(), Last()
    games = begun(rules, 1, share=1, opponents=old, autoreset_mode=NEVER)
    games.set_opponents([(new, 1)])
    while not games.engine.finished.all():
        games.step(choices(games.engine))
    assert not new.asked
    asked = old.asked
    for _ in range(8):
        games.reset()
        while not games.engine.finished.all():
            games.step(choices(games.engine))
    assert old.asked == asked
    assert new.asked


def test_only_an_action_of_the_learner_can_be_illegal_and_then_nothing_is_changed(
    rules: Rules,
) -> None:
    games = begun(rules, 12, share=1, opponents=Greedy())
    turn = games.turn()
    while not turn.learning.any():
        turn, _ = games.step(np.full(12, -1))
    row = int(turn.learning.argmax())
    actions = np.where(turn.learning, choices(games.engine), -1)
    actions[row] = (~turn.masks[row]).argmax()
    before = everything(games.engine)
    with pytest.raises(IllegalAction, match=f"game {row}, seat {turn.seats[row]}"):
        games.step(actions)
    assert everything(games.engine) == before


def test_an_opponent_that_breaks_the_rules_is_named_as_such(rules: Rules) -> None:
    games = begun(rules, 12, share=1, opponents=Again())
    told = "opponent 'Again' breaks the rules, not the learner"
    with pytest.raises(IllegalAction, match=told):  # noqa: PT012
        while True:
            games.step(choices(games.engine))


# What is refused


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"share": 2}, "share=2: give a number from 0 to 1"),
        ({"share": -0.1}, "share=-0.1: give a number from 0 to 1"),
        ({"share": float("nan")}, "share=nan: give a number from 0 to 1"),
        ({"share": "half"}, "share='half': give a number from 0 to 1"),
        ({"share": None}, "share=None: give a number from 0 to 1"),
        ({"opponents": "nobody"}, "nobody.*greedy"),
        ({"opponents": []}, r"opponents=\[\]"),
        ({"opponents": ["greedy"] * 3}, "3 given for 1 other seats"),
        ({"opponents": [("greedy", 0)]}, "weight of 'greedy'=0"),
        ({"seats": 3}, "seats.*the environment's own are .*share"),
        ({"hand_size": 90}, "hand_size=90"),
        ({"num_envs": 0}, "num_envs=0"),
        ({"seed": [1, 2, 3]}, r"seeds=\[1, 2, 3\]: give one whole number"),
        ({"observation": "everything"}, "observation='everything'.*outs"),
        ({"autoreset_mode": "sometimes"}, "sometimes"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SelfPlayEnv("basic", **{"num_envs": 2, **given})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"opponents": 3}, "agent 3 has no method act"),
        ({"observation": 3}, "observation 3 has no size"),
    ],
)
def test_what_is_no_policy_and_no_observer_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        SelfPlayEnv("basic", 2, **given)


def test_opponents_that_are_none_replace_nobody() -> None:
    games = begun(quick("basic"), 4, share=1, opponents=Greedy())
    with pytest.raises(ValueError, match="nobody"):
        games.set_opponents("nobody")
    for _ in range(20):
        games.step(choices(games.engine))


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        (np.zeros(3, np.int64), ValueError, r"shape \(3,\).*\(4,\)"),
        (np.zeros((4, 1), np.int64), ValueError, r"shape \(4, 1\).*\(4,\)"),
        (np.zeros(4), TypeError, "float64"),
        (np.full(4, -1), IllegalAction, "action -1"),
    ],
)
def test_actions_of_another_kind_are_refused(
    actions: Any, error: type[Exception], words: str
) -> None:
    games = begun(rummy_env.rules("basic"), 4)
    before = everything(games.engine)
    with pytest.raises(error, match=words):
        games.step(actions)
    assert everything(games.engine) == before


@pytest.mark.parametrize("share", [0, 1])
def test_nothing_can_be_done_before_reset(variant: str, share: int) -> None:
    games = SelfPlayEnv(variant, 2, share=share)
    for act in (games.turn, lambda: games.step([0, 0])):
        with pytest.raises(ValueError, match="call reset"):
            act()


@pytest.mark.parametrize("rows", [[0.5], [True, False], [[0]]])
def test_rows_are_whole_numbers(rows: Any) -> None:
    games = begun(rummy_env.rules("basic"), 2)
    before = everything(games.engine)
    with pytest.raises(ValueError, match=r"rows of shape .*: give the numbers of games"):
        games.reset(rows=rows)
    assert everything(games.engine) == before


@pytest.mark.parametrize("wrong", [{"opponents": "nobody"}, {"observation": "all"}])
def test_no_file_is_made_for_games_that_are_refused(wrong: dict[str, Any], tmp_path: Path) -> None:
    given: dict[str, Any] = {"opponents": "random", "record": tmp_path / "games.jsonl", **wrong}
    for made in (SelfPlayEnv, LearnerGames):
        with pytest.raises(ValueError, match=r"'nobody'|'all'"):
            made(rummy_env.rules("basic"), 2, **given)
    assert not [*tmp_path.iterdir()]


def test_games_without_a_seed_differ_from_one_batch_to_the_next() -> None:
    for made in (SelfPlayEnv, partial(LearnerGames, opponents="random")):
        games: Any = [made(rummy_env.rules("basic"), 2, seed=seed) for seed in (None, None, 3, 3)]
        for each in games:
            each.reset()
        one, other, third, equal = (each.engine.seeds for each in games)
        assert not (one == other).any()
        assert (third == equal).all()


def test_options_of_the_variant_are_taken() -> None:
    games = SelfPlayEnv("basic", 2, num_players=3, hand_size=4)
    assert games.engine.rules == rummy_env.rules("basic", num_players=3, hand_size=4)
    assert games.num_envs == 2
    with pytest.raises(ValueError, match="hand_size"):
        SelfPlayEnv(rummy_env.rules("basic"), 2, hand_size=4)


class OutOfBounds:
    """An observer of somebody's own whose numbers are not those that it declares."""

    size = 1

    def __init__(self, rules: Rules) -> None:
        self.asked: list[int] = []

    def layout(self) -> list[Any]:
        """One number."""
        return [("a", 0, 1, "a number")]

    def __call__(self, view: SeatView) -> np.ndarray:
        self.asked.append(len(view))
        return np.full((len(view), 1), 7, np.int8)


def test_no_observer_is_asked_about_no_game_and_the_first_numbers_are_checked() -> None:
    made = OutOfBounds(rummy_env.rules("gin"))
    env = SelfPlayEnv("gin", 1, opponents="random", share=1.0, seed=0, observation=made)
    turn = env.reset()
    assert not turn.learning.any()
    assert made.asked == []
    with pytest.raises(ValueError, match="answers numbers from 7 to 7"):
        first_choice(env, turn)


def first_choice(env: SelfPlayEnv, turn: Turn) -> Turn:
    """Play on until the learner has something to choose."""
    while not turn.learning.any():
        turn, _ = env.step(turn.masks.argmax(axis=1))
    return turn
