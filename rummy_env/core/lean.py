"""One game without the overhead of arrays of one.

Calling NumPy for an array of one element costs some ten times as much as the same operator on a
NumPy scalar, and a single game is nothing but such calls. So functions of views that are made of
operators and indices alone may be given a lean view, and are written once:

    lambda view: view.phase + 1             an array of N games, or the number of one
    lambda view: view.known[:, 1, 0]        the words of N games, or the word of one
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from rummy_env.core.visibility import SeatView


class LeanView:
    """A view of one game, N = 1, whose arrays are scalars, or `Entries` of these."""

    def __init__(self, view: "SeatView") -> None:
        self._view = view.one()

    def __getattr__(self, name: str) -> Any:
        """What the view tells under this name, asked once."""
        entry = getattr(self._view, name)
        found = self.__dict__[name] = Entries(entry) if isinstance(entry, np.ndarray) else entry
        return found


class Entries:
    """An array of one game; an index says nothing of the game, as `[:, 1]` does."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the array with the axis of games."""
        return 1, *self._array.shape

    def __getitem__(self, index: tuple[slice, *tuple[int, ...]]) -> Any:
        found = self._array[index[1:]]
        return Entries(found) if isinstance(found, np.ndarray) else found
