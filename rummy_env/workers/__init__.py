"""Work divided over processes, on one machine or many, by Ray; it needs the extra `ray`.

`connected` finds a cluster and sees that its nodes run this very code; a `Crew` is the workers.
What they do is a function from a piece of work to its result, which hangs on nothing else: so a
piece whose worker dies is done again, and results come in the order of the pieces, whoever did
them.

Ray is imported when it is asked for, and not before.
"""

from rummy_env.workers.cluster import ClusterError, connected
from rummy_env.workers.crew import Crew, WorkerError

__all__ = ["ClusterError", "Crew", "WorkerError", "connected"]
