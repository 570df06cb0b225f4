"""Who plays the other seats: the protocol of a policy, and the built-in ones."""

from typing import Protocol

import numpy as np

from rummy_env.core.actions import ActionSpace, action_space, choose
from rummy_env.core.bits import ZERO, Bools, Rows, Words
from rummy_env.core.melds import fits_groups, fits_sequences, groups, sequence_starts
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import SeatView


class Policy(Protocol):
    """Whatever chooses actions.

    A policy sees what its seat may know and nothing else. It plays any number of games at once, keeps
    nothing from one call to the next, and draws all its randomness from `rng`, so that a game comes
    out the same in every batch.
    """

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Chooses an action in each of N games.

        Args:
            view: What the seat to move knows.
            mask: bool[N, A], True = legal; at least one in every game.
            rng: Random numbers, a stream a game.

        Returns:
            intp[N], legal actions.
        """
        ...


class Random:
    """Plays any legal action, all equally likely."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        return choose(mask, rng.random())
