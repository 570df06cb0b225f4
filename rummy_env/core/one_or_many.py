"""Operations that read one game, as scalars, and many, as arrays, with the same lines.

Where a row may be a number, everything asked or told about it is a scalar; what NumPy's functions
would turn into an array, or do too slowly, has a name here.

Source: docs/decisions/0025-a-row-may-be-a-number.md
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from rummy_env.core.arrays import Array, Integers, Rows, UInt8s, Words
from rummy_env.core.bits import ONE, ZERO

NO_ROWS: Rows = np.zeros(0, np.intp)


def any_set(flags: Array) -> bool:
    """Return True if any flag is set; `any` takes ten times as long to say so of a single game."""
    return bool(np.count_nonzero(flags) if isinstance(flags, np.ndarray) else flags)


def places(flags: Any) -> Any:
    """Return the indices of the flags that are set, intp[M]; of one flag, which is set, `()`."""
    return flags.nonzero()[0] if isinstance(flags, np.ndarray) else ()


def chosen(rows: Rows, flags: Any) -> Rows:
    """Return the rows whose flag is set; of one row and its flag, the row or none."""
    if rows.ndim:
        return rows[flags]
    return rows if flags else NO_ROWS


def parted(rows: Rows, flags: Any) -> tuple[Rows, Rows]:
    """Return the rows whose flag is set, and the others; of one row, the flag is any truth value.

    (`~True` is -2, and true: flags of single games cannot be inverted.)
    """
    if not any_set(flags):
        return NO_ROWS, rows
    if rows.ndim:
        return rows[flags], rows[~flags]
    return rows, NO_ROWS


def select(flags: Any, yes: Any, no: Any) -> Any:
    """As `np.where`; one of two scalars by one flag."""
    if isinstance(flags, np.ndarray):
        return np.where(flags, yes, no)
    return yes if flags else no


def put(array: Any, items: Any, values: Any) -> Any:
    """Change some items of an array, by `places`, in place; for a scalar, return the new one."""
    if not isinstance(array, np.ndarray):
        return values
    array[items] = values
    return array


def as_words(flags: Any) -> Words:
    """Return uint64[N], words of one bit; of one flag, a word."""
    if isinstance(flags, np.ndarray):
        return flags.astype(np.uint64)
    word: Any = ONE if flags else ZERO
    return word


def count_bits(words: Words) -> UInt8s:
    """Return uint8[N], the set bits of each word; of a scalar, a Python integer, far sooner."""
    if isinstance(words, np.ndarray):
        return np.bitwise_count(words)
    return int(words).bit_count()


def present(numbers: Integers) -> list[int]:
    """Return the different ones of some small numbers, or of one, not negative, ascending."""
    if not numbers.ndim:
        return [int(numbers)]
    if len(numbers) == 1:
        return numbers.tolist()
    return np.bincount(numbers).nonzero()[0].tolist()


Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def lean_on_one(kernel: Kernel) -> Kernel:
    """Make a pure function of words work on a scalar where the batch has one game.

    The kernel turns uint64[N] and options into uint64[N], or a tuple of these, by operators alone.
    On arrays of one element some thirty operations spend their time in calling NumPy; the same
    operators on a NumPy scalar take much less.
    """

    @wraps(kernel)
    def lean(words: Words, *options: Any, **named: Any) -> Any:
        if words.ndim == 0 or words.size != 1:
            return kernel(words, *options, **named)
        found = kernel(words[0], *options, **named)
        if isinstance(found, tuple):
            return tuple(np.array([one]) for one in found)
        return np.array([found])

    return lean  # type: ignore[return-value]
