"""Which hidden cards another player is likely to hold, by what everybody saw it do.

Who throws a card away, or leaves it on the pile, seldom keeps others near to it; who takes one from
the pile has some. How the weights were found: docs/decisions/0020-what-the-others-hold.md.
"""

import numpy as np

from rummy_env.core.bits import ZERO, Words
from rummy_env.core.cards import REGULAR
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import Planes, nearness, planes

THROWN, LEFT, TAKEN = -0.8, -0.5, 1.0
"""What a card near by adds to the logarithm of the odds that a hidden one is held."""

_STEPS = 20
"""All logarithms are whole numbers of this part of 1: cards near by count in halves."""
_MOST_NEAR = 6
_LOWEST = round(_STEPS * (THROWN + LEFT) * _MOST_NEAR)
_HIGHEST = round(_STEPS * TAKEN * _MOST_NEAR)
_ODDS: Planes = np.exp(np.arange(_LOWEST, _HIGHEST + 1) / _STEPS).astype(np.float32)
"""A table, for powers are not rounded alike in all batches."""


def odds_held(view: SeatView, seat: int) -> Planes:
    """float32[52, N], how likely a seat is to hold each regular card beside the others, 1 at first.

    Args:
        view: The view of N games.
        seat: A seat, counted from the viewer.
    """
    steps = _steps(_regular(view.known[:, seat]), TAKEN)
    for name, weight in (("discarded", THROWN), ("passed", LEFT)):
        if name in view.rules.seen_fields:  # where the pile is covered, nobody recalls them
            steps += _steps(getattr(view, name)[:, seat], weight)
    return _ODDS.take(steps.astype(np.intp) - _LOWEST)


def _steps(cards: Words, weight: float) -> Planes:
    """float32[52, N], what cards add to the logarithm, a whole number."""
    return nearness(planes(cards)) * np.float32(round(_STEPS * weight))


def chances_held(view: SeatView, seat: int) -> Planes:
    """float32[52, N], the chance that a seat holds each regular card, 1 for those it is known for.

    Every hidden card of a hand is taken for a regular one, each in proportion to its odds.
    """
    known, unseen = _regular(view.known[:, seat]), _regular(view.unseen)
    hidden = (view.hand_sizes[:, seat] - np.bitwise_count(known)).astype(np.float32)
    odds = odds_held(view, seat) * planes(unseen)
    # Summed in float64, whose rounding no batch can show in a float32.
    scale = hidden / np.maximum(odds.sum(axis=0, dtype=np.float64), 1e-9)
    chances = np.minimum(odds * scale, 1).astype(np.float32)
    return np.where(planes(known) > 0, np.float32(1), chances)


def _regular(cards: Words) -> Words:
    """uint64[N], the faces of the regular cards of sets, uint64[N, W]."""
    return np.bitwise_or.reduce(cards, axis=1, initial=ZERO) & REGULAR
