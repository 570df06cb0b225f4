"""How deep cards lie in a discard pile that everybody remembers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import Words
from rummy_env.core.features import Plane
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView

ALL_DISCARDS = (2, 3, 4, 6, 8, 12, 16)
"""Depths that are told apart where the order of the pile matters."""
LAST_DISCARDS = (2, 3, 4, 6)
"""The same where only the last discards matter."""


@dataclass(frozen=True)
class _UpperCards:
    """The top discard, the upper two, three and so on, as sets.

    Attributes:
        deepest: The depth at which this ends.
    """

    deepest: int

    def __call__(self, view: SeatView) -> list[Words]:
        """uint64[N] for each depth."""
        size = np.bitwise_count(view.piled).sum(axis=1, dtype=np.intp)
        first = np.arange(len(view)) * view.pile.shape[1]
        found = [CODE_BIT.take(view.top)]
        for depth in range(2, self.deepest + 1):
            code = view.pile.reshape(-1).take(first + np.maximum(size - depth, 0))
            found.append(found[-1] | CODE_BIT.take(code))
        return found


def upper_discards(depths: Sequence[int]) -> list[Plane]:
    """Planes of the upper cards of the pile; only for rules in which the pile is known."""

    def upper(count: int) -> Callable[[SeatView], Words]:
        return lambda view: view.once(_UpperCards(depths[-1]))[count - 1]

    return [
        Plane(f"upper_{count}", f"it is among the top {count} discards", upper(count))
        for count in depths
    ]
