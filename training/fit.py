"""Trains an agent: `python -m training.fit VARIANT [options]`.

MaskablePPO learns against a pool of fixed opponents and its own past selves; the best model by
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
from training.callbacks import Clock, Milestones, Plan, Stop, Stopwatch
from training.cloning import clone, lessons
from training.league import fixed_pool
from training.run import Progress, Run

COMMAND = "python -m training.fit"
DEFAULT_STEPS = 5_000_000
MOST_STEPS = 10**12
NOBODY = "none"
"""In place of a teacher."""


@dataclass(frozen=True)
class Settings:
    """Trains an agent with MaskablePPO, then compares it with the baselines.

    Attributes:
        total_timesteps: Learner's decisions; 5 million unless given.
        minutes: Stop after this training time, if that comes first.
        seed: Of the games, the network and the order of learning.
        out: Folder of the run; runs/VARIANT-SEED unless given.
        resume: Folder of a run to go on with; all flags but the two limits are its own.
        trust: Open the checkpoint of the run to go on with, even though that can run any code its
            maker put into it.
        num_envs: Games at once.
        num_steps: Decisions of each game in one rollout.
        minibatch_size: Decisions in a minibatch.
        update_epochs: Passes over a rollout.
        learning_rate: Of Adam, at the beginning; it falls to a tenth over the run.
        gamma: Discount.
        gae_lambda: Of the generalised advantage estimate.
        clip_coef: PPO's clipping range.
        ent_coef: Weight of the entropy.
        vf_coef: Weight of the value loss.
        max_grad_norm: Gradients are clipped at this norm.
        hidden: Units of the network's layers.
        opponents: The pool, each AGENT or AGENT=WEIGHT.
        teacher: Whom the policy imitates before it learns by itself; "none" for nobody.
        teacher_decisions: Decisions of the teacher to learn from.
        past_weight: Weight of the past selves in the pool, all together.
        past_kept: How many past selves are kept in the pool.
        rivals: Whom the policy is evaluated against, and compared with at the end.
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
    opponents: tuple[str, ...] = ("random=1", "greedy=4", "strong=3")
    teacher: str = "strong"
    teacher_decisions: int = 200_000
    past_weight: float = 4.0
    past_kept: int = 4
    rivals: tuple[str, ...] = ("random", "greedy", "strong")
    eval_every: int = 1_000_000
    eval_deals: int = 500
    compare_deals: int = 2000
    torch_threads: int = 2
    bf16: bool = True


class TimedPPO(MaskablePPO):
    """MaskablePPO whose schedules follow the clock, where the time of the run is limited.

    Attributes:
        share_left: How much of the time is left, 1 to 0.
    """

    share_left = 1.0

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        super()._update_current_progress_remaining(num_timesteps, total_timesteps)
        self._current_progress_remaining = min(self._current_progress_remaining, self.share_left)


def fit(rules: Rules, settings: Settings, command: str) -> Run | None:
    """Trains an agent and writes its report.

    Args:
        rules: What is played.
        settings: How.
        command: What was called, for the report.

    Returns:
        The run; None if the user stopped it, in which case it can be resumed.

    Raises:
        ValueError: If a flag makes no sense, or a run cannot be resumed.
    """
    session = Session(rules, settings, command)
    if not session.learn():
        print(f"stopped; go on with: {COMMAND} {rules.name} --resume {session.run.folder} --trust")
        return None
    summary.write(session.run, rules, session.progress, session.rivals, session.settings)
    return session.run


