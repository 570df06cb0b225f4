"""What all greeds need: where actions lie."""

from rummy_env.core.actions import ActionSpace


def block(space: ActionSpace, kind: str) -> slice:
    """The numbers of all actions of a kind."""
    numbers = [i for i, action in enumerate(space.actions) if action.kind == kind]
    return slice(numbers[0], numbers[-1] + 1)


def kinds_of(space: ActionSpace) -> set[str]:
    """The kinds of all actions."""
    return {action.kind for action in space.actions}
