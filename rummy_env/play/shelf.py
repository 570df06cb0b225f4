"""What can be watched: games that ended here, files that pages bring, and games of agents."""

import codecs
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import Any

from rummy_env.core.checks import check_range
from rummy_env.core.naming import action_name, printable
from rummy_env.play.seats import labels
from rummy_env.play.telling import told_scene
from rummy_env.play.watched import Watched
from rummy_env.records.record import KNOWN, MAX_LINE, Record, known_with
from rummy_env.replay import Replay, Steps
from rummy_env.views.face_up import ALL
from rummy_env.views.scene import scene_of, seat_views

HERE = "here"
"""The name of the box with the games of this server."""
MAX_GAMES = 10_000
"""Games of a box that are listed."""
MAX_BYTES = 8 << 20
"""Bytes of a file that a page brings."""
MAX_BOXES = 32
"""Files at once, and games of agents; what was not asked for longest makes room for its like."""
MAX_STEPS = 400
"""Steps that are told at once."""


class Records:
    """Lines of records, and what a list tells of each.

    Attributes:
        lines: The lines, as a file has them.
    """

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.lines = [*lines]
        self._told: tuple[tuple[str, ...], list[Mapping[str, Any]]] = ((), [])
        """Own variants, and what the first lines tell to who knows them; replaced as a whole, for
        several threads may list at once."""

    def listed(self, own: tuple[str, ...]) -> list[Mapping[str, Any]]:
        """Return what each line tells, where some own variants are known."""
        known, told = self._told
        told = [*told] if known == own else []
        told += [_summary(line, own) for line in self.lines[len(told) :]]
        self._told = own, told
        return told


class Shelf:
    """Boxes of records and games of agents, by name; but for `HERE`, no name is to be guessed.

    Several threads may ask at once: the boxes are touched under a lock alone.
    """

    def __init__(self, here: Sequence[str] = ()) -> None:
        """Begin with the lines of records of games that ended here."""
        self._here = Records([line.encode() for line in [*here][-MAX_GAMES:]])
        self._own: tuple[str, ...] = ()
        self._boxes: OrderedDict[str, Records | Watched] = OrderedDict()
        self._lock = Lock()

    def know(self, variant: str) -> None:
        """Note that a variant is played here, so that records of it can be read."""
        if variant not in (*KNOWN, *self._own):
            self._own += (variant,)

    def add(self, record: Record) -> int:
        """Add the record of a game that has ended here, and return its number."""
        self._here.lines.append(record.to_line().encode())
        return len(self._here.lines)

    def bring(self, content: bytes) -> str:
        """Put the lines of a file into a new box, and return its name.

        Raises:
            ValueError: If the file is too large, or has no lines or too many.
        """
        if len(content) > MAX_BYTES:
            raise ValueError(f"the file has more than {MAX_BYTES:,} bytes: bring part of it")
        lines = content.removeprefix(codecs.BOM_UTF8).split(b"\n")
        records = Records([line for line in lines if line.strip()])
        if not records.lines:
            raise ValueError("the file holds no record: bring one with a record a line")
        if (count := len(records.lines)) > MAX_GAMES:
            raise ValueError(f"the file has {count:,} lines: bring {MAX_GAMES:,} at most")
        return self._put(records)

    def begin(self, watched: Watched) -> str:
        """Put a game of agents into a new box, and return its name."""
        return self._put(watched)

    def _put(self, content: Records | Watched) -> str:
        name, old = secrets.token_urlsafe(8), None
        with self._lock:
            alike = [box for box, held in self._boxes.items() if type(held) is type(content)]
            if len(alike) >= MAX_BOXES:
                old = self._boxes.pop(alike[0])
            self._boxes[name] = content
        if isinstance(old, Watched):
            old.stop()
        return name

    def close(self) -> None:
        """Stop all games of agents."""
        with self._lock:
            contents = [*self._boxes.values()]
        for content in contents:
            if isinstance(content, Watched):
                content.stop()

    def watched(self, box: str) -> Watched | None:
        """Return the game of agents in a box; None where there are records."""
        content = self._content(box)
        return content if isinstance(content, Watched) else None

    def _content(self, name: str) -> Records | Watched:
        if name == HERE:
            return self._here
        with self._lock:
            if name in self._boxes:
                self._boxes.move_to_end(name)
                return self._boxes[name]
        raise ValueError("these games are gone: bring their file again, or let agents play anew")

    def games(self, box: str) -> list[dict[str, Any]]:
        """Return what the last records of a box tell; of a damaged one, what is wrong with it."""
        content = self._content(box)
        if isinstance(content, Watched):
            content = Records([content.shown.record.to_line().encode()])
        told = [*enumerate(content.listed(self._own), start=1)][-MAX_GAMES:]
        return [{"game": number, **each} for number, each in told]

    def replay(self, box: str, game: int) -> Steps:
        """Return the replay of a game, the first being number 1.

        Raises:
            ValueError: If there is no such game, or its record is damaged.
        """
        content = self._content(box)
        lines = [] if isinstance(content, Watched) else content.lines
        check_range("game", game, 1, max(1, len(lines)))
        if isinstance(content, Watched):
            return content.shown
        if not lines:
            raise ValueError("no game has ended here yet")
        return _replay(lines[game - 1], self._own)

    def steps(
        self, box: str, game: int, *, seat: int | None, first: int, count: int = MAX_STEPS
    ) -> dict[str, Any]:
        """Return some steps of a game, as a page shows them.

        Args:
            box: The box.
            game: The number of the game.
            seat: Whose eyes to see by; None for all hands open.
            first: The first step; 0 is the deal.
            count: The most steps to tell.
        """
        watched, replay = self.watched(box), self.replay(box, game)
        record = replay.record
        steps = len(record.actions)
        check_range("count", count, 1, MAX_STEPS)
        check_range("first", first, 0, steps)
        if seat is not None:
            check_range("seat", seat, 0, record.rules.num_players - 1)
        last = min(steps, first + count - 1)
        return {
            "variant": record.rules.name,
            "seats": labels(record.agents),
            "steps": steps,
            "match": watched is not None,
            "going": watched is not None and (watched.going or watched.shown is not replay),
            "trouble": watched.trouble if watched is not None else "",
            "first": first,
            "tables": [_step(replay, step, seat) for step in range(first, last + 1)],
        }


