"""Sets of cards as bits, and bits laid end to end.

A word is a `uint64`; a set of up to 64 things is one word. Constants are NumPy scalars, because
mixing Python integers into array arithmetic costs more than the arithmetic on a small batch.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.intp]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

ONE = np.uint64(1)
ZERO = np.uint64(0)
WORD_BITS = 64

BIT: Words = ONE << np.arange(WORD_BITS, dtype=np.uint64)
"""uint64[64], the word in which only bit i is set."""


def word(bits: Iterable[int]) -> np.uint64:
    """The word in which exactly the given bits are set."""
    return np.uint64(sum(1 << bit for bit in bits))


def lowest(words: Words) -> Words:
    """The lowest set bit of each word, alone; 0 where the word is 0."""
    return words & (~words + ONE)


def bit_index(single: Words) -> Ints:
    """The position of the only set bit of each word; the words must have exactly one."""
    return np.bitwise_count(single - ONE).astype(np.int64)


def positions(value: int) -> list[int]:
    """The set bits of one word, ascending."""
    return [bit for bit in range(WORD_BITS) if value >> bit & 1]


def flags(words: Words, count: int) -> Bools:
    """bool[N, count], sets, uint64[N], as a flag for each of their lowest bits."""
    octets = words.astype("<u8", copy=False)[:, None].view(np.uint8)
    return np.unpackbits(octets, axis=1, count=count, bitorder="little").view(np.bool_)


Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def lean_on_one(kernel: Kernel) -> Kernel:
    """Lets a pure function of words work on a scalar where the batch has one game.

    A function of some thirty operations spends its time on arrays of one element in calling NumPy;
    the same operators on a NumPy scalar take much less.

    Args:
        kernel: From uint64[N] and options to uint64[N], or a tuple of these, by operators alone.
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
        """Plans the places.

        Args:
            widths: Bits of each field, 1 to 64.
        """
        self.starts = tuple(int(s) for s in np.cumsum([0, *widths])[:-1])
        self.num_bits = sum(widths)
        self.num_words = -(-self.num_bits // WORD_BITS)
        self._places = [self._place(*field) for field in zip(self.starts, widths, strict=True)]

    @staticmethod
    def _place(start: int, width: int) -> tuple[int, np.uint64, np.uint64 | None]:
        """The word of a field, its shift to the left, and the shift of what spills over."""
        index, shift = divmod(start, WORD_BITS)
        spill = np.uint64(WORD_BITS - shift) if shift + width > WORD_BITS else None
        return index, np.uint64(shift), spill

    def put(self, out: Words, field: int, values: Words) -> None:
        """Writes one field of every item.

        Args:
            out: uint64[num_words, N], zero where the field goes; changed in place.
            field: Which of the fields.
            values: uint64[N], no bit set beyond the width of the field.
        """
        index, shift, spill = self._places[field]
        row = out[index]
        row |= values << shift
        if spill is not None:
            row = out[index + 1]
            row |= values >> spill

    def unpack(self, words: Words) -> npt.NDArray[np.uint8]:
        """The packed bits as numbers.

        Args:
            words: uint64[N, num_words], C-contiguous.

        Returns:
            uint8[N, num_bits] of 0 and 1.
        """
        flat = words.astype("<u8", copy=False).view(np.uint8)
        return np.unpackbits(flat, axis=1, count=self.num_bits, bitorder="little")


def pack_rows(flags: Bools) -> Words:
    """The bits of each row in as few words as hold them.

    Args:
        flags: bool[N, bits].

    Returns:
        uint64[N, words].
    """
    octets = np.packbits(flags, axis=1, bitorder="little")
    num_words = -(-octets.shape[1] // 8)
    padded = np.zeros((len(flags), 8 * num_words), np.uint8)
    padded[:, : octets.shape[1]] = octets
    return padded.view("<u8").astype(np.uint64, copy=False)


def draw_bit(words: Words, draws: npt.NDArray[np.float64]) -> Ints:
    """One of the set bits of each row, all equally likely.

    Args:
        words: uint64[N, num_words].
        draws: float64[N] in [0, 1).

    Returns:
        int64[N], the position of the bit, counted through the row; 0 where none is set.
    """
    columns = [np.ascontiguousarray(column) for column in words.T]
    totals = [np.bitwise_count(columns[0]).astype(np.int16)]
    for column in columns[1:]:
        totals.append(totals[-1] + np.bitwise_count(column))
    rank = (draws * totals[-1]).astype(np.int16)
    index = np.zeros(len(words), np.int16)
    before = np.zeros(len(words), np.int16)
    for total in totals[:-1]:
        passed = total <= rank
        index += passed
        np.copyto(before, total, where=passed)
    chosen = words.reshape(-1).take(np.arange(0, words.size, words.shape[1]) + index)
    position = index * np.int64(WORD_BITS) + _nth_bit(chosen, rank - before)
    return np.where(totals[-1] > 0, position, 0)


def _nth_bit(words: Words, rank: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """The position of the set bit with a given rank in each word, by halving; int16[N]."""
    position = np.zeros(len(words), np.int16)
    for half in (32, 16, 8):
        low = words & np.uint64((1 << half) - 1)
        below = np.bitwise_count(low)
        up = rank >= below
        rank = rank - below * up
        position += up * np.int16(half)
        words = np.where(up, words >> np.uint64(half), low)
    return position + _IN_OCTET.take((words << np.uint64(3)).astype(np.int64) + rank, mode="clip")


def _octet_table() -> npt.NDArray[np.int16]:
    """int16[2048], at `8 * octet + rank` the position of the set bit of that rank."""
    table = np.zeros((256, 8), np.int16)
    for octet in range(256):
        found = positions(octet)
        table[octet, : len(found)] = found
    return table.reshape(-1)


_IN_OCTET = _octet_table()
