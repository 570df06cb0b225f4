"""Expert iteration: what is learned of labels, the run and its report, workers, what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from agents.labels import positions
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.keys import game_seeds
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.files import write_json
from rummy_env.variants import named
from rummy_env.workers import ClusterError
from tests.clusters import two_nodes
from tests.models import KINDS, SMALL_RULES, untrained
from training import expert, expert_report
from training.expert import Learner, Lesson, Settings, lesson
from training.expert_report import Round
from training.run import Evaluation

__all__ = ["two_nodes"]

SMALL: dict[str, Any] = {
    "positions": 20,
    "kept": 1,
    "every": 3,
    "surest": 1.0,
    "worlds": 2,
    "candidates": 2,
    "leaf": "end",
    "epochs": 1,
    "minibatch_size": 16,
    "deals": 2,
    "torch_threads": 1,
}


def model(folder: Path, kind: str = "suits") -> Path:
    network, reads = KINDS[kind]
    return untrained(SMALL_RULES, folder / f"{kind}.npz", network=network, reads=reads)


def small(folder: Path, **given: Any) -> Settings:
    return Settings(**{"start": model(folder), "out": folder / "run", **SMALL, **given})


def improved(rules: Rules, given: Settings, command: str) -> Path:
    """The folder of a run that has played its rounds."""
    with expert.begun(rules, given) as iteration:
        iteration.play(command)
        return iteration.folder


def shown(path: Path, count: int = 40) -> Lesson:
    """Positions, with the probabilities of a model."""
    policy = SavedPolicy(path)
    return lesson(policy, SMALL_RULES, positions(SMALL_RULES, policy, count, every=3, seed=2))


def mean_divergence(targets: Any, chances: Any) -> float:
    """As its formula says, entry by entry."""
    rows = zip(targets.astype(float).tolist(), chances.astype(float).tolist(), strict=True)
    each = [sum(t * np.log(t / p) for t, p in zip(*row, strict=True) if t > 0) for row in rows]
    return float(np.mean(each))


@pytest.mark.slow
def test_a_model_learns_the_targets_and_stays_where_they_are_its_own(tmp_path: Path) -> None:
    path = model(tmp_path)
    before, told = shown(path), list[float]()
    turned = np.where(before.masks, 1 / before.masks.sum(axis=1, keepdims=True), 0)
    taught = Lesson(before.seen, before.masks, turned.astype(np.float32))
    learner = Learner(SavedPolicy(path))
    assert learner.divergence(before) == pytest.approx(0, abs=1e-5)
    first = learner.divergence(taught)
    assert first == pytest.approx(mean_divergence(turned, before.targets), abs=1e-4)
    given = small(tmp_path, epochs=20, learning_rate=1e-2)
    learner.learn(taught, given, told.append)
    assert told == sorted(told)
    assert learner.divergence(taught) < first / 2
    after = learner.save(tmp_path / "after.npz")
    games = positions(SMALL_RULES, SavedPolicy(path), 40, every=3, seed=2)
    assert learner.divergence(taught) == pytest.approx(
        mean_divergence(turned, lesson(after, SMALL_RULES, games).targets), abs=1e-4
    )


@pytest.mark.slow
def test_a_run_keeps_its_models_and_tells_what_they_came_to(tmp_path: Path) -> None:
    given = small(tmp_path)
    folder = improved(SMALL_RULES, given, "the command")
    report = json.loads((folder / "report.json").read_text())
    assert report["command"] == "the command"
    assert [each["positions"] for each in report["rounds"]] == [20, 20]
    over = [[lead["opponent"] for lead in each["leads"]] for each in report["rounds"]]
    assert over == [["the start"], ["the start", "the round before"]]
    assert "| 2 | 20 |" in (folder / "report.md").read_text()
    assert (folder / "learning_curve.png").stat().st_size > 0
    paths = [given.start, folder / "round-1.npz", folder / "round-2.npz"]
    arrays = [SavedPolicy(path).arrays["others"] for path in paths]
    assert not np.array_equal(arrays[0], arrays[1])
    assert not np.array_equal(arrays[1], arrays[2])
    with pytest.raises(ValueError, match="holds 2 rounds already: give more --rounds to go on, or"):
        improved(SMALL_RULES, given, "the command")
    with pytest.raises(ValueError, match="holds a run with worlds=2, asked for is 3: give another"):
        improved(SMALL_RULES, small(tmp_path, rounds=3, worlds=3), "the command")
    others = rummy_env.rules("basic", **{**dict(SMALL_RULES.options), "max_turns": 60})
    with pytest.raises(ValueError, match=r"holds a run with options={.*give another --out"):
        improved(others, small(tmp_path, rounds=3), "the command")
    (folder / "report.json").write_text("{}")
    with pytest.raises(ValueError, match="holds a run of another kind: give another --out"):
        improved(SMALL_RULES, small(tmp_path, rounds=3), "the command")


def test_a_damaged_report_is_named(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "report.json").write_text("{half")
    with pytest.raises(ValueError, match=r"report\.json is damaged: .*; give another --out"):
        improved(SMALL_RULES, small(tmp_path), "the command")
    given, folder = small(tmp_path, rounds=3), tmp_path / "run"
    told: dict[str, Any] = {**named(SMALL_RULES), "settings": vars(given)}
    odd: Any
    for odd in ({"settings": []}, {"rounds": 3}):
        write_json(folder / "report.json", {"rounds": [], **told, **odd})
        with pytest.raises(ValueError, match="holds a run of another kind: give another --out"):
            expert_report.finished(SMALL_RULES, given, folder)
    for odd in ({"leads": []}, {"leads": [{"odd": 1}]}, 3):
        write_json(folder / "report.json", {**told, "rounds": [odd]})
        with pytest.raises(ValueError, match=r"its rounds are damaged, .*; give another --out"):
            expert_report.finished(SMALL_RULES, given, folder)


def test_two_commands_do_not_share_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    given, taken = small(tmp_path), "another run is at work there; give another folder"
    with expert.begun(SMALL_RULES, given), pytest.raises(ValueError, match=taken):
        improved(SMALL_RULES, given, "the command")


@pytest.mark.slow
def test_a_run_that_goes_on_is_the_run_that_was_not_interrupted(tmp_path: Path) -> None:
    for rounds in (1, 3):
        improved(SMALL_RULES, small(tmp_path, rounds=rounds), f"{rounds} rounds")
    improved(SMALL_RULES, small(tmp_path, rounds=3, out=tmp_path / "whole"), "3 rounds")
    once, whole = (json.loads((tmp_path / f / "report.json").read_text()) for f in ("run", "whole"))
    assert once["command"] == whole["command"]
    for first, second in zip(once["rounds"], whole["rounds"], strict=True):
        untimed = [[{**lead, "minutes": 0} for lead in told["leads"]] for told in (first, second)]
        assert untimed[0] == untimed[1]
    for number in (1, 2, 3):
        name = f"round-{number}.npz"
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.usefixtures("two_nodes")
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_workers_make_the_bytes_of_one_process(tmp_path: Path) -> None:
    for name, workers in (("alone", None), ("workers", 2)):
        given = small(tmp_path, rounds=1, positions=70, out=tmp_path / name, workers=workers)
        improved(SMALL_RULES, given, "the command")
    alone, divided = (tmp_path / name / "round-1.npz" for name in ("alone", "workers"))
    assert alone.read_bytes() == divided.read_bytes()


def test_where_a_model_stays_as_it_is_nothing_is_labelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The positions are of other games."""
    seeds: list[int] = []

    def noted(*given: Any, seed: int, **others: Any) -> State:
        seeds.append(seed)
        if len(seeds) == 2:
            raise Enough
        return positions(*given, seed=seed, **others)

    monkeypatch.setattr(expert, "positions", noted)
    with pytest.raises(Enough):
        improved(SMALL_RULES, small(tmp_path, rounds=1), "the command")
    labelled, kept = (set(game_seeds(seed, 2000).tolist()) for seed in seeds)
    assert not labelled & kept


