"""The values that parts contribute to text and pictures of a game."""

from dataclasses import dataclass
from enum import Enum, auto

Cards = tuple[str, ...]
"""Cards as text: `("7h", "WILD")`."""

Note = tuple[str, str]
"""A name and words, such as `("limit", "3 points, by the upcard 3\u2665")`."""


@dataclass(frozen=True)
class Hand:
    """The cards of a seat.

    Attributes:
        cards: Those that lie open and in no meld, by suit and rank, special ones last.
        hidden: The number of further cards, face down.
        melds: The melds that it falls into, where it is shown arranged.
        laid_off: Cards added to melds of another hand at the end of a hand.
        deadwood: Points of the open cards in no meld, where these count.
    """

    cards: Cards = ()
    hidden: int = 0
    melds: tuple[Cards, ...] = ()
    laid_off: Cards = ()
    deadwood: int | None = None


class Spot(Enum):
    """A place that cards are moved from or to."""

    STOCK = auto()
    DISCARDS = auto()
    HAND = auto()
    MELDS = auto()


@dataclass(frozen=True)
class Trace:
    """What a move has left to be seen.

    Attributes:
        seat: The seat that made it.
        start: Where the cards came from.
        end: Where they went.
        cards: Those that lie open; a card drawn from the stock does not.
    """

    seat: int
    start: Spot
    end: Spot
    cards: Cards = ()
