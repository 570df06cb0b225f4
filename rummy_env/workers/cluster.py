"""Finds or starts a Ray cluster to work on, and checks it before any work begins."""

import os
import re
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rummy_env.core.checks import check_range
from rummy_env.importing import extra
from rummy_env.workers.build import build, differences

LOCAL, AUTO = "local", "auto"
"""The addresses of this process's own cluster, and of the one that runs on this machine."""
ANSWERS_WITHIN = 5.0
"""Seconds within which a machine must answer."""
TELLS_WITHIN = 120.0
"""Seconds within which every node must report its versions; it may first start a process."""
RAY = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is sent anywhere
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # otherwise Ray warns about it
    "RAY_worker_niceness": "0",  # otherwise workers wait for anything else a busy machine does
    "RAY_gcs_server_request_timeout_seconds": "15",  # otherwise a minute, if nothing answers
}
"""Settings of Ray, unless the environment has its own."""
REMEDY = "start one by `ray start --head` and give the address that it prints, or leave it out"


MOST_WORKERS = 1_000_000


def check_workers(workers: int | None, address: str | None) -> None:
    """Refuse settings of workers that make no sense; None stands for no workers, and no address."""
    if workers is not None:
        check_range("workers", workers, 1, MOST_WORKERS)
    elif address is not None:
        raise ValueError(f"ray_address={address!r}: it is for workers; give workers, too")


class ClusterError(ValueError):
    """Raised if there is no cluster that can do the work."""


@contextmanager
def connected(
    workers: int,
    address: str | None = None,
    *,
    packages: Sequence[str] = ("rummy_env",),
    libraries: Sequence[str] = (),
) -> Iterator[None]:
    """Connect to a cluster for this many workers, with one CPU each.

    A process that is already connected to a cluster stays with that one.

    Args:
        workers: The number of workers.
        address: `"host:port"`, `"auto"` for the cluster that runs on this machine, `"ray://..."`
            for one that is reached from outside; if None, that of the environment variable
            RAY_ADDRESS, or else a cluster is started here that ends with the work.
        packages: Packages whose code must be the same on all nodes.
        libraries: Libraries whose version must be the same, besides Python, Ray and NumPy.

    Raises:
        ImportError: If Ray is not installed.
        ClusterError: If the address does not answer, there are fewer CPUs than workers, or a node
            runs other versions or other code.
    """
    with extra("ray", "dividing work over workers"):
        import ray

    found = ray.is_initialized()
    if not found:
        _connect(address or os.environ.get("RAY_ADDRESS") or LOCAL)
    try:
        _check_cpus(workers)
        _check_nodes(packages, libraries)
        yield
    finally:
        if not found:
            ray.shutdown()


def _connect(address: str) -> None:
    """Connect to a cluster, or start one; a ClusterError if the address does not answer."""
    import ray

    own = address == LOCAL
    if not own and address != AUTO:
        probe(address)
    for name, value in RAY.items():
        os.environ.setdefault(name, value)
    mine = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    given: dict[str, Any] = {"include_dashboard": False} if own else {}
    try:
        ray.init(address, log_to_driver=False, logging_level="ERROR", **given)
    except Exception as error:  # Ray's own errors are of many classes
        raise ClusterError(f"ray_address={address!r}: {error}; {REMEDY}") from error
    finally:
        if mine:  # in other threads Ray installs no handler of its own
            signal.signal(signal.SIGTERM, before)


def probe(address: str) -> None:
    """Check that something listens there, else a ClusterError; Ray would try for minutes."""
    found = re.fullmatch(r"(?:ray://)?([^/:\s]+|\[[^]\s]+\]):(\d{1,5})", address)
    if found is None:
        raise ClusterError(
            f"ray_address={address!r}: give HOST:PORT, as `ray start --head` prints it, or {AUTO!r}"
        )
    try:
        where = found[1].strip("[]"), int(found[2])
        socket.create_connection(where, timeout=ANSWERS_WITHIN).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(
            f"ray_address={address!r}: no cluster answers there ({error}); {REMEDY}"
        ) from error


def _check_cpus(workers: int) -> None:
    import ray

    cpus = int(ray.cluster_resources().get("CPU", 0))
    if workers > cpus:
        raise ClusterError(
            f"workers={workers}: the cluster has {cpus} CPUs; give {max(cpus, 1)} at most, or add "
            f"nodes by `ray start --address=HOST:PORT`"
        )


def _check_nodes(packages: Sequence[str], libraries: Sequence[str]) -> None:
    """Ask every node that can work what it runs, and refuse nodes that differ from this one."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    asked, mine = {}, build(packages, libraries)
    tell = ray.remote(num_cpus=0)(build)
    for node in ray.nodes():
        if node["Alive"] and node["Resources"].get("CPU"):
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            name = f"node {node['NodeManagerAddress']} ({node['NodeID'][:8]})"
            asked[name] = tell.options(scheduling_strategy=there).remote(packages, libraries)
    for name, told in asked.items():
        try:
            differs = differences(mine, ray.get(told, timeout=TELLS_WITHIN))
        except ray.exceptions.RayError as error:
            last = str(error).strip().splitlines()[-1]
            raise ClusterError(f"{name} cannot run rummy_env: {last}; install it there") from error
        if differs:
            raise ClusterError(f"{name} runs {differs}; install the same on all nodes")
