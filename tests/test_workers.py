"""Workers: results in order whoever brings them, faults that change nothing, bad input refused."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from rummy_env.workers import ClusterError, Crew, WorkerError, build, cluster, connected, crew
from tests.clusters import NEEDS_RAY, doubling, kill_once, two_nodes
from tests.documents import ROOT

__all__ = ["two_nodes"]

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


@pytest.mark.usefixtures("two_nodes")
def test_results_come_in_the_order_of_the_pieces() -> None:
    def slow_first() -> Callable[[Any, int], tuple[int, int]]:
        def work(given: Any, piece: int) -> tuple[int, int]:
            time.sleep(1.0 if piece == 0 else 0)
            return piece, os.getpid()

        return work

    with Crew(slow_first, 2) as workers:
        found = [*workers.map(range(6))]
        assert [piece for piece, _ in found] == [*range(6)]
        assert len({pid for _, pid in found}) == 2
        assert os.getpid() not in {pid for _, pid in found}
        assert [*workers.map([])] == []


@pytest.mark.usefixtures("two_nodes")
def test_what_is_given_to_all_pieces_and_what_comes_back_can_be_written_to() -> None:
    import numpy as np

    def adding() -> Callable[[Any, Any], Any]:
        def work(given: Any, piece: Any) -> Any:
            piece += given
            return piece

        return work

    with Crew(adding, 1) as workers:
        (found,) = workers.map([np.ones(100_000)], np.full(100_000, 2.0))
    found += 1
    assert (found == 4).all()


@pytest.mark.usefixtures("two_nodes")
def test_a_worker_killed_from_outside_is_replaced_and_its_piece_done_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def waiting() -> Callable[[Any, int], int]:
        def work(given: Any, piece: int) -> int:
            if piece == 1 and not (tmp_path / "killed").exists():
                (tmp_path / "pid.new").write_text(str(os.getpid()))
                (tmp_path / "pid.new").rename(tmp_path / "pid")
                time.sleep(60)
            return 10 * piece

        return work

    def kill() -> None:
        while not (tmp_path / "pid").exists():
            time.sleep(0.05)
        (tmp_path / "killed").touch()
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)

    killer = Thread(target=kill, daemon=True)
    killer.start()
    with Crew(waiting, 2) as workers:
        assert [*workers.map(range(4))] == [0, 10, 20, 30]
        assert workers.replaced == 1
    killer.join()
    assert "a worker died, and is replaced; its piece is done again" in capsys.readouterr().err


@pytest.mark.usefixtures("two_nodes")
def test_a_piece_that_kills_worker_after_worker_is_an_error() -> None:
    def deadly() -> Callable[[Any, int], None]:
        return lambda given, piece: os.kill(os.getpid(), signal.SIGKILL)

    with (
        Crew(deadly, 1) as workers,
        pytest.raises(WorkerError, match="3 workers have died over the same piece of work"),
    ):
        next(workers.map([1]))


@pytest.mark.usefixtures("two_nodes")
def test_workers_that_die_as_they_start_are_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    def dies() -> Any:
        os._exit(1)

    with (
        pytest.raises(WorkerError, match="3 workers in a row died as they started"),
        Crew(dies, 1),
    ):
        pass
    assert "its piece is done again" not in capfd.readouterr().err


@pytest.mark.usefixtures("two_nodes")
def test_a_crew_that_is_closed_takes_no_work() -> None:
    with Crew(lambda: lambda given, piece: piece, 1) as crew:
        assert [*crew.map([1, 2])] == [1, 2]
    with pytest.raises(WorkerError, match="the crew is closed"):
        crew.map([1])


@pytest.mark.usefixtures("two_nodes")
def test_an_error_on_a_worker_comes_with_its_traceback_and_the_crew_goes_on() -> None:
    def dividing() -> Callable[[Any, int], float]:
        def by_zero(given: Any, piece: int) -> float:
            return 1 / piece

        return by_zero

    with Crew(dividing, 1) as workers:
        with pytest.raises(WorkerError, match=r"(?s)in by_zero.*ZeroDivisionError"):
            next(workers.map([0]))
        assert [*workers.map([1, 2])] == [1, 0.5]


@pytest.mark.usefixtures("two_nodes")
def test_a_maker_that_fails_is_an_error_and_so_is_a_crew_that_cannot_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken() -> Callable[[Any, Any], Any]:
        raise LookupError("nothing to work with")

    def meeting() -> Callable[[Any, int], int]:
        def work(given: Any, piece: int) -> int:
            (tmp_path / str(piece)).touch()
            while not all((tmp_path / name).exists() for name in "01"):
                time.sleep(0.05)
            return piece

        return work

    failed = Crew(broken, 1)
    with pytest.raises(WorkerError, match="nothing to work with"), failed:
        pass
    with pytest.raises(WorkerError, match="the crew is closed"):
        failed.map([1])
    with Crew(meeting, 2) as first:
        assert [*first.map(range(2))] == [0, 1]  # both have started: no CPU is left
        monkeypatch.setattr(crew, "STARTS_WITHIN", 1)
        monkeypatch.setattr(crew, "LISTENS", 1)
        with pytest.raises(WorkerError, match="has no free CPU"), Crew(doubling, 1):
            pass


def test_a_process_that_is_to_be_killed_once_is_not_killed_twice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    killed: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _: killed.append(pid))
    for _ in range(2):
        kill_once(tmp_path / "mark")
    assert killed == [os.getpid()]


def test_a_crew_without_a_cluster_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray", reason=NEEDS_RAY)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(WorkerError, match="there is no cluster: workers need a block of"):
        Crew(doubling, 1)


# Bad input


@pytest.mark.parametrize("address", ["nowhere", "localhost:", ":1", "a b:1", "localhost:999999"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ClusterError, match=f"ray_address='{address}': (give HOST:PORT|no cluster)"):
        cluster.probe(address)


@pytest.mark.parametrize("start", ["", "ray://"])
def test_an_address_where_nobody_listens_is_refused_at_once(start: str) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # taken, so nobody else listens there, and neither do we
        address = f"{start}127.0.0.1:{nobody.getsockname()[1]}"
        begun = time.monotonic()
        with pytest.raises(ClusterError, match=r"no cluster answers there .*; start one by `ray"):
            cluster.probe(address)
    assert time.monotonic() - begun < cluster.ANSWERS_WITHIN + 1


def test_more_workers_than_cpus_are_refused(two_nodes: Any) -> None:
    with (
        pytest.raises(ClusterError, match="workers=3: the cluster has 2 CPUs; give 2 at most"),
        connected(3, two_nodes.address),
    ):
        pass


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(ImportError, match=r"needs ray: pip install 'rummy-env\[ray\]'"),
        connected(1),
    ):
        pass


def test_a_node_that_runs_other_versions_or_other_code_is_refused(
    two_nodes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = os.getpid()

    def otherwise(*given: Any) -> build.Build:
        other = {"numpy": "1.0", "code of rummy_env": "abc"} if os.getpid() == here else {}
        return build.build(*given) | other

    monkeypatch.setattr(cluster, "build", otherwise)
    told = r"node .* runs numpy .*, here 1\.0, code of rummy_env \w{12}, here abc; install the same"
    with pytest.raises(ClusterError, match=told), connected(2, two_nodes.address):
        pass


def test_the_digest_of_a_package_is_that_of_its_files_wherever_they_lie(tmp_path: Path) -> None:
    """A copy has the same; one in which a byte has changed, or a name, has another."""

    def copied(name: str) -> Path:
        shutil.copytree(ROOT / "rummy_env", tmp_path / name / "rummy_env")
        return tmp_path / name

    def told(where: Path) -> str:
        code = "from rummy_env.workers.build import build; print(build(['rummy_env']))"
        environment = {**os.environ, "PYTHONPATH": str(where)}
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=where,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    same, changed, renamed = copied("same"), copied("changed"), copied("renamed")
    with (changed / "rummy_env" / "core" / "rules.py").open("a") as file:
        file.write("#")
    (renamed / "rummy_env" / "py.typed").rename(renamed / "rummy_env" / "py.typed2")
    mine = f"{build.build(['rummy_env'])}\n"
    assert told(same) == mine
    assert len({mine, told(changed), told(renamed)}) == 3


def test_a_folder_without_init_is_told_apart_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "my_plain_agents").mkdir()
    told = []
    for text in ("a = 1", "a = 2"):
        (tmp_path / "my_plain_agents" / "play.py").write_text(text)
        told.append(build.build(["my_plain_agents"])["code of my_plain_agents"])
    absent = build.build(["my_missing_agents"])["code of my_missing_agents"]
    assert len({*told, absent}) == 3
    assert absent == build.ABSENT


def test_what_lies_beside_the_code_of_agents_is_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "my_other_agents").mkdir()
    (tmp_path / "my_other_agents" / "play.py").write_text("a = 1")
    before = build.build(["my_other_agents"])
    (tmp_path / "my_other_agents" / "log.txt").write_text("learning")
    assert build.build(["my_other_agents"]) == before


def test_what_differs_is_told_with_both_values() -> None:
    mine = {"Python": "3.11.7", "numpy": "2.4.6", "code of rummy_env": "aa"}
    assert not build.differences(mine, dict(mine))
    assert build.differences(mine, {**mine, "numpy": "2.0"}) == "numpy 2.0, here 2.4.6"
    assert build.differences(mine, {}).startswith("Python none, here 3.11.7, numpy none")
    assert build.build(["nowhere_at_all"], ["no-such-library"])["no-such-library"] == build.ABSENT
