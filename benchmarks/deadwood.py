"""Hands of gin judged a second: least deadwood, discards, knocking and showdowns, on one core.

python -m benchmarks.deadwood --seconds 2

Knocks are hands that greedy play has just made good enough to knock, as in real games; the others
are shown with whatever deadwood they have.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.flags import asked
from benchmarks.rates import judged
from rummy_env.command_line import plain_errors
from rummy_env.core.arrays import Int16s, Words
from rummy_env.core.bits import BIT, ZERO
from rummy_env.core.cards import NUM_RANKS, NUM_REGULAR
from rummy_env.melds.deadwood import deadwood
from rummy_env.melds.discards import Discards, knockable
from rummy_env.melds.showdown import showdown

HAND_SIZE = 10
KNOCK_LIMIT = 10


@dataclass(frozen=True)
class Settings:
    """What to measure.

    Attributes:
        hands: Hands in a batch, several batches one after the other.
        seconds: Length of each of five stretches of time.
        seed: Of the hands.
    """

    hands: tuple[int, ...] = (1, 4_096, 65_536)
    seconds: float = 0.5
    seed: int = 0


Deals = tuple[Words, Words]
"""Two uint64[N], hands of eleven cards (the player to discard) and of ten."""


def random_deals(count: int, rng: np.random.Generator) -> Deals:
    """Hands of a whole pack, all equally likely."""
    return _dealt(np.broadcast_to(np.arange(NUM_REGULAR), (count, NUM_REGULAR)), rng)


def near_melded_deals(count: int, rng: np.random.Generator) -> Deals:
    """Hands of six neighbouring ranks alone, in which melds and lay-offs abound."""
    cards = np.arange(6)[:, None] + NUM_RANKS * np.arange(4)
    lowest = rng.integers(NUM_RANKS - 5, size=(count, 1))
    return _dealt(lowest + cards.reshape(-1), rng)


def knocking_deals(count: int, rng: np.random.Generator) -> Deals:
    """Hands of eleven that can knock for the first time, the others random.

    Cards come from the stock alone, and the discard is the one that leaves the least deadwood.
    """
    packs = BIT[rng.permuted(np.tile(np.arange(NUM_REGULAR), (2 * count, 1)), axis=1)]
    hands, others = (
        np.bitwise_or.reduce(packs[:, i : i + HAND_SIZE], axis=1) for i in (0, HAND_SIZE)
    )
    can_knock = np.zeros(len(packs), bool)
    for turn in range(2 * HAND_SIZE, NUM_REGULAR):
        rows = (~can_knock).nonzero()[0]
        hands[rows] |= packs[rows, turn]
        after = Discards(hands[rows]).each
        can_knock[rows] = after.min(axis=1) <= KNOCK_LIMIT
        hands[rows] ^= np.where(can_knock[rows], ZERO, _cheapest(after))
    return hands[can_knock][:count], others[can_knock][:count]


def _cheapest(after: Int16s) -> Words:
    """uint64[N], the card whose discard leaves the least deadwood; `after` is int16[N, 52]."""
    return BIT[after.argmin(axis=1)]


def _dealt(cards: np.ndarray, rng: np.random.Generator) -> Deals:
    """Both hands from the cards of each row, shuffled."""
    words = BIT[rng.permuted(cards, axis=1)]
    player, other = words[:, : HAND_SIZE + 1], words[:, HAND_SIZE + 1 : 2 * HAND_SIZE + 1]
    return np.bitwise_or.reduce(player, axis=1), np.bitwise_or.reduce(other, axis=1)


DEALS = {"random": random_deals, "near-melded": near_melded_deals, "knocks": knocking_deals}


def each_discard(hands: Words) -> Int16s:
    """int16[N, 52], the deadwood after each discard."""
    return Discards(hands).each


@plain_errors()
def main() -> None:
    """Print the table."""
    settings = asked(Settings, "benchmarks.deadwood")
    columns = ("hands", "cards", "deadwood", "each discard", "knockable", "showdown")
    table = Table(*columns, title="Hands a second")
    for name, deal in DEALS.items():
        for count in settings.hands:
            eleven, ten = deal(count, np.random.default_rng(settings.seed))
            knocker = eleven ^ _cheapest(Discards(eleven).each)
            limit = np.maximum(deadwood(knocker), KNOCK_LIMIT)
            work = (
                partial(deadwood, ten),
                partial(each_discard, eleven),
                partial(knockable, eleven, np.full(count, KNOCK_LIMIT)),
                partial(showdown, knocker, ten, lay_off=np.ones(count, bool), limit=limit),
            )
            figures = [judged(judge, count, settings.seconds) for judge in work]
            table.add_row(f"{count:,}", name, *figures)
    Console().print(table)


if __name__ == "__main__":
    main()
