"""Options of the variant that environments take besides arguments of their own."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from rummy_env.core.rules import Rules
from rummy_env.variants import UnknownOption, rules


def rules_for(door: Callable[..., Any], name: str | Rules, options: Mapping[str, Any]) -> Rules:
    """The rules that an environment is asked for.

    Args:
        door: What users call; its own arguments are told of when an option is unknown.
        name: As for `rummy_env.rules`.
        options: Of the variant.

    Raises:
        ValueError: As for `rummy_env.rules`.
        TypeError: As for `rummy_env.rules`.
    """
    try:
        return rules(name, **options)
    except UnknownOption as error:
        own = [given for given in inspect.signature(door).parameters if given != "options"]
        raise UnknownOption(f"{error}; the environment's own are {', '.join(own)}") from None
