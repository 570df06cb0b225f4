"""Trains an agent: `python -m training.fit VARIANT [options]`.

MaskablePPO learns against a pool of fixed opponents and its own past versions; the best model by
evaluation is kept, and at the end it is compared with the baselines on duplicate deals.
"""

import dataclasses
import shlex
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from rich.console import Console
from rich.progress import MofNCompleteColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import LinearSchedule

from agents.network import TrunkPolicy
from rummy_env import command_line
from rummy_env.core.checks import check_range
from rummy_env.core.rules import Rules
from rummy_env.envs.sb3 import RummyVecEnv
from training import summary
from training.callbacks import Clock, EvaluationCallback, Stop, Stopwatch
from training.cloning import clone, demonstrations
from training.opponent_pool import WEIGHTS, fixed_pool, playable
from training.run import Progress, Run

COMMAND = "python -m training.fit"
DEFAULT_STEPS = 5_000_000
MOST_STEPS = 10**12
NO_TEACHER = "none"


@dataclass(frozen=True)
class Settings:
    """Trains an agent with MaskablePPO, then compares it with the baselines.

    Attributes:
        total_timesteps: Learner's decisions; 5 million unless given.
        minutes: Stop after this training time, if that comes first.
        seed: The seed of the games, the network and the order of learning.
        out: Folder of the run; runs/VARIANT-SEED unless given.
        resume: Folder of a run to go on with; all flags but the two limits are its own.
        trust: Open the checkpoint of the run to go on with, even though that can run any code its
            maker put into it.
        num_envs: Games at once.
        num_steps: Decisions of each game in one rollout.
        minibatch_size: Decisions in a minibatch.
        update_epochs: Passes over a rollout.
        learning_rate: Adam's, at the beginning; it falls to a tenth over the run.
        gamma: Discount.
        gae_lambda: Lambda of the generalised advantage estimate.
        clip_coef: PPO's clipping range.
        ent_coef: Weight of the entropy.
        vf_coef: Weight of the value loss.
        max_grad_norm: Gradients are clipped at this norm.
        hidden: Units of the network's layers.
        opponents: The opponent pool, each AGENT or AGENT=WEIGHT; unless given, random=1 greedy=4
            strong=3, those of them that play the rules.
        teacher: The agent whose demonstrations are cloned before reinforcement learning; "none"
            for no agent; unless given, the strongest baseline that plays the rules.
        teacher_decisions: Decisions of the teacher to clone.
        past_weight: Weight of the learner's past versions in the pool, all together.
        past_kept: The number of past versions kept in the pool.
        rivals: The agents that the policy is evaluated against, and compared with at the end;
            unless given, random, greedy and strong, those of them that play the rules.
        eval_every: Learner's decisions between evaluations.
        eval_deals: Deals of an evaluation, against each rival.
        compare_deals: Deals of the comparison at the end.
        torch_threads: Threads of PyTorch.
        bf16: Matrix products in bfloat16 while learning: faster where the processor has them.
    """

    total_timesteps: int | None = None
    minutes: float | None = None
    seed: int = 1
    out: Path | None = None
    resume: Path | None = None
    trust: bool = False
    num_envs: int = 1024
    num_steps: int = 32
    minibatch_size: int = 4096
    update_epochs: int = 3
    learning_rate: float = 7e-4
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip_coef: float = 0.2
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    hidden: tuple[int, ...] = (256, 256)
    opponents: tuple[str, ...] | None = None
    teacher: str | None = None
    teacher_decisions: int = 200_000
    past_weight: float = 4.0
    past_kept: int = 4
    rivals: tuple[str, ...] | None = None
    eval_every: int = 1_000_000
    eval_deals: int = 500
    compare_deals: int = 2000
    torch_threads: int = 2
    bf16: bool = True


class TimedPPO(MaskablePPO):
    """MaskablePPO whose schedules follow the clock, where the time of the run is limited."""

    share_left = 1.0
    """The share of the time that is left, 1 to 0."""

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        super()._update_current_progress_remaining(num_timesteps, total_timesteps)
        self._current_progress_remaining = min(self._current_progress_remaining, self.share_left)


def fit(rules: Rules, settings: Settings, command: str) -> Run | None:
    """Trains an agent and writes its report, which names the command; None if the user stopped it.

    Raises:
        ValueError: If a flag makes no sense, or a run cannot be resumed.
    """
    session = Session(rules, settings, command)
    if not session.learn():
        print(f"stopped; go on with: {COMMAND} {rules.name} --resume {session.run.folder} --trust")
        return None
    summary.write(session)
    return session.run


