"""A variant of a user's own."""

from enum import Enum
from typing import Any

import rummy_env
from rummy_env import Rules

OWN = f"{__name__}:five_cards"
"""What it is imported by, which is its name everywhere."""


def five_cards(*, num_players: int = 2, max_turns: int = 50) -> Rules:
    """Basic rummy with five cards."""
    return rummy_env.rules("basic", num_players=num_players, hand_size=5, max_turns=max_turns)


def listed(*, limits: list[int] = [1]) -> Rules:  # noqa: B006  (the mistake that is refused)
    """Basic rummy with an option that cannot be hashed."""
    return rummy_env.rules("basic")


class Deck(Enum):
    """Choices that JSON does not know."""

    FULL = "full"
    SHORT = "short"


def chosen(*, num_players: int = 2, deck: Deck = Deck.FULL, share: float = 0.5) -> Rules:
    """Basic rummy with options that are neither whole numbers nor words."""
    return rummy_env.rules("basic", num_players=num_players, hand_size=3)


def several(*, num_players: int = 2, marks: tuple[tuple[int, ...], ...] = ((1, 2), (3,))) -> Rules:
    """Basic rummy with an option that has several values."""
    assert isinstance(hash(marks), int)
    return rummy_env.rules("basic", num_players=num_players, hand_size=3)


def hiding(*, num_players: int = 2, scoring: str = "pips") -> Rules:
    """Basic rummy with an option that has the name of a field of rules."""
    return rummy_env.rules("basic", num_players=num_players)


def shadowing(*, num_players: int = 2, moves: int = 3) -> Rules:
    """Basic rummy with an option that has the name of a method of rules."""
    return rummy_env.rules("basic", num_players=num_players)


def positional(num_players: int = 2, /) -> Rules:
    """Basic rummy with an option that cannot be given by its name."""
    return rummy_env.rules("basic", num_players=num_players)


def decorated(*args: Any, **options: Any) -> Rules:
    """Basic rummy as a plain decorator leaves it."""
    return rummy_env.rules("basic", *args, **options)
