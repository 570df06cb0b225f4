"""Checks of what users' own parts return: NumPy would accept many a wrong answer as another one.

The package's own parts are tested instead, and pass unchecked, but for what is rare: the actions of
a move, and the result of a hand.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from rummy_env.core.arrays import Array, Rows
from rummy_env.core.cards import NUM_REGULAR, Pack
from rummy_env.core.checks import shown
from rummy_env.core.features import Feature, Graded, Plane, Scalar
from rummy_env.core.part import Action, Result, Scoring
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.core.visibility import SeatView

ROUNDING = 1e-6
"""Points that the sums of floats may be off by."""

_KINDS = {
    "bool": "b",
    "int": "iub",
    "int32": "iu",
    "float": "iuf",
    "float32": "iuf",
    "float64": "f",
}
"""The kinds of dtypes that will do where another dtype is wanted; words have to be uint64."""

_ENTRIES = {"winners": "bool", "points": "int32", "gains": "float64"}
"""The arrays of a `Result`, and the dtypes wanted."""


def is_own(part: object) -> bool:
    """Return True if a part is not of the package."""
    kind: Any = type(part)
    return _is_own(kind)


@lru_cache(maxsize=256)
def _is_own(kind: Any) -> bool:
    own: bool = kind.__module__.partition(".")[0] != "rummy_env"
    return own


def check_answer(told: str, answer: Any, shape: tuple[int, ...], wanted: str) -> None:
    """Refuse an answer of another shape, or of a dtype that will not do for the one `wanted`.

    Raises:
        ValueError: Naming what answered, by `told`, and what would be right.
    """
    found = np.asarray(answer)
    fits = found.dtype == wanted or found.dtype.kind in _KINDS.get(wanted, "")
    if found.shape != shape or not fits:
        is_array = isinstance(answer, np.ndarray)
        says = f"{found.dtype}{list(found.shape)}" if is_array else shown(answer)
        raise ValueError(f"{told} answers {says}: give {wanted}{list(shape)}")


def actions_and_widths(move: Any, pack: Pack) -> tuple[Sequence[Action], Sequence[int]]:
    """Return the actions of a move, and the widths of the words in which it tells the legal ones.

    Raises:
        TypeError: If it has no kind, or if one of its actions is none.
        ValueError: If it has no action, or if the widths do not fit.
    """
    told = type(move).__name__
    if not isinstance(getattr(move, "kind", None), str):
        raise TypeError(f"{told} has no kind: give it one, as kind = 'draw_stock'")
    actions, widths = move.actions(pack), move.widths(pack)
    for action in actions:
        if not isinstance(action, Action):
            raise TypeError(f"{told}.actions: {shown(action)}: give an Action for each")
    if not actions or sum(widths) != len(actions) or not 1 <= min(widths) <= max(widths) <= 64:
        raise ValueError(
            f"move {move.kind!r}: {len(actions)} actions, and widths {shown(widths)} of the words "
            f"of legal ones: give one action at least, and widths of 1 to 64 that add up to them"
        )
    return actions, widths


def check_own(part: object, method: str, answer: Any, shape: tuple[int, ...], wanted: str) -> None:
    """Refuse what a method of a part of one's own answers, as `check_answer` does."""
    if is_own(part):
        check_answer(f"{type(part).__name__}.{method}", answer, shape, wanted)


def check_flags(part: object, method: str, flags: Any, rows: Rows) -> None:
    """Refuse an answer that is not bool[R], or of one game, asked by its number, a flag."""
    check_own(part, method, flags, np.shape(rows), "bool")


def check_episode(
    episode: object, decided: Any, stopped: Any, winners: Any, shape: tuple[int, ...]
) -> None:
    """Refuse what an episode says after R hands of P seats, of shape (R, P), if it is no flags."""
    check_own(episode, "decided", decided, shape[:1], "bool")
    check_own(episode, "stopped", stopped, shape[:1], "bool")
    check_own(episode, "winners", winners, shape, "bool")


