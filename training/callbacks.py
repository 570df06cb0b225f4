"""Callbacks of a training run: its clock, and its evaluations and checkpoints."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stable_baselines3.common.callbacks import BaseCallback

from agents.saved import export
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.evaluation import duel
from rummy_env.evaluation.comparison import Duel
from rummy_env.evaluation.statistics import Estimate
from rummy_env.evaluation.words import in_words
from training.opponent_pool import with_past
from training.phases import Phases
from training.run import Evaluation
from training.seeds import EVALUATIONS, seed_apart
from training.settings import Settings

if TYPE_CHECKING:
    from training.session import Session


class Stop(Exception):  # noqa: N818  (not an error)
    """Ends training between two rollouts, where nothing is lost."""


def _whole(share: float) -> int:
    """Return the whole number in it, although `1 - 0.9` is a little less than a tenth."""
    return int(round(share, 9))


def _deals(settings: Settings) -> int:
    """Return the seed of the deals that models of a run are chosen by."""
    return seed_apart(settings.seed, EVALUATIONS)


class Clock(BaseCallback):
    """Keeps the time, and stops the run when its limits are reached or the user asks for it."""

    def __init__(self, session: "Session", phases: Phases) -> None:
        super().__init__()
        self.interrupted = False
        self._session, self._progress, self._phases = session, session.progress, phases
        self._since = 0.0

    def _on_training_start(self) -> None:
        self._phases.begin("learning")
        self._since = time.perf_counter()

    def _on_rollout_start(self) -> None:
        self._count()
        self._note()
        if self.interrupted or self._session.share_left <= 0:
            raise Stop

    def _on_rollout_end(self) -> None:
        self._count()

    def _on_training_end(self) -> None:
        self._count()
        self._note()

    def _count(self) -> None:
        """Add the time since the last call to that of learning; the schedules follow it."""
        now = time.perf_counter()
        self._progress.seconds += now - self._since
        self._since = now
        model: Any = self.model
        model.share_left = self._session.share_left

    def _note(self) -> None:
        """Update progress bar and log."""
        progress, left = self._progress, self._session.share_left
        model: Any = self.model
        progress.env_seconds += model.env_seconds  # of the last rollout
        model.env_seconds = 0.0
        rate = self.num_timesteps / max(progress.seconds, 1e-9)
        self._phases.show(1 - left, f"{self.num_timesteps:,} decisions, {rate:,.0f}/s")
        if self.num_timesteps:
            self.logger.record("time/env_share", progress.env_seconds / progress.seconds)
            self.logger.record("time/decisions_per_second", rate)
            self.logger.record("time/minutes", progress.seconds / 60)

    def restart(self) -> None:
        """Exclude the time since the last rollout from the time of learning."""
        self._since = time.perf_counter()

    def _on_step(self) -> bool:
        return True


class EvaluationCallback(BaseCallback):
    """Periodically evaluates the model, adds it to the pool, keeps the best, and checkpoints."""

    def __init__(self, session: "Session", clock: Clock, phases: Phases) -> None:
        super().__init__()
        self._session, self._clock, self._phases = session, clock, phases
        self._run, self._progress, self._settings = session.run, session.progress, session.settings

    def _on_training_start(self) -> None:
        # With new limits, the share of the run that is done differs from the one last evaluated.
        done, curve = 1 - self._session.share_left, self._progress.curve
        evaluated = curve and curve[-1].steps == self.num_timesteps
        self._progress.evaluated = done if evaluated else min(self._progress.evaluated, done)
        if not curve:
            self.reach()
        elif self._progress.past:  # games that are dealt anew begin without past versions
            self._let_past_selves_play()

    def _on_rollout_start(self) -> None:
        done, count = 1 - self._session.share_left, self._settings.evaluations
        if _whole(done * count) > _whole(self._progress.evaluated * count):
            self.reach()

    def reach(self) -> None:
        """Add the model to the pool, evaluate it and save the run, outside the training time."""
        self._progress.evaluated = 1 - self._session.share_left
        self._save_self()
        self._evaluate()
        self._session.save()
        self._clock.restart()

    def finish(self) -> None:
        """Evaluate the last model and write a checkpoint; after an interrupt, only the latter."""
        if self._clock.interrupted:
            self._session.save()
        elif self._progress.curve[-1].steps < self.num_timesteps:
            self.reach()

    def _save_self(self) -> None:
        """Add a copy of the current model to the opponent pool."""
        path = self._run.past_model(self.num_timesteps)
        model: Any = self.model
        session = self._session
        points = session.value_points if model.rollouts else None  # the critic has learned nothing
        export(model.policy, session.rules, path, model.averaged, points=points)
        self._progress.past = [*self._progress.past, path.name][-self._settings.past_kept :]
        self._let_past_selves_play()

    def _let_past_selves_play(self) -> None:
        """Give the past versions of the model their share of the opponents."""
        if not self._session.has_opponents:
            return
        past = [self._run.past / name for name in self._progress.past]
        pool = with_past(self._session.pool, past, self._settings.past_share)
        self._session.rounds.set_opponents(pool)

    def _evaluate(self) -> None:
        """Play the model against every rival, and keep it if it is the best so far.

        As long as the critic learns alone, the policy is the one that was evaluated before.
        """
        rules, given, progress = self._session.rules, self._settings, self._progress
        policy = SavedPolicy(self._run.past / progress.past[-1])
        results, now = [], (self.num_timesteps, progress.seconds / 60)
        model: Any = self.model
        if progress.curve and model.rollouts <= model.warmup:
            before = progress.curve[-len(self._session.rivals) :]
            progress.curve += [replace(each, steps=now[0], minutes=now[1]) for each in before]
            alone = f"the critic learns alone in the first {model.warmup} rollouts (--warmup)"
            self._phases.tell(f"{now[0]:,} decisions: the policy is unchanged; {alone}")
            return
        self._dump()  # what the last rollout left is not of the evaluation
        for name, rival in self._session.rivals.items():
            result = duel(rules, policy, rival, deals=given.eval_deals, seed=_deals(given))
            results.append(result)
            progress.curve.append(Evaluation.of(*now, name, result))
            self.logger.record(f"eval/{name}/win_rate", result.sides[0].hand_wins.value)
            self.logger.record(f"eval/{name}/points", result.lead.value)
            if result.match_wins:
                self.logger.record(f"eval/{name}/match_wins", result.ranked_by.value)
        self._dump()
        self._phases.tell(
            f"{self.num_timesteps:,} decisions: {rivals_line(self._session.rivals, results)}"
        )
        score = min((result.ranked_by for result in results), key=lambda figure: figure.value)
        if self._is_best(policy, score):
            progress.best_steps = self.num_timesteps
            write_model(self._run.best, policy.card, policy.arrays)
        progress.best = max(progress.best, score.value)

    def _dump(self) -> None:
        """Write what is noted as a row of its own, at the present step."""
        if self.logger.name_to_value:
            self.logger.record("time/total_timesteps", self.num_timesteps)
            self.logger.dump(self.num_timesteps)

    def _is_best(self, policy: SavedPolicy, score: Estimate) -> bool:
        """Whether a model is better than the best so far, by its score and a duel of the two.

        The score is what ranks agents, against the strongest rival: the lead in points per hand, or
        the share of hands or matches won. A model that is clearly above the highest one is the
        best, and one that is clearly below it is not. Between them the duel decides: rivals stop
        telling good models apart (docs/decisions/0021), and the highest of many scores was lucky.
        """
        highest, given = self._progress.best, self._settings
        if score.low > highest or score.high < highest:
            return score.low > highest
        best = SavedPolicy(self._run.best)
        deals, seed = given.eval_deals, _deals(given)
        return duel(self._session.rules, policy, best, deals=deals, seed=seed).first_leads

    def _on_step(self) -> bool:
        return True


def rivals_line(rivals: Iterable[str], results: Sequence[Duel]) -> str:
    """Return the figure that ranks, against every rival, as a line of text."""
    measure = results[0].measure
    each = [
        f"{name} {in_words(measure, result.ranked_by)}"
        for name, result in zip(rivals, results, strict=True)
    ]
    what = "points per hand over" if measure == "points" else f"{measure} won against"
    return f"{what} {', '.join(each)}"
