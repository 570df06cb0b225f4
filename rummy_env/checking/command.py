"""The command that checks a variant: `rummy-env check VARIANT`."""

from collections.abc import Sequence
from dataclasses import dataclass

from rummy_env import command_line
from rummy_env.checking import Findings, check_variant


@dataclass(frozen=True)
class Settings:
    """Checks a variant, as of your own: plays games at random, and looks at them from all sides.

    Attributes:
        games: Games to play; tables that are rare need many.
        seed: The seed of the games.
    """

    games: int = 256
    seed: int = 1


def main(argv: Sequence[str], command: str) -> int:
    """Run the command and return its exit code."""
    with command_line.plain_errors():
        rules, settings = command_line.parse(Settings, command, argv)
        print(told(check_variant(rules, games=settings.games, seed=settings.seed)))
    return 0


def told(found: Findings) -> str:
    """Return what was found, in words."""
    return (
        f"{found.rules!r}\n"
        f"{found.games} games of random play, {found.actions:.0f} actions each: somebody won the "
        f"last hand of {found.won:.0%}, {found.cut_off:.0%} were cut off.\n"
        f"{found.tables} tables were laid again from their snapshots, and dealt anew but for what "
        f"the seat to move knows. All is well."
    )
