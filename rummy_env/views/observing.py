"""The observations of learners: built-in ones by name, or the user's own."""

import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from rummy_env.core.arrays import Array
from rummy_env.core.checks import check_range, shown
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.importing import imported, is_import_string
from rummy_env.variants import in_short
from rummy_env.views.features import HINTS, OBSERVATIONS, Observer, observer

MOST_ENTRIES = 1 << 30
Entry = tuple[str, int, int, str]
"""Name, first entry, number of entries and meaning of a part of an observation."""


class Observing(Protocol):
    """Turns views into observations.

    A user's own observer may also have `dtype`, `low` and `high`, for its space, a bound being a
    number or one for each entry; without them, it is of int8 from 0 to 1.

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


def observer_for(rules: Rules, observation: Observation = HINTS) -> "AnyObserver":
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
        found = _made(found, rules) if callable(found) else found
    if type(found) is not Observer:  # a class of a user's own may see something else
        return Checked(found)
    made = observer(rules, found.name)
    if found.layout() != made.layout():
        raise ValueError(
            f"observation: it is for {in_short(found.rules)}, and lays its entries out in another "
            f"way than {in_short(rules)} needs; give the name {found.name!r}"
        )
    return made  # whose entries may have other limits


def _made(make: Callable[[Rules], Any], rules: Rules) -> Any:
    """Return what a class or function makes for the rules; its errors get a note, or a remedy."""
    with suppress(ValueError):  # of what has no signature
        try:
            inspect.signature(make).bind(rules)
        except TypeError as error:
            raise TypeError(
                f"observation {make!r} is called with the rules, and does not take them ({error}): "
                f"give an observer that has been made, as in Planes()"
            ) from error
    try:
        return make(rules)
    except Exception as error:
        error.add_note(f"raised as observation {make!r} was called with the rules, not with a view")
        raise


class Checked:
    """A user's own observer, whose results are checked against what it declares.

    Attributes:
        size: F.
        dtype: The dtype of the entries.
        low: The least value of each entry, [F].
        high: The greatest value of each entry, [F].
    """

    def __init__(self, own: Observing) -> None:
        """Check what the observer declares.

        Raises:
            TypeError: If it has no size, no method `layout` of four items a part, no dtype or
                bounds of numbers, or cannot be called.
            ValueError: If the layout does not name all entries in order, or no number is allowed.
        """
        for needed in ("size", "layout", "__call__"):
            if not hasattr(own, needed) or (needed == "layout" and not callable(own.layout)):
                raise TypeError(f"observation {own!r} has no {needed}: see docs/gymnasium.md")
        self._own = own
        check_range(f"observation {own!r}: size", own.size, 1, MOST_ENTRIES)
        self.size = int(own.size)
        self.dtype = _dtype(own)
        self.low, self.high = self._bound("low", 0), self._bound("high", 1)
        wrong = ~np.less_equal(self.low, self.high)
        if wrong.any():
            low, high = self.low[wrong][0], self.high[wrong][0]
            raise ValueError(f"observation {own!r}: low={low} is above high={high}")
        self._check_layout()
        self._is_tried = False

    def _bound(self, name: str, usual: int) -> Array:
        """Return the bound of every entry, [F], that the observer declares."""
        declared = getattr(self._own, name, usual)
        bound, told = np.asarray(declared), f"observation {self._own!r}: {name}={declared!r}"
        if bound.dtype.kind not in "iufb":
            raise TypeError(f"{told}; give a number")
        if bound.shape not in ((), (self.size,)):
            raise ValueError(f"{told}; give one number, or one for each of {self.size} entries")
        with np.errstate(all="ignore"):
            kept = bound.astype(self.dtype)
        if self.dtype.kind != "f" and (kept != bound).any():
            raise ValueError(f"{told}; give what {self.dtype} can be")
        return np.broadcast_to(kept, (self.size,)).copy()

    def _check_layout(self) -> None:
        layout, told = self._own.layout(), 0
        if not isinstance(layout, Sequence) or isinstance(layout, str):
            raise TypeError(f"observation {self._own!r}: layout() is {shown(layout)}; give a list")
        for entry in layout:
            if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 4:
                raise TypeError(
                    f"observation {self._own!r}: its layout has {shown(entry)}; give the name, "
                    f"first entry, width and meaning of each part"
                )
            name, start, width, _ = entry
            if start != told:
                raise ValueError(
                    f"observation {self._own!r}: {name!r} begins at entry {start!r} of its layout; "
                    f"the parts before end at {told}"
                )
            check_range(f"observation {self._own!r}: width of {name!r}", width, 1, MOST_ENTRIES)
            told += width
        if told != self.size:
            raise ValueError(
                f"observation {self._own!r}: its layout has {told} entries, size={self.size}"
            )

    def layout(self) -> list[Entry]:
        """Return the layout that the observer declares."""
        return self._own.layout()

    def __call__(self, view: SeatView) -> Array:
        """Return the observations of N games, a copy: the observer may use its array again.

        Raises:
            ValueError: If the result does not have the declared shape and dtype, or if the first
                one has numbers that are not from `low` to `high`.
        """
        try:
            found = self._own(view)
        except Exception as error:
            error.add_note(f"raised by observation {self._own!r}")
            raise
        shape = (len(view), self.size)
        if not isinstance(found, np.ndarray) or (found.shape, found.dtype) != (shape, self.dtype):
            is_array = isinstance(found, np.ndarray)
            got = f"{found.dtype}{list(found.shape)}" if is_array else shown(found)
            raise ValueError(
                f"observation {self._own!r} answers {got}: give {self.dtype}{list(shape)}, or "
                f"declare another `size` or `dtype`"
            )
        if len(view) and not self._is_tried:
            if (found != found).any():
                raise ValueError(f"observation {self._own!r} answers entries that are no numbers")
            if not ((found >= self.low) & (found <= self.high)).all():
                raise ValueError(
                    f"observation {self._own!r} answers numbers from {found.min()} to "
                    f"{found.max()}: declare `low` and `high`, now {self.low.min()} and "
                    f"{self.high.max()}"
                )
            self._is_tried = True
        return found.copy()


AnyObserver = Observer | Checked
"""What `observer_for` returns."""


def _dtype(own: Observing) -> np.dtype[Any]:
    """Return the dtype that an observer declares, int8 if none; a TypeError if not of numbers."""
    declared = getattr(own, "dtype", np.int8)
    with suppress(TypeError):
        found = np.dtype(declared)
        if found.kind in "iufb" and found.isnative:
            return found
    raise TypeError(
        f"observation {own!r}: dtype={declared!r}; give one of numbers, in this machine's order of "
        f"bytes, as np.float32"
    )
