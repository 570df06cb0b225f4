"""A folder that one server has to itself."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rummy_env.files import held

NAME = "lock"
"""The file that is held."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold a folder, which is made if need be, for as long as the block runs.

    Raises:
        ValueError: If another server has it.
        OSError: If no file can be written there.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with ExitStack() as block:
        file = block.enter_context((folder / NAME).open("wb"))
        try:
            block.enter_context(held(file, wait=False))
        except BlockingIOError as error:
            raise ValueError(
                f"--folder {folder}: another server keeps its tables there; give another folder"
            ) from error
        yield
