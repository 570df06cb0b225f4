"""A GIF that is small: few colours, the same for all pictures, and of each only what changes."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_FPS = 50
"""The limit of a GIF, whose frames last hundredths of a second."""
_COLOURS = 48
"""So few that the table looks no worse, and repeats itself often enough to be packed well."""
_SAMPLES = 8
"""Pictures that the colours are chosen from."""


def samples(steps: Sequence[int]) -> Sequence[int]:
    """Return some of the steps, for the colours of all of them."""
    return steps[:: ceil(len(steps) / _SAMPLES)]


def write_gif(
    path: Path, pictures: Iterable["Image"], few: Sequence["Image"], durations: Sequence[int]
) -> None:
    """Write pictures in the colours of a `few` of them, each for some milliseconds."""
    frames = _in_colours(pictures, few)
    # With `optimize` and `disposal=1` only what changes from picture to picture is written.
    written: dict[str, Any] = {
        "save_all": True,
        "append_images": frames,
        "optimize": True,
        "disposal": 1,
    }
    next(frames).save(path, "GIF", duration=durations, loop=0, **written)


def _in_colours(pictures: Iterable["Image"], few: Sequence["Image"]) -> Iterator["Image"]:
    """Yield the pictures in colours that are the same for all."""
    from PIL import Image

    joined = Image.fromarray(np.concatenate([*map(np.asarray, few)]))
    colours = joined.quantize(_COLOURS, Image.Quantize.FASTOCTREE)
    for image in pictures:
        yield image.quantize(palette=colours, dither=Image.Dither.NONE)
