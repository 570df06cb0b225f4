"""Policies for tests, and asking policies what they would do."""

import numpy as np

from rummy_env import Engine
from rummy_env.baselines import Policy
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from tests.table import Table


class Again:
    """Draws a card, and then another one, which is not legal."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        return np.zeros(len(view), np.intp)


def decisions(policy: Policy, engine: Engine, rows: Rows) -> Rows:
    """What the seats to move do in some games that are not finished."""
    view = engine.look(engine.to_move[rows], rows)
    return policy.act(view, engine.legal_mask(rows), engine.random(rows))


def movers(engine: Engine, rows: Rows) -> SeatView:
    """What the seats to move see in some games."""
    return engine.look(engine.to_move[rows].astype(np.intp), rows)


def decision(policy: Policy, table: Table) -> str:
    """What the seat to move does, in words."""
    return str(table.engine.describe(int(decisions(policy, table.engine, np.zeros(1, np.intp))[0])))


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


def running(engine: Engine) -> Rows:
    """The games that are not finished."""
    return engine.running