class Session:
    """A run from its start, or from a checkpoint, to where it stops.

    Attributes:
        settings: The flags; those of the run where it is resumed.
        watch: The training environment, with a stopwatch.
        pool: The fixed opponents with their weights.
        rivals: The agents that the policy is evaluated against, by name.
    """

    def __init__(self, rules: Rules, settings: Settings, command: str) -> None:
        if settings.total_timesteps is not None:
            check_range("total_timesteps", settings.total_timesteps, 1, MOST_STEPS)
        if settings.minutes is not None and not settings.minutes > 0:
            raise ValueError(f"minutes={settings.minutes!r}: give a number above 0, or nothing")
        self.rules = rules
        if settings.resume is None:
            folder = settings.out or Path("runs") / f"{rules.name}-{settings.seed}"
            settings = dataclasses.replace(with_agents(rules, settings), out=folder)
        else:
            settings = _resumed(rules, settings.resume, settings)
        self.settings = settings
        torch.set_num_threads(settings.torch_threads)
        torch.distributions.Distribution.set_default_validate_args(False)
        self.pool = fixed_pool(settings.opponents or ())
        self.rivals = command_line.load_agents(settings.rivals or ())
        env = RummyVecEnv(rules, settings.num_envs, opponents=self.pool, seed=settings.seed)
        self.watch = Stopwatch(env)
        if settings.resume is None:
            told = {k: str(v) if isinstance(v, Path) else v for k, v in vars(settings).items()}
            self.run = Run.begin(settings.out or Path(), rules, told, command)
            self.progress = Progress()
            self._model = self._new_model()
            self._clone_teacher()
        else:
            self.run = Run(settings.resume)
            self._model, self.progress = self.run.load(TimedPPO, self.watch)
        policy: Any = self._model.policy
        policy.bf16 = settings.bf16
        logs = self.run.folder / "logs" / str(self.progress.sessions)
        self.progress.sessions += 1
        self._model.set_logger(configure(str(logs), ["csv", "tensorboard"]))

    def _new_model(self) -> TimedPPO:
        given = self.settings
        return TimedPPO(
            TrunkPolicy,
            self.watch,
            learning_rate=LinearSchedule(given.learning_rate, given.learning_rate / 10, 1.0),
            n_steps=given.num_steps,
            batch_size=given.minibatch_size,
            n_epochs=given.update_epochs,
            gamma=given.gamma,
            gae_lambda=given.gae_lambda,
            clip_range=given.clip_coef,
            ent_coef=given.ent_coef,
            vf_coef=given.vf_coef,
            max_grad_norm=given.max_grad_norm,
            policy_kwargs={"hidden": given.hidden},
            seed=given.seed,
            device="cpu",
        )

    def _clone_teacher(self) -> None:
        """Begins with behaviour cloning, unless there is no teacher."""
        given = self.settings
        if given.teacher is None or given.teacher == NO_TEACHER:
            return
        start = time.perf_counter()
        teacher = command_line.load_agent(given.teacher)
        shown = demonstrations(self.rules, teacher, given.teacher_decisions, given.seed)
        agreed = clone(self._model.policy, shown, given.seed)
        self.progress.seconds += time.perf_counter() - start
        print(f"imitates {given.teacher} in {agreed:.0%} of {len(shown.actions):,} decisions")

    def learn(self) -> bool:
        """Learns until steps or minutes are used up: True; or until the user stops it: False."""
        settings, model = self.settings, self._model
        left = (settings.total_timesteps or DEFAULT_STEPS) - model.num_timesteps
        columns = (*Bar.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
        with Bar(*columns, console=Console(stderr=True)) as bar:
            clock = Clock(self, bar)
            evaluation = EvaluationCallback(self, clock)
            with _stopping(clock), suppress(Stop):
                if left > 0:
                    model.learn(left, [clock, evaluation], reset_num_timesteps=False)
            evaluation.finish()
            model.logger.close()
        return not clock.interrupted


def with_agents(rules: Rules, settings: Settings) -> Settings:
    """The settings with a teacher, opponents and rivals that play the rules where none is given."""
    names = playable(rules)
    settings = dataclasses.replace(
        settings,
        teacher=settings.teacher or (names[-1] if names[1:] else NO_TEACHER),
        opponents=settings.opponents or tuple(f"{name}={WEIGHTS[name]}" for name in names),
        rivals=settings.rivals or tuple(names),
    )
    pool, rivals = " ".join(settings.opponents or ()), " ".join(settings.rivals or ())
    print(f"teacher: {settings.teacher}; opponents: {pool}; rivals: {rivals}")
    return settings


def _resumed(rules: Rules, folder: Path, settings: Settings) -> Settings:
    """The flags of a run that is resumed, with the new limits."""
    if not settings.trust:
        raise ValueError(
            f"--resume {folder}: opening the checkpoint of a run can run any code that "
            f"its maker put into it; add --trust if the run is your own"
        )
    read: Any = Run.begun(folder, rules).items()
    flags: Any = {name: tuple(v) if isinstance(v, list) else v for name, v in read}
    begun = Settings(**flags)
    return dataclasses.replace(
        begun,
        resume=folder,
        total_timesteps=settings.total_timesteps or begun.total_timesteps,
        minutes=settings.minutes or begun.minutes,
    )


@contextmanager
def _stopping(clock: Clock) -> Iterator[None]:
    """Ctrl-C stops the run after the rollout under way; a second one at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        if clock.interrupted:
            raise KeyboardInterrupt
        clock.interrupted = True
        print("stopping after this rollout; Ctrl-C again to stop at once", file=sys.stderr)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns 0, or 130 after Ctrl-C."""
    given = sys.argv[1:] if argv is None else argv
    with command_line.plain_errors():
        rules, settings = command_line.parse(Settings, COMMAND, given)
        run = fit(rules, settings, shlex.join([*COMMAND.split(), *given]))
    return command_line.INTERRUPTED if run is None else 0


if __name__ == "__main__":
    sys.exit(main())
