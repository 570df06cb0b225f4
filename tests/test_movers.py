"""What moves, conditions and endings are told of the seats to move: always what is true now."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.baselines import Greedy
from rummy_env.baselines.asking import ask
from rummy_env.core.arrays import Bools
from rummy_env.core.movers import Movers
from rummy_env.core.part import Ending
from tests.rollout import dealt, everything, fitting


@dataclass(frozen=True)
class NothingLeft(Ending):
    """As `EmptiedHand`, by a comparison that is a flag of Python's for a single game."""

    lean = True

    def ends(self, movers: Movers) -> Bools:
        empty: Bools = movers.hand_size == 0
        return empty


@dataclass(frozen=True)
class Asking(Ending):
    """Never ends a hand; compares what it is told with the hands on the table."""

    lean = True

    def ends(self, movers: Movers) -> Bools:
        now = Movers(movers.state, movers.rows)
        for name in ("hand", "hand_size", "taken_held", "beside_taken"):
            assert np.array_equal(getattr(movers, name), getattr(now, name)), name
        assert all(map(np.array_equal, movers.decks, now.decks))
        return np.zeros_like(now.hand, np.bool_)


def test_a_hand_ends_where_an_ending_returns_a_flag_of_pythons() -> None:
    rules = rummy_env.rules("basic", num_players=2)
    other = replace(rules, endings=(NothingLeft(),))
    emptied = 0
    for seed in range(4):
        pair = [dealt(each, 1, seed=seed) for each in (rules, other)]
        while not pair[0].finished.all():
            action = ask(pair[0], Greedy(), np.arange(1))
            for engine in pair:
                engine.step(action)
            assert everything(pair[0]) == everything(pair[1])
            assert np.array_equal(pair[0].rewards, pair[1].rewards)
        emptied += (pair[0].state.hands == 0).any()
    assert emptied


def told(movers: Movers) -> list[bytes]:
    """All that is worked out from the hands."""
    names = ("hand_size", "taken_held", "beside_taken", "size_beside_taken", "decks")
    return [np.asarray(getattr(movers, name)).tobytes() for name in ("hand", *names)]


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("single", [True, False])
def test_what_was_asked_before_a_change_is_told_anew_after_it(decks: int, single: bool) -> None:
    state = dealt(fitting("rummy_cards", decks=decks), 4).state
    rows: Any = np.intp(1) if single else np.arange(4)
    movers = Movers(state, rows)
    before = told(movers)
    movers.gain(state.pop_stock(rows))
    gained = told(movers)
    assert gained == told(Movers(state, rows)) != before
    movers.lose(movers.hand & (~movers.hand + np.uint64(1)))
    assert told(movers) == told(Movers(state, rows)) != gained


@pytest.mark.parametrize("num_envs", [1, 16])
@pytest.mark.parametrize(
    "rules",
    [
        fitting("basic"),
        fitting("gin", preset="openspiel"),
        fitting("gin", wall="knock"),
        fitting("rummy_cards", decks=2),
    ],
    ids=lambda rules: str(dict(rules.options)),
)
def test_after_a_move_the_hand_is_told_anew(rules: Rules, num_envs: int) -> None:
    asking = replace(rules, endings=(*rules.endings, Asking()))
    engine = Engine(asking, num_envs, seed=3)
    engine.reset()
    for _ in range(120):
        engine.reset(engine.finished.nonzero()[0])
        engine.step(engine.random_actions())
    assert engine.state.decisions.sum() > 0
