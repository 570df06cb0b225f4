"""What came out of a game."""

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from rummy_env.core.checks import check_choice
from rummy_env.core.engine import Engine

ENDS = ("finished", "cut off", "unfinished")
"""Ended by the rules; cut off by them; left before its end."""


@dataclass(frozen=True)
class Outcome:
    """How a game stood after its last action.

    Attributes:
        end: One of `ENDS`.
        winners: The seats that won the episode.
        scores: Points of each seat.
        rewards: Sum of each seat's rewards.
    """

    end: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    rewards: tuple[float, ...]

    def __post_init__(self) -> None:
        check_choice("end", self.end, ENDS)

    @classmethod
    def of(cls, engine: Engine, row: int, rewards: npt.NDArray[np.float64]) -> "Outcome":
        """How one game stands.

        Args:
            engine: The tables.
            row: Which game.
            rewards: float64[P], the sum of the rewards so far.
        """
        table = engine.snapshot(row)
        end = "cut off" if table["truncated"] else "finished" if table["finished"] else "unfinished"
        return cls(
            end=end,
            winners=tuple(table["winners"]),
            scores=tuple(table["scores"]),
            rewards=tuple(rewards.tolist()),
        )

    def departures(self, recorded: "Outcome") -> list[str]:
        """In what it is another than the recorded one, in words."""
        here, there = asdict(self), asdict(recorded)
        if np.allclose(self.rewards, recorded.rewards, atol=1e-5):
            here["rewards"] = there["rewards"]
        return [
            f"{key} is {here[key]!r}, recorded as {there[key]!r}"
            for key in here
            if here[key] != there[key]
        ]
