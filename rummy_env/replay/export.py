"""A recorded game as pictures."""

from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

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
GIF_SIZE = (640, 480)
"""Width and height of a GIF in pixels, unless asked otherwise."""
HELD = 4000
"""Milliseconds for which a GIF shows its last picture before it begins again."""
_COLOURS = 48
"""So few that the table looks no worse, and repeats itself often enough to be packed well."""
_SAMPLES = 8
"""Pictures that the colours are chosen from."""


def export(
    replay: Replay,
    path: Path,
    steps: Sequence[int],
    *,
    seat: int | None = None,
    fps: int = FPS,
    size: Size | None = None,
) -> None:
    """Writes a GIF of some steps, or a PNG of one.

    Args:
        replay: The game.
        path: The file; `.gif` or `.png`.
        steps: The steps to show; a PNG shows the last of them.
        seat: The seat whose hand lies face up; None for all.
        fps: Steps a second, 1 to 50.
        size: Width and height, in pixels; `GIF_SIZE` or `USUAL_SIZE` where None.

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
        next(_pictures(replay, steps[-1:], seat, size or USUAL_SIZE)).save(path)
        return
    frames = _in_few_colours(replay, steps, seat, size or GIF_SIZE)
    each = 1000 // fps
    durations = [*[each] * (len(steps) - 1), max(HELD, each)]
    # With `optimize` and `disposal=1` only what changes from picture to picture is written.
    written: dict[str, Any] = {
        "save_all": True,
        "append_images": frames,
        "optimize": True,
        "disposal": 1,
    }
    next(frames).save(path, duration=durations, loop=0, **written)


def _in_few_colours(
    replay: Replay, steps: Sequence[int], seat: int | None, size: Size
) -> Iterator["Image"]:
    """The pictures in colours that are the same for all, chosen from some of them."""
    samples = [
        *map(np.asarray, _pictures(replay, steps[:: ceil(len(steps) / _SAMPLES)], seat, size))
    ]
    from PIL import Image

    joined = Image.fromarray(np.concatenate(samples))
    colours = joined.quantize(_COLOURS, Image.Quantize.FASTOCTREE)
    for image in _pictures(replay, steps, seat, size):
        yield image.quantize(palette=colours, dither=Image.Dither.NONE)


def _pictures(
    replay: Replay, steps: Sequence[int], seat: int | None, size: Size
) -> Iterator["Image"]:
    with extra("pictures", "a picture of a replay"):
        from PIL import Image

        from rummy_env.views.picture import picture
    face_up = "all" if seat is None else seat
    for step in steps:
        last, agents = replay.said(step), replay.record.agents
        views = replay.views(step)
        yield Image.fromarray(picture(views, face_up=face_up, last=last, size=size, agents=agents))
