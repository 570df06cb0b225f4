"""The form of observations in Gymnasium: one array, or a dict with the action mask."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.spaces import Box, Dict

from rummy_env.core.arrays import Array, Bools
from rummy_env.core.checks import check_choice, shown
from rummy_env.views.observing import AnyObserver

Observed = Any
"""An array or a dict of two arrays, as the user has chosen; no type can say which."""

DTYPES = ("int8", "float32")


@dataclass(frozen=True)
class Form:
    """Observations as one array, or as a dict with the mask beside it.

    Attributes:
        keys: Keys of the observation and the mask in the dict; None for the observation alone.
        dtype: "int8" or "float32", for both; None for the observer's own and a mask of int8.
    """

    keys: tuple[str, str] | None = None
    dtype: str | None = None

    def __post_init__(self) -> None:
        if self.dtype is not None:
            with suppress(TypeError):
                name = np.dtype(self.dtype).name  # of `np.float32`, too
                object.__setattr__(self, "dtype", name)
            check_choice("observation_dtype", self.dtype, DTYPES)
        if self.keys is not None:
            _check_keys(self.keys)

    def space(self, observer: AnyObserver, num_actions: int) -> Space[Any]:
        """Return the space of one game's observations, with a mask of `num_actions` entries."""
        seen = box(observer, self.dtype)
        if self.keys is None:
            return seen
        mask = Box(0, 1, (num_actions,), np.dtype(self.dtype or "int8").type)
        return Dict(dict(zip(self.keys, (seen, mask), strict=True)))

    def __call__(self, observations: Array, masks: Bools) -> Observed:
        """Convert observations, [..., F], and masks, bool[..., A], to this form."""
        seen = observations.astype(self.dtype or observations.dtype, copy=False)
        if self.keys is None:
            return seen
        observation, mask = self.keys
        return {observation: seen, mask: masks.astype(self.dtype or "int8")}


def box(observer: AnyObserver, dtype: str | None = None) -> Box:
    """Return the space of one observation; a ValueError if its numbers do not fit the dtype."""
    wanted: Any = np.dtype(dtype or observer.dtype)
    if wanted.kind != "f" and not np.can_cast(observer.dtype, wanted):
        raise ValueError(
            f"observation_dtype={dtype!r}: the observer's numbers are {observer.dtype.name} and "
            f"would be cut short; give 'float32', or None to keep them"
        )
    return Box(observer.low, observer.high, (observer.size,), wanted.type)


def _check_keys(keys: Sequence[str]) -> None:
    listed = not isinstance(keys, str) and isinstance(keys, Sequence)
    if not listed or len(keys) != 2 or not all(isinstance(key, str) and key for key in keys):
        raise ValueError(
            f"observation_keys={shown(keys)}: give None, or two names, such as "
            f"('observation', 'action_mask')"
        )
    if keys[0] == keys[1]:
        raise ValueError(f"observation_keys={shown(keys)}: give two different names")
