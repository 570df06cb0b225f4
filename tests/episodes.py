"""Short episodes in Gymnasium's environments, and actions for them."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from rummy_env.core.actions import choose
from rummy_env.core.arrays import Bools, Rows
from tests.policies import First
from tests.rollout import fitting

MODES = list(AutoresetMode)
"""Whether and when a game that is over is dealt anew."""

KEYS = ("seen", "may")
"""The names in an observation that is a dict."""


def quick(variant: str, **options: Any) -> dict[str, Any]:
    """Keyword options of a short episode against an opponent that costs no time."""
    rules = fitting(variant, hand_size=4, max_turns=12)
    return {"rules": rules, "opponents": First(), **options}


def pick(masks: Bools, draws: Any) -> Rows:
    """A legal action in each game, 0 where there is none."""
    actions = np.zeros(len(masks), np.intp)
    some = masks.any(axis=1)
    actions[some] = choose(masks[some], draws[some])
    return actions
