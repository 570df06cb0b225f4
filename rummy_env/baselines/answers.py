"""What a policy's answer has to be."""

from rummy_env.baselines.heuristics import Policy
from rummy_env.core.arrays import Array


class BadAnswer(ValueError):  # noqa: N818  (named for what it is)
    """Anything but one action per game."""

    def __init__(self, message: str, policy: Policy | None = None, what: str = "") -> None:
        """Make it; `what` is the message without the name of the policy."""
        super().__init__(message)
        self.policy, self.what = policy, what

    def __reduce__(self) -> tuple[type["BadAnswer"], tuple[str]]:
        """Leave the policy here: it need not be one that can be pickled."""
        return BadAnswer, (str(self),)


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
