"""PettingZoo's gin_rummy_v4; see `rummy_env.envs.former_gin`."""

from typing import Any

from pettingzoo.utils import AECEnv

from rummy_env.envs.aec import wrapped
from rummy_env.envs.former_gin import FormerGin


class raw_env(FormerGin):  # noqa: N801  (PettingZoo's name)
    """The game without wrappers."""

    name = "gin_rummy_v4"


def env(**options: Any) -> AECEnv:
    """The game with PettingZoo's wrappers, see `aec.wrapped`; the options are `FormerGin`'s."""
    return wrapped(raw_env(**options))
