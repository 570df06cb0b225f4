"""What a policy's answer has to be."""

from rummy_env.baselines.heuristics import Policy
from rummy_env.core.arrays import Array


class BadAnswer(ValueError):  # noqa: N818  (named for what it is)
    """Anything but one action per game.

    Attributes:
        name: What the policy is called.
        what: What it did, as a sentence that follows the name.
        policy: The policy, where it is at hand.
    """

    def __init__(self, name: str, what: str, policy: Policy | None = None) -> None:
        super().__init__(f"agent {name!r} {what}")
        self.name, self.what, self.policy = name, what, policy

    def __reduce__(self) -> tuple[type["BadAnswer"], tuple[str, str]]:
        """Leave the policy here: it need not be one that can be pickled."""
        return BadAnswer, (self.name, self.what)


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
