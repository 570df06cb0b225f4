"""Legal actions as a page is told them: where a card is taken, and where it is put down."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from rummy_env.core.actions import ActionSpace
from rummy_env.core.arrays import Bools
from rummy_env.core.display import Spot
from rummy_env.core.naming import action_name

ZONES: Mapping[Spot, str] = MappingProxyType(
    {Spot.STOCK: "stock", Spot.DISCARDS: "discards", Spot.HAND: "hand", Spot.MELDS: "table"}
)
"""What a page calls the places that cards move from and to."""


def told_action(space: ActionSpace, number: int) -> dict[str, Any]:
    """One action as a page is told it; without places, it is made by words alone."""
    action, path = space.actions[number], space.moves[space.move_of[number]].path
    if path is not None and path[0] is Spot.HAND and not action.cards:
        path = None  # no card to take hold of
    source, target = ("", "") if path is None else (ZONES[spot] for spot in path)
    return {
        "action": number,
        "cards": list(action.cards),
        "words": action_name(action),
        "from": source,
        "to": target,
    }


def told_actions(space: ActionSpace, mask: Bools) -> list[dict[str, Any]]:
    """Return the actions that a mask, bool[A], allows."""
    return [told_action(space, number) for number in np.flatnonzero(mask).tolist()]
