"""Writing files whole."""

import os
from io import RawIOBase
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is, at every moment, the whole old one or the whole new one."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(content)
    fresh.replace(path)


def append_whole(file: RawIOBase, content: bytes) -> None:
    """Append to a file, which is open without a buffer: all of the content, or nothing of it."""
    size, rest = file.seek(0, os.SEEK_END), memoryview(content)
    try:
        while rest:
            rest = rest[file.write(rest) or 0 :]
    except BaseException:
        file.truncate(size)
        raise
