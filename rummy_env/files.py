"""Writing files whole, and holding them."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import FileIO, IOBase
from pathlib import Path
from threading import get_ident
from typing import IO

try:
    import fcntl
except ImportError:  # on Windows, where nothing is held
    fcntl = None  # type: ignore[assignment]


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a path beside this one, with a suffix of its own, for a file that takes its place.

    At every moment the file is the whole old one or the whole new one. Several may write it: the
    last one counts. An OSError names the file that was asked for.
    """
    fresh = path.with_name(f"{path.name}.{os.getpid()}-{get_ident()}.new")
    try:
        yield fresh
        fresh.replace(path)
    except OSError as error:
        if error.filename in (None, str(fresh)):  # a write that failed names no file
            error.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            fresh.unlink()


def remove_unfinished(path: Path) -> None:
    """Remove what processes that were killed while `replacing` a file have left beside it."""
    for fresh in path.parent.glob(f"{path.name}.*-*.new"):
        fresh.unlink()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file by `replacing` it."""
    with replacing(path) as fresh:
        fresh.write_bytes(content)


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON for people to read, whole; what JSON does not know, as text."""
    write_whole(path, (json.dumps(value, indent=2, default=str) + "\n").encode())


def append_lines(file: FileIO, lines: Iterable[str]) -> None:
    """Append lines to a file, open to read and append without a buffer: all of them, or nothing.

    If it ends within a line, they begin a new one. Several processes may append to one file in this
    way; each waits for the others.
    """
    with held(file, wait=True):
        start = "" if ends_whole(file) else "\n"
        rest = memoryview((start + "".join(f"{line}\n" for line in lines)).encode())
        size = file.seek(0, os.SEEK_END)
        try:
            while rest:
                rest = rest[file.write(rest) or 0 :]
        except BaseException:
            file.truncate(size)
            raise


def ends_whole(file: IO[bytes]) -> bool:
    """Return True if a file, open to read and append, is empty or ends with a whole line."""
    file.seek(-min(1, file.seek(0, os.SEEK_END)), os.SEEK_END)
    return file.read(1) in (b"", b"\n")


@contextmanager
def held(file: IOBase, *, wait: bool) -> Iterator[None]:
    """Hold an open file for as long as the block runs, where the system and the file system can.

    However the process ends, the system lets go of it then.

    Raises:
        BlockingIOError: If another process holds the file, and this one is not to wait.
    """
    if fcntl is None:
        yield
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        raise
    except OSError:  # there are file systems without locks
        pass
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)


LOCK = "lock"
"""The file that is held where a folder is for one process alone."""


@contextmanager
def alone(folder: Path, taken: str) -> Iterator[None]:
    """Hold a folder, which exists, for as long as the block runs.

    Raises:
        ValueError: If another process has it; `taken` is what it says.
        OSError: If no file can be written there.
    """
    with ExitStack() as block:
        file = block.enter_context((folder / LOCK).open("wb"))
        try:
            block.enter_context(held(file, wait=False))
        except BlockingIOError as error:
            raise ValueError(taken) from error
        yield
