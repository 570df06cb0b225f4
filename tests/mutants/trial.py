"""Whether the tests notice a mutant: in a copy of the project, without a trace in the project."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.documents import ROOT
from tests.mutants import Mutant
from tests.mutants.listed import place

LONGEST = 1800
"""Seconds after which tests are stopped: a mutant may keep a game from ending."""

NO_TESTS = 5
"""What pytest returns where all tests were deselected."""

USAGE_ERROR = 4
"""What pytest returns where it does not understand its flags: then nothing was run."""

NOT_COPIED = (".*", "__pycache__", "build", "runs", "dist")
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py.*?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Finding:
    """What became of a mutant.

    Attributes:
        mutant: Which.
        caught_by: The first test that failed, by its name for pytest; empty where none did.
        problem: Why that could not be found out; empty where it could.
    """

    mutant: Mutant
    caught_by: str = ""
    problem: str = ""


class Copy:
    """A copy of the project, in which mutants are tried one after the other."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(*NOT_COPIED))

    def try_out(self, mutant: Mutant, flags: Sequence[str], *, likely_only: bool) -> Finding:
        """Runs the tests on a mutant: those likely to notice, then all others.

        Args:
            mutant: Which.
            flags: For pytest.
            likely_only: Whether the others are left out.
        """
        try:
            file = place(mutant, self.root)
        except ValueError as error:
            return Finding(mutant, problem=str(error))
        likely = [f"tests/{name}.py" for name in mutant.tests]
        rest = ["tests", *(f"--ignore={name}" for name in likely)]
        text = file.read_text()
        file.write_text(text.replace(mutant.snippet, mutant.replacement))
        try:
            caught = self._first_failure([*flags, *likely])
            if not caught and not likely_only:
                caught = self._first_failure([*flags, *rest])
        except ValueError as error:
            return Finding(mutant, problem=str(error))
        finally:
            file.write_text(text)
        if "::" in caught and (too := self._first_failure([*flags, caught])):
            return Finding(mutant, problem=f"without the mutant, too: {too} fails, mend it first")
        return Finding(mutant, caught)

    def _first_failure(self, arguments: Sequence[str]) -> str:
        """The first test that fails; empty where all pass.

        Raises:
            ValueError: If pytest does not understand the arguments.
        """
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider"]
        command += ["-m", "not slow"]
        environment = {**os.environ, "PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                [*command, "--tb=no", "-rfE", *arguments],
                cwd=self.root,
                env=environment,
                capture_output=True,
                text=True,
                timeout=LONGEST,
            )
        except subprocess.TimeoutExpired:
            return f"no end within {LONGEST} seconds"
        if done.returncode in (0, NO_TESTS):
            return ""
        if done.returncode == USAGE_ERROR:
            raise ValueError(f"pytest {' '.join(arguments)}: {done.stderr.strip()}")
        failed = _FAILED.search(done.stdout)
        return failed[1] if failed else f"pytest ({done.returncode}): {done.stderr[-300:]!r}"
