"""Features, the entries of observations: sets of cards as planes, quantities as scalars.

Graded features give a number for each card. Features about cards, and only these, have 52 entries.

The core observes what every game has (`rummy_env.views`), and a part what it adds to that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rummy_env.core.arrays import Array, Float32s, Int8s, Words
from rummy_env.core.cards import NUM_REGULAR

if TYPE_CHECKING:
    from rummy_env.core.visibility import SeatView


Codes = tuple[tuple[int, ...], ...]
"""The entries of a scalar for each value 0, 1, 2 ..."""

GRADES, MOST_GRADES = np.float32(16), np.float32(127)
"""The parts of 1 in which graded features are given, and the largest number of them."""

LARGEST_CODED = 1000
"""Up to this number, every value of a scalar has its own code."""


class Detail(IntEnum):
    """How much an observation contains: everything up to its own detail."""

    PLAIN = 0
    """What lies on the table, and what the seat holds."""
    HINTS = 1
    """The answers of a solver."""
    OUTS = 2
    """What every card is worth, and what the others have thrown away."""


@dataclass(frozen=True)
class Plane:
    """A set of cards, 52 entries: clubs, diamonds, hearts, spades, each ace to king.

    Attributes:
        name: Its name in the layout.
        meaning: The meaning of an entry of 1.
        cards: From views to uint64[N].
        detail: The least detail of observations that have it.
        lean: False if `cards` needs the games' axis, which `SeatView.one` has not.
    """

    name: str
    meaning: str
    cards: Callable[["SeatView"], Words]
    detail: Detail = Detail.PLAIN
    lean: bool = True

    width: ClassVar = NUM_REGULAR


@dataclass(frozen=True)
class Scalar:
    """A whole number, encoded by the thresholds that it reaches or the value that it has.

    Attributes:
        name: Its name in the layout.
        meaning: The meaning of its entries.
        value: From views to int[N].
        codes: For each value 0, 1, 2 ... its entries; larger values count as the last, negative
            ones as 0.
        detail: The least detail of observations that have it.
        lean: False if `value` needs the games' axis, which `SeatView.one` has not.

    As many entries as a plane has would be taken for one; so one more follows them, which is 0.
    """

    name: str
    meaning: str
    value: Callable[["SeatView"], Array]
    codes: Codes
    detail: Detail = Detail.PLAIN
    lean: bool = True

    def __post_init__(self) -> None:
        if self.width == NUM_REGULAR:
            object.__setattr__(self, "codes", tuple((*code, 0) for code in self.codes))

    @property
    def width(self) -> int:
        """Entries."""
        return len(self.codes[0])


@dataclass(frozen=True)
class Graded:
    """A number for each card, 52 entries in the order of a plane's.

    Numbers are given in sixteenths, rounded, up to 127 of them: more than 7 seldom matters.

    Attributes:
        name: Its name in the layout.
        meaning: The meaning of the number.
        values: From views to float32[52, N], or whole numbers, int8[52, N]; not negative.
    """

    name: str
    meaning: str
    values: Callable[["SeatView"], Float32s | Int8s]

    detail: ClassVar = Detail.OUTS
    width: ClassVar = NUM_REGULAR

    def entries(self, view: "SeatView") -> Float32s:
        """Return float32[52, N], whole numbers from 0 to 127."""
        told: Float32s = self.values(view) * GRADES
        np.rint(told, out=told)
        return np.minimum(told, MOST_GRADES, out=told)


Feature = Plane | Scalar | Graded


def one_hot(size: int) -> Codes:
    """One-hot codes of `size` values."""
    return tuple(tuple(int(i == value) for i in range(size)) for value in range(size))


def one_hot_or_none(size: int) -> Codes:
    """One-hot codes of the values 1 to `size`, with no bit for 0."""
    return ((0,) * size, *one_hot(size))


def thermometer(thresholds: Sequence[float]) -> Codes:
    """Codes with a bit for every threshold that a value reaches."""
    top = int(np.ceil(thresholds[-1]))
    return tuple(tuple(int(value >= t) for t in thresholds) for value in range(top + 1))


FLAG = thermometer([1])
"""One entry: true or false."""


def binary(width: int) -> Codes:
    """Codes that are the bits of the value, the lowest first."""
    return tuple(tuple(value >> bit & 1 for bit in range(width)) for value in range(1 << width))


def of_seat(array: str, seat: int) -> Callable[["SeatView"], Array]:
    """From views to the entry of one of their arrays for a seat, counted from the viewer.

    The axes are reversed, `.T`, so that the seat's is first for one game as for many.
    """
    return lambda view: getattr(view, array).T[seat]


def steps(
    name: str, meaning: str, value: Callable[["SeatView"], Array], thresholds: Sequence[float]
) -> Scalar:
    """Return a thermometer of any height, whose thresholds may be too large for codes by value."""
    if thresholds[-1] <= LARGEST_CODED:
        return Scalar(name, meaning, value, thermometer(thresholds))

    def reached(view: "SeatView") -> Array:
        return np.searchsorted(thresholds, value(view), side="right")

    return Scalar(name, meaning, reached, thermometer(range(1, len(thresholds) + 1)))
