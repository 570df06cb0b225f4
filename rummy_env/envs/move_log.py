"""The moves that others make between two decisions of the learner."""

import numpy as np

from rummy_env.core.arrays import Int8s, Int32s, Rows

_FEW = 16
"""Entries that are kept without looking which of them count."""


class MoveLog:
    """The others' moves in B games since the learner's last decision."""

    def __init__(self, num_envs: int) -> None:
        self._moves: list[tuple[Rows, Rows, Int8s]] = []
        self._from = np.zeros(num_envs, np.intp)
        """intp[B], the first entry that counts."""
        self._most = _FEW
        """With more entries, those that no game counts any more are dropped."""

    def begin(self, rows: Rows) -> None:
        """Forget the moves of games in which the learner has decided, or an episode begins."""
        self._from[rows] = len(self._moves)
        if len(self._moves) > self._most:
            self._drop()

    def _drop(self) -> None:
        """Drop entries that no game counts any more, of which there may be half."""
        moves = enumerate(self._moves)
        kept = [number for number, (rows, *_) in moves if (self._from.take(rows) <= number).any()]
        self._from = np.searchsorted(kept, self._from)
        self._moves = [self._moves[number] for number in kept]
        self._most = 2 * len(kept) + _FEW

    def add(self, rows: Rows, actions: Rows, seats: Int8s) -> None:
        """Note an action of a seat in each of some games."""
        self._moves.append((rows, actions, seats))

    def moves(self) -> Int32s:
        """int32[B, K, 2], seat and action of each move, in order; -1 after a game's last one.

        K is the largest number of moves in any game.
        """
        first = int(self._from.min())
        entries = self._moves[first:]
        moves = np.full((len(self._from), len(entries), 2), -1, np.int32)
        count = np.zeros(len(self._from), np.intp)
        for number, (rows, actions, seats) in enumerate(entries, first):
            items = (self._from.take(rows) <= number).nonzero()[0]
            some = rows.take(items)
            moves[some, count.take(some), 0] = seats.take(items)
            moves[some, count.take(some), 1] = actions.take(items)
            count[some] += 1
        return moves[:, : count.max(initial=0)]
