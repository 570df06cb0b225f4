"""The fewest WILDCARDs with which cards fall into melds, by trying every choice of groups.

Once it is settled which cards lie in groups, the rest is sequences and each suit is on its own:
four look-ups in the tables of `suit_tables.py`. Only ranks of which enough cards are held matter.

    hand    7c 7d 7h 8h 9h          grouped          left for sequences      lacks
            rank 7: three cards     nothing          7c | 7d | 7h 8h 9h      2 + 2 + 0
                                    7c 7d (1)        7h 8h 9h                1 + 0
                                    7c 7h, 7d 7h     ...
                                    7c 7d 7h (0)     8h 9h                   0 + 1

A grouping is a row of a batch; it begins with nothing grouped, and rank by rank each row is
replaced by one row for every choice at that rank:

    row  ranks left   suits left for sequences       lacks    size
     0   7 9          7c 9c | 7d 9d | 7h | -           0       0
     0     9          7c 9c | 7d 9d | 7h | -           0       0     nothing of rank 7 grouped
     0     9             9c |    9d | 7h | -           1       2     7c 7d
     0     9             9c |    9d | -  | -           0       3     7c 7d 7h

A single card needs no choice: alone in a group it lacks two cards, and so it does alone in a
sequence. GROUP and SEQUENCE are counted at the end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import ZERO, Bools, Rows, Words, bit_index, lowest
from rummy_env.melds.hands import Hands
from rummy_env.melds.rank_groups import PAIRS_TOO, options, pattern_of, ranks_held
from rummy_env.melds.suit_tables import (
    IMPOSSIBLE,
    Counts,
    Indices,
    by_suit,
    powers,
    sequences_lack,
)

ALONE = 2
"""WILDCARDs that GROUP or SEQUENCE takes to be a meld where no other card joins it."""

DEPTH = 2
"""Numbers of regular cards left out of the melds for which there is an answer: none, and one."""


@dataclass(frozen=True)
class Groupings:
    """A batch of groupings, those of one hand side by side and hands in their order.

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


def wilds_needed(hands: Hands) -> Counts:
    """The fewest WILDCARDs with which all regular cards, GROUP and SEQUENCE fall into melds.

    More WILDCARDs than needed can always join a meld.

    Args:
        hands: At most eleven regular cards each, or there may be very many groupings.

    Returns:
        int8[2, N], for no regular card left out and for one; where a hand has fewer WILDCARDs, it
        may be anything above what it has.

    Source: docs/rules/going_out.md#a-finished-hand
    """
    # A group of two cards lacks one: without any stand-in only groups of three are worth trying.
    stand_ins = hands.wild + hands.group
    two, three = ranks_held(hands.naturals)
    ungrouped = nothing_grouped(hands.naturals, np.where(stand_ins > 0, two, three))
    best = _evaluate(hands, ungrouped)
    several = ungrouped.take(np.flatnonzero(ungrouped.ranks))
    for groupings in all_groupings(hands.naturals, several, stand_ins):
        found = _evaluate(hands, groupings)
        first = np.flatnonzero(np.diff(groupings.row, prepend=-1))
        row = groupings.row[first]
        best[:, row] = np.minimum(best[:, row], np.minimum.reduceat(found, first, axis=1))
    return best


def nothing_grouped(naturals: Words, ranks: Words) -> Groupings:
    """For each hand the grouping to begin with.

    Args:
        naturals: uint64[W, N].
        ranks: uint64[N], the ranks to be looked at.
    """
    none = np.zeros(len(ranks), np.int8)
    return Groupings(np.arange(len(ranks)), by_suit(naturals), none, none, ranks)


def join(parts: Sequence[Groupings]) -> Groupings:
    """Batches of groupings in one, no longer in the order of the hands."""
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
    # Row i becomes `count[i]` rows, which go through the entries of the table from `start[i]` on:
    # the running number of a new row, less that of the first with the same parent, plus its start.
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


def _evaluate(hands: Hands, groupings: Groupings) -> Counts:
    """int8[2, M], the fewest WILDCARDs with which each grouping becomes melds."""
    group, sequence = hands.group[groupings.row], hands.sequence[groupings.row]
    # GROUP can take a card out of a sequence, so with it one card more has to be left out of those.
    deeper = DEPTH + int(group.any())
    lack = sequences_lack(groupings.suits, len(hands.naturals), deeper)
    if sequence.any():
        ungrouped = hands.count[groupings.row] - groupings.size
        lack = np.where(sequence, _with_sequence(lack, ungrouped), lack)
    total = lack[:DEPTH] + groupings.lacks
    if group.any():
        total = np.where(group, _with_group(lack, groupings), total)
    return np.minimum(total, IMPOSSIBLE)


def _with_sequence(lack: Counts, ungrouped: Counts) -> Counts:
    """int8[J, M], what is lacking still when SEQUENCE joins the sequences."""
    left = np.arange(len(lack), dtype=np.int8)[:, None]
    return np.where(ungrouped > left, np.maximum(lack - 1, 0), lack + ALONE)


def _with_group(lack: Counts, groupings: Groupings) -> Counts:
    """int8[2, M], what is lacking in all when GROUP joins a group.

    It joins one that there is, or is with two WILDCARDs, or with one WILDCARD and a regular card
    that would otherwise be left out.
    """
    joined = np.where(groupings.size > 0, np.maximum(groupings.lacks - 1, 0), ALONE)
    with_one_card = lack[1:] + groupings.lacks + 1
    return np.minimum(lack[:DEPTH] + joined.astype(np.int8), with_one_card)
