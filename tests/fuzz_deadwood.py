"""Deadwood, knocking and showdowns, compared with brute force over as many hands as wanted.

    python -m tests.fuzz_deadwood --hands 100000

Half of the hands are dealt at random, half are melds with up to two cards exchanged. Both hands of
a showdown have much to do with each other, so that melds and lay-offs abound; some are of small
packs.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rummy_env.core.arrays import Words
from rummy_env.core.bits import positions
from rummy_env.core.cards import RANKS, SUITS, Pack
from rummy_env.melds.deadwood import deadwood
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.discards import NOT_HELD, Discards, knockable
from rummy_env.melds.showdown import Melded, Showdown, showdown
from tests.fuzz_declaring import hands_of, near_hand
from tests.reference import deadwood as reference
from tests.reference.cards import PACK as PACK_CARDS
from tests.reference.cards import parse
from tests.reference.deadwood import Hand, Table

PACK = Pack()
SIZES = range(1, 12)
LIMITS = (0, 1, 5, 10, 10, 20, 40)
HAND_SIZES = (3, 4, 7, 9, 10, 10, 11)
"""Of the hands of a showdown."""
SPARE_POINTS = (0, 1, 3, 5, 10, 10, 20, 30)


class Deal(NamedTuple):
    """What lies behind a showdown: see `showdown` for the fields."""

    knocker: Hand
    defender: Hand
    lay_off: bool
    limit: int


def some_hands(count: int, rng: random.Random, sizes: Sequence[int] = SIZES) -> list[Hand]:
    """So many hands, every other one nearly melded."""
    return [frozenset(hand) for hand in hands_of(Declaration(PACK), sizes, count, rng)]


def some_deals(count: int, rng: random.Random) -> list[Deal]:
    """So many pairs of hands that have much to do with each other.

    Half are dealt from packs of few ranks or suits; in the others the knocker's hand is nearly
    melded, and the defender's are cards near to it. In one of eight nothing can be laid off.
    """
    pairs = [(few_cards if i % 2 else near_cards)(rng) for i in range(count)]
    return [
        Deal(
            frozenset(knocker),
            frozenset(defender),
            lay_off=rng.random() < 7 / 8,
            limit=reference.deadwood(frozenset(knocker)) + rng.choice(SPARE_POINTS),
        )
        for knocker, defender in pairs
    ]


def few_cards(rng: random.Random) -> tuple[list[str], list[str]]:
    """Two hands of a pack of some neighbouring ranks."""
    num_ranks = rng.choice((5, 6, 7, 8, 10, 13))
    lowest = rng.randrange(len(RANKS) + 1 - num_ranks)
    ranks, suits = RANKS[lowest : lowest + num_ranks], rng.sample(SUITS, rng.choice((2, 3, 4, 4)))
    cards = [rank + suit for rank in ranks for suit in suits]
    size = rng.choice([size for size in HAND_SIZES if 2 * size <= len(cards)])
    dealt = rng.sample(cards, 2 * size)
    return dealt[:size], dealt[size:]


def near_cards(rng: random.Random) -> tuple[list[str], list[str]]:
    """A hand of melds with up to two cards exchanged, and one mostly of neighbours and fourths."""
    size = rng.choice(HAND_SIZES)
    knocker = near_hand(Declaration(PACK), size, rng, exchanged=rng.randrange(3))
    cards = set(knocker)
    for _ in range(2):
        held = [meld for meld in reference.MELDS if len(meld - cards) == 1]
        cards = cards.union(*held)
    near, far = (sorted(part) for part in (cards.difference(knocker), set(PACK_CARDS) - cards))
    taken = rng.sample(near, min(len(near), rng.randint(size // 2, size)))
    return knocker, taken + rng.sample(far, size - len(taken))


def hand_of(text: str) -> Hand:
    """Cards written with spaces between them."""
    return frozenset(parse(text))


def encode(hands: Sequence[Hand]) -> Words:
    """uint64[N]."""
    return np.array([PACK.words(hand)[0] for hand in hands], np.uint64)


def decode(cards: np.uint64) -> Hand:
    """The cards of one word."""
    return frozenset(map(PACK.text, positions(int(cards))))


def wrong_hands(hands: Sequence[Hand], rng: random.Random) -> Iterator[str]:
    """The hands of which the core says anything that brute force does not."""
    words = encode(hands)
    limits = np.array([rng.choice(LIMITS) for _ in hands])
    after, (can_knock, gin) = Discards(words).each, knockable(words, limits)
    for i, (hand, least) in enumerate(zip(hands, deadwood(words).tolist(), strict=True)):
        wanted = [int(NOT_HELD)] * after.shape[1]
        for card in hand:
            wanted[PACK.code(card)] = reference.deadwood(hand - {card})
        if least != reference.deadwood(hand):
            yield f"deadwood {least} of {sorted(hand)}"
        if after[i].tolist() != wanted:
            yield f"deadwood after each discard of {sorted(hand)}"
        if decode(can_knock[i]) != reference.knockable(hand, int(limits[i])):
            yield f"knocking with {limits[i]} by {sorted(hand)}"
        if decode(gin[i]) != reference.knockable(hand, 0):
            yield f"gin by {sorted(hand)}"


def wrong_showdowns(deals: Sequence[Deal]) -> Iterator[str]:
    """The deals whose showdown is not the best of both sides, or breaks a rule."""
    shown = show(deals)
    found = zip(shown.knocker.deadwood.tolist(), shown.defender.deadwood.tolist(), strict=True)
    for i, (points, deal) in enumerate(zip(found, deals, strict=True)):
        if points != reference.showdown(*deal[:2], lay_off=deal.lay_off, limit=deal.limit):
            yield f"{points[0]} against {points[1]} in {deal}"
        if not keeps_the_rules(shown, i, deal):
            yield f"melds and lay-offs of {deal}"


def show(deals: Sequence[Deal]) -> Showdown:
    """The core's showdowns."""
    knockers, defenders, lay_off, limits = zip(*deals, strict=True)
    return showdown(
        encode(knockers), encode(defenders), lay_off=np.array(lay_off), limit=np.array(limits)
    )


