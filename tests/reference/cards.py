"""Cards as text ("7h"), and the melds that can be made of them.

Source: rules.md section 1.
"""

from collections.abc import Iterable
from functools import cache

RANKS = "A23456789TJQK"
SUITS = "cdhs"
ACE_LOW = "low"
ACE_HIGH_OR_LOW = "high_or_low"

Cards = tuple[str, ...]

PACK: Cards = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards, suit by suit (c d h s), each from the ace up to the king."""

CARDS_OF_RANK: dict[str, Cards] = {rank: tuple(rank + suit for suit in SUITS) for rank in RANKS}


def rank_of(card: str) -> str:
    """The rank letter of a card."""
    return card[0]


def suit_of(card: str) -> str:
    """The suit letter of a card."""
    return card[1]


def parse(text: str) -> list[str]:
    """Cards written with spaces between them, "7c 7d 7h", as a list.

    Raises:
        ValueError: If a word is no card.
    """
    cards = text.split()
    for card in cards:
        if card not in PACK:
            raise ValueError(f"{card!r} is no card: write a rank of {RANKS} and a suit of {SUITS}")
    return cards


def is_group(meld: Cards) -> bool:
    """Whether a meld (known to be one) is a group: its cards are of one rank."""
    return rank_of(meld[0]) == rank_of(meld[1])


@cache
def line_of(suit: str, ace: str) -> Cards:
    """One suit in ascending order; where the ace is high as well, it stands at both ends.

    Source: rules.md section 1 (`ace`); never round the corner.
    """
    line = tuple(rank + suit for rank in RANKS)
    return (*line, "A" + suit) if ace == ACE_HIGH_OR_LOW else line


@cache
def sequences_from(first: str, ace: str) -> tuple[Cards, ...]:
    """Every sequence whose lowest card is `first`, shorter ones before longer ones.

    No sequence holds the one ace of its suit twice, so none has more than 13 cards.
    """
    line = line_of(suit_of(first), ace)
    start = line.index(first)
    ends = range(start + 3, min(len(line), start + len(RANKS)) + 1)
    return tuple(line[start:end] for end in ends)


def groups_in(hand: frozenset[str]) -> list[Cards]:
    """Every group of three or four cards of one rank that the hand holds, suits in order."""
    groups = []
    for cards in CARDS_OF_RANK.values():
        held = tuple(card for card in cards if card in hand)
        if len(held) >= 3:
            groups.append(held)
        if len(held) == 4:
            groups += [held[:i] + held[i + 1 :] for i in range(4)]
    return groups


def sequences_in(hand: frozenset[str], ace: str) -> list[Cards]:
    """Every sequence of three or more cards that the hand holds, cards ascending."""
    sequences = []
    for first in hand:
        for sequence in sequences_from(first, ace):
            if not hand.issuperset(sequence):
                break  # the longer ones hold the missing card as well
            sequences.append(sequence)
    return sequences


def start_of(sequence: Cards, ace: str) -> int:
    """Where on the line of its suit a sequence begins: 0 for an ace, 1 for a 2 and so on."""
    return line_of(suit_of(sequence[0]), ace).index(sequence[0])


@cache
def neighbours(sequence: Cards, ace: str) -> tuple[str | None, str | None]:
    """The card that continues a sequence downwards and the one that continues it upwards.

    Beside a whole suit that is an ace which already lies in it, so that nobody can hold it.
    """
    line = line_of(suit_of(sequence[0]), ace)
    start = start_of(sequence, ace)
    end = start + len(sequence)
    below = line[start - 1] if start > 0 else None
    above = line[end] if end < len(line) else None
    return below, above


def check_distinct(cards: Iterable[str]) -> None:
    """Raise ValueError where a text is no card or a card occurs twice."""
    seen: set[str] = set()
    for card in cards:
        if card not in PACK:
            raise ValueError(f"{card!r} is no card: write a rank of {RANKS} and a suit of {SUITS}")
        if card in seen:
            raise ValueError(f"the card {card} lies in two places; there is one of each")
        seen.add(card)
