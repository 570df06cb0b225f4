"""Legal actions as a page is told them: where a card is taken, and where it is put down."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from rummy_env.core.bits import Bools
from rummy_env.core.naming import action_name
from rummy_env.core.part import Action

HAND, STOCK, DISCARDS, TABLE = "hand", "stock", "discards", "table"
Gesture = tuple[str, str]
"""The places that cards move from and to."""

GESTURES: Mapping[str, Gesture] = MappingProxyType(
    {
        "draw_stock": (STOCK, HAND),
        "extra_draw": (STOCK, HAND),
        "draw_discard": (DISCARDS, HAND),
        "take_pile": (DISCARDS, HAND),
        "meld_group": (HAND, TABLE),
        "meld_sequence": (HAND, TABLE),
        "lay_off_group": (HAND, TABLE),
        "lay_off_sequence": (HAND, TABLE),
        "discard": (HAND, DISCARDS),
        "knock": (HAND, DISCARDS),
    }
)
"""How actions of a kind are made by moving cards; all others are made by words alone."""


def told_action(number: int, action: Action) -> dict[str, Any]:
    """One action as a page is told it."""
    source, target = GESTURES.get(action.kind, ("", ""))
    return {
        "action": number,
        "kind": action.kind,
        "cards": list(action.cards),
        "words": action_name(action),
        "from": source,
        "to": target,
    }


def told_actions(actions: Sequence[Action], mask: Bools) -> list[dict[str, Any]]:
    """Return the actions that a mask, bool[A], allows."""
    return [told_action(number, actions[number]) for number in np.flatnonzero(mask).tolist()]
