"""What a page offers to choose from: variants with their options, and agents."""

import inspect
from typing import Any

from rummy_env.command_line import summary
from rummy_env.play.agents import Offer
from rummy_env.variants import VARIANTS
from rummy_env.variants.options import OPTIONS, OPTIONS_OF, describe, plain


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
    return {
        "name": name,
        "summary": summary(function),
        "agents": offer.for_rules(rules),
        "opponent": offer.usual(rules),
        "options": [_option(name, option.name, option.default) for option in options.values()],
    }


def _option(variant: str, name: str, default: Any) -> dict[str, Any]:
    values, _ = OPTIONS_OF.get(variant, {}).get(name, OPTIONS[name])
    words, meaning = map(plain, describe(variant, name))
    return {
        "name": name,
        "default": default,
        "choices": None if isinstance(values, str) else list(values),
        "values": words,
        "meaning": meaning,
    }
