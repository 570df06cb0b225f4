"""Sets of cards as bits, and bits laid end to end.

A word is a `uint64`; a set of up to 64 things is one word. Constants are NumPy scalars, because
mixing Python integers into array arithmetic costs more than the arithmetic on a small batch.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rummy_env.core.arrays import (
    Array,
    Bools,
    Float64s,
    Int16s,
    Integers,
    Ints,
    Rows,
    UInt8s,
    Words,
)

_CACHE_LINE = 64
"""Octets."""

NO_ROWS: Rows = np.zeros(0, np.intp)
ONE = np.uint64(1)
ZERO = np.uint64(0)
WORD_BITS = 64

BIT: Words = ONE << np.arange(WORD_BITS, dtype=np.uint64)
"""uint64[64], the word in which only bit i is set."""


def word(bits: Iterable[int]) -> np.uint64:
    """Return the word in which exactly the given bits are set."""
    return np.uint64(sum(1 << bit for bit in bits))


def lowest(words: Words) -> Words:
    """Return the lowest set bit of each word, alone; 0 where the word is 0: `x & -x`, unsigned."""
    return words & (~words + ONE)


def bit_index(single: Words) -> Ints:
    """Return the position of the only set bit of each word: the number of bits below it."""
    return np.bitwise_count(single - ONE).astype(np.int64)


def positions(value: int) -> list[int]:
    """Return the set bits of one word, ascending."""
    found = []
    while value:
        rest = value & value - 1
        found.append((value ^ rest).bit_length() - 1)
        value = rest
    return found


def flags(words: Words, count: int) -> Bools:
    """Return bool[N, count], sets, uint64[N], as a flag for each of their lowest bits."""
    octets = words.astype("<u8", copy=False)[..., None].view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=count, bitorder="little").view(np.bool_)


def those(count: int, items: Rows, bits: Rows, good: Bools) -> Words:
    """Return uint64[count], the bits, intp[K], of some words, `items`, intp[K], that are good."""
    found = np.zeros(count, np.uint64)
    np.bitwise_or.at(found, items[good], BIT[bits[good]])
    return found


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
    """Return uint8[N], the set bits of each word; of a scalar, a number of Python's, far sooner."""
    if isinstance(words, np.ndarray):
        return np.bitwise_count(words)
    return int(words).bit_count()


def count_all(sets: Words) -> UInt8s:
    """Return uint8[...], the set bits of sets, uint64[..., W], of few words each.

    `sum` along a short axis takes twenty times as long, and so does `reduce` in `merged`.
    """
    counts = np.bitwise_count(sets)
    total: UInt8s = counts[..., 0]
    for column in range(1, counts.shape[-1]):
        total = total + counts[..., column]
    return total


def merged(sets: Words) -> Words:
    """Return uint64[...], the bits that any of the few words of sets, uint64[..., W], has."""
    union: Words = sets[..., 0]
    for column in range(1, sets.shape[-1]):
        union = union | sets[..., column]
    return union


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


