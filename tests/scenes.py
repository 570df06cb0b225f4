"""What there is to show of games, as they are and with hidden cards moved about."""

from typing import Any

import numpy as np

from rummy_env import Engine, Rules
from rummy_env.views.face_up import FaceUp
from rummy_env.views.scene import Scene, scene_of
from tests.hiding import swapped


def scene(engine: Engine, face_up: FaceUp = "all") -> Scene:
    """What there is to show of the first game."""
    views = [engine.look(seat, rows=[0]) for seat in range(engine.rules.num_players)]
    return scene_of(views, face_up)


def laid(rules: Rules, table: dict[str, Any]) -> Engine:
    """An engine with that table."""
    engine = Engine(rules)
    engine.restore(0, table)
    return engine


def hidden_elsewhere(engine: Engine, seats: list[int]) -> Engine:
    """The same game with cards moved about that none of these seats can see."""
    rng = np.random.default_rng(7)
    table = engine.snapshot(0)
    for seat in seats:
        table = swapped(engine.rules, table, seat, rng)
    return laid(engine.rules, table)
