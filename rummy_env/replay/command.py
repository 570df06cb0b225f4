"""The command that shows recorded games: `rummy-env replay FILE`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from rummy_env.command_line import plain_errors
from rummy_env.core.checks import check_range
from rummy_env.core.naming import quantity
from rummy_env.importing import extra
from rummy_env.records import known_with
from rummy_env.replay import Replay
from rummy_env.replay.export import FPS, PNG, export
from rummy_env.replay.games import Games
from rummy_env.replay.screen import interactive
from rummy_env.replay.terminal import browse, print_all

with extra("replay", "showing records"):
    import tyro


@dataclass(frozen=True)
class Settings:
    """Shows a recorded game in the terminal, step by step, or exports pictures of it.

    Attributes:
        file: A file of records, one per line.
        game: The number of the record; the first is 1.
        step: The step to show first; 0 is the deal. For a PNG, the step it shows: by default the
            end.
        seat: Show what this seat may know, instead of all hands open.
        plain: Print all steps; this is the default where there is no terminal.
        export: Write FILE.gif, FILE.mp4 or FILE.png instead.
        first: First step of a GIF or film; by default the deal.
        last: Last step of a GIF or film; by default the end.
        fps: Steps per second of a GIF or film; by default 2.
        size: Width and height of pictures in pixels; by default 800 600, for a GIF 640 480.
        variant: Import strings of your own variants that the records may name, such as
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
    fps: int | None = None
    size: tuple[int, int] | None = None
    variant: tuple[str, ...] = ()


def main(argv: Sequence[str], command: str) -> int:
    """Run the command and return its exit code."""
    with plain_errors():
        _run(tyro.cli(Settings, prog=command, args=argv))
    return 0


def _run(settings: Settings) -> None:
    """Check the flags, then show or export the game."""
    games = Games(settings.file, variants=known_with(settings.variant))
    replay = games.replay(settings.game)
    step = settings.step
    if step is not None:
        check_range("step", step, 0, replay.steps)
    if settings.seat is not None:
        check_range("seat", settings.seat, 0, replay.record.rules.num_players - 1)
    _check_heeded(settings)
    if settings.export is not None:
        _export(replay, settings, settings.export)
    elif settings.plain or not interactive():
        print_all(replay, step or 0, settings.seat)
    else:
        browse(games, settings.game, replay, step or 0, settings.seat)


def _export(replay: Replay, settings: Settings, path: Path) -> None:
    """Write the picture, GIF or film that the flags ask for."""
    end = replay.steps
    shown = end if settings.step is None else settings.step
    first, last = settings.first or 0, end if settings.last is None else settings.last
    check_range("to", last, 0, end)
    check_range("from", first, 0, last)
    steps = [shown] if path.suffix == PNG else range(first, last + 1)
    fps = FPS if settings.fps is None else settings.fps
    export(replay, path, steps, seat=settings.seat, fps=fps, size=settings.size)
    print(f"wrote {path}: {quantity(len(steps), 'step')} of game {settings.game}")


def _check_heeded(settings: Settings) -> None:
    """Refuse flags that would have no effect."""
    given = {"from": settings.first, "to": settings.last, "fps": settings.fps}
    of_gif = [f"--{name}" for name, value in given.items() if value is not None]
    path = settings.export
    if path is not None and settings.plain:
        raise ValueError("--plain with --export: nothing is printed then; give one of them")
    if path is None:
        if unheeded := [*of_gif, *(["--size"] if settings.size is not None else [])]:
            raise ValueError(f"{', '.join(unheeded)} without --export: give --export FILE too")
    elif path.suffix == PNG and of_gif:
        raise ValueError(f"{', '.join(of_gif)} with {path}: a PNG shows one step, give --step")
    elif path.suffix != PNG and settings.step is not None:
        raise ValueError(
            f"--step {settings.step} with {path}: for several steps give --from and --to"
        )
