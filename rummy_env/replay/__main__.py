"""The command `python -m rummy_env.replay FILE`."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from rummy_env.core.checks import check_range
from rummy_env.records import KNOWN, Variants, read_game
from rummy_env.replay import Replay
from rummy_env.replay.export import PNG, export
from rummy_env.replay.terminal import browse, interactive, print_all
from rummy_env.variants import variant

try:
    import tyro
except ImportError as error:
    raise ImportError(
        "python -m rummy_env.replay needs tyro: pip install 'rummy-env[replay]'"
    ) from error

COMMAND = "python -m rummy_env.replay"
FAILED = 1
"""The exit code after an error."""


@dataclass(frozen=True)
class Settings:
    """Shows a recorded game in the terminal, forwards and backwards, or exports pictures of it.

    Attributes:
        file: Records, one a line.
        game: Which of them; the first is 1.
        step: Where to begin; 0 is the deal. Of a PNG, what it shows; by itself, the end.
        seat: Show what this seat may know, instead of all hands open.
        plain: Print all steps, as is done where there is no terminal.
        export: Write FILE.gif or FILE.png instead.
        first: First step of a GIF; by itself, the deal.
        last: Last step of a GIF; by itself, the end.
        fps: Steps a second of a GIF.
        size: Width and height of pictures, in pixels.
        variant: Import strings of variants of your own that records may name, such as
            my_games:blind.
    """

    file: tyro.conf.Positional[Path]
    game: int = 1
    step: int | None = None
    seat: int | None = None
    plain: bool = False
    export: Path | None = None
    first: Annotated[int | None, tyro.conf.arg(name="from")] = None
    last: Annotated[int | None, tyro.conf.arg(name="to")] = None
    fps: int = 2
    size: tuple[int, int] = (800, 600)
    variant: tuple[str, ...] = ()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command.

    Args:
        argv: What came after it; None for `sys.argv`.

    Returns:
        The exit code.
    """
    settings = tyro.cli(Settings, prog=COMMAND, args=argv)
    try:
        _run(settings)
    except (ValueError, TypeError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    return 0


def _run(settings: Settings) -> None:
    variants: Variants = {**KNOWN, **{name: variant(name) for name in settings.variant}}
    replay = Replay(read_game(settings.file, settings.game, variants=variants))
    step = settings.step
    if step is not None:
        check_range("step", step, 0, replay.steps)
    if settings.seat is not None:
        check_range("seat", settings.seat, 0, replay.record.rules.num_players - 1)
    if settings.export is not None:
        _export(replay, settings, settings.export)
    elif settings.plain or not interactive():
        print_all(replay, step or 0, settings.seat)
    else:
        browse(replay, step or 0, settings.seat)


def _export(replay: Replay, settings: Settings, path: Path) -> None:
    _check_range_options(settings, path)
    end = replay.steps
    shown = end if settings.step is None else settings.step
    first, last = settings.first or 0, end if settings.last is None else settings.last
    check_range("to", last, 0, end)
    check_range("from", first, 0, last)
    steps = [shown] if path.suffix == PNG else range(first, last + 1)
    export(replay, path, steps, seat=settings.seat, fps=settings.fps, size=settings.size)


def _check_range_options(settings: Settings, path: Path) -> None:
    """Refuses options that would not be heeded."""
    if path.suffix == PNG and (settings.first is not None or settings.last is not None):
        raise ValueError(f"--from and --to with {path}: a PNG shows one step, give --step")
    if path.suffix != PNG and settings.step is not None:
        raise ValueError(f"--step {settings.step} with {path}: for a GIF give --from and --to")


if __name__ == "__main__":
    sys.exit(main())
