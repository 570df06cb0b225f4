"""A seat of the table: who sits there, and the cards in hand."""

from rummy_env.core.display import Hand
from rummy_env.core.naming import card_name
from rummy_env.views.drawing.cards import HIDDEN, lay
from rummy_env.views.drawing.layout import Box, fan, flow
from rummy_env.views.drawing.paint import Surface, box, fitting, put, wrapped
from rummy_env.views.drawing.palette import GOLD, IVORY, LIT_PANEL, PANEL, SAGE
from rummy_env.views.drawing.scale import Scale
from rummy_env.views.scene import Seat

_DOT = "  ·  "


def draw_seat(ground: Surface, seat: Seat, place: Box, scale: Scale) -> None:
    """Draws a seat into a box."""
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
        _draw_hand(ground, seat.hand, rest, scale)


def _panel(ground: Surface, frame: Box, scale: Scale, *, lit: bool) -> None:
    fill, edge = (LIT_PANEL, GOLD) if lit else (PANEL, None)
    panel = box(round(frame.width), round(frame.height), scale.gap, fill, edge)
    put(ground, panel, frame.x, frame.y)


def _caption(seat: Seat) -> list[str]:
    """What is said of a seat."""
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


def _draw_hand(ground: Surface, hand: Hand, place: Box, scale: Scale) -> None:
    """The cards: side by side, those with their backs up last; or in melds, the others veiled."""
    cards = (*hand.cards, *[HIDDEN] * hand.hidden)
    if not hand.melds:
        lay(ground, cards, fan(len(cards), place, scale.card))
        return
    groups = [*hand.melds, *([cards] if cards else [])]
    laid = flow([len(group) for group in groups], place, scale.card)
    lay(ground, [card for group in groups for card in group], laid, veiled=len(cards))
