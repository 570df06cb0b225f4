"""Cards that make melds with one or two cards of a hand; regular cards alone.

Hands are uint64[N, W] as a `SeatView` shows them: the first word has the cards held at least once,
the second those held twice. Stand-ins play no part here: `min_dist` counts them exactly.

    hand 5h 6h 9c 9d        wanted   4h 7h | 9h 9s          a meld with two of the cards
                            joining  3h 4h 7h 8h ...        a meld with one of them and a stand-in
"""

import numpy as np

from rummy_env.core.bits import ONE, Words, lean_on_one
from rummy_env.core.cards import ACES, KING, KINGS, REGULAR
from rummy_env.melds.patterns import completing_sequences, fits_groups
from rummy_env.melds.rank_groups import ranks_held

_NOT_ACES, _NOT_KINGS = REGULAR & ~ACES, REGULAR & ~KINGS
_TO_ACE = np.uint64(KING)


@lean_on_one
def near(cards: Words, *, ace_high: bool) -> Words:
    """The cards at most two positions away from some of these cards, in their suit; uint64[N].

    Source: docs/rules/going_out.md#a-finished-hand
    """
    up, down = cards << ONE & _NOT_ACES, cards >> ONE & _NOT_KINGS
    found: Words = up | up << ONE & _NOT_ACES | down
    if ace_high:
        # The high ace lies above the king, so seen from an ace king and queen are one and two down.
        down = down | (cards & ACES) << _TO_ACE
        found = found | down | ((cards | up) & KINGS) >> _TO_ACE
    return found | down >> ONE & _NOT_KINGS


def of_rank(hands: Words, fewest: int) -> Words:
    """All cards of the ranks of which a hand has some number of cards, equal cards counted.

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
    melded = completing_sequences(cards, ace_high=True)
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
    found = completing_sequences(cards, ace_high=True) & ~cards
    return found | of_rank(hands, 2) & ~hands[:, -1] if groups else found


def joining(hands: Words, *, groups: bool) -> Words:
    """The cards that would make a meld with one regular card of each hand and a stand-in.

    Args:
        hands: uint64[N, W].
        groups: Whether groups are melds.

    Returns:
        uint64[N].

    Source: docs/rules/going_out.md#a-finished-hand
    """
    cards = hands[:, 0] & REGULAR
    found = near(cards, ace_high=True) & ~cards
    return found | fits_groups(cards) & ~hands[:, -1] if groups else found
