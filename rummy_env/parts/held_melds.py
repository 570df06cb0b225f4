"""The melds held in a hand, for pictures and text."""

from collections import Counter

import numpy as np

from rummy_env.core.arrays import Words
from rummy_env.core.cards import REGULAR
from rummy_env.core.display import Cards, Hand
from rummy_env.core.table import table_groups, table_sequences
from rummy_env.core.visibility import SeatView
from rummy_env.melds.deadwood import MOST_CARDS
from rummy_env.melds.showdown import Melded, best_arrangement


def melds_of(hand: Melded) -> tuple[Cards, ...]:
    """Return the melds of a hand, N = 1: groups by rank, then sequences by suit."""
    melds = table_groups(int(hand.grouped[0]))
    melds += table_sequences(int(hand.sequenced[0]), int(hand.starts[0]))
    return tuple(map(tuple, melds))


def held_melds(view: SeatView, seat: int, cards: Words, *, ace_high: bool) -> Hand | None:
    """Arrange a hand with its melds of natural cards together, as a player would hold it.

    Args:
        view: The view of a seat of one game, N = 1.
        seat: The seat of the hand, counted from the viewer.
        cards: uint64[W], the cards of the hand that lie open.
        ace_high: True if an ace may lie above a king as well as below a two.

    Returns:
        The arranged hand; None if some cards are hidden, if there are too many to divide quickly,
        or if the hand holds no meld.
    """
    size = np.bitwise_count(cards).sum()
    if size < view.hand_sizes[0, seat] or size > MOST_CARDS:
        return None
    different = np.bitwise_or.reduce(cards, keepdims=True) & REGULAR
    melds = melds_of(best_arrangement(different))
    left = Counter(view.rules.pack.texts(cards)) - Counter(card for meld in melds for card in meld)
    if ace_high:
        melds = _with_high_aces(melds, left)
    if not melds:
        return None
    return Hand(tuple(left.elements()), melds=melds)


def _with_high_aces(melds: tuple[Cards, ...], left: Counter[str]) -> tuple[Cards, ...]:
    """Add aces above kings to the melds, taking them from the cards left."""
    ending = {meld[-1]: meld for meld in melds if meld[0][1] == meld[-1][1]}
    for ace in [card for card in left if card[0] == "A"]:
        queen, king = f"Q{ace[1]}", f"K{ace[1]}"
        if king in ending:
            longer = (*ending[king], ace)
            melds = tuple(longer if meld == ending[king] else meld for meld in melds)
            left[ace] -= 1
        elif left[queen] and left[king]:
            melds = (*melds, (queen, king, ace))
            left.subtract(melds[-1])
    return melds
