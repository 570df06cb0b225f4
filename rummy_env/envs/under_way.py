"""Games under way: the learner has decided in them but has not yet seen the outcome."""

import numpy as np

from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.checks import check_range


class UnderWay:
    """Which of B games are under way and, of these, which are back, in the order of their return.

    Attributes:
        playing: intp[R], the games under way that are not back.
    """

    def __init__(self, num_envs: int) -> None:
        self._away = np.zeros(num_envs, np.bool_)
        """bool[B], True where a game is under way, back or not."""
        self._back: Rows = np.zeros(0, np.intp)
        self.playing: Rows = self._back

    def check_home(self, rows: Rows) -> None:
        """Refuse games that are under way, with a ValueError."""
        away = rows[self._away.take(rows)]
        if away.size:
            raise ValueError(
                f"game {away[0]} waits for no action: receive what came of its last one first, or "
                f"call reset() if that step was interrupted"
            )

    def check_under_way(self, count: int) -> None:
        """Refuse, with a ValueError, to wait for no games or for more than there are."""
        most = len(self.playing) + len(self._back)
        if not most:
            raise ValueError(f"{count} games to wait for: none is under way, call send() first")
        check_range("count", count, 1, most, beside=f"{most} games under way")

    def send(self, rows: Rows) -> None:
        """Note that games, intp[R], are under way from now on."""
        self._away[rows] = True
        self.playing = np.concatenate([self.playing, rows])

    def come_back(self, back: Bools) -> int:
        """Note which of the playing games are back, bool[R]; return how many are back in all."""
        self._back = np.concatenate([self._back, self.playing[back]])
        self.playing = self.playing[~back]
        return len(self._back)

    def receive(self, count: int) -> Rows:
        """intp[count], the games that came back first, ascending; they are under way no longer."""
        rows, self._back = np.sort(self._back[:count]), self._back[count:]
        self._away[rows] = False
        return rows

    def call_off(self, rows: Rows) -> None:
        """Note that games are not under way any more, if they were."""
        self._away[rows] = False
        self.playing = self.playing[self._away.take(self.playing)]
        self._back = self._back[self._away.take(self._back)]
