"""The middle of the table: stock, discards, melds, and what is said of them."""

from bisect import bisect_right

from rummy_env.core.display import Cards, Spot
from rummy_env.core.visibility import STOCK_STEPS
from rummy_env.views.painting.cards import HIDDEN, Look, lay, put_card
from rummy_env.views.painting.layout import SHAPE, Box, card_width
from rummy_env.views.painting.paint import Surface, box, fitting, put, words, wrapped
from rummy_env.views.painting.palette import IVORY, SLOT
from rummy_env.views.painting.scale import Scale
from rummy_env.views.piles import Pile
from rummy_env.views.scene import Scene

_PILES = 0.32
"""The share of the middle that the piles take, where something lies beside them."""
_BESIDE = 0.8
"""The greatest height of cards beside them, by those in a hand."""
_APART = 2.2
"""The greatest distance of piles, by the height of a card."""


def paint_middle(ground: Surface, scene: Scene, place: Box, scale: Scale) -> dict[Spot, Box]:
    """Draw the middle of the table into a box; return the places of what lies there."""
    notes = [f"{name}: {what}" for name, what in scene.notes]
    lines = Box(0, 0, 0, len(notes) * _line_height(scale))
    inner, foot = place.inset(scale.gap).cut_bottom(lines.height)
    _say(ground, notes, foot, scale)
    piles, spots = {Spot.STOCK: scene.stock}, dict[Spot, Box]()
    if scene.groups or scene.sequences or scene.discards.spread:
        inner, beside = inner.cut_left(inner.width * _PILES)
        spots = _paint_beside(ground, scene, beside.inset(scale.gap / 2), scale)
    if not scene.discards.spread:
        piles[Spot.DISCARDS] = scene.discards
    return spots | _paint_piles(ground, piles, moved_to(scene, Spot.DISCARDS), inner, scale)


def moved_to(scene: Scene, spot: Spot) -> Cards:
    """Return the cards that the last move has brought to a place."""
    return scene.trace.cards if scene.trace is not None and scene.trace.end == spot else ()


def _paint_beside(ground: Surface, scene: Scene, place: Box, scale: Scale) -> dict[Spot, Box]:
    """Return the melds on the table, and above them the discards where they are spread out."""
    melds, spots = [*scene.groups, *scene.sequences], dict[Spot, Box]()
    if scene.discards.spread:
        above, place = place.rows(2) if melds else (place, place)
        above = _labelled(ground, "discards, the top one last", above, scale)
        moved = moved_to(scene, Spot.DISCARDS)
        lay(ground, (), scene.discards.cards, above, scale.card * _BESIDE, moved=moved)
        spots[Spot.DISCARDS] = above
    if melds:
        if scene.discards.spread:
            place = _labelled(ground, "melds", place, scale)
        lay(ground, melds, (), place, scale.card * _BESIDE, moved=moved_to(scene, Spot.MELDS))
        spots[Spot.MELDS] = place
    return spots


def _labelled(ground: Surface, text: str, place: Box, scale: Scale) -> Box:
    """Paint a line of words at the top of a box, and return the rest of it."""
    label, rest = place.cut_top(_line_height(scale))
    _say(ground, [text], label, scale)
    return rest.inset(scale.gap / 4)


def _paint_piles(
    ground: Surface, piles: dict[Spot, Pile], moved: Cards, place: Box, scale: Scale
) -> dict[Spot, Box]:
    """Piles side by side, or one below the other where the place is higher than wide."""
    count, line = len(piles), _line_height(scale)
    abreast = place.narrowed(count * _APART * scale.card).columns(count)
    boxes = abreast if place.width > place.height else place.rows(count)
    said = [
        wrapped(_about(spot, pile).split(), scale.small, room.width)
        for (spot, pile), room in zip(piles.items(), boxes, strict=True)
    ]
    below = max(map(len, said)) * line
    by_height = boxes[0].height - below - 2 * scale.gap
    height = int(min(scale.card, by_height, (boxes[0].width - scale.gap) / SHAPE))
    spots = {}
    for (spot, pile), room, lines in zip(piles.items(), boxes, said, strict=True):
        x = room.x + (room.width - card_width(height)) / 2
        y = room.y + (room.height - height - below) / 2
        spots[spot] = Box(x, y, card_width(height), height)
        _paint_pile(ground, pile, moved, spots[spot])
        _say(ground, lines, room._replace(y=y + height + scale.gap / 2), scale)
    return spots


def _about(spot: Spot, pile: Pile) -> str:
    """Return the words below a pile, with its name where no card lies there."""
    return pile.about if pile.cards or pile.below else f"{spot.name.lower()}: {pile.about}"


def _line_height(scale: Scale) -> int:
    return words("X", scale.small, IVORY).get_height()


def _say(ground: Surface, lines: list[str], place: Box, scale: Scale) -> None:
    """Paint lines of words, each in the middle."""
    y = place.y
    for text in lines:
        line = fitting(text, scale.small, IVORY, place.width)
        put(ground, line, place.x + (place.width - line.get_width()) / 2, y)
        y += line.get_height()


def _paint_pile(ground: Surface, pile: Pile, moved: Cards, place: Box) -> None:
    """Paint a slot and the more cards on it the more there are; the top lit if just `moved`."""
    x, y, height = place.x, place.y, round(place.height)
    put(ground, box(card_width(height), height, max(2, height // 12), SLOT), x, y)
    layers, rise = bisect_right(STOCK_STEPS, pile.below), max(1.0, height / 70)
    for layer in range(layers):
        put_card(ground, HIDDEN, height, x - layer * rise, y - layer * rise)
    if pile.cards:
        top = pile.cards[-1]
        look = Look.LIT if top in moved else Look.PLAIN
        put_card(ground, top, height, x - layers * rise, y - layers * rise, look)
