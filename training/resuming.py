"""The settings of a run that is resumed."""

import dataclasses
from pathlib import Path
from typing import Any

from rummy_env.core.rules import Rules
from training.run import Run
from training.settings import Settings

CHANGEABLE = frozenset(
    ("resume", "trust", "total_timesteps", "minutes", "workers", "ray_address", "staleness")
)
"""The settings that a run may be resumed with."""


def resumed(rules: Rules, folder: Path, settings: Settings) -> Settings:
    """Return the flags of a run that is resumed, with the new limits."""
    if not settings.trust:
        raise ValueError(
            f"--resume {folder}: opening the checkpoint of a run can run any code that "
            f"its maker put into it; add --trust if the run is your own"
        )
    read: Any = Run.begun(folder, rules).items()
    flags: Any = {name: tuple(v) if isinstance(v, list) else v for name, v in read}
    if unknown := flags.keys() - vars(Settings()).keys():
        raise ValueError(
            f"--resume {folder}: the run was begun with {_flag(min(unknown))}, which this version "
            f"does not have; begin a new run"
        )
    begun = Settings(**flags)
    _check_unchanged(settings, begun)
    limited = settings if settings.total_timesteps or settings.minutes else begun
    return dataclasses.replace(
        begun,
        resume=folder,
        total_timesteps=limited.total_timesteps,
        minutes=limited.minutes,
        workers=settings.workers,
        ray_address=settings.ray_address,
        staleness=settings.staleness,
    )


def _check_unchanged(given: Settings, begun: Settings) -> None:
    """Refuse flags, besides those that may change, with other values than the run began with.

    A flag with its usual value counts as not given.
    """
    usual = Settings()
    for name in vars(given):
        value, *allowed = (str(getattr(each, name)) for each in (given, usual, begun))
        if value not in allowed and name not in CHANGEABLE:
            raise ValueError(
                f"{_flag(name)} {value}: the run began with {getattr(begun, name)}, and goes on "
                f"with it; leave the flag out, or begin a new run"
            )


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
