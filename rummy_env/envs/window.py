"""A window for watching a game."""

import logging
import os
import time
from typing import Any

from rummy_env.views.painting.library import pygame
from rummy_env.views.painting.table import paint_table
from rummy_env.views.scene import Scene
from rummy_env.views.sizes import LEAST_SIZE, Size

log = logging.getLogger(__name__)

PAUSED = "(paused: space goes on, right shows the next table)"
"""What the title of the window says while the game is paused."""
_BREATH = 0.02
"""Seconds between two checks for the user's events."""
_UNSEEN = ("offscreen", "dummy")
"""The drivers that SDL falls back on where there is no display."""


class Window:
    """Shows one table after the other, each for a while.

    The user may resize the window; once it has been closed by hand, nothing is shown any more, and
    nothing waits. The space bar pauses and resumes the game; the right arrow shows the next table
    and pauses there.

    Attributes:
        dismissed: True once the window has been closed by hand.
    """

    def __init__(self, title: str, size: Size, pause: float) -> None:
        """Prepare a window of this size in pixels, which opens with the first table.

        Each table is shown for at least `pause` seconds.
        """
        self._title, self._size, self._pause = title, size, pause
        self._window: pygame.Window | None = None
        self._shown: tuple[Scene, str] | None = None
        self.dismissed = False
        self._is_seen = True
        self._paused = self._next = False

    def __getstate__(self) -> dict[str, Any]:
        """All but the open window: that of a copy opens with its next table."""
        return self.__dict__ | {"_window": None, "_shown": None}

    def show(self, scene: Scene, last: str) -> None:
        """Draw a scene with the last action, and wait for the pause if either is new."""
        if self.dismissed:
            return
        if self._window is None:
            pygame.display.init()
            self._is_seen = _has_display()
            self._window = pygame.Window(self._title, self._size, resizable=True)
            self._window.minimum_size = LEAST_SIZE
        pause = self._pause if self._is_seen and self._shown != (scene, last) else 0
        self._shown = scene, last
        self._draw(self._window)
        self._next = False
        until = time.monotonic() + pause
        while self._attend(self._window) and self._stays(until):
            time.sleep(_BREATH)

    def _stays(self, until: float) -> bool:
        """Return True while the table is to be shown: until a key if paused, else for a while."""
        return not self._next and (self._paused or time.monotonic() < until)

    def _draw(self, window: pygame.Window) -> None:
        """Draw the scene shown last, in the window's present size."""
        assert self._shown is not None
        ground = window.get_surface()
        ground.blit(paint_table(*self._shown, *ground.get_size()), (0, 0))
        window.flip()

    def _attend(self, window: pygame.Window) -> bool:
        """Handle the user's events; return True while the window is open."""
        for event in pygame.event.get():
            if event.type != pygame.QUIT and getattr(event, "window", None) is not window:
                continue
            if event.type in (pygame.WINDOWCLOSE, pygame.QUIT):
                self.close()
                self.dismissed = True
                return False
            if event.type == pygame.WINDOWSIZECHANGED:
                self._draw(window)
            if event.type == pygame.KEYDOWN:
                self._press(event.key, window)
        return True

    def _press(self, key: int, window: pygame.Window) -> None:
        """Pause or resume the game, or show the next table."""
        if key == pygame.K_SPACE:
            self._paused = not self._paused
        elif key in (pygame.K_RIGHT, pygame.K_n):
            self._paused = self._next = True
        window.title = f"{self._title} {PAUSED}" if self._paused else self._title

    def close(self) -> None:
        """Close the window if it is open; the next table opens it again."""
        if self._window is not None:
            self._window.destroy()
            self._window = None


def _has_display() -> bool:
    """Return False, and say so, where SDL draws what nobody can see, and nobody has asked it to."""
    if pygame.display.get_driver() not in _UNSEEN or "SDL_VIDEODRIVER" in os.environ:
        return True
    log.warning("there is no display: the window cannot be seen; give render_mode='rgb_array'")
    return False
