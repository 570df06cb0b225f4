"""A film of a recorded game: MP4, which is smaller than a GIF and has all colours."""

from collections.abc import Iterable
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rummy_env.importing import extra
from rummy_env.views.sizes import Size

if TYPE_CHECKING:
    from PIL.Image import Image

_QUALITY = "20"
"""The rate factor of H.264; words stay sharp."""


def write_film(path: Path, pictures: Iterable["Image"], size: Size, *, fps: int, held: int) -> None:
    """Write pictures of a size, some a second; the last is held for some milliseconds.

    Raises:
        ValueError: If width or height is odd, which the format does not know.
        ImportError: If the extra `video` is not installed.
    """
    if size[0] % 2 or size[1] % 2:
        raise ValueError(f"size={size}: a film needs an even width and height")
    with extra("video", "a film of a replay"):
        import av
    frames: Any = av.VideoFrame  # whose methods have no types
    try:
        with av.open(str(path), "w", format="mp4") as film:
            stream = film.add_stream("libx264", rate=fps, options={"crf": _QUALITY})
            stream.width, stream.height = size
            stream.pix_fmt = "yuv420p"  # what every browser plays
            film.start_encoding()  # opens the file, before any picture is drawn
            for image in _held(pictures, max(1, fps * held // 1000)):
                film.mux(stream.encode(frames.from_image(image)))
            film.mux(stream.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, error.filename or str(path)) from error


def _held(pictures: Iterable["Image"], times: int) -> Iterable["Image"]:
    """Yield the pictures, the last of them several times."""
    last = None
    for image in pictures:
        if last is not None:
            yield last
        last = image
    if last is not None:
        yield from repeat(last, times)
