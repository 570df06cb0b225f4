"""The middle of the table: stock, discards, melds, and what is said of them."""

from bisect import bisect_right
from collections.abc import Sequence

from rummy_env.core.display import Cards, Spot
from rummy_env.core.state import STOCK_STEPS
from rummy_env.views.painting.cards import HIDDEN, Look, lay, put_card, radius_of
from rummy_env.views.painting.layout import SHAPE, Box, card_width, parted
from rummy_env.views.painting.paint import Surface, box, fitting, line_height, put, wrapped
from rummy_env.views.painting.palette import IVORY, SLOT
from rummy_env.views.painting.scale import Scale
from rummy_env.views.piles import Pile
from rummy_env.views.scene import Scene, moved_to

_PILES = 0.32
"""The greatest share of the middle that the piles take, where something lies beside them."""
_PILE = 1.1
"""The greatest width that a pile then takes, by the height of a card."""
_BESIDE = 0.8
"""The greatest height of cards beside them, by those in a hand."""
_APART = 2.2
"""The greatest distance of piles, by the height of a card."""


def paint_middle(ground: Surface, scene: Scene, place: Box, scale: Scale) -> dict[Spot, Box]:
    """Draw the middle of the table into a box; return the places of what lies there."""
    inner, line = place.inset(scale.gap), line_height(scale.small)
    notes = wrapped([f"{name}: {what}" for name, what in scene.notes], scale.small, inner.width)
    inner, foot = inner.cut_bottom(max(1, len(notes)) * line)  # so that one note moves nothing
    _say(ground, notes, foot, scale, left=1.0)  # where few arrows pass
    piles, spots = {Spot.STOCK: scene.stock}, dict[Spot, Box]()
    if not scene.discards.spread:
        piles[Spot.DISCARDS] = scene.discards
    if scene.groups or scene.sequences or scene.discards.spread:
        width = min(_PILES * inner.width, len(piles) * _PILE * scale.card)
        inner, beside = inner.cut_left(width)
        spots = _paint_beside(ground, scene, beside.inset(scale.gap / 2), scale)
    return spots | _paint_piles(ground, piles, moved_to(scene, Spot.DISCARDS), inner, scale)


def _paint_beside(ground: Surface, scene: Scene, place: Box, scale: Scale) -> dict[Spot, Box]:
    """Paint the melds on the table, and discards that are spread out above; return the places."""
    melds, most, spots = [*scene.groups, *scene.sequences], scale.card * _BESIDE, dict[Spot, Box]()
    gap = scale.gap / 4
    if scene.discards.spread:
        cards = scene.discards.cards
        label, rest = place.cut_top(line_height(scale.small) + 2 * gap)
        above, place, most = parted(rest, len(cards), list(map(len, melds)), most, gap)
        whole = above._replace(y=label.y, height=label.height + above.height)
        put(ground, box(round(whole.width), round(whole.height), scale.gap, SLOT), *whole[:2])
        said = "discards, the top one last" if cards else "discards: none"
        _say(ground, [said], label.inset(gap), scale)
        moved = moved_to(scene, Spot.DISCARDS)
        lit = lay(ground, (), cards, above.inset(gap), most, moved=moved)
        spots[Spot.DISCARDS] = lit or above.inset(2 * scale.gap)
    if melds:
        moved = moved_to(scene, Spot.MELDS)
        spots[Spot.MELDS] = lay(ground, melds, (), place.inset(gap), most, moved=moved) or place
    return spots


def _paint_piles(
    ground: Surface, piles: dict[Spot, Pile], moved: Cards, place: Box, scale: Scale
) -> dict[Spot, Box]:
    """Paint piles side by side, or below each other if the place is high; return the places."""
    count, line = len(piles), line_height(scale.small)
    abreast = place.narrowed(count * _APART * scale.card).columns(count)
    boxes = abreast if place.width > place.height else place.rows(count)
    said = [
        wrapped(_about(spot, pile).split(), scale.small, room.width, between=" ")
        for (spot, pile), room in zip(piles.items(), boxes, strict=True)
    ]
    below = max(map(len, said)) * line
    by_height = boxes[0].height - below - 2 * scale.gap
    height = int(min(scale.card, by_height, (boxes[0].width - scale.gap) / SHAPE))
    spots = {}
    for (spot, pile), room, lines in zip(piles.items(), boxes, said, strict=True):
        x = room.x + (room.width - card_width(height)) / 2
        y = room.y + (room.height - height - below) / 2
        spots[spot] = Box(x, y, card_width(height), height + below)
        _paint_pile(ground, pile, moved, spots[spot]._replace(height=height))
        _say(ground, lines, room._replace(y=y + height + scale.gap / 2), scale)
    return spots


def _about(spot: Spot, pile: Pile) -> str:
    """Return the words below a pile, with its name where no card lies there."""
    return pile.about if pile.cards or pile.below else f"{spot.name.lower()}: {pile.about}"


def _say(
    ground: Surface, lines: Sequence[str], place: Box, scale: Scale, left: float = 0.5
) -> None:
    """Paint lines of words, each with a share of its spare room to the left of it."""
    y = place.y
    for text in lines:
        line = fitting(text, scale.small, IVORY, place.width)
        put(ground, line, place.x + left * (place.width - line.get_width()), y)
        y += line.get_height()


def _paint_pile(ground: Surface, pile: Pile, moved: Cards, place: Box) -> None:
    """Paint a slot and the more cards on it the more there are; the top lit if just `moved`."""
    x, y, height = place.x, place.y, round(place.height)
    put(ground, box(card_width(height), height, radius_of(height), SLOT), x, y)
    layers, rise = bisect_right(STOCK_STEPS, pile.below), max(1.0, height / 70)
    for layer in range(layers):
        put_card(ground, HIDDEN, height, x - layer * rise, y - layer * rise)
    if pile.cards:
        top = pile.cards[-1]
        look = Look.LIT if top in moved else Look.PLAIN
        put_card(ground, top, height, x - layers * rise, y - layers * rise, look)
