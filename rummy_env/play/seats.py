"""Who sits at a table: people, who come by links, and agents."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

from rummy_env.baselines.heuristics import Policy
from rummy_env.core.naming import printable

MAX_NAME = 24
"""Characters of a person's name."""


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(16)


@dataclass
class Person:
    """A seat for somebody who comes by a link.

    The token of a link is good once: the page that opens it first replaces it by another, which
    nobody else has seen, not even who set the table.

    Attributes:
        name: Shown at the table.
        token: Whoever has it sits here.
        claimed: False as long as the token is the one of the link.
    """

    name: str
    token: str = field(default_factory=new_token)
    claimed: bool = False

    def claim(self, token: str) -> None:
        """Replace the token of the link."""
        self.token, self.claimed = token, True


@dataclass(frozen=True)
class Agent:
    """A seat that a policy plays.

    Attributes:
        name: The name that the policy goes by.
        policy: Chooses its actions.
        asked: What an `Offer` was asked for: the name, an import string or a path.
    """

    name: str
    policy: Policy
    asked: str


Seat = Person | Agent


def check_name(name: object) -> str:
    """Return a person's name as it may be shown.

    Raises:
        ValueError: If it is no text, empty, or too long.
    """
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME:
        raise ValueError(f"name={name!r:.60}: give 1 to {MAX_NAME} characters")
    return printable(name.strip())


def labels(names: Sequence[str]) -> list[str]:
    """Names that can be told apart: of equal ones, each gets a number that makes a new name."""
    found: list[str] = []
    for name in names:
        numbered = (f"{name} {number}" for number in count(1))
        new = (each for each in numbered if each not in (*names, *found))
        found.append(next(new) if names.count(name) > 1 else name)
    return found


def cannot_go_on(name: str, error: Exception) -> str:
    """Return how the people at a table are told that an agent has failed."""
    return f"{name} cannot go on: {type(error).__name__}"
