"""What must be the same on all nodes of a cluster: versions, and the code itself."""

import platform
from collections.abc import Iterator, Sequence
from hashlib import file_digest, sha256
from importlib.machinery import ModuleSpec, all_suffixes
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

Build = dict[str, str]
"""Versions and digests of code, by the name of what they belong to."""

ABSENT = "none"
OURS = "rummy_env"
_OF_CODE = tuple(all_suffixes())
LIBRARIES = ("ray", "numpy")
"""Libraries that are compared wherever work is divided."""


def build(packages: Sequence[str], libraries: Sequence[str] = ()) -> Build:
    """Return the versions and digests of the code that runs in this process.

    Args:
        packages: Importable packages or modules whose code is compared.
        libraries: Distributions whose versions are compared, besides `LIBRARIES`.
    """
    told = {"Python": platform.python_version()}
    told |= {name: _version(name) for name in (*LIBRARIES, *libraries)}
    return told | {f"code of {name}": _digest(name) for name in packages}


def differences(mine: Build, theirs: Build) -> str:
    """Describe what differs; empty if nothing does."""
    found = ((name, theirs.get(name, ABSENT), own) for name, own in mine.items())
    return ", ".join(f"{name} {other}, here {own}" for name, other, own in found if other != own)


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ABSENT


def _digest(package: str) -> str:
    """Return the first digits of a hash over the names and contents of a package's files."""
    spec = find_spec(package)
    if spec is None:
        return ABSENT
    found = sha256()
    for name, path in _files(package, spec):
        with path.open("rb") as file:
            found.update(f"{name}\0{file_digest(file, 'sha256').hexdigest()}\n".encode())
    return found.hexdigest()[:12]


def _files(package: str, spec: ModuleSpec) -> Iterator[tuple[str, Path]]:
    """Yield the files of a package with their names in it, or that of a module.

    Of others' packages it is the code alone: runs and data may lie beside it.
    """
    if spec.submodule_search_locations is None:
        if spec.has_location and spec.origin is not None:
            yield package, Path(spec.origin)
        return
    for top in map(Path, spec.submodule_search_locations):
        for path in sorted(top.rglob("*")):
            wanted = package == OURS or path.name.endswith(_OF_CODE)
            if wanted and path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(top).as_posix(), path
