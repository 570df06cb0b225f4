"""Memory that is freed and soon needed again."""

from functools import cache

import numpy as np

_MOST_KEPT = 31 << 20
"""Octets; glibc learns from blocks of up to 32 MiB."""


@cache
def keep_freed_memory() -> None:
    """Make glibc's allocator keep what is freed, so that arrays of many games need no fresh pages.

    It does so once a large block has been freed. This one is never touched, so it takes no memory.
    Other allocators are not affected.

    Source: docs/decisions/0029-strides-and-short-axes.md
    """
    np.empty(_MOST_KEPT, np.uint8)
