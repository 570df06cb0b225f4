"""Expert iteration: `python -m training.expert VARIANT --start MODEL [options]`.

A search that plays by the model tells what actions are worth in positions of the model's own games,
and the model learns to choose more as the search would. So does the next round, with the model that
came of this one. Every round is measured on duplicate deals.
"""

import dataclasses
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agents.labels import (
    MOST_POSITIONS,
    Labelling,
    Labels,
    label,
    positions,
    soft_targets,
)
from agents.network import Actor, inputs
from agents.saved import arrays_of, suit_net
from agents.working import Hopeless, Report
from rummy_env import command_line
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.networks import wiring
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Bools, Rows, joined, taken
from rummy_env.core.checks import check_range
from rummy_env.core.engine import Engine
from rummy_env.core.part import Counted
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.evaluation import duel
from rummy_env.evaluation.statistics import MIN_DEALS, MOST_DEALS
from rummy_env.files import alone
from rummy_env.parts.rewards import counted
from rummy_env.search.planner import Leaf, Search
from rummy_env.search.race import MOST_WORLDS
from rummy_env.views.features import Features
from rummy_env.workers import Crew, WorkerError, check_workers
from training import expert_report
from training.callbacks import rivals_line
from training.cloning import descend
from training.cluster import cluster
from training.device import set_threads
from training.expert_report import Round
from training.phases import Phases
from training.run import Evaluation, usual_folder
from training.seeds import seed_apart
from training.settings import MANY, MOST, TINY, check_ranges

COMMAND = "python -m training.expert"
UNSEEN = 10
"""One labelled position in so many is not learned from, but tells how well the others were."""
RANGES: dict[str, tuple[float, float]] = {
    "seed": (0, 2**32 - 1),
    "rounds": (1, 1000),
    "positions": (UNSEEN, MANY),
    "kept": (0, 1000),
    "every": (1, MANY),
    "surest": (TINY, 1),
    "worlds": (2, MOST_WORLDS),
    "candidates": (2, MOST_WORLDS),
    **dict.fromkeys(("spread", "scale", "learning_rate"), (TINY, MOST)),
    "least": (0, MOST),
    "epochs": (1, MANY),
    "deals": (MIN_DEALS, MOST_DEALS),
    "torch_threads": (1, 1024),
    "workers": (1, MANY),
}
"""The least and the greatest value of flags that are numbers, where not 1 and `MOST`."""


SHAPES: Mapping[Counted, Mapping[str, float]] = MappingProxyType(
    {
        "points": {"spread": 1.0, "scale": 1.0, "least": 2.0},
        "hands": {"spread": 0.04, "scale": 0.04, "least": 0.07},
    }
)
"""The usual shape of labels, by what counts; a hand won is worth some thirty points of gin."""


@dataclass(frozen=True)
class Settings:
    """Improves a model by expert iteration: it learns from a search that uses the model itself.

    Attributes:
        start: The model to begin with, from training.fit.
        rounds: Rounds of labelling and learning, those already in the folder included.
        positions: Positions to label in each round.
        kept: Unlabelled positions per labelled one, where the model learns to stay as it is.
        every: One in so many choices is drawn.
        surest: Choices are labelled only where no action has a higher probability than this.
        worlds: Worlds in which an action is tried out.
        candidates: The most actions to try out in a position.
        leaf: How far they are tried out: to the model's next choice, with its critic's "value", or
            to the "end" of the hand.
        spread: Points by which actions are expected to differ; larger errors make a label count
            less. By default 1; where winning alone is paid, 0.04 hands won.
        scale: Points that make an action e times as likely. By default 1, or 0.04 hands won.
        least: Points by which an action has to lead, or be behind, to be learned from. By default
            2, or 0.07 hands won.
        epochs: Passes over the positions of a round.
        learning_rate: Adam's learning rate at the beginning of a round; it falls to 0.
        minibatch_size: Positions in a minibatch.
        deals: Deals of a measurement.
        seed: The seed of the games, the order of learning and the deals.
        out: Folder of the run; by default runs/VARIANT-expert-SEED.
        torch_threads: Threads of PyTorch and of NumPy's matrix products.
        workers: Search in this many processes of a Ray cluster; by default everything is done in
            this process.
        ray_address: The cluster, HOST:PORT, or auto for the one that runs on this machine; by
            default workers are started here.
    """

    start: Path
    rounds: int = 2
    positions: int = 120_000
    kept: int = 1
    every: int = 2
    surest: float = 0.97
    worlds: int = 12
    candidates: int = 3
    leaf: Leaf = "value"
    spread: float | None = None
    scale: float | None = None
    least: float | None = None
    epochs: int = 4
    learning_rate: float = 2e-4
    minibatch_size: int = 256
    deals: int = 4000
    seed: int = 1
    out: Path | None = None
    torch_threads: int = 2
    workers: int | None = None
    ray_address: str | None = None


