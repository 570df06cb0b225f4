"""What seeing all cards would win: `python -m benchmarks.ceiling`.

A player that sees every hand and the order of the stock tries every move out, on the very cards
that are there, and everybody then plays on as the strongest heuristic does. Nobody can play like
that; how far it leads the heuristic tells what may be left to win above that, and where little is.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rich
import rich.table

import rummy_env
from benchmarks import kept
from benchmarks.flags import asked
from rummy_env import Engine, Rules
from rummy_env.baselines import Policy, resolve
from rummy_env.baselines.asking import decide
from rummy_env.baselines.policies import strongest
from rummy_env.command_line import plain_errors
from rummy_env.core.arrays import Rows
from rummy_env.evaluation.arena import shares_of
from rummy_env.evaluation.statistics import Estimate, mean, rate
from rummy_env.evaluation.words import percent, points
from rummy_env.search.rollouts import play_out

AT_ONCE = 16_384
"""Tables on which moves are tried out side by side."""


@dataclass(frozen=True)
class Settings:
    """Measures by how much a player that sees all cards leads the strongest heuristic.

    Attributes:
        variants: Which variants, with two players.
        deals: How many, each played with the player in either seat.
        seed: Of the deals.
        out: Folder for ceiling.json.
    """

    variants: tuple[str, ...] = tuple(rummy_env.VARIANTS)
    deals: int = 500
    seed: int = 1
    out: Path | None = None


@dataclass(frozen=True)
class Ceiling:
    """One line of the table.

    Attributes:
        variant: The game.
        base: The heuristic.
        lead: Points per hand by which the player that sees all leads it.
        won: The share of hands that it wins; a hand that nobody wins counts for both by half.
        tied: The share of deals in which both made the same.
    """

    variant: str
    base: str
    lead: Estimate
    won: Estimate
    tied: float


def best_moves(engine: Engine, rows: Rows, base: Policy, own: Rows) -> Rows:
    """Return intp[R], the moves that bring the seats to move most on the very cards that are there.

    The base's own move, intp[R], stays where no other is better.
    """
    game, move = engine.legal_mask(rows).nonzero()
    seats = engine.to_move[rows].astype(np.intp)
    worth = np.zeros(len(game))
    for start in range(0, len(game), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        tables = Engine(engine.rules, len(game[some]))
        tables.lay(engine.state.take(rows[game[some]]))
        found = play_out(tables, base, move[some])
        worth[some] = found[np.arange(len(found)), seats[game[some]]]
    worth += 1e-3 * (move == own[game])  # less than any difference in points
    by_worth = np.lexsort((-worth, game))
    first = np.unique(game[by_worth], return_index=True)[1]
    return move[by_worth[first]]


def measure(rules: Rules, base: str, deals: int, seed: int) -> Ceiling:
    """Play every deal twice, the player that sees all in either seat."""
    policy = resolve(base, rules)
    seeds = np.random.default_rng(seed).integers(1 << 63, size=deals, dtype=np.uint64)
    engine, seer = Engine(rules, 2 * deals, seed=np.repeat(seeds, 2)), np.tile([0, 1], deals)
    engine.reset()
    live = np.arange(2 * deals)
    while live.size:
        sees = engine.to_move[live] == seer[live]
        actions = decide(engine, [policy], live)
        if sees.any():
            actions[sees] = best_moves(engine, live[sees], policy, actions[sees])
        engine.step(actions, live)
        live = live[~engine.finished[live]]
    games = np.arange(2 * deals)
    scores, winners = engine.state.scores, engine.state.winners
    leads = scores[games, seer] - scores[games, 1 - seer]
    won = shares_of(winners)[games, seer]
    by_deal = leads.reshape(-1, 2).mean(axis=1)
    lead = mean(by_deal, 2.0 * float(np.abs(scores).max()))
    return Ceiling(
        rules.name, base, lead, rate(won.reshape(-1, 2).mean(axis=1)), float((by_deal == 0).mean())
    )


HEADINGS = ("game", "heuristic", "lead, points per hand", "hands won", "deals that tie")


def row(found: Ceiling) -> tuple[str, ...]:
    """Return a line of the table as text."""
    told = points(found.lead), percent(found.won), f"{100 * found.tied:.0f} %"
    return f"`{found.variant}`", f"`{found.base}`", *told


def read(facts: dict[str, Any]) -> Ceiling:
    """Return a line of the table as it was written."""
    return Ceiling(**{**facts, "lead": Estimate(**facts["lead"]), "won": Estimate(**facts["won"])})


@plain_errors()
def main() -> None:
    """Run the command."""
    settings = asked(Settings, "benchmarks.ceiling")
    title = "A player that sees all cards, against the strongest heuristic"
    table = rich.table.Table(*HEADINGS, title=title)
    found = []
    for variant in settings.variants:
        rules, start = rummy_env.rules(variant), time.perf_counter()
        found.append(measure(rules, strongest(rules), settings.deals, settings.seed))
        print(f"{variant}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
        table.add_row(*row(found[-1]))
    rich.print(table)
    if settings.out is not None:
        kept.write(settings.out / "ceiling.json", "benchmarks.ceiling", found)


if __name__ == "__main__":
    main()
