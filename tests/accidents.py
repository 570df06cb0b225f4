"""What befalls files: code that runs when they are read, and processes that die writing them."""

from pathlib import Path

import pytest


class Explosive:
    """Makes a file when it is unpickled.

    Attributes:
        mark: The file.
    """

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.mark,)


class Crash(Exception):  # noqa: N818  (not an error)
    """The process dies here."""


def crash_at(moment: int, patch: pytest.MonkeyPatch) -> None:
    """Lets the process die at one of the steps by which files are written and put in place.

    Args:
        moment: Which: writing the first file, replacing by it, writing the second and so on.
        patch: What takes this back.
    """
    steps, real = iter(range(moment + 1)), Path.replace

    def half_written(path: Path, content: bytes) -> int:
        last = next(steps) == moment
        with path.open("wb") as file:
            written = file.write(content[: len(content) // 2] if last else content)
        if last:
            raise Crash
        return written

    def replace(fresh: Path, path: Path) -> None:
        if next(steps) == moment:
            raise Crash
        real(fresh, path)

    patch.setattr(Path, "write_bytes", half_written)
    patch.setattr(Path, "replace", replace)
