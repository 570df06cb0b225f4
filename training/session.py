"""A training run, from its start or a checkpoint to where it stops."""

import copy
import dataclasses
import pickle
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import LinearSchedule

from agents.network import SuitPolicy
from agents.saved import arrays_for, export, suit_net
from rummy_env import command_line
from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.networks import Arrays
from rummy_env.baselines.policies import check_plays, name_of, resolve
from rummy_env.baselines.saved import SavedPolicy, Trained
from rummy_env.core.rules import Rules
from rummy_env.envs.self_play import SelfPlayEnv
from rummy_env.evaluation import arena
from rummy_env.files import alone
from rummy_env.workers import Crew
from training.callbacks import Clock, EvaluationCallback, Stop
from training.cloning import clone, demonstrations
from training.decisions import Decisions
from training.device import check_device, gains_by_bfloat16, set_threads
from training.hindsight import Hindsight, judge
from training.objective import points_of_values, rewarded_by
from training.opponent_pool import fixed_pool
from training.phases import Phases, tell
from training.player import Recipe, Shard, Terms
from training.resuming import added_since, resumed
from training.rounds import Rounds, sizes
from training.run import Progress, Run, usual_folder
from training.seeds import HINDSIGHT, SELF_PLAY, seed_apart
from training.self_play import SelfPlayPPO
from training.settings import (
    CLONE,
    FLAGS_OF_ACTOR,
    NOBODY,
    TRAINED,
    Complete,
    Settings,
    check,
    flag_of,
)
from training.usual import with_usual
from training.vec_env import SelfPlayVecEnv

DEFAULT_STEPS = 5_000_000
FALLS_TO = 1 / 20
"""The learning rate at the end of a run, as a fraction of that at its start."""


