"""Colours the text of a table, if the terminal supports it."""

import os
import re
import sys

from rummy_env.core.naming import card_name
from rummy_env.melds.hands import MOST_OF

_RED, _PLAIN, _BOLD, _NOT_BOLD, _YELLOW = (f"\x1b[{code}m" for code in (31, 39, 1, 22, 33))
_RED_CARD = re.compile(r"(?:10|[2-9AJQK])[♦♥]")
_SPECIAL_CARD = re.compile(rf"\b(?:{'|'.join(map(card_name, MOST_OF))})\b")
_MOVER = re.compile(r"^> .*$", re.MULTILINE)


def has_colour() -> bool:
    """Return True if printed text may be coloured.

    `NO_COLOR` forbids it, otherwise `FORCE_COLOR` demands it; otherwise standard output must be a
    terminal with colours. An empty variable counts as unset.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (
        sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    )


def coloured(text: str) -> str:
    """Colour the text of a table: red suits red, special cards yellow, the mover's line bold."""
    text = _RED_CARD.sub(rf"{_RED}\g<0>{_PLAIN}", text)
    text = _SPECIAL_CARD.sub(rf"{_YELLOW}\g<0>{_PLAIN}", text)
    return _MOVER.sub(rf"{_BOLD}\g<0>{_NOT_BOLD}", text)
