"""The melds that a hand has, for people who ask to see them."""

from collections.abc import Sequence

import numpy as np

from rummy_env.core.cards import REGULAR
from rummy_env.core.part import Action
from rummy_env.core.table import table_groups, table_sequences
from rummy_env.core.visibility import SeatView
from rummy_env.melds import arrange, declaration_of
from rummy_env.melds.deadwood import MOST_CARDS
from rummy_env.melds.showdown import best_arrangement
from rummy_env.play.moves import GESTURES, TABLE
from rummy_env.views.scene import seat_scene

FEWEST = 3
"""Cards of a meld."""


def melds_in_hand(view: SeatView, legal: Sequence[Action] = ()) -> list[list[str]]:
    """Melds of the viewer's hand, N = 1, as the rules and the engine find them.

    Args:
        view: The view of a seat.
        legal: The actions that it could play now, among which laying melds down may be.
    """
    arranged = seat_scene(view, 0).seats[0].hand
    if arranged is not None and arranged.melds:
        return [[*meld] for meld in arranged.melds]
    laid = [a for a in legal if len(a.cards) >= FEWEST and _to_table(a)]
    if laid:
        return _apart(sorted(laid, key=lambda action: -len(action.cards)))
    return _finished(view) or _regular(view)


def _to_table(action: Action) -> bool:
    return GESTURES.get(action.kind, ("", ""))[1] == TABLE


def _apart(actions: Sequence[Action]) -> list[list[str]]:
    """The melds that share no card with one before."""
    used: set[str] = set()
    found = []
    for action in actions:
        if not used & {*action.cards}:
            used |= {*action.cards}
            found.append([*action.cards])
    return found


def _finished(view: SeatView) -> list[list[str]]:
    """The melds of a finished hand, where hands are declared."""
    try:
        declaration = declaration_of(view.rules)
    except ValueError:
        return []
    found = arrange(view.hand[0], declaration)
    return [] if found is None else [[*meld] for meld in found.melds]


def _regular(view: SeatView) -> list[list[str]]:
    """The melds of the regular cards with which the fewest points are left, aces low."""
    cards = np.bitwise_or.reduce(view.hand, axis=1) & REGULAR
    if int(np.bitwise_count(cards)[0]) > MOST_CARDS:
        return []
    found = best_arrangement(cards)
    groups = table_groups(int(found.grouped[0]))
    return groups + table_sequences(int(found.sequenced[0]), int(found.starts[0]))
