"""Names of seats, cards and actions where people read them."""

from rummy_env.core.cards import SUITS
from rummy_env.core.part import Action

SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))
"""The sign of each suit."""

_NAMES = {"NO_MELD": "NO MELD", "CANT_GO_OUT": "CAN'T GO OUT"}


def player_name(seat: int) -> str:
    """What a seat is called: `"player_0"`."""
    return f"player_{seat}"


def card_name(text: str) -> str:
    """`"10♥"` for `"Th"`, `"NO MELD"` for `"NO_MELD"`; other words stay as they are."""
    if text[1:] not in SIGNS:
        return _NAMES.get(text, text)
    return text[0].replace("T", "10") + SIGNS[text[1:]]


def action_name(action: Action) -> str:
    """`"meld group 7♣ 7♦ 7♥"`."""
    return " ".join([action.kind.replace("_", " "), *map(card_name, action.cards)])


def counted(number: int, noun: str) -> str:
    """`"1 card"`, `"2 cards"`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
