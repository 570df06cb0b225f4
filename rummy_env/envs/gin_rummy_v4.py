"""PettingZoo's gin_rummy_v4; see `rummy_env.envs.former_gin`."""

from rummy_env.envs.former_gin import FormerGin


class raw_env(FormerGin):  # noqa: N801  (PettingZoo's name)
    """The game without wrappers."""

    name = "gin_rummy_v4"


env = raw_env.wrapped
