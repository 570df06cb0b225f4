"""The cards of the declared-hand games: one or two packs of regular cards and the special ones.

Source: rules.md section 1; design.md, "Contract" (card texts).
"""

from collections import Counter
from collections.abc import Iterable

from tests.reference.cards import CARDS_OF_RANK, PACK, Cards

WILD = "WILD"
GROUP = "GROUP"
SEQUENCE = "SEQUENCE"
RUMMY = "RUMMY"
NO_MELD = "NO_MELD"
CANT_GO_OUT = "CANT_GO_OUT"

SPECIAL: Cards = (WILD, GROUP, SEQUENCE, RUMMY, NO_MELD, CANT_GO_OUT)

UNDISCARDABLE = frozenset({NO_MELD, CANT_GO_OUT})
"""The cards that may not be discarded. Source: rules.md section 5."""

SEVENS: Cards = CARDS_OF_RANK["7"]
"""The four natural 7s of all four suits. Source: rules.md section 5.1, `four_sevens`."""

MOST_OF: dict[str, int] = dict.fromkeys(PACK, 2) | {
    WILD: 7,
    GROUP: 1,
    SEQUENCE: 1,
    RUMMY: 2,
    NO_MELD: 1,
    CANT_GO_OUT: 1,
}
"""The most that any pack holds of each card. Source: rules.md sections 1 and 5.2."""


def is_natural(card: str) -> bool:
    """Whether a card is a regular one."""
    return card in PACK


def check_cards(cards: Iterable[str]) -> None:
    """Raise ValueError where a text is no card or there are more of it than any pack holds."""
    for card, count in Counter(cards).items():
        if card not in MOST_OF:
            raise ValueError(f"{card!r} is no card; special cards are {', '.join(SPECIAL)}")
        if count > MOST_OF[card]:
            raise ValueError(f"{count} times {card}; no pack holds more than {MOST_OF[card]}")


def parse_cards(text: str) -> list[str]:
    """Cards written with spaces between them, special ones among them, as a list."""
    cards = text.split()
    check_cards(cards)
    return cards
