"""The fewest exchanges for hands whose groups are settled, from tables.

Let u cards be in no meld, of which one may be left over in the end; then u cards come for them,
less the one left over, each taken for a WILDCARD. If j of the u are regular cards, what the
sequences lack when j are left out has to be found among these and the WILDCARDs held:

    lacking(j)      <=  WILDCARDs + u - left over
    lacking(j) - j  <=  WILDCARDs + (u - j) - left over,  a number without j: the *slack*

So the least j that will do is one look-up, for the class of the sequences (`suit_classes.py`) and
the slack. What groups lack is taken off the slack. The special cards may be used in several ways
(`ways.py`); each of them is tried.
"""

from functools import cache

import numpy as np

from rummy_env.core.bits import Bools, Rows
from rummy_env.melds.declaration import GROUP, SEQUENCE, Declaration
from rummy_env.melds.min_dist.suit_classes import (
    Classes,
    SuitClasses,
    pure_suit_classes,
    suit_classes,
)
from rummy_env.melds.min_dist.ways import MOST_BOUGHT
from rummy_env.melds.suit_tables import IMPOSSIBLE, Counts

UNREACHABLE = 127
"""The distance of hands that no exchange finishes, and of cards that are not held."""

_SLACKS = range(-16, 24)
"""More than hands can have."""


class Exchanges:
    """The least number of regular cards to leave out, for hands of up to `largest` cards."""

    def __init__(self, decks: int, largest: int, *, pure: bool, special: bool) -> None:
        """Count for one sequence without WILDCARDs, or for GROUP and SEQUENCE as well."""
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
        self.num_questions = len(kinds) * self._counts * len(_SLACKS)

    def least_out(self, kind: Rows, slack: Counts, classes: Classes) -> Counts:
        """int8[M], the least number of cards to leave out; `UNREACHABLE` where none will do."""
        index = kind * self._numbers + classes
        return self._least_out.take(index * len(_SLACKS) + (slack - np.int8(_SLACKS[0])))

    def question(self, kind: Rows, slack: Counts, most: Counts) -> Rows:
        """intp[M], a number for the question if `most` cards left out are enough."""
        return (kind * self._counts + most) * len(_SLACKS) + (slack - np.int8(_SLACKS[0]))

    def answers(self, question: Rows, classes: Classes) -> Bools:
        """bool[M], the answers to questions, intp[M], for classes of all sequences."""
        rest, slack = np.divmod(question, len(_SLACKS))
        kind, most = np.divmod(rest, self._counts)
        index = kind * self._numbers + classes
        answers: Bools = self._least_out.take(index * len(_SLACKS) + slack) <= most
        return answers


@cache
def _exchanges(decks: int, largest: int, *, pure: bool, special: bool) -> Exchanges:
    """The tables, which many declarations have in common."""
    return Exchanges(decks, largest, pure=pure, special=special)


def exchanges_of(declaration: Declaration, largest: int) -> Exchanges:
    """The tables for a declaration and hands of up to `largest` cards."""
    pack, special = declaration.pack, {GROUP, SEQUENCE} & set(declaration.pack.specials)
    return _exchanges(pack.decks, largest, pure=declaration.sequences_rummy, special=bool(special))


def _kinds(classes: SuitClasses) -> list[Counts]:
    """The stand-ins lacking in sequences in four ways, int8[J, U] each.

    As it is; if GROUP joins a card that would be left out; and the same two with SEQUENCE.
    """
    (plain,) = classes.lacks
    kinds = []
    for lacks in (plain, _with_stand_in(plain)):
        beside_one = np.full_like(lacks, IMPOSSIBLE)
        beside_one[:-1] = lacks[1:] + 1
        kinds += [lacks, beside_one]
    return kinds


def _with_stand_in(lacks: Counts) -> Counts:
    """int8[J, U], the stand-ins still lacking when SEQUENCE joins a sequence, or makes its own.

    It joins where a card is melded, and takes two WILDCARDs where all cards are left out.
    """
    left = np.arange(len(lacks))[:, None]
    melded = left < (lacks < IMPOSSIBLE).sum(axis=0) - 1
    return np.where(melded, np.maximum(lacks - 1, 0), np.minimum(lacks + 2, IMPOSSIBLE))


def _least_out(lacks: Counts) -> Counts:
    """int8[U * slacks], the fewest cards to leave out, from what is lacking, int8[J, U].

    `UNREACHABLE` where that does not help, and at the lowest slack, which stands for all below.
    """
    # For each card left out another comes, so it is lacking(j) - j that the slack has to cover.
    over = lacks - np.arange(len(lacks), dtype=np.int8)[:, None]
    enough = over[:, :, None] <= np.array(_SLACKS, np.int8)
    least = np.where(enough.any(axis=0), enough.argmax(axis=0), UNREACHABLE).astype(np.int8)
    least[:, 0] = UNREACHABLE
    return least.reshape(-1)
