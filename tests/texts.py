"""The table as text, and as a test writes it down."""

from textwrap import dedent

from rummy_env import Engine
from rummy_env.views.text import open_text, seat_text


def watched(engine: Engine) -> str:
    """The first game with all hands open."""
    return open_text([engine.look(seat, rows=[0]) for seat in range(engine.rules.num_players)])


def seen(engine: Engine, seat: int) -> str:
    """The first game as one seat sees it."""
    return seat_text(engine.look(seat, rows=[0]), seat)


def golden(text: str) -> str:
    """A table written into a test."""
    return dedent(text).strip("\n")


def spoken(card: str) -> str:
    """How the text writes a card."""
    if card in ("NO_MELD", "CANT_GO_OUT"):
        return {"NO_MELD": "NO MELD", "CANT_GO_OUT": "CAN'T GO OUT"}[card]
    signs = dict(zip("cdhs", "♣♦♥♠", strict=True))
    return card[0].replace("T", "10") + signs[card[1]] if len(card) == 2 else card
