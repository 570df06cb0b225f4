"""The library that draws, or what to do where it is missing."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
try:
    import pygame
except ImportError as error:
    raise ImportError(
        "pictures need pygame-ce: pip install 'rummy-env[pictures]', "
        "or ask for text with render_mode='ansi'",
        name=error.name,
    ) from error

__all__ = ["pygame"]
