"""Graded features of all variants: live outs, and what the next player may hold and want."""

from collections.abc import Callable

import numpy as np

from rummy_env.core.arrays import Float32s, Int8s
from rummy_env.core.features import Graded
from rummy_env.core.visibility import SeatView
from rummy_env.melds.beliefs import chances_held
from rummy_env.melds.card_worth import chances_of_next, counts, meld_chances, outs

_QUARTER, _FOUR = np.float32(0.25), np.float32(4)


def card_worth_features(
    held: Callable[[SeatView], Int8s], *, faint: float, ace_high: bool
) -> list[Graded]:
    """Return the features.

    Args:
        held: From views to the cards that outs are counted for, int8[52, N].
        faint: The weight of melds that lack two cards, relative to those that lack one.
        ace_high: True if queen-king-ace is a sequence too.
    """

    def hopes(view: SeatView) -> Float32s:
        unseen = counts(view.unseen[:, 0])
        return outs(view.once(held), unseen, faint=faint, ace_high=ace_high) * _QUARTER

    def danger(view: SeatView) -> Float32s:
        return chances_of_next(view, ace_high=ace_high)

    def feared(view: SeatView) -> Float32s:
        return meld_chances(view.once(_held_by_next), ace_high=ace_high)

    live = "a quarter of the unseen cards that complete a meld with it and one of yours"
    given = "melds that seat +1 could make with it, as far as you can tell"
    return [
        Graded("outs", f"{live}, {faint} for two", hopes),
        Graded("danger", given, danger),
        Graded("likely", "4 times the chance that seat +1 holds it, by what it did", _likely),
        Graded("feared", "as danger, by these chances", feared),
    ]


def _held_by_next(view: SeatView) -> Float32s:
    return chances_held(view, view.next)


def _likely(view: SeatView) -> Float32s:
    return view.once(_held_by_next) * _FOUR
