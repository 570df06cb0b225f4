"""Hands of the declared variants, laid by hand, some of them against a hand that goes nowhere."""

from collections import Counter
from typing import Any

import rummy_env
from rummy_env import Engine
from tests.table import Table, lay

WITHOUT_KEPT: dict[str, Any] = {"no_meld_card": False, "cant_go_out_card": False}
"""Options of `rummy_cards` without the cards that may not be discarded, for tables whose discard
pile has all cards that are not mentioned."""

NOWHERE = (
    *("2c", "5d", "9s", "Jd", "Kh", "2h", "8s", "6c"),
    *("Tc", "3d", "Qs", "Ac", "8d", "4c", "Jc", "6h"),
)
"""Cards of which no few together make melds."""


def five(hand: str, *, other: str | None = None, **given: Any) -> Table:
    """A position of `rummy_cards`; see `lay`."""
    return lay("rummy_cards", f"{hand} | {other or _others(5, hand, given)}", **given)


def seven(hand: str, *, other: str | None = None, **given: Any) -> Table:
    """A position of `going_out` with seven cards; see `lay`."""
    return lay("going_out", f"{hand} | {other or _others(7, hand, given)}", **given)


def dealt_out(name: str, hands: str, *, discard: str = "", **given: Any) -> Engine:
    """A position with seat 0 to move; the other cards are the stock.

    Args:
        name: The variant.
        hands: The cards of each seat, parted by strokes.
        discard: Top card last.
        **given: `marks` of the snapshot, and options.
    """
    held = [hand.split() for hand in hands.split("|")]
    marks = given.pop("marks", {})
    rules = rummy_env.rules(name, num_players=len(held), **given)
    pack = Counter(rules.pack.cards)
    left = pack - Counter(card for hand in [*held, discard.split()] for card in hand)
    engine = Engine(rules)
    table = {"hands": held, "discard": discard.split(), "stock": [*left.elements()]}
    engine.restore(0, {**table, "phase": "draw", **marks})
    return engine


def _others(size: int, hand: str, given: dict[str, Any]) -> str:
    """Cards for the other seat that lie nowhere yet."""
    used = f"{hand} {given.get('discard', '')} {given.get('stock', '')}".split()
    return " ".join([card for card in NOWHERE if card not in used][:size])
