"""rummy_env: environments for the rummy family of card games."""

from typing import TYPE_CHECKING, Any

from rummy_env.core.engine import Engine, IllegalAction
from rummy_env.core.rules import Action, Rules
from rummy_env.variants import VARIANTS, rules

if TYPE_CHECKING:
    from rummy_env.envs.aec import env, raw_env

__all__ = ["VARIANTS", "Action", "Engine", "IllegalAction", "Rules", "env", "raw_env", "rules"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Imports the PettingZoo environment when it is first asked for: it takes its time."""
    if name in ("env", "raw_env"):
        from rummy_env.envs import aec

        return getattr(aec, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
