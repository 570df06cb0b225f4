"""The fewest wildcards with which cards form melds, by trying every choice of groups.

Once the grouped cards are fixed, the rest must form sequences and each suit is independent: four
look-ups in the tables of `suit_tables.py`. Only ranks of which enough cards are held matter.

    hand    7c 7d 7h 8h 9h          grouped          left for sequences      lacks
            rank 7: three cards     nothing          7c | 7d | 7h 8h 9h      2 + 2 + 0
                                    7c 7d (1)        7h 8h 9h                1 + 0
                                    7c 7h, 7d 7h     ...
                                    7c 7d 7h (0)     8h 9h                   0 + 1

Each grouping is a row of a batch, which begins with nothing grouped. Rank by rank, each row is
replaced by one row for every choice at that rank:

    row  ranks left   suits left for sequences       lacks    size
     0   7 9          7c 9c | 7d 9d | 7h | -           0       0
     0     9          7c 9c | 7d 9d | 7h | -           0       0     nothing of rank 7 grouped
     0     9             9c |    9d | 7h | -           1       2     7c 7d
     0     9             9c |    9d | -  | -           0       3     7c 7d 7h

Groups of two cards lack one. A group is described by its number of cards of each suit, from none
to the number of decks. Groups of a single card are not tried: it lacks two cards alone in a group,
and also alone in a sequence. GROUP and SEQUENCE are accounted for at the end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from rummy_env.core.arrays import Float64s, Int8s, Ints, Rows, Words
from rummy_env.core.bits import ZERO, bit_index, lowest, word
from rummy_env.core.cards import NUM_RANKS
from rummy_env.melds.hands import Batch, Hands, spread
from rummy_env.melds.patterns import RANK_IN_EACH_SUIT, ranks_held
from rummy_env.melds.suit_tables import IMPOSSIBLE, by_suit, powers, sequences_lack

ALONE = 2
"""The wildcards that GROUP or SEQUENCE needs to form a meld without any other card."""

DEPTH = 2
"""The number of answers per hand: with no regular card left out of the melds, and with one."""

_GATHER = word([3 * NUM_RANKS - (NUM_RANKS - 1) * suit for suit in range(4)])
"""A factor that moves four bits, one per suit, side by side from bit 39 up."""
_GATHERED, _FOUR_BITS = np.uint64(3 * NUM_RANKS), np.uint64(15)


@dataclass(frozen=True)
class Groupings(Batch):
    """A batch of groupings, in the order of the hands; those of one hand are adjacent."""

    row: Rows  # intp[M], the hand
    suits: Rows  # intp[4, M], the suit indices of the cards that are not grouped
    lacks: Int8s  # int8[M], stand-ins that the groups need
    size: Int8s  # int8[M], cards grouped
    ranks: Words  # uint64[M], the ranks still to be processed


def wilds_needed(hands: Hands) -> Int8s:
    """Return `Declaration.wilds_needed` for hands without too many groupings, int8[2, N].

    Source: docs/rules/going_out.md#a-finished-hand
    """
    # A group of two cards lacks one: without any stand-in only groups of three are worth trying.
    stand_ins = hands.wild + hands.group
    two, three = ranks_held(hands.naturals)
    ungrouped = nothing_grouped(hands.naturals, np.where(stand_ins > 0, two, three))
    best = _evaluate(hands, ungrouped)
    for groupings in all_groupings(hands.naturals, ungrouped, stand_ins):
        found = _evaluate(hands, groupings)
        # Groupings of one hand are adjacent, so the least of each run is that of the hand.
        first = np.flatnonzero(np.diff(groupings.row, prepend=-1))
        row = groupings.row[first]
        best[:, row] = np.minimum(best[:, row], np.minimum.reduceat(found, first, axis=1))
    return best


def nothing_grouped(naturals: Words, ranks: Words) -> Groupings:
    """Return the empty grouping of each hand, uint64[W, N], with ranks to process, uint64[N]."""
    none = np.zeros(len(ranks), np.int8)
    return Groupings(np.arange(len(ranks)), by_suit(naturals), none, none, ranks)


def all_groupings(naturals: Words, groupings: Groupings, stand_ins: Int8s) -> Iterator[Groupings]:
    """Yield, in batches, every grouping of two or more cards that the stand-ins allow."""
    while len((groupings := groupings.take(groupings.ranks != ZERO)).row):
        groupings = _choose(naturals, groupings, stand_ins[groupings.row])
        finished = groupings.take((groupings.ranks == ZERO) & (groupings.size > 0))
        if len(finished.row):
            yield finished


def _choose(naturals: Words, groupings: Groupings, stand_ins: Int8s) -> Groupings:
    """Replace every grouping by all choices at its lowest rank."""
    table, bit = options(), lowest(groupings.ranks)
    rank = bit_index(bit)
    pattern = pattern_of(naturals[:, groupings.row], rank.astype(np.uint64))
    pattern += PAIRS_TOO * (groupings.lacks < stand_ins)
    parent, option = spread(table.start[pattern], table.start[pattern + 1])
    worth = powers(len(naturals))[rank][parent]
    return Groupings(
        row=groupings.row[parent],
        suits=groupings.suits.take(parent, axis=1) - worth * table.cards.take(option, axis=1),
        lacks=groupings.lacks[parent] + table.lacks[option],
        size=groupings.size[parent] + table.size[option],
        ranks=(groupings.ranks & ~bit)[parent],
    )


def _evaluate(hands: Hands, groupings: Groupings) -> Int8s:
    """Return the fewest wildcards with which each grouping forms melds, int8[2, M]."""
    group, sequence = hands.group[groupings.row], hands.sequence[groupings.row]
    # GROUP can take a card out of a sequence, so one more card left out must be looked up.
    deeper = DEPTH + int(group.any())
    lack = sequences_lack(groupings.suits, len(hands.naturals), deeper)
    if sequence.any():
        ungrouped = hands.count[groupings.row] - groupings.size
        lack = np.where(sequence, _with_sequence(lack, ungrouped), lack)
    total = lack[:DEPTH] + groupings.lacks
    if group.any():
        total = np.where(group, _with_group(lack, groupings), total)
    return np.minimum(total, IMPOSSIBLE)


def _with_sequence(lack: Int8s, ungrouped: Int8s) -> Int8s:
    """Return the stand-ins still lacking when SEQUENCE joins the sequences, int8[J, M]."""
    left = np.arange(len(lack), dtype=np.int8)[:, None]
    return np.where(ungrouped > left, np.maximum(lack - 1, 0), lack + ALONE)


def _with_group(lack: Int8s, groupings: Groupings) -> Int8s:
    """Return the total of stand-ins lacking when GROUP joins a group, int8[2, M].

    It joins an existing group, or forms one with two wildcards, or with one wildcard and a regular
    card that would otherwise be left out.
    """
    joined = np.where(groupings.size > 0, np.maximum(groupings.lacks - 1, 0), ALONE)
    with_one_card = lack[1:] + groupings.lacks + 1
    return np.minimum(lack[:DEPTH] + joined.astype(np.int8), with_one_card)


@dataclass(frozen=True)
class Options:
    """The ways to group the cards of one rank, for every pattern of the cards held.

    A pattern has a bit for each suit held in the first deck, above these the same for the second
    deck, and a highest bit that says whether a group may lack a card. The options of pattern p are
    the entries from `start[p]` to `start[p + 1]`; one of them is to group nothing.
    """

    start: Rows  # intp[513]
    cards: Rows  # intp[4, E], cards of each suit that are grouped
    size: Int8s  # int8[E], cards grouped
    lacks: Int8s  # int8[E], stand-ins that the group needs


PAIRS_TOO = 256
"""The bit of a pattern that says whether a group may lack a card."""


@cache
def options() -> Options:
    """Return the table of all patterns."""
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
    """Return the pattern of the cards held of one rank each, int64[M], without `PAIRS_TOO`."""
    pattern = np.zeros(len(rank), np.int64)
    for deck, cards in enumerate(naturals):
        suits = (cards >> rank & RANK_IN_EACH_SUIT) * _GATHER >> _GATHERED & _FOUR_BITS
        pattern |= suits.astype(np.int64) << 4 * deck
    return pattern


def number_of_groupings(naturals: Words, stand_ins: Int8s) -> Float64s:
    """Count the ways to group cards, uint64[W, N], with given stand-ins, int8[N]; float64[N]."""
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
    """Count each pattern's choices that lack nothing, and that lack a card; two int64[512]."""
    table = options()
    pairs = np.add.reduceat(table.lacks.astype(np.int64), table.start[:-1])
    return np.diff(table.start) - pairs, pairs
