"""Behaviour cloning: the actor learns a teacher's actions.

An untrained policy rarely finishes a hand at all, so a learner spends its first minutes in games
unlike any others. Cloning a heuristic skips them; reinforcement learning continues from there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from agents.network import SuitPolicy
from agents.working import Report
from rummy_env.baselines.asking import answer
from rummy_env.baselines.heuristics import Policy
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.views.features import Features, observer
from training.seeds import seed_apart

GAMES = 1024
_CHOICES = 16
"""A game has more choices than that as a rule, so few demonstrations take few games."""
BATCH = 1024
EPOCHS = 6
LEARNING_RATE = 1e-3
"""Adam's initial learning rate; it falls to 0."""


@dataclass(frozen=True)
class Demonstrations:
    """Decisions of a teacher that were choices: int8[N, F], bool[N, A], intp[N]."""

    observations: Features
    masks: Bools
    actions: Rows


def demonstrations(
    rules: Rules, observation: str, teacher: Policy, decisions: int, seed: int, report: Report
) -> Demonstrations:
    """Let a teacher play all seats until it has made at least this many choices."""
    blocks: list[Demonstrations] = []
    games = min(GAMES, -(-decisions // _CHOICES))
    while (made := sum(len(block.actions) for block in blocks)) < decisions:
        report(made / decisions)
        block_seed = seed_apart(seed, len(blocks))
        blocks.append(_block(rules, observation, teacher, games, block_seed))
    arrays = zip(*(vars(block).values() for block in blocks), strict=True)
    return Demonstrations(*map(np.concatenate, arrays))


def _block(
    rules: Rules, observation: str, teacher: Policy, games: int, seed: int
) -> Demonstrations:
    """Return the teacher's choices in some games, each played to its end."""
    engine, observe = Engine(rules, games, seed), observer(rules, observation)
    engine.reset()
    seen: list[tuple[Features, Bools, Rows]] = []
    while (rows := engine.running).size:
        seats = engine.to_move.take(rows).astype(np.intp)
        view, mask = engine.look(seats, rows), engine.legal_mask(rows)
        actions = answer(teacher, view, mask, engine.random(rows))
        free = mask.sum(axis=1) > 1
        seen.append((observe(view)[free], mask[free], actions[free]))
        engine.step(actions, rows)
    return Demonstrations(*(np.concatenate([step[i] for step in seen]) for i in range(3)))


def clone(policy: SuitPolicy, given: Demonstrations, seed: int, report: Report) -> float:
    """Fit the actor to demonstrations, in place; their order in each epoch is seeded.

    Returns:
        The share of the teacher's actions that the policy found likeliest in the last epoch, as it
        learned from them; of decisions that it has not seen it imitates some per cent fewer.
    """
    agreed: list[int] = []

    def loss(items: Rows) -> Tensor:
        actions = torch.as_tensor(given.actions[items], device=policy.device)
        seen = torch.as_tensor(given.observations[items], device=policy.device)
        chances = policy.log_chances(policy.given(seen), given.masks[items])
        agreed.append(int((chances.argmax(dim=1) == actions).sum()))
        return functional.nll_loss(chances, actions)

    policy.set_training_mode(True)
    count = len(given.actions)
    descend(policy.actor, loss, count, seed, report)
    return sum(agreed[-len(agreed) // EPOCHS :]) / count


def descend(
    actor: nn.Module,
    loss: Callable[[Rows], Tensor],
    count: int,
    seed: int,
    report: Report,
    *,
    epochs: int = EPOCHS,
    rate: float = LEARNING_RATE,
    batch: int = BATCH,
) -> None:
    """Fit an actor in place with Adam, whose learning rate falls to 0.

    Args:
        actor: The module whose parameters are fitted.
        loss: Takes intp[M], the items of a minibatch, and returns its mean loss.
        count: The number of items; their order in each epoch is seeded.
        seed: The seed of that order.
        report: Called before each minibatch.
        epochs: How often each item is learned from.
        rate: The initial learning rate.
        batch: Items of a minibatch.
    """
    optimizer = torch.optim.Adam(actor.parameters(), lr=rate)
    rng = np.random.default_rng(seed)
    for epoch in range(epochs):
        order = rng.permutation(count)
        for start in range(0, count, batch):
            done = (epoch + start / count) / epochs
            report(done)
            optimizer.param_groups[0]["lr"] = rate * (1 - done)
            lost = loss(order[start : start + batch])
            optimizer.zero_grad()
            lost.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
