"""Masks as environments give them, of whole numbers or floats, and lists are as good as flags."""

import numpy as np
import pytest

import rummy_env
from rummy_env.baselines import resolve
from rummy_env.baselines.policies import BASELINES, playing
from rummy_env.core.actions import choose
from rummy_env.core.arrays import Rows
from rummy_env.core.engine import Engine
from rummy_env.search import Search
from tests.rollout import dealt

STEPS = (0, 7, 20)


def moments(variant: str) -> list[Engine]:
    return [dealt(rummy_env.rules(variant), 64, steps=steps) for steps in STEPS]


def chosen(policy: object, engine: Engine, kind: str) -> Rows:
    """What a policy plays where games are not over, if its mask is lists, or of this dtype."""
    rows = engine.running
    view = engine.look(engine.to_move.take(rows), rows)
    legal = engine.legal_mask(rows)
    mask = legal.tolist() if kind == "list" else legal.astype(kind)
    actions: Rows = policy.act(view, mask, engine.random(rows))  # type: ignore[attr-defined]
    assert engine.is_legal(actions, rows).all()
    return actions


def test_every_agent_of_the_package_plays_the_same_by_any_mask(variant: str) -> None:
    rules = rummy_env.rules(variant)
    for name in playing(rules, [name for name in BASELINES if name != "lookahead"]):
        policy = resolve(name, rules)
        for engine in moments(variant):
            by_flags = chosen(policy, engine, "bool")
            for kind in ("int8", "float32", "list"):
                assert np.array_equal(chosen(policy, engine, kind), by_flags), (name, kind)


@pytest.mark.parametrize("base", ["greedy", "trained"])
def test_a_search_weighs_the_same_by_any_mask(base: str) -> None:
    search = Search(base, worlds=2, candidates=2)
    engine = dealt(rummy_env.rules("gin"), 6, steps=7)
    assert np.array_equal(chosen(search, engine, "int8"), chosen(search, engine, "bool"))


@pytest.mark.parametrize("uniform", [1.0, -0.5, np.nan])
def test_numbers_that_are_no_draws_are_refused(uniform: float) -> None:
    mask = dealt(rummy_env.rules("gin"), 3).legal_mask()
    with pytest.raises(ValueError, match="give numbers from 0 to 1, 1 excluded"):
        choose(mask, np.full(3, uniform))


@pytest.mark.parametrize("draws", [1, 2, 4])
def test_there_is_one_draw_for_each_game(draws: int) -> None:
    mask = dealt(rummy_env.rules("gin"), 3).legal_mask()
    says = rf"a mask of shape \(3, {mask.shape[1]}\) and uniforms of shape \({draws},\)"
    with pytest.raises(ValueError, match=says):
        choose(mask, np.zeros(draws))
    with pytest.raises(ValueError, match=r"give \(N, A\) and \(N,\)"):
        choose(mask[0], np.zeros(1))