class Session:
    """A run that learns.

    Attributes:
        settings: The flags; those of the run if one is resumed.
        rounds: The games that it learns from, and who plays them.
        pool: The fixed opponents with their weights.
        rivals: The agents that the policy is evaluated against, by name.
    """

    def __init__(self, rules: Rules, settings: Settings, command: str) -> None:
        """Begin a run, or read its checkpoint; a ValueError if flags make no sense."""
        self.rules = rules
        settings = complete(rules, settings)
        set_threads(settings.torch_threads)
        if settings.bf16 is None:
            settings = dataclasses.replace(settings, bf16=gains_by_bfloat16(settings.device))
        self.settings, self._command = settings, command
        self.pool = fixed_pool(settings.opponents)
        for opponent, _ in self.pool:
            check_plays(opponent, rules)
        self.rivals = command_line.load_agents(settings.rivals)
        _check_rivals(self.rivals)
        self._start = self._load_start()
        self._teacher = self._load_teacher()
        for opponent, _ in self.pool:
            _check_storable(opponent)
        self._try_agents()
        adviser = self._load_adviser()
        self.run = Run(settings.resume or settings.out or Path())
        flag, folder = "--resume" if settings.resume else "--out", self.run.folder
        command_line.check_folder(flag, folder)
        shards = self._new_shards(adviser)
        with ExitStack() as undo:
            taken = f"{flag} {folder}: another run is at work there; give another folder"
            undo.enter_context(alone(folder, taken))
            self._model, shards, self.progress = self._opened(shards)
            self._folder = undo.pop_all()
        self.rounds = Rounds(shards)
        self._set_up(self._model)

    def close(self) -> None:
        """Release the folder of the run, which the session has to itself."""
        self._folder.close()

    def _try_agents(self) -> None:
        """Let rivals, opponents and the teacher play a little; errors of theirs are raised."""
        tried = [*self.rivals.items(), *((name_of(each), each) for each, _ in self.pool)]
        if self._teacher is not None:
            tried.append(("the teacher", self._teacher))
        for name, agent in tried:
            arena.try_out(self.rules, name, agent)

    def _opened(self, shards: list[Shard]) -> tuple[SelfPlayPPO, list[Shard], Progress]:
        """Return what a new run begins with, in `shards`, or what its checkpoint holds."""
        given, run = self.settings, self.run
        if given.resume is None:
            flags = {k: str(v) if isinstance(v, Path) else v for k, v in vars(given).items()}
            run.begin(self.rules, flags, self._command, self._models())
            return self._new_model(shards[0].env), shards, Progress()
        run.check_models(self._models())
        if added := added_since(given, run.told()["settings"]):
            print(f"the run is older than {', '.join(added)}, and goes on with that")
        model, shards, progress = run.load(SelfPlayPPO, shards, given.device)
        _check_enough(shards, given.workers)
        return model, shards, progress

    def _models(self) -> dict[str, str]:
        """Return which files the models among rivals and opponents are, by name."""
        agents = {name_of(each): each for each, _ in self.pool} | {**self.rivals}
        models = (SavedPolicy, Trained)
        return {n: a.describe(self.rules) for n, a in agents.items() if isinstance(a, models)}

    @property
    def _policy(self) -> SuitPolicy:
        policy: Any = self._model.policy
        return policy

    @property
    def value_points(self) -> float | None:
        """The points that a value of 1 stands for, if the critic can be saved with a model.

        With a price for moves, values are less by what those to come cost.
        """
        learned = rewarded_by(self.rules, self.settings.objective)
        given = self.settings
        return None if given.privileged or given.gamma < 1 else points_of_values(learned)

    @property
    def share_left(self) -> float:
        """The share of the run that is left, 1 to 0, by its time or its decisions."""
        given, lefts = self.settings, []
        if given.minutes is not None:
            lefts.append(1 - self.progress.seconds / (60 * given.minutes))
        if (steps := _steps(given)) is not None:
            lefts.append(1 - self._model.num_timesteps / steps)
        return max(0.0, min(lefts))

    @property
    def is_reported(self) -> bool:
        """True if the report tells of all that has been learned."""
        return self.run.reported == self._model.num_timesteps

    def save(self) -> None:
        """Write a checkpoint."""
        self.run.save(self._model, self.rounds.shards, self.progress)

    def learn(self) -> bool:
        """Learn until steps or minutes are used up (True) or the user stops the run (False).

        Raises:
            WorkerError: If there is no cluster for the workers, or one of them meets an error.
        """
        model, given = self._model, self.settings
        if given.resume is not None:
            self.run.go_on(given.total_timesteps, given.minutes, self._command)
        with Phases() as phases:
            if not self.run.checkpoint.exists():
                self._begin(phases)
            logs = self.run.folder / "logs"
            folder = logs / str(len([*logs.glob("*")]))
            model.set_logger(configure(str(folder), ["csv", "tensorboard"]))
            clock = Clock(self, phases)
            evaluation = EvaluationCallback(self, clock, phases)
            with closing(model.logger), self._crew(), _stopping(clock):
                with suppress(Stop):
                    if self.share_left <= 0:
                        phases.tell(self._used_up())
                    # In that case, too: it is how the callbacks get to know the model.
                    steps = _steps(given) or sys.maxsize
                    left = steps - model.num_timesteps
                    model.learn(left, [clock, evaluation], reset_num_timesteps=False)
                evaluation.finish()
        return not clock.interrupted

    def _used_up(self) -> str:
        """Say that a run has nothing left to learn."""
        steps, minutes = self._model.num_timesteps, self.progress.seconds / 60
        return (
            f"the run has learned from {steps:,} decisions in {minutes:.1f} minutes, all that its "
            f"limits allow: only the report is made; to learn on, give a larger --minutes or "
            f"--total-timesteps"
        )

    @contextmanager
    def _crew(self) -> Iterator[None]:
        """Start the workers, if any are to play the games."""
        given = self.settings
        if given.workers is None:
            yield
            return
        with Crew(Recipe.of(self._model.player, given.torch_threads), given.workers) as crew:
            self.rounds.hand_to(crew, given.staleness)
            yield

    @property
    def has_opponents(self) -> bool:
        """True if there are games in which others play."""
        return self.settings.share > 0

    def _load_start(self) -> Arrays | None:
        """Return the arrays to start from, if a model is; a ValueError if it does not fit."""
        given = self.settings
        if given.start is None or given.resume is not None:
            return None
        if given.teacher != NOBODY:
            raise ValueError(f"--start {given.start}, --teacher {given.teacher}: give one of them")
        model = SavedPolicy(given.start)
        has = {**vars(suit_net(model)), "observation": model.card.reads}
        for name, asked in {**vars(given.actor), "observation": given.observation}.items():
            if has[name] != asked:
                flag = FLAGS_OF_ACTOR.get(name, flag_of(name))
                raise ValueError(
                    f"--start {given.start}: the model has {flag} {has[name] or NOBODY}, asked for "
                    f"is {asked or NOBODY}"
                )
        return arrays_for(model, self.rules)

    def _load_teacher(self) -> Policy | None:
        """Return the teacher, if there is one."""
        given = self.settings
        if given.resume is not None or given.teacher == NOBODY:
            return None
        teacher = command_line.load_agent(given.teacher)
        if given.hindsight and judge(self.rules, teacher) is None:
            raise ValueError(
                f"--teacher {given.teacher} --hindsight: it does not weigh chances to win here; "
                f"leave --hindsight out, or let farsighted teach where hands are declared"
            )
        return teacher

    def _load_adviser(self) -> Policy | None:
        """Return the heuristic whose actions the actor sees, if any; checked to play the rules."""
        name = self.settings.actor.adviser
        return resolve(name, self.rules) if name else None

    def _new_shards(self, adviser: Policy | None) -> list[Shard]:
        """Return the games, dealt except for those of the first shard, which the learner deals."""
        given, count = self.settings, self.settings.workers or 1
        shards = []
        for number, size in enumerate(sizes(given.num_envs, count)):
            seed = seed_apart(given.seed, SELF_PLAY + number)
            games = SelfPlayEnv(
                rewarded_by(self.rules, given.objective),
                size,
                opponents=self.pool if given.share else None,
                share=given.share,
                seed=seed,
                observation=given.observation,
            )
            chance = torch.Generator().manual_seed(seed).get_state()
            shards.append(
                Shard(SelfPlayVecEnv(games, adviser, privileged=given.privileged), chance)
            )
        for shard in shards[1:]:
            shard.env.reset()
        return shards

    def _new_model(self, env: SelfPlayVecEnv) -> SelfPlayPPO:
        given = self.settings
        model = SelfPlayPPO(
            SuitPolicy,
            env,
            learning_rate=LinearSchedule(given.learning_rate, given.learning_rate * FALLS_TO, 1.0),
            n_steps=given.num_steps,
            batch_size=given.minibatch_size,
            n_epochs=given.update_epochs,
            gamma=given.gamma,
            gae_lambda=given.gae_lambda,
            clip_range=given.clip_coef,
            target_kl=given.target_kl or None,
            vf_coef=given.vf_coef,
            max_grad_norm=given.max_grad_norm,
            rollout_buffer_class=Decisions,
            policy_kwargs={
                "rules": self.rules,
                "observation": given.observation,
                "actor": given.actor,
                "critic": given.critic,
                "value_rate": given.value_rate,
                "privileged": given.privileged,
                "optimizer_kwargs": {"eps": given.adam_eps},
            },
            seed=given.seed,
            device=given.device,
        )
        model.warmup = given.warmup  # a short run ends it sooner, and its checkpoint says so
        return model

    def _set_up(self, model: SelfPlayPPO) -> None:
        """Give a model, new or of a checkpoint, what the library's algorithm has no place for."""
        given = self.settings
        model.average, model.kl_coef = given.average, given.kl_coef
        model.ent_least, model.ent_extra = given.ent_coef, given.ent_extra
        self._policy.bf16 = bool(given.bf16)
        model.rounds = self.rounds
        model.terms = Terms(
            steps=given.num_steps,
            gamma=given.gamma,
            gae_lambda=given.gae_lambda,
            surest=given.surest,
            sure_kept=given.sure_kept,
            move_cost=given.move_cost,
        )

    def _begin(self, phases: Phases) -> None:
        """Give the actor its initial weights: those of a model, of a clone, or random ones."""
        if self._start is not None:
            self._policy.actor.weights.load_arrays(self._start)
        elif self._teacher is not None:
            self._clone(self._teacher, phases)
        actor, given = self._policy.actor, self.settings
        actor.soften(given.temperature)
        if given.actor.adviser and not self._start:
            actor.trust(given.advice)
        if self._start or self._teacher or given.actor.adviser:
            self._model.anchor = copy.deepcopy(actor)
        export(self._policy, self.rules, self.run.clone)
        self.rounds.shards[0].chance = torch.get_rng_state()

    def _clone(self, teacher: Policy, phases: Phases) -> None:
        """Clone the teacher's behaviour."""
        given = self.settings
        phases.begin("demonstrations")
        observed = (self.rules, given.observation, teacher)
        decisions, seed = given.teacher_decisions, given.seed
        told = None
        if given.hindsight:
            told = Hindsight(self.rules, teacher, seed_apart(seed, HINDSIGHT))
        shown = demonstrations(*observed, decisions, seed, phases.show, told)
        phases.show(1)
        phases.begin("cloning")
        agreed = clone(self._policy, shown, seed, phases.show)
        phases.show(1)
        count = len(shown.actions)
        phases.tell(f"imitates {given.teacher} in {agreed:.0%} of the {count:,} decisions shown")


