"""A folder that one server has to itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no such locks; there, nothing is held
    fcntl = None  # type: ignore[assignment]

NAME = "lock"
"""The file that is held; the system lets go of it when the server ends, however it ends."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold a folder, which is made if need be, for as long as the block runs.

    Raises:
        ValueError: If another server has it.
        OSError: If no file can be written there.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / NAME).open("w") as held:
        if fcntl is not None:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise ValueError(
                    f"--folder {folder}: another server keeps its tables there; give another folder"
                ) from error
        yield