class Packer:
    """Lays fields of fixed widths end to end into as few words as hold them.

    The place of every field is worked out once; packing a batch is then a few shifts per field.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        """Plan the places of fields of 1 to 64 bits."""
        self.starts = tuple(int(s) for s in np.cumsum([0, *widths])[:-1])
        self.num_bits = sum(widths)
        self.num_words = -(-self.num_bits // WORD_BITS)
        self._places = [self._place(*field) for field in zip(self.starts, widths, strict=True)]

    @staticmethod
    def _place(start: int, width: int) -> tuple[int, np.uint64, np.uint64 | None]:
        """Return the word of a field, its shift to the left, and the shift of what spills over."""
        index, shift = divmod(start, WORD_BITS)
        spill = np.uint64(WORD_BITS - shift) if shift + width > WORD_BITS else None
        return index, np.uint64(shift), spill

    def put(self, out: Words, field: int, values: Words) -> None:
        """Write one field of every item, uint64[N] without bits beyond its width.

        It goes into `out`, uint64[num_words, N], which must be zero there; of one item, into a list
        of words.
        """
        index, shift, spill = self._places[field]
        out[index] |= values << shift
        if spill is not None:
            out[index + 1] |= values >> spill

    def unpack(self, words: Words) -> UInt8s:
        """Return uint8[N, num_bits] of 0 and 1, from C-contiguous uint64[N, num_words]."""
        flat = words.astype("<u8", copy=False).view(np.uint8)
        return np.unpackbits(flat, axis=1, count=self.num_bits, bitorder="little")


def staggered(rows: int, items: int, dtype: npt.DTypeLike) -> Array:
    """Return an empty array, [rows, items], that is quick to read or write item by item.

    The entries of an item lie as far apart as rows are long. If that is a power of two, they all
    compete for a few lines of the processor's cache; so rows are an odd number of lines long.
    """
    size = np.dtype(dtype).itemsize
    lines = -(-items * size // _CACHE_LINE) | 1
    return np.empty((rows, lines * _CACHE_LINE // size), dtype)[:, :items]


def pack_rows(flags: Bools) -> Words:
    """uint64[..., words], the bits of each row, bool[..., bits], in as few words as hold them."""
    octets = np.packbits(flags, axis=-1, bitorder="little")
    num_words = -(-octets.shape[-1] // 8)
    padded = np.zeros((*flags.shape[:-1], 8 * num_words), np.uint8)
    padded[..., : octets.shape[-1]] = octets
    return padded.view("<u8").astype(np.uint64, copy=False)


def sample_bit(words: Words, uniforms: Float64s) -> Ints:
    """Sample one of the set bits of each row of uint64[N, num_words], all equally likely.

    Returns its position in the row, int64[N], from `uniforms`, float64[N] in [0, 1); 0 where no bit
    is set. The n-th set bit is found by its rank: first its word, then its octet.
    """
    if len(words) == 1:
        return np.array([_sample_one(words[0].tolist(), float(uniforms[0]))])
    counts = np.bitwise_count(words).T
    totals = [counts[0].astype(np.int16)]
    for count in counts[1:]:
        totals.append(totals[-1] + count)
    rank = (uniforms * totals[-1]).astype(np.int16)
    index = np.zeros(len(words), np.int16)
    before = np.zeros(len(words), np.int16)
    for total in totals[:-1]:
        passed = total <= rank
        index += passed
        np.copyto(before, total, where=passed)
    chosen = words.reshape(-1).take(np.arange(0, words.size, words.shape[1]) + index)
    position = index * np.int64(WORD_BITS) + _nth_bit(chosen, (rank - before).astype(np.uint64))
    return np.where(totals[-1] > 0, position, 0)


def _sample_one(words: list[int], uniform: float) -> int:
    """Return the same of one row, with numbers of Python's."""
    rank = int(uniform * sum(word.bit_count() for word in words))
    for index, word in enumerate(words):
        count = word.bit_count()
        if rank < count:
            for _ in range(rank):
                word &= word - 1  # without its lowest bit
            return index * WORD_BITS + (word & -word).bit_length() - 1
        rank -= count
    return 0


def _nth_bit(words: Words, rank: Words) -> Ints:
    """Return the position of the set bit with a given rank, uint64[N], in each word; int64[N].

    The counts of a word's eight octets are a word again, and its product with `_EACH_OCTET` has the
    sums of the lowest octets, one octet each.
    """
    octets = words.astype("<u8", copy=False).view(np.uint8)
    sums = np.bitwise_count(octets).view("<u8") * _EACH_OCTET
    passed = sums.view(np.uint8) <= (rank * _EACH_OCTET).view(np.uint8)
    start = np.bitwise_count(passed.view("<u8")).astype(np.uint64) << _THREE
    before = (sums << _EIGHT) >> start & _OCTET
    place = ((words >> start & _OCTET) << _THREE) + rank - before
    return start.astype(np.int64) + _IN_OCTET.take(place.astype(np.intp), mode="clip")


def _octet_table() -> Int16s:
    """Return int16[2048], at `8 * octet + rank` the position of the set bit of that rank."""
    table = np.zeros((256, 8), np.int16)
    for octet in range(256):
        found = positions(octet)
        table[octet, : len(found)] = found
    return table.reshape(-1)


_IN_OCTET = _octet_table()
_EACH_OCTET, _OCTET = word(range(0, WORD_BITS, 8)), np.uint64(255)
_THREE, _EIGHT = np.uint64(3), np.uint64(8)