@dataclass(frozen=True)
class Lesson:
    """N positions to learn from: what is observed, legal actions, and their probabilities."""

    seen: Features
    masks: Bools
    targets: Any

    def changed(self, prior: "Lesson") -> float:
        """Return the share of positions in which another action is the likeliest."""
        return float((self.targets.argmax(axis=1) != prior.targets.argmax(axis=1)).mean())


def lesson(model: SavedPolicy, rules: Rules, games: State) -> Lesson:
    """Positions as the model sees them, with the probabilities that it gives to actions."""
    engine = Engine(rules, len(games.seed))
    engine.lay(games)
    view, masks = engine.look(engine.to_move), engine.legal_mask()
    seen = model.observe(view, masks, engine.random())
    return Lesson(seen, masks, model.probabilities_by(seen, masks).astype(np.float32))


class Learner:
    """A model that learns; its beginning is another's end."""

    def __init__(self, model: SavedPolicy) -> None:
        """Take over the arrays of a model; a ValueError if its network is of another kind."""
        self.card, network = model.card, suit_net(model)
        self._wired = wiring(model.card.observation, model.card.actions)
        self._actor = Actor(network, self._wired)
        self._actor.weights.load_arrays(model.arrays)
        self._arrays = model.arrays

    def learn(self, given: Lesson, settings: Settings, report: Report) -> None:
        """Learn the targets, by cross-entropy."""
        descend(
            self._actor,
            lambda items: self._lost(given, items),
            len(given.seen),
            settings.seed,
            report,
            epochs=settings.epochs,
            rate=settings.learning_rate,
            batch=settings.minibatch_size,
        )

    def divergence(self, given: Lesson) -> float:
        """Return the mean KL divergence of the model from the targets, in nats."""
        targets = given.targets
        own = -np.log(targets, where=targets > 0, out=np.zeros_like(targets))
        with torch.no_grad():
            lost = float(self._lost(given, np.arange(len(targets))))
        return lost - float((targets * own).sum(axis=1).mean())

    def save(self, path: Path) -> SavedPolicy:
        """Write the model as it is, and read it again."""
        write_model(path, self.card, {**self._arrays, **arrays_of(self._actor)})
        return SavedPolicy(path)

    def _lost(self, given: Lesson, items: Rows) -> Tensor:
        """Return the mean cross-entropy with the targets of some positions."""
        seen = inputs(self._wired, torch.as_tensor(given.seen[items]), torch.float32)
        chances: Tensor = self._actor(*seen, given.masks[items])
        return -(torch.as_tensor(given.targets[items]) * chances).sum(dim=1).mean()


