"""Which card more, or less, in a suit leaves a hand within reach: one look-up for thirteen ranks.

Whether a hand is within some exchanges is a question about the class of all its sequences. With the
three other suits given it is one about the suit alone: an *answer* for each class that a suit can
have. There are few different answers, so they have numbers; and for each there is a row with, for
every set of cards of a suit, the ranks whose card more (or less) makes the answer a yes.

    question, class of the others     ->  number of the answer, found when first asked for
    number of the answer, 5h 6h 9h    ->  4h 7h 8h Th  as bits
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Bools, Rows
from rummy_env.melds.min_dist.exchanges import Exchanges
from rummy_env.melds.min_dist.suit_classes import Classes
from rummy_env.melds.suit_tables import Indices, powers

Ranks = npt.NDArray[np.uint16]

_UNKNOWN = -1


class _Known(NamedTuple):
    """What has been asked so far; replaced as a whole, so that no reader sees half of it."""

    number: npt.NDArray[np.int16]  # int16[Q * U], the number of the answer
    answers: Bools  # bool[A, C + 1], for every class of a suit; the last is for impossible suits
    ranks: Ranks  # uint16[A, S], the ranks for every suit index; in one pack alone


class Changes:
    """The ranks whose card more (`step` 1) or less (`step` -1) in a suit gives a yes."""

    def __init__(self, exchanges: Exchanges, decks: int, step: int) -> None:
        self._exchanges, self._decks, self._step = exchanges, decks, step
        of_suit = exchanges.classes.of_suit
        self._suit_classes, compact = np.unique(of_suit, return_inverse=True)
        self._compact = compact.astype(np.int16)
        self._impossible = np.int16(len(self._suit_classes))
        # Of two packs there are too many sets of cards of a suit.
        self._width = len(of_suit) if decks == 1 else 0
        self._every = self._changed(np.arange(self._width))
        self._others = len(exchanges.classes.of_two)
        self._known = _Known(
            np.full(exchanges.num_questions * self._others, _UNKNOWN, np.int16),
            np.zeros((0, len(self._suit_classes) + 1), np.bool_),
            np.zeros((0, self._width), np.uint16),
        )

    def ranks(self, question: Rows, others: Classes, suits: Indices) -> Ranks:
        """uint16[4, M], the ranks as bits.

        Args:
            question: intp[M], as `Exchanges.question`.
            others: int16[4, M], for each suit the class of the three others.
            suits: intp[4, M], suit indices.
        """
        asked = question * self._others + others
        known = self._known
        number = known.number.take(asked).astype(np.intp)
        if number.size and number.min() == _UNKNOWN:
            self._known = known = self._learn(known, np.unique(asked[number == _UNKNOWN]))
            number = known.number.take(asked).astype(np.intp)
        if self._width:
            return known.ranks.reshape(-1).take(number * self._width + suits)
        return self._work_out(known.answers, number, self._changed(suits))

    def _learn(self, known: _Known, asked: Rows) -> _Known:
        """What is known with the answers to some more questions, intp[K]."""
        question, others = np.divmod(asked[:, None], self._others)
        classes = self._exchanges.classes.together(self._suit_classes, others)
        found = self._exchanges.answers(question, classes)
        answers = np.concatenate([known.answers, np.pad(found, ((0, 0), (0, 1)))])
        # Equal answers get the number of the first: so those known keep theirs.
        _, first, same = np.unique(
            np.packbits(answers, axis=1), axis=0, return_index=True, return_inverse=True
        )
        order = np.sort(first)
        place = np.searchsorted(order, first)[same.reshape(-1)]
        number = known.number.copy()
        number[asked] = place[len(known.answers) :]
        answers = answers[order]
        fresh = np.arange(len(known.answers), len(answers))
        rows = [self._work_out(answers, one, self._every) for one in fresh[:, None]]
        return _Known(number, answers, np.stack([*known.ranks, *rows]) if rows else known.ranks)

    def _work_out(self, answers: Bools, number: Rows, classes: Classes) -> Ranks:
        """uint16, the ranks for suits with the numbers of their answers, and their `_changed`."""
        yes = answers.reshape(-1).take(number[..., None] * answers.shape[1] + classes)
        octets = np.packbits(yes, axis=-1, bitorder="little").view("<u2")
        found: Ranks = octets[..., 0].astype(np.uint16, copy=False)
        return found

    def _changed(self, suits: Indices) -> Classes:
        """int16[..., 13], the classes of suits with a card more or less, by their columns."""
        worth, base = powers(self._decks), self._decks + 1
        limit = self._decks if self._step > 0 else 0
        can = suits[..., None] // worth % base != limit
        changed = np.where(can, suits[..., None] + self._step * worth, 0)
        # The last column is that of suits that cannot be: a no.
        return np.where(can, self._compact.take(changed), self._impossible)
