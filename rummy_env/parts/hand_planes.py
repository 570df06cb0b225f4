"""What several families tell of the viewer's own hand, in the same words.

The words are part of the layouts of observations, which trained models depend on.
"""

from collections.abc import Callable, Iterator
from typing import Any

from rummy_env.core.arrays import Int8s, Words
from rummy_env.core.features import Detail, Plane
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import counts

Sets = Callable[[SeatView], Words]
"""From views to sets of cards, uint64[W, N]."""
MEANINGS = {
    "meldable": "it is in a meld that you hold",
    "close": "you hold it and another of its suit at most two away",
    "paired": "you hold it and another of its rank",
    "wanted": "it would make a meld with two of your cards",
    "joining": "it would make a meld with one of your cards and a stand-in",
}
"""The hints about a hand, by the names of their planes."""


def sets_of_cards(rules: Rules, name: str, meaning: str, sets: Sets) -> Iterator[Plane]:
    """Yield a plane for the cards of a set; with two decks, also one for cards it has twice."""
    yield Plane(name, meaning, lambda v: sets(v)[0])
    if rules.pack.decks > 1:
        twice = f"the same of both cards that look like it: {meaning}"
        yield Plane(f"{name}_twice", twice, lambda v: sets(v)[1])


def hand_hint(name: str, cards: Callable[[SeatView], Any]) -> Plane:
    """Return a hint about the hand; `cards` returns uint64[N]."""
    return Plane(name, MEANINGS[name], cards, detail=Detail.HINTS)


def taken_in_sight(rules: Rules) -> Iterator[Plane]:
    """Yield the planes of the cards that all others know the viewer to hold."""
    meaning = "everybody saw you take it from the pile, and you hold it"
    yield from sets_of_cards(rules, "known_0", meaning, lambda v: v.known.T[:, 0])


def held(view: SeatView) -> Int8s:
    """Return the viewer's regular cards, of equal ones one, int8[52, N]."""
    return counts(view.hand[:, 0])
