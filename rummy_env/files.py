"""Writing files whole."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import RawIOBase
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # on Windows, where whoever appends does not wait
    fcntl = None  # type: ignore[assignment]


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is, at every moment, the whole old one or the whole new one."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(content)
    fresh.replace(path)


def append_whole(file: RawIOBase, content: bytes) -> None:
    """Append to a file, which is open without a buffer: all of the content, or nothing of it.

    Several processes may append to one file in this way; each waits for the others.
    """
    with _alone(file):
        size, rest = file.seek(0, os.SEEK_END), memoryview(content)
        try:
            while rest:
                rest = rest[file.write(rest) or 0 :]
        except BaseException:
            file.truncate(size)
            raise


def ends_whole(file: IO[bytes]) -> bool:
    """Return True if a file, open to read and append, is empty or ends with a whole line."""
    file.seek(-min(1, file.seek(0, os.SEEK_END)), os.SEEK_END)
    return file.read() in (b"", b"\n")


@contextmanager
def _alone(file: RawIOBase) -> Iterator[None]:
    """Keep others that append to the file waiting, where the system can."""
    if fcntl is None:
        yield
        return
    with suppress(OSError):  # there are file systems without locks
        fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)
