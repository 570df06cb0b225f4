"""Trains an agent: `python -m training.fit VARIANT [options]`.

A heuristic is cloned; then one network plays and learns in every seat, against itself and in a
share of the games against a pool. The model that leads its strongest rival most is kept, and at the
end it is compared with the baselines, and with the clone, on duplicate deals.
"""

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress

from agents.working import Hopeless
from rummy_env import command_line
from rummy_env.core.rules import Rules
from rummy_env.workers import WorkerError
from training import summary
from training.cluster import cluster
from training.phases import tell
from training.resuming import flags_of, options_of
from training.run import Run
from training.session import Session, complete
from training.settings import Settings
from training.usual import summary_of

COMMAND = "python -m training.fit"


@contextmanager
def begun(rules: Rules, settings: Settings, command: str) -> Iterator[Session]:
    """Yield a run that is ready to learn, with a cluster if it has workers.

    Raises:
        ValueError: If a flag makes no sense, a run cannot be resumed, or there is no cluster for
            the workers.
    """
    complete(rules, settings)  # so bad flags are refused before a cluster is started
    with (
        cluster(settings.workers, settings.ray_address),
        closing(Session(rules, settings, command)) as session,
    ):
        if session.share_left <= 0 and session.is_reported:
            raise ValueError(
                f"--resume {session.run.folder}: it has learned to its limits, and its report is "
                f"written; give more --total-timesteps or --minutes"
            )
        yield session


def learn(session: Session) -> Run | None:
    """Learn to the end and write the report; None if the user stopped it.

    Raises:
        WorkerError: If a worker meets an error.
    """
    if session.settings.resume is None:
        print(summary_of(session.settings))
    with suppress(KeyboardInterrupt):
        if session.learn():
            summary.write(session)
            return session.run
    return None


def _to_the_end(session: Session, command: str) -> Run | None:
    """Learn as `learn` does, and tell a user who stops the run how to go on."""
    if (run := learn(session)) is not None:
        return run
    if session.run.checkpoint.exists():
        again = [] if session.settings.resume else ["--resume", str(session.run.folder), "--trust"]
        tell(f"stopped; go on with: {shlex.join([*shlex.split(command), *again])}")
    else:
        tell("stopped before anything was learned: begin anew")
    return None


def main(argv: Sequence[str], command: str = COMMAND) -> int:
    """Run the command; return 0, or 130 after Ctrl-C or SIGTERM."""
    line, run = shlex.join([*command.split(), *argv]), None
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        with command_line.plain_errors():
            rules, settings = command_line.parse(Settings, command, argv)
            if settings.resume is not None:  # flags that are not given have that run's values
                own = flags_of(settings.resume), options_of(settings.resume, rules.name)
                rules, settings = command_line.parse(Settings, command, argv, *own)
            session = stack.enter_context(begun(rules, settings, line))
        with command_line.plain_errors((Hopeless, OSError, WorkerError)):
            run = _to_the_end(session, line)
    return command_line.INTERRUPTED if run is None else 0


if __name__ == "__main__":
    sys.exit(command_line.run("training.fit", COMMAND))
