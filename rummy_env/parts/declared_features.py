"""Observation where finished hands are declared."""

from collections.abc import Sequence
from functools import partial

from rummy_env.core.features import FLAG, Feature, Plane, Scalar, thermometer
from rummy_env.core.rules import Rules
from rummy_env.melds import patterns
from rummy_env.melds.declaration import Declaration
from rummy_env.parts.distances import FARTHEST, Distances
from rummy_env.parts.upper_discards import ALL_DISCARDS, upper_discards


def declared_features(rules: Rules, declaration: Declaration) -> Sequence[Feature]:
    """Planes and scalars of rules in which a finished hand is declared."""
    search = Distances(rules, declaration)
    least = "discarding it, of the regular cards, leaves your hand closest to finished"
    draws = "draws that your hand is short of finished, the next included, at least 1, 2 ..."
    helps = "to draw, you would be nearer with the top discard"
    return [
        *(upper_discards(ALL_DISCARDS) if rules.sight.pile_known else ()),
        *_own_known(rules),
        *_hand_planes(groups=not declaration.sequences_rummy),
        Plane("least", least, search.least, hint=True),
        Scalar("distance", draws, search.distance, thermometer(range(1, FARTHEST + 1)), hint=True),
        Scalar("top_helps", helps, search.top_helps, FLAG, hint=True),
    ]


def _own_known(rules: Rules) -> list[Plane]:
    """The cards of one's own that the others know of; with two packs also those held twice."""
    own = "everybody saw you take it from the pile, and you hold it"
    planes = [Plane("known_0", own, lambda v: v.known[:, 0, 0])]
    if rules.pack.decks > 1:
        twice = f"the same of both cards that look like it: {own}"
        planes.append(Plane("known_0_twice", twice, lambda v: v.known[:, 0, 1]))
    return planes


def _hand_planes(*, groups: bool) -> list[Plane]:
    """Planes of the hints about a hand, stand-ins left aside."""
    hint = partial(Plane, hint=True)
    held = "it is in a meld that you hold"
    close = "you hold it and another of its suit at most two away"
    paired = "you hold it and another of its rank"
    wanted = "it would make a meld with two of your cards"
    with_one = "it would make a meld with one of your cards and a stand-in"
    pairs = hint("paired", paired, lambda v: v.hand[:, 0] & patterns.of_rank(v.hand, 2))
    return [
        hint("meldable", held, lambda v: patterns.meldable(v.hand, groups=groups)),
        hint("close", close, lambda v: v.hand[:, 0] & patterns.near(v.hand[:, 0], ace_high=True)),
        *([pairs] if groups else []),
        hint("wanted", wanted, lambda v: patterns.wanted(v.hand, groups=groups)),
        hint("joining", with_one, lambda v: patterns.joining(v.hand, groups=groups)),
    ]
