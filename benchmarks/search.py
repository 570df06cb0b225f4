"""What search adds to the policy that it starts from: `python -m benchmarks.search`.

Two agents that differ in one decision of a hundred need more deals to be told apart than a search
can play. So the base policy plays both seats, some of its decisions are drawn at random, and there
the search's choice and the base policy's are played out again, on the very table: with the cards
that the other seat holds, in stocks that are shuffled anew. The mean difference, times the
decisions of a seat and hand, is what the search wins as long as nobody else changes.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import rummy_env
from agents.search import Leaf, Search, Thoughts
from rummy_env import Engine, Rules
from rummy_env.baselines import Policy, resolve
from rummy_env.command_line import plain_errors
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.determinising import determinise
from rummy_env.core.importing import extra
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import GameRandom, stream
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import planes
from rummy_env.search import play_out

with extra("bench", "benchmarks"):
    import tyro

SURELY = 1e9
"""The odds of cards that are held, beside those that are not."""
Floats = npt.NDArray[np.floating]


@dataclass(frozen=True)
class Settings:
    """Measures what search adds to a base policy between two players, in points a hand.

    Attributes:
        variant: The variant, with its usual options.
        base: The policy that search starts from and plays hands out with.
        worlds: Worlds in which each move is tried out.
        gates: Standard errors by which a move has to be ahead.
        beliefs: Whether worlds follow what the other seat has taken, thrown away and left.
        candidates: The most moves that are weighed, where the base policy has probabilities.
        min_probability: The least probability of a move that is weighed.
        leaf: How far moves are tried out: to the end of the hand, or to the viewer's next choice,
            the rest being the value that the base policy's critic finds.
        games: Games of which the decisions are.
        share: The share of their decisions that is searched.
        truth: Stocks on which the two moves are compared.
        seed: The seed of it all.
    """

    variant: str = "basic"
    base: str = "strong"
    worlds: int = 128
    gates: tuple[float, ...] = (0.0, 0.5, 1.0, 1.5, 2.0)
    beliefs: bool = True
    candidates: int = 8
    min_probability: float = 0.0
    leaf: Leaf = "end"
    games: int = 40
    share: float = 0.1
    truth: int = 128
    seed: int = 1


@dataclass(frozen=True)
class Decisions:
    """Decisions of the base policy that were drawn, N of them, at one moment."""

    view: SeatView
    masks: Bools
    rng: GameRandom
    held: Floats
    """float32[52, N], 1 for the cards that the other seat holds."""


def decisions(rules: Rules, base: Policy, given: Settings) -> Iterator[tuple[int, Decisions]]:
    """How many decisions each moment of the games had, and those of them that were drawn."""
    engine, rng = Engine(rules, given.games, given.seed), np.random.default_rng(given.seed)
    engine.reset()
    while (rows := (~engine.finished).nonzero()[0]).size:
        seats, masks = engine.to_move[rows].astype(np.intp), engine.legal_mask(rows)
        view, luck = engine.look(seats, rows), engine.random(rows)
        actions = base.act(view, masks, luck)
        free = (masks.sum(axis=1) > 1).nonzero()[0]
        drawn = free[rng.random(free.size) < given.share]
        held = planes(engine.state.hands[rows[drawn], 1 - seats[drawn], 0])
        yield free.size, Decisions(view.take(drawn), masks[drawn], luck.take(drawn), held)
        engine.step(actions, rows)


def gains(base: Policy, some: Decisions, found: Thoughts, given: Settings, seed: int) -> Floats:
    """float[N], what the move that leads brings beside the base policy's, on the true tables.

    Where it is ahead by no more than the lowest gate it is not played, and brings nothing.
    """
    leading, ahead = leaders(found)
    own = found.actions[:, 0]
    changed = (ahead > min(given.gates)).nonzero()[0]
    difference = np.zeros(len(own))
    if not changed.size:
        return difference
    items = changed.repeat(given.truth)
    seeds = stream(game_seeds(seed, len(own))[items], np.tile(np.arange(given.truth), len(changed)))
    odds = np.where(some.held > 0, SURELY, 1.0)
    brought = []
    for moves in (leading, own):
        games = Engine(some.view.rules, len(items), seeds)
        games.lay(determinise(some.view, seeds, items, odds))
        brought.append(play_out(games, base, moves[items])[:, 0])
    difference[changed] = (brought[0] - brought[1]).reshape(-1, given.truth).mean(axis=1)
    return difference


def leaders(found: Thoughts) -> tuple[Rows, Floats]:
    """The action that is furthest ahead of the base policy's, or that one itself, intp[N].

    And the standard errors by which it is ahead, float[N]; 0 for the base policy's own.
    """
    rows = np.arange(len(found.choice))
    best = np.where(found.actions >= 0, found.ahead, -np.inf).argmax(axis=1)
    error = np.maximum(found.error[rows, best], 1e-9)
    return found.actions[rows, best], np.where(best > 0, found.ahead[rows, best] / error, 0.0)


def searching(base: Policy, given: Settings) -> Search:
    """The search that is measured."""
    names = ("worlds", "beliefs", "candidates", "min_probability", "leaf")
    options: dict[str, Any] = {name: getattr(given, name) for name in names}
    return Search(base, gate=0.0, **options)


def measure(given: Settings) -> str:
    """The table, as Markdown."""
    rules = rummy_env.rules(given.variant)
    base = resolve(given.base, rules)
    search = searching(base, given)
    choices, spent = 0, 0.0
    won: list[Floats] = []
    sure: list[Floats] = []
    for moment, (count, some) in enumerate(decisions(rules, base, given)):
        choices += count
        if len(some.view):
            began = time.process_time()
            found = search.think(some.view, some.masks, some.rng)
            spent += time.process_time() - began
            won.append(gains(base, some, found, given, given.seed + moment + 1))
            sure.append(leaders(found)[1])
    each, z = np.concatenate(won), np.concatenate(sure)
    cost = 1000 * spent / len(each)
    per_hand = choices / given.games / 2
    lines = [
        f"{given.variant}, {given.base}, {given.worlds} worlds"
        f"{' by belief' if given.beliefs else ''}, to the {given.leaf}: "
        f"{len(each)} of {choices} decisions, {cost:.0f} ms of a processor each",
        "",
        "| gate | changed | points a decision changed | points a hand |",
        "| ---: | ---: | ---: | ---: |",
    ]
    for gate in given.gates:
        gain = np.where(z > gate, each, 0.0)
        error = 1.96 * gain.std() / len(gain) ** 0.5 * per_hand
        share = (z > gate).mean()
        lines.append(
            f"| {gate:g} | {share:.1%} | {gain.mean() / max(share, 1e-9):+.2f} "
            f"| {gain.mean() * per_hand:+.2f} ± {error:.2f} |"
        )
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    given = tyro.cli(Settings, args=argv)
    with plain_errors():
        print(measure(given))


if __name__ == "__main__":
    main()
