"""What follows from a hand that is to be declared, and is laborious to find out from its cards.

Hands are uint64[N, W] as a `SeatView` shows them: the first word has the cards held at least once,
the second those held twice. Stand-ins play no part here: `rummy_env.melds` counts them exactly.
"""

import numpy as np

from rummy_env.core.bits import ONE, Words, lean_on_one
from rummy_env.core.cards import ACES, KING, KINGS, REGULAR
from rummy_env.melds.patterns import fits_groups
from rummy_env.melds.rank_groups import ranks_held

_NOT_ACES, _NOT_KINGS = REGULAR & ~ACES, REGULAR & ~KINGS
_TO_ACE = np.uint64(KING)


@lean_on_one
def near(cards: Words) -> Words:
    """The cards at most two positions away from some of these cards, in their suit.

    Source: docs/rules/going_out.md#a-finished-hand
    """
    one_up, two_up, one_down, two_down = _neighbours(cards)
    return one_up | two_up | one_down | two_down


@lean_on_one
def beside_two(cards: Words) -> Words:
    """The cards that are a sequence of three with two of these cards.

    Source: docs/rules/going_out.md#a-finished-hand
    """
    one_up, two_up, one_down, two_down = _neighbours(cards)
    return (one_up & two_up) | (one_up & one_down & _NOT_ACES) | (one_down & two_down)


def _neighbours(cards: Words) -> tuple[Words, Words, Words, Words]:
    """The cards one above, two above, one below and two below; never beyond an ace."""
    up, down = cards << ONE & _NOT_ACES, cards >> ONE & _NOT_KINGS
    one_up = up | (cards & KINGS) >> _TO_ACE
    one_down = down | (cards & ACES) << _TO_ACE
    two_up = up << ONE & _NOT_ACES | (up & KINGS) >> _TO_ACE
    return one_up, two_up, one_down, one_down >> ONE & _NOT_KINGS


def of_rank(hands: Words, fewest: int) -> Words:
    """All cards of the ranks of which a hand has so many, equal cards counted.

    Args:
        hands: uint64[N, W].
        fewest: 2 or 3.

    Returns:
        uint64[N].
    """
    two, three = ranks_held(hands.T & REGULAR)
    return fits_groups(three if fewest == 3 else two)


def meldable(hands: Words, *, groups: bool) -> Words:
    """The cards of each hand that are in a meld of its regular cards.

    Args:
        hands: uint64[N, W].
        groups: Whether groups are melds.

    Returns:
        uint64[N].

    Source: docs/rules/going_out.md#a-finished-hand
    """
    cards = hands[:, 0] & REGULAR
    melded = beside_two(cards)
    return cards & (melded | of_rank(hands, 3) if groups else melded)


def wanted(hands: Words, *, groups: bool) -> Words:
    """The cards that would make a meld with two regular cards of each hand.

    Args:
        hands: uint64[N, W].
        groups: Whether groups are melds.

    Returns:
        uint64[N].

    Source: docs/rules/going_out.md#a-finished-hand
    """
    cards = hands[:, 0] & REGULAR
    found = beside_two(cards) & ~cards
    return found | of_rank(hands, 2) & ~hands[:, -1] if groups else found


def fitting_one(hands: Words, *, groups: bool) -> Words:
    """The cards that would make a meld with one regular card of each hand and a stand-in.

    Args:
        hands: uint64[N, W].
        groups: Whether groups are melds.

    Returns:
        uint64[N].

    Source: docs/rules/going_out.md#a-finished-hand
    """
    cards = hands[:, 0] & REGULAR
    found = near(cards) & ~cards
    return found | fits_groups(cards) & ~hands[:, -1] if groups else found
