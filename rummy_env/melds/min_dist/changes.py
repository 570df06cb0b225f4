"""Ranks of a suit whose gain or loss leaves a hand within reach: one look-up for all ranks.

Whether a hand is within some number of exchanges is a question about the class of all its
sequences. Given the other three suits, it is a question about one suit, and its *answer* is a yes
or no for each class of that suit. There are few different answers, so they are numbered. A table
has a row for each answer, with the ranks for every set of cards of a suit where one card more (or
less) turns the answer into a yes.

    question, class of the others     ->  number of the answer, computed when first asked for
    number of the answer, 5h 6h 9h    ->  4h 7h 8h Th  as bits
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from rummy_env.core.arrays import Bools, Int16s, Rows, UInt16s
from rummy_env.melds.min_dist.exchanges import Exchanges
from rummy_env.melds.suit_tables import counts_of, powers

_UNKNOWN = -1
_MOST_SETS = 1 << 15
"""The most sets of cards of a suit for a table; with more it would be too large."""


class _Known(NamedTuple):
    """The answers known so far; replaced as a whole, so that no thread sees half an update."""

    number: Int16s  # int16[Q * U], the number of the answer
    answers: Bools  # bool[A, C + 1], for every class of a suit; the last is for impossible suits
    ranks: UInt16s  # uint16[A, S], the ranks for sets of cards of a suit


class Changes:
    """Finds the ranks where one card more (`step` 1) or less (`step` -1) makes the answer yes."""

    def __init__(self, exchanges: Exchanges, step: int) -> None:
        self._exchanges, self._decks, self._step = exchanges, exchanges.decks, step
        of_suit = exchanges.classes.of_suit
        self._suit_classes, compact = np.unique(of_suit, return_inverse=True)
        self._column = np.append(compact, len(self._suit_classes)).astype(np.int16)
        self._others = len(exchanges.classes.of_two)
        sets, self._place = _sets(len(of_suit), self._decks, exchanges.largest)
        self._width = len(sets)
        self._columns = self._column.take(self._changed(sets))
        self._known = _Known(
            np.full(exchanges.num_questions * self._others, _UNKNOWN, np.int16),
            np.zeros((0, len(self._suit_classes) + 1), np.bool_),
            np.zeros((0, self._width), np.uint16),
        )

    def ranks(self, question: Rows, others: Int16s, suits: Rows) -> UInt16s:
        """Return the ranks as bits, uint16[4, M].

        Args:
            question: intp[M], as returned by `Exchanges.question`.
            others: int16[4, M], for each suit the class of the three others.
            suits: intp[4, M], suit indices.
        """
        if not self._width:
            return self._one_by_one(question, others, suits)
        asked = question * self._others + others
        known = self._known
        number = known.number.take(asked).astype(np.intp)
        if number.size and number.min() == _UNKNOWN:
            news = np.unique(np.broadcast_to(question, others.shape)[number == _UNKNOWN])
            self._known = known = self._learn(known, news)
            number = known.number.take(asked).astype(np.intp)
        place = suits if self._place is None else self._place.take(suits)
        return known.ranks.reshape(-1).take(number * self._width + place)

    def _one_by_one(self, question: Rows, others: Int16s, suits: Rows) -> UInt16s:
        """Compute the result of `ranks` without a table."""
        changed, classes = self._changed(suits), self._exchanges.classes
        can = changed < len(classes.of_suit)
        mine = classes.of_suit.take(changed, mode="clip")
        together = classes.together(mine, others[..., None])
        return _as_bits(can & self._exchanges.answers(question[:, None], together))

    def _learn(self, known: _Known, question: Rows) -> _Known:
        """Extend the table by some questions, intp[K], for all classes of the other suits."""
        others = np.arange(self._others, dtype=np.int16)
        classes = self._exchanges.classes.together(self._suit_classes, others[:, None])
        found = self._exchanges.answers(question[:, None, None], classes)
        found = np.pad(found.reshape(-1, classes.shape[1]), ((0, 0), (0, 1)))
        answers = np.concatenate([known.answers, found])
        # Equal answers share the number of the first one, so known answers keep theirs.
        packed = np.packbits(answers, axis=1)
        _, first, same = np.unique(
            packed.view(f"V{packed.shape[1]}").reshape(-1), return_index=True, return_inverse=True
        )
        order = np.sort(first)
        place = np.searchsorted(order, first)[same]
        number = known.number.copy()
        places = question[:, None] * self._others + others
        number[places] = place[len(known.answers) :].reshape(places.shape)
        answers = answers[order]
        fresh = np.arange(len(known.answers), len(answers))
        width = answers.shape[1]
        rows = [_as_bits(answers.reshape(-1).take(one * width + self._columns)) for one in fresh]
        return _Known(number, answers, np.stack([*known.ranks, *rows]) if rows else known.ranks)

    def _changed(self, suits: Rows) -> Rows:
        """Return the suit indices with one card more or less of each rank, intp[..., 13].

        Impossible suits are marked by the total number of suit indices.
        """
        worth, base = powers(self._decks), self._decks + 1
        limit = self._decks if self._step > 0 else 0
        can = suits[..., None] // worth % base != limit
        none = len(self._exchanges.classes.of_suit)
        return np.where(can, suits[..., None] + self._step * worth, none)


@cache
def changes(exchanges: Exchanges, step: int) -> Changes:
    """Return the cached tables for some exchanges."""
    return Changes(exchanges, step)


def _sets(count: int, decks: int, largest: int) -> tuple[Rows, Rows | None]:
    """Return the suit indices that have a column in the table, and the columns; None if all have.

    No index has a column if even those of hands of up to `largest` cards are too many.
    """
    every = np.arange(count)
    if count <= _MOST_SETS:
        return every, None
    small = np.flatnonzero(counts_of(every, decks) <= largest)
    if len(small) > _MOST_SETS:
        return every[:0], None
    place = np.zeros(count, np.intp)
    place[small] = np.arange(len(small))
    return small, place


def _as_bits(yes: Bools) -> UInt16s:
    """Pack flags of ranks, bool[..., 13], into bits, uint16[...]."""
    packed = np.packbits(yes, axis=-1, bitorder="little").view("<u2")
    return packed[..., 0].astype(np.uint16, copy=False)
