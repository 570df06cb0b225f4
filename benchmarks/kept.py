"""Figures that are kept: JSON, with the command that made them."""

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rummy_env.command_line import check_folder
from rummy_env.core.checks import check_number, check_range
from rummy_env.core.keys import MOST_SEED
from rummy_env.evaluation.statistics import MIN_DEALS
from rummy_env.files import write_json

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

RESULTS = Path(__file__).parent / "results"
"""Where those of the documentation are."""


def command(module: str) -> str:
    """Return the command line of this process, which runs a module."""
    return shlex.join(["python", "-m", module, *sys.argv[1:]])


def write(path: Path, module: str, figures: "Sequence[DataclassInstance]") -> None:
    """Write figures; the folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    facts = {"command": command(module), "figures": [asdict(each) for each in figures]}
    write_json(path, facts)


_FEWEST = {"positions": 2, "deals": MIN_DEALS, "seed": 0}
"""The least value of a number, other than 1."""


def check(settings: object) -> None:
    """Refuse, before anything is measured, numbers that make no sense, and a folder to write into.

    The settings are a dataclass; what is in `out`, if it has that, is where figures are kept.
    """
    for name, value in vars(settings).items():
        for one in value if isinstance(value, tuple) else (value,):
            if name != "gates" and isinstance(one, int) and not isinstance(one, bool):
                check_range(name, one, _FEWEST.get(name, 1), MOST_SEED)
    for name in ("seconds", "share"):
        if hasattr(settings, name):
            check_number(name, getattr(settings, name), "a number above 0", lambda n: n > 0)
    check_out(getattr(settings, "out", None))


def check_out(folder: Path | None) -> None:
    """Refuse a folder for figures that cannot be written into."""
    if folder is not None:
        check_folder("--out", folder)


def read(path: Path) -> list[dict[str, Any]]:
    """Figures as they were written, as plain values."""
    return json.loads(path.read_text(encoding="utf-8"))["figures"]
