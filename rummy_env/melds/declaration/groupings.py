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

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import ZERO, Rows, Words, bit_index, lowest
from rummy_env.melds.hands import Batch, Hands, spread
from rummy_env.melds.patterns import ranks_held
from rummy_env.melds.rank_groups import PAIRS_TOO, options, pattern_of
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
class Groupings(Batch):
    """A batch of groupings, those of one hand side by side and hands in their order."""

    row: Rows  # intp[M], the hand
    suits: Indices  # intp[4, M], the suit indices of the cards that are not grouped
    lacks: Counts  # int8[M], stand-ins that the groups need
    size: Counts  # int8[M], cards grouped
    ranks: Words  # uint64[M], the ranks still to be looked at


def wilds_needed(hands: Hands) -> Counts:
    """int8[2, N], as `Declaration.wilds_needed`, for hands of about eleven regular cards at most.

    Source: docs/rules/going_out.md#a-finished-hand
    """
    # A group of two cards lacks one: without any stand-in only groups of three are worth trying.
    stand_ins = hands.wild + hands.group
    two, three = ranks_held(hands.naturals)
    ungrouped = nothing_grouped(hands.naturals, np.where(stand_ins > 0, two, three))
    best = _evaluate(hands, ungrouped)
    for groupings in all_groupings(hands.naturals, ungrouped, stand_ins):
        found = _evaluate(hands, groupings)
        # Groupings of one hand are neighbours, so the least of each run is the hand's.
        first = np.flatnonzero(np.diff(groupings.row, prepend=-1))
        row = groupings.row[first]
        best[:, row] = np.minimum(best[:, row], np.minimum.reduceat(found, first, axis=1))
    return best


def nothing_grouped(naturals: Words, ranks: Words) -> Groupings:
    """The first grouping of each hand, uint64[W, N], with the ranks, uint64[N], to be looked at."""
    none = np.zeros(len(ranks), np.int8)
    return Groupings(np.arange(len(ranks)), by_suit(naturals), none, none, ranks)


def all_groupings(naturals: Words, groupings: Groupings, stand_ins: Counts) -> Iterator[Groupings]:
    """Every grouping of at least two cards that some number of stand-ins, int8[N], allows."""
    while len((groupings := groupings.take(groupings.ranks != ZERO)).row):
        groupings = _choose(naturals, groupings, stand_ins[groupings.row])
        finished = groupings.take((groupings.ranks == ZERO) & (groupings.size > 0))
        if len(finished.row):
            yield finished


def _choose(naturals: Words, groupings: Groupings, stand_ins: Counts) -> Groupings:
    """Every grouping replaced by all choices at its lowest rank."""
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
    """int8[J, M], the stand-ins still lacking when SEQUENCE joins the sequences."""
    left = np.arange(len(lack), dtype=np.int8)[:, None]
    return np.where(ungrouped > left, np.maximum(lack - 1, 0), lack + ALONE)


def _with_group(lack: Counts, groupings: Groupings) -> Counts:
    """int8[2, M], the stand-ins lacking in all when GROUP joins a group.

    It joins one that there is, or is with two WILDCARDs, or with one WILDCARD and a regular card
    that would otherwise be left out.
    """
    joined = np.where(groupings.size > 0, np.maximum(groupings.lacks - 1, 0), ALONE)
    with_one_card = lack[1:] + groupings.lacks + 1
    return np.minimum(lack[:DEPTH] + joined.astype(np.int8), with_one_card)
