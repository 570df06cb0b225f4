"""Import strings, by which users name what is their own: `"my_games:blind"`."""

import importlib
from typing import Any


def is_import_string(text: str) -> bool:
    """True if a text has the form `module:attribute`."""
    module, _, attribute = text.partition(":")
    return bool(module and attribute)


def imported(what: str, text: str) -> Any:
    """Import the object that an import string names.

    Args:
        what: Its use, for the message, such as `"opponent"`.
        text: `module:attribute`.

    Raises:
        ValueError: If the module or the attribute cannot be imported.
    """
    module, _, attribute = text.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{what} {text!r} cannot be imported: {error}") from error
