"""Hands of the declared variants, laid by hand against a hand that goes nowhere."""

from typing import Any

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


def _others(size: int, hand: str, given: dict[str, Any]) -> str:
    """Cards for the other seat that lie nowhere yet."""
    used = f"{hand} {given.get('discard', '')} {given.get('stock', '')}".split()
    return " ".join([card for card in NOWHERE if card not in used][:size])
