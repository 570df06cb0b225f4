"""The value network of a model: by how much the seat to act will be ahead when the hand is over.

It is the critic that the model learned with, a network of its own. Whoever plays needs none; a
search asks it what a position is worth, in place of playing the hand out.
"""

from dataclasses import dataclass
from math import inf
from typing import Any, get_args

from rummy_env.baselines.networks import (
    MAX_UNITS,
    Arrays,
    Shapes,
    Wiring,
    relu_,
    trunk,
    trunk_shapes,
)
from rummy_env.core.arrays import Float32s
from rummy_env.core.checks import check_choice, check_number, check_range
from rummy_env.core.part import Counted
from rummy_env.views.features import Features


@dataclass(frozen=True)
class ValueNet:
    """The trunk of a `SuitNet`, a layer, and one number.

    Attributes:
        suit: Units for each suit, and of the layer behind the trunk.
        pooled: Units for all suits together.
        points: The points, or hands won, that a value of 1 stands for.
        counts: Which of these it is; see `rummy_env.parts.rewards.counted`.
    """

    suit: int = 96
    pooled: int = 192
    points: float = 1.0
    counts: Counted = "points"

    def __post_init__(self) -> None:
        for name in ("suit", "pooled"):
            check_range(name, getattr(self, name), 1, MAX_UNITS)
        check_number("points", self.points, "a number above 0", lambda n: 0 < n < inf)
        check_choice("counts", self.counts, get_args(Counted))

    def shapes(self, wired: Wiring) -> Shapes:
        """Return the shape of every array by its name."""
        return {
            **trunk_shapes(wired, self.suit, self.pooled),
            "last": (self.pooled, self.suit),
            "last_bias": (self.suit,),
            "value": (self.suit, 1),
            "value_bias": (1,),
        }

    def values(self, arrays: Arrays, wired: Wiring, observations: Features) -> Float32s:
        """Return float32[N], in points or hands won, from int8[N, F]."""
        cards, others, _ = wired.inputs(observations)
        given = {**arrays, **wired.constants}
        return self.forward(given, cards, others, relu=relu_)[:, 0] * self.points

    @staticmethod
    def forward(arrays: Any, cards: Any, others: Any, *, relu: Any) -> Any:
        """[N, 1], from `Wiring.inputs`; of NumPy or of PyTorch, as `SuitNet.forward`."""
        _, pooled = trunk(arrays, cards, others, relu=relu)
        last = relu(pooled @ arrays["last"] + arrays["last_bias"])
        return last @ arrays["value"] + arrays["value_bias"]
