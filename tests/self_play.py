"""Games of self-play, and rules by which they end soon."""

from typing import Any

from rummy_env import Rules
from rummy_env.envs.self_play import SelfPlayEnv
from rummy_env.views.features import PLAIN
from tests.rollout import fitting


def quick(name: str, **options: Any) -> Rules:
    """Rules of which many games end within some steps."""
    return fitting(name, **{"num_players": 3, "hand_size": 3, "max_turns": 5, **options})


def begun(rules: Rules, num_envs: int, *, seed: Any = 3, **given: Any) -> SelfPlayEnv:
    """Games just dealt; observations are plain where nothing else is said."""
    games = SelfPlayEnv(rules, num_envs, seed=seed, **{"observation": PLAIN, **given})
    games.reset()
    return games
