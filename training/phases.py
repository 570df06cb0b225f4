"""What a training run tells while it works: its phases, how far each is, and lines between."""

import sys
from typing import TextIO

from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from rummy_env.command_line import nobody_reads
from rummy_env.evaluation.console import LastingConsole, Quarters


class Phases:
    """A bar for each phase of a run, on standard error; lines go to standard output."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("{task.description:14}"),
            BarColumn(bar_width=10),  # so that a line fits a terminal of 80 columns
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=LastingConsole(stderr=True),
            redirect_stdout=sys.stdout.isatty(),  # else lines that go to a file would miss it
        )
        self._task = TaskID(0)
        self._phase, self._quarters = "", Quarters()

    def __enter__(self) -> "Phases":
        self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._bar.stop()

    def begin(self, phase: str) -> None:
        """Begin a phase; a line tells of it where no bar can be drawn."""
        if not self._bar.console.is_terminal:
            self.tell(f"{phase} ...")
        self._phase, self._quarters = phase, Quarters()
        self._task = self._bar.add_task(phase, total=1.0, note="")

    def show(self, done: float, note: str = "") -> None:
        """Show how far the phase is, 0 to 1, and a note beside it; without a bar, each quarter."""
        self._bar.update(self._task, completed=done, note=note)
        if not self._bar.console.is_terminal and self._quarters.next(done):
            self.tell(f"{self._phase}: {done:.0%}{', ' * bool(note)}{note}")

    def tell(self, line: str) -> None:
        """Print a line; see `tell`."""
        tell(line)


def tell(line: str, stream: TextIO | None = None) -> None:
    """Print a line, to the standard output where there is no other stream, if that can be done.

    Where nobody reads any more, or the disk under the log is full, learning goes on all the same.
    """
    stream = stream or sys.stdout
    try:
        print(line, file=stream, flush=True)
    except BrokenPipeError:
        nobody_reads(stream)
    except OSError:
        pass  # the next line may fit again
