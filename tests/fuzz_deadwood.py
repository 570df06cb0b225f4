"""Deadwood, knocking and showdowns, compared with brute force over as many hands as wanted.

    python -m tests.fuzz_deadwood --hands 100000

Half of the hands are dealt at random, half are melds with up to two cards exchanged. Both hands of
a showdown are dealt from few ranks, so that melds and lay-offs abound.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence

import numpy as np

from rummy_env.core.bits import Words, positions
from rummy_env.core.cards import RANKS, SUITS, Pack
from rummy_env.core.deadwood import NOT_HELD, deadwood, deadwood_after, knockable
from rummy_env.core.deadwood_showdown import Melded, Showdown, showdown
from rummy_env.core.declaring import Declaration
from tests.fuzz_declaring import hands_of
from tests.reference import deadwood as reference
from tests.reference.deadwood import Hand, Table

PACK = Pack()
SIZES = range(1, 12)
LIMITS = (0, 1, 5, 10, 10, 20, 40)
Deal = tuple[Hand, Hand, bool]
"""The knocker's hand, the defender's, and whether cards may be laid off."""


def some_hands(count: int, rng: random.Random, sizes: Sequence[int] = SIZES) -> list[Hand]:
    """So many hands, every other one nearly melded."""
    return [frozenset(hand) for hand in hands_of(Declaration(PACK), sizes, count, rng)]


def some_deals(count: int, rng: random.Random) -> list[Deal]:
    """So many pairs of hands from a few neighbouring ranks; in one of eight nothing is laid off."""
    found = []
    for _ in range(count):
        num_ranks = rng.choice((5, 6, 7, 8, 10, 13))
        lowest = rng.randrange(len(RANKS) + 1 - num_ranks)
        cards = [rank + suit for rank in RANKS[lowest : lowest + num_ranks] for suit in SUITS]
        size = rng.choice((4, 7, 9, 10, 10))
        dealt = rng.sample(cards, 2 * size)
        found.append((frozenset(dealt[:size]), frozenset(dealt[size:]), rng.random() < 7 / 8))
    return found


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
    after, can_knock = deadwood_after(words), knockable(words, limits)
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


def wrong_showdowns(deals: Sequence[Deal]) -> Iterator[str]:
    """The deals whose showdown is not the best of both sides, or breaks a rule."""
    shown = show(deals)
    points = zip(
        shown.knocker.deadwood.tolist(), shown.defender.deadwood.tolist(), deals, strict=True
    )
    for i, (knockers, defenders, (knocker, defender, lay_off)) in enumerate(points):
        if (knockers, defenders) != reference.showdown(knocker, defender, lay_off=lay_off):
            yield f"{knockers} against {defenders} in {sorted(knocker)}, {sorted(defender)}"
        if not keeps_the_rules(shown, i, deals[i]):
            yield f"melds and lay-offs of {sorted(knocker)}, {sorted(defender)}"


def show(deals: Sequence[Deal]) -> Showdown:
    """The core's showdowns."""
    knockers, defenders, lay_off = zip(*deals, strict=True)
    return showdown(encode(knockers), encode(defenders), lay_off=np.array(lay_off))


def keeps_the_rules(shown: Showdown, row: int, deal: Deal) -> bool:
    """Whether melds are melds, and what is laid off can be and leaves no better defence."""
    knocker, defender, lay_off = deal
    laid_off = decode(shown.laid_off[row])
    kept, table = defender - laid_off, melds_of(shown.knocker, row)
    if not (divides(shown.knocker, row, knocker) and divides(shown.defender, row, kept)):
        return False
    if not lay_off:
        return not laid_off
    best = reference.defended(table, defender) == shown.defender.deadwood[row]
    return best and any(held == kept for _, held in reference.lay_offs(table, defender))


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
        hands, deals = some_hands(10_000, rng), some_deals(1000, rng)
        for wrong in (*wrong_hands(hands, rng), *wrong_showdowns(deals)):
            raise SystemExit(f"brute force disagrees: {wrong}")
        done, showdowns = done + len(hands), showdowns + len(deals)
        seconds = time.perf_counter() - start
        print(f"{done:,} hands and {showdowns:,} showdowns agree, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
