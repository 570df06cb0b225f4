"""Paired playouts: as a slow plain reference plays them, and what a model learns from them."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from agents import pairs as paired
from agents.labels import Hopeless, batches
from agents.pairs import Pairs, pairs
from rummy_env import Engine
from rummy_env.baselines import resolve
from rummy_env.baselines.networks import SuitNet
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.state import State
from rummy_env.evaluation import duel
from rummy_env.views.features import OUTS
from tests.models import SMALL_RULES, untrained
from training import cloning
from training import pairs as course
from training.pairs import Settings

THREE = rummy_env.rules("going_out", num_players=3)
SMALL: dict[str, Any] = {
    "pairs": 400,
    "minibatch_size": 64,
    "rivals": ("random",),
    "evaluations": 2,
    "eval_deals": 4,
    "compare_deals": 4,
    "torch_threads": 1,
}


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of few games, so that little is played."""
    monkeypatch.setattr(paired, "GAMES", 16)


def model(folder: Path, rules: rummy_env.Rules = SMALL_RULES, adviser: str = "greedy") -> Path:
    """A model that has learned nothing, with an adviser."""
    network = SuitNet(6, 8, 4, adviser)
    return untrained(rules, folder / f"{adviser or 'alone'}.npz", network=network, reads=OUTS)


def small(folder: Path, **given: Any) -> Settings:
    return Settings(**{"start": model(folder), "out": folder / "run", **SMALL, **given})


def won(engine: Engine, action: int, seat: int) -> float:
    """By how much a seat leads the others in hands won after an action, played on by `strong`."""
    strong, first = resolve("strong", engine.rules), True
    while not engine.finished[0]:
        view, mask = engine.look(engine.to_move), engine.legal_mask()
        engine.step([action] if first else strong.act(view, mask, engine.random()))
        first = False
    hands = engine.hand_winners[0].astype(float)
    return float(hands[seat] - np.delete(hands, seat).mean())


def test_both_moves_are_played_out_on_the_table_of_the_choice(tmp_path: Path) -> None:
    start = SavedPolicy(model(tmp_path, THREE, "strong"))
    found = next(pairs(THREE, start, seed=5))
    tables = next(batches(THREE, resolve("strong", THREE), games=16, every=2, seed=5))
    assert len(found) == len(tables.seed) > 30
    for item in range(0, len(found), 3):
        table = Engine(THREE, 1)
        table.lay(tables.take(np.array([item])))
        seat, mask = int(table.to_move[0]), table.legal_mask()[0]
        own, other = int(found.own[item]), int(found.other[item])
        view = table.look(seat)
        seen = start.observe(view, mask[None], table.random())
        assert np.array_equal(found.seen[item], seen[0])
        assert own == resolve("strong", THREE).act(view, mask[None], table.random())[0]
        assert mask[other]
        assert other != own
        leads = []
        for action in (own, other):
            again = Engine(THREE, 1)
            again.lay(tables.take(np.array([item])))
            leads.append(won(again, action, seat))
        assert found.gained[item] == pytest.approx(leads[0] - leads[1], abs=1e-6)


def test_batches_are_of_other_games_and_those_of_a_seed_are_the_same(tmp_path: Path) -> None:
    start = SavedPolicy(model(tmp_path))
    one, two = ([*islice(pairs(SMALL_RULES, start, seed=3), 2)] for _ in range(2))
    for batch, again in zip(one, two, strict=True):
        for name in ("seen", "own", "other", "gained"):
            assert np.array_equal(getattr(batch, name), getattr(again, name))
    assert not np.array_equal(one[0].seen[:20], one[1].seen[:20])


def test_the_likelier_a_move_the_more_often_it_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    count, rng = 20_000, np.random.default_rng(1)
    odds = np.tile([0.9, 0.08, 0.01, 0.01, 0.0], (count, 1))
    masks = np.tile([True, True, True, False, True], (count, 1))
    own = np.zeros(count, np.intp)

    def shares() -> list[float]:
        drawn = paired._others(odds, masks, own, rng)
        return (np.bincount(drawn, minlength=5) / count).tolist()

    weights = np.array([0.08, 0.01]) ** (1 / paired.SOFTNESS)
    likely = 0.9 * weights / weights.sum()
    even = 0.1 / 3
    assert shares() == pytest.approx([0, likely[0] + even, likely[1] + even, 0, even], abs=0.015)
    monkeypatch.setattr(paired, "ANY", 1.0)
    assert shares() == pytest.approx([0, 1 / 3, 1 / 3, 0, 1 / 3], abs=0.015)


