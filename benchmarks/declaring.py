"""Hands judged a second: going out and the distance from it, on one core.

python -m benchmarks.declaring --seconds 2
"""

import random
from dataclasses import dataclass
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.flags import asked
from benchmarks.rates import judged
from rummy_env.command_line import plain_errors
from rummy_env.core.arrays import Words
from rummy_env.core.cards import Pack
from rummy_env.melds.declaration import Declaration
from rummy_env.melds.min_dist import distance

THREE_WILDCARDS = Pack(specials=("WILD",) * 3)
ALL_SPECIALS = Pack(
    specials=(*("WILD",) * 3, "GROUP", "SEQUENCE", "RUMMY", "RUMMY", "NO_MELD", "CANT_GO_OUT")
)
PACKS = {"three WILDCARDs": THREE_WILDCARDS, "all special cards": ALL_SPECIALS}
SIZES = (6, 8, 11)
LARGE_SIZES = (20, 30, 40)


@dataclass(frozen=True)
class Settings:
    """What to measure.

    Attributes:
        hands: Hands in a batch.
        seconds: Length of each of five stretches of time.
        seed: Of the hands.
    """

    hands: int = 16_384
    seconds: float = 0.5
    seed: int = 0


def random_hands(pack: Pack, size: int, count: int, rng: random.Random) -> Words:
    """Return uint64[count, 1], hands of so many cards of one pack, all equally likely."""
    bits = [int(code) for code in pack.codes]
    dealt = [sum(1 << bit for bit in rng.sample(bits, size)) for _ in range(count)]
    return np.array(dealt, np.uint64)[:, None]


def one_card_short(declaration: Declaration, size: int, count: int, rng: random.Random) -> Words:
    """Return uint64[count, 1], hands that are not finished, but are when one card is exchanged."""
    found: list[Words] = []
    while sum(map(len, found)) < count:
        hands = random_hands(declaration.pack, size, 4096, rng)
        found.append(hands[distance(declaration, hands) == 1])
    return np.concatenate(found)[:count]


@plain_errors()
def main() -> None:
    """Print the table."""
    settings = asked(Settings, "benchmarks.declaring")
    table = Table("cards", "pack", "hands", "can_go_out", "distance", title="Hands a second")
    for name, pack in PACKS.items():
        declaration, rng = Declaration(pack), random.Random(settings.seed)

        for size in SIZES:
            for kind, hands in (
                ("random", random_hands(pack, size, settings.hands, rng)),
                ("one card short", one_card_short(declaration, size, settings.hands, rng)),
            ):
                going_out = judged(
                    partial(declaration.can_go_out, hands), len(hands), settings.seconds
                )
                some = hands[:2048]
                far = judged(partial(distance, declaration, some), len(some), settings.seconds)
                table.add_row(str(size), name, kind, going_out, far)
        for size in LARGE_SIZES:
            hands = random_hands(pack, size, 256, rng)
            going_out = judged(partial(declaration.can_go_out, hands), len(hands), settings.seconds)
            table.add_row(str(size), name, "random", going_out, "")
    Console().print(table)


if __name__ == "__main__":
    main()
