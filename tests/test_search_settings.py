"""What a search can be told: numbers, policies, and who plays hands out."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import agents.search
import rummy_env
from rummy_env.baselines import resolve
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.search import Lookahead, Search, Thorough, planner
from tests.documents import ROOT
from tests.models import KINDS, untrained
from tests.policies import First, Last, movers
from tests.rollout import dealt


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"worlds": 1}, ValueError, "worlds=1"),
        ({"worlds": 1 << 20}, ValueError, "worlds="),
        ({"milliseconds": 0}, ValueError, "milliseconds=0"),
        ({"gate": -1.0}, ValueError, "gate=-1"),
        ({"least": -1.0}, ValueError, "least=-1.0: give a lead of 0 or more"),
        ({"drop": 0.0}, ValueError, "drop=0"),
        ({"drop": "inf"}, ValueError, "drop='inf': give a number of standard errors above 0"),
        ({"gate": True}, ValueError, "gate=True: give a number of standard errors, 0 or more"),
        ({"milliseconds": "5"}, ValueError, "milliseconds='5': give a time above 0, or None"),
        ({"beliefs": "False"}, ValueError, "beliefs='False': give True or False"),
        ({"batch": 0}, ValueError, "batch=0"),
        ({"candidates": 1}, ValueError, "candidates=1"),
        ({"leaf": "start"}, ValueError, "leaf='start': give one of 'end', 'value'"),
        ({"min_probability": 1.0}, ValueError, "min_probability=1.0: give a number from 0"),
        ({"base": "nobody"}, ValueError, "nobody"),
        ({"base": 5}, TypeError, "act"),
    ],
)
def test_impossible_settings_are_refused(
    given: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        Search(**given)


@pytest.mark.parametrize("given", [{"base": "camper"}, {"base": "greedy", "rollouts": "camper"}])
def test_policies_that_cannot_play_the_rules_are_refused_before_any_game(
    given: dict[str, Any],
) -> None:
    search = Search(**given)
    assert search.plays(rummy_env.rules("gin"))
    with pytest.raises(ValueError, match="camper cannot play"):
        search.plays(rummy_env.rules("basic"))


def test_hands_are_played_out_by_the_policy_for_rollouts() -> None:
    engine = dealt(rummy_env.rules("basic"), 24, steps=9)
    rows = engine.running
    asked = movers(engine, rows), engine.legal_mask(rows)
    given: dict[str, Any] = {"worlds": 4, "drop": np.inf}
    mixed = Search(First(), rollouts=Last(), **given).think(*asked, engine.random(rows))
    alone = Search(Last(), **given).think(*asked, engine.random(rows))
    assert (mixed.actions[:, 0] == asked[1].argmax(axis=1)).all()
    assert (mixed.actions[:, 0] != alone.actions[:, 0]).any()
    for one, other in zip(
        *([*map(_by_action, t.actions, t.gains)] for t in (mixed, alone)), strict=True
    ):
        assert one == other


def _by_action(actions: Any, gains: Any) -> dict[int, float]:
    """What each action gains."""
    return dict(zip(actions[actions >= 0].tolist(), gains[actions >= 0].tolist(), strict=True))


def test_checkouts_find_the_search_where_it_always_was() -> None:
    assert (agents.search.Search, agents.search.Lookahead) == (Search, Lookahead)


def test_no_round_of_a_search_begins_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(np.arange(100) * 0.02)
    monkeypatch.setattr(planner, "time", SimpleNamespace(perf_counter=lambda: next(now)))
    engine = dealt(rummy_env.rules("basic"), 1, steps=9)
    asked = movers(engine, np.zeros(1, np.intp)), engine.legal_mask(), engine.random()
    search = Search("greedy", worlds=64, milliseconds=50, drop=np.inf)
    assert [found.worlds for found in search.thinking(*asked)] == [0, 8, 16]
    now = iter([0.0, 0.06])  # as where the base policy itself takes longer
    assert [found.worlds for found in search.thinking(*asked)] == [0]


def test_a_move_is_played_however_unsure_the_base_policy_is(tmp_path: Path) -> None:
    rules = rummy_env.rules("basic")
    network, reads = KINDS["suits"]
    base = SavedPolicy(untrained(rules, tmp_path / "m.npz", network=network, reads=reads))
    engine = dealt(rules, 64, steps=31)
    rows = engine.running
    view, mask, rng = movers(engine, rows), engine.legal_mask(rows), engine.random(rows)
    likeliest = base.probabilities(view, mask, rng).max(axis=1)
    least = float(np.median(likeliest))
    assert (likeliest < least).any()
    found = Search(base, worlds=8, min_probability=least).act(view, mask, rng)
    assert mask[np.arange(len(rows)), found].all()


def test_thorough_is_the_search_that_its_page_names() -> None:
    named = 'Search(rollouts="patient", worlds=256, candidates=64, gate=2)'
    assert named in (ROOT / "docs" / "search.md").read_text()
    base, quick = resolve("trained"), resolve("patient")
    search: Any = Search(base, rollouts=quick, worlds=256, candidates=64, gate=2)
    assert {**vars(Thorough(base)), "_rollouts": quick} == vars(search)
    assert type(Thorough(base)._rollouts) is type(quick)


def test_lookahead_is_the_search_that_its_page_names() -> None:
    named = 'Search("trained", candidates=4, min_probability=0.03, gate=1.5, leaf="value")'
    assert named in (ROOT / "docs" / "search.md").read_text()
    given = {"candidates": 4, "min_probability": 0.03, "gate": 1.5, "leaf": "value"}
    base = resolve("trained")
    search: Any = Search(base, **given)  # type: ignore[arg-type]
    assert vars(Lookahead(base)) == vars(search)
    assert type(Lookahead()._base) is type(base)
