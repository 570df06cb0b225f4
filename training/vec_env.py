"""Self-play as Stable-Baselines3 takes an environment, a heuristic's advice included."""

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete

from agents.privileged import hidden_entries, hidden_size
from rummy_env.baselines.advice import with_advice
from rummy_env.baselines.asking import ask
from rummy_env.baselines.heuristics import Policy
from rummy_env.core.arrays import Array
from rummy_env.envs.observations import box
from rummy_env.envs.sb3 import BatchVecEnv
from rummy_env.envs.self_play import Outcome, SelfPlayEnv, Turn


class SelfPlayVecEnv(BatchVecEnv):
    """Self-play as MaskablePPO takes an environment; a step, by `play`, pays several seats."""

    def __init__(
        self, games: SelfPlayEnv, adviser: Policy | None, *, privileged: bool = False
    ) -> None:
        """Take games.

        Args:
            games: The games.
            adviser: A heuristic whose actions are observed behind all else, or None.
            privileged: Whether what only the critic reads follows behind that.
        """
        self.games, self._adviser, self._privileged = games, adviser, privileged
        seen, count = box(games.observer), games.engine.num_actions
        size = games.observer.size + count * (adviser is not None)
        if privileged:
            size += hidden_size(games.observer.size, games.engine.rules.num_players)
        own: Any = seen.dtype
        seen = Box(seen.low.min(), seen.high.max(), (size,), own.type)
        super().__init__(games.num_envs, seen, Discrete(count))

    def of(self, games: SelfPlayEnv) -> "SelfPlayVecEnv":
        """Return the same observations of other games."""
        return SelfPlayVecEnv(games, self._adviser, privileged=self._privileged)

    def turn(self) -> Turn:
        """Return the decisions that the games wait for, all that follows them included."""
        return self._completed(self.games.turn())

    def play(self, actions: npt.ArrayLike) -> tuple[Turn, Outcome]:
        """As `SelfPlayEnv.step`, all that follows the observations included."""
        turn, outcome = self.games.step(actions)
        return self._completed(turn), outcome

    def _completed(self, turn: Turn) -> Turn:
        engine, seen = self.games.engine, turn.observations
        if self._adviser is not None:
            rows = turn.learning.nonzero()[0]
            advised = ask(engine, self._adviser, rows)
            seen = with_advice(seen, advised, turn.masks.shape[1], rows)
        if self._privileged:
            hidden = hidden_entries(engine, self.games.observer, turn.seats)
            seen = np.concatenate([seen, hidden], axis=1)
        return dataclasses.replace(turn, observations=seen)

    def reset(self) -> Array:
        """Deal all games; [B, F]."""
        return self._completed(self.games.reset()).observations

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Refuse: a step pays several seats, which `play` tells."""
        raise NotImplementedError("a step pays several seats: call `play`")

    def step_wait(self) -> Any:
        """Refuse, as `step_async` does."""
        raise NotImplementedError("a step pays several seats: call `play`")

    def close(self) -> None:
        """Record unfinished games where games are recorded."""
        self.games.close()
