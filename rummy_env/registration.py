"""The ids under which Gymnasium and PettingZoo know the variants, derived from the catalogue.

Importing `rummy_env` registers them. A variant's id ends in the version of its behaviour.
"""

import gymnasium
import pettingzoo

from rummy_env.variants import VARIANTS
from rummy_env.version import BEHAVIOUR

ANY_RULES = f"rummy_env/Rules-v{BEHAVIOUR}"
"""Gymnasium's id for complete rules, or a variant of your own, given as `rules=...`."""

_SINGLE, _VECTOR = "rummy_env.envs.single:RummyEnv", "rummy_env.envs.vector:RummyVectorEnv"


def gymnasium_id(variant: str) -> str:
    """`"rummy_env/GoingOut-v0"` for `"going_out"`."""
    return f"rummy_env/{variant.title().replace('_', '')}-v{BEHAVIOUR}"


def pettingzoo_id(variant: str) -> str:
    """`"rummy_env/going_out-v0"` for `"going_out"`; PettingZoo writes its ids like modules."""
    return f"rummy_env/{variant}-v{BEHAVIOUR}"


def register() -> None:
    """Register every variant; do nothing if that has been done."""
    ids = {gymnasium_id(name): {"rules": name} for name in VARIANTS} | {ANY_RULES: {}}
    for env_id, given in ids.items():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point=_SINGLE,
                vector_entry_point=_VECTOR,
                kwargs=given,
                # It looks at the first reset and step alone, and fails if that reset was refused.
                disable_env_checker=True,
            )
    if hasattr(pettingzoo, "register"):  # since PettingZoo 1.27
        _register_pettingzoo()


def _register_pettingzoo() -> None:
    """Register every variant with PettingZoo."""
    for name in VARIANTS:
        if pettingzoo_id(name) not in pettingzoo.aec_registry:
            pettingzoo.register(
                "aec",
                pettingzoo_id(name),
                entry_point="rummy_env.envs.aec:env",
                kwargs={"name": name},
            )
