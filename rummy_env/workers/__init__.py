"""Divides work over processes, on one machine or many, with Ray; it needs the extra `ray`.

`connected` finds a cluster and checks that its nodes run the same code; a `Crew` is the workers.
They compute a function from a piece of work to its result, which depends on nothing else. So a
piece whose worker dies is done again, and results come in the order of the pieces, whichever worker
did them.

Ray is imported only when it is needed.
"""

from rummy_env.workers.cluster import ClusterError, check_workers, connected
from rummy_env.workers.crew import Crew, WorkerError

__all__ = ["ClusterError", "Crew", "WorkerError", "check_workers", "connected"]