class Enough(Exception):  # noqa: N818  (no error)
    """Ends a run that has shown what it was to show."""


def test_the_search_that_labels_is_as_the_flags_say(tmp_path: Path) -> None:
    given = small(tmp_path, worlds=5, candidates=3, leaf="value")
    search = expert.searching(SavedPolicy(given.start), given)
    assert (search.worlds, search.candidates, search.leaf) == (5, 3, "value")
    assert search.drop == np.inf  # so that no label is of an action that was given up


def test_models_that_cannot_learn_so_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"of the kind 'mlp'; give a model of training\.fit"):
        improved(SMALL_RULES, small(tmp_path, start=model(tmp_path, "mlp")), "")
    with pytest.raises(ValueError, match="cannot play"):
        improved(rummy_env.rules("gin"), small(tmp_path), "")
    with pytest.raises(ValueError, match="came without a critic"):
        improved(SMALL_RULES, small(tmp_path, leaf="value"), "")
    with pytest.raises(ValueError, match="learns what a hand is worth: leave --match out"):
        improved(rummy_env.rules("basic", match="match"), small(tmp_path), "")
    with pytest.raises(ValueError, match="--kept=20: give a whole number from 0 to 16 with --pos"):
        improved(SMALL_RULES, small(tmp_path, positions=1_000_000, kept=20), "")
    assert not (tmp_path / "run").exists()


def test_a_cluster_that_does_not_answer_is_refused_before_there_is_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'rummy-env[ray]'")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(ClusterError, match="no cluster answers there"):
        improved(SMALL_RULES, small(tmp_path, workers=1, ray_address="127.0.0.1:1"), "")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("reward", "words"),
    [
        ("zero_sum", ("Leads in points per hand, 100", "+1.00 [+0.00, +2.00]")),
        ("win", ("Hands won, 100", "55.0 % [50.0, 60.0]")),
    ],
)
def test_a_report_tells_what_the_rules_pay_for(
    reward: str, words: tuple[str, str], tmp_path: Path
) -> None:
    lead = Evaluation(10, 0.0, "the start", (0.55, 0.5, 0.6), (1.0, 0.0, 2.0))
    rounds = [Round(1, 10, 0.1, (0.2, 0.1), 1.0, 1.0, [lead])]
    settings = Settings(start=tmp_path, deals=100)
    expert_report.write(
        rummy_env.rules("basic", reward=reward), settings, rounds, tmp_path, "the command"
    )
    page = (tmp_path / "report.md").read_text()
    assert all(each in page for each in words)


def test_what_is_kept_to_be_measured_is_not_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned, learn = list[int](), Learner.learn

    def noted(self: Learner, given: Any, *others: Any) -> Any:
        learned.append(len(given.seen))
        return learn(self, given, *others)

    monkeypatch.setattr(Learner, "learn", noted)
    improved(SMALL_RULES, small(tmp_path, rounds=1, kept=0), "the command")
    assert learned == [18]  # of 20
