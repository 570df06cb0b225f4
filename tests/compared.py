"""Agents for the tests of comparisons, and the command that compares them."""

import rummy_env
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.evaluation.command import main


class Eager:
    """Draws from the stock, melds before it discards: takes the legal action of lowest number."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        return mask.argmax(axis=1)


class Stubborn:
    """Never melds while it can discard: takes the legal action of highest number."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


class Stranger:
    """Does not know the game."""

    def plays(self, rules: Rules) -> bool:
        raise ValueError(f"made for whist, not {rules.name}")

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        return mask.argmax(axis=1)


def run(*arguments: str, seed: int | None = 1) -> int:
    """The command on the first variant of the catalogue, with few deals; None draws a seed."""
    variant = next(iter(rummy_env.VARIANTS))
    given = [] if seed is None or "--seed" in arguments else ["--seed", str(seed)]
    few = ["--deals", "8", "--max-turns", "40"]
    return main([variant, *few, *given, *arguments], "rummy-env compare")
