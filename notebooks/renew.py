"""Runs notebooks anew: `python notebooks/renew.py [NAME ...]`, all of them without names.

The text comes from NAME.py, and NAME.ipynb is written with the outputs. What is the same again is
written the same again: cells are numbered, and times are left out.
"""

import sys
from pathlib import Path

import jupytext  # type: ignore[import-untyped]
import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent
TIMEOUT = 300


def texts() -> list[Path]:
    """The text of every notebook."""
    return sorted(path for path in FOLDER.glob("*.py") if path != Path(__file__))


def renew(text: Path) -> None:
    """Run a notebook and write it beside its text.

    Raises:
        CellExecutionError: If one of its cells fails; nothing is written.
    """
    notebook = jupytext.read(text)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number}"
    run = {"metadata": {"path": str(text.parent)}}
    NotebookClient(notebook, timeout=TIMEOUT, record_timing=False, resources=run).execute()
    notebook.metadata.pop("language_info")  # the Python that it ran on
    nbformat.write(notebook, text.with_suffix(".ipynb"))  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    for text in [FOLDER / f"{name}.py" for name in sys.argv[1:]] or texts():
        print(text.stem)
        renew(text)
