"""Sampling one of the bits of a set."""

import numpy as np

from rummy_env.core.arrays import Float64s, Int16s, Ints, Words
from rummy_env.core.bits import WORD_BITS, positions


def sample_bit(words: Words, uniforms: Float64s) -> Ints:
    """Sample one of the set bits of each row of uint64[N, num_words], all equally likely.

    Returns its position in the row, int64[N], from `uniforms`, float64[N] in [0, 1); 0 where no bit
    is set. The n-th set bit is found by its rank: first its word, then its byte.
    """
    if len(words) == 1:
        return np.array([_sample_one(words[0].tolist(), float(uniforms[0]))])
    counts = np.bitwise_count(words).T
    totals = [counts[0].astype(np.int16)]
    for count in counts[1:]:
        totals.append(totals[-1] + count)
    rank = (uniforms * totals[-1]).astype(np.int16)
    index, rank_in_word = np.zeros(len(words), np.int16), rank.copy()
    for count, total in zip(counts[:-1], totals[:-1], strict=True):
        passed = total <= rank
        index += passed
        rank_in_word -= passed * count
    chosen = words.reshape(-1).take(np.arange(0, words.size, words.shape[1]) + index)
    position = index * np.int64(WORD_BITS) + _nth_bit(chosen, rank_in_word.astype(np.uint64))
    return np.where(totals[-1] > 0, position, 0)


def _sample_one(words: list[int], uniform: float) -> int:
    """Return the same of one row, with Python integers."""
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

    The counts of a word's eight bytes are a word again, and its product with `_EACH_BYTE` has the
    sums of the lowest bytes, one byte each.
    """
    packed = words.astype("<u8", copy=False).view(np.uint8)
    sums = np.bitwise_count(packed).view("<u8") * _EACH_BYTE
    passed = sums.view(np.uint8) <= (rank * _EACH_BYTE).view(np.uint8)
    start = np.bitwise_count(passed.view("<u8")).astype(np.uint64) << _THREE
    before = (sums << _EIGHT) >> start & _BYTE
    place = ((words >> start & _BYTE) << _THREE) + rank - before
    return start.astype(np.int64) + _IN_BYTE.take(place.astype(np.intp), mode="clip")


def _byte_table() -> Int16s:
    """Return int16[2048], at `8 * byte + rank` the position of the set bit of that rank."""
    table = np.zeros((256, 8), np.int16)
    for byte in range(256):
        found = positions(byte)
        table[byte, : len(found)] = found
    return table.reshape(-1)


_IN_BYTE = _byte_table()
_EACH_BYTE, _BYTE = np.uint64(0x0101010101010101), np.uint64(255)
_THREE, _EIGHT = np.uint64(3), np.uint64(8)
