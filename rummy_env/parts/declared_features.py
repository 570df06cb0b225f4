"""What is observed where finished hands are declared."""

from collections.abc import Callable, Sequence

from rummy_env.core.bits import Words
from rummy_env.core.features import FLAG, Feature, Plane, Scalar, thermometer
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.melds import near_melds
from rummy_env.melds.declaration import Declaration
from rummy_env.parts.distances import FARTHEST, Distances
from rummy_env.parts.upper_discards import ALL_DISCARDS, upper_discards


def declared_features(rules: Rules, declaration: Declaration) -> Sequence[Feature]:
    """Planes and scalars of rules in which a finished hand is declared.

    Args:
        rules: The rules.
        declaration: What a finished hand is.
    """
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
    """What follows from the cards of a hand, stand-ins left aside."""

    def plane(name: str, meaning: str, cards: Callable[[SeatView], Words]) -> Plane:
        return Plane(name, meaning, cards, hint=True)

    def held(cards: Callable[[SeatView], Words]) -> Callable[[SeatView], Words]:
        return lambda view: view.hand[:, 0] & cards(view)

    near = held(lambda view: near_melds.near(view.hand[:, 0], ace_high=True))
    pairs = held(lambda view: near_melds.of_rank(view.hand, 2))
    with_one = "it would make a meld with one of your cards and a stand-in"
    return [
        plane(
            "meldable",
            "it is in a meld that you hold",
            lambda view: near_melds.meldable(view.hand, groups=groups),
        ),
        plane("close", "you hold it and another of its suit at most two away", near),
        *([plane("paired", "you hold it and another of its rank", pairs)] if groups else []),
        plane(
            "wanted",
            "it would make a meld with two of your cards",
            lambda view: near_melds.wanted(view.hand, groups=groups),
        ),
        plane("joining", with_one, lambda view: near_melds.joining(view.hand, groups=groups)),
    ]
