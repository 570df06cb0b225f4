"""MaskablePPO in self-play: the library's loss, logs, files and callbacks; other rollouts."""

import copy
import dataclasses
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.spaces import Box, Discrete
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from agents.network import Actor
from rummy_env.baselines.advice import with_advice
from rummy_env.baselines.heuristics import Policy
from rummy_env.core.bits import Bools, Rows
from rummy_env.envs.observations import box
from rummy_env.envs.sb3 import BatchVecEnv
from rummy_env.envs.self_play import Outcome, SelfPlayEnv, Turn
from training.decisions import Course, Decisions, Floats, advantages

_AT_ONCE = 8192
"""Observations valued at a time, so that what is computed stays in the processor's cache."""


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


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO whose policy, a `SuitPolicy`, plays and learns in every seat."""

    share_left = 1.0
    """The share of the run's time that is left, 1 to 0; schedules follow it."""
    warmup = 0
    """Rollouts in which the critic learns alone."""
    rollouts = 0
    """Rollouts so far."""
    average = 0.0
    """The share of the averaged actor that stays after a rollout; 0 for the actor as it is."""
    averaged: Actor | None = None
    """The actor averaged over the last rollouts, once it has moved."""
    kl_coef = 0.0
    """The price of leaving the clone, at the beginning; it falls to 0 over the run."""
    anchor: Actor | None = None
    """The clone."""
    env_seconds = 0.0
    """Time spent in the games, their observations included."""

    def collect_rollouts(
        self,
        env: Any,
        callback: BaseCallback,
        rollout_buffer: Any,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play all games for so many steps, and note the decisions to learn from."""
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        callback.on_rollout_start()
        games: SelfPlayVecEnv = env
        turn = games.turn()
        steps, choices = [], []
        for _ in range(n_rollout_steps):
            actions, chose, logs = self._choose(turn)
            rows = chose.nonzero()[0]
            choices.append((turn.observations[rows], turn.masks[rows], actions[rows], logs))
            strayed = self._strayed(*choices[-1])
            self.num_timesteps += int(turn.learning.sum())
            start, seats = time.perf_counter(), turn.seats
            turn, outcome = games.play(actions)
            self.env_seconds += time.perf_counter() - start
            outcome.rewards[rows, seats[rows]] -= strayed
            steps.append((seats, chose, outcome.rewards, outcome.terminated | outcome.truncated))
            callback.update_locals(locals())
            if not callback.on_step():
                return False
        course = Course(*(np.array(each) for each in zip(*steps, strict=True)))
        arrays = [np.concatenate(each) for each in zip(*choices, strict=True)]
        self._fill(rollout_buffer, course, arrays)
        callback.on_rollout_end()
        return True

    def _fill(self, buffer: Decisions, course: Course, arrays: list[npt.NDArray[Any]]) -> None:
        """Value the choices, and keep those of which it is known what came of them."""
        values = self.values_of(arrays[0])
        everywhere = np.zeros(course.chose.shape, np.float32)
        everywhere[course.chose] = values
        gains, known = advantages(course, everywhere, gamma=self.gamma, gae_lambda=self.gae_lambda)
        kept = known[course.chose].nonzero()[0]
        if kept.size < 2:
            raise ValueError(
                f"{kept.size} of {course.chose.size} decisions in a rollout can be learned from: "
                f"give more --num-envs or --num-steps"
            )
        buffer.fill(*(array[kept] for array in (*arrays, values, gains[course.chose])))

    def _choose(self, turn: Turn) -> tuple[Rows, Bools, Floats]:
        """Actions intp[B]; bool[B], where they were chosen; and their log-probabilities there."""
        chose = turn.learning & (turn.masks.sum(axis=1) > 1)
        actions = turn.masks.argmax(axis=1)
        rows = chose.nonzero()[0]
        policy: Any = self.policy
        with torch.no_grad():
            seen = torch.as_tensor(turn.observations[rows], device=self.device)
            found, logs = policy.choose(seen, turn.masks[rows])
        actions[rows] = found.cpu().numpy()
        return actions, chose, logs.cpu().numpy()

    def _strayed(
        self, seen: npt.NDArray[Any], masks: Bools, actions: Rows, logs: Floats
    ) -> Floats | float:
        """float32[N], what choices cost for being likelier than the clone finds them."""
        price = self.kl_coef * self._current_progress_remaining
        if self.anchor is None or not price:
            return 0.0
        policy: Any = self.policy
        with torch.no_grad():
            given = policy.given(torch.as_tensor(seen, device=self.device))
            chances = self.anchor(*given, masks)
            chosen = torch.as_tensor(actions, device=self.device)[:, None]
            found: Floats = price * (logs - chances.gather(1, chosen)[:, 0].cpu().numpy())
        return found

    def values_of(self, observations: npt.NDArray[Any]) -> Floats:
        """float32[N], the critic's values."""
        found = [np.zeros(0, np.float32)]
        with torch.no_grad():
            for start in range(0, len(observations), _AT_ONCE):
                seen = torch.as_tensor(observations[start : start + _AT_ONCE], device=self.device)
                found.append(self.policy.predict_values(seen)[:, 0].cpu().numpy())
        return np.concatenate(found)

    def train(self) -> None:
        """Learn from the rollout; while the critic warms up, it learns alone."""
        policy: Any = self.policy
        policy.actor.requires_grad_(self.rollouts >= self.warmup)
        super().train()
        if self.rollouts >= self.warmup:
            self._update_average(policy.actor, self.rollouts - self.warmup)
        self.rollouts += 1

    def _update_average(self, actor: Actor, moved: int) -> None:
        """Take the actor into the average: of all rollouts at first, then of ever later ones."""
        if self.averaged is None:
            self.averaged = copy.deepcopy(actor).requires_grad_(False)
        self.averaged.approach(actor, min(self.average, moved / (moved + 1)))

    def _update_learning_rate(self, optimizers: Any) -> None:
        """Each network has its own multiple of the learning rate."""
        rate = self.lr_schedule(self._current_progress_remaining)
        self.logger.record("train/learning_rate", rate)
        for group in optimizers.param_groups:
            group["lr"] = rate * group["factor"]

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        super()._update_current_progress_remaining(num_timesteps, total_timesteps)
        self._current_progress_remaining = min(self._current_progress_remaining, self.share_left)
