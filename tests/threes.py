"""Melds of three cards, as sets of cards as text."""

from itertools import combinations

from tests.reference.cards import CARDS_OF_RANK, PACK, SUITS, line_of


def melds_of_three(*, ace_high: bool) -> list[frozenset[str]]:
    """Every meld of three cards."""
    groups = [three for cards in CARDS_OF_RANK.values() for three in combinations(cards, 3)]
    lines = [line_of(suit, "high_or_low" if ace_high else "low") for suit in SUITS]
    runs = [line[i : i + 3] for line in lines for i in range(len(line) - 2)]
    return [*map(frozenset, groups), *map(frozenset, runs)]


OTHER_TWO = {
    high: {card: [meld - {card} for meld in melds if card in meld] for card in PACK}
    for high in (False, True)
    for melds in [melds_of_three(ace_high=high)]
}
"""For each card, by whether aces are high, the other two of every meld of three with it."""
