"""Keys: random words that reveal neither what they were made from nor each other.

A game is a function of its seed and the actions, and a table's games of the table's key. Policies
see random numbers, players see cards, records show seeds; none of these may reveal what is still
hidden. Whatever leaves the engine therefore depends on its own key, and a key is a cryptographic
hash (BLAKE2b) of the secret and its purpose, computed once per deal or episode. The many cheap
numbers derived from one key (`core/shuffle.py`) may be traced back to that key, but no further.
"""

from collections.abc import Iterable
from enum import IntEnum
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from rummy_env.core.arrays import Words
from rummy_env.core.checks import check_range

WORD_BYTES = 8
MOST_SEED = (1 << 64) - 1
"""Seeds are whole numbers from 0 to this."""
_LARGEST_DIGEST = 8
"""The most words that one hash can give."""
_PURPOSE_BITS = 8


class Purpose(IntEnum):
    """The use of a key, so that no two uses share one."""

    TABLE = 0
    NEXT_GAME = 1
    GIVEN_GAME = 2
    SHUFFLE = 3
    DEALER = 4
    DECISIONS = 5
    LEARNERS_SEAT = 6
    OPPONENTS = 7
    LEARNERS = 8
    LABELS = 10  # 9 was in use once, and no number is given again


def one_way(purpose: Purpose, *secrets: npt.ArrayLike, count: int = 1) -> Words:
    """Hash secrets to keys.

    Args:
        purpose: The use of the keys.
        secrets: uint64[N] or single numbers, what the keys depend on; at least one is an array.
        count: Keys for each of the N.

    Returns:
        uint64[N, count].
    """
    rows = next(np.size(secret) for secret in secrets if np.ndim(secret))
    table = np.empty((rows, len(secrets) + 1), "<u8")
    for i, secret in enumerate(secrets):
        table[:, i] = secret
    blocks = []
    for first in range(0, count, _LARGEST_DIGEST):
        table[:, -1] = first << _PURPOSE_BITS | purpose
        blocks.append(_hashed(table, min(count - first, _LARGEST_DIGEST)))
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=1)


def _hashed(table: Words, count: int) -> Words:
    """Return uint64[N, count], the hash of each row of uint64[N, K]."""
    data, width = table.tobytes(), table.shape[1] * WORD_BYTES
    size = count * WORD_BYTES
    starts = range(0, len(data), width)
    digests = bytearray().join(
        [blake2b(data[i : i + width], digest_size=size).digest() for i in starts]
    )
    return np.frombuffer(digests, "<u8").reshape(len(table), count).astype(np.uint64, copy=False)


def as_seeds(given: npt.ArrayLike) -> Words:
    """Seeds in the form that users give them, as uint64[N] or [N, K].

    Raises:
        ValueError: If one of them is no whole number from 0 to `MOST_SEED`.
    """
    # Not as numbers: in a list, those from 2**63 on would turn all into floats.
    seeds = given if isinstance(given, np.ndarray) else np.array(given, object)
    if seeds.dtype.kind not in "ui":
        for seed in seeds.flat:
            check_range("seed", seed, 0, MOST_SEED)
    elif seeds.min(initial=0) < 0:
        raise ValueError(f"seeds from {seeds.min()}: give whole numbers from 0 to {MOST_SEED}")
    return seeds.astype(np.uint64)


def table_keys(seed: int, num_tables: int) -> Words:
    """Return uint64[num_tables, 2], a key for every table, from a seed."""
    tables = np.arange(num_tables, dtype=np.uint64)
    return one_way(Purpose.TABLE, np.uint64(seed), tables, count=2)


def first_table_keys(seeds: Iterable[int]) -> Words:
    """uint64[N, 2], the key of the first table of every seed, as from `table_keys(seed, 1)`."""
    each = np.fromiter(seeds, np.uint64)
    return one_way(Purpose.TABLE, each, np.uint64(0), count=2)


def next_games(keys: Words) -> tuple[Words, Words]:
    """Go on to the next game of each table.

    Args:
        keys: uint64[N, 2], the keys of the tables.

    Returns:
        uint64[N], the seeds of the games, which reveal nothing about any other game; and
        uint64[N, 2], the keys of the tables from then on.
    """
    words = one_way(Purpose.NEXT_GAME, keys[:, 0], keys[:, 1], count=3)
    return words[:, 0], words[:, 1:]


def keys_after(seeds: Words) -> Words:
    """Return uint64[N, 2], the keys of tables whose first game has a given seed, uint64[N].

    Whoever knows the seed knows the games that follow: seed tables of strangers with a secret
    number.
    """
    return one_way(Purpose.GIVEN_GAME, seeds, count=2)


def game_seeds(seed: int, num_games: int) -> Words:
    """uint64[num_games], the seeds of the first games of as many tables; see `table_keys`."""
    return next_games(table_keys(seed, num_games))[0]
