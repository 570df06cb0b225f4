"""What a policy's answer has to be."""

from rummy_env.baselines.heuristics import Policy
from rummy_env.core.arrays import Array


class BadAnswer(ValueError):  # noqa: N818  (named for what it is)
    """Anything but one action per game."""

    def __init__(self, policy: Policy, name: str, what: str) -> None:
        """Tell `what` the policy did, which is known by this name."""
        super().__init__(f"{name} {what}")
        self.policy, self.what = policy, what


def misfit(actions: Array, count: int) -> str:
    """Return what is wrong with a policy's answer for `count` games, after its name; "" if nothing.

    An answer is one whole number a game.
    """
    if actions.shape == (count,) and actions.dtype.kind in "ui":
        return ""
    return (
        f"chose actions of shape {actions.shape} and dtype {actions.dtype}: a policy gives one "
        f"whole number a game, shape ({count},)"
    )