def _read(line: bytes, own: Sequence[str]) -> Record:
    """Read a record, of variants of our own, too, which have been played here.

    The names of its players can be shown.
    """
    record = Record.from_line(line.decode(errors="replace"), variants=known_with(own))
    return replace(record, agents=tuple(map(printable, record.agents)))


@lru_cache(maxsize=16)
def _replay(line: bytes, own: Sequence[str]) -> Replay:
    return Replay(_read(line, own))


def _summary(line: bytes, own: Sequence[str]) -> Mapping[str, Any]:
    """Return a record in a list."""
    try:
        if len(line) > MAX_LINE:
            raise ValueError(f"the line has more than {MAX_LINE:,} bytes")
        record = _read(line, own)
    except ValueError as error:
        return {"error": printable(str(error)[:300])}
    outcome = record.outcome
    return {
        "variant": record.rules.name,
        "players": labels(record.agents),
        "actions": len(record.actions),
        "end": outcome.end,
        "winners": [*outcome.winners],
        "scores": [*outcome.scores],
    }


def _step(replay: Steps, step: int, seat: int | None) -> dict[str, Any]:
    """Return a table of a game, and the action that led to it."""
    engine, record = replay.at(step), replay.record
    views = seat_views(engine)
    names, start = labels(record.agents), seat or 0
    scene = scene_of(views, ALL if seat is None else seat, record.agents)
    mover = int(engine.last_mover[0])
    words = action_name(engine.describe(record.actions[step - 1])) if step else "the deal"
    return {
        "scene": told_scene(views[start], scene, names[start:] + names[:start]),
        "mover": (mover - start) % record.rules.num_players if step else -1,
        "words": words,
        "over": bool(engine.finished[0]),
    }
