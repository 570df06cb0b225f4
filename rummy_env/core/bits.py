"""Sets of cards as bits, and bits laid end to end.

A word is a `uint64`; a set of up to 64 things is one word. Constants are NumPy scalars, because
mixing Python integers into array arithmetic costs more than the arithmetic on a small batch.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from rummy_env.core.arrays import Bools, Ints, Rows, UInt8s, Words

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
    packed = words.astype("<u8", copy=False)[..., None].view(np.uint8)
    return np.unpackbits(packed, axis=-1, count=count, bitorder="little").view(np.bool_)


def scattered(count: int, items: Rows, bits: Rows, good: Bools) -> Words:
    """Return uint64[count]: word `items[k]` has the bit `bits[k]` for every k that is `good`."""
    found = np.zeros(count, np.uint64)
    np.bitwise_or.at(found, items[good], BIT[bits[good]])
    return found


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


class Packer:
    """Lays fields of fixed widths end to end into as few words as hold them.

    The place of every field is worked out once; packing a batch is then a few shifts per field.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        """Plan the places of fields of 1 to 64 bits."""
        starts = [int(start) for start in np.cumsum([0, *widths])[:-1]]
        self.num_bits = sum(widths)
        self.num_words = -(-self.num_bits // WORD_BITS)
        self._places = [self._place(*field) for field in zip(starts, widths, strict=True)]

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


def pack_rows(flags: Bools) -> Words:
    """uint64[..., words], the bits of each row, bool[..., bits], in as few words as hold them."""
    packed = np.packbits(flags, axis=-1, bitorder="little")
    num_words = -(-packed.shape[-1] // 8)
    padded = np.zeros((*flags.shape[:-1], 8 * num_words), np.uint8)
    padded[..., : packed.shape[-1]] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)
