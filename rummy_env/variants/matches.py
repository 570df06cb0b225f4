"""What the options of a match mean, for all variants that have them."""

from collections.abc import Mapping, Sequence
from typing import Any

from rummy_env.core.checks import check_choice
from rummy_env.core.part import Match
from rummy_env.parts.match import GamePoints, OfDeals, SingleHand, ToTarget

MATCHES = ("hand", "match")
DEFAULT_MAX_TURNS = 200
DEFAULT_MAX_HANDS = 100
WINS_FOR_MATCH = 2


def fill_points_match(options: dict[str, Any], target: int) -> dict[str, Any]:
    """The options that say when a match of points ends, checked and filled in.

    Source: docs/rules/basic.md#a-match
    """
    check_choice("match", options["match"], MATCHES)
    names = [name for name in ("target", "deals", "max_hands") if name in options]
    if options["match"] == "hand":
        _check_single_hand(options, names)
        return options
    if options.get("deals") is not None:
        for name in names:
            if name != "deals" and options[name] is not None:
                raise ValueError(
                    f"{name}={options[name]!r} contradicts deals={options['deals']!r}: a match "
                    f"ends either at a target or after a number of deals; give one of them"
                )
        return options
    defaults = {"target": target, "max_hands": DEFAULT_MAX_HANDS}
    return {**options, **{n: v for n, v in defaults.items() if options[n] is None}}


def points_match(options: Mapping[str, Any], *, tie_break: bool = False) -> Match:
    """A single hand, or a match of points by the options.

    Args:
        options: The options of the variant.
        tie_break: Whether a tie at the target is played on.
    """
    if options["match"] == "hand":
        return SingleHand()
    if options.get("deals") is not None:
        return OfDeals(options["deals"])
    return ToTarget(options["target"], options["max_hands"], tie_break=tie_break)


def _check_single_hand(options: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuses what only a match can have."""
    for name in names:
        if options[name] is not None:
            raise ValueError(
                f"{name}={options[name]!r} has no effect on a single hand: give match='match' too"
            )


def fill_wins_match(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a match of won hands, checked and filled in.

    Source: docs/rules/going_out.md#a-match
    """
    check_choice("match", options["match"], MATCHES)
    if options["match"] == "hand":
        _check_single_hand(options, ("max_hands",))
    elif options["max_hands"] is None:
        return {**options, "max_hands": DEFAULT_MAX_HANDS}
    return options


def wins_match(options: Mapping[str, Any], *, shared: bool) -> Match:
    """A single hand, or a match to two won hands.

    Args:
        options: The options of the variant.
        shared: Whether a hand may have several winners, so that a tie must be broken.
    """
    if options["match"] == "hand":
        return SingleHand()
    return GamePoints(
        WINS_FOR_MATCH, options["max_hands"], winner_first=not shared, sends_out=shared
    )
