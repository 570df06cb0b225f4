"""Advice: the action of a heuristic, as entries behind an observation."""

import numpy as np

from rummy_env.core.arrays import Array, Rows


def with_advice(
    observations: Array, advised: Rows, num_actions: int, rows: Rows | None = None
) -> Array:
    """Observations with the adviser's actions behind them, one-hot: [N, F + A] of their dtype.

    Args:
        observations: [N, F].
        advised: intp[R], the adviser's actions.
        num_actions: A.
        rows: intp[R], the observations that they are for; all where None.
    """
    count, size = observations.shape
    found = np.zeros((count, size + num_actions), observations.dtype)
    found[:, :size] = observations
    found[np.arange(count) if rows is None else rows, size + advised] = 1
    return found
