"""What a terminal of a given size shows: a table, the log, choices, and the note and help below."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rummy_env.importing import extra
from rummy_env.views.colour import coloured, has_colour

with extra("replay", "showing records"):
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.utils import get_cwidth

FEW = 5
"""Rows of choices that are shown even where the table has to be shortened for them."""
LATEST = 2
"""Rows of the log that are shown even where not all choices are."""
_INDENT = 4 * " "
"""Begins the rows in which a long line goes on."""
_BESIDE = "\0"
"""Stands for the second column of a wide character."""


@dataclass(frozen=True)
class TextPage:
    """The parts of a screen, from top to bottom.

    Attributes:
        table: What the page is about.
        log: What has happened, the latest last.
        choices: What can be chosen.
        marked: The number of the choice that is shown whatever the size.
        more: What ends a list that does not show all choices.
        note: An answer to the last key.
        help: What the keys do.
    """

    table: str
    log: Sequence[str] = ()
    choices: Sequence[str] = ()
    marked: int = 0
    more: str = ""
    note: str = ""
    help: str = ""

    def text(self, size: Size | None = None) -> str:
        """Return the page as a terminal of this size shows it; the whole page without a size."""
        text = self._whole() if size is None else self._fitted(size)
        return coloured(text) if has_colour() else text

    def _whole(self) -> str:
        foot = "\n".join(filter(None, [self.note, self.help]))
        parts = [self.table, "\n".join(self.log), "\n".join(self.choices), foot]
        return "\n\n".join(filter(None, parts))

    def _fitted(self, size: Size) -> str:
        """Return as many rows as the terminal has, the note and the help in the last ones."""
        note = shortened(self.note, max(size.rows // 4, 1), size.columns)
        foot = [*note, *_rows(self.help.split("\n"), size.columns)][-size.rows :]
        room = size.rows - len(foot)
        body = self._body(room, size.columns)
        return "\n".join([*body, *[""] * (room - len(body)), *foot])

    def _body(self, room: int, columns: int) -> list[str]:
        """Return table, log and choices, with a blank row before each but the first."""
        choices, log = _rows(self.choices, columns), _rows(self.log, columns)
        table = shortened(self.table, room - min(_block(choices), FEW + 1), columns)
        room -= len(table)
        latest = min(_block(log), LATEST + 1)
        for_choices = min(_block(choices), room, max(room - latest, FEW + 1))
        for_log = min(_block(log), room - for_choices)
        if for_log > 1:
            table += ["", *log[1 - for_log :]]
        if for_choices > 1:
            above = len(_rows(self.choices[: self.marked], columns))
            table += ["", *_window(choices, above, for_choices - 1, self.more)]
        return table


def shortened(text: str, most: int, columns: int) -> list[str]:
    """Return a text in at most so many rows.

    Blank rows go first, then the rows in which long lines go on, then whole lines, from below.
    """
    blocks = [_wrapped(line, columns) for line in text.split("\n")]
    rows = [row for block in blocks for row in block]
    goes_on = [part > 0 for block in blocks for part in range(len(block))]
    in_turn = sorted(range(len(rows)), key=lambda i: (rows[i] != "", not goes_on[i], -i))
    gone = {*in_turn[: max(len(rows) - most, 0)]}
    cut = {i - 1 for i in gone if goes_on[i]} - gone
    return [
        f"{row[: columns - 2]} …" if i in cut else row
        for i, row in enumerate(rows)
        if i not in gone
    ]


def _rows(lines: Iterable[str], columns: int) -> list[str]:
    return [row for line in lines for row in _wrapped(line, columns)]


def _wrapped(line: str, columns: int) -> list[str]:
    """Return the rows that a line takes, broken between words; wide characters count twice."""
    padded = "".join(char + _BESIDE * (get_cwidth(char) - 1) for char in line)
    for width in (columns, columns - 1):  # one less, if a wide character would be cut in two
        wrapped = textwrap.wrap(
            padded, max(width, 1), subsequent_indent=_INDENT, break_on_hyphens=False
        )
        rows = [row.replace(_BESIDE, "") for row in wrapped]
        if all(get_cwidth(row) <= columns for row in rows):
            break
    return rows or [""]


def _block(rows: Sequence[str]) -> int:
    """Return the rows that a part takes with the blank one before it."""
    return len(rows) + 1 if rows else 0


def _window(rows: list[str], marked: int, most: int, more: str) -> list[str]:
    """Return at most so many rows, the marked one among them; `more` ends a list that is cut."""
    if len(rows) <= most:
        return rows
    end = [more] if more and most > 1 else []
    count = most - len(end)
    first = max(0, min(marked - count // 2, len(rows) - count))
    return [*rows[first : first + count], *end]
