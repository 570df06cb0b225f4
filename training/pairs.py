"""Learning from paired playouts: `python -m training.pairs VARIANT --start MODEL [options]`.

Where hardly anything is left to gain on a heuristic, reinforcement learning drowns in luck. So
single moves of the heuristic that advises a model are changed, and both hands are played out with
the same cards to come (`agents/pairs.py`). The model learns the difference from millions of such
pairs, and plays another move where it expects more of it.
"""

import copy
import shlex
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
import torch
from threadpoolctl import threadpool_limits
from torch import Tensor

from agents.labels import Hopeless
from agents.network import SuitPolicy
from agents.pairs import Pairs, adviser_of, pairs
from agents.saved import Pupil, export
from rummy_env import command_line
from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.networks import SuitNet
from rummy_env.baselines.policies import resolve
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Rows
from rummy_env.core.rules import Rules
from rummy_env.envs.self_play import SelfPlayEnv
from rummy_env.evaluation import arena, duel, report
from rummy_env.evaluation.statistics import MIN_DEALS, MOST_DEALS
from rummy_env.parts.match import SingleHand
from rummy_env.parts.rewards import Counted, counted
from rummy_env.views.features import OUTS
from training import curve, summary
from training.callbacks import rivals_line
from training.cloning import cloned
from training.opponent_pool import playable
from training.progress import Phases
from training.run import Evaluation
from training.seeds import seed_apart
from training.settings import CLONE, MANY, MOST, NOBODY, TINY, TRAINED, check_numbers
from training.usual import CLONE_TEMPERATURE, MOST_CLONED, usual_teacher
from training.vec_env import SelfPlayVecEnv

COMMAND = "python -m training.pairs"
MODEL, CLONED = "best.npz", "clone.npz"
"""The model of a run and the one that it began with, in its folder."""
ADVICE = 2.0
"""What is added to the logit of the adviser's action in a clone."""
WARMUP = 50
"""Minibatches in which the learning rate rises."""
RANGES: dict[str, tuple[float, float]] = {
    "seed": (0, 2**32 - 1),
    **dict.fromkeys(("scale", "learning_rate"), (TINY, MOST)),
    "gate": (0, MOST),
    "evaluations": (1, MANY),
    **dict.fromkeys(("eval_deals", "compare_deals"), (MIN_DEALS, MOST_DEALS)),
    "torch_threads": (1, 1024),
}
"""The least and the greatest value of flags that are numbers, where not 1 and `MOST`."""
SIZES: Mapping[Counted, Mapping[str, float]] = MappingProxyType(
    {"points": {"scale": 0.6, "gate": 0.15}, "hands": {"scale": 0.02, "gate": 0.005}}
)
"""The usual scale and gate, by what counts; a hand won is worth some thirty points of gin."""


@dataclass(frozen=True)
class Settings:
    """Improves a model by paired playouts of its adviser's moves and others.

    Attributes:
        start: The model to begin with, which needs an adviser. By default a clone of the strongest
            baseline that plays the rules, which advises it.
        teacher_decisions: Decisions of that baseline to clone, at least.
        pairs: Pairs to learn from, each once.
        scale: The gain in points, or hands won, that makes a move e times as likely. By default
            0.02 hands, or 0.6 points.
        gate: The gain that another move has to promise, or the adviser's is played. By default
            0.005 hands, or 0.15 points.
        learning_rate: Adam's learning rate at the beginning; it falls to 0.
        minibatch_size: Pairs in a minibatch.
        seed: The seed of the games, the order of learning and the deals.
        out: Folder of the run; by default runs/VARIANT-pairs-SEED.
        rivals: The agents that the model is evaluated against and compared with at the end; by
            default the baselines of the usual pool.
        evaluations: Evaluations, evenly over the run, besides the one before learning.
        eval_deals: Deals of an evaluation, against each rival.
        compare_deals: Deals of the comparison at the end.
        torch_threads: Threads of PyTorch and of NumPy's matrix products.
    """

    start: Path | None = None
    teacher_decisions: int = MOST_CLONED
    pairs: int = 8_000_000
    scale: float | None = None
    gate: float | None = None
    learning_rate: float = 3e-4
    minibatch_size: int = 2048
    seed: int = 1
    out: Path | None = None
    rivals: tuple[str, ...] | None = None
    evaluations: int = 5
    eval_deals: int = 4000
    compare_deals: int = 20_000
    torch_threads: int = 2


