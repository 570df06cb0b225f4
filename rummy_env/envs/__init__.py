"""Environments: thin adapters over the engine, without rules of their own."""

from typing import TYPE_CHECKING, Any

from rummy_env.importing import submodule

if TYPE_CHECKING:
    from rummy_env.envs import aec as aec
    from rummy_env.envs import former_gin as former_gin
    from rummy_env.envs import sb3 as sb3
    from rummy_env.envs import self_play as self_play
    from rummy_env.envs import single as single
    from rummy_env.envs import vector as vector
else:  # a type checker then knows which names there are

    def __getattr__(name: str) -> Any:
        return submodule(__name__, name)
