"""The cards left of a hand after laying out all that can be laid out at once."""

import numpy as np

from rummy_env.core.arrays import UInt8s, Words
from rummy_env.core.bits import WORD_BITS, ZERO, bit_index, lowest, word
from rummy_env.core.cards import NUM_REGULAR
from rummy_env.core.table import as_laid, sequence_cards
from rummy_env.core.visibility import SeatView
from rummy_env.melds.patterns import (
    THREES,
    fits_groups,
    fits_sequences,
    groups,
    laid_off,
    sequence_starts,
)
from rummy_env.parts.table_melds import Melding

_NOTHING = [ZERO] * (WORD_BITS + 1 - NUM_REGULAR)
_SEQUENCES = [sequence_cards(start, 3) for start in range(NUM_REGULAR)]
_SEQUENCE_HELD: Words = np.array([*map(word, _SEQUENCES), *_NOTHING])
_SEQUENCE_LAID: Words = np.array([*map(as_laid, _SEQUENCES), *_NOTHING])
_GROUP: Words = np.array([*map(word, THREES), *_NOTHING])
"""uint64[65] each: the cards of the meld whose bit it is in `melds`; 64 stands for no meld."""


def left_over(view: SeatView, melding: Melding, hands: Words | None = None) -> UInt8s:
    """uint8[N], the fewest cards that the viewers can come down to before this turn's discard.

    Melds that compete for a card are tried in two orders, sequences first and groups first; in rare
    hands another choice would leave a card less.

    Args:
        view: The view of N games.
        melding: The rules for melds.
        hands: uint64[N], cards to hold in place of those of the viewers.
    """
    cards = view.hand[:, 0] if hands is None else hands
    sequences_first, groups_first = (_Layout(view, melding, cards) for _ in range(2))
    sequences_first.meld_sequences()
    sequences_first.meld_groups()
    groups_first.meld_groups()
    groups_first.meld_sequences()
    return np.minimum(sequences_first.rest(), groups_first.rest())


class _Layout:
    """Hands being laid out, and the table that grows by it."""

    def __init__(self, view: SeatView, melding: Melding, hands: Words) -> None:
        self._high = melding.ace_high
        self._left = hands
        empty = np.zeros_like(self._left)
        self._grouped = view.grouped if melding.lay_off else empty
        self._sequenced = view.sequenced if melding.lay_off else empty
        made = np.zeros(len(view), np.intp)
        if (most := melding.melds_per_turn) is not None:
            made += view.melds_made
        self._room = (view.rules.hand_size if most is None else most) - made

    def meld_groups(self) -> None:
        """Meld three of every rank that has them."""
        while (found := self._allowed(lowest(groups(self._left)[0]))).any():
            cards = _GROUP.take(bit_index(found))
            self._left = self._left & ~cards
            self._grouped = self._grouped | cards

    def meld_sequences(self) -> None:
        """Meld sequences from the lowest on, each as long as possible."""
        while True:
            found = self._allowed(lowest(sequence_starts(self._left, 3, ace_high=self._high)))
            if not found.any():
                return
            at = bit_index(found)
            self._left = self._left & ~_SEQUENCE_HELD.take(at)
            self._sequenced = self._sequenced | _SEQUENCE_LAID.take(at)
            self._extend_sequences()

    def rest(self) -> UInt8s:
        """Return uint8[N], cards left when all that fits is laid off as well."""
        self._extend_sequences()
        return np.bitwise_count(self._left & ~fits_groups(self._grouped))

    def _allowed(self, found: Words) -> Words:
        """Return the melds found, counted, except in games in which none may be laid down."""
        found = np.where(self._room > 0, found, ZERO)
        self._room = self._room - (found != ZERO)
        return found

    def _extend_sequences(self) -> None:
        """Lay cards off on sequences, one a game at a time, until none fits."""
        while True:
            card = lowest(fits_sequences(self._sequenced, ace_high=self._high) & self._left)
            if not card.any():
                return
            mark, _ = laid_off(self._sequenced, card, ace_high=self._high)
            self._sequenced = self._sequenced | np.where(card != ZERO, mark, ZERO)
            self._left = self._left & ~card
