"""Kinds of action: those of some rules, and the numbers of the actions of one kind."""

from rummy_env.core.actions import ActionSpace, action_space
from rummy_env.core.rules import Rules


def block(space: ActionSpace, kind: str) -> slice:
    """The numbers of all actions of a kind."""
    numbers = [i for i, action in enumerate(space.actions) if action.kind == kind]
    return slice(numbers[0], numbers[-1] + 1)


def kinds_of(rules: Rules) -> set[str]:
    """The kinds of all actions that the rules have."""
    return {action.kind for action in action_space(rules).actions}
