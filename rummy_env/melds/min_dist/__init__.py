"""Minimum distance (MinDist): the fewest exchanges that turn a hand into a finished one.

An exchange is a draw and a discard: any card of the pack comes in, and another goes out. NO_MELD
and CANT_GO_OUT cannot be discarded: NO_MELD becomes the card left over, and a hand with
CANT_GO_OUT is never finished.

    5h 6h 9c 9d Ks 2c       2h or 7h for Ks or 2c, then 4h, 7h or a nine: distance 2

The idea is to treat every incoming card as a wildcard. A regular card can do the same: if a
sequence needs a card that is in a group of the hand, the sequence takes it, and another card of
that rank joins the group; a surplus card joins a group or the end of a sequence. So the distance
follows from the number of stand-ins that the cards need to form melds, given how many cards are
left out:

    groupings     every choice of groups among equal ranks              `groups.py`
    classes       what the other cards need to form sequences           `suit_classes.py`
    ways          the uses of the special cards that a hand may hold    `ways.py`
    exchanges     the fewest, given grouping, class and way             `exchanges.py`
    distance      the least over all groupings and ways                 `reach.py`

A draw or a discard changes only one suit or one group. So the cards that save a draw are found as
sets, for all discards of a hand together:

    changes       ranks where one card more, or less, is enough         `changes.py`
    useful        the cards that save a draw                            `useful.py`
    discards      what each discard leaves, and its number of outs      `discards.py`

Of one hand alone, the distance and the discards that keep it are read from the same tables without
arrays (`one_hand.py`).

The result is exact if the pack has a wildcard. In a pack without one it may be one too low if all
cards of a rank are held and two sequences need this rank besides its group: 7c 7d 7h 7s 6h 8h 6s
8s Kd needs more than one exchange, because no further 7 can come, be it for the sequences or for
the group. This affects one in 100,000 random hands of ten cards; tables by suit cannot detect it.

A hand that has yet to draw gets a *blank*: a card that fits nowhere and has to be discarded. So

    distance(hand of eight)                        draws that it takes after this discard
    distance(hand of seven and a blank)            draws that it takes, this turn's included
    distance(hand of eight, one of them a blank)   draws that it takes after that very discard
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from rummy_env.core.arrays import Bools, Int8s, Words
from rummy_env.core.one_or_many import any_set
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.hands import Hand, Hands
from rummy_env.melds.min_dist.discards import DistancesAfter
from rummy_env.melds.min_dist.exchanges import UNREACHABLE
from rummy_env.melds.min_dist.one_hand import Lookups, OneHand
from rummy_env.melds.min_dist.reach import Reach, Tables
from rummy_env.melds.min_dist.useful import Useful

__all__ = [
    "LARGEST_HAND",
    "UNREACHABLE",
    "DistancesAfter",
    "MinDist",
    "distance",
    "finished",
    "min_dist",
]

LARGEST_HAND = 11
"""The largest hand; for larger ones there are too many classes."""


def distance(declaration: Declaration, words: Words) -> Int8s:
    """Return the MinDist of hands, uint64[N, W], of up to `LARGEST_HAND` cards.

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


def finished(declaration: Declaration, decks: Sequence[Words]) -> Bools:
    """Return what `Declaration.can_go_out` does, bool[N], of hands given as W times uint64[N].

    These tables often answer sooner. One hand, given as scalars, gives a flag.
    """
    found = declaration.may_be_finished(decks)
    if not any_set(found):
        return found
    if not decks[0].ndim:
        return _is_finished(declaration, decks)
    rows = found.nonzero()[0]
    words = np.stack([cards[rows] for cards in decks], axis=1)
    hands = declaration.hands(words)
    largest = int(hands.size.max())
    if largest <= LARGEST_HAND:
        found[rows] = min_dist(declaration, largest).distance(hands) == 0
    else:
        found[rows] = declaration.can_go_out(words)
    return found


def _is_finished(declaration: Declaration, decks: Sequence[Words]) -> Any:
    hand = declaration.hand(decks)
    if hand.size > LARGEST_HAND:
        return declaration.can_go_out(np.array([decks]))[0]
    return min_dist(declaration, hand.size).one(hand).best == 0


class MinDist:
    """The MinDist of hands of up to `largest` cards, and of hands one draw or discard away.

    Hands after a draw or a discard are looked up together, because only one suit or group changes.
    """

    def __init__(self, declaration: Declaration, largest: int) -> None:
        self._tables = Tables(declaration, largest)
        self._of_one = Lookups(declaration, self._tables)

    def one(self, hand: Hand) -> OneHand:
        """Return the distance of one hand, and the discards that keep it."""
        return OneHand(self._of_one, hand)

    def distance(self, hands: Hands) -> Int8s:
        """Return the distances, int8[N]; 0 for finished hands, `UNREACHABLE` if impossible."""
        return Reach(self._tables, hands).best

    def discards(self, hands: Hands) -> DistancesAfter:
        """Return all discards of the hands, with the distance and the outs that each leaves."""
        return DistancesAfter(self._tables, hands)

    def draws(self, hands: Hands) -> tuple[Int8s, Useful]:
        """Return the distances, int8[N], of hands yet to draw, and the cards that save a draw.

        No card is useful to a hand that can never be finished.
        """
        reach = Reach(self._tables, hands.with_blank())
        entries = reach.near(reach.best)
        entries = entries[reach.can_wait(entries, reach.best)]
        row = reach.row.take(entries)
        found = Useful.nothing(len(hands))
        rests = reach.waiting(entries, reach.best.take(row), blank=0)
        found.add(row, self._tables.helpful.useful(rests))
        return reach.best, found


@lru_cache(maxsize=64)
def min_dist(declaration: Declaration, largest: int) -> MinDist:
    """Return the cached tables for a declaration and hands of up to `largest` cards."""
    return MinDist(declaration, largest)
