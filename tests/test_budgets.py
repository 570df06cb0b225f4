"""What search adds: `benchmarks/search.py`."""

from pathlib import Path

import numpy as np
import pytest

import rummy_env
from agents.labels import positions
from benchmarks import search
from benchmarks.search import Budget, Curve, Found, Settings
from rummy_env import Engine
from rummy_env.baselines import Greedy
from rummy_env.evaluation.statistics import Estimate
from rummy_env.search import Search

COUNT, STOCKS = 12, 16


@pytest.fixture(name="tables", scope="module")
def _tables() -> Engine:
    """Games of gin, each before a choice."""
    rules = rummy_env.rules("gin")
    engine = Engine(rules, COUNT)
    engine.lay(positions(rules, Greedy(), COUNT, seed=3))
    return engine


def found(own: np.ndarray, leading: np.ndarray) -> Found:
    """A search of one round."""
    nothing = np.zeros((1, len(own)))
    return Found(own, leading[None], nothing, nothing.sum(axis=1))


def test_rounds_are_those_of_searches_with_fewer_worlds(tables: Engine) -> None:
    most = search.search_through(Search(Greedy(), worlds=16), tables)
    fewer = search.search_through(Search(Greedy(), worlds=8), tables)
    assert most.leading.shape == (2, COUNT)
    assert (most.leading[0] == fewer.leading[0]).all()
    assert (most.sure[0] == fewer.sure[0]).all()
    assert most.seconds[0] <= most.seconds[1]


def test_the_move_that_leads_is_the_one_that_the_search_plays(tables: Engine) -> None:
    player = Search(Greedy(), worlds=32, gate=0.0, drop=0.5)  # many moves drop out
    measured = search.search_through(player, tables)
    view, masks = tables.look(tables.to_move), tables.legal_mask()
    played = player.act(view, masks, tables.random())
    led = np.where(measured.sure[-1] > 0, measured.leading[-1], measured.own)
    assert (led == played).all()
    assert (played != measured.own).any()


def test_the_same_move_adds_nothing_and_exchanged_moves_lose_what_they_won(tables: Engine) -> None:
    masks = tables.legal_mask()
    first, last = masks.argmax(axis=1), masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    same = search.gains(Greedy(), tables, found(first, first), STOCKS, 1)
    there = search.gains(Greedy(), tables, found(first, last), STOCKS, 1)
    back = search.gains(Greedy(), tables, found(last, first), STOCKS, 1)
    assert (same == 0).all()
    assert (there != 0).any()
    assert (there == -back).all()


@pytest.mark.parametrize("variant", ["basic", "going_out", "rummy_cards"])
def test_moves_are_compared_on_the_very_tables_but_for_the_order_of_the_stock(variant: str) -> None:
    rules = rummy_env.rules(variant)
    drawn = positions(rules, Greedy(), COUNT, every=32, seed=3)
    again = search.restocked(drawn.copy(), np.arange(1, COUNT + 1, dtype=np.uint64))
    before, after = dict(drawn.arrays()), dict(again.arrays())
    assert {name for name in before if (before[name] != after[name]).any()} == {"seed", "stock"}
    for row, (begin, end) in enumerate(zip(drawn.stock_at, drawn.stock_end, strict=True)):
        stocks = drawn.stock[row], again.stock[row]
        assert sorted(stocks[0][begin:end]) == sorted(stocks[1][begin:end])
        assert (
            np.delete(stocks[0], np.s_[begin:end]) == np.delete(stocks[1], np.s_[begin:end])
        ).all()


def test_a_stock_whose_order_is_known_stays(tables: Engine) -> None:
    known = tables.state.copy()
    known.stock_open[:] = True
    seeds = np.arange(1, COUNT + 1, dtype=np.uint64)
    assert (search.restocked(known.copy(), seeds).stock == known.stock).all()


def test_a_decision_that_is_not_changed_adds_nothing() -> None:
    given = Settings(variant="gin", base="greedy", positions=4, worlds=8, truth=2, gates=(1e6,))
    (budget,) = search.measure(given).budgets
    assert budget.changed == (0.0,)
    assert budget.added == (Estimate(0.0, 0.0, 0.0),)


def test_a_curve_is_read_as_it_was_written(tmp_path: Path) -> None:
    budget = Budget(8, 1.5, (0.25, 0.0), (Estimate(1.0, -1.0, 3.0), Estimate(0.0, 0.0, 0.0)))
    more = Budget(16, 3.0, (0.5, 0.0), budget.added)
    curve = Curve("gin", "greedy", "end", (0.0, 1.0), 4, 20.5, (budget, more))
    search.write(curve, tmp_path)
    assert [path.name for path in tmp_path.glob("*.json")] == ["gin-greedy-end.json"]
    assert search.curves(tmp_path) == [curve]
    assert (tmp_path / "search.png").read_bytes().startswith(b"\x89PNG")
