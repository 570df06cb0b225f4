"""What text and pictures show of a game, as far as parts have a say in it."""

from dataclasses import dataclass

Cards = tuple[str, ...]
"""Cards as text: `("7h", "WILD")`."""

Note = tuple[str, str]
"""A name and words, such as `("limit", "3 points, by the upcard 3\u2665")`."""


@dataclass(frozen=True)
class Hand:
    """The cards of a seat.

    Attributes:
        cards: Those that lie open and in no meld, by suit and rank, special ones last.
        hidden: How many more there are.
        melds: The melds that it falls into, where it is shown arranged.
        laid_off: Cards added to melds of another hand at the end of a hand.
        deadwood: Points of the open cards in no meld, where these count.
    """

    cards: Cards = ()
    hidden: int = 0
    melds: tuple[Cards, ...] = ()
    laid_off: Cards = ()
    deadwood: int | None = None
