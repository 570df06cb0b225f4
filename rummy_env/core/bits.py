"""Sets of cards as bits, and bits laid end to end.

A word is a `uint64`; a set of up to 64 things is one word. Constants are NumPy scalars, because
mixing Python integers into array arithmetic costs more than the arithmetic on a small batch.
"""

from collections.abc import Iterable, Sequence

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
        self._places = tuple(
            (start // WORD_BITS, np.uint64(start % WORD_BITS), start % WORD_BITS + width > WORD_BITS)
            for start, width in zip(self.starts, widths, strict=True)
        )

    def put(self, out: Words, field: int, values: Words) -> None:
        """Writes one field of every item.

        Args:
            out: uint64[num_words, N], zero where the field goes; changed in place.
            field: Which of the fields.
            values: uint64[N], no bit set beyond the width of the field.
        """
        index, shift, spills = self._places[field]
        out[index] |= values << shift
        if spills:
            out[index + 1] |= values >> (np.uint64(WORD_BITS) - shift)

    def unpack(self, words: Words) -> npt.NDArray[np.uint8]:
        """The packed bits as numbers.

        Args:
            words: uint64[N, num_words], C-contiguous.

        Returns:
            uint8[N, num_bits] of 0 and 1.
        """
        flat = words.astype("<u8", copy=False).view(np.uint8)
        return np.unpackbits(flat, axis=1, count=self.num_bits, bitorder="little")
