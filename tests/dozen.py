"""A dozen rule sets in which the options of all variants meet each other, for every day's tests."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from rummy_env import Rules
from tests.crossing import Case, crossed

Variants = Mapping[str, Callable[..., Rules]]
Value = tuple[str, str]
"""An option, and what it is worth, in text."""


def dozen(
    variants: Variants, option_sets: Mapping[str, Sequence[Case]], quick: Callable[[Rules], bool]
) -> list[Rules]:
    """Few rules in which every value of every option occurs, and as many pairs of them as can be.

    The variant of whose values the largest share is missing gets the next rules, until none is.

    Args:
        variants: What is played.
        option_sets: For each variant, options that it can be played with; the values that are
            crossed are these, and the default of each such option.
        quick: Whether rules can be played to the end in a test.
    """
    cases = {name: _crossed(make, option_sets[name], quick) for name, make in variants.items()}
    values = {name: set().union(*map(_values, some)) for name, some in cases.items()}
    seen: set[Value] = set()
    met: set[frozenset[Value]] = set()
    chosen: dict[str, list[Case]] = {name: [] for name in variants}
    while missing := [name for name in variants if values[name] - seen or not chosen[name]]:
        share = {name: len(values[name] - seen) / (len(values[name]) or 1) for name in missing}
        name = max(missing, key=lambda name: (not chosen[name], share[name]))
        new = [(len(_values(case) - seen), len(_pairs(case) - met)) for case in cases[name]]
        best = cases[name][new.index(max(new))]
        chosen[name].append(best)
        seen |= _values(best)
        met |= _pairs(best)
    return [variants[name](**case) for name, some in chosen.items() for case in some]


def _crossed(
    make: Callable[..., Rules], option_sets: Sequence[Case], quick: Callable[[Rules], bool]
) -> list[Case]:
    """Options of a variant in which every two values of different options occur that may."""
    choices: dict[str, list[Any]] = {}
    for name, parameter in inspect.signature(make).parameters.items():
        values = [parameter.default, *(some[name] for some in option_sets if name in some)]
        if len(values) > 1:
            choices[name] = [value for i, value in enumerate(values) if value not in values[:i]]
    possible: dict[frozenset[Value], bool] = {}
    playable: dict[frozenset[Value], bool] = {}

    def can_be_played(case: Case) -> bool:
        key = frozenset(_values(case))
        if key not in playable:
            rules = _rules(make, case)
            playable[key] = rules is not None and quick(rules)
        return playable[key]

    def goes_together(case: Case) -> bool:
        key = frozenset(_values(case))
        if key not in possible:
            beside = ({}, *option_sets)
            possible[key] = any(can_be_played({**other, **case}) for other in beside)
        return possible[key]

    return crossed(choices, goes_together) or [{}]


def _rules(make: Callable[..., Rules], options: Case) -> Rules | None:
    """The rules that options make; None where they are refused."""
    try:
        return make(**options)
    except ValueError:
        return None


def _values(case: Case) -> set[Value]:
    return {(option, repr(value)) for option, value in case.items()}


def _pairs(case: Case) -> set[frozenset[Value]]:
    return {frozenset(two) for two in combinations(_values(case), 2)}
