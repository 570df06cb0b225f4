"""Options crossed pairwise, where some values do not go together."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

Choices = Mapping[str, Sequence[Any]]
Case = dict[str, Any]
Pair = frozenset[tuple[str, int]]
"""Two options, each with the place of its value among its choices."""


def crossed(choices: Choices, possible: Callable[[Case], bool]) -> list[Case]:
    """Cases in which every two values of different options occur together that may.

    A case is begun with two values that have not met yet, and goes on with the value of each
    other option that meets most of those chosen for the first time.

    Args:
        choices: The values of every option.
        possible: Whether some values go together; where they do, values of the other options can
            be found that go with them.
    """
    cases: list[Case] = []
    pairs = [frozenset(two) for two in _every_two(choices)]
    unmet = {pair: None for pair in pairs if possible(_values(choices, pair))}
    while unmet:
        chosen = _completed(choices, set(next(iter(unmet))), unmet, possible)
        cases.append({option: _values(choices, chosen)[option] for option in choices})
        for two in combinations(chosen, 2):
            unmet.pop(frozenset(two), None)
    return cases


def _every_two(choices: Choices) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    """Every two values of different options."""
    places = {option: [(option, i) for i in range(len(choices[option]))] for option in choices}
    return [two for a, b in combinations(choices, 2) for two in product(places[a], places[b])]


def _values(choices: Choices, chosen: set[tuple[str, int]] | Pair) -> Case:
    """The values at their places."""
    return {option: choices[option][i] for option, i in chosen}


def _completed(
    choices: Choices,
    chosen: set[tuple[str, int]],
    unmet: dict[Pair, None],
    possible: Callable[[Case], bool],
) -> set[tuple[str, int]]:
    """The two values and one of every other option."""
    for option in choices:
        if option in dict(chosen):
            continue
        open_ = [
            (option, i)
            for i, value in enumerate(choices[option])
            if possible({**_values(choices, chosen), option: value})
        ]
        best = max(open_, key=lambda new: sum(frozenset((new, old)) in unmet for old in chosen))
        chosen = {*chosen, best}
    return chosen