class Learner(Pupil):
    """A model that learns what its adviser's moves gain."""

    def __init__(self, start: SavedPolicy, settings: Settings, usual: Mapping[str, float]) -> None:
        """Begin with a model; `usual` has the scale and the gate where the settings have none."""
        super().__init__(start)
        self._settings = settings
        self._scale = settings.scale or usual["scale"]
        self._gate = usual["gate"] if settings.gate is None else settings.gate
        self._optimizer = torch.optim.Adam(self.actor.parameters())
        self._rng = np.random.default_rng(settings.seed)
        self._minibatches = 0

    def learn(self, batch: Pairs, done: int) -> None:
        """Learn from a batch, in minibatches of nearly equal size; `done` pairs came before."""
        given = self._settings
        parts = max(1, round(len(batch) / given.minibatch_size))
        left = 1 - (done + np.arange(parts) / parts * len(batch)) / given.pairs
        orders = np.array_split(self._rng.permutation(len(batch)), parts)
        for items, share_left in zip(orders, left.tolist(), strict=True):
            self._minibatches += 1
            rising = min(1.0, self._minibatches / WARMUP)
            self._optimizer.param_groups[0]["lr"] = given.learning_rate * share_left * rising
            lost = self._lost(batch, items)
            self._optimizer.zero_grad()
            lost.backward()  # type: ignore[no-untyped-call]
            self._optimizer.step()

    def _lost(self, batch: Pairs, items: Rows) -> Tensor:
        """Return the mean square of the error in what the own moves of some pairs gain."""
        rows = np.arange(len(items))
        own, other = batch.own[items], batch.other[items]
        masks = np.zeros((len(items), batch.num_actions), np.bool_)
        masks[rows, own] = masks[rows, other] = True
        chances = self.log_chances(batch.seen[items], masks)
        expected = self._scale * (chances[rows, own] - chances[rows, other])
        return (expected - torch.as_tensor(batch.gained[items])).square().mean()

    def save_gated(self, path: Path) -> SavedPolicy:
        """Write the model behind its gate, and read it again."""
        gated = copy.deepcopy(self.actor)
        gated.trust(self._gate / self._scale)
        return self.save(path, gated)


