"""Workers that do pieces of work, are replaced when they die, and answer in order."""

import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from rummy_env.importing import extra
from rummy_env.workers.cluster import ClusterError, probe

Do = Callable[[Any, Any], Any]
"""Takes what all pieces of a round share, and one piece; returns the result of the piece."""

MOST_DEATHS = 3
"""The number of workers that die over one piece, or at the start, before all is given up."""
LISTENS = 5.0
"""Seconds to wait for an answer before checking that the head is still there."""
ASKS = 3
"""Failed checks in a row after which the head is considered gone."""
STARTS_WITHIN = 180.0
"""Seconds within which at least one worker must have started."""


class WorkerError(RuntimeError):
    """An error on a worker, with the traceback from there."""


def _head() -> str:
    """Return the address of the head of the cluster that this process is connected to."""
    import ray

    return ray.get_runtime_context().gcs_address


class _Worker:
    """The part that runs in a worker's process.

    Everything is pickled here and not by Ray, whose arrays are read-only. What cannot be unpickled
    is then an error of a piece, not a worker that fails to start.
    """

    def begin(self, make: bytes) -> None:
        """Make the function that does the work."""
        from ray import cloudpickle

        self._do: Do = cloudpickle.loads(make)()

    def do(self, given: bytes, piece: bytes) -> bytes:
        """Do a piece of work."""
        from ray import cloudpickle

        result = self._do(cloudpickle.loads(given), cloudpickle.loads(piece))
        return cloudpickle.dumps(result)


class _Round:
    """Pieces of work that are handed out, and what has come back."""

    def __init__(self, pieces: list[bytes], given: Any) -> None:
        self.pieces, self.given = pieces, given
        self.waiting = deque(range(len(pieces)))
        self.done: dict[int, bytes] = {}
        self.deaths: Counter[int] = Counter()


