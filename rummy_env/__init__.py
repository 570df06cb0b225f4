"""rummy_env: environments for the rummy family of card games."""

from rummy_env.core.engine import Engine, IllegalAction
from rummy_env.core.rules import Action, Rules
from rummy_env.variants import VARIANTS, rules

__all__ = ["VARIANTS", "Action", "Engine", "IllegalAction", "Rules", "rules"]
__version__ = "0.1.0"
