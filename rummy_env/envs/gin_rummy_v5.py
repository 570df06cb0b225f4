"""PettingZoo's gin_rummy_v5; see `rummy_env.envs.former_gin`."""

from rummy_env.envs.former_gin import FormerGin

raw_env = FormerGin
env = FormerGin.wrapped
