"""Groups of the cards of one rank.

A group is named by the cards of each suit in it, from none to as many as there are packs. Groups of
two cards lack one; a single card needs no group (see `declaration/groupings.py`).

    held     7c 7d 7h        groups      7c 7d    7c 7h    7d 7h    7c 7d 7h    none
                             lack        one      one      one      nothing
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Ints, Rows, Words, word
from rummy_env.core.cards import NUM_RANKS
from rummy_env.melds.patterns import RANK_IN_EACH_SUIT
from rummy_env.melds.suit_tables import Counts, Indices

_GATHER = word([3 * NUM_RANKS - (NUM_RANKS - 1) * suit for suit in range(4)])
"""Times four bits a suit apart: brings them side by side, from bit 39 up."""
_GATHERED, _FOUR_BITS = np.uint64(3 * NUM_RANKS), np.uint64(15)


@dataclass(frozen=True)
class Options:
    """The ways to group the cards of one rank, for every pattern of the cards held.

    A pattern has a bit for each suit held in the first pack, above these the same for the second,
    and above all a bit that says whether a group may lack a card. The options of pattern p are
    the entries from `start[p]` to `start[p + 1]`; one of them is to group nothing.
    """

    start: Rows  # intp[513]
    cards: Indices  # intp[4, E], cards of each suit that are grouped
    size: Counts  # int8[E], cards grouped
    lacks: Counts  # int8[E], stand-ins that the group needs


PAIRS_TOO = 256
"""The bit of a pattern that says whether a group may lack a card."""


@cache
def options() -> Options:
    """The table of all patterns."""
    start, found = [0], []
    for pattern in range(2 * PAIRS_TOO):
        held = [(pattern >> suit & 1) + (pattern >> suit + 4 & 1) for suit in range(4)]
        fewest = 2 if pattern & PAIRS_TOO else 3
        choices = product(*(range(count + 1) for count in held))
        found += [choice for choice in choices if sum(choice) == 0 or sum(choice) >= fewest]
        start.append(len(found))
    cards = np.array(found, np.intp).T
    size = cards.sum(axis=0, dtype=np.int8)
    return Options(np.array(start, np.intp), cards, size, (size == 2).astype(np.int8))


def pattern_of(naturals: Words, rank: Words) -> Ints:
    """int64[M], the pattern, as in `Options`, of the cards held of one rank each."""
    pattern = np.zeros(len(rank), np.int64)
    for deck, cards in enumerate(naturals):
        suits = (cards >> rank & RANK_IN_EACH_SUIT) * _GATHER >> _GATHERED & _FOUR_BITS
        pattern |= suits.astype(np.int64) << 4 * deck
    return pattern


def number_of_groupings(naturals: Words, stand_ins: Counts) -> npt.NDArray[np.float64]:
    """float64[N], the number of ways to group cards, uint64[W, N], with some stand-ins, int8[N]."""
    most = int(stand_ins.max(initial=0))
    ways = np.zeros((most + 1, len(stand_ins)))
    ways[0] = 1
    for rank in range(NUM_RANKS):
        pattern = pattern_of(naturals, np.full(len(stand_ins), rank, np.uint64)) + PAIRS_TOO
        complete, pairs = (counts[pattern] for counts in _numbers_of_options())
        before, ways = ways, ways * complete
        ways[1:] += before[:-1] * pairs
    return ways.cumsum(axis=0)[stand_ins, np.arange(len(stand_ins))]


@cache
def _numbers_of_options() -> tuple[Ints, Ints]:
    """Two int64[512]: each pattern's choices that lack nothing, and those that lack a card."""
    table = options()
    pairs = np.add.reduceat(table.lacks.astype(np.int64), table.start[:-1])
    return np.diff(table.start) - pairs, pairs
