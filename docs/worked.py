"""The turns that the pages of the rules show: of real games, which anybody can play again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.baselines import resolve
from rummy_env.baselines.asking import ask

AGENT = "greedy"
"""Who plays all seats."""


@dataclass(frozen=True)
class Worked:
    """A turn of a game.

    Attributes:
        variant: The variant.
        seed: The seed of the engine that deals the game.
        turn: The number of the turn in the first hand; the first is 1.
        options: The options of the rules.
    """

    variant: str
    seed: int
    turn: int
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def call(self) -> str:
        """The call that makes the rules."""
        given = "".join(f", {option}={value!r}" for option, value in self.options.items())
        return f'rummy_env.rules("{self.variant}"{given})'

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return rummy_env.rules(self.variant, **self.options)

    def played(self) -> Iterator[tuple[Engine, int]]:
        """Yield the game, one engine, before each action of the turn with that action, and at last.

        The last time, there is no action, which is -1.
        """
        engine = Engine(self.rules, seed=self.seed)
        engine.reset()
        while not engine.finished[0] and engine.state.turn_number[0] < self.turn:
            action = chosen(engine)
            if engine.state.turn_number[0] == self.turn - 1:
                yield engine, action
            engine.step([action])
        yield engine, -1


def chosen(engine: Engine) -> int:
    """Return what the agent does in the first game."""
    return int(ask(engine, resolve(AGENT), np.array([0]))[0])


TURNS = {
    "basic": Worked("basic", 1, 14, {"num_players": 3}),
    "bonus": Worked("bonus", 7, 23, {"num_players": 3}),
    "classic": Worked("classic", 1, 2),
    "going_out": Worked("going_out", 3, 12, {"num_players": 3}),
    "rummy_cards": Worked("rummy_cards", 7, 6, {"num_players": 3}),
    "gin": Worked("gin", 1, 8),
    "rummy500": Worked("rummy500", 36, 19, {"num_players": 3}),
}
"""The turn on the page of each variant."""
