"""Refusing what makes no sense, early, with the value and the remedy in the message."""

from collections.abc import Sequence

import numpy as np


def check_range(option: str, value: object, low: int, high: int, *, beside: str = "") -> None:
    """Refuse all but whole numbers from `low` to `high`.

    Raises:
        ValueError: Naming the option, the value, the range, and what the range depends on.
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int | np.integer)
        or not low <= value <= high
    ):
        given = f" with {beside}" if beside else ""
        allowed = f"a whole number from {low} to {high}" if low < high else str(low)
        raise ValueError(f"{option}={value!r}: give {allowed}{given}")


def check_choice(option: str, value: object, allowed: Sequence[str]) -> None:
    """Refuse all but the listed words.

    Raises:
        ValueError: Naming the option, the value and the allowed words.
    """
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{option}={value!r}: give one of {', '.join(map(repr, allowed))}")


def check_flag(option: str, value: object) -> None:
    """Refuse all but True and False.

    Raises:
        ValueError: Naming the option and the value.
    """
    if not isinstance(value, bool):
        raise ValueError(f"{option}={value!r}: give True or False")
