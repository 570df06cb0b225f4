"""Self-play as Stable-Baselines3 takes an environment, a heuristic's advice included."""

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete

from rummy_env.baselines.advice import with_advice
from rummy_env.baselines.heuristics import Policy
from rummy_env.core.bits import Bools
from rummy_env.envs.observations import box
from rummy_env.envs.sb3 import BatchVecEnv
from rummy_env.envs.self_play import Outcome, SelfPlayEnv, Turn
from training.decisions import Floats


class SelfPlayVecEnv(BatchVecEnv):
    """Self-play as MaskablePPO takes an environment; the reward is that of the seat that moved."""

    def __init__(self, games: SelfPlayEnv, adviser: Policy | None = None) -> None:
        """Take games, and the heuristic whose actions are observed behind all else, if any."""
        self.games, self._adviser = games, adviser
        self._actions: npt.ArrayLike = ()
        seen, count = box(games.observer), games.engine.num_actions
        if adviser is not None:
            own: Any = seen.dtype
            seen = Box(seen.low.min(), seen.high.max(), (games.observer.size + count,), own.type)
        super().__init__(games.num_envs, seen, Discrete(count))

    def turn(self) -> Turn:
        """The decisions that the games wait for, advice included."""
        return self._advised(self.games.turn())

    def play(self, actions: npt.ArrayLike) -> tuple[Turn, Outcome]:
        """As `SelfPlayEnv.step`, advice included."""
        turn, outcome = self.games.step(actions)
        return self._advised(turn), outcome

    def _advised(self, turn: Turn) -> Turn:
        if self._adviser is None:
            return turn
        engine = self.games.engine
        view = engine.look(turn.seats)
        advised = self._adviser.act(view, turn.masks, engine.random())
        seen = with_advice(turn.observations, advised, turn.masks.shape[1])
        return dataclasses.replace(turn, observations=seen)

    def action_masks(self) -> Bools:
        """bool[B, A], True = legal."""
        return self.games.engine.legal_mask()

    def reset(self) -> npt.NDArray[Any]:
        """Deal all games; [B, F]."""
        return self._advised(self.games.reset()).observations

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Take the actions, int[B]; `step_wait` plays them."""
        self._actions = actions

    def step_wait(self) -> tuple[npt.NDArray[Any], Floats, Bools, list[dict[str, Any]]]:
        """Play; observations [B, F], rewards float32[B], bool[B], and infos without entries."""
        movers = self.games.engine.to_move.astype(np.intp)
        turn, outcome = self.play(self._actions)
        rewards = outcome.rewards[np.arange(self.num_envs), movers]
        ended = outcome.terminated | outcome.truncated
        return turn.observations, rewards, ended, [{} for _ in range(self.num_envs)]

    def close(self) -> None:
        """Record unfinished games where games are recorded."""
        self.games.close()
