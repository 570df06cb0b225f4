"""A seat of the table: who sits there, and the cards in hand."""

from collections.abc import Sequence

from rummy_env.core.naming import card_name
from rummy_env.views.painting.cards import HIDDEN, lay
from rummy_env.views.painting.layout import Box
from rummy_env.views.painting.paint import Surface, box, fitting, put, wrapped
from rummy_env.views.painting.palette import GOLD, IVORY, LIT_PANEL, PANEL, SAGE
from rummy_env.views.painting.scale import Scale
from rummy_env.views.scene import Seat

_DOT = "  ·  "


def paint_seat(
    ground: Surface, seat: Seat, place: Box, scale: Scale, moved: Sequence[str] = ()
) -> None:
    """Draw a seat into a box, with light on cards that have just `moved` to its hand."""
    frame = place.inset(scale.gap / 2)
    _panel(ground, frame, scale, lit=seat.to_move or seat.won)
    inner = frame.inset(scale.gap)
    lines = wrapped(_caption(seat), scale.small, inner.width, _DOT)
    y = inner.y
    for number, text in enumerate(lines):
        colour = GOLD if seat.to_move or seat.won else IVORY if number == 0 else SAGE
        line = fitting(text, scale.small, colour, inner.width)
        put(ground, line, inner.x + (inner.width - line.get_width()) / 2, y)
        y += line.get_height()
    rest = Box(inner.x, y + scale.gap / 2, inner.width, inner.y + inner.height - y - scale.gap / 2)
    if seat.hand is not None:
        hand = seat.hand  # cards with their backs up lie last
        loose = (*hand.cards, *[HIDDEN] * hand.hidden)
        lay(ground, hand.melds, loose, rest, scale.card, aside=hand.laid_off, moved=moved)


def _panel(ground: Surface, frame: Box, scale: Scale, *, lit: bool) -> None:
    fill, edge = (LIT_PANEL, GOLD) if lit else (PANEL, None)
    panel = box(round(frame.width), round(frame.height), scale.gap, fill, edge)
    put(ground, panel, frame.x, frame.y)


def _caption(seat: Seat) -> list[str]:
    """Return the words about a seat."""
    words = [seat.name, seat.points]
    if seat.role:
        words.append(seat.role)
    if seat.won:
        words.append("winner")
    if seat.hand is None:
        return [*words, "sits this hand out"]
    if seat.hand.deadwood is not None:
        words.append(f"{seat.hand.deadwood} deadwood")
    if not (seat.hand.cards or seat.hand.hidden or seat.hand.melds):
        words.append("no cards")
    if seat.hand.hidden:
        words.append(f"{seat.hand.hidden} hidden")
    if seat.hand.laid_off:
        words.append(f"laid off {' '.join(map(card_name, seat.hand.laid_off))}")
    return words
