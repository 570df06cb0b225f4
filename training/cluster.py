"""The cluster that a command of training works on, if it is to have workers."""

from collections.abc import Iterator
from contextlib import contextmanager

from rummy_env.workers import connected

CODE, LIBRARIES = ("rummy_env", "agents", "training"), ("torch",)
"""What must be the same on all nodes, besides what `connected` asks for."""


@contextmanager
def cluster(workers: int | None, address: str | None) -> Iterator[None]:
    """Connect to a cluster for so many workers; where None, there is nothing to connect to.

    Raises:
        ImportError: If Ray is not installed.
        ClusterError: As `connected` does.
    """
    if workers is None:
        yield
        return
    with connected(workers, address, packages=CODE, libraries=LIBRARIES):
        yield
