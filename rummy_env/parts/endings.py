"""How hands end: by an empty hand, or by a claim of a seat."""

from collections.abc import Collection
from dataclasses import dataclass

from rummy_env.core.arrays import Bools, Integers
from rummy_env.core.checks import check_range
from rummy_env.core.fields import Field, Kind
from rummy_env.core.movers import Movers
from rummy_env.core.part import Ending
from rummy_env.core.rules import Rules
from rummy_env.core.state import State

CLAIM = Field("claim", Kind.NUMBER, "a claim that ends the hand, numbered by its part; 0 for none")
CLAIMANT = Field("claimant", Kind.SEAT, "the seat that made the claim", blank=-1)


def claim_hand(movers: Movers, what: int | Integers) -> None:
    """Record a claim of the movers that ends the hand; the scoring part knows its meaning."""
    movers.state.claim[movers.rows] = what
    movers.state.claimant[movers.rows] = movers.seat


def check_claim(state: State, rules: Rules, last: int, after: Collection[str] = ()) -> None:
    """Refuse impossible claims on a table laid by hand, B = 1.

    Claims are numbered up to `last`; `after` names the phases in which the hand continues then.

    Raises:
        ValueError: If nobody can have made the claim.
    """
    claim, claimant = int(state.claim[0]), int(state.claimant[0])
    check_range("claim", claim, 0, last)
    if (claim > 0) != (claimant >= 0):
        raise ValueError(f"claim={claim}, claimant={claimant}: a claim and its seat go together")
    if state.phase[0] < 0:
        return
    phase = rules.turn[state.phase[0]].name
    if claim and phase not in after:
        then = f"comes one of {', '.join(after)}" if after else "the game is finished"
        raise ValueError(f"claim={claim} in phase {phase!r}: after a claim {then}")
    if not claim and phase in after:
        raise ValueError(f"claim=0 in phase {phase!r}: give the claim, and its seat as `claimant`")


@dataclass(frozen=True)
class EmptiedHand(Ending):
    """The hand ends when the mover holds no more cards.

    Source: docs/rules/basic.md#going-out
    """

    lean = True

    def ends(self, movers: Movers) -> Bools:
        return movers.emptied()