class Crew:
    """Workers of a cluster, each a process with its own CPU, within a block of `connected`.

        with connected(workers=8), Crew(make, 8) as crew:
            for result in crew.map(pieces):
                ...

    Attributes:
        replaced: Workers that died and were replaced.
    """

    def __init__(self, make: Callable[[], Do], workers: int) -> None:
        """Start workers; `make` is called in each of them, and returns what does its work.

        It is pickled, and so are pieces and results. Equal pieces must have equal results, on any
        worker and at any time. Raises a WorkerError if there is no cluster.
        """
        with extra("ray", "dividing work over workers"):
            import ray
            from ray import cloudpickle
        if not ray.is_initialized():
            raise WorkerError(
                "there is no cluster: workers need a block of `connected` around them"
            )
        self._ray, self._dump, self._load = ray, cloudpickle.dumps, cloudpickle.loads
        self._make = ray.put(self._dump(make))
        self._idle: list[Any] = []
        self._running: dict[Any, tuple[Any, _Round | None, int]] = {}
        """By the awaited answer: a worker, and the piece that it is doing, if it has started."""
        self.replaced = 0
        self._stillborn = 0
        """Workers in a row that died before they had started."""
        self._heard = time.monotonic()
        self._head = "" if ray.util.client.ray.is_connected() else _head()
        for _ in range(workers):
            self._hire()

    def __enter__(self) -> "Crew":
        """Wait until at least one worker has started; a WorkerError if none can."""
        try:
            while not self._idle:
                self._listen()
        except BaseException:
            self.close()  # who is hired after a failure would keep a CPU of the cluster
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def map(self, pieces: Iterable[Any], given: Any = None) -> Iterator[Any]:
        """Return the results of pieces of work, in their order.

        Work begins at once, and continues while results are consumed. Every piece is also passed
        `given`, which is sent to each node once.

        Raises:
            WorkerError: If a piece raises an error or kills worker after worker, workers do not
                start or die as they do, the head of the cluster is gone, or the crew is closed.
        """
        if not self._idle and not self._running:
            raise WorkerError("the crew is closed: make a new one")
        self._check_head()
        work = _Round([*map(self._dump, pieces)], self._ray.put(self._dump(given)))
        self._assign(work)
        return self._results(work)

    def close(self) -> None:
        """End all workers, whatever they are doing."""
        for worker in {*self._idle, *(worker for worker, *_ in self._running.values())}:
            self._dismiss(worker)
        self._idle, self._running = [], {}

    def _results(self, work: _Round) -> Iterator[Any]:
        for index in range(len(work.pieces)):
            while index not in work.done:
                self._listen()
                self._assign(work)
            yield self._load(work.done.pop(index))

    def _assign(self, work: _Round) -> None:
        """Give the next pieces to idle workers."""
        while self._idle and work.waiting:
            worker, index = self._idle.pop(), work.waiting.popleft()
            answer = worker.do.remote(work.given, work.pieces[index])
            self._running[answer] = worker, work, index

    def _listen(self) -> None:
        """Wait until a worker has started, has done its piece, or is gone."""
        ray, errors = self._ray, self._ray.exceptions
        answers, _ = ray.wait([*self._running], timeout=LISTENS)
        self._check_head()
        if not answers:
            self._check_started()
            return
        self._heard = time.monotonic()
        worker, work, index = self._running.pop(answers[0])
        try:
            done = ray.get(answers[0])
        except errors.RayTaskError as error:
            self._dismiss(worker)
            self._hire()
            raise WorkerError(f"on a worker:\n{error}") from None
        except errors.RayError as error:  # the worker is gone, or its node, or its answer
            self._dismiss(worker)
            self._replace(work, index, error)
        else:
            self._stillborn = 0
            self._idle.append(worker)
            if work is not None:
                work.done[index] = done

    def _check_head(self) -> None:
        """Check that the head is still there; Ray itself waits a minute, and ends this process."""
        for left in reversed(range(ASKS if self._head else 0)):
            try:
                probe(self._head)
                break
            except ClusterError as error:
                if not left:
                    self._idle, self._running = [], {}  # without a head, ending them would hang
                    raise WorkerError(
                        f"the head of the cluster, {self._head}, is gone: {error.__cause__}; begin "
                        f"anew, or go on from a checkpoint, where there is one, with another head"
                    ) from None
            time.sleep(LISTENS)

    def _check_started(self) -> None:
        """Check that workers are not all still waiting to start; a WorkerError if they are."""
        waiting = time.monotonic() - self._heard >= STARTS_WITHIN
        if waiting and not any(work for _, work, _ in self._running.values()):
            raise WorkerError(
                f"no worker has started within {STARTS_WITHIN:.0f} s: the cluster has no free CPU; "
                f"end other work there, or add nodes by `ray start --address=HOST:PORT`"
            )

    def _hire(self) -> None:
        worker = self._ray.remote(num_cpus=1)(_Worker).remote()
        self._running[worker.begin.remote(self._make)] = worker, None, 0

    def _dismiss(self, worker: Any) -> None:
        with suppress(self._ray.exceptions.RayError):
            self._ray.kill(worker)

    def _replace(self, work: _Round | None, index: int, error: Exception) -> None:
        """Hire another worker; the piece of the one that died is done next."""
        self.replaced += 1
        why = str(error).strip().splitlines()[0]
        again = "" if work is None else "; its piece is done again"
        print(f"a worker died, and is replaced{again}: {why}", file=sys.stderr)
        self._hire()
        if work is None:
            self._stillborn += 1
            if self._stillborn >= MOST_DEATHS:
                raise WorkerError(f"{MOST_DEATHS} workers in a row died as they started: {error}")
            return
        work.deaths[index] += 1
        if work.deaths[index] >= MOST_DEATHS:
            raise WorkerError(
                f"{MOST_DEATHS} workers have died over the same piece of work: {error}; is there "
                f"enough memory? give less work at once"
            )
        work.waiting.appendleft(index)
