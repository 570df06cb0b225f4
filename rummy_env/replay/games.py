"""The games of a file of records, one after the other."""

import os
from functools import lru_cache

from rummy_env.core.checks import check_range
from rummy_env.core.naming import printable
from rummy_env.records import KNOWN, Record, Variants, lines, record_of
from rummy_env.replay import Replay

PAGE = 100
"""Games that are read at once, since a list shows many that follow one another."""


class Games:
    """The games of a file, by number, the first being number 1; damaged ones are told as such."""

    def __init__(self, path: str | os.PathLike[str], *, variants: Variants = KNOWN) -> None:
        """Look at a file; `variants` are as for `Record.from_line`."""
        self._path, self._variants = path, variants
        self._count = 0
        self._page = lru_cache(maxsize=2)(self._read_page)

    def _read_page(self, number: int) -> list[tuple[int, str]]:
        """Read some games; the first time all are counted too, since a pipe is read only once."""
        page, count = [], 0
        for count, line in enumerate(lines(self._path), start=1):
            if (count - 1) // PAGE == number:
                page.append(line)
            elif self._count and (count - 1) // PAGE > number:
                break
        self._count = self._count or count
        return page

    def __len__(self) -> int:
        if not self._count:
            self._page(0)
        return self._count

    def replay(self, game: int) -> Replay:
        """Return the replay of a game.

        Raises:
            ValueError: If there is no such game, its line is no record, or it does not replay.
        """
        return Replay(self._record(game))

    def _record(self, game: int) -> Record:
        page, place = divmod(game - 1, PAGE)
        found = self._page(page)
        check_range("game", game, 1, len(self), beside=f"the records of {os.fspath(self._path)}")
        if place >= len(found):
            raise ValueError(
                f"{os.fspath(self._path)} has no game {game} any more: it has become shorter since "
                f"it was opened; open it again"
            )
        return record_of(self._path, *found[place], self._variants)

    def about(self, game: int) -> str:
        """Return a line about a game: the variant, the players with their points, and the end."""
        try:
            record = self._record(game)
        except (ValueError, OSError) as error:
            return printable(f"no record: {error}"[:100])
        outcome = record.outcome
        seats = zip(record.agents, outcome.scores, strict=True)
        players = ", ".join(
            f"{name} {score}{' *' if seat in outcome.winners else ''}"
            for seat, (name, score) in enumerate(seats)
        )
        return printable(
            f"{record.rules.name}: {players} · {len(record.actions)} actions, {outcome.end}"
        )
