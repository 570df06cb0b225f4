"""Positions that somebody lays, as a snapshot, and asks agents about."""

from collections.abc import Mapping
from typing import Any

from rummy_env.core.engine import Engine
from rummy_env.play.agents import Offer
from rummy_env.play.minds import think, told_thought
from rummy_env.play.orders import checked_rules
from rummy_env.play.seats import labels
from rummy_env.play.telling import told_scene
from rummy_env.views.scene import scene_of


def ask(values: Mapping[str, Any], offer: Offer) -> dict[str, Any]:
    """The position of a snapshot with all hands open, and what an agent thinks of it.

    Args:
        values: `variant`, `options`, `table` as `Engine.snapshot` tells it, and `agent`.
        offer: The agents.

    Raises:
        ValueError: Naming what is impossible.
    """
    options = values.get("options", {})
    if not isinstance(options, dict):
        raise ValueError("options: give a mapping by name")
    rules = checked_rules(values.get("variant"), options, offer)
    engine = Engine(rules)
    table: Any = values.get("table")  # `restore` refuses what is none
    engine.restore(0, table)
    views = [engine.look(seat) for seat in range(rules.num_players)]
    scene = scene_of(views)
    seats = [seat.name for seat in scene.seats]
    told: dict[str, Any] = {"scene": told_scene(views[0], scene, labels(seats)), "mind": None}
    agent = values.get("agent")
    if agent is not None and not engine.finished[0]:
        if not isinstance(agent, str):
            raise ValueError("agent: give a name")
        policy = offer.policy(agent, rules)
        (*_, last) = think(policy, engine)
        told["mind"] = {"agent": agent, **told_thought(last, engine)}
    return told