def keeps_the_rules(shown: Showdown, row: int, deal: Deal) -> bool:
    """Whether melds are melds, and what is laid off can be and leaves no better defence."""
    laid_off = decode(shown.laid_off[row])
    kept, table = deal.defender - laid_off, melds_of(shown.knocker, row)
    if not (divides(shown.knocker, row, deal.knocker) and divides(shown.defender, row, kept)):
        return False
    if not deal.lay_off:
        return not laid_off
    best = reference.defended(table, deal.defender) == shown.defender.deadwood[row]
    return best and any(held == kept for _, held in reference.lay_offs(table, deal.defender))


def divides(melded: Melded, row: int, hand: Hand) -> bool:
    """Whether each card of a hand is in one meld or left."""
    melds, left = melds_of(melded, row), decode(melded.left[row])
    each_once = sum(map(len, melds)) + len(left) == len(hand)
    return melds <= reference.MELDS and each_once and left.union(*melds) == hand


def melds_of(melded: Melded, row: int) -> Table:
    """The melds of one hand, each a set of cards: groups by rank, sequences from their starts."""
    grouped, sequenced = decode(melded.grouped[row]), decode(melded.sequenced[row])
    melds = [frozenset(card for card in grouped if card[0] == rank) for rank in RANKS]
    for start in decode(melded.starts[row]):
        above = [rank + start[1] for rank in RANKS[RANKS.index(start[0]) :]]
        end = next((i for i, card in enumerate(above) if card not in sequenced), len(above))
        melds.append(frozenset(above[:end]))
    return frozenset(meld for meld in melds if meld)


def main() -> None:
    """Compares until so many hands are done; stops at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng, done, start = random.Random(options.seed), 0, time.perf_counter()
    showdowns = 0
    while done < options.hands:
        hands, deals = some_hands(10_000, rng), some_deals(10_000, rng)
        for wrong in (*wrong_hands(hands, rng), *wrong_showdowns(deals)):
            raise SystemExit(f"brute force disagrees: {wrong}")
        done, showdowns = done + len(hands), showdowns + len(deals)
        seconds = time.perf_counter() - start
        print(f"{done:,} hands and {showdowns:,} showdowns agree, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
