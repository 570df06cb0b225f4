"""A recorded game as pictures."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from rummy_env.core.checks import check_choice, check_range
from rummy_env.files import replacing
from rummy_env.importing import extra
from rummy_env.replay import Replay
from rummy_env.replay.film import write_film
from rummy_env.replay.gif import MAX_FPS, samples, write_gif
from rummy_env.views.sizes import USUAL_SIZE, Size

if TYPE_CHECKING:
    from PIL.Image import Image

GIF, MP4, PNG = ".gif", ".mp4", ".png"
FPS = 2
"""Steps a second, unless asked otherwise."""
GIF_SIZE = (640, 480)
"""Width and height of a GIF in pixels, unless asked otherwise."""
HELD = 4000
"""Milliseconds for which a GIF or a film shows its last picture."""


def export(
    replay: Replay,
    path: str | Path,
    steps: Sequence[int],
    *,
    seat: int | None = None,
    fps: int = FPS,
    size: Size | None = None,
) -> None:
    """Write a GIF or a film of some steps, or a PNG of one.

    Args:
        replay: The game.
        path: The file; `.gif`, `.mp4` or `.png`.
        steps: The steps to show; a PNG shows the last of them.
        seat: The seat whose hand lies face up; None for all.
        fps: Steps a second, 1 to 50.
        size: Width and height, in pixels; `GIF_SIZE` or `USUAL_SIZE` where None.

    Raises:
        ValueError: If one of these is impossible.
        OSError: If the file cannot be written.
        ImportError: If the extra `pictures` is not installed, or `video` for a film.
    """
    path = Path(path)
    check_choice("suffix of the file to export", path.suffix, (GIF, MP4, PNG))
    check_range("fps", fps, 1, MAX_FPS)
    if seat is not None:
        check_range("seat", seat, 0, replay.record.rules.num_players - 1)
    if not steps:
        raise ValueError("steps: none given; give at least one, such as range(replay.steps + 1)")
    with replacing(path) as fresh:
        if path.suffix == PNG:
            next(_pictures(replay, steps[-1:], seat, size or USUAL_SIZE)).save(fresh, "PNG")
        elif path.suffix == MP4:
            shown = size or USUAL_SIZE
            write_film(fresh, _pictures(replay, steps, seat, shown), shown, fps=fps, held=HELD)
        else:
            pictures = _pictures(replay, steps, seat, size or GIF_SIZE)
            few = [*_pictures(replay, samples(steps), seat, size or GIF_SIZE)]
            # A GIF counts in hundredths of a second, so frames are not all equally long.
            ends = [10 * round(100 * number / fps) for number in range(len(steps) + 1)]
            *each, last = [end - start for start, end in pairwise(ends)]
            write_gif(fresh, pictures, few, [*each, max(HELD, last)])


def _pictures(
    replay: Replay, steps: Sequence[int], seat: int | None, size: Size
) -> Iterator["Image"]:
    with extra("pictures", "a picture of a replay"):
        from PIL import Image

        from rummy_env.views.picture import picture
    face_up = "all" if seat is None else seat
    agents = replay.record.agents
    for step in steps:
        views, last, trace = replay.shown(step)
        drawn = picture(views, face_up=face_up, last=last, size=size, agents=agents, trace=trace)
        yield Image.fromarray(drawn)
