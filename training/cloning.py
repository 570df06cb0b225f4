"""Behaviour cloning: the actor learns a teacher's actions, or what they were worth by hindsight.

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
from rummy_env.baselines.advice import with_advice
from rummy_env.baselines.asking import answer
from rummy_env.baselines.heuristics import Policy
from rummy_env.core.arrays import Bools, Floats, Rows, joined
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.views.features import Features, observer
from training.hindsight import Hindsight, misjudged
from training.seeds import seed_apart

GAMES = 1024
_CHOICES = 16
"""A game has more choices than that as a rule, so few demonstrations take few games."""
BATCH = 1024
EPOCHS = 6
HINDSIGHT_EPOCHS = 3
"""Fewer passes: what the next player happens to hold would be learned by heart."""
LEARNING_RATE = 1e-3
"""Adam's initial learning rate; it falls to 0."""


@dataclass(frozen=True)
class Demonstrations:
    """Decisions of a teacher that were choices: int8[N, F], bool[N, A], intp[N].

    With `Hindsight`, observations are int8[N, F + A], the teacher's actions as advice included, and
    values are float16[N, A], what actions were worth; without it, they are [N, 0].
    """

    observations: Features
    masks: Bools
    actions: Rows
    values: Floats


def demonstrations(
    rules: Rules,
    observation: str,
    teacher: Policy,
    decisions: int,
    seed: int,
    report: Report,
    hindsight: Hindsight | None = None,
) -> Demonstrations:
    """Let a teacher play all seats until it has made at least this many choices."""
    blocks: list[Demonstrations] = []
    games = min(GAMES, -(-decisions // _CHOICES))
    while (made := sum(len(block.actions) for block in blocks)) < decisions:
        report(made / decisions)
        engine = Engine(rules, games, seed_apart(seed, len(blocks)))
        blocks.append(_block(engine, observation, teacher, hindsight))
    return joined(blocks)


def _block(
    engine: Engine, observation: str, teacher: Policy, hindsight: Hindsight | None
) -> Demonstrations:
    """Return the teacher's choices in some games, each played to its end."""
    observe = observer(engine.rules, observation)
    engine.reset()
    seen: list[Demonstrations] = []
    while (rows := engine.running).size:
        seats = engine.to_move.take(rows).astype(np.intp)
        view, mask = engine.look(seats, rows), engine.legal_mask(rows)
        actions = answer(teacher, view, mask, engine.random(rows))
        free = mask.sum(axis=1) > 1
        observed, values = observe(view), np.zeros((len(rows), 0), np.float16)
        if hindsight is not None:
            observed = with_advice(observed, actions, mask.shape[1])
            values = hindsight.values(engine, rows, mask, actions).astype(np.float16)
        seen.append(Demonstrations(observed[free], mask[free], actions[free], values[free]))
        engine.step(actions, rows)
    return joined(seen)


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
        values = torch.as_tensor(given.values[items], device=policy.device).float()
        lost = functional.nll_loss(chances, actions, reduction="none")
        judged = values.isfinite().any(dim=1)
        if judged.any():
            lost = torch.where(judged, misjudged(chances, values), lost)
        return lost.mean()

    policy.set_training_mode(True)
    count, epochs = len(given.actions), HINDSIGHT_EPOCHS if given.values.size else EPOCHS
    descend(policy.actor, loss, count, seed, report, epochs=epochs)
    return sum(agreed[-len(agreed) // epochs :]) / count


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
