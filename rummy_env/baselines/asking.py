"""What policies choose in games of an engine: each is asked once for all its games, and checked.

Some also say what a position is worth.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.isolated import Isolated, misfit
from rummy_env.baselines.policies import name_of
from rummy_env.core.arrays import Float32s, Rows
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView

Values = Callable[[SeatView], Float32s]
"""Returns what the seat to act will score by the end of the hand, less the mean of the others."""


class BadAnswer(ValueError):  # noqa: N818  (named for what it is)
    """Anything but one whole number per game."""

    def __init__(self, policy: Policy, name: str, what: str) -> None:
        """Tell `what` the policy did, which is known by this name."""
        super().__init__(f"{name} {what}")
        self.policy, self.what = policy, what


def ask(engine: Engine, policy: Policy, rows: Rows) -> Rows:
    """Return intp[R], a policy's choices for the seats to move in some games, intp[R].

    Whatever the policy raises gets a note that names it.

    Raises:
        BadAnswer: If the policy returns anything but one whole number per game.
    """
    view, mask = engine.look(engine.to_move.take(rows), rows), engine.legal_mask(rows)
    try:
        actions = np.asarray(policy.act(view, mask, engine.random(rows)))
    except Exception as error:
        if not isinstance(policy, Isolated):  # which tells all that is known itself
            error.add_note(f"raised by agent {name_of(policy)!r}, playing {engine.rules!r}")
        raise
    if wrong := misfit(actions, len(rows)):
        raise BadAnswer(policy, name_of(policy), wrong)
    return actions.astype(np.intp)  # a copy: the policy may use its array again


def choices(engine: Engine, policies: Sequence[Policy], sitting: Rows, rows: Rows) -> Rows:
    """Return intp[R], the choices for the seats to move in some games, intp[R].

    `sitting` is intp[B, P], the number of the policy in each seat. Raises as `ask`.
    """
    who = sitting[rows, engine.to_move.take(rows)]
    playing = np.bincount(who).nonzero()[0].tolist()
    if len(playing) == 1:
        return ask(engine, policies[playing[0]], rows)
    actions: Rows = np.empty(len(rows), np.intp)
    for number in playing:
        items = (who == number).nonzero()[0]
        actions[items] = ask(engine, policies[number], rows.take(items))
    return actions


def decide(engine: Engine, policies: Sequence[Policy], rows: Rows) -> Rows:
    """As `choices`, but policies are not asked where there is no choice.

    They take the seats in turn, a single one all of them.
    """
    masks = engine.legal_mask(rows)
    actions = masks.argmax(axis=1)
    free = (masks.sum(axis=1) > 1).nonzero()[0]
    if free.size:
        turns = np.arange(engine.rules.num_players) % len(policies)
        sitting = np.broadcast_to(turns, (engine.num_envs, len(turns)))
        actions[free] = choices(engine, policies, sitting, rows.take(free))
    return actions


def values_of(policy: Any, rules: Rules) -> Values:
    """Return what a policy finds positions of these rules worth, after asking it once.

    Raises:
        ValueError: If it has no values, or none for the rules.
    """
    if not hasattr(policy, "values"):
        raise ValueError(
            f"{name_of(policy)} has no method `values`, which says what a position is worth: give "
            f"a trained model"
        )
    games = Engine(rules)
    games.reset()
    policy.values(games.look(games.to_move))
    values: Values = policy.values
    return values
