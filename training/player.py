"""Plays and records decisions to learn from, in the learner's process or in those of workers."""

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agents.network import Actor, SuitPolicy
from rummy_env.core.arrays import Array, Bools, Float32s, Rows
from rummy_env.envs.self_play import Turn
from training.decisions import Course, advantages
from training.device import set_threads
from training.vec_env import SelfPlayVecEnv

_AT_ONCE = 8192
"""Observations valued at a time, so that the computation stays in the processor's cache."""


@dataclass
class Shard:
    """Some of the games of a run, and the random state by which their learner chooses.

    A rollout depends on these and on the weights, and on nothing else, wherever it is played.
    """

    env: SelfPlayVecEnv
    chance: Tensor


@dataclass(frozen=True)
class Block:
    """A rollout of one shard."""

    arrays: dict[str, Array]
    """The N decisions that can be learned from, as `Decisions.fill` takes them, by its names."""
    decisions: int
    """All decisions of the learner, including those without a choice."""
    seconds: float
    """Time spent in the games, including observations."""
    games: int
    """Games that ended."""
    cut_off: int
    """Those of them that were cut off."""


@dataclass(frozen=True)
class Terms:
    """How a rollout is played, and which part of it is learned from."""

    steps: int
    """Steps of each game."""
    gamma: float
    gae_lambda: float
    surest: float = 1.0
    """A choice counts as sure where some action has a higher probability than this."""
    sure_kept: float = 1.0
    """The share of such choices that is learned from."""
    move_cost: float = 0.0
    """The reward that every seat loses with each move of its game, whoever makes it."""


