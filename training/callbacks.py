"""What happens between the rollouts of a training run."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.progress import Progress as Bar
from rich.progress import TaskID
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnvWrapper

from agents.saved import export
from rummy_env.baselines.policies import Policy
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.rules import Rules
from rummy_env.evaluation import duel
from rummy_env.evaluation.statistics import Estimate
from training.league import with_past
from training.run import Evaluation, Progress, Run


class Stop(Exception):  # noqa: N818  (not an error)
    """Training ends here: between two rollouts, where nothing is lost."""


class Stopwatch(VecEnvWrapper):
    """Measures the time spent in the environment, opponents included.

    Attributes:
        seconds: So far.
    """

    def __init__(self, venv: Any) -> None:
        super().__init__(venv)
        self.seconds = 0.0

    def reset(self) -> Any:
        """As the wrapped environment."""
        return self.venv.reset()

    def step_wait(self) -> Any:
        """As the wrapped environment, timed."""
        start = time.perf_counter()
        result = self.venv.step_wait()
        self.seconds += time.perf_counter() - start
        return result

    def env_method(self, method_name: str, *args: Any, **kwargs: Any) -> Any:
        """As the wrapped environment, timed: the masks come this way."""
        start = time.perf_counter()
        result = self.venv.env_method(method_name, *args, **kwargs)
        self.seconds += time.perf_counter() - start
        return result


class Clock(BaseCallback):
    """Keeps the time and the progress bar, and stops the run when its time or the user says so."""

    def __init__(
        self, watch: Stopwatch, progress: Progress, bar: Bar, minutes: float | None
    ) -> None:
        super().__init__()
        self.interrupted = False
        self._watch = watch
        self._progress = progress
        self._bar = bar
        self._minutes = minutes
        self._task = TaskID(0)
        self._since = 0.0
        self._rollout_since = 0.0

    def _on_training_start(self) -> None:
        total = self.locals["total_timesteps"]
        self._task = self._bar.add_task("training", total=total, completed=self.num_timesteps)
        self._since = time.perf_counter()

    def _on_rollout_start(self) -> None:
        now = time.perf_counter()
        self._progress.seconds += now - self._since
        self._since = self._rollout_since = now
        self._note()
        out_of_time = self._minutes is not None and self._progress.seconds >= 60 * self._minutes
        if self.interrupted or out_of_time:
            raise Stop

    def _note(self) -> None:
        progress = self._progress
        progress.env_seconds += self._watch.seconds
        self._watch.seconds = 0.0
        self._bar.update(self._task, completed=self.num_timesteps)
        if self._minutes is not None:
            model: Any = self.model
            model.share_left = max(0.0, 1 - progress.seconds / (60 * self._minutes))
        if progress.seconds > 0:
            self.logger.record("time/env_share", progress.env_seconds / progress.seconds)
            self.logger.record("time/minutes", progress.seconds / 60)

    def _on_rollout_end(self) -> None:
        self._progress.rollout_seconds += time.perf_counter() - self._rollout_since

    def restart(self) -> None:
        """Leaves out of the training time what has passed since the rollout ended."""
        self._since = self._rollout_since = time.perf_counter()

    def _on_step(self) -> bool:
        return True


@dataclass(frozen=True)
class Plan:
    """What happens at a milestone.

    Attributes:
        rivals: Whom the policy is evaluated against, by name.
        pool: The fixed opponents with their weights.
        every: Learner's decisions from one milestone to the next.
        deals: Deals of an evaluation.
        seed: What these deals are drawn from.
        past_weight: Weight of the past selves, all together.
        past_kept: How many of them are kept.
    """

    rivals: Mapping[str, Policy]
    pool: list[tuple[Policy, float]]
    every: int
    deals: int
    seed: int
    past_weight: float
    past_kept: int


class Milestones(BaseCallback):
    """Evaluates now and then, keeps the best model, adds past selves, and writes checkpoints."""

    def __init__(
        self, run: Run, rules: Rules, progress: Progress, clock: Clock, plan: Plan
    ) -> None:
        super().__init__()
        self._run = run
        self._rules = rules
        self._progress = progress
        self._clock = clock
        self._plan = plan
        self._due = plan.every

    def _on_training_start(self) -> None:
        self._due = (self.num_timesteps // self._plan.every + 1) * self._plan.every

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._due:
            self._due += self._plan.every
            self.reach()

    def reach(self) -> None:
        """Does all that a milestone asks for; the training clock stands still meanwhile."""
        self._save_self()
        self._evaluate()
        self._run.save(self.model, self._games, self._progress)
        self._clock.restart()

    def finish(self) -> None:
        """Evaluates the last model and writes the last checkpoint; just that after an interrupt."""
        if self._clock.interrupted:
            self._run.save(self.model, self._games, self._progress)
        elif not self._progress.curve or self._progress.curve[-1].steps < self.num_timesteps:
            self.reach()

    @property
    def _games(self) -> Any:
        env: Any = self.training_env.unwrapped
        return env.games

    def _save_self(self) -> None:
        """Puts the model as it is now among the opponents."""
        path = self._run.past / f"{self.num_timesteps:012d}.npz"
        export(self.model.policy, self._rules, path)
        self._progress.past = [*self._progress.past, path.name][-self._plan.past_kept :]
        past = [self._run.past / name for name in self._progress.past]
        self._games.set_opponents(with_past(self._plan.pool, past, self._plan.past_weight))

    def _evaluate(self) -> None:
        policy = SavedPolicy(self._run.past / self._progress.past[-1])
        points = []
        for name, rival in self._plan.rivals.items():
            result = duel(self._rules, policy, rival, deals=self._plan.deals, seed=self._plan.seed)
            points.append(result.lead.value)
            self._note(name, result.sides[0].hand_wins, result.lead)
        score = float(np.mean(points))
        if score > self._progress.best:
            self._progress.best, self._progress.best_steps = score, self.num_timesteps
            export(self.model.policy, self._rules, self._run.best)

    def _note(self, name: str, wins: Estimate, points: Estimate) -> None:
        self._progress.curve.append(
            Evaluation(
                steps=self.num_timesteps,
                minutes=self._progress.seconds / 60,
                opponent=name,
                win_rate=(wins.value, wins.low, wins.high),
                points=(points.value, points.low, points.high),
            )
        )
        self.logger.record(f"eval/{name}/win_rate", wins.value)
        self.logger.record(f"eval/{name}/points", points.value)

    def _on_step(self) -> bool:
        return True
