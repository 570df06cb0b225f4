"""A model's critic: `python -m training.critic VARIANT --model MODEL [options]`.

The model plays hands with itself, its likeliest actions in all seats, and a value network learns by
how much the seat to act is ahead of the others at their end. Learning by PPO leaves a critic behind
too, but of a policy that tries things out, and whose targets rest on the critic's own values.
"""

import dataclasses
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from threadpoolctl import threadpool_limits
from torch import Tensor
from torch.nn import functional

from agents.network import Critic, inputs
from agents.saved import arrays_of
from rummy_env import command_line
from rummy_env.baselines.model_card import CRITIC
from rummy_env.baselines.networks import MAX_UNITS, wiring
from rummy_env.baselines.saved import SavedPolicy, write_model
from rummy_env.baselines.value_net import ValueNet
from rummy_env.core.bits import Rows
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.parts.match import SingleHand
from rummy_env.search.rollouts import gains
from rummy_env.views.features import Features
from training.cloning import GAMES, Report, descend
from training.progress import Phases
from training.settings import MANY, MOST, TINY, check_numbers

COMMAND = "python -m training.critic"
RANGES: dict[str, tuple[float, float]] = {
    "positions": (2, 1 << 24),
    "share": (TINY, 1),
    "units": (1, MAX_UNITS // 2),
    "epochs": (1, MANY),
    "minibatch_size": (1, MOST),
    "learning_rate": (TINY, MOST),
    "seed": (0, 2**32 - 1),
    "torch_threads": (1, 1024),
}


@dataclass(frozen=True)
class Settings:
    """Gives a model a critic, which a search can ask what positions are worth.

    Attributes:
        model: The model; its file is written anew.
        positions: Positions to learn from.
        share: The share of a game's choices that are learned from, drawn at random: those of one
            game have one outcome.
        units: The units for each suit of a critic where the model has none; for all together it
            has twice as many.
        epochs: Passes over the positions.
        learning_rate: Adam's, at the beginning; it falls to nothing.
        minibatch_size: Positions in a minibatch.
        seed: The seed of the games and of the order of learning.
        torch_threads: Threads of PyTorch, and of NumPy's matrix products.
    """

    model: Path
    positions: int = 600_000
    share: float = 0.3
    units: int = 96
    epochs: int = 3
    learning_rate: float = 1e-3
    minibatch_size: int = 2048
    seed: int = 1
    torch_threads: int = 2


@dataclass(frozen=True)
class Outcomes:
    """N choices: what was seen, int8[N, F], and how the hand ended, float32[N], in points."""

    seen: Features
    leads: Any

    @classmethod
    def joined(cls, blocks: Sequence["Outcomes"]) -> "Outcomes":
        """All of some blocks."""
        both = zip(*(vars(block).values() for block in blocks), strict=True)
        return cls(*map(np.concatenate, both))


def outcomes(model: SavedPolicy, rules: Rules, share: float, seed: int) -> Outcomes:
    """Some choices of `GAMES` hands that a model plays with itself, and what came of them."""
    engine, rng = Engine(rules, GAMES, seed), np.random.default_rng(seed)
    engine.reset()
    seen: list[Features] = []
    places: list[tuple[Rows, Rows]] = []
    while (rows := (~engine.finished).nonzero()[0]).size:
        seats, masks = engine.to_move[rows].astype(np.intp), engine.legal_mask(rows)
        view = engine.look(seats, rows)
        drawn = ((masks.sum(axis=1) > 1) & (rng.random(len(rows)) < share)).nonzero()[0]
        seen.append(model.see(view.take(drawn)))
        places.append((rows[drawn], seats[drawn]))
        engine.step(model.act(view, masks, engine.random(rows)), rows)
    row, seat = map(np.concatenate, zip(*places, strict=True))
    ahead = gains(engine.state.scores)
    return Outcomes(np.concatenate(seen), ahead[row, seat])


class Valuation:
    """A critic that learns what came of a model's choices."""

    def __init__(self, model: SavedPolicy, units: int, leads: Any) -> None:
        """Go on with the critic that the model has, or make one of so many units.

        The values of a new one are in standard deviations of some leads.
        """
        self._model = model
        self._wired = wiring(model.card.observation, model.card.actions)
        new = ValueNet(units, 2 * units, float(leads.std()) or 1.0)
        self.network = model.card.critic or new
        self._critic = Critic(self.network, self._wired, np.zeros(0, np.float32))
        if model.card.critic is not None:
            self._critic.weights.load_arrays(model.card.critic_arrays(model.arrays))

    def learn(self, given: Outcomes, settings: Settings, report: Report) -> None:
        """Learn outcomes, by least squares."""
        targets = torch.as_tensor(given.leads / self.network.points)
        descend(
            self._critic,
            lambda items: functional.mse_loss(self._values(given.seen[items]), targets[items]),
            len(targets),
            settings.seed,
            report,
            epochs=settings.epochs,
            rate=settings.learning_rate,
            batch=settings.minibatch_size,
        )

    def save(self) -> SavedPolicy:
        """Write the model with this critic."""
        model = self._model
        own = {name: array for name, array in model.arrays.items() if not name.startswith(CRITIC)}
        learned = {CRITIC + name: array for name, array in arrays_of(self._critic).items()}
        card = dataclasses.replace(model.card, critic=self.network)
        write_model(model.path, card, own | learned)
        return SavedPolicy(model.path)

    def _values(self, seen: Features) -> Tensor:
        cards, others, _ = inputs(self._wired, torch.as_tensor(seen), torch.float32)
        found: Tensor = self._critic(cards, others)[:, 0]
        return found


def explained(model: SavedPolicy, given: Outcomes) -> float:
    """The share of the variance of outcomes that the model's critic explains, 1 at most."""
    left = given.leads - model.card.values(model.arrays, given.seen)
    return float(1 - np.mean(left**2) / np.var(given.leads))


def run(rules: Rules, given: Settings) -> str:
    """Give a model its critic; returns in words how much that explains.

    Raises:
        ValueError: If a flag makes no sense, or the model is for other rules.
        KeyboardInterrupt: If the user stops it; the model is left as it was.
    """
    check_numbers(given, RANGES)
    if rules.episode != SingleHand():
        raise ValueError(f"{rules!r}: critics are of single hands, in matches too; leave match out")
    model = SavedPolicy(given.model)
    model.plays(rules)
    torch.set_num_threads(given.torch_threads)
    threadpool_limits(given.torch_threads)
    torch.manual_seed(given.seed)
    with Phases() as phases:
        phases.begin("games")
        unseen, blocks = outcomes(model, rules, given.share, given.seed), []
        while (count := sum(len(block.leads) for block in blocks)) < given.positions:
            phases.show(count / given.positions)
            blocks.append(outcomes(model, rules, given.share, given.seed + len(blocks) + 1))
        phases.show(1)
        learned = Outcomes.joined(blocks)
        phases.begin("learning")
        valuation = Valuation(model, given.units, learned.leads)
        valuation.learn(learned, given, phases.show)
        phases.show(1)
        said = f"of {len(unseen.leads):,} unseen outcomes the critic explains"
        before = f", that of before {explained(model, unseen):.1%}" if model.card.critic else ""
        return f"{said} {explained(valuation.save(), unseen):.1%}{before}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns 0, or 130 after Ctrl-C or SIGTERM."""
    given = sys.argv[1:] if argv is None else argv
    with command_line.plain_errors(), suppress(KeyboardInterrupt):
        print(run(*command_line.parse(Settings, COMMAND, given)))
        return 0
    print("stopped; the model is as it was")
    return command_line.INTERRUPTED


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
