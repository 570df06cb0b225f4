"""The catalogue: every variant as a function from options to rules.

To add a variant, write one function that assembles a `Rules` value from `rummy_env.parts`, and
enter it in `VARIANTS`; every environment, test, table and command follows from the catalogue.
"""

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from rummy_env.core.checks import check_choice
from rummy_env.core.rules import Rules
from rummy_env.variants.declared import going_out, rummy_cards
from rummy_env.variants.gin import gin
from rummy_env.variants.table import basic, bonus, classic

VARIANTS: Mapping[str, Callable[..., Rules]] = MappingProxyType(
    {
        "basic": basic,
        "bonus": bonus,
        "classic": classic,
        "going_out": going_out,
        "rummy_cards": rummy_cards,
        "gin": gin,
    }
)
"""Every variant by name: functions from keyword options to `Rules`."""


def rules(name: str, **options: Any) -> Rules:
    """The rules of a variant.

    Args:
        name: One of `VARIANTS`.
        **options: The variant's options; what is left out takes the default that its page lists.

    Raises:
        ValueError: If there is no such variant or option, or a value is impossible; the message
            names the value and what would be right.
    """
    check_choice("variant", name, tuple(VARIANTS))
    known = inspect.signature(VARIANTS[name]).parameters
    for option, value in options.items():
        if option not in known:
            raise ValueError(f"{name} has no option {option}={value!r}; it has {', '.join(known)}")
    return VARIANTS[name](**options)
