"""Going out, compared with the brute-force divider over as many hands as wanted.

    python -m tests.fuzz_declaring --hands 1000000

Half of the hands are dealt at random; the other half are nearly finished: melds with stand-ins in
them, laid from the pack, of which up to two cards are exchanged.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from rummy_env.core.arrays import Words
from rummy_env.core.cards import RANKS, SUITS, Pack
from rummy_env.melds.declaration import LEFTOVERS, Declaration
from tests.reference import divider

LINE = RANKS + "A"
SPECIAL_CARDS = ("WILD", "WILD", "WILD", "GROUP", "SEQUENCE", "RUMMY", "RUMMY", "NO_MELD")
PACKS = tuple(
    Pack(decks=decks, specials=specials)
    for decks in (1, 2)
    for specials in (
        (),
        ("WILD",) * 2,
        ("WILD",) * 3,
        SPECIAL_CARDS,
        (*SPECIAL_CARDS, "CANT_GO_OUT"),
    )
)
DECLARATIONS = tuple(
    [Declaration(pack, leftover) for pack, leftover in product(PACKS, LEFTOVERS)]
    + [
        Declaration(Pack(specials=("WILD",) * wilds), leftover, sequences_rummy=True)
        for wilds, leftover in product((0, 3, 5, 7), LEFTOVERS)
    ]
)
"""Every pack and option, crossed."""
FEW_DECLARATIONS = DECLARATIONS[::7]
"""Some: one pack and two, each rule for what is left over."""


def title(declaration: Declaration) -> str:
    """A declaration in a few words."""
    cards = Counter(declaration.pack.specials)
    specials = " ".join(f"{count} {name}" for name, count in cards.items()) or "no special card"
    kind = "Sequences Rummy, " if declaration.sequences_rummy else ""
    return f"{kind}{declaration.leftover}, {declaration.pack.decks} packs, {specials}"


def random_hand(pack: Pack, size: int, rng: random.Random) -> list[str]:
    """So many cards of a pack, each as likely as any other."""
    return rng.sample(pack.cards, size)


def near_hand(declaration: Declaration, size: int, rng: random.Random, exchanged: int) -> list[str]:
    """Melds cut to so many cards, some of which are exchanged for others of the pack."""
    rest = list(declaration.pack.cards)
    hand: list[str] = []
    while len(hand) < size:
        for card in _random_meld(rng, sequence=declaration.sequences_rummy or rng.random() < 0.5):
            stand_in = next((card for card in rest if card == "WILD"), None)
            if card not in rest or (rng.random() < 0.2 and stand_in):
                card = stand_in or rng.choice(rest)
            rest.remove(card)
            hand.append(card)
    hand = hand[:size]
    for place in rng.sample(range(size), min(size, exchanged)):
        hand[place] = rest.pop(rng.randrange(len(rest)))
    return hand


def _random_meld(rng: random.Random, *, sequence: bool) -> list[str]:
    """Three to five cards of one rank, or one after the other in a suit."""
    length = rng.choice((3, 3, 3, 4, 5))
    if sequence:
        start, suit = rng.randrange(len(LINE) + 1 - length), rng.choice(SUITS)
        return [rank + suit for rank in LINE[start : start + length]]
    rank = rng.choice(RANKS)
    return [rank + suit for suit in rng.sample(SUITS, min(length, 4))]


def hands_of(
    declaration: Declaration, sizes: Sequence[int], count: int, rng: random.Random
) -> list[list[str]]:
    """So many hands of sizes taken in turn, every other one nearly finished."""
    hands = []
    for i in range(count):
        size = sizes[i // 2 % len(sizes)]
        if i % 2:
            hands.append(random_hand(declaration.pack, size, rng))
        else:
            hands.append(near_hand(declaration, size, rng, rng.choice((0, 0, 1, 1, 2))))
    return hands


def encode(pack: Pack, hands: Sequence[Sequence[str]]) -> Words:
    """uint64[N, W], hands as the core has them."""
    return np.array([pack.words(hand) for hand in hands])


def differences(declaration: Declaration, hands: list[list[str]]) -> Iterator[list[str]]:
    """The hands for which the core and the divider disagree."""
    found = declaration.can_go_out(encode(declaration.pack, hands))
    for hand, out in zip(hands, found.tolist(), strict=True):
        wanted = divider.can_go_out(
            hand, leftover=declaration.leftover, sequences_rummy=declaration.sequences_rummy
        )
        if out != wanted:
            yield hand


def main() -> None:
    """Compares until so many hands are done; stops at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--largest", type=int, default=11, help="cards of the largest hands")
    options = parser.parse_args()
    rng, done, start = random.Random(options.seed), 0, time.perf_counter()
    while done < options.hands:
        for declaration in DECLARATIONS:
            hands = hands_of(declaration, range(1, options.largest + 1), 200, rng)
            for hand in differences(declaration, hands):
                raise SystemExit(f"{title(declaration)}: the divider disagrees on {' '.join(hand)}")
            done += len(hands)
        print(f"{done:,} hands agree, {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
