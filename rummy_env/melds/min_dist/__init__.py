"""Minimum distance (MinDist): the fewest exchanges with which a hand becomes a finished one.

An exchange is a draw and a discard: any card of the pack comes, another goes. NO_MELD and
CANT_GO_OUT cannot be discarded: the one stays to be the card left over, and with the other a hand
is never finished.

    5h 6h 9c 9d Ks 2c       2h or 7h for Ks or 2c, then 4h, 7h or a nine: distance 2

The idea: a card that comes is taken for a WILDCARD. A regular card does as well: if a sequence
wants one that lies in a group of the hand, it may have it, and another of that rank comes into the
group instead; a card too many comes into a group, or at the end of a sequence. So the distance
follows from how many stand-ins the cards lack to be melds, for every number of cards left out:

    groupings     every choice of groups among equal ranks           `groups.py`
    classes       what the other cards lack to be sequences          `suit_classes.py`
    ways          to use the special cards, by what a hand holds     `ways.py`
    exchanges     the fewest for all three                           `exchanges.py`
    distance      the least of all groupings and ways                `reach.py`

What a draw or a discard changes is one suit or one group. So the cards that save a draw are found
as sets, for all discards of a hand together:

    changes       the ranks whose card more, or less, is enough      `changes.py`
    useful        the cards that save a draw                         `useful.py`
    discards      what each leaves, and how many live cards help     `discards.py`

Where the pack has a WILDCARD that is exact. Without any it may be one too few, if all cards of a
rank are held and two sequences want this rank besides its group: 7c 7d 7h 7s 6h 8h 6s 8s Kd lacks
more than one card, as neither the sequences' second 7 nor the group's third can come. Of random
hands of ten cards that is one in 100,000; no table by suits can see it.

A hand that is still to draw has a *blank*: a card that fits nowhere and has to go. So

    distance(hand of eight)                        draws that it takes after this discard
    distance(hand of seven and a blank)            draws that it takes, this turn's included
    distance(hand of eight, one of them a blank)   draws that it takes after that very discard
"""

from functools import lru_cache

import numpy as np

from rummy_env.core.bits import Words
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.hands import Hands
from rummy_env.melds.min_dist.discards import Discards
from rummy_env.melds.min_dist.exchanges import UNREACHABLE
from rummy_env.melds.min_dist.reach import Reach, Tables
from rummy_env.melds.min_dist.useful import Useful
from rummy_env.melds.suit_tables import Counts

__all__ = ["LARGEST_HAND", "UNREACHABLE", "Discards", "MinDist", "Useful", "distance", "min_dist"]

LARGEST_HAND = 11
"""Of larger hands there are too many classes."""


def distance(declaration: Declaration, words: Words) -> Counts:
    """The MinDist of hands of up to `LARGEST_HAND` cards, given as uint64[N, W].

    Returns:
        int8[N]; 0 where the hand is finished, `UNREACHABLE` where it never can be.

    Raises:
        ValueError: If a hand is too large.
    """
    sizes = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    largest = int(sizes.max(initial=0))
    if largest > LARGEST_HAND:
        raise ValueError(
            f"hand {int(sizes.argmax())} has {largest} cards: "
            f"distances are worked out for hands of at most {LARGEST_HAND}"
        )
    return min_dist(declaration, largest).distance(declaration.hands(words))


class MinDist:
    """The MinDist of hands of up to `largest` cards, and of all hands that they may become.

    Hands after a draw or a discard are looked up together, since these change one suit or group.
    """

    def __init__(self, declaration: Declaration, largest: int) -> None:
        self._tables = Tables(declaration, largest)

    def distance(self, hands: Hands) -> Counts:
        """int8[N], the distance; 0 of finished hands, `UNREACHABLE` of those that never can be."""
        return Reach(self._tables, hands).best

    def discards(self, hands: Hands) -> Discards:
        """All discards of hands: what distance each leaves, and how many outs."""
        return Discards(self._tables, hands)

    def draws(self, hands: Hands) -> tuple[Counts, Useful]:
        """int8[N], the draws that hands are short of finished that are to draw, and what saves one.

        Nothing is useful where a hand never can be finished.
        """
        reach = Reach(self._tables, hands.with_blank())
        entries = reach.near(reach.best)
        entries = entries[reach.can_wait(entries, reach.best)]
        row = reach.row.take(entries)
        found = Useful.nothing(len(hands))
        rests = reach.waiting(entries, reach.best.take(row), blank=0)
        found.add(row, self._tables.search.useful(rests))
        return reach.best, found


@lru_cache(maxsize=64)
def min_dist(declaration: Declaration, largest: int) -> MinDist:
    """The tables for a declaration and hands of up to `largest` cards, made once."""
    return MinDist(declaration, largest)
