"""What a run does where no flag says: its teacher, adviser, opponents and rivals, by the rules."""

import dataclasses
from pathlib import Path

from rummy_env.baselines.heuristics import HEURISTICS
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.rules import Rules
from rummy_env.parts.table_melds import Melding
from training.opponent_pool import WEIGHTS, playable
from training.settings import NOBODY, Settings


def with_usual(rules: Rules, settings: Settings) -> Settings:
    """The settings with what is usual for the rules where nothing is given."""
    names = playable(rules)
    usual = names[-1] if names[1:] and settings.start is None else NOBODY
    teacher = settings.teacher or usual
    settings = dataclasses.replace(
        settings,
        teacher=teacher,
        adviser=settings.adviser or _usual_adviser(settings.start, teacher),
        opponents=settings.opponents or tuple(f"{name}={WEIGHTS[name]}" for name in names),
        rivals=settings.rivals or tuple(names),
        share=_usual_share(rules, settings, teacher) if settings.share is None else settings.share,
    )
    pool, rivals = " ".join(settings.opponents or ()), " ".join(settings.rivals or ())
    print(f"teacher: {settings.teacher}; adviser: {settings.adviser}")
    print(f"opponents: {pool}; rivals: {rivals}")
    print(f"games against opponents: {settings.share:.0%}")
    return settings


def _usual_share(rules: Rules, settings: Settings, teacher: str) -> float:
    """The share of games against the pool; docs/decisions/0021 has the runs behind it."""
    begun = settings.start is not None or teacher != NOBODY
    lays_down = any(isinstance(part, Melding) for part in rules.parts)
    return 1.0 if begun and lays_down else 0.5


def _usual_adviser(start: Path | None, teacher: str) -> str:
    """The adviser of the model to start from; else the teacher, where it is a heuristic."""
    if start is not None:
        return SavedPolicy(start).card.network.adviser or NOBODY
    return teacher if teacher in HEURISTICS else NOBODY
