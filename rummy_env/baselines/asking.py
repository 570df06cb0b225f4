"""What policies choose: each is asked once for all its games, and its answer is checked.

Some also say what a position is worth.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rummy_env.baselines.answers import BadAnswer, misfit
from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.isolated import Isolated
from rummy_env.baselines.policies import name_of
from rummy_env.core.arrays import Bools, Float32s, Floats, Rows
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.variants import in_short

Values = Callable[[SeatView], Float32s]
"""Returns what the seat to act will score by the end of the hand, less the mean of the others."""


def ask(engine: Engine, policy: Policy, rows: Rows) -> Rows:
    """Return intp[R], a policy's choices for the seats to move in some games, intp[R].

    Whether they are legal is left to the engine, which says in words why one is not. Whatever the
    policy raises gets a note that names it.

    Raises:
        BadAnswer: If the policy returns anything but one whole number per game.
    """
    seats = engine.to_move.take(rows)
    return _asked(policy, engine.look(seats, rows), engine.legal_mask(rows), engine.random(rows))


def answer(policy: Policy, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
    """Return intp[N], a policy's choices; for the arguments, see `Policy.act`.

    Whatever the policy raises gets a note that names it.

    Raises:
        BadAnswer: If the policy returns anything but one legal action per game.
    """
    actions = _asked(policy, view, mask, rng)
    legal = (actions >= 0) & (actions < mask.shape[1])
    legal[legal] = mask[legal, actions[legal]]
    if not legal.all():
        what = f"chose action {actions[~legal][0]}, which the mask forbids: choose among the legal"
        raise BadAnswer(name_of(policy), what, policy)
    return actions


def _asked(policy: Policy, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
    """Return intp[N], whole numbers, but not checked to be legal; see `ask`."""
    try:
        actions = np.asarray(policy.act(view, mask, rng))
    except Exception as error:
        if not isinstance(policy, Isolated):  # which tells all that is known itself
            error.add_note(f"raised by agent {name_of(policy)!r}, playing {in_short(view.rules)}")
        raise
    if wrong := misfit(actions, len(mask)):
        raise BadAnswer(name_of(policy), wrong, policy)
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


def chances_of(policy: Any, view: SeatView, mask: Bools, rng: GameRandom) -> Floats:
    """Return float[N, A], the probabilities with which a policy that has them plays legal actions.

    Raises:
        ValueError: If it gives anything else; it names the policy.
    """
    found = np.asarray(policy.probabilities(view, mask, rng))
    told = f"{name_of(policy)}.probabilities"
    if found.shape != mask.shape or found.dtype.kind != "f":
        raise ValueError(
            f"{told} answers shape {found.shape} and dtype {found.dtype}: give float{[*mask.shape]}"
        )
    legal = np.where(mask, found, 0)
    if not ((legal >= 0).all() and np.allclose(legal.sum(axis=1), 1, atol=1e-3)):
        raise ValueError(f"{told}: give each game numbers that sum to 1 over its legal actions")
    return legal


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
    return policy.values
