"""Figures that are kept: JSON, with the command that made them."""

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

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


def read(path: Path) -> list[dict[str, Any]]:
    """Figures as they were written, as plain values."""
    return json.loads(path.read_text(encoding="utf-8"))["figures"]
