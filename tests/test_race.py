"""Moves compared in the same worlds: who drops out, who leads, and how surely."""

from typing import Any

import numpy as np
import pytest

from rummy_env.search import Race
from rummy_env.search.race import played_by_round

LUCK = np.random.default_rng(1).normal(0, 10, (3, 64)).astype(np.float32)
"""What a world brings to every move of a race alike."""


def run(race: Race, worth: np.ndarray, noise: float = 1.0) -> int:
    """Plays a race to its end and returns the rounds; move k brings its worth, luck and noise."""
    rng, rounds = np.random.default_rng(2), 0
    while not race.over:
        rows, moves, world = race.next_round()
        own = noise * rng.normal(size=len(rows))
        race.note(rows, moves, world, LUCK[rows, world] + worth[rows, moves] + own)
        rounds += 1
    return rounds


def test_rounds_double_the_worlds_and_end_with_the_last_one() -> None:
    race = Race(np.ones((1, 2), np.bool_), worlds=50, drop=1e9)
    played = []
    while not race.over:
        rows, moves, world = race.next_round()
        assert sorted(zip(moves.tolist(), world.tolist(), strict=True)) == [
            (move, number) for move in (0, 1) for number in range(race.played, int(world.max()) + 1)
        ]
        race.note(rows, moves, world, np.zeros(len(rows), np.float32))
        played.append(race.played)
    assert played == [8, 16, 32, 50]


def test_each_round_has_as_many_worlds_as_all_before() -> None:
    assert played_by_round(64) == [8, 16, 32, 64]
    assert played_by_round(20) == [8, 16, 20]
    assert played_by_round(2) == [2]


def test_a_move_far_behind_drops_out_and_is_not_played_again() -> None:
    race = Race(np.ones((1, 3), np.bool_), worlds=64)
    worth = np.array([[0.0, 0.1, -30.0]])
    rows, moves, world = race.next_round()
    race.note(rows, moves, world, LUCK[rows, world] + worth[rows, moves] + 0.01 * world)
    assert race.running.tolist() == [[True, True, False]]  # without noise the difference is sure
    assert set(race.next_round()[1].tolist()) == {0, 1}  # the first move is the one to beat
    assert race.leaders().tolist() == [1]


def test_the_move_to_beat_is_seldom_beaten_by_worse_ones() -> None:
    """With seven rivals that are a point worse, and noise of its own for each move and world."""
    count, rng = 200, np.random.default_rng(5)
    base = np.arange(count) % 8
    race = Race(np.ones((count, 8), np.bool_), worlds=1024, base=base)
    while not race.over:
        rows, moves, world = race.next_round()
        race.note(rows, moves, world, (moves == base[rows]) + 10 * rng.standard_normal(len(rows)))
    assert race.running[np.arange(count), base].all()
    best, (ahead, error) = race.leaders(), race.ahead(base)
    beaten = ahead[np.arange(count), best] > error[np.arange(count), best]
    assert beaten.mean() < 0.05  # where the move to beat dropped out like others, one in seven


def test_luck_that_all_moves_share_does_not_count() -> None:
    race = Race(np.ones((3, 2), np.bool_), worlds=64, drop=1e9)
    worth = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    run(race, worth)
    ahead, error = race.ahead(np.zeros(3, np.intp))
    assert np.abs(ahead[:, 1] - [1.0, -1.0, 0.0]).max() < 4 * error[:, 1].max()
    assert (error[:, 1] < 0.3).all()  # under luck of 10 it would be 1.8
    assert (ahead[:, 0] == 0).all()
    assert (error[:, 0] == 0).all()


def test_the_error_is_that_of_the_mean_of_the_differences() -> None:
    race = Race(np.ones((1, 2), np.bool_), worlds=8, drop=1e9)
    rows, moves, world = race.next_round()
    gains = np.where(moves == 1, 3.0 * (world % 2), 0.0)
    race.note(rows, moves, world, gains)
    ahead, error = race.ahead(np.zeros(1, np.intp))
    differences = np.array([0, 3] * 4)
    assert ahead[0, 1] == pytest.approx(differences.mean())
    assert error[0, 1] == pytest.approx(differences.std(ddof=1) / np.sqrt(8))


def test_a_race_without_choice_takes_no_worlds() -> None:
    entered = np.array([[True, False], [True, True]])
    race = Race(entered, worlds=8)
    rows, moves, _ = race.next_round()
    assert set(rows.tolist()) == {1}
    assert set(moves.tolist()) == {0, 1}
    assert Race(entered[:1], worlds=8).over


