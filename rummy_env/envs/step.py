"""The outcome of the learner's decisions."""

from dataclasses import dataclass

from rummy_env.core.arrays import Bools, Float32s, Int32s, Rows


@dataclass(frozen=True)
class Step:
    """The outcome of one decision of the learner in each of B games, E of which ended.

    For games that were not asked for, it says that nothing happened.
    """

    rewards: Float32s
    """float32[B], all that the learner earned up to its next decision or the end."""
    terminated: Bools
    truncated: Bools
    """bool[B], True where a game was cut off; `terminated`, where it ended by the rules."""
    ended: Rows
    """intp[E], the games that ended, ascending; arrays of E entries are about these."""
    won: Bools
    """bool[E], True where the learner won, alone or with others."""
    scores: Int32s
    winners: Bools
    """bool[E, P], the winning seats; `scores`, int32[E, P], the points of every seat."""
    illegal: Rows
    """intp, the games in which the action was not legal and no error was raised."""
    seats: Rows
    """intp[E], the learner's seat."""
    returns: Float32s
    lengths: Int32s
    """int32[E], the decisions that the learner made; `returns`, float32[E], what it earned."""
    skipped: Int32s
    """int32[E, 2], how many games dealt in its place before ended without a decision of the
    learner, and how many of those the learner won."""
