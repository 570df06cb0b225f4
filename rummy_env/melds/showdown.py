"""The end of a hand of gin: both hands melded optimally, and cards laid off.

The knocker shows the division that maximises the defender's points minus the knocker's own.
Usually it is one with the least deadwood. But melds on the table also serve the defender, so it
may pay to keep cards back, as far as the limit allows:

    knocker     5c 5d 5h 5s 6c 7c 8c     5c may lie in the group or below 6c
    in group    6c 7c 8c                 the defender's 4c has no place to go
    in sequence 5c 6c 7c 8c              the defender's 4c is laid off, and then 3c

    knocker     Ah 2h 3h 4h 5h 2c        2 points, with 5h kept 7
    all shown   Ah 2h 3h 4h 5h           the defender's 6h 7h are laid off, 13 points
    5h kept     Ah 2h 3h 4h              they are not

Two facts keep the search small. Only the ends of sequences next to a card of the defender are
worth keeping back (which may dissolve the sequence): any other card costs points and takes no
place from the defender. And a group is given up only for sequences, since the fourth card saves
the defender less than the three cost.

The defender's search is over the cards laid off: a card that fits and is useless in the hand is
laid off at once; any other card that fits is tried both ways, laid off and kept.
"""

from dataclasses import dataclass

import numpy as np

from rummy_env.core.arrays import Bools, Int16s, Integers, Rows, Words
from rummy_env.core.bits import ONE, ZERO, lowest
from rummy_env.melds.deadwood import deadwood, groupings, in_sequences, points, split
from rummy_env.melds.hands import Batch
from rummy_env.melds.patterns import fits_groups, fits_sequences, in_melds, sequence_starts


@dataclass(frozen=True)
class Melded(Batch):
    """Hands divided into melds and the rest, uint64[N] each."""

    grouped: Words
    sequenced: Words  # adjacent cards of a suit are in one sequence
    left: Words

    @property
    def starts(self) -> Words:
        """The lowest card of each sequence, uint64[N]."""
        threes: Words = sequence_starts(self.sequenced, 3, ace_high=False)
        return threes & ~(threes << ONE)

    @property
    def deadwood(self) -> Int16s:
        """The points of the cards left, int16[N]."""
        return points(self.left)

    def without(self, cards: Words) -> "Melded":
        """Return the hands with some cards taken out of sequences, which may dissolve these."""
        sequenced = in_sequences(self.sequenced & ~cards)
        return Melded(self.grouped, sequenced, self.left | self.sequenced ^ sequenced)


@dataclass(frozen=True)
class Showdown:
    """Both hands as they are shown."""

    knocker: Melded
    defender: Melded  # without the cards laid off
    laid_off: Words  # uint64[N], the cards that the defenders laid off on the knockers' melds


def best_arrangement(hands: Words) -> Melded:
    """Return one way to meld each hand, uint64[N], with the least deadwood.

    It depends on the hand alone.

    Source: docs/rules/gin.md#deadwood
    """
    row, ways = _ways(hands)
    return ways.take(_first_least(row, ways.deadwood))


def showdown(knockers: Words, defenders: Words, *, lay_off: Bools, limit: Integers) -> Showdown:
    """Find the best play of both hands after a knock, with each side knowing all cards.

    Of all divisions within the limit, the knocker shows one that maximises the defender's points
    minus the knocker's own, and among equal ones one with the least deadwood. The defender melds
    and lays off so that the fewest points are left.

    Args:
        knockers: uint64[N], the hands after the discard.
        defenders: uint64[N], hands that share no card with these.
        lay_off: bool[N], True if the defender may lay off, which is not the case on gin.
        limit: int[N], the most deadwood with which each knocker may knock.

    Raises:
        ValueError: If a hand has more deadwood than its limit, however it is melded.

    Source: docs/rules/gin.md#laying-off
    """
    shown = best_arrangement(knockers)
    if (above := (shown.deadwood > limit).nonzero()[0]).size:
        row, least = above[0], shown.deadwood[above[0]]
        raise ValueError(
            f"knocker {row} has {least} points of deadwood at least; the limit is {limit[row]}"
        )
    laid_off, left = best_lay_off(shown, defenders, np.where(lay_off, defenders, ZERO))
    saved = deadwood(defenders) - left
    rows = saved.nonzero()[0]
    if rows.size:
        # Keeping cards back wins at most what lay-offs save, so it must cost less than that.
        bound = np.minimum(limit, shown.deadwood + saved - 1)[rows]
        shown_here, laid_off[rows] = _best_shown(knockers[rows], defenders[rows], bound)
        source = np.arange(len(knockers))
        source[rows] = len(source) + np.arange(len(rows))
        shown = Melded.join([shown, shown_here]).take(source)
    return Showdown(shown, best_arrangement(defenders & ~laid_off), laid_off)


