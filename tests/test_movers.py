"""What moves, conditions and endings are told of the seats to move: always what is true now."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
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
        for name in ("hand", "cards", "hand_size", "taken_held", "beside_taken"):
            assert np.array_equal(getattr(movers, name), getattr(now, name)), name
        assert all(map(np.array_equal, movers.decks, now.decks))
        return np.zeros_like(now.hand, np.bool_)


def test_a_hand_ends_where_an_ending_returns_a_flag_of_pythons() -> None:
    rules = rummy_env.rules("basic", num_players=2)
    usual, other = (
        dealt(replace(rules, endings=end), 1) for end in (rules.endings, (NothingLeft(),))
    )
    while not usual.finished.all():
        action = usual.random_actions()
        for engine in (usual, other):
            engine.step(action)
        assert everything(usual) == everything(other)
        assert np.array_equal(usual.rewards, other.rewards)


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
