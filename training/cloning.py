"""Behaviour cloning: the network learns a teacher's actions and the returns that follow.

Play from scratch rarely ends a hand at all, so a learner spends its first minutes in games that
look like no others. Cloning a heuristic skips them; reinforcement learning goes on from there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from rummy_env.baselines.policies import Policy
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.views.features import Features, observer

GAMES = 1024
BATCH = 1024
EPOCHS = 6
LEARNING_RATE = 1e-3
VALUE_WEIGHT = 0.5


@dataclass(frozen=True)
class Demonstrations:
    """Decisions of a teacher: int8[N, F], bool[N, A], intp[N]; and what came of them.

    The returns, float32[N], are those of the deciding seat in the episode.
    """

    observations: Features
    masks: Bools
    actions: Rows
    returns: npt.NDArray[np.float32]


def demonstrations(rules: Rules, teacher: Policy, decisions: int, seed: int) -> Demonstrations:
    """Lets a teacher play all seats until it has made at least this many decisions."""
    blocks: list[Demonstrations] = []
    while sum(len(block.actions) for block in blocks) < decisions:
        blocks.append(_block(rules, teacher, seed + len(blocks)))
    arrays = zip(*(vars(block).values() for block in blocks), strict=True)
    return Demonstrations(*map(np.concatenate, arrays))


def _block(rules: Rules, teacher: Policy, seed: int) -> Demonstrations:
    """The teacher's decisions in `GAMES` games, each played to its end."""
    engine, observe = Engine(rules, GAMES, seed), observer(rules)
    engine.reset()
    paid = np.zeros((GAMES, rules.num_players), np.float32)
    seen: list[tuple[Features, Bools, Rows, Rows, Rows]] = []
    while (rows := (~engine.finished).nonzero()[0]).size:
        seats = engine.to_move.take(rows).astype(np.intp)
        view, mask = engine.look(seats, rows), engine.legal_mask(rows)
        actions = teacher.act(view, mask, engine.random(rows))
        seen.append((observe(view), mask, actions, rows, seats))
        engine.step(actions, rows)
        paid += engine.rewards
    observations, masks, chosen, games, movers = (
        np.concatenate([step[i] for step in seen]) for i in range(5)
    )
    return Demonstrations(observations, masks, chosen, paid[games, movers])


def clone(policy: Any, given: Demonstrations, seed: int) -> float:
    """Fits a `TrunkPolicy`, in place, to demonstrations, their order in each epoch being seeded.

    Returns:
        Share of the teacher's actions that the policy finds likeliest, in the last epoch.
    """
    optimizer = torch.optim.Adam(policy.parameters(), lr=LEARNING_RATE)
    rng, agreed, shown = np.random.default_rng(seed), 0, 0
    policy.set_training_mode(True)
    for epoch in range(EPOCHS):
        for items in _batches(len(given.actions), rng):
            actions = torch.as_tensor(given.actions[items])
            chances, values = policy.evaluate_all(
                torch.as_tensor(given.observations[items]), given.masks[items]
            )
            returns = torch.as_tensor(given.returns[items])
            loss = functional.nll_loss(chances, actions)
            loss = loss + VALUE_WEIGHT * functional.mse_loss(values.squeeze(1), returns)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            if epoch == EPOCHS - 1:
                agreed += int((chances.argmax(dim=1) == actions).sum())
                shown += len(items)
    return agreed / shown


def _batches(count: int, rng: np.random.Generator) -> Iterator[Rows]:
    """Numbers below `count` in random order, a minibatch at a time."""
    order = rng.permutation(count)
    for start in range(0, count, BATCH):
        yield order[start : start + BATCH]
