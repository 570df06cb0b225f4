"""The seats of the table: who sits there, and the cards in hand."""

from collections.abc import Sequence

from rummy_env.core.display import Cards, Hand, Spot
from rummy_env.core.naming import card_name
from rummy_env.views.painting.cards import HIDDEN, lay
from rummy_env.views.painting.layout import Box, flow
from rummy_env.views.painting.paint import Surface, box, fitting, line_height, put, wrapped
from rummy_env.views.painting.palette import GOLD, IVORY, LIT_PANEL, PANEL, SAGE
from rummy_env.views.painting.scale import Scale
from rummy_env.views.scene import Scene, Seat, moved_to


def paint_seats(ground: Surface, scene: Scene, places: Sequence[Box], scale: Scale) -> None:
    """Draw the seats into their boxes."""
    sizes = [(round(place.width), round(place.height)) for place in places]
    for size in dict.fromkeys(sizes):
        alike = {seat: places[seat] for seat, other in enumerate(sizes) if other == size}
        _paint_alike(ground, scene, alike, scale)


def _paint_alike(ground: Surface, scene: Scene, places: dict[int, Box], scale: Scale) -> None:
    """Draw seats into boxes of one size, with cards of one size, as far below the captions."""
    seats = [scene.seats[seat] for seat in places]
    inner = [place.inset(1.5 * scale.gap) for place in places.values()]
    lines = [wrapped(_caption(seat), scale.small, inner[0].width) for seat in seats]
    caption = max(map(len, lines)) * line_height(scale.small) + scale.gap / 2
    most = _card_height(seats, inner[0].cut_top(caption)[1], scale.card)
    for number, seat, said, within in zip(places, seats, lines, inner, strict=True):
        _panel(ground, places[number].inset(scale.gap / 2), scale, lit=_lit(seat))
        _say(ground, seat, said, within, scale)
        if seat.hand is not None:
            moved = moved_to(scene, Spot.HAND, number)
            _lay_hand(ground, seat.hand, within.cut_top(caption)[1], most, moved)


def _card_height(seats: Sequence[Seat], place: Box, most: float) -> float:
    """Return the height of cards with which every hand fits a place, at most `most`, in pixels.

    Who is not to move keeps room for the next card, so that cards do not shrink at every draw.
    """
    heights = [most]
    for seat in seats:
        if seat.hand is not None:
            lengths = list(map(len, seat.hand.melds))
            loose = len(seat.hand.cards) + seat.hand.hidden + (not seat.to_move)
            laid = flow(lengths, place, most, loose=loose, aside=len(seat.hand.laid_off))
            heights.append(laid.height)
    return min(heights)


def _lit(seat: Seat) -> bool:
    return seat.to_move or seat.won


def _say(ground: Surface, seat: Seat, lines: Sequence[str], place: Box, scale: Scale) -> None:
    """Paint the words about a seat, each line in the middle."""
    y = place.y
    for number, text in enumerate(lines):
        colour = GOLD if _lit(seat) else IVORY if number == 0 else SAGE
        line = fitting(text, scale.small, colour, place.width)
        put(ground, line, place.x + (place.width - line.get_width()) / 2, y)
        y += line_height(scale.small)


def _lay_hand(ground: Surface, hand: Hand, place: Box, most: float, moved: Cards) -> None:
    """Lay a hand into a box, with light on cards that have just `moved` to it."""
    loose = (*hand.cards, *[HIDDEN] * hand.hidden)  # cards with their backs up lie last
    lay(ground, hand.melds, loose, place, most, aside=hand.laid_off, moved=moved)


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
