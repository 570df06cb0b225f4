"""Sizes of pictures."""

Size = tuple[int, int]

USUAL_SIZE = (800, 600)
LEAST_SIZE = (400, 300)
GREATEST_SIZE = (7680, 4320)


def check_size(option: str, size: object) -> None:
    """Refuse all but a width and a height in pixels that leave room for a table.

    Raises:
        ValueError: Naming the option, the value and the remedy.
    """
    if not _fits(size):
        raise ValueError(
            f"{option}={size!r}: give width and height in pixels, two whole numbers from "
            f"{LEAST_SIZE} to {GREATEST_SIZE}, as in {USUAL_SIZE}"
        )


def _fits(size: object) -> bool:
    if not isinstance(size, tuple | list) or len(size) != len(USUAL_SIZE):
        return False
    return all(
        isinstance(side, int) and not isinstance(side, bool) and least <= side <= greatest
        for side, least, greatest in zip(size, LEAST_SIZE, GREATEST_SIZE, strict=True)
    )
