"""Sizes of pictures."""

from collections.abc import Sequence

from rummy_env.core.checks import is_whole, shown

Size = tuple[int, int]

USUAL_SIZE = (800, 600)
LEAST_SIZE = (400, 300)
GREATEST_SIZE = (7680, 4320)


def as_size(option: str, size: Sequence[int]) -> Size:
    """Return width and height in pixels, refusing those that leave no room for a table.

    Raises:
        ValueError: Naming the option, the value and the remedy.
    """
    if not _fits(size):
        raise ValueError(
            f"{option}={shown(size)}: give width and height in pixels, two whole numbers from "
            f"{LEAST_SIZE} to {GREATEST_SIZE}, as in {USUAL_SIZE}"
        )
    width, height = map(int, size)
    return width, height


def _fits(size: object) -> bool:
    if not isinstance(size, tuple | list) or len(size) != len(USUAL_SIZE):
        return False
    return all(
        is_whole(side) and least <= side <= greatest
        for side, least, greatest in zip(size, LEAST_SIZE, GREATEST_SIZE, strict=True)
    )
