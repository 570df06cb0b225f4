"""What stands in the documentation: blocks of code, commands, and commands named in passing."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED = re.compile(r"[Ss]ave this as `(\w+\.py)`[^`]*\Z")
"""The end of the text before a block that the reader is told to keep in a file."""
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
COMMANDS = ("sh", "bash", "console", "shell")


class Block(NamedTuple):
    """A fenced block.

    Attributes:
        language: As the page has it; empty where it says none.
        text: What stands in it.
        file: The file that the page says to save it in; empty for none.
    """

    language: str
    text: str
    file: str


def pages() -> list[Path]:
    """Every page that people wrote; kept results are written by commands."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    return sorted(page for page in found if ROOT / "docs" / "results" not in page.parents)


def title(page: Path) -> str:
    """What a test on a page is called."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in their order."""
    text = page.read_text(encoding="utf-8")
    for fence in FENCE.finditer(text):
        saved = SAVED.search(text[: fence.start()])
        yield Block(fence[1], fence[2], saved[1] if saved else "")


def commands(page: Path) -> list[str]:
    """What a page tells the reader to type in a shell, without comments and prompts."""
    return [
        shlex.join(words)
        for block in blocks(page)
        if block.language in COMMANDS
        for line in block.text.replace("\\\n", " ").splitlines()
        if block.language != "console" or line.startswith("$ ")
        if (words := shlex.split(line.removeprefix("$ "), comments=True))
    ]


def mentioned(page: Path) -> list[str]:
    """All commands that a page names: to be typed, in passing, or as how something was made."""
    text = page.read_text(encoding="utf-8")
    plain = [
        line for block in blocks(page) if not block.language for line in block.text.split("\n")
    ]
    inline = INLINE.findall(FENCE.sub("", text))
    named = [code.replace("\n", " ") for code in (*plain, *inline)]
    starts = ("python -m ", "rummy-env ", "python docs/", "make ", "pip install ")
    return [*commands(page), *(code for code in named if code.startswith(starts))]
