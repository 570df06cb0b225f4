"""What an observation is made of: sets of cards as planes, quantities as gauges."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Words
from rummy_env.core.cards import NUM_REGULAR
from rummy_env.core.visibility import SeatView

Numbers = npt.NDArray[Any]

Codes = tuple[tuple[int, ...], ...]
"""For each value 0, 1, 2 ... the entries of a gauge."""

LARGEST_CODED = 1000
"""Up to here every value of a gauge has a code of its own."""


@dataclass(frozen=True)
class Plane:
    """A set of cards, 52 entries: clubs, diamonds, hearts, spades, each ace to king.

    Attributes:
        name: What it is called in the tables.
        meaning: What an entry of 1 says.
        cards: From views to uint64[N].
    """

    name: str
    meaning: str
    cards: Callable[[SeatView], Words]

    @property
    def width(self) -> int:
        """Entries."""
        return NUM_REGULAR


@dataclass(frozen=True)
class Gauge:
    """A whole number, told by which thresholds it reaches or which value it has.

    Attributes:
        name: What it is called in the tables.
        meaning: What its entries say.
        value: From views to int[N].
        codes: For each value 0, 1, 2 ... its entries; larger values count as the last.
    """

    name: str
    meaning: str
    value: Callable[[SeatView], Numbers]
    codes: Codes

    @property
    def width(self) -> int:
        """Entries."""
        return len(self.codes[0])


def one_of(size: int) -> Codes:
    """Codes that mark which of `size` values it is."""
    return tuple(tuple(int(i == value) for i in range(size)) for value in range(size))


def one_or_none(size: int) -> Codes:
    """Codes that mark nothing for 0, and above that which of `size` values it is."""
    return ((0,) * size, *one_of(size))


def at_least(thresholds: Sequence[float]) -> Codes:
    """Codes that mark every threshold that is reached."""
    top = int(np.ceil(thresholds[-1]))
    return tuple(tuple(int(value >= t) for t in thresholds) for value in range(top + 1))


def steps(
    name: str, meaning: str, value: Callable[[SeatView], Numbers], thresholds: Sequence[float]
) -> Gauge:
    """A gauge that marks every threshold reached, also where these are far too large for codes."""
    if thresholds[-1] <= LARGEST_CODED:
        return Gauge(name, meaning, value, at_least(thresholds))

    def reached(view: SeatView) -> Numbers:
        return np.searchsorted(thresholds, value(view), side="right")

    return Gauge(name, meaning, reached, at_least(range(1, len(thresholds) + 1)))
