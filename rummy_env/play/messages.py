"""Checks whatever a browser sends: a mapping with the entries that it should have, no others."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rummy_env.core.checks import shown
from rummy_env.play.table import Refused

MAX_MESSAGE = 4096
"""Characters of a message from a seat."""
MAX_REQUEST = 1 << 16
"""Bytes of a request for a new table or for an agent's mind."""
_MOST = 1 << 31

KINDS: Mapping[str, Mapping[str, type]] = MappingProxyType(
    {
        "sit": {"token": str, "own": str},
        "play": {"version": int, "action": int},
        "undo": {"version": int},
        "again": {"version": int},
        "melds": {},
        "mind": {"agent": str},
        "coach": {"agent": str},
    }
)
"""The messages of a seat, and their entries besides `type`."""


def read(text: str | bytes | None) -> dict[str, Any]:
    """Return a message of a seat.

    Raises:
        Refused: If it is none of `KINDS`, saying why.
    """
    if not isinstance(text, str):
        raise Refused("send text, no bytes")
    if len(text) > MAX_MESSAGE:
        raise Refused(f"a message has at most {MAX_MESSAGE:,} characters")
    values = parse(text)
    kind = values.pop("type", None)
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refused(f"type={shown(kind)}: send one of {', '.join(KINDS)}")
    check_entries(values, KINDS[kind])
    return {"type": kind, **values}


def parse(text: str | bytes) -> dict[str, Any]:
    """Return a JSON object.

    Raises:
        Refused: If the text is something else.
    """
    try:
        values = json.loads(text)
        json.dumps(values, ensure_ascii=False).encode()  # half a character could not be answered
    except (ValueError, RecursionError):
        raise Refused("this is no JSON") from None
    if not isinstance(values, dict):
        raise Refused("send a JSON object")
    return values


def check_entries(values: Mapping[str, Any], kinds: Mapping[str, Any]) -> None:
    """Refuse entries that are missing, unknown, or not of their type.

    Raises:
        Refused: Naming the entry.
    """
    if missing := [key for key in kinds if key not in values]:
        raise Refused(f"the message lacks {', '.join(missing)}")
    if odd := [key for key in values if key not in kinds]:
        raise Refused(f"the message has {shown(odd)}; it may have {', '.join(kinds) or 'nothing'}")
    for key, value in values.items():
        wrong = isinstance(value, bool) and kinds[key] is int
        if wrong or not isinstance(value, kinds[key]):
            raise Refused(f"{key}={shown(value)}: send a value of type {kinds[key].__name__}")
        if isinstance(value, int) and kinds[key] is int and not -_MOST < value < _MOST:
            raise Refused(f"{key}={shown(value)}: send a number between {-_MOST} and {_MOST}")


def check_version(sent: int, version: int) -> None:
    """Refuse what was meant for an earlier table.

    Raises:
        Refused: If the table has moved on, as after a repeated message.
    """
    if sent != version:
        raise Refused("too late or repeated: the table has moved on")
