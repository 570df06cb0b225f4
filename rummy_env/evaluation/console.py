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