def complete(rules: Rules, given: Settings) -> Complete:
    """Return the settings of a run: what is usual where no flag says, or those of one to resume.

    Raises:
        ValueError: If flags make no sense, or the run cannot be resumed.
    """
    check(given, rules)
    if given.resume is not None:
        settings = resumed(rules, given.resume, given)
    else:
        folder = given.out or usual_folder(rules, str(given.seed))
        settings = dataclasses.replace(with_usual(rules, given), out=folder)
    check_device(settings.device)
    return settings


def _check_storable(opponent: Policy) -> None:
    """Refuse by a ValueError an opponent that checkpoints, which hold the games, cannot hold."""
    try:
        pickle.dumps(opponent)
    except Exception as error:  # pickling can raise whatever it likes
        raise ValueError(
            f"--opponents {name_of(opponent)}: checkpoints hold the opponents, and it cannot be "
            f"pickled: {error}; keep no lambdas or open files in it"
        ) from error


def _check_rivals(names: Iterable[str]) -> None:
    """Refuse rivals named as the report names the run's own models."""
    for name in {TRAINED, CLONE}.intersection(names):
        raise ValueError(
            f"--rivals {name}: the report calls a model of this run so; give the rival another "
            f"name, as in package={TRAINED}"
        )


def _check_enough(shards: Sequence[Shard], workers: int | None) -> None:
    """Refuse workers that would have no games: a run's games stay in their shards."""
    if (workers or 0) > len(shards):
        raise ValueError(
            f"--workers {workers}: the games of this run are in as many parts as it had workers at "
            f"first; give {len(shards)} at most"
        )


def _steps(given: Settings) -> int | None:
    """Return the number of decisions that limits a run; None if minutes alone do."""
    if given.total_timesteps is None and given.minutes is None:
        return DEFAULT_STEPS
    return given.total_timesteps


def _stops() -> Iterator[signal.Signals]:
    """Yield the signals that stop a run: SIGHUP, too, unless it is ignored, as by nohup."""
    yield from (signal.SIGINT, signal.SIGTERM)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        yield signal.SIGHUP


@contextmanager
def _stopping(clock: Clock) -> Iterator[None]:
    """Stop the run after what it is at on Ctrl-C or its like, and at once on a second one."""

    def stop(number: int, frame: FrameType | None) -> None:
        if clock.interrupted:
            raise KeyboardInterrupt
        clock.interrupted = True
        tell("stopping after this rollout or evaluation; Ctrl-C again to stop at once", sys.stderr)

    before = {number: signal.signal(number, stop) for number in _stops()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
