"""Defaults of the options of gin, by preset."""

from collections.abc import Mapping
from typing import Any

_STANDARD = {
    "lay_off": "auto",
    "undercut_bonus": 25,
    "undercut_on_tie": True,
    "discard_taken_upcard": False,
    "big_gin": False,
    "wall": "void",
}
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": _STANDARD,
    "eaai": _STANDARD,
    "openspiel": {
        **_STANDARD,
        "lay_off": "manual",
        "undercut_on_tie": False,
        "discard_taken_upcard": True,
        "wall": "knock",
    },
    "rlcard": {**_STANDARD, "lay_off": "none", "undercut_bonus": 0, "undercut_on_tie": False},
}
"""Defaults of options by preset; the standard ones are those of the EAAI challenge.

Source: docs/rules/gin.md#presets
"""
