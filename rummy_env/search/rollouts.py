"""Hands played out to their end."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.asking import Values, decide
from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.policies import Named, resolve
from rummy_env.core.actions import as_actions
from rummy_env.core.arrays import Float32s, Integers, Rows
from rummy_env.core.checks import shown
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.parts.rewards import counted, leads


def play_out(
    engine: Engine, policy: Named | Sequence[Named], first: npt.ArrayLike | None = None
) -> Float32s:
    """Play the hands on all tables to their end; in a match the next hand is not begun.

    Args:
        engine: M games that have been dealt; they are played themselves. Those that are over stay
            as they are.
        policy: The policy of every seat, or one for each; as for `rummy_env.baselines.resolve`.
        first: intp[M], actions to begin with, one in each game.

    Returns:
        float32[M, P], what each seat scored from now on, less the mean of the others. Where the
        rules pay for winning alone, a hand won counts 1 in place of its points.

    Raises:
        ValueError: If there are neither one policy nor as many as seats, one of them cannot play
            the rules, or an action to begin with is illegal.
        TypeError: If the games are no `Engine`.
    """
    return _played(engine, policy, first, lambda rows: rows)


def play_on(
    engine: Engine,
    policy: Named | Sequence[Named],
    values: Values,
    first: npt.ArrayLike | None = None,
) -> Float32s:
    """Play on until seat 0 chooses again or the hands are over; `values` gives the rest.

    Args:
        engine: M games, as for `play_out`.
        policy: The policy of every seat, or one for each; as for `rummy_env.baselines.resolve`.
        values: Gives what is still to come where seat 0 chooses: float32[N] for a view of N games.
        first: intp[M], actions to begin with, one in each game.

    Returns:
        float32[M], what seat 0 scores in all, less the mean of the others, in points or in hands
        won as for `play_out`; `values` must be of the same.

    Raises:
        ValueError: As for `play_out`, or if `values` gives no finite number for some game.
        TypeError: As for `play_out`.
    """
    to_come = np.zeros(engine.num_envs, np.float32)

    def goes_on(rows: Rows) -> Rows:
        chooses = (engine.to_move[rows] == 0) & (engine.legal_mask(rows).sum(axis=1) > 1)
        if chooses.any():
            some = rows[chooses]
            to_come[some] = _told(values(engine.look(0, some)), len(some))
        return rows[~chooses]

    return _played(engine, policy, first, goes_on)[:, 0] + to_come


def _told(values: npt.ArrayLike, count: int) -> Float32s:
    """Return what a function of values told of some games, as float32[count]."""
    told = np.asarray(values)
    if told.shape != (count,) or told.dtype.kind not in "uif" or not np.isfinite(told).all():
        raise ValueError(
            f"values returned {shown(values)} for {count} games: return a finite number for each"
        )
    return told.astype(np.float32, copy=False)


def _played(
    engine: Engine,
    policy: Named | Sequence[Named],
    first: npt.ArrayLike | None,
    goes_on: Callable[[Rows], Rows],
) -> Float32s:
    """Play until hands are over or `goes_on` drops their rows; float32[M, P], as `play_out`."""
    if not isinstance(engine, Engine):
        raise TypeError(f"engine={shown(engine)}: give an Engine, such as worlds() returns")
    begin = None if first is None else as_actions(first, engine.num_envs)
    before, hand = _counted(engine), engine.state.hand_number.copy()
    policies = _seated(policy, engine.rules)
    rows = engine.running
    while rows.size:
        engine.step(decide(engine, policies, rows) if begin is None else begin[rows], rows)
        begin = None
        rows = rows[~engine.finished[rows] & (engine.state.hand_number[rows] == hand[rows])]
        rows = goes_on(rows)
    return leads(_counted(engine) - before).astype(np.float32)


def _counted(engine: Engine) -> Integers:
    """Return int[M, P], what the hands played so far have counted for each seat."""
    if counted(engine.rules) == "hands":
        return engine.hand_winners.astype(np.int32)
    return engine.state.scores.copy()


def _seated(policy: Named | Sequence[Named], rules: Rules) -> list[Policy]:
    """Return one policy for all seats, or one for each; a ValueError if they do not fit."""
    given = [policy] if isinstance(policy, str) or not isinstance(policy, Sequence) else policy
    if len(given) not in (1, rules.num_players):
        raise ValueError(
            f"{len(given)} policies for {rules.num_players} seats: give one, or one for each"
        )
    return [resolve(each, rules) for each in given]
