"""Consoles for tables and bars that outlive whoever reads them."""

import sys

from rummy_env.command_line import nobody_reads
from rummy_env.importing import extra

with extra("compare", "showing a comparison"):
    from rich.console import Console


class LastingConsole(Console):
    """A console that prints into nowhere once its reader has gone, in place of ending the command.

    A reader goes when Ctrl-C ends `tee` along with the command, or `head` has enough: what has been
    played is still to be written then.
    """

    def on_broken_pipe(self) -> None:
        """Give what is printed from now on a place to go."""
        self.quiet = True
        nobody_reads(sys.stderr if self.stderr else sys.stdout)


class Quarters:
    """The quarters of some work, for lines that tell of it where no bar can be drawn."""

    def __init__(self) -> None:
        self._told = 0

    def next(self, done: float) -> bool:
        """Whether a further quarter is done, of a share of the work from 0 to 1, but not all."""
        before, self._told = self._told, max(self._told, int(4 * done))
        return before < self._told < 4
