"""The settings of a run that is resumed."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rummy_env.core.rules import Rules, as_option
from training.run import Run
from training.settings import NOBODY, Complete, Settings, flag_of
from training.usual import filled

CHANGEABLE = frozenset(
    ("resume", "trust", "total_timesteps", "minutes", "workers", "ray_address", "staleness")
)
"""The settings that a run may be resumed with."""
OF_THE_MACHINE = frozenset(("device", "torch_threads", "compare_deals"))
"""Further ones, which change the run's course by rounding at most; its own hold unless given."""
PATHS = ("out", "start")
"""Of the others, those that are paths."""


def flags_of(folder: Path) -> Settings:
    """Return the settings of a run to resume where no further flag is given.

    Raises:
        ValueError: If it cannot be read, or this version lacks one of its flags.
    """
    return dataclasses.replace(_begun(folder), resume=folder, **_unset())


def options_of(folder: Path, variant: str) -> dict[str, Any]:
    """Return the options of the rules of a run, if it plays a variant; none if it plays another."""
    told = Run(folder).to_go_on()
    if told["variant"] != variant:
        return {}
    return {name: as_option(value) for name, value in told["options"].items()}


def _begun(folder: Path) -> Settings:
    """Return the settings that a run was begun with."""
    flags: dict[str, Any] = Run(folder).to_go_on()["settings"]
    flags = {name: tuple(v) if isinstance(v, list) else v for name, v in flags.items()}
    if unknown := flags.keys() - vars(Settings()).keys():
        raise ValueError(
            f"--resume {folder}: the run was begun with {flag_of(min(unknown))}, which this "
            f"version does not have; begin a new run"
        )
    flags |= {name: Path(flags[name]) for name in PATHS if flags.get(name) is not None}
    return Settings(**flags)


def _unset() -> dict[str, Any]:
    """Return what a run may be resumed with, besides its folder, as it is where no flag says."""
    usual = Settings()
    return {name: getattr(usual, name) for name in CHANGEABLE - {"resume"}}


def resumed(rules: Rules, folder: Path, given: Settings) -> Complete:
    """Return the settings of a run that is resumed, with the new limits.

    Raises:
        ValueError: If it is not to be trusted, was begun with other rules or flags, or cannot be
            read.
    """
    if not given.trust:
        raise ValueError(
            f"--resume {folder}: opening the checkpoint of a run can run any code that "
            f"its maker put into it; add --trust if the run is your own"
        )
    begun = _begun(folder)
    Run(folder).check_rules(rules)
    _check_unchanged(given, begun)
    new = {name: getattr(given, name) for name in CHANGEABLE | OF_THE_MACHINE}
    if not (given.total_timesteps or given.minutes):
        new |= {"total_timesteps": begun.total_timesteps, "minutes": begun.minutes}
    adviser = begun.adviser or NOBODY  # in a run that is older than advisers
    return filled(rules, dataclasses.replace(begun, adviser=adviser, **new))


def added_since(settings: Settings, told: Mapping[str, Any]) -> list[str]:
    """Return, in words, the settings that a run goes on with but was not begun with."""
    added = vars(settings).keys() - told.keys()
    return [f"{flag_of(name)} {getattr(settings, name)}" for name in sorted(added)]


def _check_unchanged(given: Settings, begun: Settings) -> None:
    """Refuse flags, besides those that may change, with other values than the run began with.

    Those that are None are not given.
    """
    for name in vars(given):
        value, before = getattr(given, name), getattr(begun, name)
        may_change = name in CHANGEABLE | OF_THE_MACHINE
        if value not in (None, before) and not may_change:
            raise ValueError(
                f"{flag_of(name)} {value}: the run began with {before}, and goes on with it; leave "
                f"the flag out, or begin a new run"
            )
