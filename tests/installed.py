"""Installations of the package from a wheel, outside the checkout."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import ROOT

SOURCES = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")


def bare(**more: str) -> dict[str, str]:
    """The environment variables, without those that would lead back to the checkout, and more."""
    return {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | more


def run(python: Path, code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a piece of Python in an empty folder, warnings being errors."""
    command = [str(python), "-W", "error", "-c", code]
    return subprocess.run(command, cwd=folder, env=bare(), capture_output=True, text=True)


def environment(folder: Path) -> Path:
    """Makes a virtual environment in a folder; its Python."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    return folder / "venv" / "bin" / "python"


def sources(folder: Path) -> Path:
    """Copies what a wheel is built from into a folder; where that is."""
    source = folder / "source"
    shutil.copytree(ROOT / "rummy_env", source / "rummy_env")
    for name in SOURCES:
        shutil.copy(ROOT / name, source)
    return source


def installed(folder: Path, **variables: str) -> Path:
    """Builds the wheel, and installs it with what it needs into a virtual environment.

    Returns its Python; skips the test where pip reaches no index.
    """
    python = environment(folder)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--retries", "0"]
    install = [*pip, "--disable-pip-version-check", "-c", str(ROOT / "constraints.txt")]
    command = [*install, str(sources(folder))]
    done = subprocess.run(command, env=bare(**variables), capture_output=True, text=True)
    if done.returncode:
        skip_without_index(python)
        pytest.fail(done.stderr)
    return python


def skip_without_index(python: Path) -> None:
    """Skips the test where pip reaches no index."""
    asked = ["-m", "pip", "install", "--quiet", "--retries", "0", "--dry-run", "--no-deps", "numpy"]
    if subprocess.run([str(python), *asked], env=bare()).returncode:
        pytest.skip("pip reaches no index: nothing can be installed")
