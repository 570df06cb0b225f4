"""What a run does where no flag says: who teaches, advises and plays, and in how many games."""

import dataclasses
from math import inf
from pathlib import Path

from rummy_env.baselines.heuristics import HEURISTICS
from rummy_env.baselines.policies import STRONGEST_FIRST, playing
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.rules import Rules
from training.opponent_pool import WEIGHTS, playable
from training.settings import NOBODY, Complete, Settings, flag_of

PATIENT = "patient"
NO_ADVISERS = frozenset({"random", "greedy"})
"""Heuristics whose advice holds a learner back; see docs/decisions/0032."""
TEMPERATURES = {NOBODY: 1.0, PATIENT: 1.2}
"""What logits are divided by, by teacher: a player who is softer than this does not wait, and so
never learns what the patience of `patient` is worth."""
CLONE_TEMPERATURE = 2.4
"""The same for all other teachers."""
ADVICE = 2.0
"""What is added to the logit of the adviser's action; nothing for a clone that knows better."""

FEWEST_CLONED, MOST_CLONED, CLONED_A_MINUTE = 5000, 500_000, 50_000
"""Decisions of a teacher that are cloned."""
MORE_BY_HINDSIGHT = 4
"""Times as many are cloned by hindsight."""

SHORT, STEPS_A_MINUTE = 5, 500_000
"""A run of fewer minutes is short, or of fewer decisions than are made in these."""
EVALUATED, COMPARED = (100, 100), (400, 200)
"""Deals of an evaluation and of the comparison: for every minute up to `SHORT`, and at least."""


def with_usual(rules: Rules, given: Settings) -> Complete:
    """Return the settings with what is usual for the rules where nothing is given.

    Raises:
        ValueError: If there are more workers than games, or a flag does nothing beside the others.
    """
    settings = filled(rules, given)
    if (given.workers or 1) > settings.num_envs:
        raise ValueError(
            f"workers={given.workers}: each plays games of its own; give {settings.num_envs} at "
            f"most, or more --num-envs"
        )
    _check_of_use(given, settings)
    return settings


def filled(rules: Rules, given: Settings) -> Complete:
    """Return the settings as `with_usual` does, whether they make sense or not."""
    teacher = given.teacher or _usual_teacher(rules, given.start)
    adviser = given.adviser or _usual_adviser(given.start, teacher)
    given = dataclasses.replace(given, teacher=teacher, adviser=adviser)
    names, by_hindsight = playable(rules), given.hindsight
    usual = {
        **_usual_rollout(rules, given),
        "opponents": tuple(f"{name}={WEIGHTS[name]}" for name in names),
        "rivals": tuple(names),
        "temperature": 1.0 if by_hindsight else TEMPERATURES.get(teacher, CLONE_TEMPERATURE),
        "advice": 0.0 if by_hindsight else ADVICE,
        "teacher_decisions": _usual_decisions(given),
        "eval_deals": _usual_deals(given, *EVALUATED),
        "compare_deals": _usual_deals(given, *COMPARED),
    }
    told = {name: value for name, value in vars(given).items() if value is not None}
    return Complete(**{**usual, **told})


def _check_of_use(given: Settings, settings: Complete) -> None:
    """Refuse flags that would do nothing; one with its usual value counts as not given."""
    nobody_else, untaught = settings.share == 0, settings.teacher == NOBODY
    unadvised, anew = settings.adviser == NOBODY, settings.start is None
    idle = {
        "opponents": (nobody_else, "with --share 0 no game has opponents"),
        "past_share": (nobody_else, "with --share 0 no game has opponents"),
        "past_kept": (not settings.past_share, "with --past-share 0 no past version plays"),
        "teacher_decisions": (untaught, "nobody teaches"),
        "hindsight": (
            untaught or settings.adviser != settings.teacher,
            "it is for a teacher who is the adviser, too",
        ),
        "surest": (settings.sure_kept == 1, "with --sure-kept 1 all choices are learned from"),
        "sure_kept": (settings.surest == 1, "with --surest 1 no choice is sure"),
        "trust": (given.resume is None, "it is for the run that --resume names"),
        "advice": (unadvised or not anew, "it is for an adviser whom the actor has not met"),
        "kl_coef": (untaught and unadvised and anew, "there is nothing to stay near"),
    }
    for name, (does_nothing, why) in idle.items():
        if does_nothing and (value := getattr(given, name)) != getattr(Settings(), name):
            raise ValueError(f"{name}={value!r}: {why}; leave {flag_of(name)} out")


def summary_of(settings: Complete) -> str:
    """Who teaches, advises and plays, for the user to read."""
    pool = " ".join(settings.opponents) if settings.share else "none"
    return (
        f"teacher: {settings.teacher}; adviser: {settings.adviser}\n"
        f"opponents: {pool}; rivals: {' '.join(settings.rivals)}\n"
        f"games against opponents: {settings.share:.0%}"
    )


def _usual_rollout(rules: Rules, given: Settings) -> dict[str, float]:
    """Return the games of a rollout, and how far their rewards reach back, by the flags' names.

    Where `patient` plays, small differences are to be found under much noise, and with two players
    its patience pays late; elsewhere much is to be gained, and many updates go further. The runs
    behind it are in docs/decisions/0021. A learner that begins with nothing meets itself in half of
    the games.
    """
    waits = PATIENT in playable(rules)
    large = waits and _minutes(given) >= SHORT  # a short run is to have some rollouts at least
    return {
        "share": 1.0 if waits and not given.from_scratch else 0.5,
        "num_envs": 2048 if large else 1024,
        "num_steps": 96 if large else 48,
        "gae_lambda": 0.95 if waits and rules.num_players == 2 else 0.8,
    }


def _usual_teacher(rules: Rules, start: Path | None) -> str:
    """Return the strongest heuristic, if there is a better one than random; none for a model.

    With more than two players, no run from `patient` was played to its end; see
    docs/decisions/0033.
    """
    names = [name for name in STRONGEST_FIRST if name != PATIENT or rules.num_players == 2]
    best = playing(rules, names)[0]
    return best if best != "random" and start is None else NOBODY


def _usual_decisions(given: Settings) -> int:
    """Return how many decisions of the teacher are cloned: cloning is not to outlast learning."""
    times = MORE_BY_HINDSIGHT if given.hindsight else 1
    limits: list[float] = [MOST_CLONED]
    if given.minutes is not None:
        limits.append(CLONED_A_MINUTE * given.minutes)
    if given.total_timesteps is not None:
        limits.append(given.total_timesteps / 10)
    return max(FEWEST_CLONED, int(times * min(limits)))


def _usual_deals(given: Settings, a_minute: int, fewest: int) -> int:
    """Return how many deals are played: what is measured is not to outlast learning."""
    return max(fewest, int(a_minute * min(SHORT, _minutes(given))))


def _minutes(given: Settings) -> float:
    """Return how long a run learns, about; without limit if it is not limited."""
    steps = given.total_timesteps
    limits = given.minutes, None if steps is None else steps / STEPS_A_MINUTE
    return min((limit for limit in limits if limit is not None), default=inf)


def _usual_adviser(start: Path | None, teacher: str) -> str:
    """Return the adviser of the model to start from; else the teacher if it is a good heuristic."""
    if start is not None:
        return SavedPolicy(start).card.network.adviser or NOBODY
    return teacher if teacher in HEURISTICS and teacher not in NO_ADVISERS else NOBODY