class Session:
    """A run from its start, or from a checkpoint, to where it stops.

    Attributes:
        run: The folder.
        settings: The flags; those of the run where it is resumed.
        progress: Where the run stands.
        rivals: Whom the policy is measured against, by name.
    """

    def __init__(self, rules: Rules, settings: Settings, command: str) -> None:
        if settings.total_timesteps is not None:
            check_range("total_timesteps", settings.total_timesteps, 1, MOST_STEPS)
        if settings.minutes is not None and not settings.minutes > 0:
            raise ValueError(f"minutes={settings.minutes!r}: give a number above 0, or nothing")
        self.rules = rules
        if settings.resume is None:
            folder = settings.out or Path("runs") / f"{rules.name}-{settings.seed}"
            settings = dataclasses.replace(settings, out=folder)
        else:
            settings = _resumed(rules, settings)
        self.settings = settings
        torch.set_num_threads(settings.torch_threads)
        torch.distributions.Distribution.set_default_validate_args(False)
        self._pool = fixed_pool(settings.opponents)
        self.rivals = command_line.load_agents(settings.rivals)
        env = RummyVecEnv(rules, settings.num_envs, opponents=self._pool, seed=settings.seed)
        self._watch = Stopwatch(env)
        if settings.resume is None:
            told = {k: str(v) if isinstance(v, Path) else v for k, v in vars(settings).items()}
            self.run = Run.begin(settings.out or Path(), rules, told, command)
            self.progress = Progress()
            self._model = self._new_model()
            self._learn_from_teacher()
        else:
            self.run = Run(settings.resume)
            self._model, self.progress = self.run.load(TimedPPO, self._watch)
        policy: Any = self._model.policy
        policy.bf16 = settings.bf16
        logs = self.run.folder / "logs" / str(self.progress.sessions)
        self.progress.sessions += 1
        self._model.set_logger(configure(str(logs), ["csv", "tensorboard"]))

    def _new_model(self) -> TimedPPO:
        given = self.settings
        return TimedPPO(
            TrunkPolicy,
            self._watch,
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

    def _learn_from_teacher(self) -> None:
        given = self.settings
        if given.teacher == NOBODY:
            return
        start = time.perf_counter()
        teacher = command_line.load_agent(given.teacher)
        taught = lessons(self.rules, teacher, given.teacher_decisions, given.seed)
        agreed = clone(self._model.policy, taught, given.seed)
        self.progress.seconds += time.perf_counter() - start
        print(f"imitates {given.teacher} in {agreed:.0%} of {len(taught.actions):,} decisions")

    def learn(self) -> bool:
        """Learns until the steps or the minutes are used up, or the user stops it.

        Returns:
            Whether the run is finished.
        """
        settings, model = self.settings, self._model
        left = (settings.total_timesteps or DEFAULT_STEPS) - model.num_timesteps
        columns = (*Bar.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
        with Bar(*columns, console=Console(stderr=True)) as bar:
            clock = Clock(self._watch, self.progress, bar, settings.minutes)
            milestones = Milestones(self.run, self.rules, self.progress, clock, self._plan())
            with _stopping(clock), suppress(Stop):
                if left > 0:
                    model.learn(left, [clock, milestones], reset_num_timesteps=False)
            milestones.finish()
            model.logger.close()
        return not clock.interrupted

    def _plan(self) -> Plan:
        given = self.settings
        return Plan(
            rivals=self.rivals,
            pool=self._pool,
            every=given.eval_every,
            deals=given.eval_deals,
            seed=given.seed + 1,
            past_weight=given.past_weight,
            past_kept=given.past_kept,
        )


def _resumed(rules: Rules, settings: Settings) -> Settings:
    """The flags of a run that is resumed, with the new limits."""
    if settings.resume is None:
        raise ValueError("nothing to resume")
    if not settings.trust:
        raise ValueError(
            f"--resume {settings.resume}: opening the checkpoint of a run can run any code that "
            f"its maker put into it; add --trust if the run is your own"
        )
    begun = Settings(**_tuples(Run.begun(settings.resume, rules)))
    return dataclasses.replace(
        begun,
        resume=settings.resume,
        total_timesteps=settings.total_timesteps or begun.total_timesteps,
        minutes=settings.minutes or begun.minutes,
    )


def _tuples(read: dict[str, Any]) -> dict[str, Any]:
    """Flags as read from JSON, with tuples again."""
    return {name: tuple(v) if isinstance(v, list) else v for name, v in read.items()}


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
    """Runs the command.

    Args:
        argv: What came after the name of the command; as called where None.

    Returns:
        The exit code: 0, or 130 after Ctrl-C.

    Raises:
        SystemExit: With 2 on bad input.
    """
    given = sys.argv[1:] if argv is None else argv
    with command_line.plain_errors():
        rules, settings = command_line.parse(Settings, COMMAND, given)
        run = fit(rules, settings, shlex.join([*COMMAND.split(), *given]))
    return command_line.INTERRUPTED if run is None else 0


if __name__ == "__main__":
    sys.exit(main())
