"""Boxes in a picture: where its table lies, and whether two boxes overlap."""

from rummy_env.views.painting.layout import Box

TABLE = Box(4, 50, 792, 546)
"""Where the table lies in a picture of the usual size."""


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes share more than a margin."""
    apart = (
        one.x + one.width <= other.x + 1e-6
        or other.x + other.width <= one.x + 1e-6
        or one.y + one.height <= other.y + 1e-6
        or other.y + other.height <= one.y + 1e-6
    )
    return not apart
