"""A recorded game in the terminal."""

import sys

from rummy_env.core.importing import extra
from rummy_env.core.naming import printable
from rummy_env.replay import Replay
from rummy_env.views.colour import coloured, has_colour

with extra("replay", "showing records"):
    from prompt_toolkit.application import Application
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.keys import Keys
    from prompt_toolkit.layout import FormattedTextControl, Layout, Window

HELP = "right, space or n: on · left or p: back · home, end · j: jump · q: quit"
_FORWARD, _BACK = (Keys.Right, Keys.Down, " ", "n"), (Keys.Left, Keys.Up, Keys.Backspace, "p")
_DIGITS = tuple("0123456789")
_JUMP, _QUIT = "j", ("q", Keys.ControlC)
_NAMED = (
    *(Keys.Right, Keys.Down, Keys.Left, Keys.Up, Keys.Home, Keys.End),
    *(Keys.Enter, Keys.Escape, Keys.Backspace, Keys.ControlC, Keys.Any),
)


def frame(replay: Replay, step: int, seat: int | None) -> str:
    """One step: the game, the action, and the table after it."""
    record = replay.record
    heading = (
        f"{record.rules.name}, seed {record.seed}, {record.outcome.end}; "
        f"recorded with rummy_env {record.version}"
    )
    text = (
        f"{printable(heading)}\n"
        f"step {step} of {replay.steps} · {replay.said(step)}\n\n{replay.text(step, seat)}\n"
    )
    return coloured(text) if has_colour() else text


def print_all(replay: Replay, first: int, seat: int | None) -> None:
    """Prints every step from the first on."""
    for step in range(first, replay.steps + 1):
        print(frame(replay, step, seat))


class Browser:
    """The screen, and the effect of keys on it.

    Attributes:
        step: The step that is shown.
        asked: The number typed so far of the step to jump to; None outside that prompt.
        note: An error about the last number.
    """

    def __init__(self, replay: Replay, step: int, seat: int | None) -> None:
        self.step = step
        self.asked: str | None = None
        self.note = ""
        self._replay = replay
        self._seat = seat

    def text(self) -> str:
        """The screen."""
        asked = HELP if self.asked is None else f"step: {self.asked}"
        return f"{frame(self._replay, self.step, self._seat)}\n{self.note}\n{asked}"

    def press(self, key: str) -> None:
        """Handles a key: a character, or one of `prompt_toolkit.keys.Keys`."""
        self.note = ""
        if self.asked is not None:
            self._answer(key, self.asked)
        elif key == _JUMP:
            self.asked = ""
        else:
            last = self._replay.steps
            to: dict[str, int] = {
                **dict.fromkeys(_FORWARD, min(self.step + 1, last)),
                **dict.fromkeys(_BACK, max(self.step - 1, 0)),
                **{Keys.Home: 0, Keys.End: last},
            }
            self.step = to.get(key, self.step)

    def _answer(self, key: str, asked: str) -> None:
        """Handles a key at the prompt for a step."""
        if key == Keys.Backspace:
            self.asked = asked[:-1]
        elif key == Keys.Escape:
            self.asked = None
        elif key in _DIGITS:
            self.asked = asked + key
        elif key == Keys.Enter:
            self.asked = None
            if asked and int(asked) <= self._replay.steps:
                self.step = int(asked)
            else:
                self.note = f"{asked!r} is no step: give 0 to {self._replay.steps}"


def browse(replay: Replay, step: int, seat: int | None) -> None:
    """Shows the game from a step on as keys are pressed, until `q` or Ctrl-C."""
    browser, bindings = Browser(replay, step, seat), KeyBindings()

    def press(event: KeyPressEvent) -> None:
        (pressed,) = event.key_sequence
        if pressed.key in _QUIT:
            event.app.exit()
        else:
            browser.press(pressed.key)

    for key in _NAMED:
        bindings.add(key, eager=True)(press)
    window = Window(FormattedTextControl(lambda: ANSI(browser.text())), wrap_lines=True)
    Application[None](Layout(window), key_bindings=bindings, full_screen=True).run()


def interactive() -> bool:
    """Tells if input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()
