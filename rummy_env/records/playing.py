"""Recorded games played again, one or many side by side."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, islice
from operator import attrgetter

import numpy as np

from rummy_env.core.arrays import Rows
from rummy_env.core.checks import check_range, shown
from rummy_env.core.engine import MAX_GAMES, Engine, IllegalAction
from rummy_env.core.rules import Rules
from rummy_env.records.reading import lines, record_of
from rummy_env.records.record import (
    KNOWN,
    Outcome,
    Record,
    Variants,
    check_record,
    written_by,
)

Records = str | os.PathLike[str] | Iterable[Record]
"""A file of records, or records."""
Moment = tuple[Engine, Rows, Rows]
"""The tables, the games that go on, intp[R], and the actions that come next in them, intp[R]."""

BATCH = 512
"""Games played side by side, unless asked otherwise."""


class Departed(ValueError):  # noqa: N818  (named for what happened)
    """A game departs from what was recorded."""

    def __init__(self, record: Record, row: int, number: int, why: str) -> None:
        """`row` is the number of the game, `number` that of the action, counted from 0."""
        count = len(record.actions)
        where = f"at action {number} of {count}" if number < count else f"after its {count} actions"
        super().__init__(
            f"the record{written_by(record.version)} does not replay: it departs {where}: {why}"
        )
        self.row = row


def play(record: Record) -> Iterator[Engine]:
    """Play a recorded game.

    Yields:
        The engine, with one game: as it was dealt, then after every action; always the same engine.

    Raises:
        ValueError: If the game departs from what was recorded, as one from another version may;
            naming the action, and both versions where they differ.
        TypeError: If it is no record.
    """
    check_record(record)
    return (engine for engine, _, _ in Batch([record], 0, None).side_by_side())


@dataclass(frozen=True)
class Batch:
    """Some consecutive records with equal rules.

    Attributes:
        records: At least one.
        first: Which of all records the first is, counted from 0.
        path: The file that they come from; None if there is none.
    """

    records: Sequence[Record]
    first: int
    path: str | os.PathLike[str] | None

    @property
    def rules(self) -> Rules:
        """The rules of all games."""
        return self.records[0].rules

    @cached_property
    def spans(self) -> tuple[Rows, Rows]:
        """Where each game begins if all actions are in one line, and their numbers, intp[B]."""
        counts = np.array([len(record.actions) for record in self.records], np.intp)
        return counts.cumsum() - counts, counts

    def side_by_side(self) -> Iterator[Moment]:
        """Play the games.

        Yields:
            Each moment, from the deal on: the engine, always the same, with a game for each record,
            and what comes next; at the end of the longest game nothing does, R = 0.

        Raises:
            Departed: If a game departs from what was recorded.
        """
        records, (starts, counts) = self.records, self.spans
        engine = Engine(self.rules, len(records), np.array([r.seed for r in records], np.uint64))
        engine.reset()
        each = chain.from_iterable(record.actions for record in records)
        actions = np.fromiter(each, np.intp, counts.sum())
        rewards = np.zeros((len(records), engine.rules.num_players))
        for step in range(int(counts.max()) + 1):
            rows = (counts > step).nonzero()[0]
            played = actions[starts[rows] + step]
            yield engine, rows, played
            over = rows[engine.finished[rows]]
            if over.size:
                raise Departed(records[over[0]], int(over[0]), step, "the game is over before it")
            try:
                engine.step(played, rows)
            except IllegalAction as error:
                why = str(error).removeprefix(f"game {error.row}, ")  # of the engine, not of a file
                raise Departed(records[error.row], error.row, step, why) from error
            rewards[rows] += engine.rewards[rows]
        for row, record in enumerate(records):
            if other := Outcome.of(engine, row, rewards[row]).departures(record.outcome):
                raise Departed(record, row, len(record.actions), "; ".join(other))

    def play(self) -> Iterator[Moment]:
        """Play the games `side_by_side`; a ValueError names the record that departs."""
        try:
            yield from self.side_by_side()
        except Departed as error:
            number = self.first + error.row
            place = f"{os.fspath(self.path)}, game {number + 1}" if self.path is not None else ""
            raise ValueError(f"{place or f'records[{number}]'}: {error}") from error


def batches(records: Records, batch: int = BATCH, *, variants: Variants = KNOWN) -> Iterator[Batch]:
    """Divide records into batches of consecutive ones with equal rules, at most `batch` in each.

    `variants` are those that a file may name, as for `read`. A file is read as its records are
    needed, so what is wrong with it is raised then.

    Raises:
        OSError: If they are in a file that cannot be read.
        ValueError: If a line of it is no record, or `batch` is out of range.
        TypeError: If these are no records.
    """
    check_range("batch", batch, 1, MAX_GAMES)
    if isinstance(records, str | os.PathLike):
        each = (record_of(records, *line, variants) for line in lines(records))
        return _batches(each, batch, records)
    if not isinstance(records, Iterable):
        raise TypeError(f"records={shown(records)}: give a path, or records, as in [record]")
    return _batches(records, batch, None)


def _batches(
    records: Iterable[Record], batch: int, path: str | os.PathLike[str] | None
) -> Iterator[Batch]:
    first = 0
    for _, equal in groupby(_checked(records), key=attrgetter("rules")):
        while some := list(islice(equal, batch)):
            yield Batch(some, first, path)
            first += len(some)


def _checked(records: Iterable[Record]) -> Iterator[Record]:
    for record in records:
        check_record(record)
        yield record
