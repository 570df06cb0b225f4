"""Rendering of environments: as text, as a picture or in a window."""

import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING

import gymnasium

from rummy_env.core.arrays import UInt8s
from rummy_env.core.checks import check_choice, check_number
from rummy_env.core.display import Trace
from rummy_env.core.engine import Engine
from rummy_env.core.naming import action_name, seat_names
from rummy_env.core.rules import Rules
from rummy_env.views.colour import coloured, has_colour
from rummy_env.views.face_up import ALL, FaceUp, check_face_up
from rummy_env.views.sizes import USUAL_SIZE, Size, as_size

if TYPE_CHECKING:
    from rummy_env.envs import window
    from rummy_env.views.scene import Scene

RENDER_MODES = ("ansi", "human", "rgb_array")
RENDER_FPS = 2

Rendered = str | UInt8s | None


class Renderer:
    """Renders games of an engine in one of the render modes."""

    def __init__(
        self,
        rules: Rules,
        render_mode: str | None,
        *,
        render_size: Size = USUAL_SIZE,
        face_up: FaceUp = ALL,
        render_fps: float = RENDER_FPS,
    ) -> None:
        """Check the settings; a window opens with the first table.

        Args:
            rules: The rules of the games.
            render_mode: With `"ansi"`, `render` returns text; with `"rgb_array"`, a picture; with
                `"human"`, everything is shown in a window; with None, nothing is rendered.
            render_size: Width and height of pictures, and of the window at first, in pixels.
            face_up: The hands shown face up: `"all"`, `"none"`, or one seat's.
            render_fps: The most tables that a window shows per second; 0 for no limit.

        Raises:
            ValueError: If an argument is invalid.
            ImportError: If pictures are asked for and pygame-ce is not installed.
        """
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        check_face_up(face_up, rules.num_players)
        wanted = "tables a second, or 0 for no limit"
        check_number("render_fps", render_fps, wanted, lambda fps: 0 <= fps < inf)
        self.render_mode = render_mode
        self._size, self._face_up = as_size("render_size", render_size), face_up
        self._window: window.Window | None = None
        if render_mode == "human":
            from rummy_env.envs.window import Window

            self._window = Window(rules.name, self._size, 1 / render_fps if render_fps else 0)
        elif render_mode == "rgb_array":
            import rummy_env.views.picture  # noqa: F401  (fails at once if pygame is missing)

    def render(self, engine: Engine, row: int = 0, agents: Sequence[str] = ()) -> Rendered:
        """Render the game in a row of an engine, with the names of its players, by seat.

        Warns if there is no render mode.

        Returns:
            Text for `"ansi"`, uint8[height, width, 3] for `"rgb_array"`; None for `"human"`, where
            the window shows the table, and without a render mode.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(
                "You are calling render method without specifying any render mode."
            )
            return None
        # Not at the top of the file: importing these takes longer than making an environment.
        from rummy_env.views.scene import scene_of, seat_views
        from rummy_env.views.text import scene_text

        scene = scene_of(seat_views(engine, row), self._face_up, agents, last_trace(engine, row))
        last = last_words(engine, row, agents)
        if self.render_mode == "ansi":
            text = scene_text(scene)
            return coloured(text) if has_colour() else text
        if self.render_mode == "human":
            self._watch(scene, last)
            return None
        from rummy_env.views.picture import scene_picture

        return scene_picture(scene, last=last, size=self._size)

    def _watch(self, scene: "Scene", last: str) -> None:
        """Show a table in the window; if that fails, warn and close it, and games go on."""
        try:
            if self._window is not None:
                self._window.show(scene, last)
        except Exception as error:  # whatever happens to a window must not make a step fail
            warnings.warn(f"the window failed and is closed: {error!r}; play on", stacklevel=2)
            with suppress(Exception):
                self.close()
            self._window = None

    def show(self, engine: Engine, agents: Callable[[], Sequence[str]] = tuple) -> None:
        """Render the first game if it is watched in a window; `agents` tells its players' names."""
        if self._window is not None and not self._window.dismissed:
            self.render(engine, agents=agents())

    def close(self) -> None:
        """Close the window if one is open; rendering opens it again."""
        if self._window is not None:
            self._window.close()


def last_words(engine: Engine, row: int = 0, agents: Sequence[str] = ()) -> str:
    """Return the last action of a game, as in `"player_1: discard 8♠"`; empty before the first.

    `agents` are the names of the players, by seat, where they are known.
    """
    action = int(engine.last_action[row])
    if action < 0:
        return ""
    mover = seat_names(engine.rules.num_players, agents)[engine.last_mover[row]]
    return f"{mover}: {action_name(engine.describe(action))}"


def last_trace(engine: Engine, row: int = 0) -> Trace | None:
    """Return the visible trace of the last action of a game; None before the first."""
    action = int(engine.last_action[row])
    if action < 0 or (path := engine.space.moves[engine.space.move_of[action]].path) is None:
        return None
    start, end = path
    return Trace(int(engine.last_mover[row]), start, end, engine.describe(action).cards)
