"""Feature planes of the top cards of a discard pile that everybody remembers."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from rummy_env.core.bits import ZERO, Words, count_all
from rummy_env.core.features import Plane
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView

ALL_DISCARDS = (2, 3, 4, 6, 8, 12, 16)
"""The depths observed where the order of the whole pile matters."""
LAST_DISCARDS = (2, 3, 4, 6)
"""The depths observed where only the last discards matter."""


def upper_cards(view: SeatView, deepest: int) -> list[Words]:
    """Return the top discard, the top two, three and so on, as sets, `deepest` of uint64[N]."""
    pile, size = view.pile, count_all(view.piled).astype(np.intp)
    first = np.arange(size.size).reshape(size.shape) * pile.shape[-1]
    codes, sets = pile.reshape(-1), []
    upper = size.astype(np.uint64) & ZERO
    for depth in range(1, deepest + 1):
        upper = upper | CODE_BIT[codes[first + np.maximum(size - depth, 0)]]
        sets.append(upper)
    return sets


def upper_discards(depths: Sequence[int]) -> list[Plane]:
    """Return planes of the top cards of the pile; only for rules in which the pile is known."""
    cards = partial(upper_cards, deepest=depths[-1])

    def upper(count: int) -> Callable[[SeatView], Words]:
        return lambda view: view.once(cards)[count - 1]

    return [
        Plane(f"upper_{count}", f"it is among the top {count} discards", upper(count), lean=True)
        for count in depths
    ]
