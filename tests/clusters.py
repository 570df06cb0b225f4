"""A Ray cluster of two nodes on this machine, with a CPU each, and what its workers do in tests."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rummy_env.baselines import Random
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.workers import connected
from rummy_env.workers.cluster import RAY

NEEDS_RAY = "needs Ray: pip install 'rummy-env[ray]'"


@pytest.fixture(scope="session")
def two_nodes() -> Iterator[Any]:
    """The `ray.cluster_utils.Cluster`; this process is connected to it."""
    pytest.importorskip("ray", reason=NEEDS_RAY)
    from ray.cluster_utils import Cluster

    for name, value in RAY.items():
        os.environ.setdefault(name, value)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    with connected(2, cluster.address):
        yield cluster
    cluster.shutdown()


@contextmanager
def one_node() -> Iterator[Any]:
    """A cluster of its own, to which nobody is connected; it may be gone before the block ends."""
    pytest.importorskip("ray", reason=NEEDS_RAY)
    from ray.cluster_utils import Cluster

    for name, value in RAY.items():
        os.environ.setdefault(name, value)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        yield cluster
    finally:
        cluster.shutdown()


@contextmanager
def third_node(cluster: Any) -> Iterator[Any]:
    """A node that joins the cluster, and leaves it again unless it has been removed."""
    node = cluster.add_node(num_cpus=1)
    try:
        wait_for(lambda: cpus() == 3)
        yield node
    finally:
        if node in cluster.worker_nodes:
            cluster.remove_node(node)
        wait_for(lambda: cpus() == 2)


def cpus() -> int:
    """What the driver has heard of the nodes, which takes a moment."""
    import ray

    return int(ray.cluster_resources()["CPU"])


def wait_for(happened: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something is so; an error if it is not within some time."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, f"not so within {seconds:g} s"
        time.sleep(0.05)


def kill_once(mark: Path) -> None:
    """Kill this process, unless the mark is there that it was killed before."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def doubling() -> Callable[[Any, Any], Any]:
    """Makes work that says who did it: the double of a number, and the process."""
    return lambda given, piece: (2 * piece + given, os.getpid())


class Mortal(Random):
    """Plays at random; at its Nth decision, the process that it is in is killed, but only once."""

    def __init__(self, mark: Path, decision: int) -> None:
        self.mark, self.left = mark, decision

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        self.left -= 1
        if not self.left:
            kill_once(self.mark)
        return super().act(view, mask, rng)


class Faulty(Random):
    """Cannot play in a process other than that which made it."""

    def __init__(self) -> None:
        self.home = os.getpid()

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        if os.getpid() != self.home:
            raise ZeroDivisionError("far from home")
        return super().act(view, mask, rng)


class Stranded(Random):
    """Plays at random, and waits on one node until that is gone; the other workers wait for it."""

    def __init__(self, node: str, mark: Path) -> None:
        self.home, self.node, self.mark = os.getpid(), node, mark

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        if os.getpid() != self.home:
            import ray

            if ray.get_runtime_context().get_node_id() == self.node:
                self.mark.touch()
                time.sleep(60)
            wait_for(self.mark.exists)
        return super().act(view, mask, rng)
