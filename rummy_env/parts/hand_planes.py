"""What several families tell of the viewer's own hand, in the same words.

The words are part of the layouts of observations, which trained models depend on.
"""

from collections.abc import Callable
from typing import Any

from rummy_env.core.arrays import Int8s
from rummy_env.core.features import Detail, Plane
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import counts

TAKEN_IN_SIGHT = "everybody saw you take it from the pile, and you hold it"
MEANINGS = {
    "meldable": "it is in a meld that you hold",
    "close": "you hold it and another of its suit at most two away",
    "paired": "you hold it and another of its rank",
    "wanted": "it would make a meld with two of your cards",
    "joining": "it would make a meld with one of your cards and a stand-in",
}
"""The hints about a hand, by the names of their planes."""


def hand_hint(name: str, cards: Callable[[SeatView], Any]) -> Plane:
    """Return a hint about the hand; `cards` returns uint64[N]."""
    return Plane(name, MEANINGS[name], cards, detail=Detail.HINTS)


def taken_in_sight() -> Plane:
    """Return the plane of the cards that all others know the viewer to hold."""
    return Plane("known_0", TAKEN_IN_SIGHT, lambda v: v.known.T[0, 0])


def held(view: SeatView) -> Int8s:
    """Return the viewer's regular cards of the first deck, int8[52, N]."""
    return counts(view.hand[:, 0])
