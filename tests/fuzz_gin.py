"""Gin in lockstep with OpenSpiel, with options drawn at random, for as many hands as wanted.

    python -m tests.fuzz_gin --hands 20000 --knocks 4000

The tests do the same for a short while with chosen options (`test_gin_openspiel`). A difference
that is not one of those known stops the run and prints the options, the seed and the table. Every
hand is played step by step; then knocks, half of them of games and half made up to have much to
lay off, are settled by the engine and by best play through all that can follow in OpenSpiel.
"""

import argparse
import random
import time
from collections import Counter
from itertools import chain
from typing import Any

import numpy as np

from tests.gin_best_play import compare, knocks_made_up, knocks_of_play
from tests.gin_lockstep import Lockstep
from tests.gin_play import Policy, at_random, greedy

POLICIES: dict[str, Policy] = {
    "random": at_random,
    "greedy": greedy(wild_after_knock=0.2),
    "greedy, wild after the knock": greedy(wild=0.02, wild_after_knock=0.8),
    "greedy, for gin": greedy(shy=0.9, wild=0.02, wild_after_knock=0.2),
}
"""Who plays."""

PACKS: tuple[dict[str, int], ...] = (
    {},
    {},
    {"hand_size": 7},
    {"num_suits": 3, "hand_size": 8},
    {"num_suits": 3, "num_ranks": 8, "hand_size": 6},
    {"num_suits": 2, "hand_size": 7},
    {"num_suits": 3, "num_ranks": 5, "hand_size": 3},
)
"""Packs in which OpenSpiel can name every meld: see `test_gin_openspiel`."""

CHOICES: dict[str, tuple[Any, ...]] = {
    "oklahoma": (False, False, True),
    "knock_card": (10, 10, 0, 1, 4, 7),
    "gin_bonus": (25, 0, 20),
    "undercut_bonus": (25, 0, 10),
}
HANDS = 100
"""Of one round."""


def draw_options(rng: random.Random) -> dict[str, Any]:
    """Options of a round."""
    return {**rng.choice(PACKS), **{name: rng.choice(CHOICES[name]) for name in CHOICES}}


def play_hands(hands: int, seed: int) -> None:
    """Plays so many hands in lockstep."""
    rng, done, steps, met, began = random.Random(seed), 0, 0, Counter[str](), time.monotonic()
    while done < hands:
        for name, policy in POLICIES.items():
            options, number = draw_options(rng), rng.randrange(1 << 62)
            lockstep = Lockstep(options, number)
            try:
                steps += lockstep.play(policy, HANDS, np.random.default_rng(number))
            except AssertionError as difference:
                raise SystemExit(f"{name}, {options}, {number}: {difference}") from difference
            met += lockstep.met
            done += HANDS
    seconds = time.monotonic() - began
    print(f"{done:,} hands of {steps:,} actions agree, {seconds:.0f} s; OpenSpiel's own: {met}")


def settle_knocks(knocks: int, seed: int) -> None:
    """Settles so many knocks here and there."""
    began, half = time.monotonic(), knocks // 2
    played = knocks_of_play(greedy(shy=0.7, wild=0.02), half, seed)
    both = chain(played, knocks_made_up(knocks - half, random.Random(seed)))
    met = Counter(map(compare, both))
    print(f"{knocks:,} knocks: {met}, {time.monotonic() - began:.0f} s")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=int, default=20_000, help="hands to play")
    parser.add_argument("--knocks", type=int, default=4_000, help="knocks to settle")
    parser.add_argument("--seed", type=int, default=1, help="what everything is drawn from")
    given = parser.parse_args()
    play_hands(given.hands, given.seed)
    settle_knocks(given.knocks, given.seed)


if __name__ == "__main__":
    main()