@dataclass
class Player:
    """The networks, and the terms on which they play.

    Advantages are computed here and not by the learner, which has the most to do: the critic comes
    along with the actor, and what cannot be learned from is not sent.
    """

    policy: SuitPolicy
    anchor: Actor | None
    """The clone; straying from it may have a price."""
    terms: Terms

    def play(self, shard: Shard, price: float) -> Block:
        """Play a rollout, and update the shard; straying from the anchor costs `price` per nat."""
        self.policy.set_training_mode(False)
        with torch.random.fork_rng(devices=[]):
            torch.set_rng_state(shard.chance)
            found = self._play(shard.env, price)
            shard.chance = torch.get_rng_state()
        return found

    def _play(self, games: SelfPlayVecEnv, price: float) -> Block:
        turn, decisions, cut_off, seconds = games.turn(), 0, 0, 0.0
        steps, choices, tells = [], [], []
        for _ in range(self.terms.steps):
            actions, chose, logs, highest = self._choose(turn)
            rows, seats = chose.nonzero()[0], turn.seats
            choices.append((turn.observations[rows], turn.masks[rows], actions[rows], logs))
            tells.append(self._tells(highest))
            strayed = self._strayed(*choices[-1], price)
            decisions += int(turn.learning.sum())
            start = time.perf_counter()
            turn, outcome = games.play(actions)
            seconds += time.perf_counter() - start
            outcome.rewards[rows, seats[rows]] -= strayed
            outcome.rewards[:] -= self.terms.move_cost
            cut_off += int(outcome.truncated.sum())
            steps.append((seats, chose, outcome.rewards, outcome.terminated | outcome.truncated))
        course = Course(*(np.array(each) for each in zip(*steps, strict=True)))
        names = "observations", "masks", "actions", "log_probs"
        arrays = dict(zip(names, map(np.concatenate, zip(*choices, strict=True)), strict=True))
        kept = self._valued(course, arrays, np.concatenate(tells))
        return Block(kept, decisions, seconds, int(course.ended.sum()), cut_off)

    def _valued(self, course: Course, choices: dict[str, Array], tells: Bools) -> dict[str, Array]:
        """Value the choices, and keep those that tell something and whose outcome is known."""
        values = self._values(choices["observations"])
        everywhere = np.zeros(course.chose.shape, np.float32)
        everywhere[course.chose] = values
        gamma, gae_lambda = self.terms.gamma, self.terms.gae_lambda
        gains, known = advantages(course, everywhere, gamma=gamma, gae_lambda=gae_lambda)
        kept = (known[course.chose] & tells).nonzero()[0]
        found = choices | {"values": values, "advantages": gains[course.chose]}
        return {name: array[kept] for name, array in found.items()}

    def _tells(self, highest: Float32s) -> Bools:
        """bool[N], the choices to learn from, by the log-probability of their likeliest action.

        Where the policy is sure, there is next to nothing to learn: its gradient vanishes with the
        probability of all other actions, and so does its advantage on average. Most choices are
        sure, so a part of them is enough. Which action was drawn must not matter, or unlikely ones
        would be learned from too often.
        """
        drawn: Bools = torch.rand(len(highest)).numpy() < self.terms.sure_kept
        return drawn | (highest <= np.log(self.terms.surest))

    def _choose(self, turn: Turn) -> tuple[Rows, Bools, Float32s, Float32s]:
        """Actions intp[B]; bool[B], where they were chosen.

        There also their log-probabilities, and those of the likeliest actions.
        """
        chose = turn.learning & (turn.masks.sum(axis=1) > 1)
        actions = turn.masks.argmax(axis=1)
        rows = chose.nonzero()[0]
        with torch.no_grad():
            seen = self._tensor(turn.observations[rows])
            found, logs, highest = self.policy.choose(seen, turn.masks[rows])
        actions[rows] = found.cpu().numpy()
        return actions, chose, logs.cpu().numpy(), highest.cpu().numpy()

    def _strayed(
        self, seen: Array, masks: Bools, actions: Rows, logs: Float32s, price: float
    ) -> Float32s | float:
        """Return float32[N], the cost of choices for being likelier than the clone finds them."""
        if self.anchor is None or not price:
            return 0.0
        with torch.no_grad():
            chances = self.anchor(*self.policy.given(self._tensor(seen)), masks)
            chosen = self._tensor(actions)[:, None]
            found: Float32s = price * (logs - chances.gather(1, chosen)[:, 0].cpu().numpy())
        return found

    def _values(self, observations: Array) -> Float32s:
        """Return float32[N], the critic's values."""
        found = [np.zeros(0, np.float32)]
        with torch.no_grad():
            for start in range(0, len(observations), _AT_ONCE):
                seen = self._tensor(observations[start : start + _AT_ONCE])
                found.append(self.policy.predict_values(seen)[:, 0].cpu().numpy())
        return np.concatenate(found)

    def _tensor(self, array: Array) -> Tensor:
        return torch.as_tensor(array, device=self.policy.device)


Given = tuple[dict[str, Tensor], float]
"""What all shards of a round are played with: weights, and the price of straying."""


@dataclass(frozen=True)
class Recipe:
    """What a worker makes its player from, once; the weights come with every round."""

    policy: dict[str, Any]
    """The arguments of the `SuitPolicy`."""
    anchor: Actor | None
    terms: Terms
    threads: int

    @classmethod
    def of(cls, player: Player, threads: int) -> "Recipe":
        """Return the recipe for players like this one that compute on this many threads."""
        policy, anchor = player.policy, player.anchor
        return cls(
            policy=policy._get_constructor_parameters(),
            anchor=anchor and copy.deepcopy(anchor).cpu(),
            terms=player.terms,
            threads=threads,
        )

    def __call__(self) -> Callable[[Given, Shard], tuple[Block, Shard]]:
        """Return the function that does a worker's work: plays a shard, and gives it back."""
        set_threads(self.threads)
        policy = SuitPolicy(**self.policy)
        player = Player(policy, self.anchor, self.terms)

        def play(given: Given, shard: Shard) -> tuple[Block, Shard]:
            weights, price = given
            policy.load_state_dict(weights)
            return player.play(shard, price), shard

        return play
