"""The entries of observations: sets of cards as planes, quantities as scalars.

The core observes what every game has (`rummy_env.views`), a part what it adds to it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Words
from rummy_env.core.cards import NUM_REGULAR

if TYPE_CHECKING:
    from rummy_env.core.visibility import SeatView

Numbers = npt.NDArray[Any]

Codes = tuple[tuple[int, ...], ...]
"""The entries of a scalar for each value 0, 1, 2 ..."""

LARGEST_CODED = 1000
"""Up to here every value of a scalar has a code of its own."""


@dataclass(frozen=True)
class Plane:
    """A set of cards, 52 entries: clubs, diamonds, hearts, spades, each ace to king.

    Attributes:
        name: Its name in the layout.
        meaning: What an entry of 1 says.
        cards: From views to uint64[N].
        hint: Whether it is an answer of a solver, which a plain observation leaves out.
    """

    name: str
    meaning: str
    cards: Callable[["SeatView"], Words]
    hint: bool = False

    @property
    def width(self) -> int:
        """Entries."""
        return NUM_REGULAR


@dataclass(frozen=True)
class Scalar:
    """A whole number, encoded by the thresholds that it reaches or the value that it has.

    Attributes:
        name: Its name in the layout.
        meaning: What its entries say.
        value: From views to int[N].
        codes: For each value 0, 1, 2 ... its entries; larger values count as the last.
        hint: Whether it is an answer of a solver, which a plain observation leaves out.
    """

    name: str
    meaning: str
    value: Callable[["SeatView"], Numbers]
    codes: Codes
    hint: bool = False

    @property
    def width(self) -> int:
        """Entries."""
        return len(self.codes[0])


Feature = Plane | Scalar


def one_hot(size: int) -> Codes:
    """Codes that mark which of `size` values it is."""
    return tuple(tuple(int(i == value) for i in range(size)) for value in range(size))


def one_hot_or_none(size: int) -> Codes:
    """Codes that mark nothing for 0, and above that which of `size` values it is."""
    return ((0,) * size, *one_hot(size))


def thermometer(thresholds: Sequence[float]) -> Codes:
    """Codes that mark every threshold that is reached."""
    top = int(np.ceil(thresholds[-1]))
    return tuple(tuple(int(value >= t) for t in thresholds) for value in range(top + 1))


FLAG = thermometer([1])
"""One entry: true or false."""


def binary(width: int) -> Codes:
    """Codes that are the bits of the value, the lowest first."""
    return tuple(tuple(value >> bit & 1 for bit in range(width)) for value in range(1 << width))


def steps(
    name: str, meaning: str, value: Callable[["SeatView"], Numbers], thresholds: Sequence[float]
) -> Scalar:
    """A thermometer of any height: the thresholds may be too large for a code a value."""
    if thresholds[-1] <= LARGEST_CODED:
        return Scalar(name, meaning, value, thermometer(thresholds))

    def reached(view: "SeatView") -> Numbers:
        return np.searchsorted(thresholds, value(view), side="right")

    return Scalar(name, meaning, reached, thermometer(range(1, len(thresholds) + 1)))
