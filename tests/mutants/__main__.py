"""Breaks one rule after the other and tells which test notices: `python -m tests.mutants`.

Runs the selection of `make test`; pytest's own flags may follow `--`, such as `-- --all-rules`.
Ends with 1 if a mutant goes unnoticed, or cannot be placed any more.
"""

import argparse
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.documents import ROOT
from tests.mutants import Mutant
from tests.mutants.listed import chosen, place
from tests.mutants.trial import Copy, Finding


def parser() -> argparse.ArgumentParser:
    """The flags of the command."""
    made = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    made.add_argument("--list", action="store_true", help="names and rules, nothing is run")
    made.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these mutants alone")
    made.add_argument("--likely", action="store_true", help="only the tests most likely to notice")
    made.add_argument("--jobs", type=int, default=1, help="mutants tried at once")
    made.add_argument("--report", type=Path, metavar="FILE", help="write the table there, too")
    made.add_argument("flags", nargs="*", help="flags for pytest, after --")
    return made


def findings(given: argparse.Namespace, mutants: Sequence[Mutant]) -> Iterator[Finding]:
    """What becomes of each mutant, in order."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for job in range(given.jobs):
            copies.put(Copy(Path(folder, str(job))))

        def found(mutant: Mutant) -> Finding:
            copy = copies.get()
            try:
                return copy.try_out(mutant, given.flags, likely_only=given.likely)
            finally:
                copies.put(copy)

        yield from pool.map(found, mutants)


def line(found: Finding) -> str:
    """A line of the table."""
    caught = found.caught_by.removeprefix("tests/").replace("::", " ").partition("[")[0]
    became = caught or f"**{found.problem or 'uncaught'}**"
    return f"| {found.mutant.name} | {found.mutant.rule} | {became} |"


def show(mutants: Sequence[Mutant]) -> None:
    """Prints names, rules and places."""
    for mutant in mutants:
        print(f"{mutant.name:36}{mutant.rule} [{place(mutant, ROOT).relative_to(ROOT)}]")


def main() -> int:
    """Runs the command.

    Returns:
        The exit code: 0 if every mutant is caught.
    """
    given = parser().parse_args()
    mutants = chosen(given.only)
    if given.list:
        show(mutants)
        return 0
    lines = ["| mutant | what no longer holds | caught by |", "|---|---|---|"]
    print(*lines, sep="\n", flush=True)
    caught = 0
    for found in findings(given, mutants):
        lines.append(line(found))
        print(lines[-1], flush=True)
        caught += bool(found.caught_by)
    lines += ["", f"{caught} of {len(mutants)} mutants are caught."]
    print(*lines[-2:], sep="\n")
    if given.report:
        command = shlex.join(["python", "-m", "tests.mutants", *sys.argv[1:]])
        given.report.write_text("\n".join([f"`{command}`", "", *lines, ""]), encoding="utf-8")
    return int(caught < len(mutants))


if __name__ == "__main__":
    sys.exit(main())
