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
from contextlib import closing, contextmanager, suppress
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
from rummy_env.core.rules import Rules
from rummy_env.envs.sb3 import RummyVecEnv
from rummy_env.evaluation import arena
from training import summary
from training.callbacks import Clock, EvaluationCallback, Stop, Stopwatch
from training.cloning import clone, demonstrations
from training.opponent_pool import WEIGHTS, fixed_pool, playable
from training.run import Progress, Run
from training.settings import Settings, check

COMMAND = "python -m training.fit"
DEFAULT_STEPS = 5_000_000
NO_TEACHER = "none"


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
    with suppress(KeyboardInterrupt):
        if session.learn():
            summary.write(session)
            return session.run
    print(f"stopped; go on with: {COMMAND} {rules.name} --resume {session.run.folder} --trust")
    return None


class Session:
    """A run from its start, or from a checkpoint, to where it stops.

    Attributes:
        settings: The flags; those of the run where it is resumed.
        watch: The training environment, with a stopwatch.
        pool: The fixed opponents with their weights.
        rivals: The agents that the policy is evaluated against, by name.
    """

    def __init__(self, rules: Rules, settings: Settings, command: str) -> None:
        check(settings, rules)
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
        agents = [*self.rivals.values()]
        if settings.resume is None and settings.teacher not in (None, NO_TEACHER):
            agents.append(command_line.load_agent(settings.teacher))
        for agent in agents:
            arena.try_out(rules, agent)
        self.run = Run(settings.resume or settings.out or Path())
        command_line.check_folder("--resume" if settings.resume else "--out", self.run.folder)
        env = RummyVecEnv(rules, settings.num_envs, opponents=self.pool, seed=settings.seed)
        self.watch = Stopwatch(env)
        if settings.resume is None:
            told = {k: str(v) if isinstance(v, Path) else v for k, v in vars(settings).items()}
            self.run.begin(rules, told, command)
            self.progress = Progress()
            self._model = self._new_model()
        else:
            self._model, self.progress = self.run.load(TimedPPO, self.watch)

    @property
    def games(self) -> Any:
        """The `LearnerGames` of the training environment."""
        env: Any = self.watch.unwrapped
        return env.games

    def save(self) -> None:
        """Writes a checkpoint."""
        self.run.save(self._model, self.games, self.progress)

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
        """Begins with behaviour cloning, unless that is done or there is no teacher."""
        given, teacher = self.settings, self.settings.teacher or NO_TEACHER
        if teacher == NO_TEACHER or self.progress.cloned or self._model.num_timesteps:
            return
        start = time.perf_counter()
        agent = command_line.load_agent(teacher)
        shown = demonstrations(self.rules, agent, given.teacher_decisions, given.seed)
        agreed = clone(self._model.policy, shown, given.seed)
        self.progress.seconds += time.perf_counter() - start
        self.progress.cloned = True
        self.save()
        print(f"imitates {teacher} in {agreed:.0%} of {len(shown.actions):,} decisions")

    def learn(self) -> bool:
        """Learns until steps or minutes are used up: True; or until the user stops it: False."""
        settings, model = self.settings, self._model
        if not self.run.checkpoint.exists():
            self.save()
        self._clone_teacher()
        policy: Any = model.policy
        policy.bf16 = settings.bf16
        logs = self.run.folder / "logs"
        session = logs / str(len([*logs.glob("*")]))
        model.set_logger(configure(str(session), ["csv", "tensorboard"]))
        left = (settings.total_timesteps or DEFAULT_STEPS) - model.num_timesteps
        columns = (*Bar.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
        with closing(model.logger), Bar(*columns, console=Console(stderr=True)) as bar:
            clock = Clock(self, bar)
            evaluation = EvaluationCallback(self, clock)
            with _stopping(clock):
                with suppress(Stop):
                    if left > 0:
                        model.learn(left, [clock, evaluation], reset_num_timesteps=False)
                evaluation.finish()
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
    """Ctrl-C and SIGTERM stop the run after the rollout under way; a second one at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        if clock.interrupted:
            raise KeyboardInterrupt
        clock.interrupted = True
        print("stopping after this rollout; Ctrl-C again to stop at once", file=sys.stderr)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns 0, or 130 after Ctrl-C or SIGTERM."""
    given = sys.argv[1:] if argv is None else argv
    run = None
    with command_line.plain_errors(), suppress(KeyboardInterrupt):
        rules, settings = command_line.parse(Settings, COMMAND, given)
        run = fit(rules, settings, shlex.join([*COMMAND.split(), *given]))
    return command_line.INTERRUPTED if run is None else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
