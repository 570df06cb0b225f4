"""How hands end: emptied, or claimed by a seat that says so."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rummy_env.core.bits import Bools
from rummy_env.core.fields import Field, Kind
from rummy_env.core.movers import Movers
from rummy_env.core.part import Ending

CLAIM = Field("claim", Kind.NUMBER, "a claim that ends the hand, numbered by its part; 0 for none")
CLAIMANT = Field("claimant", Kind.SEAT, "the seat that made the claim", blank=-1)


def claim_hand(movers: Movers, what: int | npt.NDArray[np.integer]) -> None:
    """The movers claim something that ends the hand; the part that scores it knows what."""
    movers.state.claim[movers.rows] = what
    movers.state.claimant[movers.rows] = movers.seat


@dataclass(frozen=True)
class EmptiedHand(Ending):
    """The hand ends when its mover holds no card any more.

    Source: docs/rules/basic.md#going-out
    """

    def ends(self, movers: Movers) -> Bools:
        return movers.emptied()
