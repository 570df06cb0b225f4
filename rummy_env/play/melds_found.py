"""The melds that a hand has, for people who ask to see them."""

from rummy_env.core.visibility import SeatView
from rummy_env.melds import arrange, declaration_of
from rummy_env.views.scene import seat_scene


def melds_in_hand(view: SeatView) -> list[list[str]]:
    """Find melds in the viewer's hand, N = 1: of a finished one as declared, else natural ones."""
    return _finished(view) or _natural(view)


def _finished(view: SeatView) -> list[list[str]]:
    """Return the melds of a finished hand, where hands are declared."""
    try:
        declaration = declaration_of(view.rules)
    except ValueError:
        return []
    found = arrange(view.hand[0], declaration)
    return [] if found is None else [[*meld] for meld in found.melds]


def _natural(view: SeatView) -> list[list[str]]:
    """Return the melds as pictures show them."""
    hand = seat_scene(view, 0).seats[0].hand
    return [] if hand is None else [[*meld] for meld in hand.melds]
