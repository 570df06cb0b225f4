"""Models as files: `NAME.npz`, the arrays of a network, and `NAME.json`, its card.

Nothing in either file is ever run, and sizes are checked before numbers are read: a stranger's file
can do no harm.
"""

import io
import zipfile
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.networks import Arrays
from rummy_env.core.arrays import Float32s
from rummy_env.files import write_whole

SUFFIX = ".npz"
MAX_NUMBERS = 1 << 25
_MARGIN = 1 << 16
"""Bytes by which a file may be larger than its numbers."""
_STORED = (np.float32, np.float16)
"""The types in which numbers are stored; computations use the first of them."""


def check_path(path: Path) -> None:
    """Refuse, by a ValueError, all but the path of a `.npz` that exists."""
    if path.suffix == ".zip":
        raise ValueError(
            f"{path}: a zip of Stable-Baselines3 can run code when it is opened, so it is not; if "
            f"you trust it, make a model of it: see docs/adding_an_agent.md#a-trained-agent"
        )
    if path.suffix != SUFFIX or not path.is_file():
        raise ValueError(f"{path}: there is no such model; give the path of a {SUFFIX}")


def read_arrays(path: Path, shapes: dict[str, tuple[int, ...]]) -> dict[str, Float32s]:
    """Return the arrays of a model, refused if they are not those of its card, or are larger."""
    try:
        size = sum(map(prod, shapes.values()))
        if size > MAX_NUMBERS:
            raise ValueError(f"a network of {size:,} numbers; at most {MAX_NUMBERS:,} are read")
        if path.stat().st_size > 4 * size + _MARGIN:
            raise ValueError(f"it is larger than the {size:,} numbers of its card")
        with zipfile.ZipFile(path) as archive:
            return {name: _array(archive, name, shape) for name, shape in shapes.items()}
    except Exception as error:  # a damaged archive can make zipfile raise almost anything
        raise ValueError(
            f"{path}: is no model of the card beside it: {error}; copy both files again, or save "
            f"the model again"
        ) from error


def _array(archive: zipfile.ZipFile, name: str, shape: tuple[int, ...]) -> Float32s:
    """One array, checked against its shape before any of its numbers are read."""
    member = f"{name}.npy"
    if member not in archive.namelist():
        raise ValueError(f"the array {name!r} is missing")
    info = archive.getinfo(member)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"the array {name!r} is compressed in a way that is not read")
    if info.file_size > 4 * prod(shape) + _MARGIN:
        raise ValueError(f"the array {name!r} is larger than {shape} float32")
    with archive.open(info) as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError(f"the array {name!r} is of another version of the format npy")
        found, _, dtype = np.lib.format.read_array_header_1_0(file)
        if found != shape or dtype not in _STORED:
            raise ValueError(f"the array {name!r} is {dtype}{found}, not float32{shape}")
        file.seek(0)
        numbers: Float32s = np.lib.format.read_array(file, allow_pickle=False)
    if not np.isfinite(numbers).all():
        raise ValueError(f"the array {name!r} has entries that are not finite")
    return np.ascontiguousarray(numbers, np.float32)


def write_model(path: str | Path, card: ModelCard, arrays: Arrays, *, half: bool = False) -> None:
    """Write a `.npz` and its card beside it; at every moment the model is old, new, or absent.

    Args:
        path: The `.npz`.
        card: The card.
        arrays: The arrays of its network, float32.
        half: True to round them to half precision: a file of half the size, which chooses
            differently where two actions are as good as equal.

    Raises:
        ValueError: If the arrays are not those of the card, finite and float32, or are too large to
            be rounded, or if the path is not that of a `.npz` in a folder that exists.
    """
    path = Path(path)
    if path.suffix != SUFFIX or not path.parent.is_dir():
        raise ValueError(f"{path}: give a path that ends in {SUFFIX}, in a folder that exists")
    _check_arrays(path, card, arrays)
    stored, text, beside = io.BytesIO(), card.text().encode(), card.path(path)
    np.savez(stored, **dict[str, Any](_halves(path, arrays) if half else arrays))
    if beside.is_file() and beside.read_bytes() != text:
        beside.unlink()  # between the two replacements, it would belong to other arrays
    write_whole(path, stored.getvalue())
    write_whole(beside, text)


def _check_arrays(path: Path, card: ModelCard, arrays: Arrays) -> None:
    """Refuse arrays that are not those of the card, naming the first that differs."""
    wanted = card.shapes
    for name in (*wanted, *arrays):
        if name not in arrays or name not in wanted:
            there = "is missing" if name in wanted else "is none of the card's"
            raise ValueError(f"{path}: the array {name!r} {there}; give {', '.join(wanted)}")
        found = np.asarray(arrays[name])
        if found.shape != wanted[name] or found.dtype != np.float32:
            has = f"is {found.dtype}{found.shape}"
            raise ValueError(f"{path}: the array {name!r} {has}; give float32{wanted[name]}")
        if not np.isfinite(found).all():
            raise ValueError(f"{path}: the array {name!r} has entries that are not finite")


def _halves(path: Path, arrays: Arrays) -> dict[str, npt.NDArray[np.float16]]:
    """Return the arrays, rounded to half precision."""
    for name, numbers in arrays.items():
        most = np.abs(numbers).max()
        if most > np.finfo(np.float16).max:
            raise ValueError(
                f"{path}: {name!r} has numbers up to {most:.3g}, and half precision ends at "
                f"{np.finfo(np.float16).max:.0f}; write it without `half`"
            )
    return {name: numbers.astype(np.float16) for name, numbers in arrays.items()}
