"""The observation as a vector of numbers, mostly zeros and ones.

Sets of cards are planes, with a bit per card; quantities are scalars, with a bit per threshold or
value (`core/features.py`). Both form one array, written without a loop over games. Graded features,
whose entries may exceed one, follow them.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from rummy_env.core.arrays import Array, Int8s, Words
from rummy_env.core.bits import WORD_BITS
from rummy_env.core.cards import NUM_REGULAR, REGULAR
from rummy_env.core.checks import check_choice
from rummy_env.core.features import MOST_GRADES, Detail, Feature, Graded, Plane, Scalar
from rummy_env.core.memory import staggered
from rummy_env.core.rules import Rules, check_rules
from rummy_env.core.visibility import SeatView
from rummy_env.views.common import features_of

Features = Int8s

PLAIN, HINTS, OUTS = OBSERVATIONS = tuple(detail.name.lower() for detail in Detail)
"""The names of the observations, one for each `Detail`."""

_PAIR = np.dtype([("low", "<u8"), ("middle", "<u4"), ("high", "u1")])
"""Two planes: 64 + 32 + 8 = 104 bits."""
_SECOND_LOW, _SECOND_HIGH = np.uint64(NUM_REGULAR), np.uint64(WORD_BITS - NUM_REGULAR)
_MIDDLE_BITS = np.uint64(32)
_PAIR_BITS = 2 * NUM_REGULAR
_REGULAR = int(REGULAR)


class Observer:
    """Turns views into observations.

    Attributes:
        rules: The rules of the games.
        name: The name of the observation, one of `OBSERVATIONS`.
        planes: The sets of cards, first in the vector.
        scalars: The quantities, after them.
        graded: Numbers per card, last; only in "outs".
        dtype: The dtype of the entries, int8.
        low: The least value of an entry.
        high: The largest value of an entry.
        size: F, entries of an observation.
    """

    dtype = np.dtype(np.int8)
    low = 0

    def __init__(self, rules: Rules, name: str = HINTS) -> None:
        """Collect the features of the observation for the rules.

        Raises:
            ValueError: If there is no observation of this name.
        """
        check_rules(rules)
        check_choice("observation", name, OBSERVATIONS)
        self.rules, self.name = rules, name
        detail = OBSERVATIONS.index(name)
        found = [feature for feature in features_of(rules) if feature.detail <= detail]
        self.planes = tuple(f for f in found if isinstance(f, Plane))
        self.scalars = tuple(f for f in found if isinstance(f, Scalar))
        self.graded = tuple(f for f in found if isinstance(f, Graded))
        self.high = int(MOST_GRADES) if self.graded else 1
        self.size = sum(each.width for each in self.features)
        self._coded = self.size - NUM_REGULAR * len(self.graded)
        pairs, odd = divmod(len(self.planes), 2)
        self._pairs = pairs
        self._place_scalars(NUM_REGULAR * odd)
        self._planes_of_one = [
            (plane.cards, plane.lean, i * NUM_REGULAR) for i, plane in enumerate(self.planes)
        ]
        self._row = np.dtype([("pairs", _PAIR, (pairs,)), ("rest", "<u8", (self._num_words,))])

    def __reduce__(self) -> tuple[Callable[..., "Observer"], tuple[Rules, str]]:
        make = observer if type(self) is Observer else type(self)
        return make, (self.rules, self.name)

    @property
    def features(self) -> tuple[Feature, ...]:
        """All features, in order."""
        return (*self.planes, *self.scalars, *self.graded)

    def _place_scalars(self, start: int) -> None:
        """Lay the scalars end to end into words.

        Every scalar is a lookup table from its value to the bits that it sets in a word; one that
        touches two words has two tables. `start` bits of the first word are in use.
        """
        self._codes_of_one = []  # shifted into place
        self._tables: list[tuple[int, int, Words]] = []  # the word, and the number of the scalar
        behind = _PAIR_BITS * self._pairs
        for number, scalar in enumerate(self.scalars):
            # as Python integers, which have any length; `_slice` cuts words out of them
            codes = [sum(bit << i for i, bit in enumerate(code, start)) for code in scalar.codes]
            shifted = [code << behind for code in codes]
            self._codes_of_one.append((scalar.value, scalar.lean, shifted, len(codes) - 1))
            for word in range(start // WORD_BITS, (start + scalar.width - 1) // WORD_BITS + 1):
                table = np.array([_slice(code, word) for code in codes])
                self._tables.append((word, number, table))
            start += scalar.width
        self._num_words = -(-start // WORD_BITS)

    def __call__(self, view: SeatView) -> Features:
        """Return the observations, int8[N, F]: zeros and ones, up to 127 for graded features."""
        coded = self._of_one(view) if len(view) == 1 else self._of_many(view)
        if not self.graded:
            return coded
        grades = staggered(self.size - self._coded, len(view), np.int8)
        for each, rows in zip(self.graded, np.split(grades, len(self.graded)), strict=True):
            rows[:] = each.entries(view)
        return np.concatenate([coded, grades.T], axis=1)

    def _of_one(self, view: SeatView) -> Features:
        """Return the planes and scalars of one game as one long number."""
        one = view.one()
        bits = 0
        for cards, lean, place in self._planes_of_one:
            bits |= (int(cards(one) if lean else cards(view)[0]) & _REGULAR) << place
        for value_of, lean, codes, top in self._codes_of_one:
            value = int(value_of(one) if lean else value_of(view)[0])
            bits |= codes[top if value > top else value if value > 0 else 0]
        packed = bits.to_bytes(self._row.itemsize, "little")
        found = np.unpackbits(np.frombuffer(packed, np.uint8), count=self._coded, bitorder="little")
        return found.view(np.int8)[None]

    def _of_many(self, view: SeatView) -> Features:
        planes: Words = staggered(len(self.planes), len(view), np.uint64)
        for i, plane in enumerate(self.planes):
            planes[i] = plane.cards(view)
        planes &= REGULAR
        row = np.empty(len(view), self._row)
        self._put_pairs(row["pairs"], planes[: 2 * self._pairs])
        rest = self._scalar_words(view)
        if len(planes) % 2:
            rest[0] |= planes[-1]
        row["rest"] = rest.T
        packed = row.view(np.uint8).reshape(len(view), self._row.itemsize)
        bits = np.unpackbits(packed, axis=1, count=self._coded, bitorder="little")
        return bits.view(np.int8)

    def _scalar_words(self, view: SeatView) -> Words:
        """Return the entries of the scalars in their places, uint64[words, N]."""
        values = [scalar.value(view).astype(np.intp, copy=False) for scalar in self.scalars]
        words = np.zeros((self._num_words, len(view)), np.uint64)
        for word, number, table in self._tables:
            words[word] |= table.take(values[number], mode="clip")  # large values are the last
        return words

    @staticmethod
    def _put_pairs(pairs: Array, planes: Words) -> None:
        """Write planes two by two, because 2 * 52 bits are 13 whole bytes; they are used up."""
        first, second = planes[0::2], planes[1::2]
        first |= second << _SECOND_LOW
        second >>= _SECOND_HIGH
        pairs["low"] = first.T
        pairs["middle"] = second.T
        second >>= _MIDDLE_BITS
        pairs["high"] = second.T

    def layout(self) -> list[tuple[str, int, int, str]]:
        """Return name, first entry, number of entries and meaning of all features, in order."""
        starts = np.cumsum([0, *(each.width for each in self.features)]).tolist()
        return [
            (each.name, start, each.width, each.meaning)
            for each, start in zip(self.features, starts, strict=False)
        ]


def _slice(code: int, index: int) -> np.uint64:
    """Return one word of a long code."""
    return np.uint64(code >> WORD_BITS * index & (1 << WORD_BITS) - 1)


@lru_cache(maxsize=256)
def _observer(rules: Rules, name: str) -> Observer:
    return Observer(rules, name)


def observer(rules: Rules, name: str = HINTS) -> Observer:
    """Return the observer for rules and the name of an observation; equal rules share one."""
    return _observer(rules, name)
