"""Sizes of all that is painted, by the size of the picture."""

from typing import NamedTuple

from rummy_env.views.sizes import USUAL_SIZE


class Scale(NamedTuple):
    """Sizes in pixels.

    Attributes:
        gap: Between one thing and the next.
        large: An em of the headline.
        small: An em of all other words.
        card: The greatest height of a card.
    """

    gap: int
    large: int
    small: int
    card: int


def scale_of(width: int, height: int) -> Scale:
    """Return the sizes for a picture."""
    unit = min(width / USUAL_SIZE[0], height / USUAL_SIZE[1])
    return Scale(
        gap=max(3, round(8 * unit)),
        large=max(11, round(17 * unit)),
        small=max(10, round(13 * unit)),
        card=round(118 * unit),
    )
