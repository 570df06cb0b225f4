"""The types of arrays by name, one for each dtype; and dataclasses of nothing but arrays."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]
"""Numbers of games, or of anything else: what arrays are indexed by."""
Words = npt.NDArray[np.uint64]
"""Bits; see `core/bits.py`."""
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]
Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
Float32s = npt.NDArray[np.float32]
Float64s = npt.NDArray[np.float64]

Integers = npt.NDArray[np.integer[Any]]
"""Whole numbers of any size."""
Floats = npt.NDArray[np.floating[Any]]
"""Floating-point numbers of any size."""
Array = npt.NDArray[Any]

T = TypeVar("T")


def joined(parts: Sequence[T]) -> T:
    """Return dataclasses of arrays as one: the items of each array one after the other."""
    arrays = zip(*map(_arrays, parts), strict=True)
    return type(parts[0])(*map(np.concatenate, arrays))


def taken(whole: T, items: Rows | Bools | slice) -> T:
    """Return some of the items of a dataclass of arrays, which are the first axis of each."""
    return type(whole)(*(array[items] for array in _arrays(whole)))


def _arrays(whole: Any) -> Iterator[Array]:
    return (getattr(whole, each.name) for each in fields(whole))
