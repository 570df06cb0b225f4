"""What building the wheel adds: with `RUMMY_ENV_COMPILE=1`, the modules that play are compiled.

Cython compiles the files as they stand, so there is one source for both. Such a wheel is for one
platform and one version of Python.
"""

import os
from contextlib import chdir
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "RUMMY_ENV_COMPILE"
PLAY = [f"rummy_env/{folder}/*.py" for folder in ("core", "envs", "parts", "views")]
PLAY.append("rummy_env/melds/**/*.py")
FLAGS = ["-O2", "-g0"] if os.name == "posix" and "CFLAGS" not in os.environ else []
"""Unless the variable of every C compiler says otherwise."""


class Compiled(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled modules, where they are asked for."""

    def dependencies(self) -> list[str]:
        """Return what compiling needs."""
        return ["cython>=3.1", "setuptools>=77"] if asked() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, before the wheel is put together."""
        if not asked():
            return
        if version == "editable":
            raise ValueError(
                f"{VARIABLE}=1 with an editable install: compiled modules would hide your edits; "
                f"install without --editable, or without {VARIABLE}"
            )
        with chdir(self.root):
            build_data["force_include"] |= compile_modules(Path("build", "compiled"))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def asked() -> bool:
    """Whether to compile."""
    value = os.environ.get(VARIABLE, "0")
    if value not in ("0", "1"):
        raise ValueError(f"{VARIABLE}={value!r}: give 1 to compile, or 0")
    return value == "1"


def compile_modules(folder: Path) -> dict[str, str]:
    """Compile into a folder; return every file made, with its place in the wheel."""
    from Cython.Build import cythonize
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    modules = cythonize(
        PLAY,
        exclude=["**/__init__.py"],
        build_dir=str(folder),
        language_level=3,
        compiler_directives={"annotation_typing": False},  # where one says int, NumPy's may come
        quiet=True,
    )
    for module in modules:
        module.extra_compile_args = FLAGS
    command = build_ext(Distribution({"ext_modules": modules}))
    command.build_lib = command.build_temp = str(folder)
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()
    return {made: str(Path(made).relative_to(folder)) for made in command.get_outputs()}
