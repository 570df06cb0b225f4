"""The list of mutants fits the package, and the command tells caught from uncaught."""

from collections import Counter
from pathlib import Path

import pytest

from tests.documents import ROOT
from tests.mutants import Mutant, trial
from tests.mutants.listed import MUTANTS, chosen, place

SUM = Mutant(
    "sum", "two and two are four", "return a + b", "return a - b", ("test_nothing", "test_sum")
)
UNSEEN = Mutant("name", "nobody looks at it", 'NAME = "sum"', 'NAME = "total"', ("test_sum",))


def test_names_are_different() -> None:
    assert set(Counter(mutant.name for mutant in MUTANTS).values()) == {1}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_fits_the_package_and_its_tests_exist(mutant: Mutant) -> None:
    assert place(mutant, ROOT).is_file()
    assert mutant.replacement != mutant.snippet
    assert all((ROOT / "tests" / f"{name}.py").is_file() for name in mutant.tests)


def test_a_name_that_is_not_listed_is_refused() -> None:
    with pytest.raises(ValueError, match="mutant 'nonsense': give names of"):
        chosen(["nonsense"])


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trial.Copy:
    """The copy of a project that can add two numbers."""
    project = tmp_path / "original"
    for folder in ("rummy_env", "tests"):
        (project / folder).mkdir(parents=True)
        (project / folder / "__init__.py").touch()
    (project / "rummy_env" / "sum.py").write_text(
        'NAME = "sum"\n\n\ndef add(a, b):\n    return a + b\n'
    )
    (project / "tests" / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    (project / "tests" / "test_sum.py").write_text(
        "from rummy_env.sum import add\n\n\ndef test_sum():\n    assert add(2, 2) == 4\n"
    )
    monkeypatch.setattr(trial, "ROOT", project)
    return trial.Copy(tmp_path / "copy")


@pytest.mark.slow
def test_a_mutant_is_caught_by_the_first_test_that_fails(copy: trial.Copy) -> None:
    found = copy.try_out(SUM, [], likely_only=True)
    assert found == trial.Finding(SUM, "tests/test_sum.py::test_sum")
    assert "return a + b" in (copy.root / "rummy_env" / "sum.py").read_text()


@pytest.mark.slow
def test_a_mutant_that_no_test_notices_is_uncaught(copy: trial.Copy) -> None:
    assert copy.try_out(UNSEEN, [], likely_only=False) == trial.Finding(UNSEEN)


def test_a_snippet_that_is_not_found_once_is_told_with_its_rule(copy: trial.Copy) -> None:
    lost = Mutant("lost", "three and one are four", "return b + a", "", ("test_sum",))
    problem = copy.try_out(lost, [], likely_only=True).problem
    assert "stands 0 times under rummy_env" in problem
    assert "three and one are four" in problem


@pytest.mark.slow
def test_a_test_that_fails_anyway_catches_nothing(copy: trial.Copy) -> None:
    (copy.root / "tests" / "test_nothing.py").write_text("def test_nothing():\n    assert False\n")
    problem = copy.try_out(SUM, [], likely_only=True).problem
    assert problem.startswith("without the mutant, too: tests/test_nothing.py::test_nothing fails")


def test_flags_that_pytest_does_not_know_catch_nothing(copy: trial.Copy) -> None:
    found = copy.try_out(SUM, ["no such file"], likely_only=True)
    assert not found.caught_by
    assert "no such file" in found.problem
