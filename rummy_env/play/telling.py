"""What a page is told of a table: what its seat may know, and nothing else."""

from collections.abc import Sequence
from typing import Any

from rummy_env.core.notation import FINISHED
from rummy_env.core.visibility import SeatView
from rummy_env.play.moves import told_actions
from rummy_env.play.table import NOBODY, Entry, Table
from rummy_env.views.scene import Scene, seat_scene

RECENT = 12
"""Lines of the log that come with every change; more than one change makes."""
MOST_LINES = 2000
"""Lines of the log that a page is told when it comes to the table."""


def told_scene(view: SeatView, scene: Scene, labels: Sequence[str]) -> dict[str, Any]:
    """Return a scene as a page draws it.

    Args:
        view: A view that the scene is of, N = 1.
        scene: What there is to show.
        labels: The names of the players, in the order of the scene's seats.
    """
    phase = int(view.phase[0])
    seats = [
        {**vars(seat), "hand": seat.hand and vars(seat.hand), "label": label}
        for seat, label in zip(scene.seats, labels, strict=True)
    ]
    return {
        **vars(scene),
        "seats": seats,
        "discards": vars(scene.discards),
        "stock": vars(scene.stock),
        "phase": view.rules.turn[phase].name.replace("_", " ") if phase >= 0 else FINISHED,
        "hand_number": int(view.hand_number[0]) + 1,
        "turn_number": int(view.turn_number[0]) + 1,
    }


def told_table(table: Table, seat: int, *, whole: bool = False) -> dict[str, Any]:
    """Return the message to a seat after every change.

    Args:
        table: The table.
        seat: Whom it is for.
        whole: True for all of the log, instead of its last lines.
    """
    engine, names = table.engine, table.names
    view = engine.look(seat)
    scene = seat_scene(view, seat, [each.name for each in table.seats])
    mine = table.mover == seat
    first = max(0, len(table.log) - (MOST_LINES if whole else RECENT))
    return {
        "type": "table",
        "version": table.version,
        "variant": table.rules.name,
        "seat": seat,
        "game": table.number,
        "scene": told_scene(view, scene, names[seat:] + names[:seat]),
        "legal": told_actions(engine.space, engine.legal_mask()[0]) if mine else [],
        "mine": mine,
        "undo": table.can_undo(seat),
        "wins": table.wins[seat:] + table.wins[:seat],
        "log": {"from": first, "lines": _lines(table.log[first:], seat, len(names))},
        "over": _over(table, view),
    }


def _lines(entries: Sequence[Entry], seat: int, players: int) -> list[list[Any]]:
    """Lines of the log, each the place of who did something, or -1, and words."""
    return [
        [NOBODY if entry.seat == NOBODY else (entry.seat - seat) % players, entry.words]
        for entry in entries
    ]


def _over(table: Table, view: SeatView) -> dict[str, Any] | None:
    """How a finished game ended, as seen from a seat; None while it goes on."""
    if not table.finished:
        return None
    return {
        "how": table.engine.how_ended()[0],
        "winners": [place for place, won in enumerate(view.winners[0].tolist()) if won],
    }