class Course:
    """A run: what is learned, and how good it is.

    Attributes:
        folder: Where the models and the report go.
        curve: What came of the evaluations so far.
        seconds: Time of playing and learning so far; evaluations are not in it.
    """

    def __init__(self, rules: Rules, settings: Settings, folder: Path) -> None:
        """Load the model to begin with, if there is one, and the rivals.

        Raises:
            ValueError: If nothing can be learned in this way, or a rival cannot play the rules.
        """
        self.rules, self.settings, self.folder = rules, settings, folder
        self._start = _loaded(settings.start, rules) if settings.start else None
        self._teacher = "" if self._start else _teacher(rules)
        self.rivals = command_line.load_agents(settings.rivals or playable(rules))
        for rival in self.rivals.values():
            arena.try_out(rules, rival)
        self.curve: list[Evaluation] = []
        self.seconds = 0.0

    def learn(self, phases: Phases) -> None:
        """Learn from all pairs; the model is written, and evaluated, several times."""
        given, done, evaluated = self.settings, 0, 0
        start = Pupil(self._start or self._cloned(phases)).save(self.folder / CLONED)
        self._evaluate(start, 0, phases)
        learner = Learner(start, given, SIZES[counted(self.rules)])
        drawn = pairs(self.rules, start, seed=seed_apart(given.seed, 0))
        phases.begin("learning")
        while done < given.pairs:
            begun = time.perf_counter()
            batch = next(drawn).until(given.pairs - done)
            learner.learn(batch, done)
            done += len(batch)
            self.seconds += time.perf_counter() - begun
            phases.show(done / given.pairs, f"{done:,} pairs, {done / self.seconds:,.0f} a second")
            if evaluated < (reached := done * given.evaluations // given.pairs):
                evaluated = reached
                self._evaluate(learner.save_gated(self.folder / MODEL), done, phases)

    def _cloned(self, phases: Phases) -> SavedPolicy:
        """Return a clone of the teacher, which advises it."""
        given, teacher = self.settings, resolve(self._teacher, self.rules)
        torch.manual_seed(given.seed)
        env = SelfPlayVecEnv(SelfPlayEnv(self.rules, 1, observation=OUTS), teacher)
        spaces = env.observation_space, env.action_space
        network = SuitNet(adviser=self._teacher)
        policy = SuitPolicy(*spaces, lambda share_left: 0.0, rules=self.rules, actor=network)
        cloned(policy, teacher, given.teacher_decisions, seed=given.seed, phases=phases)
        policy.actor.soften(CLONE_TEMPERATURE)
        policy.actor.trust(ADVICE)
        path = self.folder / CLONED
        export(policy, self.rules, path)
        return SavedPolicy(path)

    def _evaluate(self, model: Policy, done: int, phases: Phases) -> None:
        """Play a model against every rival."""
        given, found = self.settings, []
        for name, rival in self.rivals.items():
            met = duel(self.rules, model, rival, deals=given.eval_deals, seed=given.seed + 1)
            found.append(met)
            self.curve.append(Evaluation.of(done, self.seconds / 60, name, met))
        phases.tell(f"{done:,} pairs: {rivals_line(self.rivals, found)}")

    def report(self, phases: Phases, command: str) -> None:
        """Compare the model with its start and the rivals, and write all files."""
        given, folder = self.settings, self.folder
        own = {TRAINED: SavedPolicy(folder / MODEL), CLONE: SavedPolicy(folder / CLONED)}
        agents = {**own, **self.rivals}
        found = summary.compared(self.rules, agents, given.compare_deals, given.seed, phases)
        minutes = self.seconds / 60
        told = (
            f"{given.pairs:,} pairs of playouts in {minutes:.1f} minutes, "
            f"{given.pairs / self.seconds:,.0f} a second. The clone is the model before it learned."
        )
        facts = {"pairs": given.pairs, "minutes": minutes}
        page = summary.Page(f"# Paired playouts: {report.played(self.rules)}", told, command)
        picture, title = folder / "learning_curve.png", f"Paired playouts: {self.rules.name}"
        curve.draw(self.curve, title, picture, along="pairs (millions)")
        page.write(folder, facts, self.curve, found)


def _loaded(path: Path, rules: Rules) -> SavedPolicy:
    """Return a model to begin with, checked to have an adviser and a network that can learn."""
    model = SavedPolicy(path)
    adviser_of(model, rules)
    Pupil(model)
    return model


def _teacher(rules: Rules) -> str:
    """Return the name of the strongest baseline that plays the rules."""
    if (name := usual_teacher(rules)) == NOBODY:
        raise ValueError(f"no baseline but random plays {rules!r}: give --start")
    return name


@contextmanager
def begun(rules: Rules, given: Settings) -> Iterator[Course]:
    """Yield a run that is ready to learn.

    Raises:
        ValueError: If a flag makes no sense.
    """
    check_numbers(given, RANGES)
    if not isinstance(rules.episode, SingleHand):
        raise ValueError("paired playouts tell what a hand is worth: leave --match out")
    torch.set_num_threads(given.torch_threads)
    with threadpool_limits(given.torch_threads):
        folder = given.out or Path("runs") / f"{rules.name}-pairs-{given.seed}"
        if (folder / CLONED).exists():
            raise ValueError(f"{folder} holds a run already: give another --out")
        course = Course(rules, given, folder)
        command_line.check_folder("--out", folder)
        yield course


def run(rules: Rules, given: Settings, command: str) -> Path:
    """Improve a model, and return the folder of the model and the report, which names the command.

    Raises:
        ValueError: If a flag makes no sense.
    """
    with begun(rules, given) as course, Phases() as phases:
        course.learn(phases)
        course.report(phases, command)
        return course.folder


def main(argv: Sequence[str], command: str = COMMAND) -> int:
    """Run the command; return 0, or 130 after Ctrl-C or SIGTERM."""
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        with command_line.plain_errors():
            rules, settings = command_line.parse(Settings, command, argv)
            course = stack.enter_context(begun(rules, settings))
        with command_line.plain_errors((Hopeless, OSError)), Phases() as phases:
            course.learn(phases)
            course.report(phases, shlex.join([*command.split(), *argv]))
        return 0
    print("stopped; the folder has the model of the last evaluation, if there was one")
    return command_line.INTERRUPTED


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(command_line.run("training.pairs", COMMAND))
