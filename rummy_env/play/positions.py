"""Positions that somebody lays, as a snapshot, and asks agents about."""

import secrets
from collections.abc import Mapping
from typing import Any

from rummy_env.core.engine import Engine
from rummy_env.play.minds import think, told_thought
from rummy_env.play.offer import Offer
from rummy_env.play.orders import checked_rules
from rummy_env.play.seats import labels
from rummy_env.play.telling import told_scene
from rummy_env.variants import named
from rummy_env.views.scene import scene_of, seat_views


def told_position(engine: Engine) -> dict[str, Any]:
    """Return a game, one, as a page edits it: `variant`, `options`, and the snapshot as `table`.

    It has no seed, which browsers would round.
    """
    table = engine.snapshot(0)
    del table["seed"]
    return {**named(engine.rules), "table": table}


def dealt(values: Mapping[str, Any], offer: Offer) -> dict[str, Any]:
    """Return a position to begin with: a random deal under the rules that a page names.

    Raises:
        ValueError: Naming what is impossible.
    """
    engine = Engine(checked_rules(values, offer))
    engine.reset(seeds=secrets.randbits(64))
    return told_position(engine)


def ask(values: Mapping[str, Any], offer: Offer) -> dict[str, Any]:
    """Return what there is to tell of the position of a snapshot, and what an agent thinks of it.

    Args:
        values: `variant`, `options`, `table` as `Engine.snapshot` tells it, and `agent`, or none to
            have the position checked alone.
        offer: The agents.

    Returns:
        The `scene` with all hands open, the `phases` that a turn has and the `agents` that play
        the rules, by name, and the agent's `mind`, None without one or at the end of a game.

    Raises:
        ValueError: Naming what is impossible.
    """
    rules = checked_rules(values, offer)
    engine = Engine(rules)
    table: Any = values.get("table")  # `restore` refuses what is none
    engine.restore(0, table)
    views = seat_views(engine)
    scene = scene_of(views)
    return {
        "scene": told_scene(views[0], scene, labels([seat.name for seat in scene.seats])),
        "phases": [phase.name for phase in rules.turn],
        "agents": offer.for_rules(rules),
        "mind": _mind(engine, values.get("agent"), offer),
    }


def _mind(engine: Engine, agent: object, offer: Offer) -> dict[str, Any] | None:
    if agent is None or engine.finished[0]:
        return None
    if not isinstance(agent, str):
        raise ValueError("agent: give a name")
    policy = offer.policy(agent, engine.rules)
    try:
        (*_, last) = think(policy, engine)
    except Exception as error:  # an agent may raise anything where no game gets to
        told = str(error) or type(error).__name__
        raise ValueError(f"{agent} cannot play this position: {told}") from error
    return {"agent": agent, **told_thought(last, engine)}
