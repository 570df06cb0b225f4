"""The model of a run that is kept as the best: by its score, and where that fails, by a duel."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rummy_env
from rummy_env.evaluation import duel
from rummy_env.evaluation.statistics import Estimate
from training import callbacks
from training.callbacks import EvaluationCallback

HIGHEST = 2.0


@pytest.mark.parametrize(
    ("score", "leads_best", "is_best"),
    [
        (Estimate(3.5, 2.5, 4.5), None, True),
        (Estimate(2.5, 1.5, 3.5), True, True),
        (Estimate(2.5, 1.5, 3.5), False, False),
        (Estimate(1.0, 0.1, 1.9), None, False),
        (Estimate(1.5, 0.5, 2.5), True, True),
        (Estimate(1.5, 0.5, 2.5), False, False),
    ],
)
def test_models_that_the_score_does_not_tell_apart_meet_each_other(
    score: Estimate, leads_best: bool | None, is_best: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[tuple[Any, Any]] = []

    def duel_of(rules: Any, policy: Any, best: Any, **_: int) -> Any:
        met.append((policy, best))
        return SimpleNamespace(first_leads=leads_best)

    monkeypatch.setattr(callbacks, "duel", duel_of)
    monkeypatch.setattr(callbacks, "SavedPolicy", lambda path: path)
    run: Any = SimpleNamespace(
        _progress=SimpleNamespace(best=HIGHEST),
        _settings=SimpleNamespace(eval_deals=4, seed=1),
        _run=SimpleNamespace(best=Path("best.npz")),
        _session=SimpleNamespace(rules=None),
    )
    policy: Any = "the model"
    assert EvaluationCallback._is_best(run, policy, score) is is_best
    assert met == ([] if leads_best is None else [("the model", Path("best.npz"))])


@pytest.mark.parametrize("options", [{}, {"match": "match", "target": 20}])
def test_the_first_of_a_duel_leads_where_it_is_better_than_between_equals(
    options: dict[str, Any],
) -> None:
    rules = rummy_env.rules("basic", hand_size=3, max_turns=40, **options)
    better, worse = (duel(rules, *who, deals=60, seed=1) for who in _both("greedy", "random"))
    assert better.first_leads
    assert not worse.first_leads
    assert not duel(rules, "greedy", "greedy", deals=4, seed=1).first_leads


def _both(one: str, other: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return (one, other), (other, one)
