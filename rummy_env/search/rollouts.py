"""Hands played out to their end."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.heuristics import Policy
from rummy_env.core.bits import Rows
from rummy_env.core.engine import Engine

Gains = npt.NDArray[np.float32]


def play_out(engine: Engine, policy: Policy | Sequence[Policy], first: Rows | None = None) -> Gains:
    """Play the hands on all tables to their end; in a match the next hand is not begun.

    Args:
        engine: M games that have been dealt. Those that are over stay as they are.
        policy: The policy of every seat, or one for each.
        first: intp[M], actions to begin with, one in each game.

    Returns:
        float32[M, P], what each seat scored from now on, less the mean of the others.
    """
    policies = list(policy) if isinstance(policy, Sequence) else [policy]
    before, hand = engine.state.scores.copy(), engine.state.hand_number.copy()
    rows = (~engine.finished).nonzero()[0]
    while rows.size:
        actions = decide(engine, rows, policies) if first is None else first[rows]
        first = None
        engine.step(actions, rows)
        rows = rows[~engine.finished[rows] & (engine.state.hand_number[rows] == hand[rows])]
    scored = (engine.state.scores - before).astype(np.float32)
    others = scored.shape[1] - 1
    gains: Gains = scored - (scored.sum(axis=1, keepdims=True) - scored) / others
    return gains


def decide(engine: Engine, rows: Rows, policies: Sequence[Policy]) -> Rows:
    """intp[R], an action in each of some games, by the policies of their seats.

    These sit in turn, one of them everywhere; they are not asked where there is no choice.
    """
    masks = engine.legal_mask(rows)
    actions = masks.argmax(axis=1)
    seats = engine.to_move[rows].astype(np.intp)
    free = masks.sum(axis=1) > 1
    for number, policy in enumerate(policies):
        mine = free & (seats % len(policies) == number)
        items = mine.nonzero()[0]
        if items.size:
            some = rows[items]
            view = engine.look(seats[items], some)
            actions[items] = policy.act(view, masks[items], engine.random(some))
    return actions
