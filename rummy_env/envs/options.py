"""Options of the variant, which environments take in addition to their own arguments."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from rummy_env.core.checks import did_you_mean
from rummy_env.core.rules import Rules
from rummy_env.variants import UnknownOption, rules_with


def rules_for(entry: Callable[..., Any], name: str | Rules, options: Mapping[str, Any]) -> Rules:
    """Make rules as `rummy_env.rules` does; its errors list the other arguments too.

    These are those of `entry`, except the first, which is the name.

    Raises:
        ValueError: If there is no such variant or option, or the options contradict each other.
    """
    try:
        return rules_with(name, options)
    except UnknownOption as error:
        own = [given for given in [*inspect.signature(entry).parameters][1:] if given != "options"]
        seeded = "; give the seed to `reset`" if "seed" in options else ""
        near = "".join(did_you_mean(option, own) for option in options if option not in own)
        told = f"{error}; the environment's own are {', '.join(own)}{near}{seeded}"
        raise UnknownOption(told) from None
