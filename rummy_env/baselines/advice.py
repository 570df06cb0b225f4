"""Advice: the action of a heuristic, as entries behind an observation."""

import numpy as np

from rummy_env.core.arrays import Rows
from rummy_env.views.features import Features


def with_advice(
    observations: Features, advised: Rows, num_actions: int, rows: Rows | None = None
) -> Features:
    """Observations with the adviser's actions behind them, one-hot: int8[N, F + A].

    Args:
        observations: int8[N, F].
        advised: intp[R], the adviser's actions.
        num_actions: A.
        rows: intp[R], the observations that they are for; all where None.
    """
    count, size = observations.shape
    found = np.zeros((count, size + num_actions), np.int8)
    found[:, :size] = observations
    found[np.arange(count) if rows is None else rows, size + advised] = 1
    return found
