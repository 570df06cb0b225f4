"""Comparing on workers: to the last bit what one process finds, whoever finishes first."""

from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from rummy_env import Rules
from rummy_env.baselines import Random
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.evaluation import compare
from rummy_env.workers import Crew, WorkerError
from tests.clusters import Faulty, Mortal, Stranded, third_node, two_nodes, wait_for
from tests.compared import run
from tests.models import KINDS, SMALL_RULES, untrained
from tests.rollout import fitting

__all__ = ["two_nodes"]

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")

THREE = fitting("basic", num_players=3, hand_size=3, match="match", deals=2, max_turns=20)


def agents(folder: Path) -> dict[str, Any]:
    """Heuristics, and a network, whose sums depend on how many games are played at once."""
    network, reads = KINDS["suits"]
    model = untrained(SMALL_RULES, folder / "model.npz", network=network, reads=reads)
    return {"greedy": "greedy", "random": "random", "model": SavedPolicy(model)}


@pytest.mark.usefixtures("two_nodes")
def test_workers_find_what_one_process_finds(tmp_path: Path) -> None:
    some, seen = agents(tmp_path), []
    alone = compare(SMALL_RULES, some, deals=20, seed=3, chunk=12)
    divided = compare(
        SMALL_RULES,
        some,
        deals=20,
        seed=3,
        chunk=12,
        workers=2,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert divided == alone
    assert seen[-1] == (120, 120)
    assert len(seen) == 12


@pytest.mark.usefixtures("two_nodes")
@pytest.mark.parametrize(
    ("played", "isolate"), [(THREE, False), (SMALL_RULES, True)], ids=["round table", "isolated"]
)
def test_so_they_do_at_round_tables_in_matches_and_in_processes_of_their_own(
    played: Rules, isolate: bool
) -> None:
    some = {name: f"tests.compared:{name}" for name in ("Eager", "Stubborn")}
    if not isolate:
        some["random"] = "random"
    given: dict[str, Any] = {"deals": 4, "seed": 1, "chunk": 16 if isolate else 12}
    given["isolate"] = isolate
    assert compare(played, some, workers=2, **given) == compare(played, some, **given)


@pytest.mark.usefixtures("two_nodes")
def test_the_order_of_arrival_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next to be done is the last piece, and not the first."""
    assign = Crew._assign

    def backwards(crew: Crew, work: Any) -> None:
        work.waiting.reverse()
        assign(crew, work)
        work.waiting.reverse()

    some = {"greedy": "greedy", "random": "random"}
    alone = compare(SMALL_RULES, some, deals=12, seed=3, chunk=4)
    monkeypatch.setattr(Crew, "_assign", backwards)
    assert compare(SMALL_RULES, some, deals=12, seed=3, chunk=4, workers=2) == alone


@pytest.mark.usefixtures("two_nodes")
def test_no_deal_is_lost_or_counted_twice_where_a_worker_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given: dict[str, Any] = {"deals": 12, "seed": 3, "chunk": 8}
    alone = compare(SMALL_RULES, {"a": Random(), "b": "greedy"}, **given)
    mortal = Mortal(tmp_path / "mark", 5)
    found = compare(SMALL_RULES, {"a": mortal, "b": "greedy"}, workers=2, **given)
    assert (tmp_path / "mark").exists()
    assert "a worker died, and is replaced" in capsys.readouterr().err
    assert found == replace(alone, described=found.described)


def test_no_deal_is_lost_or_counted_twice_where_a_node_goes(
    two_nodes: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three nodes have a worker each; one goes as soon as it is at work."""
    mark, given = tmp_path / "mark", dict[str, Any](deals=12, seed=3, chunk=8)

    def remove(node: Any) -> None:
        wait_for(mark.exists)
        two_nodes.remove_node(node)

    with third_node(two_nodes) as node:
        remover = Thread(target=remove, args=(node,))
        remover.start()
        some: Any = {"stranded": Stranded(node.node_id, mark), "greedy": "greedy"}
        found = compare(SMALL_RULES, some, **given, workers=3)
        remover.join()
    assert "a worker died, and is replaced" in capsys.readouterr().err
    assert found == compare(SMALL_RULES, some, **given)


@pytest.mark.usefixtures("two_nodes")
def test_an_agent_that_raises_on_a_worker_is_an_error_with_its_traceback() -> None:
    with pytest.raises(WorkerError, match=r"(?s)clusters\.py.*in act.*far from home"):
        compare(SMALL_RULES, {"a": Faulty(), "b": "greedy"}, deals=4, seed=1, workers=1)


@pytest.mark.usefixtures("two_nodes")
def test_the_command_divides_the_deals_and_says_where_there_are_few(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = ("--agents", "random", "greedy", "--out")
    assert run(*both, str(tmp_path / "alone")) == 0
    assert run(*both, str(tmp_path / "divided"), "--workers", "2") == 0
    told = capsys.readouterr().err
    assert "workers=2: the games are 1 block of at most 16384 games; a smaller" in told
    one, two = ((tmp_path / name / "compare.md").read_text() for name in ("alone", "divided"))
    figures = [page.partition("## ")[2] for page in (one, two)]
    assert figures[0] == figures[1] != ""


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--workers", "0"), "workers=0: give a whole number from 1"),
        (("--ray-address", "auto"), "ray_address='auto': it is for workers"),
        (("--workers", "2", "--record", "x"), "workers=2: games are recorded by one process"),
    ],
)
def test_flags_that_make_no_sense_with_or_without_workers_are_refused(
    flags: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run("--agents", "random", "greedy", *flags)
    assert message in capsys.readouterr().err


def test_a_cluster_that_does_not_answer_is_an_error_of_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'rummy-env[ray]'")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    flags = ("--workers", "1", "--ray-address", "127.0.0.1:1")
    assert run("--agents", "random", "greedy", *flags) == 2
    told = capsys.readouterr().err.strip()
    assert told.startswith("error: ray_address='127.0.0.1:1': no cluster answers there")
    assert "\n" not in told


def test_a_cluster_without_workers_is_refused_and_not_passed_over() -> None:
    with pytest.raises(ValueError, match="ray_address='auto': it is for workers"):
        compare("basic", {"a": "random", "b": "greedy"}, deals=2, seed=1, ray_address="auto")
