"""What a server writes down of its tables as they are played, so that it can go on after a kill.

A table is a file: a line of JSON that sets it, then a line for every change. A line that was cut
short by the kill is left out.
"""

import json
import logging
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rummy_env.core.checks import check_range, shown
from rummy_env.files import append_lines
from rummy_env.play.offer import Offer
from rummy_env.play.seats import Person, Seat
from rummy_env.play.table import Table
from rummy_env.records import Record
from rummy_env.variants import named, rules_with

FORMAT = 1
SUFFIX = ".table"
GAMES = "games.jsonl"
"""The file of the finished games, which `rummy-env replay` reads, too."""

log = logging.getLogger("rummy_env.play")


class Journal:
    """The folder of a server; without one, nothing is kept.

    Attributes:
        folder: Holds a file a table, and the records of finished games. Tables tell tokens and
            seeds, so nobody else may read them.
    """

    def __init__(self, folder: Path | None) -> None:
        """Make the folder if need be; an OSError if that fails."""
        self.folder = folder
        self._waiting: defaultdict[Path, list[str]] = defaultdict(list)
        """Lines that could not be written yet, by file."""
        self._records: list[tuple[str, int]] = []
        """Tables and the numbers of their games whose records wait."""
        self._failing = False
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def begin(self, name: str, table: Table) -> None:
        """Write down a new table."""
        seats = [
            {"person": seat.name, "token": seat.token, "claimed": seat.claimed}
            if isinstance(seat, Person)
            else {"agent": seat.asked}
            for seat in table.seats
        ]
        rules = named(table.rules)
        self._add(name, {"format": FORMAT, **rules, "seed": table.seed, "seats": seats})
        self.deal(name, table)

    def deal(self, name: str, table: Table) -> None:
        """Write down that a game was dealt."""
        self._add(name, {"deal": table.number, "seed": table.game_seed})

    def play(self, name: str, action: int) -> None:
        """Write down an action."""
        self._add(name, {"play": action})

    def undo(self, name: str) -> None:
        """Write down that an action was taken back."""
        self._add(name, {"undo": True})

    def claim(self, name: str, seat: int, token: str) -> None:
        """Write down the token that a seat was given."""
        self._add(name, {"claim": seat, "token": token})

    def record(self, name: str, number: int, record: Record) -> None:
        """Append the record of a table's game; the table is told once that is written."""
        if self.folder is not None:
            self._records.append((name, number))
        self.keep(record)

    def keep(self, record: Record) -> None:
        """Append a record to those of finished games."""
        if self.folder is not None:
            self._append(self.folder / GAMES, record.to_line())

    def note_recorded(self, name: str, number: int) -> None:
        """Write down that a game of a table is among the records."""
        self._add(name, {"recorded": number})

    def forget(self, name: str) -> None:
        """Remove a table."""
        if self.folder is not None:
            path = self.folder / f"{name}{SUFFIX}"
            self._waiting.pop(path, None)
            self._records = [each for each in self._records if each[0] != name]
            path.unlink(missing_ok=True)

    def games(self) -> list[str]:
        """Return the lines of the records of finished games."""
        path = None if self.folder is None else self.folder / GAMES
        if path is None or not path.exists():
            return []
        return path.read_text(encoding="utf-8", errors="replace").splitlines()

    def tables(self) -> Iterator[tuple[str, Path]]:
        """Yield the tables that are written down, by name."""
        for path in sorted(self.folder.glob(f"*{SUFFIX}")) if self.folder is not None else ():
            yield path.stem, path

    def _add(self, name: str, values: Mapping[str, Any]) -> None:
        if self.folder is not None:
            line = json.dumps(values, separators=(",", ":"))
            self._append(self.folder / f"{name}{SUFFIX}", line)

    def flush(self) -> bool:
        """Write what has to wait as far as that is possible; return True if nothing waits now."""
        for path in [*self._waiting]:
            if path in self._waiting:
                self._write(path)
        return not self._waiting

    def _append(self, path: Path, line: str) -> None:
        """Append a line, and what could not be written before, in this file or others.

        A table is played on where nothing can be written, as on a full disk.
        """
        self._waiting[path].append(line)
        if self._write(path):
            self.flush()

    def _write(self, path: Path) -> bool:
        """Write the lines that wait for a file; return False, after a warning, if they still do."""
        try:
            _append(path, self._waiting[path])
        except OSError as error:
            if not self._failing:
                log.warning("nothing is kept until this is mended: %s: %s", path, error.strerror)
            self._failing = True
            return False
        del self._waiting[path]
        self._failing = bool(self._waiting)
        if path.name == GAMES:
            recorded, self._records = self._records, []
            for name, number in recorded:
                self.note_recorded(name, number)
        return True


def _append(path: Path, lines: Sequence[str]) -> None:
    """Append all lines or none; after a line that was cut short, on a line of their own."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)  # of Windows
    with os.fdopen(os.open(path, flags, 0o600), "ab+", buffering=0) as file:
        append_lines(file, lines)


def resume(path: Path, offer: Offer) -> tuple[Table, dict[int, Record]]:
    """Return the table that a file tells, and the finished games without a record, by number.

    Raises:
        ValueError: If the file is damaged, or its game does not come out as it was played.
        TypeError: If an agent is no policy any more.
    """
    lines = [*_lines(path)]
    if not lines or lines[0].get("format") != FORMAT:
        raise ValueError(f"{path} begins no table of format {FORMAT}")
    head = lines[0]
    if missing := {"variant", "options", "seed", "seats"} - head.keys():
        raise ValueError(f"{path}: its first line lacks {', '.join(sorted(missing))}")
    offer.check_variant(head["variant"])
    rules = rules_with(head["variant"], head["options"])
    seats: list[Seat] = []
    for told in head["seats"]:
        if "agent" in told:
            seats.append(offer.seat(told["agent"], rules))
        else:
            seats.append(Person(_text(told, "person"), _text(told, "token"), told["claimed"]))
    table = Table(rules, seats, head["seed"])
    unrecorded: dict[int, Record] = {}
    for line in lines[1:]:
        _replay(table, line)
        if "recorded" in line:
            unrecorded.pop(line["recorded"], None)
        elif "play" in line and table.finished:
            unrecorded[table.number] = table.record()
    return table, unrecorded


def _replay(table: Table, line: Mapping[str, Any]) -> None:
    """Do to a table what a line tells."""
    if "play" in line:
        table.play(table.mover, line["play"])
    elif "undo" in line:
        table.undo(table.mover_before)
    elif "deal" in line:
        table.deal_as_recorded(line["deal"], line["seed"])
    elif "claim" in line:
        check_range("claim", line["claim"], 0, len(table.seats) - 1)
        person = table.person_of(line["claim"])
        if person is None:
            raise ValueError(f"seat {line['claim']} is claimed, and an agent plays it")
        person.claim(_text(line, "token"))
    elif "recorded" not in line:
        raise ValueError(f"the line {shown(dict(line))} tells no change of a table")


def _text(values: Mapping[str, Any], key: str) -> str:
    if not isinstance(values[key], str):
        raise ValueError(f"{key}={shown(values[key])} is no text")
    return str(values[key])


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file, without one that a kill has cut short."""
    for line in path.read_bytes().split(b"\n"):
        try:
            values = json.loads(line)
        except ValueError:
            continue
        if isinstance(values, dict):
            yield values
