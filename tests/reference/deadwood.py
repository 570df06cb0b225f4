"""Deadwood, knocking and laying off, by trying everything.

A hand is a set of cards as text. Every meld there is is listed; each card of a hand is in one of
them or left. Lay-offs are tried one after another, on melds that lie on the table as sets.

Source: rules.md section 6.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tests.reference.cards import CARDS_OF_RANK, RANKS, SUITS

Hand = frozenset[str]
Table = frozenset[Hand]

POINTS = {rank: min(number, 10) for number, rank in enumerate(RANKS, start=1)}
"""Ace 1, J Q K 10, the others their number."""

SEQUENCES: frozenset[Hand] = frozenset(
    frozenset(rank + suit for rank in RANKS[start:end])
    for suit in SUITS
    for start in range(len(RANKS))
    for end in range(start + 3, len(RANKS) + 1)
)
GROUPS: frozenset[Hand] = frozenset(
    frozenset(cards)
    for of_rank in CARDS_OF_RANK.values()
    for size in (3, 4)
    for cards in combinations(of_rank, size)
)
MELDS = SEQUENCES | GROUPS
"""Every meld there is; the ace is low."""


class Points(NamedTuple):
    """What both sides are left with after a knock."""

    knocker: int
    defender: int


def points(cards: Hand) -> int:
    """What cards are worth together."""
    return sum(POINTS[card[0]] for card in cards)


def divisions(hand: Hand) -> Iterator[tuple[Table, Hand]]:
    """Every way to meld some cards of a hand: the melds, and the cards left."""
    held = [meld for meld in MELDS if meld <= hand]
    in_none = hand.difference(*held)
    for melds, left in _divisions(hand - in_none, held):
        yield melds, left | in_none


def _divisions(hand: Hand, held: list[Hand]) -> Iterator[tuple[Table, Hand]]:
    if not hand:
        yield frozenset(), hand
        return
    card = min(hand)
    without = [meld for meld in held if card not in meld]
    for melds, left in _divisions(hand - {card}, without):
        yield melds, left | {card}
    for meld in held:
        if card in meld:
            apart = [other for other in without if not other & meld]
            for melds, left in _divisions(hand - meld, apart):
                yield melds | {meld}, left


@lru_cache(maxsize=10_000)
def deadwood(hand: Hand) -> int:
    """The least points that can be left."""
    return min(points(left) for _, left in divisions(hand))


def knockable(hand: Hand, limit: int) -> set[str]:
    """The cards whose discard leaves so many points or fewer."""
    return {card for card in hand if deadwood(hand - {card}) <= limit}


def lay_offs(table: Table, hand: Hand) -> set[tuple[Table, Hand]]:
    """The melds on the table and the hand after every possible series of lay-offs, also none."""
    reached, waiting = set(), [(table, hand)]
    while waiting:
        state = waiting.pop()
        if state not in reached:
            reached.add(state)
            melds, held = state
            waiting += [
                (melds - {meld} | {meld | {card}}, held - {card})
                for meld in melds
                for card in held
                if meld | {card} in MELDS
            ]
    return reached


def defended(table: Table, hand: Hand) -> int:
    """The least points that a defender can be left with against melds on the table."""
    return min(deadwood(held) for _, held in lay_offs(table, hand))


def tables(hand: Hand, limit: int) -> dict[Table, int]:
    """All that may be laid down with so many points left or fewer, and the points left.

    Melds may be broken into parts, or stay in the hand.
    """
    return {melds: points(left) for melds, left in divisions(hand) if points(left) <= limit}


def showdown(knocker: Hand, defender: Hand, *, lay_off: bool, limit: int) -> Points:
    """The points left when the knocker lays down what brings most, of equals what leaves least.

    Source: rules.md section 6 (the defender lays off on the knocker's melds unless it is gin).
    """
    shown = [
        Points(own, defended(melds, defender) if lay_off else deadwood(defender))
        for melds, own in tables(knocker, limit).items()
    ]
    return max(shown, key=lambda left: (left.defender - left.knocker, -left.knocker))
