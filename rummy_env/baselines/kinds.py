"""Kinds of action: those that a heuristic knows, and the numbers of some."""

from typing import ClassVar

from rummy_env.core.actions import ActionSpace, action_space
from rummy_env.core.rules import Rules


def block(space: ActionSpace, *kinds: str) -> slice:
    """Return the range of the numbers of all actions of some kinds.

    With several kinds, others may lie between them: rules list their moves in any order.
    """
    numbers = space.numbers(*kinds).tolist()
    return slice(numbers[0], numbers[-1] + 1)


class Knowing:
    """A heuristic for rules that have some kinds of action, and no others than it knows."""

    NEEDED: ClassVar[set[str]]
    BESIDES: ClassVar[set[str]] = set()
    """Kinds that it knows as well."""

    @classmethod
    def plays(cls, rules: Rules) -> bool:
        """Return True if the rules have all kinds of action it needs, and none it does not know."""
        return action_space(rules).kinds >= cls.NEEDED and not cls.unknown(rules)

    @classmethod
    def unknown(cls, rules: Rules) -> frozenset[str]:
        """Return the kinds of action of the rules that it does not know."""
        return action_space(rules).kinds - cls.NEEDED - cls.BESIDES