def _best_shown(knockers: Words, defenders: Words, bound: Int16s) -> tuple[Melded, Words]:
    """Return the best hands to show, and the cards laid off on them, where lay-offs are possible.

    `bound`, int16[N], is the most deadwood that may pay off; it is at least the least deadwood.
    """
    row, tables = _tables(knockers, defenders, bound)
    facing = defenders[row]
    laid_off, left = best_lay_off(tables, facing, facing)
    own = tables.deadwood
    best = _first_least(row, own - left, own)
    return tables.take(best), laid_off[best]


def _tables(knockers: Words, defenders: Words, bound: Int16s) -> tuple[Rows, Melded]:
    """Return every way to meld that may be best against lay-offs, and the row of each.

    Of each way that melds all it can, any of the ends next to the defender's cards are kept back.
    """
    row, ways = _ways(knockers)
    within = (ways.deadwood <= bound[row]).nonzero()[0]
    row, ways = row[within], ways.take(within)
    open_ends = ways.sequenced & fits_sequences(defenders[row], ace_high=False)
    while (active := open_ends.nonzero()[0]).size:
        end = lowest(open_ends[active])
        open_ends[active] ^= end
        kept = ways.take(active).without(end)
        within = (kept.deadwood <= bound[row[active]]).nonzero()[0]
        active, kept = active[within], kept.take(within)
        row = np.concatenate([row, row[active]])
        open_ends = np.concatenate([open_ends, open_ends[active] & kept.sequenced])
        ways = Melded.join([ways, kept])
    return row, ways


def best_lay_off(knockers: Melded, hands: Words, free: Words) -> tuple[Words, Int16s]:
    """Find the best lay-offs of hands, uint64[N], on melds that lie on the table.

    The cards `free`, uint64[N], may be laid off where they fit. Returns the cards laid off,
    uint64[N], and the least deadwood of the hands without them, int16[N].

    Source: docs/rules/gin.md#laying-off
    """
    row, laid = _lay_offs(knockers, hands, free)
    left = deadwood(hands[row] & ~laid)
    best = _first_least(row, left)
    return laid[best], left[best]


def _ways(hands: Words) -> tuple[Rows, Melded]:
    """Return the row and cards of every way to meld that may be best if nothing is kept back."""
    settled, disputed, runs = split(hands)
    row, grouped = groupings(disputed, runs)
    grouped = grouped | settled[row]
    rest = hands[row] & ~grouped
    sequenced = in_sequences(rest)
    return row, Melded(grouped, sequenced, rest ^ sequenced)


def _lay_offs(knockers: Melded, hands: Words, free: Words) -> tuple[Rows, Words]:
    """Return the row, intp[M], and the lay-offs, uint64[M], of every choice that may be best."""
    row, laid = np.arange(len(hands)), np.zeros_like(hands)
    table, fourths = knockers.sequenced, fits_groups(knockers.grouped)
    while True:
        beside = fits_sequences(table, ace_high=False)
        # Cards laid off beside a sequence extend it, so that further cards may fit next.
        joining = laid & beside & ~table
        fitting = free & (beside | fourths[row])
        if not (joining | fitting).any():
            return row, laid
        useless = fitting & ~in_melds(hands[row] & ~laid, ace_high=False)
        # Useful cards wait until all useless ones are laid off; each is then tried both ways.
        useful = np.where(useless == ZERO, lowest(fitting), ZERO)
        both = useful.nonzero()[0]
        table, free = table | joining, free & ~(useless | useful)
        laid = np.concatenate([laid | useless, laid[both] | useful[both]])
        table, free = (np.concatenate([words, words[both]]) for words in (table, free))
        row = np.concatenate([row, row[both]])


def _first_least(row: Rows, *values: Int16s) -> Rows:
    """Return the first entry of each row with the least value, intp[N]; later values break ties.

    `row`, intp[M], contains each of 0 to N - 1 at least once; each of `values` is int16[M].
    """
    keys: list[Integers] = [*reversed(values), row]
    order = np.lexsort(keys)
    by_row = row[order]
    return order[by_row.searchsorted(np.arange(by_row[-1] + 1 if len(row) else 0))]
