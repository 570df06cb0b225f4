"""Options crossed pairwise, where some values do not go together."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

Choices = Mapping[str, Sequence[Any]]
Case = dict[str, Any]
Group = frozenset[tuple[str, int]]
"""Some options, each with the place of its value among its choices."""


def crossed(choices: Choices, possible: Callable[[Case], bool], at_once: int = 2) -> list[Case]:
    """Cases in which every two values of different options occur together that may.

    A case is begun with two values that have not met yet, and goes on with the value of each
    other option that meets most of those chosen for the first time.

    Args:
        choices: The values of every option.
        possible: Whether some values go together; where they do, values of the other options can
            be found that go with them.
        at_once: How many values are to meet, if not two; with 1, every value occurs.
    """
    cases: list[Case] = []
    groups = [frozenset(some) for some in _every(choices, at_once)]
    unmet = {group: None for group in groups if possible(_values(choices, group))}
    while unmet:
        chosen = _completed(choices, set(next(iter(unmet))), unmet, possible, at_once)
        cases.append({option: _values(choices, chosen)[option] for option in choices})
        for some in combinations(chosen, at_once):
            unmet.pop(frozenset(some), None)
    return cases


def _every(choices: Choices, at_once: int) -> list[tuple[tuple[str, int], ...]]:
    """Every so many values of different options."""
    places = {option: [(option, i) for i in range(len(choices[option]))] for option in choices}
    kinds = combinations(places.values(), at_once)
    return [some for each in kinds for some in product(*each)]


def _values(choices: Choices, chosen: set[tuple[str, int]] | Group) -> Case:
    """The values at their places."""
    return {option: choices[option][i] for option, i in chosen}


def _completed(
    choices: Choices,
    chosen: set[tuple[str, int]],
    unmet: dict[Group, None],
    possible: Callable[[Case], bool],
    at_once: int,
) -> set[tuple[str, int]]:
    """The values and one of every other option."""
    for option in choices:
        if option in dict(chosen):
            continue
        open_ = [
            (option, i)
            for i, value in enumerate(choices[option])
            if possible({**_values(choices, chosen), option: value})
        ]
        beside = [frozenset(some) for some in combinations(chosen, at_once - 1)]
        new = [sum(some | {value} in unmet for some in beside) for value in open_]
        chosen = {*chosen, open_[new.index(max(new))]}
    return chosen