def test_the_better_move_wins_as_a_rule_and_the_worse_one_drops_out() -> None:
    count = 200
    race = Race(np.ones((count, 2), np.bool_), worlds=64)
    worth, rng = np.tile([1.0, 0.0], (count, 1)), np.random.default_rng(3)
    while not race.over:
        rows, moves, world = race.next_round()
        luck = np.sin(1.0 + rows * 64 + world) * 10
        race.note(rows, moves, world, luck + worth[rows, moves] + rng.normal(0, 2, len(rows)))
    assert (race.leaders() == 0).mean() > 0.9
    assert (race.running.sum(axis=1) == 1).mean() > 0.5


def test_moves_are_compared_in_the_worlds_that_both_were_tried_out_in() -> None:
    race = Race(np.ones((1, 3), np.bool_), worlds=32)
    worth = np.array([[0.0, -20.0, 0.2]])  # the second drops out in the first round
    run(race, worth)
    assert race.running.tolist()[0][1] is False
    assert race.played == 32
    ahead, error = race.ahead(np.zeros(1, np.intp))
    assert np.abs(ahead[0] - [0, -20, 0.2]).max() < 2
    assert 0 < error[0, 1] < 1
    few, all_luck = LUCK[0, :8].mean(), LUCK[0, :32].mean()
    assert race.means()[0] == pytest.approx([all_luck, few - 20, all_luck + 0.2], abs=1.5)


def test_if_drop_is_infinite_none_drops_out() -> None:
    race = Race(np.ones((1, 2), np.bool_), worlds=16, drop=np.inf)
    assert run(race, np.array([[0.0, -1000.0]]), noise=0.0) == 2
    assert race.running.all()
    assert race.ahead(np.zeros(1, np.intp))[0].tolist() == [[0, -1000]]


@pytest.mark.parametrize("base", [-1, 3, [0, 3]])
def test_a_move_to_beat_that_is_none_is_refused(base: Any) -> None:
    with pytest.raises(ValueError, match="give the numbers of moves, below 3"):
        Race(np.ones((2, 3), np.bool_), worlds=8, base=base)


@pytest.mark.parametrize("base", [[[0], [1]], [0.0, 1.0], 0.5, [0, 1, 2], True])
def test_a_move_to_beat_that_is_no_number_for_each_race_is_refused(base: Any) -> None:
    with pytest.raises(ValueError, match="give the number of a move, or one for each race"):
        Race(np.ones((2, 3), np.bool_), worlds=8, base=base)


def test_a_move_to_beat_takes_part_itself() -> None:
    entered = np.array([[True, True], [False, True], [False, False]])
    with pytest.raises(ValueError, match="base=0 does not take part in race 1: give one that does"):
        Race(entered, worlds=8, base=0)
    assert not Race(entered, worlds=8, base=1).over


def test_a_race_without_worlds_is_refused() -> None:
    with pytest.raises(ValueError, match="worlds=0: give a whole number from 1"):
        Race(np.ones((1, 2), np.bool_), worlds=0)


@pytest.mark.parametrize("drop", [-1, 0, np.nan])
def test_an_impossible_drop_is_refused(drop: float) -> None:
    with pytest.raises(ValueError, match=r"drop=.*: give standard errors above 0"):
        Race(np.ones((1, 2), np.bool_), worlds=8, drop=drop)


def test_a_gain_that_is_no_number_is_refused_and_leads_nowhere() -> None:
    race = Race(np.ones((1, 2), np.bool_), worlds=8)
    rows, moves, world = race.next_round()
    with pytest.raises(ValueError, match="the gain of game 8 is nan: give finite numbers"):
        race.note(rows, moves, world, np.where(moves == 1, np.nan, 0.0))
    assert race.means().tolist() == [[0, 0]]


def test_gains_of_all_seats_are_refused() -> None:
    race = Race(np.ones((1, 2), np.bool_), worlds=8)
    rows, moves, world = race.next_round()
    with pytest.raises(ValueError, match=r"gains of shape \(16, 2\): give one per game, \(16,\)"):
        race.note(rows, moves, world, np.zeros((16, 2), np.float32))


@pytest.mark.parametrize("entered", [[[1, 1]], np.array([True, True]), np.ones((1, 2))])
def test_who_takes_part_is_told_by_flags(entered: Any) -> None:
    with pytest.raises(ValueError, match=r"entered of shape .*: give bool\[N, K\]"):
        Race(entered, 8)
