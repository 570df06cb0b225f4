"""The melds on the table, as sets of cards.

Groups are a set of their cards. Sequences are a set of their cards and one of their lowest
cards, so that neighbours are told apart. An ace above a king has a mark of its own.
"""

import numpy as np

from rummy_env.core.arrays import Words
from rummy_env.core.bits import ONE, positions, word
from rummy_env.core.cards import (
    KING,
    NUM_RANKS,
    NUM_REGULAR,
    REGULAR,
    REGULAR_BITS,
    SUITS,
    regular_text,
)
from rummy_env.core.one_or_many import any_set

HIGH_ACES = word(range(NUM_REGULAR, NUM_REGULAR + 4))
"""Among cards laid down as sequences: the aces that lie above a king, clubs to spades."""


def sequence_cards(start: int, length: int) -> list[int]:
    """Return the bits of a sequence's cards, ascending; after the king comes the suit's ace."""
    suit, rank = divmod(start, NUM_RANKS)
    return [NUM_RANKS * suit + (rank + i) % NUM_RANKS for i in range(length)]


def as_laid(bits: list[int]) -> np.uint64:
    """Mark a sequence's cards as on the table: an ace above a king among `HIGH_ACES`."""
    suit, rank = divmod(bits[-1], NUM_RANKS)
    if rank == 0:
        return word([*bits[:-1], NUM_REGULAR + suit])
    return word(bits)


def flat_sequences(sequenced: Words) -> Words:
    """uint64[N], the cards of `State.sequenced`, uint64[N], high aces among the other aces."""
    cards = sequenced & REGULAR
    if not any_set(sequenced & HIGH_ACES):
        return cards
    high = (sequenced & HIGH_ACES) >> REGULAR_BITS
    for suit in range(4):
        cards = cards | ((high >> np.uint64(suit)) & ONE) << np.uint64(NUM_RANKS * suit)
    return cards


def table_groups(grouped: int) -> list[list[str]]:
    """Return the groups on the table, by rank."""
    ranks: dict[int, list[str]] = {}
    for bit in positions(grouped):
        ranks.setdefault(bit % NUM_RANKS, []).append(regular_text(bit))
    return [ranks[rank] for rank in sorted(ranks)]


def table_sequences(sequenced: int, starts: int) -> list[list[str]]:
    """Return the sequences on the table, by suit and lowest card."""
    found: list[list[str]] = []
    for suit in range(len(SUITS)):
        for rank in range(NUM_RANKS):
            bit = NUM_RANKS * suit + rank
            if sequenced >> bit & 1:
                if starts >> bit & 1:
                    found.append([])
                found[-1].append(regular_text(bit))
                if rank == KING and sequenced >> (NUM_REGULAR + suit) & 1:
                    found[-1].append(regular_text(NUM_RANKS * suit))
    return found
