"""What decisions of self-play were worth, against sums made seat by seat in plain Python."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete

from rummy_env import Engine, Rules
from rummy_env.core.arrays import Bools, Float32s
from tests.conftest import few_or_all, label, side_by_side
from tests.policies import chosen
from tests.rollout import fitting
from training.decisions import Course, Decisions, advantages

GAMES, STEPS = 12, 90

RULES = [
    fitting("basic", num_players=2, hand_size=3),
    fitting("basic", num_players=3, hand_size=3, match="match", deals=3, max_turns=9),
    fitting("basic", num_players=6, hand_size=2, reward="points"),
    fitting("gin", knock_card=60),
    fitting("gin", knock_card=70, match="match", deals=3, reward="points"),
    fitting("going_out", num_players=2, hand_size=3, match="match", deals=2),
    fitting("going_out", num_players=4, hand_size=2),
]

over_rules = pytest.mark.parametrize("rules", RULES, ids=label)


@cache
def played(rules: Rules) -> Course:
    """Some steps of games that are under way, played at random and greedily by turns.

    A quarter of the games has one learner; its seat is another in every row.
    """
    engine = Engine(rules, GAMES, seed=6)
    engine.reset()
    learners = np.ones((GAMES, rules.num_players), np.bool_)
    for row in range(0, GAMES, 4):
        learners[row] = np.arange(rules.num_players) == row % rules.num_players
    rows, steps = np.arange(GAMES), []
    for step in range(17 + STEPS):
        seats = engine.to_move.astype(np.intp)
        chose = (engine.legal_mask().sum(axis=1) > 1) & learners[rows, seats]
        engine.step(chosen(engine))
        ended = engine.finished
        if step >= 17:
            steps.append((seats, chose, engine.rewards.copy(), ended))
        engine.reset(ended.nonzero()[0])
    return Course(*map(np.array, zip(*steps, strict=True)))


def guessed(course: Course, seed: int = 2) -> Float32s:
    """Values of all steps, those of no decision among them, which count for nothing."""
    return np.random.default_rng(seed).normal(0, 3, course.chose.shape).astype(np.float32)


class Game(NamedTuple):
    """A game, or what of it lies in the block."""

    row: int
    steps: range
    over: bool


def games_of(course: Course) -> Iterator[Game]:
    """The games of a block, one after the other in every row."""
    for row, ended in enumerate(course.ended.T.tolist()):
        first = 0
        for step, over in enumerate(ended):
            if over:
                yield Game(row, range(first, step + 1), True)
                first = step + 1
        yield Game(row, range(first, len(ended)), False)


def decided(course: Course, game: Game) -> dict[int, list[int]]:
    """The steps in which each seat of a game decides; not of seats that never do."""
    found: dict[int, list[int]] = defaultdict(list)
    for step in game.steps:
        if course.chose[step, game.row]:
            found[int(course.seats[step, game.row])].append(step)
    return found


def paid(course: Course, game: Game, seat: int, steps: range) -> float:
    """What a seat is paid in some steps."""
    return sum(float(course.rewards[step, game.row, seat]) for step in steps)


def slowly(
    course: Course, values: Float32s, gamma: float, gae_lambda: float
) -> dict[tuple[int, int], float]:
    """The advantages of the decisions of which it is known what came of them, by step and row."""
    found: dict[tuple[int, int], float] = {}
    for game in games_of(course):
        for seat, steps in decided(course, game).items():
            worth = {step: float(values[step, game.row]) for step in steps}
            if game.over:
                steps.append(game.steps.stop)
                worth[game.steps.stop] = 0.0
            later = 0.0
            for step, following in reversed([*pairwise(steps)]):
                pay = paid(course, game, seat, range(step, following))
                gain = pay + gamma * worth[following] - worth[step]
                later = gain + gamma * gae_lambda * later
                found[step, game.row] = later
    return found


def fast(course: Course, values: Float32s, gamma: float, gae_lambda: float) -> dict[Any, float]:
    """The same, as training works it out."""
    gains, known = advantages(course, values, gamma=gamma, gae_lambda=gae_lambda)
    assert (gains.dtype.name, known.dtype.name) == ("float32", "bool")
    assert gains.shape == known.shape == course.chose.shape
    assert not (known & ~course.chose).any()
    return {(step, row): float(gains[step, row]) for step, row in np.argwhere(known).tolist()}


def near(numbers: dict[Any, float]) -> Any:
    """Numbers that float32 comes close to."""
    return pytest.approx(numbers, rel=1e-4, abs=1e-4)


DISCOUNTS = [(1.0, 1.0), (1.0, 0.0), (0.0, 0.7), (0.99, 0.95), (0.8, 0.4), (1.0, 0.9), (0.5, 1.0)]


@few_or_all("rules, discounts", few=side_by_side(RULES, DISCOUNTS), every=product(RULES, DISCOUNTS))
def test_advantages_are_those_that_sums_seat_by_seat_give(
    rules: Rules, discounts: tuple[float, float]
) -> None:
    gamma, gae_lambda = discounts
    course = played(rules)
    values = guessed(course)
    slow = slowly(course, values, gamma, gae_lambda)
    assert fast(course, values, gamma, gae_lambda) == near(slow)


@over_rules
def test_a_decision_is_worth_what_its_seat_is_paid_from_then_on(rules: Rules) -> None:
    course = played(rules)
    expected: dict[tuple[int, int], float] = {}
    for game in games_of(course):
        for seat, steps in decided(course, game).items():
            end = game.steps.stop if game.over else steps.pop()
            for step in steps:
                expected[step, game.row] = paid(course, game, seat, range(step, end))
    assert fast(course, np.zeros(course.chose.shape, np.float32), 1, 1) == near(expected)
    assert any(expected.values())


def test_the_play_has_all_that_a_block_can_have() -> None:
    met = set()
    for course in map(played, RULES):
        seats = set(range(course.rewards.shape[2]))
        for game in games_of(course):
            steps = decided(course, game)
            met.add("over" if game.over else "goes on")
            met |= {"never decides"} if game.over and seats - steps.keys() else set()
            met |= {"several games"} if game.over and game.steps.start else set()
            hands = course.rewards[game.steps.start : game.steps.stop - 1, game.row]
            met |= {"paid while it goes on"} if hands.any() else set()
        met |= {"forced"} if not course.chose.all() else set()
        ends = course.ended.nonzero()
        others = np.arange(len(seats)) != course.seats[ends][:, None]
        met |= {"others are paid at the end"} if (course.rewards[ends] * others).any() else set()
        still = ~course.ended[-1] & course.chose[-1]
        met |= {"open in the last step"} if still.any() else set()
    assert met == {
        *("over", "goes on", "never decides", "several games", "paid while it goes on"),
        *("forced", "others are paid at the end", "open in the last step"),
    }


def drawn(seats: str, chose: str, ended: str, rewards: dict[int, tuple[float, float]]) -> Course:
    """A block of one game of two, step by step: `"0011"`, `"xx.x"`, `"...x"`."""
    steps = len(seats)
    course = Course(
        np.array([[int(seat)] for seat in seats]),
        np.array([[mark == "x"] for mark in chose]),
        np.zeros((steps, 1, 2), np.float32),
        np.array([[mark == "x"] for mark in ended]),
    )
    for step, pay in rewards.items():
        course.rewards[step, 0] = pay
    return course


def column(*numbers: float) -> Float32s:
    return np.array(numbers, np.float32)[:, None]


def test_a_game_that_ends_pays_last_decisions_of_both_seats() -> None:
    course = drawn("0110", "xxxx", "...x", {3: (2, -2)})
    found = fast(course, column(1, 10, 100, 1000), 0.5, 0.5)
    second = -2 - 100
    assert found == near(
        {
            (0, 0): 500 - 1 + 0.25 * (2 - 1000),
            (1, 0): 50 - 10 + 0.25 * second,
            (2, 0): second,
            (3, 0): 2 - 1000,
        }
    )


def test_forced_moves_are_passed_over_and_what_they_are_paid_is_not() -> None:
    course = drawn("0101", "x..x", "....", {0: (1, 8), 1: (2, 16), 2: (4, 32), 3: (64, 128)})
    assert fast(course, column(5, 7, 7, 9), 1, 1) == {}
    course = drawn("01010", "x...x", ".....", {0: (1, 8), 1: (2, 16), 2: (4, 32), 3: (64, 128)})
    assert fast(course, column(5, 7, 7, 7, 11), 0.5, 1) == near({(0, 0): 71 + 5.5 - 5})


def test_an_open_decision_gives_its_value_and_no_more() -> None:
    course = drawn("000", "xxx", "...", {1: (1, 0), 2: (1000, 0)})
    found = fast(course, column(3, 5, 7), 1, 0.5)
    assert found == near({(1, 0): 1 + 7 - 5, (0, 0): 5 - 3 + 0.5 * (1 + 7 - 5)})


def test_nothing_passes_from_a_game_to_the_one_before_it() -> None:
    one = drawn("01", "xx", ".x", {1: (3, 4)})
    two = drawn("0101", "xxxx", ".x..", {1: (3, 4), 2: (50, 60), 3: (70, 80)})
    values = column(1, 2, 1000, 1000)
    assert fast(two, values, 0.9, 0.9) == fast(one, values[:2], 0.9, 0.9)


def test_the_end_is_known_to_a_seat_that_only_others_move_after() -> None:
    course = drawn("0111", "xxxx", "...x", {3: (-6, 6)})
    assert fast(course, column(0, 0, 0, 0), 1, 1)[0, 0] == -6


def test_rows_do_not_depend_on_each_other() -> None:
    course = played(RULES[1])
    values = guessed(course)
    whole = advantages(course, values, gamma=0.9, gae_lambda=0.8)
    for row in range(GAMES):
        some = slice(row, row + 1)
        alone = replace(course, **{name: array[:, some] for name, array in vars(course).items()})
        found = advantages(alone, values[:, some], gamma=0.9, gae_lambda=0.8)
        assert all(np.array_equal(a[:, some], b) for a, b in zip(whole, found, strict=True))


def test_the_course_is_left_as_it_was() -> None:
    course = played(RULES[0])
    before = {name: array.copy() for name, array in vars(course).items()}
    advantages(course, guessed(course), gamma=0.9, gae_lambda=0.8)
    assert all(np.array_equal(array, before[name]) for name, array in vars(course).items())


@pytest.mark.parametrize(("batch_size", "batches"), [(None, 1), (4, 5), (1000, 1), (7, 3), (1, 10)])
def test_every_decision_is_learned_from_once_with_all_that_belongs_to_it(
    batch_size: int | None, batches: int
) -> None:
    count = np.arange(20)
    numbers = count.astype(np.float32)
    masks: Bools = count[:, None] >= np.arange(3)
    box = Box(0, 127, (2,), np.int8)
    buffer = Decisions(1, box, Discrete(3), device="cpu")
    assert not buffer.full
    observations = np.stack([count, count + 20], axis=1).astype(np.int8)
    buffer.fill(observations, masks, count + 1, numbers - 100, numbers * 2, numbers * 3)
    assert buffer.full
    assert np.array_equal(buffer.returns, numbers * 5)
    some = [*buffer.get(batch_size)]
    assert len(some) == batches
    seen = np.concatenate([each.observations[:, 0].numpy() for each in some])
    assert sorted(seen.tolist()) == count.tolist()
    for each in some:
        own = each.observations[:, 0].numpy()
        assert np.array_equal(each.observations[:, 1].numpy(), own + 20)
        assert np.array_equal(each.actions.numpy(), own[:, None] + 1)
        assert np.array_equal(each.old_log_prob.numpy(), own - 100.0)
        assert np.array_equal(each.old_values.numpy(), own * 2.0)
        assert np.array_equal(each.advantages.numpy(), own * 3.0)
        assert np.array_equal(each.returns.numpy(), own * 5.0)
        assert np.array_equal(each.action_masks.numpy(), masks[own])
    buffer.reset()
    assert not buffer.full
