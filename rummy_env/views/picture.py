"""The table as a picture."""

from collections.abc import Sequence

import numpy as np

from rummy_env.core.arrays import UInt8s
from rummy_env.core.display import Trace
from rummy_env.core.visibility import SeatView
from rummy_env.views.face_up import ALL, FaceUp
from rummy_env.views.painting.library import pygame
from rummy_env.views.painting.table import paint_table
from rummy_env.views.scene import Scene, scene_of
from rummy_env.views.sizes import USUAL_SIZE, Size, as_size

Image = UInt8s


def picture(
    views: Sequence[SeatView],
    *,
    face_up: FaceUp = ALL,
    last: str = "",
    size: Size = USUAL_SIZE,
    agents: Sequence[str] = (),
    trace: Trace | None = None,
) -> Image:
    """Paint a game.

    Args:
        views: The view of each seat of one game, N = 1, in the order of the seats.
        face_up: The hands that lie open: `"all"`, `"none"`, or one seat's, who then sits below. Of
            other hands the cards lie open that everybody saw, the rest as their backs.
        last: The last action in words; suits such as `"♥"` are painted.
        size: Width and height in pixels.
        agents: The names of the players, by seat.
        trace: What the last move has left: an arrow, and cards with an edge of gold.

    Returns:
        uint8[height, width, 3], red, green and blue.

    Raises:
        ValueError: If there is no such seat, or the size is impossible.
    """
    return scene_picture(scene_of(views, face_up, agents, trace), last=last, size=size)


def scene_picture(scene: Scene, *, last: str = "", size: Size = USUAL_SIZE) -> Image:
    """Paint a scene; otherwise as `picture`."""
    size = as_size("size", size)
    width, height = size
    pixels = pygame.image.tobytes(paint_table(scene, last, width, height), "RGB")
    return np.frombuffer(pixels, np.uint8).reshape(height, width, 3).copy()
