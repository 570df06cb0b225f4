"""Who holds less at the end of a hand of gin: both hands melded to the best, cards laid off.

A grouping settles a hand (see `deadwood.py`), so the ways to meld it with the least deadwood are a
few rows of a batch. The knocker's are all tried against the defender, since a card that the
knocker keeps in a group may be the one that closes a sequence to the defender:

    knocker     5c 5d 5h 5s 6c 7c 8c     5c may lie in the group or below 6c
    in group    6c 7c 8c                 the defender's 4c has no place to go
    in sequence 5c 6c 7c 8c              the defender's 4c is laid off, and then 3c

The defender's search is over the cards laid off: one that fits and is of no use in the hand is
laid off at once, any other is tried both ways, laid off and kept.
"""

from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import ONE, ZERO, Bools, Rows, Words, lowest
from rummy_env.core.deadwood import Points, deadwood, groupings, in_sequences, points, split
from rummy_env.core.melds import fits_groups, fits_sequences, in_melds, sequence_starts


@dataclass(frozen=True)
class Melded:
    """Hands, each divided into melds and the rest.

    Attributes:
        grouped: uint64[N], the cards in groups.
        sequenced: uint64[N], the cards in sequences; neighbours of a suit are of one sequence.
        left: uint64[N], the other cards.
    """

    grouped: Words
    sequenced: Words
    left: Words

    @property
    def starts(self) -> Words:
        """uint64[N], the lowest card of each sequence."""
        threes: Words = sequence_starts(self.sequenced, 3, ace_high=False)
        return threes & ~(threes << ONE)

    @property
    def deadwood(self) -> Points:
        """int16[N], the points of the cards left."""
        return points(self.left)

    def take(self, rows: Rows | Bools) -> "Melded":
        """Some of the hands."""
        return Melded(self.grouped[rows], self.sequenced[rows], self.left[rows])


@dataclass(frozen=True)
class Showdown:
    """What both sides show.

    Attributes:
        knocker: The knockers' hands.
        defender: The defenders' hands without the cards laid off.
        laid_off: uint64[N], the cards that the defenders laid off on the knockers' melds.
    """

    knocker: Melded
    defender: Melded
    laid_off: Words


def best_arrangement(hands: Words) -> Melded:
    """One way to meld each hand with the least deadwood.

    Args:
        hands: uint64[N], at most `MOST_CARDS` cards each.

    Returns:
        N hands. Of several ways it is one that depends on the hand alone.

    Source: docs/rules/gin.md#deadwood
    """
    row, ways = _ways(hands)
    return ways.take(_first_least(row, ways.deadwood))


def showdown(knockers: Words, defenders: Words, *, lay_off: Bools) -> Showdown:
    """Both hands at their best after a knock.

    The knocker shows, of all ways to meld with the least deadwood, one that leaves the defender the
    most; the defender melds and lays off so that the least is left.

    Args:
        knockers: uint64[N], the hands after the discard.
        defenders: uint64[N], hands that share no card with these.
        lay_off: bool[N], whether the defender may lay off; not on gin.

    Returns:
        N showdowns.

    Source: docs/rules/gin.md#laying-off
    """
    row, ways = _ways(knockers)
    value = ways.deadwood
    fewest = (value == value[_first_least(row, value)][row]).nonzero()[0]
    row, ways = row[fewest], ways.take(fewest)
    laid_off, defence = defend(ways, defenders[row], lay_off=lay_off[row])
    worst = _first_least(row, -defence.deadwood)
    return Showdown(ways.take(worst), defence.take(worst), laid_off[worst])


def defend(knockers: Melded, hands: Words, *, lay_off: Bools) -> tuple[Words, Melded]:
    """The defender's best play against melds that lie on the table.

    Args:
        knockers: What N knockers show.
        hands: uint64[N], the defenders' hands.
        lay_off: bool[N], whether the defender may lay off.

    Returns:
        uint64[N], the cards laid off, and the hands without them, melded to the best.

    Source: docs/rules/gin.md#laying-off
    """
    row, laid = _lay_offs(knockers, hands, np.where(lay_off, hands, ZERO))
    laid = laid[_first_least(row, deadwood(hands[row] & ~laid))]
    return laid, best_arrangement(hands & ~laid)


def _ways(hands: Words) -> tuple[Rows, Melded]:
    """Every way to meld each hand that may have the least deadwood.

    Args:
        hands: uint64[N].

    Returns:
        intp[M], whose the ways are, and M ways.
    """
    settled, disputed, runs = split(hands)
    row, grouped = groupings(disputed, runs)
    grouped = grouped | settled[row]
    rest = hands[row] & ~grouped
    sequenced = in_sequences(rest)
    return row, Melded(grouped, sequenced, rest ^ sequenced)


def _lay_offs(knockers: Melded, hands: Words, free: Words) -> tuple[Rows, Words]:
    """Every choice of cards laid off that may be the best.

    Args:
        knockers: What N knockers show.
        hands: uint64[N], the defenders' hands.
        free: uint64[N], the cards that may be laid off where they fit.

    Returns:
        intp[M] and uint64[M], the hand and the cards laid off.
    """
    row, laid = np.arange(len(hands)), np.zeros_like(hands)
    table, fourths = knockers.sequenced, fits_groups(knockers.grouped)
    while True:
        beside = fits_sequences(table, ace_high=False)
        joining = laid & beside & ~table
        fitting = free & (beside | fourths[row])
        if not (joining | fitting).any():
            return row, laid
        useless = fitting & ~in_melds(hands[row] & ~laid, ace_high=False)
        useful = np.where(useless == ZERO, lowest(fitting), ZERO)
        both = useful.nonzero()[0]
        table, free = table | joining, free & ~(useless | useful)
        laid = np.concatenate([laid | useless, laid[both] | useful[both]])
        table, free = (np.concatenate([words, words[both]]) for words in (table, free))
        row = np.concatenate([row, row[both]])


def _first_least(row: Rows, values: Points) -> Rows:
    """Where the least value of each row stands, the first of equal ones.

    Args:
        row: intp[M], each of 0 to N - 1 at least once.
        values: int16[M].

    Returns:
        intp[N].
    """
    order = np.lexsort((values, row))
    by_row = row[order]
    return order[by_row.searchsorted(np.arange(by_row[-1] + 1 if len(row) else 0))]
