"""The fewest exchanges for hands whose groups are already chosen, from tables.

Suppose that u cards are in no meld, one of which may be left over at the end. They are exchanged
for u cards, less the one left over, each of which counts as a wildcard. If j of the u cards are
regular, the incoming cards and the wildcards held must provide what the sequences need when j
cards are left out:

    lacking(j)      <=  wildcards + u - left over
    lacking(j) - j  <=  wildcards + (u - j) - left over,  which does not depend on j: the *slack*

So the least sufficient j is one look-up by the class of the sequences (`suit_classes.py`) and the
slack. The stand-ins that groups need are subtracted from the slack. Every way to use the special
cards (`ways.py`) is tried.
"""

from functools import cache

import numpy as np

from rummy_env.core.arrays import Bools, Int8s, Int16s, Rows
from rummy_env.melds.declaration import GROUP, SEQUENCE, Declaration
from rummy_env.melds.min_dist.suit_classes import SuitClasses, pure_suit_classes, suit_classes
from rummy_env.melds.min_dist.ways import MOST_BOUGHT
from rummy_env.melds.suit_tables import IMPOSSIBLE

UNREACHABLE = 127
"""The distance of hands that no exchange finishes; also used for cards that are not held."""

_SLACKS = range(-16, 24)
"""The range of slacks, wider than any hand needs."""


class Exchanges:
    """Finds the least number of regular cards to leave out, for hands of up to `largest` cards."""

    def __init__(self, decks: int, largest: int, *, pure: bool, special: bool) -> None:
        """Make tables for one sequence without wildcards, or for GROUP and SEQUENCE as well."""
        self.decks = decks
        if pure:
            self.classes = pure_suit_classes(largest, MOST_BOUGHT)
            kinds = list(self.classes.lacks[1:])
        else:
            self.classes = suit_classes(decks, largest)
            kinds = _kinds(self.classes) if special else list(self.classes.lacks)
        self._numbers = len(self.classes.of_two)
        self.largest, self._counts = largest, largest + 1
        self._least_out = np.concatenate([_least_out(kind) for kind in kinds])
        """int8[kinds * U * slacks], the least number of cards to leave out."""
        self._of_one = self._least_out.data
        self.num_questions = len(kinds) * self._counts * len(_SLACKS)

    def least_out(self, kind: Rows, slack: Int8s, classes: Int16s) -> Int8s:
        """Return the fewest cards to leave out, int8[M]; `UNREACHABLE` where none is enough."""
        index = kind * self._numbers + classes
        return self._least_out.take(index * len(_SLACKS) + (slack - np.int8(_SLACKS[0])))

    def least_out_of_one(self, kind: int, slack: int, classes: int) -> int:
        """Return the same of one hand, in Python integers."""
        index = kind * self._numbers + classes
        return self._of_one[index * len(_SLACKS) + slack - _SLACKS[0]]

    def question(self, kind: Rows, slack: Int8s, most: Int8s) -> Rows:
        """Return the number of the question "is leaving out `most` cards enough?", intp[M]."""
        return (kind * self._counts + most) * len(_SLACKS) + (slack - np.int8(_SLACKS[0]))

    def answers(self, question: Rows, classes: Int16s) -> Bools:
        """Answer questions, intp[M], for the classes of all sequences; bool[M]."""
        rest, slack = np.divmod(question, len(_SLACKS))
        kind, most = np.divmod(rest, self._counts)
        index = kind * self._numbers + classes
        return self._least_out.take(index * len(_SLACKS) + slack) <= most


@cache
def _exchanges(decks: int, largest: int, *, pure: bool, special: bool) -> Exchanges:
    """Return the cached tables, which many declarations share."""
    return Exchanges(decks, largest, pure=pure, special=special)


def exchanges_of(declaration: Declaration, largest: int) -> Exchanges:
    """Return the tables for a declaration and hands of up to `largest` cards."""
    pack, special = declaration.pack, {GROUP, SEQUENCE} & set(declaration.pack.specials)
    return _exchanges(pack.decks, largest, pure=declaration.sequences_rummy, special=bool(special))


def _kinds(classes: SuitClasses) -> list[Int8s]:
    """Return the stand-ins that sequences need, counted in four ways, int8[J, U] each.

    These are: plain; with GROUP beside a card that would be left out; both again with SEQUENCE.
    """
    (plain,) = classes.lacks
    kinds = []
    for lacks in (plain, _with_stand_in(plain)):
        beside_one = np.full_like(lacks, IMPOSSIBLE)
        beside_one[:-1] = lacks[1:] + 1
        kinds += [lacks, beside_one]
    return kinds


def _with_stand_in(lacks: Int8s) -> Int8s:
    """Return the stand-ins still needed if SEQUENCE joins a sequence or begins one, int8[J, U].

    It joins one if any card is melded, and needs two wildcards if all cards are left out.
    """
    left = np.arange(len(lacks))[:, None]
    melded = left < (lacks < IMPOSSIBLE).sum(axis=0) - 1
    return np.where(melded, np.maximum(lacks - 1, 0), np.minimum(lacks + 2, IMPOSSIBLE))


def _least_out(lacks: Int8s) -> Int8s:
    """Return the fewest cards to leave out, int8[U * slacks], from the stand-ins, int8[J, U].

    `UNREACHABLE` if no number is enough, and at the lowest slack, which stands for all below it.
    """
    # Each card left out is exchanged for another, so the slack has to cover lacking(j) - j.
    over = lacks - np.arange(len(lacks), dtype=np.int8)[:, None]
    enough = over[:, :, None] <= np.array(_SLACKS, np.int8)
    least = np.where(enough.any(axis=0), enough.argmax(axis=0), UNREACHABLE).astype(np.int8)
    least[:, 0] = UNREACHABLE
    return least.reshape(-1)
