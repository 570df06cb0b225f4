"""When a batch deals finished games anew."""

from gymnasium.vector import AutoresetMode

from rummy_env.core.checks import check_choice

MODES = tuple(mode.value for mode in AutoresetMode)


def autoreset(mode: AutoresetMode | str) -> AutoresetMode:
    """Return a mode that is given by its name, too; a ValueError names all if there is none."""
    if not isinstance(mode, AutoresetMode):
        check_choice("autoreset_mode", mode, MODES)
    return AutoresetMode(mode)
