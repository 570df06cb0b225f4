"""An engine that records its games as they are played."""

import codecs
import os
import secrets
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.arrays import Rows, Words
from rummy_env.core.checks import shown
from rummy_env.core.engine import Engine
from rummy_env.core.naming import player_name
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.files import append_lines, ends_whole, held
from rummy_env.records.record import MAX_ACTIONS, Outcome, Record, check_names, check_recordable

RecordPath = str | os.PathLike[str]
Agents = Sequence[str] | Callable[[int], Sequence[str]]
"""The players' names, by seat; or a function that returns them for a game when it is written."""


def engine_for(
    rules: Rules,
    num_envs: int = 1,
    seed: int | Words | None = None,
    *,
    record: RecordPath | None = None,
    agents: Agents = (),
    by_row: bool = False,
) -> Engine:
    """Return a `RecordedEngine` that appends to the file `record`; an `Engine` if that is None.

    A seed of None is drawn; the others are as for `RecordedEngine`.
    """
    given = secrets.randbits(64) if seed is None else seed
    if record is None:
        return Engine(rules, num_envs, given)
    return RecordedEngine(rules, num_envs, given, path=record, agents=agents, by_row=by_row)


def close_records(engine: Engine) -> None:
    """Write unfinished games if the engine records games."""
    if isinstance(engine, RecordedEngine):
        engine.close()