def test_games_without_a_choice_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_choices(*_: Any, **__: Any) -> Iterator[State]:
        yield Engine(SMALL_RULES, 1).state.take(np.zeros(0, np.intp))

    monkeypatch.setattr(paired, "batches", no_choices)
    with pytest.raises(Hopeless, match="nothing to choose in 16 games"):
        next(pairs(SMALL_RULES, SavedPolicy(model(tmp_path)), seed=1))


def test_the_first_pairs_only() -> None:
    moves = np.arange(5)
    some = Pairs(np.zeros((5, 2), np.int8), moves, moves + 1, moves.astype(np.float32), 9).until(3)
    assert (len(some), len(some.seen), some.num_actions) == (3, 3, 9)
    assert (some.own.tolist(), some.other.tolist()) == ([0, 1, 2], [1, 2, 3])
    assert some.gained.tolist() == [0, 1, 2]


@pytest.mark.slow
def test_a_model_learns_to_lead_an_adviser_that_can_be_improved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paired, "GAMES", 512)
    start = model(tmp_path, adviser="random")
    flags = {"scale": 1.0, "gate": 0.0, "pairs": 60_000, "learning_rate": 3e-3}
    folder = course.run(SMALL_RULES, small(tmp_path, start=start, **flags), "")
    learned = SavedPolicy(folder / "best.npz")
    found = duel(SMALL_RULES, learned, resolve("random", SMALL_RULES), deals=300, seed=1)
    assert found.lead.low > 1


@pytest.mark.slow
def test_a_run_writes_what_a_run_of_fit_does_and_is_the_same_again(tmp_path: Path) -> None:
    folders = [
        course.run(SMALL_RULES, small(tmp_path, out=tmp_path / name), "the command")
        for name in ("one", "two")
    ]
    one, two = ((folder / "best.npz").read_bytes() for folder in folders)
    assert one == two
    told = json.loads((folders[0] / "report.json").read_text())
    assert (told["command"], told["pairs"]) == ("the command", 400)
    assert [entry["steps"] for entry in told["curve"]] == sorted(
        {0, *(e["steps"] for e in told["curve"])}
    )
    assert told["curve"][-1]["steps"] == 400
    assert "400 pairs of playouts" in (folders[0] / "report.md").read_text()
    assert (folders[0] / "learning_curve.png").stat().st_size > 0
    agents = json.loads((folders[0] / "compare.json").read_text())["agents"]
    assert agents == ["trained", "clone", "random"]


@pytest.mark.slow
def test_without_a_model_a_clone_of_the_strongest_baseline_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloning, "GAMES", 64)
    folder = course.run(SMALL_RULES, small(tmp_path, start=None, teacher_decisions=2000), "")
    for name in ("clone.npz", "best.npz"):
        assert SavedPolicy(folder / name).card.network.adviser == "patient"
    with pytest.raises(ValueError, match="holds a run already: give another --out"):
        course.run(SMALL_RULES, small(tmp_path), "")


def test_where_only_random_plays_a_model_has_to_be_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "usual_teacher", lambda rules: "none")
    with pytest.raises(ValueError, match=r"no baseline but random plays .*: give --start"):
        course.run(SMALL_RULES, small(tmp_path, start=None), "")
    assert not (tmp_path / "run").exists()


def test_behind_a_gate_that_nothing_passes_the_adviser_plays(tmp_path: Path) -> None:
    given = small(tmp_path, gate=100.0, scale=0.1)
    learned = SavedPolicy(course.run(SMALL_RULES, given, "") / "best.npz")
    greedy = resolve("greedy", SMALL_RULES)
    engine = Engine(SMALL_RULES, 50, seed=1)
    engine.reset()
    for _ in range(20):
        rows = engine.running
        view, mask = engine.look(engine.to_move[rows], rows), engine.legal_mask(rows)
        actions = greedy.act(view, mask, engine.random(rows))
        assert np.array_equal(learned.act(view, mask, engine.random(rows)), actions)
        engine.step(actions, rows)


def test_what_cannot_be_learned_so_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no adviser, whose moves could be tried out"):
        course.run(SMALL_RULES, small(tmp_path, start=model(tmp_path, adviser="")), "")
    with pytest.raises(ValueError, match="cannot play"):
        course.run(rummy_env.rules("gin"), small(tmp_path), "")
    with pytest.raises(ValueError, match="tell what a hand is worth: leave --match out"):
        course.run(rummy_env.rules("basic", match="match"), small(tmp_path), "")
    with pytest.raises(ValueError, match=r"gate=-1\.0: give a number from 0"):
        course.run(SMALL_RULES, small(tmp_path, gate=-1.0), "")
    assert not (tmp_path / "run").exists()
