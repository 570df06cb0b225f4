"""What players remember of the discards: who discarded a card, and who left it on the pile.

Both tell observers what a hand probably does not hold.
"""

from collections.abc import Sequence

from rummy_env.core.arrays import UInt8s
from rummy_env.core.cards import REGULAR
from rummy_env.core.features import Detail, Feature, Plane, of_seat
from rummy_env.core.fields import Field, Kind
from rummy_env.core.movers import Movers
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT

DISCARDED = Field(
    "discarded", Kind.CARDS, "the regular cards that each seat has discarded", "P", of_pile=True
)
PASSED = Field(
    "passed", Kind.CARDS, "the regular top discards that each seat has not taken", "P", of_pile=True
)


def recall(field: Field, movers: Movers, codes: UInt8s) -> None:
    """Record a card of each mover, uint8[R], in one of the fields above."""
    at = movers.rows * movers.state.num_players + movers.seat
    movers.state.flat[field.name][at] |= CODE_BIT[codes] & REGULAR


def recall_features(rules: Rules) -> Sequence[Feature]:
    """Return planes of what the others have discarded and left on the pile."""
    found: list[Feature] = []
    for seat in range(1, rules.num_players):
        threw, left = f"seat +{seat} has discarded it", f"seat +{seat} has left it on the pile"
        for name, meaning in (("discarded", threw), ("passed", left)):
            if name in rules.seen_fields:
                cards = of_seat(name, seat)
                found.append(Plane(f"{name}_{seat}", meaning, cards, Detail.OUTS))
    return found