class Iteration:
    """Rounds of expert iteration.

    Attributes:
        rounds: What came of those that are finished.
        folder: The folder of their models and of the report.
    """

    def __init__(
        self,
        rules: Rules,
        settings: Settings,
        folder: Path,
        rounds: list[Round],
        crew: Crew | None,
        phases: Phases,
    ) -> None:
        """Begin with the model to start from, or the last of the rounds that the folder holds."""
        self.rules, self.settings, self.rounds = rules, settings, rounds
        self.folder, self._crew, self._phases = folder, crew, phases
        self._start = SavedPolicy(settings.start)
        self._model = SavedPolicy(self._path(len(rounds))) if rounds else self._start

    def _path(self, number: int) -> Path:
        """Return the model of a round."""
        return self.folder / f"round-{number}.npz"

    def play(self, command: str) -> None:
        """Play the rounds that are left; the report, written after each, names the command."""
        while len(self.rounds) < self.settings.rounds:
            self.play_round()
            expert_report.write(self.rules, self.settings, self.rounds, self.folder, command)

    def play_round(self) -> None:
        """Label positions of the model's games, learn from them, and measure what came of it."""
        given, phases, begun = self.settings, self._phases, time.perf_counter()
        number = len(self.rounds) + 1
        games, found = self._labelled(seed_apart(given.seed, 2 * number))
        labelled = time.perf_counter()
        before = lesson(self._model, self.rules, games)
        shaped = {name: getattr(given, name) for name in SHAPES["points"]}
        targets = soft_targets(before.targets, found, **shaped)
        taught = dataclasses.replace(before, targets=targets)
        learner, most = Learner(self._model), len(targets) - len(targets) // UNSEEN
        seen, unseen = taken(taught, slice(most)), taken(taught, slice(most, None))
        first = learner.divergence(unseen)
        phases.begin("learning")
        kept = seed_apart(given.seed, 2 * number + 1)
        learner.learn(self._with_kept(seen, kept), given, phases.show)
        phases.show(1)
        model = learner.save(self._path(number))
        minutes = (time.perf_counter() - begun) / 60
        done = Round(
            number=number,
            positions=len(targets),
            changed=taught.changed(before),
            divergence=(first, learner.divergence(unseen)),
            labelling_seconds=labelled - begun,
            minutes=minutes,
            leads=self._measured(model, number, minutes),
        )
        self.rounds.append(done)
        self._model = model

    def _labelled(self, seed: int) -> tuple[State, Labels]:
        """Positions of the model's games, and their labels."""
        given, phases = self.settings, self._phases
        phases.begin("positions")
        games = positions(
            self.rules,
            self._model,
            given.positions,
            every=given.every,
            surest=given.surest,
            seed=seed,
        )
        phases.show(1)
        phases.begin("labels")
        search = searching(self._model, given)
        return games, label(search, self.rules, games, self._crew, phases.show)

    def _with_kept(self, taught: Lesson, seed: int) -> Lesson:
        """Positions besides these, as the model finds them."""
        given = self.settings
        if not given.kept:
            return taught
        count = given.kept * given.positions
        games = positions(self.rules, self._model, count, every=given.every, seed=seed)
        return joined([taught, lesson(self._model, self.rules, games)])

    def _measured(self, model: SavedPolicy, number: int, minutes: float) -> list[Evaluation]:
        """Return the leads of a new model over the one before it and the one at the start."""
        given, phases, leads = self.settings, self._phases, []
        phases.begin("measuring")
        steps = number * given.positions
        minutes += sum(each.minutes for each in self.rounds)
        rivals = {"the start": self._start, "the round before": self._model}
        for name, rival in [*rivals.items()][: min(number, 2)]:
            found = duel(self.rules, model, rival, deals=given.deals, seed=given.seed)
            leads.append(Evaluation.of(steps, minutes, name, found))
            phases.tell(f"round {number}: {rivals_line([name], [found])}")
        phases.show(1)
        return leads


def searching(model: SavedPolicy, given: Settings) -> Search:
    """Return the search that labels, by which no action is given up early."""
    return Search(
        model, worlds=given.worlds, candidates=given.candidates, leaf=given.leaf, drop=np.inf
    )


@contextmanager
def begun(rules: Rules, given: Settings) -> Iterator[Iteration]:
    """Yield rounds that are ready to be played; those that the folder holds are gone on with.

    Raises:
        ValueError: If a flag makes no sense, the folder holds another run, or there is no cluster
            for the workers.
        WorkerError: If something goes wrong on a worker.
    """
    usual = SHAPES[counted(rules)]
    shape: dict[str, Any] = {k: v for k, v in usual.items() if getattr(given, k) is None}
    given = dataclasses.replace(given, **shape)
    check_ranges(given, RANGES)
    beside = f"--positions {given.positions}"
    check_range("--kept", given.kept, 0, MOST_POSITIONS // given.positions, beside=beside)
    if not rules.episode.single:
        raise ValueError("expert iteration learns what a hand is worth: leave --match out")
    check_workers(given.workers, given.ray_address)
    start = SavedPolicy(given.start)
    start.plays(rules)
    searching(start, given).plays(rules)
    suit_net(start)
    folder = given.out or usual_folder(rules, f"expert-{given.seed}")
    set_threads(given.torch_threads)
    taken = f"--out {folder}: another run is at work there; give another folder"
    with cluster(given.workers, given.ray_address), Phases() as phases:
        command_line.check_folder("--out", folder)
        crew = Crew(Labelling(given.torch_threads), given.workers) if given.workers else None
        with alone(folder, taken), crew or nullcontext():
            rounds = expert_report.finished(rules, given, folder)
            yield Iteration(rules, given, folder, rounds, crew, phases)


def main(argv: Sequence[str], command: str = COMMAND) -> int:
    """Run the command; return 0, or 130 after Ctrl-C or SIGTERM."""
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        with command_line.plain_errors():
            rules, settings = command_line.parse(Settings, command, argv)
            iteration = stack.enter_context(begun(rules, settings))
        with command_line.plain_errors((Hopeless, OSError, WorkerError)):
            iteration.play(shlex.join([*command.split(), *argv]))
        print(f"report, curve and models: {iteration.folder}")
        return 0
    print("stopped; rounds that are finished are kept")
    return command_line.INTERRUPTED


if __name__ == "__main__":
    sys.exit(command_line.run("training.expert", COMMAND))
