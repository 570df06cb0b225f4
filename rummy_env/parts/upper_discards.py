"""Feature planes of the top cards of a discard pile that everybody remembers."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from operator import or_

import numpy as np

from rummy_env.core.arrays import Words
from rummy_env.core.bits import count_all
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
    depths = range(1, deepest + 1)
    if size.ndim:
        first = np.arange(len(size)) * pile.shape[-1]
        found = [pile.take(first + np.maximum(size - depth, 0)) for depth in depths]
    else:
        found = [pile[max(int(size) - depth, 0)] for depth in depths]
    return list(accumulate((CODE_BIT[codes] for codes in found), or_))


def upper_discards(depths: Sequence[int]) -> list[Plane]:
    """Return planes of the top cards of the pile; only for rules in which the pile is known."""
    cards = partial(upper_cards, deepest=depths[-1])

    def upper(count: int) -> Callable[[SeatView], Words]:
        return lambda view: view.once(cards)[count - 1]

    return [
        Plane(f"upper_{count}", f"it is among the top {count} discards", upper(count))
        for count in depths
    ]
