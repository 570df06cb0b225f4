"""Import strings, by which users name what is their own, and modules that an extra brings."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any


def is_import_string(text: str) -> bool:
    """Return True if a text has the form `module:attribute`."""
    module, _, attribute = text.partition(":")
    return bool(module and attribute)


def imported(what: str, text: str) -> Any:
    """Import the object that an import string names.

    Args:
        what: Its use, for the message, such as `"agent"`.
        text: `module:attribute`.

    Raises:
        ValueError: If the module or the attribute cannot be imported, whatever the module raises.
    """
    module, _, attribute = text.partition(":")
    if module.endswith(".py") or "/" in module or "\\" in module:
        name = PurePath(module).stem
        raise ValueError(
            f"{what} {text!r} names a file: give its module, as in '{name}:{attribute}', from the "
            f"file's folder"
        )
    try:
        return getattr(importlib.import_module(module), attribute)
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        if isinstance(error, ModuleNotFoundError) and error.name == module.partition(".")[0]:
            told += "; run from its folder, or add that to PYTHONPATH"
        raise ValueError(f"{what} {text!r} cannot be imported: {told}") from error


def submodule(package: str, name: str) -> Any:
    """Import a module of a package; an AttributeError, as a module's `__getattr__` has, if none.

    So a package needs not import what takes its time, or an extra, before that is asked for.
    """
    path = f"{package}.{name}"
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}") from None


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Name the extra to install where a module that it brings is missing.

    Args:
        name: Of the extra, such as `"compare"`.
        what: That which needs it, such as `"comparing agents"`.

    Raises:
        ImportError: In place of the one that was met.
    """
    try:
        yield
    except ImportError as error:
        words = f"{what} needs {error.name}: pip install 'rummy-env[{name}]'"
        raise ImportError(words, name=error.name) from error
