"""Names of seats, cards and actions where people read them."""

from collections.abc import Sequence

from rummy_env.core.cards import SUITS
from rummy_env.core.checks import shown
from rummy_env.core.part import Action

SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))
"""The sign of each suit."""

_NAMES = {"NO_MELD": "NO MELD", "CANT_GO_OUT": "CAN'T GO OUT"}


def player_name(seat: int) -> str:
    """Return the name of a seat: `"player_0"`."""
    return f"player_{seat}"


def printable(text: str) -> str:
    """Escape control characters and the like in a text from elsewhere, so that it can be shown."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


LETTERS_SHOWN = 60
"""Letters of an agent's name that are shown."""


def seat_names(num_players: int, agents: Sequence[str]) -> list[str]:
    """Return the seats with the agents that play them: `"player_0 (greedy)"`.

    A seat goes by its own name where no agents are named, or where that is the agent's name. The
    names of agents are made `printable`, and long ones are cut short.

    Raises:
        ValueError: If there are agents, but not as many as seats.
    """
    if agents and len(agents) != num_players:
        raise ValueError(f"agents={shown(agents)}: give a name for each of {num_players} seats")
    seats = list(map(player_name, range(num_players)))
    named = zip(seats, agents or seats, strict=True)
    return [seat if agent == seat else f"{seat} ({_short(agent)})" for seat, agent in named]


def _short(agent: str) -> str:
    """Return an agent's name as it is shown."""
    name = printable(agent[: LETTERS_SHOWN + 1])
    return name if len(name) <= LETTERS_SHOWN else f"{name[:LETTERS_SHOWN]}..."


def card_name(text: str) -> str:
    """`"10♥"` for `"Th"`, `"NO MELD"` for `"NO_MELD"`; other words stay as they are."""
    if text[1:] not in SIGNS:
        return _NAMES.get(text, text)
    return text[0].replace("T", "10") + SIGNS[text[1:]]


def action_name(action: Action) -> str:
    """`"meld group 7♣ 7♦ 7♥"`."""
    return " ".join([action.kind.replace("_", " "), *map(card_name, action.cards)])


def quantity(number: int, noun: str) -> str:
    """`"1 card"`, `"2 cards"`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
