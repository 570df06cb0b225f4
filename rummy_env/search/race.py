"""Finds the best move by trying moves out in the same worlds.

The result of a hand is mostly luck, but in the same world it is the same luck for every move. So
moves are compared by their differences, world by world. Those that are behind by more than chance
drop out, and the remaining worlds go to the others. One move of a race is the one to beat. It
stays to the end, so that the leader is compared with it in all worlds, not in a few that it lost.
"""

import numpy as np

from rummy_env.core.arrays import Bools, Floats, Rows
from rummy_env.core.checks import are_whole, check_number, check_range, shown

MOST_WORLDS = 1 << 14
"""The most worlds in which a move is tried out."""
FIRST = 8
"""Worlds in the first round of a race."""


def played_by_round(worlds: int) -> list[int]:
    """Return the worlds that have been played after each round of a race that goes through all."""
    played = [_after_next(0, worlds)]
    while played[-1] < worlds:
        played.append(_after_next(played[-1], worlds))
    return played


def _after_next(played: int, worlds: int) -> int:
    return min(max(2 * played, FIRST), worlds)


class Race:
    """N races at once, each between up to K moves.

    Attributes:
        running: bool[N, K], the moves that have not dropped out.
        played: Worlds in which the running moves have been tried out.
    """

    def __init__(
        self, entered: Bools, worlds: int, *, base: Rows | int = 0, drop: float = 2.0
    ) -> None:
        """Begin.

        Args:
            entered: bool[N, K], the moves that take part.
            worlds: The most worlds in which a move is tried out.
            base: intp[N], or one for all, the moves to beat, which never drop out: the worlds in
                which the others are compared with them must not be those that made them drop out.
            drop: Standard errors of the difference by which a move must be behind to drop out;
                infinite if none is to drop out.

        Raises:
            ValueError: If there is no world to play, `drop` is no number above 0, `entered` is not
                bool of two axes, or `base` names no move that takes part.
        """
        entered = np.asarray(entered)
        if entered.ndim != 2 or entered.dtype != np.bool_:
            raise ValueError(
                f"entered of shape {entered.shape} and dtype {entered.dtype}: give bool[N, K]"
            )
        check_range("worlds", worlds, 1, MOST_WORLDS)
        self._base = _as_base(base, entered)
        check_number("drop", drop, "standard errors above 0", lambda errors: errors > 0)
        self.running = entered.copy()
        self.played = 0
        self._counts = np.zeros(entered.shape, np.intp)
        self._worlds, self._drop = worlds, drop
        self._gains = np.zeros((*entered.shape, worlds), np.float32)

    @property
    def over(self) -> bool:
        """True if no race has moves left to compare, or all worlds have been played."""
        return self.played == self._worlds or not self._open.any()

    @property
    def _open(self) -> Bools:
        return self.running.sum(axis=1) > 1

    def next_round(self) -> tuple[Rows, Rows, Rows]:
        """Return the games of the next round, intp[M] each: the race, the move and the world."""
        played = _after_next(self.played, self._worlds)
        race, move = (self.running & self._open[:, None]).nonzero()
        count = played - self.played
        world = np.tile(np.arange(self.played, played), len(race))
        return race.repeat(count), move.repeat(count), world

    def note(self, race: Rows, move: Rows, world: Rows, gains: Floats) -> None:
        """Record the gains, float[M], from the games of a round, and let moves drop out.

        Raises:
            ValueError: If there is not one gain for each game, or one is no number.
        """
        if np.shape(gains) != world.shape:
            raise ValueError(
                f"gains of shape {np.shape(gains)}: give one per game, {world.shape}; of play_out, "
                f"those of the viewer, [:, 0]"
            )
        if not np.isfinite(gains).all():
            bad = int(np.isfinite(gains).argmin())
            raise ValueError(f"the gain of game {bad} is {gains[bad]}: give finite numbers")
        if not world.size:
            return
        self._gains[race, move, world] = gains
        self.played = int(world.max()) + 1
        self._counts[race, move] = self.played
        if self._drop == np.inf:
            return
        lead, error = self.ahead(self.leaders())
        behind = -lead > self._drop * error
        behind[np.arange(len(behind)), self._base] = False
        self.running &= ~behind

    def means(self) -> Floats:
        """float[N, K], the mean gain of each move in the worlds in which it was tried out."""
        return self._gains.sum(axis=2) / np.maximum(self._counts, 1)

    def leaders(self) -> Rows:
        """Return intp[N], the running move with the greatest mean."""
        return np.where(self.running, self.means(), -np.inf).argmax(axis=1)

    def ahead(self, moves: Rows) -> tuple[Floats, Floats]:
        """How far each move is ahead of a given one of its race, intp[N], and the standard error.

        Both are float[N, K], over the worlds in which both moves were tried out. The error is that
        of the mean of the differences, world by world.
        """
        rows = np.arange(len(moves))
        counts = np.minimum(self._counts, self._counts[rows, moves][:, None])
        both = np.arange(self.played) < counts[:, :, None]
        gains = self._gains[:, :, : self.played]
        ahead = np.where(both, gains - gains[rows, moves][:, None], 0)
        mean = ahead.sum(axis=2) / np.maximum(counts, 1)
        spread = np.where(both, (ahead - mean[:, :, None]) ** 2, 0).sum(axis=2)
        return mean, np.sqrt(spread / np.maximum(counts - 1, 1) / np.maximum(counts, 1))


def _as_base(base: Rows | int, entered: Bools) -> Rows:
    """Return the move to beat in each race, intp[N]; it takes part wherever any move does."""
    given, (races, moves) = np.asarray(base), entered.shape
    if given.shape not in ((), (races,)) or not are_whole(given):
        raise ValueError(f"base={shown(base)}: give the number of a move, or one for each race")
    found = np.broadcast_to(given, races).astype(np.intp)
    if not ((found >= 0) & (found < moves)).all():
        raise ValueError(f"base={shown(base)}: give the numbers of moves, below {moves}")
    absent = entered.any(axis=1) & ~entered[np.arange(races), found]
    if absent.any():
        race = int(absent.argmax())
        raise ValueError(
            f"base={found[race]} does not take part in race {race}: give one that does"
        )
    return found
