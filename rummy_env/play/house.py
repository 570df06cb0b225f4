"""All tables of a server, and who may sit where."""

import logging
import secrets
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any

from rummy_env.play.journal import Journal, resume
from rummy_env.play.offer import Offer
from rummy_env.play.orders import Order
from rummy_env.play.room import Room
from rummy_env.play.seats import Person
from rummy_env.play.shelf import Shelf
from rummy_env.play.table import Refused, Table
from rummy_env.records.record import check_recordable

MAX_TABLES = 2000
"""Tables at once; beyond that, finished ones that nobody looks at make room."""
KEPT = 7 * 24 * 3600
"""Seconds for which a table whose game is over is kept for those who come back to it."""
KEPT_UNFINISHED = 30 * 24 * 3600
"""Seconds for which any other table is kept after what was last done there."""
SHORTEST = 20
"""Characters that a page's secret has at least."""
PACE = 0.7
"""Seconds that an agent waits before it acts, unless told otherwise."""

log = logging.getLogger("rummy_env.play")


class House:
    """The tables of a server.

    Attributes:
        offer: The agents that may be named.
        shelf: Records that can be watched.
        warnings: What went wrong with tables that should have been resumed.
    """

    def __init__(self, offer: Offer, *, folder: Path | None = None, pace: float = PACE) -> None:
        """Open the house, with the tables and games of an earlier one in the folder.

        Args:
            offer: The agents that may be named.
            folder: Where tables and records are kept; None to keep none.
            pace: Seconds that an agent waits before it acts.
        """
        self.offer = offer
        self.pace = pace
        self.journal = Journal(folder)
        self.shelf = Shelf(self.journal.games())
        self.warnings: list[str] = []
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._seats: dict[str, tuple[Room, int]] = {}
        self._resume()

    def __len__(self) -> int:
        return len(self._rooms)

    @property
    def rooms(self) -> list[Room]:
        """All rooms."""
        return [*self._rooms.values()]

    def _resume(self) -> None:
        kept_games = {*self.journal.games()}
        for name, path in self.journal.tables():
            try:
                table, unrecorded = resume(path, self.offer)
                check_recordable(table.rules)
            except Exception as error:  # whatever is wrong with a file, or with its agents
                self.warnings.append(f"{path} is left out: {error}")
                continue
            kept = KEPT if table.finished else KEPT_UNFINISHED
            old = time.time() - path.stat().st_mtime > kept
            if old and not unrecorded:
                self.journal.forget(name)
                continue
            self._open(name, table)
            for number, record in unrecorded.items():
                if record.to_line() in kept_games:  # the kill came before the table knew
                    self.journal.note_recorded(name, number)
                else:
                    self.shelf.add(record)
                    self.journal.record(name, number, record)

    def set_up(self, order: Order) -> list[dict[str, Any]]:
        """Set a table.

        Returns:
            The links: `seat`, `name` and `token` of every seat for a person.

        Raises:
            ValueError: If no seat is for a person, or the rules cannot be recorded.
            Refused: If there are too many tables.
        """
        places = enumerate(order.seats)
        people = {place: seat for place, seat in places if isinstance(seat, Person)}
        if not people:
            raise ValueError(
                "only agents sit here: give a person a seat, or press 'Watch agents play this' "
                "on the page"
            )
        check_recordable(order.rules)
        self._make_room()
        name, table = secrets.token_hex(8), Table(order.rules, order.seats, order.seed)
        self._open(name, table)
        self.journal.begin(name, table)
        return [
            {"seat": place, "name": person.name, "token": person.token}
            for place, person in people.items()
        ]

    def _open(self, name: str, table: Table) -> None:
        room = Room(name, table, self.journal, pace=self.pace, on_record=self.shelf.add)
        self._rooms[name] = room
        self.shelf.know(table.rules.name)
        for place, seat in enumerate(table.seats):
            if isinstance(seat, Person):
                self._seats[seat.token] = (room, place)

    def _make_room(self) -> None:
        """Forget a finished table that nobody looks at, where there are too many."""
        if len(self._rooms) < MAX_TABLES:
            return
        over = (r for r in self._rooms.values() if r.table.finished and not r.lines)
        if (old := next(over, None)) is None:
            raise Refused(f"{MAX_TABLES:,} tables are taken: try again when one is free")
        del self._rooms[old.name]
        self._seats = {token: at for token, at in self._seats.items() if at[0] is not old}
        self.journal.forget(old.name)

    def sit(self, token: str, own: str) -> tuple[Room, int, str]:
        """Return the room and the seat of a token, and the token by which to come back.

        Args:
            token: Of a link, or of a seat that was taken.
            own: A secret of the page, which replaces the token of a link. So a page can say again
                what it said before its connection was lost.

        Raises:
            Refused: If no seat has the token, or `own` is easily guessed.
        """
        if own in self._seats:
            token = own
        if token not in self._seats:
            raise Refused(
                "this link leads to no seat: it was used before, or its table is gone; come back "
                "by the page that used it first, or ask for a new table"
            )
        room, seat = self._seats[token]
        person = room.table.person_of(seat)
        if person is None or person.claimed:
            return room, seat, token
        if len(own) < SHORTEST:
            raise Refused(f"own has {len(own)} characters: make {SHORTEST} by chance")
        del self._seats[token]
        person.claim(own)
        self._seats[own] = (room, seat)
        self.journal.claim(room.name, seat, own)
        return room, seat, own

    async def close(self) -> None:
        """Stop all agents and end all lines."""
        self.shelf.close()
        for room in self.rooms:
            await room.close()
        if not self.journal.flush():
            log.warning(
                "%s: some of the last moves or games could not be kept", self.journal.folder
            )
