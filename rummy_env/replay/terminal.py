"""Recorded games in the terminal."""

import asyncio

from rummy_env.core.naming import printable
from rummy_env.importing import extra
from rummy_env.replay import Replay
from rummy_env.replay.games import Games
from rummy_env.views.text import open_text, seat_text

with extra("replay", "showing records"):
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.keys import Keys

    from rummy_env.replay.screen import MOST_DIGITS, screen
    from rummy_env.replay.text_page import TextPage

HELP = "right, space, n: on · left, p: back · home, end · j: jump · a: play · q: quit"
HELP_GAMES = f"{HELP}\nN, P: next, previous game · l: list"
HELP_LIST = "up, down · enter: show · l: back · q: quit"
SECONDS = 0.8
"""Seconds from step to step while the game plays by itself."""
LISTED = 20
"""Games on the screen of the list, if there is room."""
_FORWARD, _BACK = (Keys.Right, Keys.Down, " ", "n"), (Keys.Left, Keys.Up, Keys.Backspace, "p")
_DIGITS = tuple("0123456789")
_JUMP, _PLAY, _LIST = "j", "a", "l"
_NEXT_GAME, _PREVIOUS_GAME = "N", "P"
_NAMED = (
    *(Keys.Right, Keys.Down, Keys.Left, Keys.Up, Keys.Home, Keys.End),
    *(Keys.Enter, Keys.Escape, Keys.Backspace, Keys.ControlC, Keys.Any),
)


def frame(replay: Replay, step: int, seat: int | None) -> str:
    """One step: the game, the action, and the table after it."""
    record = replay.record
    views, words, _ = replay.shown(step)
    if seat is None:
        table = open_text(views, record.agents)
    else:
        table = seat_text(views[seat], seat, record.agents)
    heading = (
        f"{record.rules.name}, seed {record.seed}, {record.outcome.end}; "
        f"recorded with rummy_env {record.version}"
    )
    return f"{printable(heading)}\nstep {step} of {replay.steps} · {words}\n\n{table}"


def print_all(replay: Replay, first: int, seat: int | None) -> None:
    """Print every step from the first on."""
    for step in range(first, replay.steps + 1):
        print(TextPage(frame(replay, step, seat)).text(), end="\n\n")


class Browser:
    """The screen, and the effect of keys on it.

    Attributes:
        step: The step that is shown.
        game: The number of the game in its file.
        asked: The number typed so far of the step to jump to; None outside that prompt.
        listed: The game that is marked in the list; None where the list is not shown.
        playing: True while the game plays by itself.
        note: An error about the last key.
    """

    def __init__(
        self, games: Games, game: int, replay: Replay, step: int, seat: int | None
    ) -> None:
        self.step, self.game = step, game
        self.asked: str | None = None
        self.listed: int | None = None
        self.playing = False
        self.note = ""
        self._games, self._replay = games, replay
        self._seat = seat

    def text(self, size: Size | None = None) -> str:
        """Return the screen of a terminal of this size, or all that there is to show."""
        return self._page().text(size)

    def _page(self) -> TextPage:
        if self.listed is not None:
            return _list(self._games, self.listed, self.note)
        usual = HELP if len(self._games) == 1 else HELP_GAMES
        asked = usual if self.asked is None else f"step: {self.asked}"
        return TextPage(frame(self._replay, self.step, self._seat), note=self.note, help=asked)

    def tick(self) -> None:
        """Go a step on, while the game plays by itself; it stops at the end."""
        if self.playing:
            self.step = min(self.step + 1, self._replay.steps)
            self.playing = self.step < self._replay.steps

    def press(self, key: str) -> None:
        """Handle a key: a character, or one of `prompt_toolkit.keys.Keys`."""
        self.note = ""
        if self.asked is not None:
            self._answer(key, self.asked)
        elif self.listed is not None:
            self._choose(key, self.listed)
        elif key == _PLAY:
            self.playing = not self.playing
        elif key in (_NEXT_GAME, _PREVIOUS_GAME):
            self._show(self.game + (1 if key == _NEXT_GAME else -1))
        elif key == _LIST:
            self.listed, self.playing = self.game, False
        elif key == _JUMP:
            self.asked, self.playing = "", False
        else:
            self.playing = False
            last = self._replay.steps
            to: dict[str, int] = {
                **dict.fromkeys(_FORWARD, min(self.step + 1, last)),
                **dict.fromkeys(_BACK, max(self.step - 1, 0)),
                **{Keys.Home: 0, Keys.End: last},
            }
            self.step = to.get(key, self.step)

    def _show(self, game: int) -> None:
        """Go to another game of the file."""
        if not 1 <= game <= len(self._games):
            self.note = f"there is no game {game}"
            return
        try:
            replay = self._games.replay(game)
        except (ValueError, OSError) as error:  # the file may be gone since
            self.note = printable(str(error))
            return
        players = replay.record.rules.num_players
        if self._seat is not None and self._seat >= players:
            self.note = f"game {game} has {players} seats, and no seat {self._seat}"
            return
        self._replay, self.game, self.step, self.listed = replay, game, 0, None

    def _choose(self, key: str, listed: int) -> None:
        """Handle a key in the list of games."""
        if key in (_LIST, Keys.Escape):
            self.listed = None
        elif key == Keys.Enter:
            self._show(listed)
        else:
            to: dict[str, int] = {
                **dict.fromkeys((Keys.Up, "p"), listed - 1),
                **dict.fromkeys((Keys.Down, "n"), listed + 1),
                **{Keys.Home: 1, Keys.End: len(self._games)},
            }
            self.listed = min(max(to.get(key, listed), 1), len(self._games))

    def _answer(self, key: str, asked: str) -> None:
        """Handle a key at the prompt for a step."""
        if key == Keys.Backspace:
            self.asked = asked[:-1]
        elif key == Keys.Escape:
            self.asked = None
        elif key in _DIGITS:
            self.asked = (asked + key)[:MOST_DIGITS]
        elif key == Keys.Enter:
            self.asked = None
            if asked and int(asked) <= self._replay.steps:
                self.step = int(asked)
            else:
                self.note = f"{asked!r} is no step: give 0 to {self._replay.steps}"


def _list(games: Games, marked: int, note: str) -> TextPage:
    """Return some games of a file around one of them."""
    first = max(1, min(marked - LISTED // 2, len(games) - LISTED + 1))
    shown = range(first, min(first + LISTED, len(games) + 1))
    lines = [f"{'>' if i == marked else ' '} {i:5}  {games.about(i)}" for i in shown]
    head = f"{len(games)} games"
    return TextPage(head, choices=lines, marked=marked - first, note=note, help=HELP_LIST)


def browse(games: Games, game: int, replay: Replay, step: int, seat: int | None) -> None:
    """Show a game of a file from a step on as keys are pressed, until `q` or Ctrl-C.

    `replay` is the replay of the game of that number.
    """
    browser = Browser(games, game, replay, step, seat)
    app = screen(browser.text, browser.press, _NAMED)

    async def play() -> None:
        while True:
            await asyncio.sleep(SECONDS)
            if browser.playing:
                browser.tick()
                app.invalidate()

    def begin() -> None:
        app.create_background_task(play())

    app.run(pre_run=begin)
