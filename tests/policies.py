"""Policies for tests, and asking policies what they would do."""

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from rummy_env import Engine
from rummy_env.baselines import Greedy, Policy, Random
from rummy_env.baselines.explanation import Explanation
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from tests.hiding import dealt_anew
from tests.table import Table


class Again:
    """Draws a card, and then another one, which is not legal."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        return np.zeros(len(view), np.intp)


class First:
    """Plays its first legal action."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        return mask.argmax(axis=1)


class Last:
    """Plays the last legal action, and notes how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        self.asked += len(view)
        return last_legal(mask)


class Fickle:
    """Plays greedily most of the time, so that games end soon, and at random otherwise."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        random, greedy = Random().act(view, mask, rng), Greedy().act(view, mask, rng)
        return np.where(rng.random() < 0.2, random, greedy)


class Slow:
    """An agent that goes on when it is told to, and thinks aloud meanwhile."""

    def __init__(self) -> None:
        self.go = threading.Semaphore(0)

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        return mask.argmax(axis=1)

    def explaining(self, view: Any, mask: Any, rng: Any) -> Iterator[Explanation]:
        yield Explanation(choice=int(mask[0].argmax()), worlds=1)
        self.go.acquire(timeout=20)
        last = mask.shape[1] - 1 - int(mask[0][::-1].argmax())
        yield Explanation(choice=last, worlds=2)


FICKLE = Fickle()


def decisions(policy: Policy, engine: Engine, rows: Rows) -> Rows:
    """What the seats to move do in some games that are not finished."""
    view = engine.look(engine.to_move[rows], rows)
    return policy.act(view, engine.legal_mask(rows), engine.random(rows))


def is_blind(policy: Policy, engine: Engine, other: Engine, moment: int) -> bool:
    """Whether a policy does the same if what its seat cannot see is dealt anew, in `other`."""
    rows = engine.running
    seats = engine.to_move[rows]
    seeds = game_seeds(moment, len(rows))
    other.state.put(rows, dealt_anew(engine.rules, engine.state, rows, seats, seeds))
    mask = engine.legal_mask(rows)
    views = [game.look(seats, rows) for game in (engine, other)]
    mine, theirs = (policy.act(view, mask, engine.random(rows)) for view in views)
    return np.array_equal(mine, theirs)


def movers(engine: Engine, rows: Rows) -> SeatView:
    """What the seats to move see in some games."""
    return engine.look(engine.to_move[rows].astype(np.intp), rows)


def decision(policy: Policy, table: Table) -> str:
    """What the seat to move does, in words."""
    return str(table.engine.describe(int(decisions(policy, table.engine, np.zeros(1, np.intp))[0])))


def played_on(policy: Policy, engine: Engine, steps: int) -> None:
    """Plays on with one policy in every seat; finished games are dealt anew."""
    for _ in range(steps):
        engine.reset(engine.finished.nonzero()[0])
        engine.step(decisions(policy, engine, np.arange(engine.num_envs)))


def played_out(policy: Policy, table: Table) -> list[str]:
    """What seat 0 does in the rest of its turn."""
    moves = []
    while table["to_move"] == 0 and not table["finished"]:
        moves.append(decision(policy, table))
        table.engine.step(decisions(policy, table.engine, np.zeros(1, np.intp)))
    return moves


def many_decisions(policy: Policy, engine: Engine, count: int) -> Rows:
    """What the seat to move does in the first game, asked with many random numbers."""
    same = np.zeros(count, np.intp)
    view = engine.look(engine.to_move).take(same)
    return policy.act(view, engine.legal_mask()[same], GameRandom(game_seeds(1, count)))


def chosen(engine: Engine) -> Rows:
    """What the fickle policy plays: a function of the game alone, not of the batch."""
    rows = np.arange(engine.num_envs)
    return FICKLE.act(engine.look(engine.to_move), engine.legal_mask(), engine.random(rows))


def last_legal(mask: Bools) -> Rows:
    """The last legal action in each game."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
