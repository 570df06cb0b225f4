"""What long work says: how far it has come, or that there is no use in going on."""

from collections.abc import Callable


class Hopeless(ValueError):  # noqa: N818  (named for what it is)
    """Settings that turn out, at work, to lead nowhere; the message names better ones."""


Report = Callable[[float], object]
"""Takes the share of the work that is done, 0 to 1."""
