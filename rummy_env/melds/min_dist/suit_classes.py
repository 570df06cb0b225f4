"""Classes of suits that behave alike, so that one look-up gives what several suits need together.

What the cards of a suit need to form sequences is a column of `suit_tables.lacking`, with an entry
for each number of cards left out. There are few different columns, and few combinations of suits
in hands of a dozen cards. So every column gets a number, its *class*, and a table gives the class
of two classes taken together.

    hand        5c 6c | 9d | 9h Th Jh | -        lack 1 | 2 | 0 | 0, or if a card is left out ...
    together    class 17, 3, 8, 0  ->  41, 8  ->  52: lacks 3; 1 if one is left out; 0 if two
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from rummy_env.core.arrays import Int8s, Int16s, Rows
from rummy_env.core.cards import NUM_RANKS
from rummy_env.melds.suit_tables import add_up_ways, counts_of, lacking, lacking_beside_pure


@dataclass(frozen=True)
class SuitClasses:
    """The classes of suits, and of suits taken together; class 0 stands for too many cards."""

    of_suit: Int16s  # int16[S], the class of every suit index
    of_two: Int16s  # int16[U, U], the class of two taken together
    lacks: Int8s  # int8[K, J, U], stand-ins needed, in K ways, by the number of cards left out

    def together(self, first: Int16s, second: Int16s) -> Int16s:
        """Return the class of each pair of classes, int16[M]."""
        return self.of_two.reshape(-1).take(first.astype(np.intp) * len(self.of_two) + second)

    def of_all(self, suits: Rows) -> Int16s:
        """Return the classes of hands, int16[M], given by their suit indices, intp[4, M]."""
        clubs, diamonds, hearts, spades = self.of_suit.take(suits)
        return self.together(self.together(clubs, diamonds), self.together(hearts, spades))


@cache
def suit_classes(decks: int, largest: int) -> SuitClasses:
    """Return the classes by `suit_tables.lacking`, for at most `largest` cards over all suits."""
    return _close(lacking(decks, largest + 1)[None], decks, largest)


@cache
def pure_suit_classes(largest: int, most_bought: int) -> SuitClasses:
    """Return the classes for rules in which one sequence must have no wildcard.

    The first way to count is the plain one. The others are for 0 to `most_bought` positions of
    that sequence that may be bought; see `lacking_beside_pure`.
    """
    depth = largest + 1
    pure = [lacking_beside_pure(depth, bought) for bought in range(most_bought + 1)]
    return _close(np.stack([lacking(1, depth), *pure]), 1, largest)


def _close(of_suits: Int8s, decks: int, largest: int) -> SuitClasses:
    """Combine suits, int8[K, J, S] of stand-ins needed, until no new class appears."""
    count = counts_of(np.arange(of_suits.shape[2]), decks)
    small = np.flatnonzero(count <= largest)
    lacks, fewest, of_small = _distinct(of_suits[:, :, small], count[small])
    of_suit = np.zeros(of_suits.shape[2], np.int16)
    of_suit[small] = of_small
    while True:
        first, second = np.nonzero(np.add.outer(fewest, fewest) <= largest)
        sums = add_up_ways(lacks[:, :, first], lacks[:, :, second])
        found, fewest_found, of_pair = _distinct(sums, fewest[first] + fewest[second])
        of_two = np.zeros((len(fewest), len(fewest)), np.int16)
        of_two[first, second] = of_pair
        if found.shape == lacks.shape:
            return SuitClasses(of_suit, of_two, lacks)
        # An empty suit adds nothing, so old classes combined with it get their new numbers.
        alone = of_two[:, of_suit[0]]
        lacks, fewest, of_suit = found, fewest_found, alone[of_suit]


def _distinct(lacks: Int8s, count: Rows) -> tuple[Int8s, Rows, Rows]:
    """Return the distinct columns, the fewest cards with each, and each old column's number."""
    flat = lacks.reshape(-1, lacks.shape[2])
    # As single values, since `np.unique` is slow along an axis.
    columns = np.ascontiguousarray(flat.T).view(f"V{len(flat)}").reshape(-1)
    _, first, number = np.unique(columns, return_index=True, return_inverse=True)
    fewest = np.full(len(first), NUM_RANKS * len(flat), np.intp)
    np.minimum.at(fewest, number, count)
    return lacks[:, :, first], fewest, number
