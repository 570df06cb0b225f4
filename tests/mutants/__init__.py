"""Rules broken on purpose, one at a time: a test that does not notice holds less than it says.

A mutant is a piece of the package and what stands there instead. The piece is found by its text, so
a file may move; who changes the text aims the mutant anew: `rule` says at what. The tests that
should notice are run first. `python -m tests.mutants` runs them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A rule, broken.

    Attributes:
        name: What it is called.
        rule: What no longer holds.
        snippet: What stands in the package exactly once.
        replacement: What is put there.
        tests: The test files most likely to notice, first of all.
    """

    name: str
    rule: str
    snippet: str
    replacement: str
    tests: tuple[str, ...]
