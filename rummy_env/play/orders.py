"""What a page orders: a table, with its rules and who sits where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rummy_env.core.checks import check_range, shown
from rummy_env.core.rules import MAX_SEATS, Rules
from rummy_env.play.offer import Offer
from rummy_env.play.seats import Person, Seat, check_name
from rummy_env.variants import VARIANTS, rules_with

MAX_SEED = (1 << 53) - 1
"""The largest whole number that a browser writes without rounding it."""
PERSON, AGENT = "person", "agent"


@dataclass(frozen=True)
class Order:
    """A table that can be set.

    Attributes:
        rules: The rules.
        seats: Who sits where.
        seed: Of the first game; None for chance.
    """

    rules: Rules
    seats: tuple[Seat, ...]
    seed: int | None


def order_of(values: Mapping[str, Any], offer: Offer) -> Order:
    """Read what a page orders: `variant`, `options`, `seats` and `seed`.

    A seat is `{"person": NAME}` or `{"agent": NAME}`.

    Raises:
        ValueError: Naming what is impossible, and what would be right.
        TypeError: If an agent is no policy.
    """
    seats = _list(values.get("seats"))
    rules = checked_rules(values, offer, num_players=len(seats))
    if len(seats) != rules.num_players:
        raise ValueError(f"seats: {len(seats)} given, num_players={rules.num_players}")
    seed = values.get("seed")
    if seed is not None:
        check_range("seed", seed, 0, MAX_SEED)
    return Order(rules, tuple(_seat(each, rules, offer) for each in seats), seed)


def checked_rules(values: Mapping[str, Any], offer: Offer, **usual: int) -> Rules:
    """Return the rules that a page names by `variant` and `options`, some of them as `usual`.

    Import strings are refused unless code is allowed.

    Raises:
        ValueError: Naming what is impossible.
    """
    variant = values.get("variant")
    options = {**usual, **_mapping("options", values.get("options", {}))}
    if not isinstance(variant, str):
        raise ValueError(f"variant={shown(variant)}: give one of {', '.join(VARIANTS)}")
    offer.check_variant(variant)
    for option, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            if not (one is None or isinstance(one, bool | int | float | str)):
                raise ValueError(f"{option}={shown(value)}: give a number, a word, true or false")
    return rules_with(variant, options)


def _seat(values: object, rules: Rules, offer: Offer) -> Seat:
    seat = _mapping("seats", values)
    if [*seat] == [PERSON]:
        return Person(check_name(seat[PERSON]))
    if [*seat] == [AGENT] and isinstance(seat[AGENT], str):
        return offer.seat(seat[AGENT], rules)
    raise ValueError(f"seats: {shown(values)}; give {{'person': NAME}} or {{'agent': NAME}}")


def _list(seats: object) -> Sequence[Any]:
    if not isinstance(seats, list) or not 2 <= len(seats) <= MAX_SEATS:
        raise ValueError(f"seats={shown(seats)}: give a list of 2 to {MAX_SEATS}")
    return seats


def _mapping(name: str, values: object) -> Mapping[str, Any]:
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise ValueError(f"{name}={shown(values)}: give a mapping by name")
    return values
