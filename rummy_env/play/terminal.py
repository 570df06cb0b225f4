"""A table in the terminal: the text of the table, and the legal moves to choose from."""

import shlex
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rummy_env.core.naming import action_name, card_name
from rummy_env.importing import extra, is_import_string
from rummy_env.play.journal import GAMES, Journal
from rummy_env.play.melds_found import melds_in_hand
from rummy_env.play.minds import coach, think
from rummy_env.play.orders import Order
from rummy_env.play.seats import Agent, Person, cannot_go_on
from rummy_env.play.table import NOBODY, Entry, Refused, Table
from rummy_env.records.record import Record, check_recordable
from rummy_env.views.text import seat_text

with extra("play", "playing in the terminal"):
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.keys import Keys

    from rummy_env.replay.screen import MOST_DIGITS, interactive, screen
    from rummy_env.replay.text_page import TextPage

HELP = "up, down, number: choose · enter: play · u: undo · m: melds · h: hint · q: quit"
OVER = "enter: the next game · c: coach · q: quit"
COACHED = "up, down: other decisions · enter: the next game · c: the table · q: quit"
LINES = 12
"""Lines of the log that are shown, if there is room."""

_UP, _DOWN = (Keys.Up, "k"), (Keys.Down, "j", " ")
_NAMED = (Keys.Up, Keys.Down, Keys.Enter, Keys.Backspace, Keys.ControlC, Keys.Any)
_MOST = 10_000
"""Actions that agents play in a row before a key is read again."""


class Sitting:
    """People and agents at one table in one terminal.

    Where several people play, a page without cards comes between them, so that each sees only
    what the own seat may know.

    Attributes:
        table: The table.
        note: An answer to the last key.
        failure: What an agent raised last, if any has.
    """

    failure: Exception | None = None

    def __init__(
        self, order: Order, on_record: Callable[[Record], object] = lambda record: None
    ) -> None:
        """Set the table.

        Args:
            order: The rules, the seats, of which one at least is for a person, and the seed.
            on_record: Told the record of every game that ends.
        """
        self._on_record = on_record
        self.table = Table(order.rules, order.seats, order.seed)
        people = [i for i, seat in enumerate(order.seats) if isinstance(seat, Person)]
        self._people = people
        self._seat = people[0]
        self._at = 0
        self._typed = ""
        self.note = ""
        self._covered = len(people) > 1
        self._lessons: list[str] = []
        self._let_agents_play()
        if self.table.mover in people:
            self._seat = self.table.mover

    def legal(self) -> list[int]:
        """Return the legal actions of the seat that is shown, if it is to move."""
        if self.table.mover != self._seat:
            return []
        return [int(action) for action in self.table.engine.legal_mask()[0].nonzero()[0]]

    def text(self, size: Size | None = None) -> str:
        """Return the screen of a terminal of this size, or all that there is to show."""
        return self._page().text(size)

    def _page(self) -> TextPage:
        if self._covered:
            name = self.table.names[self._seat]
            return TextPage(f"{name}, it is your turn: press a key when you are alone.")
        if self._lessons:
            return self._list(self._lessons[0], (), COACHED)
        names = [seat.name for seat in self.table.seats]
        table = seat_text(self.table.engine.look(self._seat), self._seat, names)
        log = [*map(self._told, self.table.log[-LINES:])]
        return self._list(table, log, OVER if self.table.finished else HELP)

    def _list(self, table: str, log: Sequence[str], foot: str) -> TextPage:
        """Return a page with what can be chosen, the chosen one marked."""
        words = self._choices()
        lines = [f"{'>' if i == self._at else ' '} {i + 1:3}  {w}" for i, w in enumerate(words)]
        more = f"       ... {len(lines)} in all"
        note = self.note or self._trouble
        return TextPage(table, log, lines, self._at, more, note=note, help=foot)

    def _told(self, entry: Entry) -> str:
        who = "" if entry.seat == NOBODY else f"{self.table.names[entry.seat]}: "
        return f"  {who}{entry.words}"

    def _choices(self) -> list[str]:
        """Return the legal moves in words; with the coach, the lessons."""
        engine = self.table.engine
        return self._lessons[1:] or [action_name(engine.describe(each)) for each in self.legal()]

    def press(self, key: str) -> None:
        """Handle a key: a character, or one of `prompt_toolkit.keys.Keys`."""
        if self._covered:
            self._covered = False
            return
        self.note = ""
        key = key.lower() if len(key) == 1 else key
        count = len(self._choices())
        if key in _UP and count:
            self._choose((self._at - 1) % count)
        elif key in _DOWN and count:
            self._choose((self._at + 1) % count)
        elif len(key) == 1 and key.isdecimal():
            self._type((self._typed + key)[:MOST_DIGITS])
        elif key == Keys.Backspace:
            self._type(self._typed[:-1])
        elif key == Keys.Enter:
            self._enter()
        else:
            self._ask(key)

    def take_line(self, line: str) -> None:
        """Do what a line says: a number or the words of a move, a key, or nothing for enter.

        Between two people any line shows the cards, and does nothing else.
        """
        if self._covered:
            self.press(Keys.Enter)
            return
        words = [each.lower() for each in self._choices()]
        if line.lower() in words:
            line = str(words.index(line.lower()) + 1)
        if len(line) > 1 and not line.isdecimal():
            self.note = f"{line:.40} is no move here, no number and no key"
            return
        for key in line:
            self.press(key)
        if line.isdecimal() or not line:
            self.press(Keys.Enter)

    def _choose(self, at: int) -> None:
        self._at, self._typed = at, ""

    def _type(self, typed: str) -> None:
        """Choose by number; the note tells if there is no such number."""
        self._typed, count = typed, len(self._choices())
        if not typed:
            return
        if 1 <= int(typed) <= count:
            self._at = int(typed) - 1
        else:
            self.note = (
                f"there is no number {typed}, but 1 to {count}" if count else "nothing to choose"
            )

    def _enter(self) -> None:
        """Play the chosen move, or deal the next game; nothing after a number that is none."""
        legal = self.legal()
        if self._typed and (self.table.finished or int(self._typed) != self._at + 1):
            self._type(self._typed)
            self._typed = ""
            return
        if self.table.finished:
            self._lessons = []
            self.table.again()
            self._covered = len(self._people) > 1  # everybody looked at the end of the last game
        elif legal:
            self.table.play(self._seat, legal[self._at])
        self._moved_on()

    def _ask(self, key: str) -> None:
        match key:
            case "u":
                self._undo()
            case "m":
                view = self.table.engine.look(self._seat)
                melds = [" ".join(map(card_name, meld)) for meld in melds_in_hand(view)]
                self.note = "melds: " + (" | ".join(melds) or "none")
            case "h" if self.legal():
                self._ask_agent(self._hint)
            case "c" if self._lessons:
                self._lessons = []
                self._choose(0)
            case "c" if self.table.finished:
                self._ask_agent(self._coach)
            case _ if len(key) == 1:
                self.note = f"no key {key!r} here"

    def _undo(self) -> None:
        try:
            self.table.undo(self._seat)
        except Refused as error:
            self.note = str(error)
        else:
            self._trouble = ""
            self._choose(0)

    def _ask_agent(self, about: Callable[[Agent], None]) -> None:
        """Ask the first agent at the table about something; the note tells if that fails."""
        agent = next((seat for seat in self.table.seats if isinstance(seat, Agent)), None)
        if agent is None:
            self.note = "no agent sits here that could be asked"
            return
        try:
            about(agent)
        except Exception as error:  # an agent may raise anything
            self.note = f"{agent.name} cannot say: {type(error).__name__}: {error}"

    def _hint(self, agent: Agent) -> None:
        (*_, thought) = think(agent.policy, self.table.engine)
        words = action_name(self.table.engine.describe(thought.chosen))
        self.note = f"{agent.name} would {words}"

    def _coach(self, agent: Agent) -> None:
        """Show the decisions that an agent would have taken otherwise."""
        lines = [*coach(agent.policy, self.table.record(), self._seat)]
        other = [line for line in lines if not line["same"]]
        head = f"{len(lines) - len(other)} of {len(lines)} decisions as {agent.name} would"
        several = lines[-1]["hand"] > 1 if lines else False
        self._lessons = [head, *(_lesson(line, several) for line in other)]
        self._choose(0)

    def _moved_on(self) -> None:
        self._choose(0)
        self._let_agents_play()
        mover = self.table.mover
        if mover in self._people and mover != self._seat:
            self._seat, self._covered = mover, True

    def _let_agents_play(self) -> None:
        """Play for agents until a person is to move, the game is over, or an agent fails.

        A game that is over is recorded, whoever ended it.
        """
        self._trouble = ""
        for _ in range(_MOST):
            if (agent := self.table.agent_to_move) is None:
                break
            try:
                self.table.play(self.table.mover, self.table.choice(agent))
            except Exception as error:  # an agent may raise anything
                self.failure = error
                name = self.table.names[self.table.mover]
                self._trouble = f"{cannot_go_on(name, error)}: {error}"
                break
        if self.table.finished:
            self._on_record(self.table.record())


