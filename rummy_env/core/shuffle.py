"""Randomness as a pure function: a counter-based stream instead of generator objects.

Whatever is random in game i is a mix of a key (`core/keys.py`) of that game with what the number is
for. A game therefore depends only on its seed and its actions, not on the size of the batch or its
place in it.
"""

from typing import NoReturn

import numpy as np
import numpy.typing as npt

from rummy_env.core.arrays import Float64s, Floats, Rows, UInt8s, Words
from rummy_env.core.cards import NO_CARD, NO_CODE

_MIX = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""What splitmix64 adds, and what it multiplies by."""
_GOLDEN, _FIRST, _SECOND = map(np.uint64, _MIX)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_CODE_BITS = np.uint64(0x7F)
_ALL = (1 << 64) - 1
_UNIT = 2.0**-53


def mix(words: Words) -> Words:
    """Scatter 64-bit words: every input bit reaches every output bit (splitmix64)."""
    words = np.add(words, _GOLDEN)
    words = (words ^ (words >> _S30)) * _FIRST
    words = (words ^ (words >> _S27)) * _SECOND
    return words ^ (words >> _S31)


def stream(keys: Words, counters: npt.ArrayLike) -> Words:
    """Return a random word for every key, uint64 of any shape, and broadcast counter."""
    steps = np.asarray(counters)
    if keys.shape == (1,) and steps.shape in ((), (1,)):
        return np.array([_mix_one(_mix_one(keys.item()) + steps.item())], np.uint64)
    return mix(mix(keys) + steps.astype(np.uint64))


def _mix_one(word: int) -> int:
    """Return the same as `mix` of one word, with Python integers."""
    golden, first, second = _MIX
    word = word + golden & _ALL
    word = (word ^ word >> 30) * first & _ALL
    word = (word ^ word >> 27) * second & _ALL
    return word ^ word >> 31


def shuffled(
    keys: Words,
    codes: UInt8s,
    odds: Floats | None = None,
) -> UInt8s:
    """Shuffle cards, uint8[C] or uint8[R, C], by a random word a game, uint64[R], to uint8[R, C].

    Codes above 127, in uint8[R, C] alone, are put last, as 127. Each card is sorted by a random
    number whose lowest seven bits are its code, so that a single sort of words shuffles them.

    With `odds`, float[R, C] above 0, each next card is drawn from those left in proportion to its
    odds: it is the first to arrive when every card arrives at its own rate.
    """
    wide = codes.astype(np.uint64)
    order = mix(keys[:, None] + wide)
    if odds is not None:  # positive floats sort as their bits do
        order = (-np.log1p(-uniform(order)) / odds).view(np.uint64)
    order = order & ~_CODE_BITS | (wide & _CODE_BITS)
    if codes.ndim == 2:
        order[codes > _CODE_BITS] = ~np.uint64(0)
    order.sort(axis=1)
    return (order & _CODE_BITS).astype(np.uint8)


def shuffled_at(keys: Words, places: UInt8s, codes: UInt8s) -> UInt8s:
    """Return the cards at some places, uint8[N, C], in random order, then `NO_CARD`.

    Where `codes`, uint8[N, C], has equal cards, they are not distinguished.
    """
    inside = np.arange(places.shape[1]) < (places != NO_CARD).sum(axis=1)[:, None]
    order = np.where(inside, shuffled(keys, places), 0).astype(np.intp)
    return np.where(inside, np.take_along_axis(codes, order, axis=1), NO_CODE)


def uniform(words: Words) -> Float64s:
    """Random words as numbers in [0, 1)."""
    return (words >> _S11).astype(np.float64) * _UNIT


class GameRandom:
    """The random numbers of one decision in each of N games.

    Policies sample from it by `random`, its only method that samples. Game i gets the same numbers
    whatever the other games of the batch are.
    """

    def __init__(self, keys: Words) -> None:
        """Start the streams from one random word per game, uint64[N], new at every decision."""
        self._keys = keys
        self._sampled = 0

    def __len__(self) -> int:
        return len(self._keys)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"a game's random numbers have no {name!r}, but random() -> float64[N] in [0, 1): "
            f"(k * rng.random()).astype(int) are whole numbers below k"
        )

    def random(self) -> Float64s:
        """Return float64[N] in [0, 1), new ones at every call."""
        self._sampled += 1
        return uniform(stream(self._keys, self._sampled))

    def take(self, items: Rows) -> "GameRandom":
        """Return the streams of some of the games, at their present positions."""
        part = GameRandom(self._keys[items])
        part._sampled = self._sampled
        return part
