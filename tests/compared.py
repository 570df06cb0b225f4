"""Agents for the tests of comparisons, and the command that compares them."""

import time

import rummy_env
from rummy_env import command_line
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.evaluation import command
from tests.policies import First, Last


class Eager(First):
    """Draws from the stock, melds before it discards."""


class Stubborn(Last):
    """Never melds while it can discard."""


class Ponderer(First):
    """Takes a hundredth of a second for its first choices, but for those of the first turn."""

    pondered = 0

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        if (view.turn_number > 1).any() and self.pondered < 2:
            self.pondered += 1  # tests need not wait for more
            time.sleep(0.04)
        return super().act(view, mask, rng)


class Stranger:
    """Does not know the game."""

    def plays(self, rules: Rules) -> bool:
        raise ValueError(f"made for whist, not {rules.name}")

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        return mask.argmax(axis=1)


class Cheat(First):
    """Makes no move that is legal."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        return mask.argmin(axis=1)


def run(*arguments: str, seed: int | None = 1) -> int:
    """The command on the first variant of the catalogue, with few deals; None draws a seed."""
    variant = next(iter(rummy_env.VARIANTS))
    given = [] if seed is None or "--seed" in arguments else ["--seed", str(seed)]
    few = ["--deals", "8", "--max-turns", "40"]
    argv = [variant, *few, *given, *arguments]
    return command_line.run(command.__name__, "rummy-env compare", argv)
