"""Names in words, and what is missing."""

import importlib

import pytest

from rummy_env.importing import extra


def test_what_is_missing_is_named_by_whoever_needs_it_first() -> None:
    with (
        pytest.raises(ImportError, match=r"a table needs no_such_module: pip install .*play"),
        extra("play", "a table"),
        extra("play", "a server"),
    ):
        importlib.import_module("no_such_module")
