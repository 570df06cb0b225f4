"""rummy_env: environments for the rummy family of card games."""

import importlib
from typing import TYPE_CHECKING, Any

from rummy_env.core.engine import Engine, IllegalAction
from rummy_env.core.part import Action
from rummy_env.core.rules import Rules
from rummy_env.registration import register
from rummy_env.variants import VARIANTS, rules
from rummy_env.version import __version__

if TYPE_CHECKING:
    from rummy_env import baselines as baselines
    from rummy_env import checking as checking
    from rummy_env import envs as envs
    from rummy_env import evaluation as evaluation
    from rummy_env import melds as melds
    from rummy_env import records as records
    from rummy_env import replay as replay
    from rummy_env import search as search
    from rummy_env import views as views
    from rummy_env.envs.aec import env, raw_env

__all__ = [
    "VARIANTS",
    "Action",
    "Engine",
    "IllegalAction",
    "Rules",
    "__version__",
    "env",
    "raw_env",
    "rules",
]

register()


_PACKAGES = (
    *("baselines", "checking", "envs", "evaluation", "melds", "records", "replay", "search"),
    "views",
)

if not TYPE_CHECKING:  # a type checker then knows which names there are

    def __getattr__(name: str) -> Any:
        """Import what takes its time only when it is first asked for."""
        if name in ("env", "raw_env"):
            return getattr(importlib.import_module("rummy_env.envs.aec"), name)
        if name in _PACKAGES:
            return importlib.import_module(f"rummy_env.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PACKAGES})
