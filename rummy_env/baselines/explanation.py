"""What a policy thinks of a position, for people who want to look into its mind.

A policy may have a method `explain(view, mask, rng) -> Explanation`, and one that goes on thinking
a method `explaining(view, mask, rng)` that yields one `Explanation` after the other. Both are about
one game, N = 1, and see what `act` sees.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.arrays import Bools, Float64s
from rummy_env.core.checks import check_number, shown
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView


@dataclass(frozen=True)
class Lead:
    """How far actions are ahead of one of them, where they were tried out in the same deals.

    Attributes:
        over: The action that the others are compared with.
        values: float64[A], by how much each is ahead on average, in what counts for
            `Explanation.values`; NaN where it was not tried out.
        errors: float64[A], the standard errors of these.
    """

    over: int
    values: Float64s
    errors: Float64s


@dataclass(frozen=True)
class Explanation:
    """What a policy thinks of the legal actions of one position, as far as it thinks of that.

    In arrays, float64[A], entries of actions that it has no opinion of, illegal ones above all, are
    NaN, or 0 in `probabilities`.

    Attributes:
        choice: The action that it would play, where thinking has settled that; without it, the
            policy is asked to act.
        probabilities: Of playing each action.
        values: What it expects of each action: points, or hands won where the rules pay for these
            alone (`rummy_env.parts.rewards.counted`).
        errors: The standard errors of these.
        lead: How far the actions are ahead of one of them.
        value: What it expects of the position, in the same.
        worlds: The deals that it has tried, all agreeing with what its seat knows.
        weights: What it weighs, by name: an array for each.
        note: What else there is to say.
    """

    choice: int | None = None
    probabilities: Float64s | None = None
    values: Float64s | None = None
    errors: Float64s | None = None
    lead: Lead | None = None
    value: float | None = None
    worlds: int | None = None
    weights: Mapping[str, Float64s] = field(default_factory=dict)
    note: str = ""


def weighed(legal: Bools, where: Any, values: npt.ArrayLike) -> Float64s:
    """float64[A], numbers of those actions of an index that are legal, bool[A]; NaN elsewhere."""
    found = np.full(len(legal), np.nan)
    found[where] = values
    found[~legal] = np.nan
    return found


def explanations(
    policy: Any, view: SeatView, mask: Bools, rng: GameRandom
) -> Iterator[Explanation]:
    """Yield what a policy thinks of a position, N = 1: once, or better and better.

    A policy that does not explain itself gets an empty explanation.

    Raises:
        ValueError: If what it yields is no explanation of this position.
    """
    found: Iterable[Any] = []
    if hasattr(policy, "explaining"):
        found = policy.explaining(view, mask, rng)
    elif hasattr(policy, "explain"):
        found = [policy.explain(view, mask, rng)]
    each: Any = None
    for each in found:
        _check(each, np.asarray(mask)[0])
        yield each
    if each is None:
        yield Explanation()


def _check(explanation: Any, legal: Bools) -> None:
    """Refuse what explains no choice among these actions, bool[A]."""
    if not isinstance(explanation, Explanation):
        raise ValueError(f"{shown(explanation)} is no Explanation: give one")
    chances, lead = explanation.probabilities, explanation.lead
    told = {"choice": explanation.choice}
    arrays = {"probabilities": chances, "values": explanation.values, "errors": explanation.errors}
    arrays |= {f"weights[{name!r}]": numbers for name, numbers in explanation.weights.items()}
    if lead is not None:
        told["lead.over"] = lead.over
        arrays |= {"lead.values": lead.values, "lead.errors": lead.errors}
    for name, action in told.items():
        if action is not None and not (0 <= action < len(legal) and legal[action]):
            raise ValueError(f"{name}={shown(action)}: give a legal action")
    for name, numbers in arrays.items():
        if numbers is not None and (shape := np.shape(numbers)) != legal.shape:
            raise ValueError(f"{name} of shape {shape}: give a number for each of {len(legal)}")
    if chances is not None and not np.isfinite(chances).all():
        raise ValueError("probabilities that are not finite: give 0 where it would not play")
    if explanation.value is not None:
        check_number("value", explanation.value, "a finite number, or None")
