"""The options of a match, for all variants that have them."""

from collections.abc import Mapping
from typing import Any

from rummy_env.core.part import Episode
from rummy_env.parts.match import GamePoints, OfDeals, SingleHand, ToTarget
from rummy_env.variants.options import filled

DEFAULT_MAX_TURNS = 200
DEFAULT_MAX_HANDS = 100
WINS_FOR_MATCH = 2


def fill_match(options: dict[str, Any], target: int | None = None) -> dict[str, Any]:
    """Check and fill in the options that say when a match ends; `target` is the default.

    Raises:
        ValueError: If one has no effect, or contradicts another.

    Source: docs/rules/basic.md#a-match, docs/rules/going_out.md#a-match
    """
    names = ("target", "deals", "max_hands")
    given = [name for name in names if options.get(name) is not None]
    if options["match"] == "hand":
        if given:
            told = f"{given[0]}={options[given[0]]!r}"
            raise ValueError(f"{told} has no effect on a single hand: give match='match' too")
        return options
    if "deals" not in given:
        return filled(options, {"target": target, "max_hands": DEFAULT_MAX_HANDS})
    if others := [name for name in given if name != "deals"]:
        raise ValueError(
            f"{others[0]}={options[others[0]]!r} contradicts deals={options['deals']!r}: a match "
            f"of a number of deals has no target, and no other limit; give one of them"
        )
    return options


def points_match(options: Mapping[str, Any], *, plays_on: bool = False) -> Episode:
    """Return a single hand, or a match to a number of points; ties may be played on."""
    if options["match"] == "hand":
        return SingleHand()
    if options.get("deals") is not None:
        return OfDeals(options["deals"])
    return ToTarget(options["target"], options["max_hands"], plays_on=plays_on)


def wins_match(options: Mapping[str, Any], *, shared: bool) -> Episode:
    """Return a single hand, or a match to two won hands; ties of shared wins are broken."""
    if options["match"] == "hand":
        return SingleHand()
    return GamePoints(
        WINS_FOR_MATCH, options["max_hands"], winner_first=not shared, sends_out=shared
    )
