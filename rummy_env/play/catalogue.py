"""What a page offers to choose from: variants with their options, and agents."""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from rummy_env.baselines.policies import strongest
from rummy_env.command_line import summary
from rummy_env.core.rules import MAX_SEATS, Rules
from rummy_env.play.offer import Offer
from rummy_env.variants import VARIANTS
from rummy_env.variants.options import describe, entry, plain

AS_USUAL = "\u201cas usual\u201d"
"""What a page calls a default of `None`, which nobody has to type there."""


def catalogue(offer: Offer) -> dict[str, Any]:
    """All variants, and what the server allows."""
    return {
        "variants": [_variant(name, offer) for name in VARIANTS],
        "allow_code": offer.allow_code,
    }


def _variant(name: str, offer: Offer) -> dict[str, Any]:
    function = VARIANTS[name]
    rules = function()
    options = inspect.signature(function).parameters
    seats = _seats(function)
    return {
        "name": name,
        "summary": summary(function),
        "agents": offer.for_rules(rules),
        "opponent": strongest(rules),
        "seats": seats,
        "seats_with": {
            name: limits
            for name, option in options.items()
            if option.default is False and (limits := _seats(function, **{name: True})) != seats
        },
        "options": [_option(name, option.name, option.default) for option in options.values()],
    }


@cache
def _seats(function: Callable[..., Rules], **options: bool) -> list[int]:
    """Return the fewest and the most seats that a variant allows."""
    allowed = [count for count in range(2, MAX_SEATS + 1) if _allows(function, count, options)]
    return [allowed[0], allowed[-1]]


def _allows(function: Callable[..., Rules], count: int, options: dict[str, bool]) -> bool:
    try:
        function(num_players=count, **options)
    except ValueError:
        return False
    return True


def _option(variant: str, name: str, default: Any) -> dict[str, Any]:
    values, _ = entry(variant, name)
    words, meaning = map(plain, describe(variant, name))
    if default is None or "None" not in words:  # else it is typed, where it is not the default
        words, meaning = (text.replace("None", AS_USUAL) for text in (words, meaning))
    return {
        "name": name,
        "default": default,
        "choices": None if isinstance(values, str) else list(values),
        "values": words,
        "meaning": meaning,
    }
