"""A recorded game as pictures."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rummy_env.core.checks import check_choice, check_range
from rummy_env.core.importing import extra
from rummy_env.replay import Replay
from rummy_env.views.sizes import USUAL_SIZE, Size

if TYPE_CHECKING:
    from PIL.Image import Image

GIF, PNG = ".gif", ".png"
FPS = 2
"""Steps a second, unless asked otherwise."""
MAX_FPS = 50
"""The limit of a GIF, whose frames last hundredths of a second."""


def export(
    replay: Replay,
    path: Path,
    steps: Sequence[int],
    *,
    seat: int | None = None,
    fps: int = FPS,
    size: Size = USUAL_SIZE,
) -> None:
    """Writes a GIF of some steps, or a PNG of one.

    Args:
        replay: The game.
        path: The file; `.gif` or `.png`.
        steps: The steps to show; a PNG shows the last of them.
        seat: The seat whose hand lies face up; None for all.
        fps: Steps a second, 1 to 50.
        size: Width and height, in pixels.

    Raises:
        ValueError: If one of these is impossible.
        OSError: If the file cannot be written.
        ImportError: If the extra `pictures` is not installed.
    """
    check_choice("suffix of the file to export", path.suffix, (GIF, PNG))
    check_range("fps", fps, 1, MAX_FPS)
    if seat is not None:
        check_range("seat", seat, 0, replay.record.rules.num_players - 1)
    if not steps:
        raise ValueError("steps: none given; give at least one, such as range(replay.steps + 1)")
    if path.suffix == PNG:
        next(_pictures(replay, steps[-1:], seat, size)).save(path)
        return
    frames = _pictures(replay, steps, seat, size)
    next(frames).save(
        path, save_all=True, append_images=frames, duration=1000 // fps, loop=0, optimize=False
    )


def _pictures(
    replay: Replay, steps: Sequence[int], seat: int | None, size: tuple[int, int]
) -> Iterator["Image"]:
    with extra("pictures", "a picture of a replay"):
        from PIL import Image

        from rummy_env.views.picture import picture
    face_up = "all" if seat is None else seat
    for step in steps:
        last = replay.said(step)
        yield Image.fromarray(picture(replay.views(step), face_up=face_up, last=last, size=size))
