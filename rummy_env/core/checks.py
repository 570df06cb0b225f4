"""Refusing what makes no sense, early, with the value and the remedy in the message."""

import math
import reprlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxlist, _SHORT.maxtuple, _SHORT.maxdict = 3, 8, 8, 8
_SHORT.maxstring = _SHORT.maxother = 120
_MOST_SHOWN = 400


def shown(value: object) -> str:
    """Return a value as `repr` tells it, cut where it is long or deep, for a line of a message."""
    text = _SHORT.repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def as_array(name: str, value: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return a value as an array; a ValueError if its parts are not of equal lengths."""
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name}={shown(value)}: give an array, or a list of numbers") from error


def is_whole(value: object) -> TypeGuard[int]:
    """Return True for a whole number, Python's or NumPy's; a bool is none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def are_whole(numbers: npt.NDArray[Any]) -> bool:
    """Return True for an array of whole numbers; an empty list has none, and counts as well."""
    return numbers.dtype.kind in "ui" or not numbers.size


def check_range(option: str, value: object, low: int, high: int, *, beside: str = "") -> None:
    """Refuse all but whole numbers from `low` to `high`.

    Raises:
        ValueError: Naming the option, the value, the range, and what the range depends on.
    """
    if not is_whole(value) or not low <= value <= high:
        given = f" with {beside}" if beside else ""
        allowed = f"a whole number from {low} to {high}" if low < high else str(low)
        raise ValueError(f"{option}={shown(value)}: give {allowed}{given}")


def check_number(
    option: str, value: object, wanted: str, holds: Callable[[float], bool] = math.isfinite
) -> None:
    """Refuse all but numbers for which a condition holds, which `wanted` names.

    Raises:
        ValueError: Naming the option, the value, and what is wanted.
    """
    number = isinstance(value, int | float | np.integer | np.floating)
    large = isinstance(value, int) and abs(value) > sys.float_info.max
    if not number or isinstance(value, bool) or large or not holds(value):  # type: ignore[arg-type]
        raise ValueError(f"{option}={shown(value)}: give {wanted}")


def check_numbers(options: Mapping[str, object]) -> None:
    """Refuse what is no number; a ValueError names the option and its value."""
    for option, value in options.items():
        check_number(option, value, "a number", lambda given: not math.isnan(given))


def check_choice(option: str, value: object, allowed: Sequence[str]) -> None:
    """Refuse all but the listed words.

    Raises:
        ValueError: Naming the option, the value and the allowed words.
    """
    if not isinstance(value, str) or value not in allowed:
        words = ", ".join(map(repr, allowed))
        raise ValueError(
            f"{option}={shown(value)}: give one of {words}{did_you_mean(value, allowed)}"
        )


def did_you_mean(value: object, allowed: Iterable[str]) -> str:
    """Return the end of a message that suggests the nearest of some words, if one is near."""
    given = value.lower() if isinstance(value, str) else ""
    near = get_close_matches(given, allowed, 1, cutoff=0.7)
    return "".join(f"; did you mean {word!r}?" for word in near)


def check_flag(option: str, value: object) -> None:
    """Refuse all but True and False.

    Raises:
        ValueError: Naming the option and the value.
    """
    if not isinstance(value, bool):
        raise ValueError(f"{option}={shown(value)}: give True or False")