def _lesson(line: Mapping[str, Any], several_hands: bool) -> str:
    """Return in words what an agent would have done otherwise, and what the choice gave away."""
    hand = f"hand {line['hand']}, " if several_hands else ""
    cost = "" if line["cost"] is None else f" (by {line['cost']:.2f} {line['unit']})"
    return f"{hand}turn {line['turn']}: {line['yours']}; it: {line['coach']}{cost}"


def _play_by_lines(sitting: Sitting) -> None:
    """Play by what is read line by line, such as from a pipe."""
    print(sitting.text(), flush=True)
    for line in map(str.strip, sys.stdin):
        if line.lower() == "q":
            break
        sitting.take_line(line)
        print(f"\n{sitting.text()}", flush=True)


def play_in_terminal(order: Order, folder: Path) -> int:
    """Play in the terminal until `q` or Ctrl-C; return the exit code of the command.

    The records of finished games are kept in the folder, with those of the browser. Where there is
    no terminal, lines are read in place of keys.
    """
    check_recordable(order.rules)
    journal, kept = Journal(folder), list[Record]()

    def keep(record: Record) -> None:
        journal.keep(record)
        kept.append(record)

    sitting = Sitting(order, keep)
    if interactive():
        screen(sitting.text, sitting.press, _NAMED).run()
    else:
        _play_by_lines(sitting)
    if sitting.failure is not None:
        traceback.print_exception(sitting.failure)
    if kept and journal.flush():
        own = f" --variant {order.rules.name}" * is_import_string(order.rules.name)
        shown = f"rummy-env replay {shlex.quote(str(folder / GAMES))}{own}"
        print(f"games kept: {len(kept)}; {shown}")
    return 0
