"""Claims: what a seat says to end the hand, and who says it."""

import numpy as np
import numpy.typing as npt

from rummy_env.core.fields import Field, Kind
from rummy_env.core.turn import Turn

CLAIM = Field("claim", Kind.NUMBER, "a claim that ends the hand, numbered by its part; 0 for none")
CLAIMANT = Field("claimant", Kind.SEAT, "the seat that made the claim", blank=-1)


def claim_hand(turn: Turn, what: int | npt.NDArray[np.integer]) -> None:
    """The movers claim something that ends the hand; the part that scores it knows what."""
    turn.state.claim[turn.rows] = what
    turn.state.claimant[turn.rows] = turn.seat
