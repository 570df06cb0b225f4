"""Records that can be watched: those of games that ended here, and files that pages bring."""

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rummy_env.core.checks import check_range
from rummy_env.play.moves import told_action
from rummy_env.play.seats import labels
from rummy_env.play.telling import told_scene
from rummy_env.records.record import MAX_LINE, Record
from rummy_env.replay import Replay
from rummy_env.views.scene import ALL, scene_of

HERE = "here"
"""The name of the box with the games of this server."""
MAX_GAMES = 10_000
"""Games of a box that are listed."""
MAX_BYTES = 8 << 20
"""Bytes of a file that a page brings."""
MAX_BOXES = 32
"""Files at once; the one that was not asked for longest makes room."""
MAX_STEPS = 400
"""Steps that are told at once."""


class Shelf:
    """Boxes of records, by name; the name of a box that a page brought is not to be guessed."""

    def __init__(self, here: Sequence[str] = ()) -> None:
        """Begins with the lines of records of games that ended here."""
        self._here = [*here][-MAX_GAMES:]
        self._boxes: OrderedDict[str, list[str]] = OrderedDict()

    def add(self, line: str) -> int:
        """Adds the record of a game that has ended here, and returns its number."""
        self._here.append(line)
        return len(self._here)

    def bring(self, content: bytes) -> str:
        """Puts the lines of a file into a new box, and returns its name.

        Raises:
            ValueError: If the file is too large, or has no lines.
        """
        if len(content) > MAX_BYTES:
            raise ValueError(f"the file has more than {MAX_BYTES:,} bytes: bring part of it")
        lines = [line for line in content.decode(errors="replace").split("\n") if line.strip()]
        if not lines:
            raise ValueError("the file holds no record: bring one with a record a line")
        while len(self._boxes) >= MAX_BOXES:
            self._boxes.popitem(last=False)
        name = secrets.token_urlsafe(8)
        self._boxes[name] = lines[:MAX_GAMES]
        return name

    def _box(self, name: str) -> list[str]:
        if name == HERE:
            return self._here
        if name not in self._boxes:
            raise ValueError("these records are gone: drop the file onto the page again")
        self._boxes.move_to_end(name)
        return self._boxes[name]

    def games(self, box: str) -> list[dict[str, Any]]:
        """What the records of a box tell; of a damaged one, what is wrong with it."""
        lines = enumerate([*self._box(box)], start=1)
        return [{"game": number, **_summary(line)} for number, line in lines]

    def replay(self, box: str, game: int) -> Replay:
        """The replay of a game, the first being number 1.

        Raises:
            ValueError: If there is no such game, or its record is damaged.
        """
        lines = self._box(box)
        check_range("game", game, 1, max(1, len(lines)))
        if not lines:
            raise ValueError("no game has ended here yet")
        return _replay(lines[game - 1])

    def steps(
        self, box: str, game: int, *, seat: int | None, first: int, count: int = MAX_STEPS
    ) -> dict[str, Any]:
        """Some steps of a game, as a page shows them.

        Args:
            box: The box.
            game: The number of the game.
            seat: Whose eyes to see by; None for all hands open.
            first: The first step; 0 is the deal.
            count: The most steps to tell.
        """
        replay = self.replay(box, game)
        check_range("count", count, 1, MAX_STEPS)
        check_range("first", first, 0, replay.steps)
        if seat is not None:
            check_range("seat", seat, 0, replay.record.rules.num_players - 1)
        last = min(replay.steps, first + count - 1)
        return {
            "variant": replay.record.rules.name,
            "seats": labels(replay.record.agents),
            "outcome": replay.record.outcome.end,
            "steps": replay.steps,
            "first": first,
            "tables": [_step(replay, step, seat) for step in range(first, last + 1)],
        }


@lru_cache(maxsize=16)
def _replay(line: str) -> Replay:
    return Replay(Record.from_line(line))


@lru_cache(maxsize=MAX_GAMES)
def _summary(line: str) -> Mapping[str, Any]:
    """A record in a list."""
    try:
        if len(line) > MAX_LINE:
            raise ValueError(f"the line has more than {MAX_LINE:,} characters")
        record = Record.from_line(line)
    except ValueError as error:
        return {"error": str(error)[:300]}
    outcome = record.outcome
    return {
        "variant": record.rules.name,
        "players": labels(record.agents),
        "actions": len(record.actions),
        "end": outcome.end,
        "winners": [*outcome.winners],
        "scores": [*outcome.scores],
    }


def _step(replay: Replay, step: int, seat: int | None) -> dict[str, Any]:
    """A table of a game, and the action that led to it."""
    engine, record = replay.at(step), replay.record
    views = [engine.look(place) for place in range(record.rules.num_players)]
    names, start = labels(record.agents), seat or 0
    scene = scene_of(views, ALL if seat is None else seat, record.agents)
    mover = int(engine.last_mover[0])
    action = None if step == 0 else told_action(0, engine.describe(record.actions[step - 1]))
    return {
        "scene": told_scene(views[start], scene, names[start:] + names[:start]),
        "mover": (mover - start) % record.rules.num_players if step else -1,
        "words": action["words"] if action else "the deal",
        "over": bool(engine.finished[0]),
    }
