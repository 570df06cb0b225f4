"""The arrays that a game's state is made of, each declared once.

Empty tables, clearing, snapshots, what a seat is shown and the list of the leak tests all follow
from the declarations. The core declares the places where cards lie and the course of the game;
a part that has to remember something declares it in its `state_fields`.

Letters of axes: B games (always first), P seats, W words of a set of cards, C cards of the pack.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from types import MappingProxyType

import numpy as np

from rummy_env.core.cards import NO_CARD


class Kind(Enum):
    """The meaning of an array's entries."""

    NUMBER = "a whole number"
    FLAG = "true or false"
    SEAT = "a seat, counted from the viewer; -1 for none"
    CARD = "a card's code, or `NO_CARD`"
    CARDS = "a set of cards, a bit each"


DTYPES: Mapping[Kind, type[np.generic]] = MappingProxyType(
    {
        Kind.NUMBER: np.int32,
        Kind.FLAG: np.bool_,
        Kind.SEAT: np.int8,
        Kind.CARD: np.uint8,
        Kind.CARDS: np.uint64,
    }
)


class Lasts(Enum):
    """The moment at which an array is cleared."""

    TURN = "when a turn begins"
    HAND = "when a hand is dealt"
    EPISODE = "when an episode begins"
    GAME = "never: whoever changes it says how"


MOST_TOLD = 10**9
"""The largest number of a snapshot, its seed apart."""

_SHOWN = {"": [*Kind], "P": [Kind.NUMBER, Kind.FLAG, Kind.CARDS], "W": [Kind.CARDS]}
"""The kinds that views can show, by axes."""


@dataclass(frozen=True)
class Field:
    """One array of the state.

    Attributes:
        name: Its name in the state, in views and in snapshots.
        kind: The meaning and dtype of its entries.
        meaning: Its contents in words.
        axes: Letters of the axes that follow the games.
        lasts: The moment at which it is cleared.
        seen: True if every seat is shown it as it is; what the core shows in part only, or not at
            all, is not.
        told: True if a snapshot has it under its name; `notation` tells the rest in its own words.
        of_pile: True if it tells of earlier discards: seats are then shown it only where the rules
            let players recall the discard pile.
        blank: The value of an entry that has been cleared; `NO_CARD` for cards.
        least: The least number that a snapshot may tell.

    Raises:
        ValueError: If it is to be seen, and views cannot show such a kind with such axes; or if a
            snapshot is to tell it, and it has an axis C.
    """

    name: str
    kind: Kind
    meaning: str
    axes: str = ""
    lasts: Lasts = Lasts.HAND
    seen: bool = True
    told: bool = True
    of_pile: bool = False
    blank: int = 0
    least: int = 0

    def __post_init__(self) -> None:
        if self.kind is Kind.CARD:
            object.__setattr__(self, "blank", NO_CARD)
        if self.seen and self.kind not in _SHOWN.get(self.axes, ()):
            raise ValueError(
                f"field {self.name!r}: views cannot show a {self.kind.name} with axes "
                f"{self.axes!r}; give seen=False"
            )
        if self.told and "C" in self.axes:
            raise ValueError(f"field {self.name!r}: snapshots tell no axis C; give told=False")

    @property
    def summary(self) -> str:
        """What views show of it: `"int32[N], turns completed in the hand"`."""
        dtype = "intp" if self.kind is Kind.SEAT else np.dtype(DTYPES[self.kind]).name
        kind = f" ({self.kind.value})" if self.kind in (Kind.SEAT, Kind.CARD) else ""
        return f"{dtype}[{', '.join(['N', *self.axes])}], {self.meaning}{kind}"


_inner = partial(Field, seen=False, told=False)
"""A field that seats and snapshots are told of in other words, if at all."""

CORE: tuple[Field, ...] = (
    _inner("seed", Kind.CARDS, "the seed of every shuffle of the game", lasts=Lasts.GAME),
    _inner("hands", Kind.CARDS, "the cards that each seat holds", "PW"),
    _inner("known", Kind.CARDS, "the cards that everybody saw each seat take and it holds", "PW"),
    _inner("stock", Kind.CARD, "the stock, its next card at `stock_at`", "C", lasts=Lasts.GAME),
    _inner("stock_at", Kind.NUMBER, "its next card", lasts=Lasts.GAME),
    _inner("stock_end", Kind.NUMBER, "its end", lasts=Lasts.GAME),
    Field("stock_open", Kind.FLAG, "everybody saw the order of the stock"),
    _inner("pile", Kind.CARD, "the discard pile, its top last", "C"),
    _inner("pile_size", Kind.NUMBER, "cards in the discard pile"),
    _inner("piled", Kind.CARDS, "the cards of the discard pile", "W"),
    Field("recycled", Kind.CARDS, "the stock as it was last renewed", "W", seen=False),
    Field("grouped", Kind.CARDS, "the cards in groups on the table", told=False),
    Field("sequenced", Kind.CARDS, "the cards in sequences on the table", told=False),
    Field("starts", Kind.CARDS, "the lowest cards of these sequences", told=False),
    Field("upcard", Kind.CARD, "the card that the deal turned up"),
    Field("to_move", Kind.SEAT, "the seat to act"),
    Field("phase", Kind.NUMBER, "the phase of the turn; -1 in a finished game", told=False),
    Field("taken", Kind.CARD, "the card taken from the pile this turn", lasts=Lasts.TURN),
    Field("taken_count", Kind.NUMBER, "cards taken from the pile this turn", lasts=Lasts.TURN),
    Field("turn_number", Kind.NUMBER, "turns completed in the hand"),
    Field("shuffles", Kind.NUMBER, "shuffles of the hand, the deal included", seen=False),
    Field("dealer", Kind.SEAT, "the seat that dealt", lasts=Lasts.EPISODE),
    Field("sits_out", Kind.FLAG, "seats that do not play this hand", "P", lasts=Lasts.EPISODE),
    Field(
        "scores",
        Kind.NUMBER,
        "points so far in the episode",
        "P",
        lasts=Lasts.EPISODE,
        least=-MOST_TOLD,
    ),
    Field("hand_number", Kind.NUMBER, "hands completed before this one", lasts=Lasts.EPISODE),
    Field("decisions", Kind.NUMBER, "actions taken", lasts=Lasts.EPISODE, seen=False),
    Field(
        "hand_winners",
        Kind.FLAG,
        "winners of the last hand that has ended in the episode",
        "P",
        lasts=Lasts.EPISODE,
    ),
    Field("winners", Kind.FLAG, "winners of the episode", "P", lasts=Lasts.EPISODE, told=False),
    _inner("terminated", Kind.FLAG, "ended by rule", lasts=Lasts.EPISODE),
    Field("truncated", Kind.FLAG, "cut off", lasts=Lasts.EPISODE),
)
"""The fields that every game has."""


def gather(owners: Iterable[tuple[str, Iterable[Field]]]) -> tuple[Field, ...]:
    """All fields of a game: the core's, and those of owners by name, who may share fields.

    Raises:
        ValueError: If two declare different fields under one name.
    """
    found = {field.name: (field, "the core") for field in CORE}
    for owner, fields in owners:
        for field in fields:
            declared, first = found.setdefault(field.name, (field, owner))
            if declared != field:
                raise ValueError(
                    f"state field {field.name!r} of {owner} clashes with that of {first}: "
                    f"{field} and {declared}; give one of them another name"
                )
    return tuple(field for field, _ in found.values())
