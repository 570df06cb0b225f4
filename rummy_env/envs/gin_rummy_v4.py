"""PettingZoo's gin_rummy_v4; see `rummy_env.envs.former_gin`."""

from typing import Any

from pettingzoo.utils import AECEnv

from rummy_env.envs.former_gin import FormerGin, wrapped


class raw_env(FormerGin):  # noqa: N801  (PettingZoo's name)
    """The game without wrappers."""

    name = "gin_rummy_v4"


def env(**options: Any) -> AECEnv:
    """The game with PettingZoo's wrappers; see `former_gin.wrapped`.

    Args:
        **options: As of `FormerGin`.
    """
    return wrapped(raw_env(**options))
