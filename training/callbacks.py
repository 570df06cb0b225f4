"""Callbacks of a training run: its clock, and its evaluations and checkpoints."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.progress import Progress as Bar
from rich.progress import TaskID
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnvWrapper

from agents.saved import export
from rummy_env.baselines.saved import SavedPolicy, write_model
from rummy_env.evaluation import duel
from training.opponent_pool import with_past
from training.run import Evaluation

if TYPE_CHECKING:
    from training.fit import Session


class Stop(Exception):  # noqa: N818  (not an error)
    """Ends training between two rollouts, where nothing is lost."""


class Stopwatch(VecEnvWrapper):
    """Measures the time spent in the environment, opponents included, in seconds."""

    def __init__(self, venv: Any) -> None:
        super().__init__(venv)
        self.seconds = 0.0

    def reset(self) -> Any:
        """As the wrapped environment."""
        return self.venv.reset()

    def step_wait(self) -> Any:
        """As the wrapped environment, timed."""
        return self._timed(self.venv.step_wait)

    def env_method(self, *args: Any, **kwargs: Any) -> Any:
        """As the wrapped environment, timed: the masks come this way."""
        return self._timed(self.venv.env_method, *args, **kwargs)

    def _timed(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Calls a method and adds the time that it took."""
        start = time.perf_counter()
        result = method(*args, **kwargs)
        self.seconds += time.perf_counter() - start
        return result


class Clock(BaseCallback):
    """Keeps the time and the progress bar, and stops the run when its time or the user says so."""

    def __init__(self, session: "Session", bar: Bar) -> None:
        super().__init__()
        self.interrupted = False
        self._watch, self._progress, self._bar = session.watch, session.progress, bar
        self._minutes = session.settings.minutes
        self._task = TaskID(0)
        self._since = self._rollout_since = 0.0

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
        """Brings the times, the progress bar and the log up to date."""
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
        """Leaves the time since the end of the rollout out of the training time."""
        self._since = self._rollout_since = time.perf_counter()

    def _on_step(self) -> bool:
        return True


class EvaluationCallback(BaseCallback):
    """Evaluates now and then, adds the model to the pool, keeps the best, writes checkpoints."""

    def __init__(self, session: "Session", clock: Clock) -> None:
        super().__init__()
        self._session, self._clock = session, clock
        self._run, self._progress, self._settings = session.run, session.progress, session.settings
        self._due = 0

    def _on_training_start(self) -> None:
        every = self._settings.eval_every
        curve = self._progress.curve
        self._due = ((curve[-1].steps if curve else 0) // every + 1) * every

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._due:
            self._due += self._settings.eval_every
            self.reach()

    def reach(self) -> None:
        """Adds the model to the pool, evaluates it and saves the run, outside the training time."""
        self._save_self()
        self._evaluate()
        self._session.save()
        self._clock.restart()

    def finish(self) -> None:
        """Evaluates the last model and writes the last checkpoint; just that after an interrupt."""
        if self._clock.interrupted:
            self._session.save()
        elif not self._progress.curve or self._progress.curve[-1].steps < self.num_timesteps:
            self.reach()

    def _save_self(self) -> None:
        """Adds a copy of the present model to the opponent pool."""
        path = self._run.past / f"{self.num_timesteps:012d}.npz"
        export(self.model.policy, self._session.rules, path)
        self._progress.past = [*self._progress.past, path.name][-self._settings.past_kept :]
        past = [self._run.past / name for name in self._progress.past]
        pool = with_past(self._session.pool, past, self._settings.past_weight)
        self._session.games.set_opponents(pool)

    def _evaluate(self) -> None:
        """Plays the model against every rival, and keeps it if it is the best so far."""
        rules, given, progress = self._session.rules, self._settings, self._progress
        policy = SavedPolicy(self._run.past / progress.past[-1])
        points, now = [], (self.num_timesteps, progress.seconds / 60)
        for name, rival in self._session.rivals.items():
            result = duel(rules, policy, rival, deals=given.eval_deals, seed=given.seed + 1)
            wins, lead = result.sides[0].hand_wins, result.lead
            figures = [(figure.value, figure.low, figure.high) for figure in (wins, lead)]
            progress.curve.append(Evaluation(*now, name, *figures))
            self.logger.record(f"eval/{name}/win_rate", wins.value)
            self.logger.record(f"eval/{name}/points", lead.value)
            points.append(lead.value)
        score = float(np.mean(points))
        if score > progress.best:
            progress.best, progress.best_steps = score, self.num_timesteps
            write_model(self._run.best, policy.card, policy.arrays)

    def _on_step(self) -> bool:
        return True
