"""All mutants, and how one is put into the sources."""

from collections.abc import Sequence
from pathlib import Path

from tests.mutants import (
    Mutant,
    of_bait,
    of_beliefs,
    of_core,
    of_envs,
    of_farsighted,
    of_gin,
    of_parts,
    of_patient,
    of_records,
    of_training,
    of_views,
)

PACKAGES = ("rummy_env", "agents", "training")
"""Where mutants stand."""
MUTANTS: tuple[Mutant, ...] = (
    *of_core.MUTANTS,
    *of_parts.MUTANTS,
    *of_gin.MUTANTS,
    *of_views.MUTANTS,
    *of_envs.MUTANTS,
    *of_farsighted.MUTANTS,
    *of_records.MUTANTS,
    *of_beliefs.MUTANTS,
    *of_bait.MUTANTS,
    *of_patient.MUTANTS,
    *of_training.MUTANTS,
)


def chosen(names: Sequence[str]) -> list[Mutant]:
    """The mutants of these names; all where there are none.

    Raises:
        ValueError: If there is no such mutant.
    """
    known = {mutant.name: mutant for mutant in MUTANTS}
    for name in names:
        if name not in known:
            raise ValueError(f"mutant {name!r}: give names of `python -m tests.mutants --list`")
    return [known[name] for name in names or known]


def place(mutant: Mutant, root: Path) -> Path:
    """The file in which the snippet stands.

    Args:
        mutant: Which.
        root: The folder of the project.

    Raises:
        ValueError: If the snippet does not stand there exactly once.
    """
    files = sorted(file for name in PACKAGES for file in (root / name).rglob("*.py"))
    found = [file for file in files for _ in range(file.read_text().count(mutant.snippet))]
    if len(found) != 1:
        raise ValueError(
            f"{mutant.name}: {mutant.snippet!r} stands {len(found)} times under "
            f"{', '.join(PACKAGES)}: aim it anew at what must hold: {mutant.rule}"
        )
    return found[0]
