"""Reading files of records."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from rummy_env.core.checks import check_range
from rummy_env.records.record import KNOWN, MAX_LINE, Record, Variants


def read(path: str | os.PathLike[str], *, variants: Variants = KNOWN) -> list[Record]:
    """Read all records of a file, one per line; arguments and errors are those of `read_game`."""
    return [record_of(path, *line, variants) for line in lines(path)]


def read_game(path: str | os.PathLike[str], game: int = 1, *, variants: Variants = KNOWN) -> Record:
    """Read one record of a file, counted from 1; the other lines may be damaged.

    `variants` are as for `Record.from_line`.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If there is no such game, or its line is no record; naming the line.
    """
    total, found = 0, (0, "")
    for total, line in enumerate(lines(path), start=1):
        if total == game:
            found = line
            break
    check_range("game", game, 1, total, beside=f"the records of {os.fspath(path)}")
    return record_of(path, *found, variants)


def lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Read the lines of a file that are not empty, numbered from 1; long ones are cut short.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it holds no line.
    """
    found = False
    with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
        for number in count(1):
            line = rest = file.readline(MAX_LINE + 1)
            if not line:
                break
            while rest and not rest.endswith("\n"):
                rest = file.readline(MAX_LINE)
            if line.strip() or len(line) > MAX_LINE:
                found = True
                yield number, line
    if not found:
        raise ValueError(f"{os.fspath(path)} holds no record: give a file with a record a line")


def record_of(path: str | os.PathLike[str], number: int, line: str, variants: Variants) -> Record:
    """Return the record of a line; a ValueError that names the line if it is none."""
    try:
        return Record.from_line(line, variants=variants)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}, line {number}: {error}") from error
