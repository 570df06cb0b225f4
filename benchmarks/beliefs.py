"""How well beliefs tell what another player holds: `python -m benchmarks.beliefs`.

In games of a policy against itself, at decisions drawn at random, every unseen card is held by the
other seat or is not. What is printed is the mean surprise at that, in nats a card: the fewer, the
better. Weights of 0 are the even chances of unseen cards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import rummy_env
from benchmarks.flags import asked
from rummy_env import Engine, Rules
from rummy_env.baselines import Policy, resolve
from rummy_env.baselines.asking import ask
from rummy_env.command_line import plain_errors
from rummy_env.core.arrays import Float32s
from rummy_env.core.visibility import SeatView
from rummy_env.evaluation.markdown import pipe_table
from rummy_env.melds.beliefs import LEFT, TAKEN, THROWN
from rummy_env.melds.card_worth import counts, nearness, planes

SUREST = 0.99
"""No chance is taken to be nearer to 0 or to 1."""
WEIGHTS = (
    (0.0, 0.0, 0.0),
    (0.0, 0.0, TAKEN),
    (THROWN, 0.0, 0.0),
    (0.0, LEFT, 0.0),
    (THROWN, LEFT, 0.0),
    (THROWN / 2, LEFT / 2, TAKEN / 2),
    (THROWN, LEFT, TAKEN),
    (1.5 * THROWN, 1.5 * LEFT, 1.5 * TAKEN),
)
"""What is compared: the weights of cards near by that were thrown away, left, and taken."""


@dataclass(frozen=True)
class Settings:
    """Measures how well beliefs tell what the other player holds.

    Attributes:
        variants: The variants, of two players, with one pack of regular cards.
        policy: Who plays.
        games: Games of each.
        share: The share of the decisions that are looked at.
        seed: Of the games.
    """

    variants: tuple[str, ...] = ("basic", "bonus", "classic", "gin")
    policy: str = "strong"
    games: int = 400
    share: float = 0.1
    seed: int = 1


def positions(rules: Rules, policy: Policy, given: Settings) -> Iterator[tuple[SeatView, Float32s]]:
    """Yield views of movers, and float32[52, N], 1 for the cards that the other seat holds."""
    engine, rng = Engine(rules, given.games, given.seed), np.random.default_rng(given.seed)
    engine.reset()
    while (rows := engine.running).size:
        seats = engine.to_move[rows].astype(np.intp)
        view = engine.look(seats, rows)
        drawn = (rng.random(rows.size) < given.share).nonzero()[0]
        if drawn.size:
            held = engine.state.hands[rows[drawn], 1 - seats[drawn], 0]
            yield view.take(drawn), planes(held)
        engine.step(ask(engine, policy, rows), rows)


def surprise(view: SeatView, held: Float32s, weights: Sequence[float]) -> tuple[float, int]:
    """Return the nats of all unseen cards of some views, and how many cards these are."""
    acts = (view.discarded[:, 1], view.passed[:, 1], view.known[:, 1, 0])
    near = [
        nearness(counts(cards)) / 2 * weight for cards, weight in zip(acts, weights, strict=True)
    ]
    unseen = planes(view.unseen[:, 0])
    odds = np.exp(np.sum(near, axis=0)) * unseen
    hidden = view.hand_sizes[:, 1] - np.bitwise_count(view.known[:, 1, 0])
    chances = np.clip(odds * (hidden / np.maximum(odds.sum(axis=0), 1e-9)), 1 - SUREST, SUREST)
    nats = -np.where(held > 0, np.log(chances), np.log(1 - chances))
    return float((nats * unseen).sum()), int(unseen.sum())


def measure(name: str, given: Settings) -> list[float]:
    """Nats a card for each of `WEIGHTS`."""
    rules = rummy_env.rules(name)
    if not rules.pack.is_single or rules.num_players != 2 or not rules.sight.pile_known:
        raise ValueError(
            f"variant={name!r}: give games of two players, in which discards are known"
        )
    total = np.zeros((len(WEIGHTS), 2))
    for view, held in positions(rules, resolve(given.policy, rules), given):
        total += [surprise(view, held, weights) for weights in WEIGHTS]
    return [float(nats / cards) for nats, cards in total]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    with plain_errors():
        given = asked(Settings, "benchmarks.beliefs", argv)
        found = [measure(name, given) for name in given.variants]
    columns = "thrown away", "left", "taken", *given.variants
    rows = [
        [f"{weight:+.2g}" for weight in weights] + [f"{each:.4f}" for each in nats]
        for weights, nats in zip(WEIGHTS, zip(*found, strict=True), strict=True)
    ]
    print(pipe_table(columns, rows, figures=len(columns)))


if __name__ == "__main__":
    main()
