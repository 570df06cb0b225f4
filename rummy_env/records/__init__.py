"""Records from which games can be replayed, each one line of JSON.

A game is a pure function of its rules, its seed and its actions, so a record holds these, with the
players and the outcome, which a replay must reproduce. The keys of a line are in docs/replays.md;
`rummy_env.envs.recording` writes lines, `rummy_env.replay` shows them.
"""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np

from rummy_env.core.checks import check_range
from rummy_env.core.engine import Engine, IllegalAction
from rummy_env.records.record import KNOWN, MAX_LINE, Outcome, Record, Variants, check_record
from rummy_env.version import __version__

__all__ = ["KNOWN", "Outcome", "Record", "Variants", "lines", "play", "read", "read_game"]


def read(path: str | os.PathLike[str], *, variants: Variants = KNOWN) -> list[Record]:
    """Read all records of a file, one per line; arguments and errors are those of `read_game`."""
    return [_placed(path, *line, variants) for line in lines(path)]


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
    return _placed(path, *found, variants)


def play(record: Record) -> Iterator[Engine]:
    """Play a recorded game.

    Yields:
        The engine, with one game: as it was dealt, then after every action; always the same engine.

    Raises:
        ValueError: If the game departs from what was recorded, as one from another version may;
            naming both versions and the action.
        TypeError: If it is no record.
    """
    check_record(record)
    engine = Engine(record.rules, seed=np.array([record.seed], np.uint64))
    engine.reset()
    rewards = np.zeros(record.rules.num_players)
    yield engine
    for number, action in enumerate(record.actions):
        if engine.finished[0]:
            raise ValueError(_departed(record, number, "the game is over before it"))
        try:
            engine.step([action])
        except IllegalAction as error:
            raise ValueError(_departed(record, number, str(error))) from error
        rewards += engine.rewards[0]
        yield engine
    if other := Outcome.of(engine, 0, rewards).departures(record.outcome):
        raise ValueError(_departed(record, len(record.actions), "; ".join(other)))


def _departed(record: Record, number: int, why: str) -> str:
    count = len(record.actions)
    where = f"at action {number} of {count}" if number < count else f"after its {count} actions"
    return (
        f"the record is of rummy_env {record.version} and does not replay in {__version__}: "
        f"it departs {where}: {why}"
    )


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


def _placed(path: str | os.PathLike[str], number: int, line: str, variants: Variants) -> Record:
    try:
        return Record.from_line(line, variants=variants)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}, line {number}: {error}") from error
