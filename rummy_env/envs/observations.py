"""In which form Gymnasium's learners get their observations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.spaces import Box, Dict

from rummy_env.core.bits import Bools
from rummy_env.core.checks import check_choice
from rummy_env.views.features import Features

Observation = Any
"""An array, or a dict of two arrays, as the user has chosen: no type can say which."""

DTYPES = ("int8", "float32")


@dataclass(frozen=True)
class Form:
    """Observations as one array, or as a dict with the mask beside it.

    Attributes:
        keys: What the dict calls the observation and the mask; None for the observation alone.
        dtype: Of both: "int8" or "float32".
    """

    keys: tuple[str, str] | None = None
    dtype: str = "int8"

    def __post_init__(self) -> None:
        """Refuses what cannot be."""
        check_choice("observation_dtype", self.dtype, DTYPES)
        if self.keys is not None:
            _check_keys(self.keys)

    def space(self, size: int, num_actions: int) -> Space[Any]:
        """The space of one game's observations.

        Args:
            size: F, entries of an observation.
            num_actions: A.
        """
        if self.keys is None:
            return self._box(size)
        return Dict(dict(zip(self.keys, map(self._box, (size, num_actions)), strict=True)))

    def _box(self, width: int) -> Box:
        return Box(0, 1, (width,), np.dtype(self.dtype).type)

    def __call__(self, observations: Features, masks: Bools) -> Observation:
        """Brings observations into this form.

        Args:
            observations: int8[..., F].
            masks: bool[..., A], True = legal.

        Returns:
            Arrays of the same shapes and of this form's dtype.
        """
        if self.keys is None:
            return observations.astype(self.dtype, copy=False)
        observation, mask = self.keys
        return {
            observation: observations.astype(self.dtype, copy=False),
            mask: masks.astype(self.dtype),
        }


def _check_keys(keys: Sequence[str]) -> None:
    listed = not isinstance(keys, str) and isinstance(keys, Sequence)
    if not listed or len(keys) != 2 or not all(isinstance(key, str) and key for key in keys):
        raise ValueError(
            f"observation_keys={keys!r}: give None, or two names, such as "
            f"('observation', 'action_mask')"
        )
    if keys[0] == keys[1]:
        raise ValueError(f"observation_keys={keys!r}: give two different names")
