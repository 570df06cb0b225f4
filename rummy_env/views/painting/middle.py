"""The middle of the table: stock, discards, melds, and what is said of them."""

from bisect import bisect_right

from rummy_env.core.visibility import STOCK_STEPS
from rummy_env.views.painting.cards import HIDDEN, lay, put_card
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


def paint_middle(ground: Surface, scene: Scene, place: Box, scale: Scale) -> None:
    """Draw the middle of the table into a box."""
    notes = [f"{name}: {what}" for name, what in scene.notes]
    lines = Box(0, 0, 0, len(notes) * _line_height(scale))
    inner, foot = place.inset(scale.gap).cut_bottom(lines.height)
    _say(ground, notes, foot, scale)
    piles = {"stock": scene.stock}
    melds = [*scene.groups, *scene.sequences]
    if melds or scene.discards.spread:
        inner, beside = inner.cut_left(inner.width * _PILES)
        _paint_beside(ground, scene, beside.inset(scale.gap / 2), scale)
    if not scene.discards.spread:
        piles["discards"] = scene.discards
    _paint_piles(ground, piles, inner, scale)


def _paint_beside(ground: Surface, scene: Scene, place: Box, scale: Scale) -> None:
    """The melds on the table, and above them the discards where they are spread out."""
    melds = [*scene.groups, *scene.sequences]
    if scene.discards.spread:
        above, place = place.rows(2) if melds else (place, place)
        label, above = above.cut_top(_line_height(scale))
        _say(ground, ["discards, the top one last"], label, scale)
        lay(ground, (), scene.discards.cards, above, scale.card * _BESIDE)
    if melds:
        lay(ground, melds, (), place, scale.card * _BESIDE)


def _paint_piles(ground: Surface, piles: dict[str, Pile], place: Box, scale: Scale) -> None:
    """Piles side by side, or one below the other where the place is higher than wide."""
    count, line = len(piles), _line_height(scale)
    abreast = place.narrowed(count * _APART * scale.card).columns(count)
    boxes = abreast if place.width > place.height else place.rows(count)
    said = [
        wrapped(_about(name, pile).split(), scale.small, spot.width)
        for (name, pile), spot in zip(piles.items(), boxes, strict=True)
    ]
    below = max(map(len, said)) * line
    by_height = boxes[0].height - below - 2 * scale.gap
    height = int(min(scale.card, by_height, (boxes[0].width - scale.gap) / SHAPE))
    for pile, spot, lines in zip(piles.values(), boxes, said, strict=True):
        y = spot.y + (spot.height - height - below) / 2
        _paint_pile(ground, pile, height, spot.x + (spot.width - card_width(height)) / 2, y)
        _say(ground, lines, spot._replace(y=y + height + scale.gap / 2), scale)


def _about(name: str, pile: Pile) -> str:
    """The words below a pile, with its name where no card lies there."""
    return pile.about if pile.cards or pile.below else f"{name}: {pile.about}"


def _line_height(scale: Scale) -> int:
    return words("X", scale.small, IVORY).get_height()


def _say(ground: Surface, lines: list[str], place: Box, scale: Scale) -> None:
    """Lines of words, each in the middle."""
    y = place.y
    for text in lines:
        line = fitting(text, scale.small, IVORY, place.width)
        put(ground, line, place.x + (place.width - line.get_width()) / 2, y)
        y += line.get_height()


def _paint_pile(ground: Surface, pile: Pile, height: int, x: float, y: float) -> None:
    """A slot, and on it the more cards the more there are."""
    put(ground, box(card_width(height), height, max(2, height // 12), SLOT), x, y)
    layers, rise = bisect_right(STOCK_STEPS, pile.below), max(1.0, height / 70)
    for layer in range(layers):
        put_card(ground, HIDDEN, height, x - layer * rise, y - layer * rise)
    if pile.cards:
        put_card(ground, pile.cards[-1], height, x - layers * rise, y - layers * rise)
