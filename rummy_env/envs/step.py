"""The outcome of the learner's decisions."""

from dataclasses import dataclass, replace
from typing import Any

from rummy_env.core.arrays import Array, Bools, Float32s, Int32s, Rows


@dataclass(frozen=True)
class Step:
    """The outcome of one decision of the learner in each of B games, E of which ended.

    For games that were not asked for, it says that nothing happened.

    Attributes:
        rewards: float32[B], all that the learner earned up to its next decision or the end.
        terminated: bool[B], True where a game ended by the rules.
        truncated: bool[B], True where it was cut off.
        ended: intp[E], the games that ended, ascending; arrays of E entries are about these.
        won: bool[E], True where the learner won, alone or with others.
        ending: object[E], how its last hand ended, as `Engine.how_ended` has it, or
            `"illegal action"`.
        scores: int32[E, P], the points of every seat.
        winners: bool[E, P], the winning seats.
        illegal: intp[I], the games in which the action was not legal and no error was raised.
        instead: intp[I], the actions that were played in their place; -1 if none was.
        seats: intp[E], the learner's seat.
        returns: float32[E], what the learner earned.
        lengths: int32[E], the decisions that it made.
        skipped: int32[E, 2], how many games dealt in its place before ended without a decision of
            the learner, and how many of those the learner won.
        agents: object[E, P], the names of the players, by seat: `"learner"`, and the opponents'.
    """

    rewards: Float32s
    terminated: Bools
    truncated: Bools
    ended: Rows
    won: Bools
    ending: Array
    scores: Int32s
    winners: Bools
    illegal: Rows
    instead: Rows
    seats: Rows
    returns: Float32s
    lengths: Int32s
    skipped: Int32s
    agents: Array

    @property
    def replaced(self) -> Bools:
        """bool[I], True where another action was played in place of the illegal one."""
        return self.instead >= 0

    def infos(self) -> dict[str, Array]:
        """Return the infos of the games that ended, arrays of E entries.

        `is_success` is what Stable-Baselines3 logs.
        """
        names = ("won", "ending", "scores", "winners", "skipped", "agents")
        return {name: getattr(self, name) for name in names} | {"is_success": self.won}

    def info(self, item: int) -> dict[str, Any]:
        """Return the infos of one of the games that ended, by its place among them."""
        won = bool(self.won[item])
        found = {name: values[item] for name, values in self.infos().items()}
        return found | {"won": won, "is_success": won}

    def only(self, ended: Rows, illegal: Bools) -> "Step":
        """Return it for other `ended` games, and for some of the illegal actions, bool[I]."""
        return replace(
            self, ended=ended, illegal=self.illegal[illegal], instead=self.instead[illegal]
        )
