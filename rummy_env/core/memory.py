"""Memory: rows that are quick to read across, and what is freed and soon needed again."""

from functools import cache

import numpy as np
import numpy.typing as npt

from rummy_env.core.arrays import Array

_CACHE_LINE = 64
"""Bytes."""
_MOST_KEPT = 31 << 20
"""Bytes; glibc learns from blocks of up to 32 MiB."""


@cache
def keep_freed_memory() -> None:
    """Make glibc's allocator keep what is freed, so that arrays of many games need no fresh pages.

    It does so once a large block has been freed. This one is never touched, so it takes no memory.
    Other allocators are not affected.

    Source: docs/decisions/0029-strides-and-short-axes.md
    """
    np.empty(_MOST_KEPT, np.uint8)


def staggered(rows: int, items: int, dtype: npt.DTypeLike) -> Array:
    """Return an empty array, [rows, items], that is quick to read or write item by item.

    The entries of an item lie as far apart as rows are long. If that is a power of two, they all
    compete for a few lines of the processor's cache; so rows are an odd number of lines long.
    """
    size = np.dtype(dtype).itemsize
    lines = -(-items * size // _CACHE_LINE) | 1
    return np.empty((rows, lines * _CACHE_LINE // size), dtype)[:, :items]
