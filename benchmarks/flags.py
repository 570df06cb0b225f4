"""The flags of the commands that measure."""

from collections.abc import Sequence
from typing import TypeVar

import tyro

from rummy_env.command_line import check_folder
from rummy_env.core.checks import check_number, check_range
from rummy_env.core.keys import MOST_SEED
from rummy_env.evaluation.statistics import MIN_DEALS

Settings = TypeVar("Settings")

_FEWEST = {"positions": 2, "deals": MIN_DEALS, "seed": 0}
"""The least value of a number, other than 1."""


def asked(kind: type[Settings], module: str, argv: Sequence[str] | None = None) -> Settings:
    """Return what the command of a module is asked for, checked before anything is measured.

    The settings are a dataclass; what is in `out`, if it has that, is the folder where figures are
    kept.

    Raises:
        ValueError: If a number makes no sense, or the folder cannot be written into.
    """
    found = tyro.cli(kind, prog=f"python -m {module}", args=argv)
    for name, value in vars(found).items():
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, int) and not isinstance(one, bool):
                check_range(name, one, _FEWEST.get(name, 1), MOST_SEED)
    for name in ("seconds", "share"):
        if hasattr(found, name):
            check_number(name, getattr(found, name), "a number above 0", lambda n: n > 0)
    if (folder := getattr(found, "out", None)) is not None:
        check_folder("--out", folder)
    return found
