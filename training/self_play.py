"""MaskablePPO in self-play: the library's loss, logs, files and callbacks, but other rollouts."""

import copy
import time
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from torch import nn

from agents.network import Actor
from agents.working import Hopeless
from training.decisions import Decisions
from training.player import Block, Player, Terms
from training.rounds import Rounds

_GREATEST = 1e4
"""A weight so great says that learning has gone wrong: those of models that ship are below 4."""
WARM_SHARE = 0.2
"""The share of a run after which the policy learns in any case, however short the run is."""


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO whose policy, a `SuitPolicy`, plays and learns in every seat."""

    share_left = 1.0
    """The share of the run that is left, 1 to 0; schedules follow it."""
    warmup = 0
    """Rollouts at the start in which only the critic learns; no more once `WARM_SHARE` is over."""
    rollouts = 0
    """Rollouts so far."""
    average = 0.0
    """The share of the averaged actor that is kept after a rollout; 0 for the actor as it is."""
    averaged: Actor | None = None
    """The actor averaged over the last rollouts, once it has learned."""
    kl_coef = 0.0
    """The initial price of straying from the clone; it falls to 0 over the run."""
    ent_least = 0.0
    """The weight of the entropy at the end of the run."""
    ent_extra = 0.0
    """What it weighs more at first; it falls to 0 with the square of the share that is left."""
    anchor: Actor | None = None
    """The clone."""
    env_seconds = 0.0
    """Time spent in the games, including observations; if several shards play, their mean."""
    terms: Terms
    """How rollouts are played."""
    rounds: Rounds
    """The games, and who plays them."""

    @property
    def player(self) -> Player:
        """A player with the networks as they are."""
        policy: Any = self.policy
        return Player(policy, self.anchor, self.terms)

    def _excluded_save_params(self) -> list[str]:
        """Exclude the games and their workers, which are not part of the model."""
        return [*super()._excluded_save_params(), "rounds"]

    def collect_rollouts(
        self,
        env: Any,
        callback: BaseCallback,
        rollout_buffer: Any,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play all games for a rollout, and record the decisions to learn from."""
        rollout_buffer.reset()
        callback.on_rollout_start()
        rounds, start = self.rounds, time.perf_counter()
        price = self.kl_coef * self.share_left
        blocks = rounds.play(self.player, price, self.rollouts)
        self.logger.record("rollout/seconds", time.perf_counter() - start)
        self.logger.record("rollout/staleness", rounds.staleness)
        self._note_games(blocks)
        self.num_timesteps += sum(block.decisions for block in blocks)
        self.env_seconds += rounds.seconds(blocks)
        self._fill(rollout_buffer, blocks)
        if not callback.on_step():
            return False
        callback.on_rollout_end()
        return True

    def _note_games(self, blocks: list[Block]) -> None:
        """Log the games of a rollout: how many ended, how long they are, and who never ends one."""
        if games := sum(block.games for block in blocks):
            played = self.n_steps * sum(shard.env.num_envs for shard in self.rounds.shards)
            self.logger.record("rollout/games", games)
            self.logger.record("rollout/actions_per_game", played / games)
            self.logger.record("rollout/cut_off", sum(block.cut_off for block in blocks) / games)

    def _fill(self, buffer: Decisions, blocks: list[Block]) -> None:
        """Keep the decisions of all blocks."""
        kept = sum(len(block.arrays["values"]) for block in blocks)
        if kept < 2:
            games = sum(shard.env.num_envs for shard in self.rounds.shards)
            raise Hopeless(
                f"{kept} of {self.n_steps * games} decisions in a rollout can be learned from: "
                f"give more --num-envs or --num-steps"
            )
        names = blocks[0].arrays.keys()
        buffer.fill(**{n: np.concatenate([b.arrays[n] for b in blocks]) for n in names})

    def train(self) -> None:
        """Learn from the rollout; while the critic warms up, only it learns."""
        policy: Any = self.policy
        if self._current_progress_remaining < 1 - WARM_SHARE:  # this rollout included
            self.warmup = min(self.warmup, self.rollouts)
        policy.actor.requires_grad_(self.rollouts >= self.warmup)
        self.ent_coef = self.ent_least + self.ent_extra * self._current_progress_remaining**2
        self.logger.record("train/ent_coef", self.ent_coef)
        super().train()
        _check_sane(policy)
        if self.rollouts >= self.warmup:
            self._update_average(policy.actor, self.rollouts - self.warmup)
        self.rollouts += 1

    def _update_average(self, actor: Actor, moved: int) -> None:
        """Add the actor to the average: of all rollouts at first, then of ever later ones."""
        if self.averaged is None:
            self.averaged = copy.deepcopy(actor).requires_grad_(False)
        self.averaged.approach(actor, min(self.average, moved / (moved + 1)))

    def _update_learning_rate(self, optimizers: Any) -> None:
        """Give each network its own multiple of the learning rate."""
        rate = self.lr_schedule(self._current_progress_remaining)
        self.logger.record("train/learning_rate", rate)
        for group in optimizers.param_groups:
            group["lr"] = rate * group["factor"]

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        super()._update_current_progress_remaining(num_timesteps, total_timesteps)
        self._current_progress_remaining = min(self._current_progress_remaining, self.share_left)


def _check_sane(policy: nn.Module) -> None:
    """Stop a run whose weights are no numbers, or beyond any use."""
    greatest = max(float(weights.detach().abs().max()) for weights in policy.parameters())
    if not greatest < _GREATEST:  # nor is NaN
        raise Hopeless(
            f"the networks have diverged, to weights of {greatest:.3g}: give a lower "
            f"--learning-rate, and begin anew in another --out"
        )
