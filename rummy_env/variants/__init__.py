"""The catalogue of variants: functions from options to rules.

To add a variant, write one function that assembles a `Rules` value from `rummy_env.parts`, and
enter it in `VARIANTS`; every environment, test, table and command follows from the catalogue. A
variant in a package of its own needs no entry: its import string serves as its name.
"""

import inspect
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from rummy_env.core.checks import check_choice, did_you_mean, shown
from rummy_env.core.rules import Rules, as_option
from rummy_env.importing import imported, is_import_string
from rummy_env.variants.declared import going_out, rummy_cards
from rummy_env.variants.gin import gin
from rummy_env.variants.rummy500 import rummy500
from rummy_env.variants.table import basic, bonus, classic

VARIANTS: Mapping[str, Callable[..., Rules]] = MappingProxyType(
    {
        "basic": basic,
        "bonus": bonus,
        "classic": classic,
        "going_out": going_out,
        "rummy_cards": rummy_cards,
        "gin": gin,
        "rummy500": rummy500,
    }
)
"""All variants by name: functions from keyword options to `Rules`."""


def variant(name: str) -> Callable[..., Rules]:
    """Return the function that makes the rules of a variant.

    Args:
        name: One of `VARIANTS`, or an import string of a function of your own: `"my_games:blind"`.

    Raises:
        ValueError: If there is no such variant.
        TypeError: If the import string names something that cannot be called.
    """
    if callable(name):
        raise ValueError(
            f"variant={shown(name)}: give the rules that it returns, or name it by its import "
            f"string, as in 'my_games:blind'"
        )
    if not isinstance(name, str) or not is_import_string(name):
        check_choice("variant", name, tuple(VARIANTS))
        return VARIANTS[name]
    found: Callable[..., Rules] = imported("variant", name)
    if not callable(found):
        raise TypeError(f"variant {name!r} is {found!r}: give a function that returns Rules")
    return found


class UnknownOption(ValueError):  # noqa: N818  (named for what it is)
    """An option that the variant does not have."""


def rules(name: str | Rules, **options: Any) -> Rules:
    """Return the rules of a variant.

    Args:
        name: One of `VARIANTS`, or an import string of a function of your own: `"my_games:blind"`.
            Such rules are named by that string, so that they can be found by their name.
            Complete rules are returned as they are, and take no options.
        **options: The variant's options; what is left out takes the default that its page lists.

    Raises:
        ValueError: If there is no such variant or option, or a value is impossible; the message
            names the value and what would be right.
        TypeError: If an import string names something that does not make rules.
    """
    return rules_with(name, options)


def rules_with(name: str | Rules, options: Mapping[str, Any]) -> Rules:
    """Return what `rules` does, with its errors, for options that come from elsewhere."""
    if isinstance(name, Rules):
        if options:
            raise ValueError(
                f"options {options} with {name!r}: complete rules take no options; "
                f"give a name with options, or the rules alone"
            )
        return name
    return rules_from(name, variant(name), options)


def named(rules: Rules) -> dict[str, Any]:
    """Return `variant` and `options` as files tell them; `rules_with` makes the rules of them."""
    return {"variant": rules.name, "options": dict(rules.options)}


def in_short(rules: Rules) -> str:
    """Return the call that makes rules, without the options that have their usual values."""
    try:
        usual = dict(rules_with(rules.name, {}).options)
    except Exception:  # put together by hand, or by a function of one's own that now fails
        return repr(rules)
    if rules.changed or usual.keys() != dict(rules.options).keys():
        return repr(rules)
    given = [f"{option}={value!r}" for option, value in rules.options if value != usual[option]]
    return f"rummy_env.rules({', '.join([repr(rules.name), *given])})"


_TAKEN = {*dir(Rules), *(field.name for field in fields(Rules))} - {
    *("num_players", "hand_size", "max_turns", "first_discard"),
}
"""What rules have under a name that is no option's."""


def rules_from(name: str, make: Callable[..., Rules], options: Mapping[str, Any]) -> Rules:
    """Return the rules that a variant's function makes; their name and options make them again.

    Raises:
        UnknownOption: If the function does not take one of the options.
        ValueError: If a value is impossible.
        TypeError: If the function makes something else, or has an option without a default.
    """
    given = {option: as_option(value) for option, value in options.items()}
    call = _call(name, inspect.signature(make), given)
    rules = make(**given)
    if not isinstance(rules, Rules):
        raise TypeError(f"variant {name!r} made {rules!r}: give a function that returns Rules")
    if rules.name == name:
        return rules
    call.apply_defaults()
    own: dict[str, Any] = {}
    for option, value in call.arguments.items():
        kind = call.signature.parameters[option].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            own |= value
        elif kind is not inspect.Parameter.VAR_POSITIONAL:
            own[option] = value
    for option, value in own.items():
        if option in _TAKEN:
            raise TypeError(
                f"variant {name!r}: its option {option!r} has the name of something else that "
                f"Rules have; give it another name"
            )
        if not isinstance(value, Hashable):
            raise TypeError(
                f"variant {name!r}: {option}={value!r}: give a value that can be hashed"
            )
    return replace(rules, name=name, options=tuple(own.items()), origin=None)  # type: ignore[arg-type]


def _call(
    name: str, signature: inspect.Signature, options: Mapping[str, Any]
) -> inspect.BoundArguments:
    """Return the arguments of a variant's function; it must take the options, and need no more."""
    known = signature.parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values())
    for option, value in options.items():
        if option not in known and not takes_any:
            raise UnknownOption(
                f"{name} has no option {option}={value!r}; it has {', '.join(known)}"
                f"{did_you_mean(option, known)}"
            )
    for parameter in known.values():
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise TypeError(
                f"variant {name!r}: its option {parameter.name!r} is positional only; options are "
                f"given by their names"
            )
    try:
        return signature.bind(**options)
    except TypeError as error:
        raise TypeError(f"variant {name!r}: {error}; give every option a default") from error
