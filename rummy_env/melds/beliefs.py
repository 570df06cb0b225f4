"""Estimates of which hidden cards another player holds, from what everybody saw it do.

A player who discards a card, or leaves it on the pile, seldom keeps cards near it; a player who
takes one from the pile does. For the weights, see docs/decisions/0020-what-the-others-hold.md.
"""

import numpy as np

from rummy_env.core.arrays import Float32s, Int16s, Words
from rummy_env.core.visibility import SeatIndex, SeatView
from rummy_env.melds.card_worth import counts, nearness, regular

THROWN, LEFT, TAKEN = -0.8, -0.5, 1.0
"""What a nearby card adds to the log odds that a hidden card is held."""

_STEPS = 20
"""Log odds are whole multiples of 1 / `_STEPS`, even though nearby cards may count as halves."""
_MOST_NEAR = 6
_LOWEST = round(_STEPS * (THROWN + LEFT) * _MOST_NEAR)
_HIGHEST = round(_STEPS * TAKEN * _MOST_NEAR)
_ODDS: Float32s = np.exp(np.arange(_LOWEST, _HIGHEST + 1) / _STEPS).astype(np.float32)
"""A table, because `np.exp` may round differently in batches of different sizes."""


def odds_held(view: SeatView, seat: SeatIndex) -> Float32s:
    """Return the relative odds that a seat holds each regular card, float32[52, N]; 1 at first.

    Args:
        view: The view of N games.
        seat: A seat of each, such as `view.next`.
    """
    steps = _steps(regular(view.known[seat]), TAKEN)
    for name, weight in (("discarded", THROWN), ("passed", LEFT)):
        if name in view.rules.seen_fields:  # not if the pile is covered
            steps += _steps(getattr(view, name)[seat], weight)
    return _ODDS.take(steps - np.intp(_LOWEST))


def _steps(cards: Words, weight: float) -> Int16s:
    """Return what cards add to the log odds, int16[52, N], as a whole number of steps."""
    return nearness(counts(cards)) * np.int16(round(_STEPS / 2 * weight))


def chances_held(view: SeatView, seat: SeatIndex) -> Float32s:
    """Return the chance that a seat holds each regular card, float32[52, N]; 1 for known cards.

    Every hidden card of a hand is assumed to be a regular one, each in proportion to its odds.
    """
    known, unseen = regular(view.known[seat]), regular(view.unseen)
    hidden = (view.hand_sizes[seat] - np.bitwise_count(known)).astype(np.float32)
    chances = odds_held(view, seat)
    chances *= counts(unseen)
    # In float64, so that rounding that depends on the batch vanishes in the float32.
    scale = hidden / np.maximum(chances.sum(axis=0, dtype=np.float64), 1e-9)
    np.multiply(chances, scale, out=chances, casting="same_kind")
    np.minimum(chances, np.float32(1), out=chances)
    return np.maximum(chances, counts(known), out=chances)
