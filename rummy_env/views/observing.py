"""The observations of learners: built-in ones by name, or the user's own."""

import inspect
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from rummy_env.core.arrays import Array
from rummy_env.core.importing import imported, is_import_string
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.views.features import HINTS, OBSERVATIONS, Observer, observer

Entry = tuple[str, int, int, str]
"""Name, first entry, number of entries and meaning of a part of an observation."""


class Observing(Protocol):
    """Turns views into observations.

    A user's own observer may also have `dtype`, `low` and `high`, for its space; without them, it
    is of int8 from 0 to 1.

    Attributes:
        size: F, entries of an observation.
    """

    @property
    def size(self) -> int:
        """F, entries of an observation."""

    def __call__(self, view: SeatView) -> Array:
        """Return the observations of N games, [N, F]."""

    def layout(self) -> list[Entry]:
        """Every part in order, together F entries."""


Observation = str | Observing | Callable[[Rules], Observing]
"""A name, an import string, an observer, or a class or function that makes one for the rules."""


def observer_for(rules: Rules, observation: Observation = HINTS) -> Observing:
    """Return the observer for an observation, given in any form.

    Args:
        rules: The rules of the games.
        observation: `"plain"`, what a seat sees; `"hints"`, also a solver's answers; `"outs"`, also
            the worth of every card, with numbers up to 127; or your own: an observer, a
            class or function that makes one for the rules, or the import string of either, as in
            `"my_agents:Planes"`.

    Raises:
        ValueError: If there is no such observation, or its layout does not match its size.
        TypeError: If it is not an observer.
    """
    if isinstance(observation, str):
        if observation in OBSERVATIONS:
            return observer(rules, observation)
        if not is_import_string(observation):
            raise ValueError(
                f"observation={observation!r}: give one of {', '.join(OBSERVATIONS)}, an observer, "
                f"or an import string as in 'my_agents:Planes'"
            )
        observation = imported("observation", observation)
    found: Any = observation
    if inspect.isclass(found) or not hasattr(found, "size"):
        found = found(rules) if callable(found) else found
    if isinstance(found, Observer) and found.layout() != observer(rules, found.name).layout():
        raise ValueError(
            f"observation: it is for {found.rules!r}, and lays its entries out in another way than "
            f"{rules!r} needs; give the name {found.name!r}"
        )
    return Checked(found)


class Checked:
    """A user's own observer, whose results are checked against what it declares.

    Attributes:
        size: F.
        dtype: The dtype of the entries.
        low: The least value of an entry.
        high: The greatest value of an entry.
    """

    def __init__(self, own: Observing) -> None:
        """Check what the observer declares.

        Raises:
            TypeError: If it has no size, no layout of four items a part, or cannot be called.
            ValueError: If the layout does not match its size.
        """
        for needed in ("size", "layout", "__call__"):
            if not hasattr(own, needed):
                raise TypeError(f"observation {own!r} has no {needed}: see docs/gymnasium.md")
        self._own = own
        self.size = int(own.size)
        self.dtype = np.dtype(getattr(own, "dtype", np.int8))
        self.low, self.high = getattr(own, "low", 0), getattr(own, "high", 1)
        for entry in own.layout():
            if len(entry) != 4:
                raise TypeError(
                    f"observation {own!r}: its layout has {entry!r}; give the name, first entry, "
                    f"width and meaning of each part"
                )
        told = sum(width for _, _, width, _ in own.layout())
        if told != self.size or self.size < 1:
            raise ValueError(f"observation {own!r}: its layout has {told} entries, size={own.size}")

    def layout(self) -> list[Entry]:
        """Return the layout that the observer declares."""
        return self._own.layout()

    def __call__(self, view: SeatView) -> Array:
        """Return the observations of N games.

        Raises:
            ValueError: If the result does not have the declared shape and dtype.
        """
        found = self._own(view)
        shape = (len(view), self.size)
        if not isinstance(found, np.ndarray) or (found.shape, found.dtype) != (shape, self.dtype):
            got = f"{found.dtype}{list(found.shape)}" if isinstance(found, np.ndarray) else found
            raise ValueError(
                f"observation {self._own!r} answers {got}: give {self.dtype}{list(shape)}"
            )
        return found