@contextmanager
def recording(engine: Engine) -> Iterator[None]:
    """Write games, if the engine records them, until a block ends; none under way after Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        if isinstance(engine, RecordedEngine):
            engine.leave_out()
        raise
    finally:
        close_records(engine)


class RecordingError(OSError):
    """Games could not be written to the file that they are recorded to."""


class RecordedEngine(Engine):
    """An engine that appends a line to a file for every game; see `rummy_env.records`.

    A game is written when it ends. An unfinished game that has any action is written, marked as
    such, when it is dealt anew, at `close`, or after `MAX_ACTIONS` actions. Copies, including
    pickled ones, play on and record nothing, so that no game is written twice.
    """

    def __init__(
        self,
        rules: Rules,
        num_envs: int = 1,
        seed: int | Words = 0,
        *,
        path: RecordPath,
        agents: Agents = (),
        by_row: bool = False,
    ) -> None:
        """Make tables without dealing, as `Engine` does, and check that the file can be written.

        Lines are appended to the file at `path`, which is created if it does not exist. `agents`
        are the names of the players, by seat, the same in all games; or a function that returns
        them for a row and is called when its game ends. If empty: `"player_0"` ... Games are
        written as they end, the short ones first; `by_row`, a game waits for those of the rows
        before it, all of which are dealt once.

        Raises:
            ValueError: If the rules cannot be recorded, there is not one name for each seat, or the
                file ends within a line.
            TypeError: If the path is none.
            OSError: If the file cannot be written.
        """
        if not isinstance(path, str | os.PathLike) or not os.fspath(path):
            raise TypeError(f"record={shown(path)}: give the path of a file")
        check_recordable(rules)
        super().__init__(rules, num_envs, seed)
        if not callable(agents):
            if agents == ():
                agents = tuple(map(player_name, range(rules.num_players)))
            check_names(agents, rules.num_players)
            agents = tuple(agents)
        self._agents: Agents = agents
        self._path: Path | None = Path(path).absolute()
        _check_file(self._path)
        self._actions: list[list[int] | None] = [None] * num_envs
        """The actions of each game since its deal; None before it, and once the game is written."""
        self._earned = np.zeros((num_envs, rules.num_players))
        self._waiting: list[str] = []
        """Records that are still to be written."""
        self._try_again_at = 0
        """How many have to wait before it is tried again; 0 unless writing has failed."""
        self._by_row = by_row
        self._held: dict[int, str] = {}
        """Records that wait for those of the rows before theirs."""
        self._first = 0
        """The first row whose record has not come yet, by row."""

    def __getstate__(self) -> dict[str, Any]:
        mine = {**self.__dict__, "_path": None, "_agents": (), "_actions": [], "_waiting": []}
        return {**mine, "_earned": None, "_held": {}}

    def reset(
        self, rows: npt.ArrayLike | None = None, seeds: int | npt.ArrayLike | None = None
    ) -> None:
        """See `Engine.reset`; unfinished games are written."""
        if self._path is None:
            super().reset(rows, seeds)
            return
        some = self.as_rows(rows)
        if self._by_row and any(self._had_deal(row) for row in some.tolist()):
            raise ValueError("by_row: each game is dealt once; make another engine for the next")
        lines = self._lines(some)
        super().reset(some, seeds)
        self._waiting += lines.values()
        for row in some.tolist():
            self._actions[row] = []
        self._earned[some] = 0
        self._append_or_warn()

    def step(self, actions: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> None:
        """See `Engine.step`; games that it ends are written.

        The step is played in full even if its games cannot be written: it then warns, and they are
        written with the next games or at `close`.
        """
        if self._path is None:
            super().step(actions, rows)
            return
        some = self.as_rows(rows)
        live = some[~self.finished.take(some)]
        super().step(actions, rows)
        full = np.zeros(self.num_envs, np.bool_)
        for row, action in zip(live.tolist(), self.last_action.take(live).tolist(), strict=True):
            if (actions_so_far := self._actions[row]) is not None:
                actions_so_far.append(action)
                full[row] = len(actions_so_far) == MAX_ACTIONS
        self._earned[live] += self.rewards[live]
        self._take_down(live[(self.finished | full).take(live)])
        self._append_or_warn()

    def lay(self, games: State, rows: npt.ArrayLike | None = None) -> None:
        """Raise a ValueError unless this is a copy: no seed deals a table laid by hand."""
        if self._path is not None:
            raise ValueError(
                f"games are recorded to {self._path}, and tables laid by hand cannot be: lay or "
                f"restore them in a copy of the engine, or in one that does not record"
            )
        super().lay(games, rows)

    def close(self) -> None:
        """Write unfinished games; after that, only newly dealt games are recorded.

        Raises:
            OSError: If games cannot be written; they wait for the next `close`.
        """
        if self._path is not None:
            self._take_down(self._all_rows)
            self._append()

    def leave_out(self) -> None:
        """Record none of the games under way, which say nothing where their playing was stopped."""
        for row in self.running.tolist():
            self._actions[row] = None

    def _take_down(self, rows: Rows) -> None:
        """Make records of games as they stand; later actions in them are not recorded."""
        lines = self._lines(rows)
        for row in rows.tolist():
            self._actions[row] = None
        if self._by_row:
            self._held |= lines
            lines = self._next_rows()
        self._waiting += lines.values()

    def _had_deal(self, row: int) -> bool:
        """Return True if a game has been dealt, where records come by row."""
        return self._actions[row] is not None or row in self._held or row < self._first

    def _next_rows(self) -> dict[int, str]:
        """Return the records held of rows that no earlier one is waited for, by row."""
        start = self._first
        while self._first < self.num_envs and self._actions[self._first] is None:
            self._first += 1
        return {row: self._held.pop(row) for row in range(start, self._first) if row in self._held}

    def _append_or_warn(self) -> None:
        """Append the waiting records; if that fails, warn and keep them waiting.

        Then it is tried again each time that twice as many wait, so that a disk that stays full
        costs little time.
        """
        if len(self._waiting) < self._try_again_at:
            return
        try:
            self._append()
        except OSError as error:
            self._try_again_at = 2 * len(self._waiting)
            left = f"{len(self._waiting)} games could not be recorded yet: {error}"
            warnings.warn(f"{left}; later steps and close() try again", stacklevel=3)

    def _append(self) -> None:
        """Append the waiting lines in one go: all of them or none."""
        if not self._waiting or self._path is None:
            return
        try:
            with self._path.open("ab+", buffering=0) as file:  # a buffer is flushed at the end
                append_lines(file, self._waiting)
        except OSError as error:
            raise RecordingError(error.errno, error.strerror, str(self._path)) from error
        self._waiting, self._try_again_at = [], 0

    def _lines(self, rows: Rows) -> dict[int, str]:
        """Return the records of those games that have actions not yet written, by row.

        Games of a step that was interrupted are left out: they have moved on without a note of it.
        """
        decisions = self.state.decisions
        return {
            row: self._record(row).to_line()
            for row in rows.tolist()
            if (played := self._actions[row]) and len(played) == decisions[row]
        }

    def _record(self, row: int) -> Record:
        return Record(
            rules=self.rules,
            seed=int(self.seeds[row]),
            actions=tuple(self._actions[row] or ()),
            agents=tuple(self._agents(row) if callable(self._agents) else self._agents),
            outcome=Outcome.of(self, row, self._earned[row]),
        )


_START = b'{"format":'
"""What every record begins with."""
_LOOKED_AT = 64
"""Bytes of a file that are looked at."""


def _check_file(path: Path) -> None:
    """Refuse files that records cannot be appended to; create a missing one."""
    with path.open("ab+") as file, held(file, wait=True):
        file.seek(0)
        start = file.read(_LOOKED_AT).removeprefix(codecs.BOM_UTF8).strip()
        if start and not start.startswith(_START):
            raise ValueError(
                f"{path} holds something else, which begins with "
                f"{shown(start.decode(errors='replace'))}: record to another file"
            )
        if not ends_whole(file):
            raise ValueError(
                f"{path} ends within a line: if that line is whole, add a line break; else delete "
                f"it; or record to another file"
            )
