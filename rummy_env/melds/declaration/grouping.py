"""The fewest WILDCARDs with which cards fall into melds, by trying every choice of groups.

Once it is settled which cards lie in groups, the rest is sequences and each suit is on its own:
four look-ups in the tables of `suit_tables.py`. Only ranks of which enough cards are held matter.

    hand    7c 7d 7h 8h 9h          grouped          left for sequences      lacks
            rank 7: three cards     nothing          7c | 7d | 7h 8h 9h      2 + 2 + 0
                                    7c 7d (1)        7h 8h 9h                1 + 0
                                    7c 7h, 7d 7h     ...
                                    7c 7d 7h (0)     8h 9h                   0 + 1

A grouping is a row of a batch; it begins with nothing grouped, and rank by rank each row is
replaced by one row for every choice at that rank. A single card needs no choice: alone in a group
it lacks two cards, and so it does alone in a sequence. GROUP and SEQUENCE are counted at the end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import ONE, ZERO, Bools, Rows, Words, bit_index, lowest
from rummy_env.core.cards import RANKS, rank_word
from rummy_env.melds.patterns import sequence_starts
from rummy_env.melds.rank_groups import PAIRS_TOO, options, pattern_of, ranks_held
from rummy_env.melds.suit_tables import (
    IMPOSSIBLE,
    LANE,
    LANES,
    Counts,
    Indices,
    by_suit,
    powers,
    sequences_lack,
)

ALONE = 2
"""WILDCARDs that GROUP or SEQUENCE takes to be a meld where no other card joins it."""

RANKS_TRIED = 4
"""Ranks that `wilds_that_do` looks at."""

_QUEENS, _QUEEN, _TWO = rank_word("Q"), np.uint64(RANKS.index("Q")), np.uint64(2)


@dataclass(frozen=True)
class Holding:
    """What is to fall into melds: regular cards, and whether GROUP and SEQUENCE are among them.

    Attributes:
        naturals: uint64[W, N].
        group: bool[N], whether GROUP is to be in a meld.
        sequence: bool[N], whether SEQUENCE is.
    """

    naturals: Words
    group: Bools
    sequence: Bools

    def take(self, rows: Rows | Bools) -> "Holding":
        """The holdings of some rows."""
        return Holding(self.naturals[:, rows], self.group[rows], self.sequence[rows])

    @property
    def count(self) -> Counts:
        """int8[N], regular cards held."""
        return np.bitwise_count(self.naturals).sum(axis=0, dtype=np.int8)


@dataclass(frozen=True)
class Groupings:
    """A batch of groupings, those of one holding side by side and holdings in their order.

    Attributes:
        row: intp[M], whose cards they are.
        suits: Four intp[M], the indices of the cards that are not grouped.
        lacks: int8[M], stand-ins that the groups need.
        size: int8[M], cards grouped.
        ranks: uint64[M], the ranks still to be looked at.
    """

    row: Rows
    suits: list[Indices]
    lacks: Counts
    size: Counts
    ranks: Words

    def take(self, rows: Rows | Bools) -> "Groupings":
        """The groupings of some rows."""
        suits = [suit[rows] for suit in self.suits]
        return Groupings(self.row[rows], suits, self.lacks[rows], self.size[rows], self.ranks[rows])


def wilds_needed(holding: Holding, most: Counts, depth: int) -> Counts:
    """The fewest WILDCARDs with which all cards of a holding but a few fall into melds.

    Cards left out are regular cards. More WILDCARDs than needed can always join a meld.

    Args:
        holding: At most eleven regular cards each, or there may be very many groupings.
        most: int8[N]; where more than this are needed, the answer may be anything above it.
        depth: Numbers of cards left out, from 0 to `depth - 1`.

    Returns:
        int8[depth, N].

    Source: docs/rules/going_out.md#a-finished-hand
    """
    two, three = ranks_held(holding.naturals)
    return _fewest(holding, most, depth, np.where(most + holding.group > 0, two, three))


def wilds_that_do(holding: Holding, most: Counts, depth: int) -> Counts:
    """So many WILDCARDs that are surely enough, from a few groupings, however large the hand is.

    Most cards of a large hand lie in natural sequences. Only the ranks of the others may have
    groups, and no more than `RANKS_TRIED` of these.

    Args:
        holding: Any number of cards each.
        most: As for `wilds_needed`.
        depth: As for `wilds_needed`.

    Returns:
        int8[depth, N].
    """
    cards = np.bitwise_or.reduce(holding.naturals, axis=0)
    stray = cards & ~_in_sequences(cards)
    ranks = ZERO
    for lane in LANES:
        ranks = ranks | stray >> lane & LANE
    tried = np.zeros_like(cards)
    for _ in range(RANKS_TRIED):
        tried |= lowest(ranks & ~tried)
    return _fewest(holding, most, depth, tried)


def _in_sequences(cards: Words) -> Words:
    """uint64[N], the cards that lie in any natural sequence."""
    starts = sequence_starts(cards, 3, ace_high=True)
    to_ace, others = starts & _QUEENS, starts & ~_QUEENS
    found = to_ace | to_ace << ONE | to_ace >> _QUEEN
    return found | others | others << ONE | others << _TWO


def _fewest(holding: Holding, most: Counts, depth: int, ranks: Words) -> Counts:
    """int8[depth, N], as `wilds_needed`, with groups of some ranks only."""
    ungrouped = nothing_grouped(holding.naturals, ranks)
    best = _evaluate(holding, ungrouped, depth)
    several = ungrouped.take(np.flatnonzero(ungrouped.ranks))
    for groupings in all_groupings(holding.naturals, several, most + holding.group):
        found = _evaluate(holding, groupings, depth)
        first = np.flatnonzero(np.diff(groupings.row, prepend=-1))
        row = groupings.row[first]
        best[:, row] = np.minimum(best[:, row], np.minimum.reduceat(found, first, axis=1))
    return best


def nothing_grouped(naturals: Words, ranks: Words) -> Groupings:
    """For each holding the grouping to begin with.

    Args:
        naturals: uint64[W, N].
        ranks: uint64[N], the ranks to be looked at.
    """
    none = np.zeros(len(ranks), np.int8)
    return Groupings(np.arange(len(ranks)), by_suit(naturals), none, none, ranks)


def join(parts: Sequence[Groupings]) -> Groupings:
    """Batches of groupings in one, no longer in the order of the holdings."""
    return Groupings(
        row=np.concatenate([part.row for part in parts]),
        suits=[np.concatenate(suit) for suit in zip(*(part.suits for part in parts), strict=True)],
        lacks=np.concatenate([part.lacks for part in parts]),
        size=np.concatenate([part.size for part in parts]),
        ranks=np.concatenate([part.ranks for part in parts]),
    )


def all_groupings(naturals: Words, groupings: Groupings, stand_ins: Counts) -> Iterator[Groupings]:
    """Every grouping of at least two cards that some number of stand-ins allows."""
    while len(groupings.row):
        groupings = _choose(naturals, groupings, stand_ins[groupings.row])
        done = groupings.ranks == ZERO
        finished = groupings.take(np.flatnonzero(done & (groupings.size > 0)))
        if len(finished.row):
            yield finished
        groupings = groupings.take(np.flatnonzero(~done))


def _choose(naturals: Words, groupings: Groupings, stand_ins: Counts) -> Groupings:
    """Every grouping replaced by all choices at its lowest rank."""
    table, bit = options(), lowest(groupings.ranks)
    rank = bit_index(bit)
    pattern = pattern_of(naturals[:, groupings.row], rank.astype(np.uint64))
    pattern += PAIRS_TOO * (groupings.lacks < stand_ins)
    start = table.start[pattern]
    count = table.start[pattern + 1] - start
    parent = np.repeat(np.arange(len(rank)), count)
    option = np.arange(len(parent)) + np.repeat(start - np.cumsum(count) + count, count)
    worth = powers(len(naturals))[rank][parent]
    return Groupings(
        row=groupings.row[parent],
        suits=[
            suit[parent] - worth * table.cards[i][option] for i, suit in enumerate(groupings.suits)
        ],
        lacks=groupings.lacks[parent] + table.lacks[option],
        size=groupings.size[parent] + table.size[option],
        ranks=(groupings.ranks & ~bit)[parent],
    )


def _evaluate(holding: Holding, groupings: Groupings, depth: int) -> Counts:
    """int8[depth, M], the fewest WILDCARDs with which each grouping becomes melds."""
    group, sequence = holding.group[groupings.row], holding.sequence[groupings.row]
    deeper = depth + int(group.any())
    lack = sequences_lack(groupings.suits, len(holding.naturals), deeper)
    if sequence.any():
        ungrouped = holding.count[groupings.row] - groupings.size
        lack = np.where(sequence, _with_sequence(lack, ungrouped), lack)
    total = lack[:depth] + groupings.lacks
    if group.any():
        total = np.where(group, _with_group(lack, groupings, depth), total)
    return np.minimum(total, IMPOSSIBLE)


def _with_sequence(lack: Counts, ungrouped: Counts) -> Counts:
    """int8[J, M], what is lacking still when SEQUENCE joins the sequences."""
    left = np.arange(len(lack), dtype=np.int8)[:, None]
    return np.where(ungrouped > left, np.maximum(lack - 1, 0), lack + ALONE)


def _with_group(lack: Counts, groupings: Groupings, depth: int) -> Counts:
    """int8[depth, M], what is lacking in all when GROUP joins a group.

    It joins one that there is, or is with two WILDCARDs, or with one WILDCARD and a regular card
    that would otherwise be left out.
    """
    joined = np.where(groupings.size > 0, np.maximum(groupings.lacks - 1, 0), ALONE)
    with_one_card = lack[1:] + groupings.lacks + 1
    return np.minimum(lack[:depth] + joined.astype(np.int8), with_one_card)