def check_seating(episode: object, state: State, rows: Rows) -> None:
    """Refuse a next hand that has no dealer, or not two seats to play it."""
    if not is_own(episode):
        return
    told, players = f"{type(episode).__name__}.seat_next", state.num_players
    dealers, playing = state.dealer[rows], (~state.sits_out[rows]).sum(axis=1)
    if not ((dealers >= 0) & (dealers < players)).all():
        raise ValueError(f"{told}: dealers from {dealers.min()} to {dealers.max()}: give seats")
    if not (playing >= 2).all():
        raise ValueError(f"{told}: {playing.min()} of {players} seats play: let two play at least")


def check_paid(rewards: object, paid: Any, shape: tuple[int, int]) -> None:
    """Refuse rewards that are not finite numbers for R games and P seats."""
    if not is_own(rewards):
        return
    told = type(rewards).__name__
    check_answer(told, paid, shape, "float")
    if not np.isfinite(paid).all():
        raise ValueError(f"{told} answers numbers that are not finite: give finite ones")


def check_endings(scoring: object, told: Any, count: int) -> None:
    """Refuse what a scoring says of the ends of hands if it is not a text for each."""
    if not is_own(scoring):
        return
    sequence = isinstance(told, Sequence) and not isinstance(told, str)
    if not sequence or len(told) != count or not all(isinstance(each, str) for each in told):
        name = type(scoring).__name__
        raise ValueError(f"{name}.how_ended answers {shown(told)}: give {count} texts, in a list")


def check_result(result: Result, scoring: Scoring, shape: tuple[int, int]) -> None:
    """Refuse a result unless its arrays are of the shape, (R, P), and its gains sum to 0.

    Raises:
        ValueError: If an array has another shape or kind, or the gains do not sum to 0.
        TypeError: If it is no `Result`, or one of its entries is no array.
    """
    told = f"{type(scoring).__name__}.score"
    if not isinstance(result, Result):
        raise TypeError(f"{told} returned {shown(result)}: give a Result")
    for entry, wanted in _ENTRIES.items():
        found = getattr(result, entry)
        if not isinstance(found, np.ndarray):
            raise TypeError(f"{told}: {entry}={shown(found)}: give {wanted}{list(shape)}")
        check_answer(f"{told}: {entry}", found, shape, wanted)
    if (result.points != result.points.astype(np.int32)).any():
        most = np.abs(result.points).max()
        raise ValueError(f"{told}: points={most}: give fewer, which an int32 can hold")
    lost = np.abs(result.gains.sum(axis=1))
    if not (lost <= ROUNDING).all():  # not a number, too
        raise ValueError(f"{told}: gains that sum to {lost.max():g}: what one gains, others lose")


def features(part: Any, rules: Rules) -> list[Feature]:
    """Return the features of a part; those of one's own check what they find."""
    found = part.features(rules)
    if not is_own(part):
        return [*found]
    for feature in found:
        if not isinstance(feature, Plane | Scalar | Graded):
            name = type(part).__name__
            raise TypeError(f"{name}.features: {shown(feature)}: give Plane, Scalar or Graded")
    return [_checked(feature, f"feature {feature.name!r}") for feature in found]


def _checked(feature: Feature, told: str) -> Feature:
    if isinstance(feature, Plane):
        return replace(feature, cards=_fitting(feature.cards, told, "uint64"), lean=False)
    if isinstance(feature, Scalar):
        return replace(feature, value=_fitting(feature.value, told, "int"), lean=False)
    return replace(feature, values=_graded(feature.values, told))


def _fitting(find: Callable[[SeatView], Array], told: str, wanted: str) -> Any:
    def found(view: SeatView) -> Array:
        answer = find(view)
        check_answer(told, answer, np.shape(view.phase), wanted)
        return answer

    return found


def _graded(find: Callable[[SeatView], Array], told: str) -> Any:
    def found(view: SeatView) -> Array:
        answer = find(view)
        check_answer(told, answer, (NUM_REGULAR, len(view)), "float32")
        if not (answer >= 0).all():  # what is no number, too
            raise ValueError(f"{told} answers {np.min(answer)}: give numbers from 0")
        return answer

    return found
