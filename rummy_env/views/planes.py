"""The sets of cards in an observation, by the rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rummy_env.core.bits import Words
from rummy_env.core.rules import Rules
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView
from rummy_env.melds import near_melds
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.patterns import completing, fits_groups, fits_sequences, in_melds
from rummy_env.parts.declaring import GoOut
from rummy_env.parts.knocking import Knock
from rummy_env.parts.melding import Melding, Play
from rummy_env.parts.restocking import HandEnds, TurnOver
from rummy_env.views.distances import Distances
from rummy_env.views.encoding import Plane
from rummy_env.views.knocking import knocking_planes

UPPER_DISCARDS = (2, 3, 4, 6, 8, 12, 16)
"""How deep a card lies in a pile whose order matters is told in these steps."""
LAST_DISCARDS = (2, 3, 4, 6)
"""The same where only the last discards matter."""

Sets = Callable[[SeatView], Words]
"""From views to sets of cards, uint64[N, W]."""


def planes_of(rules: Rules) -> tuple[Plane, ...]:
    """All planes, in order."""
    meldings = [move.melding for move in rules.moves() if isinstance(move, Play)]
    declarations = [move.declaration for move in rules.moves() if isinstance(move, GoOut)]
    knocks = any(isinstance(move, Knock) for move in rules.moves())
    depths = UPPER_DISCARDS if declarations else LAST_DISCARDS if knocks else ()
    planes = [
        *_sets(rules, "hand", "the card is in your hand", lambda v: v.hand),
        Plane("top", "it is the top discard", lambda v: CODE_BIT.take(v.top)),
        Plane("taken", "it was taken from the discard pile in this turn", _taken),
        *_pile_planes(rules, depths),
    ]
    if meldings:
        planes.append(Plane("groups", "it lies in a group on the table", lambda v: v.grouped))
        planes.append(Plane("sequences", "it lies in a sequence on the table", _sequences))
    if declarations or knocks:
        own = "everybody saw you take it from the pile, and you hold it"
        planes += _sets(rules, "known_0", own, _known(0))
    for seat in range(1, rules.num_players):
        taken = f"seat +{seat} took it from the pile and holds it"
        planes += _sets(rules, f"known_{seat}", taken, _known(seat))
    planes += [_fits(melding) for melding in meldings[:1] if melding.lay_off]
    if knocks:
        planes += knocking_planes()
    else:
        planes += [plane for melding in meldings[:1] for plane in _table_planes(melding)]
    for declaration in declarations:
        least = "discarding it, of the regular cards, leaves your hand closest to finished"
        planes += _hand_planes(declaration)
        planes.append(Plane("least", least, Distances(rules, declaration).least))
    if isinstance(rules.restocking, TurnOver):
        planes.append(Plane("next", "it is the next card of a stock turned over", _next_of_stock))
    return tuple(planes)


def _sets(rules: Rules, name: str, meaning: str, sets: Sets) -> list[Plane]:
    """A plane for the cards of a set, and with two packs another for those that are in it twice."""
    planes = [Plane(name, meaning, lambda v: sets(v)[:, 0])]
    if rules.pack.decks > 1:
        twice = f"the same of both cards that look like it: {meaning}"
        planes.append(Plane(f"{name}_twice", twice, lambda v: sets(v)[:, 1]))
    return planes


def _pile_planes(rules: Rules, depths: Sequence[int]) -> list[Plane]:
    """What is known of the discard pile and of those that came before it.

    Args:
        rules: The rules.
        depths: Where the order matters, how many of the upper cards are told apart.
    """
    if not rules.sight.pile_known:
        return []
    planes = _sets(rules, "pile", "it lies in the discard pile", lambda v: v.piled)
    planes += [
        Plane(f"upper_{count}", f"it is among the top {count} discards", _upper(count, depths[-1]))
        for count in depths
    ]
    if not isinstance(rules.restocking, HandEnds):
        back = "it went back into the stock, not seen by you since"
        planes += _sets(rules, "returned", back, lambda v: v.returned)
    return planes


def _fits(melding: Melding) -> Plane:
    """The cards that can be laid off, whoever holds them."""

    def fits(view: SeatView) -> Words:
        on_sequences = fits_sequences(view.sequenced, ace_high=melding.ace_high)
        return (fits_groups(view.grouped) | on_sequences) & ~view.on_table

    return Plane("fits", "it fits a meld on the table", fits)


def _table_planes(melding: Melding) -> list[Plane]:
    """What follows from the hand where melds are laid on the table in every turn."""
    high = melding.ace_high

    def meldable(view: SeatView) -> Words:
        return in_melds(view.hand[:, 0], ace_high=high)

    def wanted(view: SeatView) -> Words:
        return completing(view.hand[:, 0], ace_high=high)

    return [
        Plane("meldable", "it is in a meld that you hold", meldable),
        Plane("wanted", "it would make a meld with two of your cards", wanted),
    ]


def _hand_planes(declaration: Declaration) -> list[Plane]:
    """What follows from the hand where finished hands are declared; stand-ins left aside."""
    groups = not declaration.sequences_rummy

    def meldable(view: SeatView) -> Words:
        return near_melds.meldable(view.hand, groups=groups)

    def close(view: SeatView) -> Words:
        return view.hand[:, 0] & near_melds.near(view.hand[:, 0], ace_high=True)

    def paired(view: SeatView) -> Words:
        return view.hand[:, 0] & near_melds.of_rank(view.hand, 2)

    def wanted(view: SeatView) -> Words:
        return near_melds.wanted(view.hand, groups=groups)

    def joining(view: SeatView) -> Words:
        return near_melds.joining(view.hand, groups=groups)

    with_one = "it would make a meld with one of your cards and a stand-in"
    return [
        Plane("meldable", "it is in a meld that you hold", meldable),
        Plane("close", "you hold it and another of its suit at most two away", close),
        *([Plane("paired", "you hold it and another of its rank", paired)] if groups else []),
        Plane("wanted", "it would make a meld with two of your cards", wanted),
        Plane("joining", with_one, joining),
    ]


def _taken(view: SeatView) -> Words:
    return CODE_BIT.take(view.taken)


def _sequences(view: SeatView) -> Words:
    return view.sequenced


def _known(seat: int) -> Sets:
    return lambda view: view.known[:, seat]


@dataclass(frozen=True)
class _UpperCards:
    """The top discard, the upper two, three and so on, as sets.

    Attributes:
        deepest: Down to which depth.
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


def _upper(count: int, deepest: int) -> Callable[[SeatView], Words]:
    return lambda view: view.once(_UpperCards(deepest))[count - 1]


def _next_of_stock(view: SeatView) -> Words:
    return CODE_BIT.take(view.stock[:, 0])
