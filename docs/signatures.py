"""Types of arrays in the API as people write them: `ndarray[int8]`, `ArrayLike`."""

import re
from itertools import accumulate

import numpy.typing as npt
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.typing import stringify_annotation

ARRAY_LIKE = re.sub(r"~[\w.]*\.(\w+)", r"\1", stringify_annotation(npt.ArrayLike, "smart"))
WORDY = (
    (re.compile(r"ndarray\[tuple\[Any, \.\.\.\], dtype\[(\w+)(?:\[Any\])?\]\]"), r"ndarray[\1]"),
    (re.compile(re.escape(ARRAY_LIKE)), "ArrayLike"),
)
"""How Sphinx writes types, and how to write them instead."""


def shorten(app: Sphinx, doctree: nodes.document) -> None:
    """Replace wordy types wherever a signature has them, part by part."""
    for element in doctree.findall(nodes.Element):
        for wordy, short in WORDY:
            while _replaced_last(element, wordy, short):
                pass


def _replaced_last(element: nodes.Element, wordy: re.Pattern[str], short: str) -> bool:
    """Replace the last place where the children of an element together have such a type."""
    texts = [child.astext() for child in element.children]
    ends = list(accumulate(map(len, texts)))
    starts = [0, *ends[:-1]]
    for found in reversed(list(wordy.finditer("".join(texts)))):
        if found.start() in starts and found.end() in ends:
            first, last = starts.index(found.start()), ends.index(found.end())
            if first < last:
                element[first : last + 1] = [addnodes.desc_sig_name("", found.expand(short))]
                return True
    return False


def setup(app: Sphinx) -> dict[str, bool]:
    """Enter the extension into Sphinx."""
    app.connect("doctree-read", shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
