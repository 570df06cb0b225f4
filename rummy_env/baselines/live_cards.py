"""The cards that may still come, and their chances."""

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.declared_moves import DeclaredMoves
from rummy_env.core.bits import Rows
from rummy_env.core.cards import card_flags
from rummy_env.core.visibility import SeatView
from rummy_env.melds.declaration import GROUP, SEQUENCE
from rummy_env.melds.hands import Hands
from rummy_env.melds.suit_tables import Counts

Floats = npt.NDArray[np.float64]


class LiveCards:
    """The cards whose place the viewers do not know, where finished hands are declared.

    Attributes:
        regular: int8[N, 52], how many of each there are.
        cards: All of them, as hands.
        total: int64[N], their number.
    """

    def __init__(self, moves: DeclaredMoves, view: SeatView) -> None:
        self._moves = moves
        self.cards = moves.declaration.hands(view.unseen)
        self.regular: Counts = np.sum([card_flags(deck) for deck in self.cards.naturals], axis=0)
        self.total = np.bitwise_count(view.unseen).sum(axis=1, dtype=np.int64)

    def outs(self, hands: Hands, row: Rows, short: Counts) -> npt.NDArray[np.int64]:
        """The number of live cards that save a draw; a WILDCARD always does.

        Args:
            hands: M hands that are to draw next.
            row: intp[M], in which game each is held.
            short: int8[M], draws that they are short of finished, the next included.

        Returns:
            int64[M].
        """
        nearer = self._moves.after_draws(hands) < short[:, None]
        outs = (nearer * self.regular[row]).sum(axis=1) + self.cards.wild[row]
        for kind in (GROUP, SEQUENCE):
            if kind in self._moves.specials:
                some = np.flatnonzero(getattr(self.cards, kind.lower())[row])
                code = np.full(len(some), self._moves.rules.pack.code(kind), np.uint8)
                more = hands.take(some).plus(self._moves.rules.pack, code)
                outs[some] += self._moves.distance(more) < short[some]
        return outs

    def chance(self, count: npt.NDArray[np.integer], row: Rows) -> Floats:
        """float64[M], the chance that the next card of the stock is one of `count` live ones."""
        return count / np.maximum(self.total[row], 1)

    def chance_of_rummy(self, row: Rows) -> Floats:
        """float64[M], the chance that it is a RUMMY card."""
        return self.chance(self.cards.rummy[row], row)
