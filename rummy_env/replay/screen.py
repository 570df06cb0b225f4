"""A screen of text in the terminal that answers to keys."""

import sys
from collections.abc import Callable, Iterable

from rummy_env.importing import extra

with extra("replay", "showing records"):
    from prompt_toolkit.application import Application
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.keys import Keys
    from prompt_toolkit.layout import FormattedTextControl, Layout, Window

QUIT = ("q", "Q", Keys.ControlC)
MOST_DIGITS = 9
"""Digits of a number that is typed; further ones are passed over."""


def interactive() -> bool:
    """Return True if both ends of the conversation are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def screen(
    text: Callable[[Size], str], press: Callable[[str], None], keys: Iterable[str]
) -> Application[None]:
    """Return the application, to be run: it ends at a key of `QUIT`.

    Args:
        text: The text to show in a terminal of a size, asked for after every key.
        press: Takes a key that was pressed.
        keys: The names of the keys that it takes, `Keys.Any` for letters and digits.
    """
    bindings = KeyBindings()

    def pressed(event: KeyPressEvent) -> None:
        (key,) = event.key_sequence
        if key.key in QUIT:
            event.app.exit()
        else:
            press(key.key)

    for name in keys:
        bindings.add(name, eager=True)(pressed)
    window = Window(FormattedTextControl(lambda: ANSI(text(app.output.get_size()))))
    app: Application[None] = Application(Layout(window), key_bindings=bindings, full_screen=True)
    return app
