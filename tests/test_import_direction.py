"""Imports point one way: what stands left in the order never imports what stands right of it."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ORDER = [
    "rummy_env.version",
    "rummy_env.files",
    "rummy_env.importing",
    "rummy_env.core",
    "rummy_env.melds",
    "rummy_env.parts",
    "rummy_env.variants",
    "rummy_env.views",
    "rummy_env.baselines",
    "rummy_env.search",
    "rummy_env.records",
    "rummy_env.envs",
    "rummy_env.registration",
    "rummy_env.workers",
    "rummy_env.command_line",
    "rummy_env.checking",
    "rummy_env.evaluation",
    "rummy_env.replay",
    "rummy_env.play",
    "rummy_env",
    "rummy_env.__main__",
    "agents",
    "training",
    "benchmarks",
    "notebooks",
]
"""From left to right; `rummy_env` by itself is the public door."""

HEAVY = (
    *("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "scipy", "matplotlib"),
    *("pygame", "PIL", "rich", "tyro", "prompt_toolkit", "sphinx", "starlette", "uvicorn"),
    "ray",
)
"""What the core dependencies do not bring."""


def modules() -> dict[str, Path]:
    """Every module of the project with its file."""
    tops = sorted({name.split(".")[0] for name in ORDER})
    files = [path for top in tops for path in sorted((ROOT / top).rglob("*.py"))]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in files}


def imports(path: Path, module: str) -> Iterator[str]:
    """What a file imports anywhere, also inside functions."""
    package = module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            yield from (layer_name(f"{source}.{alias.name}") for alias in node.names)


def layer_name(module: str) -> str:
    """The entry of the order that a module of the project belongs to; others stay as they are."""
    fitting = [name for name in ORDER if f"{module}.".startswith(f"{name}.")]
    return max(fitting, key=len, default=module)


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_nothing_that_stands_right_of_it(module: str) -> None:
    mine = ORDER.index(layer_name(module))
    for imported in imports(modules()[module], module):
        name = layer_name(imported)
        if name in ORDER:
            assert ORDER.index(name) <= mine, f"{module} imports {imported}"


def test_every_module_of_the_package_has_a_place_in_the_order() -> None:
    placed = {module: layer_name(module) for module in modules() if module.startswith("rummy_env.")}
    lost = [m for m, name in placed.items() if name == "rummy_env" and m != "rummy_env.__init__"]
    assert not lost, f"give {lost} a place in ORDER"


@pytest.mark.parametrize("module", [m for m in modules() if layer_name(m) in ORDER[:4]])
def test_the_rules_need_numpy_alone(module: str) -> None:
    allowed = {*sys.stdlib_module_names, "numpy", "rummy_env"}
    tops = {imported.split(".")[0] for imported in imports(modules()[module], module)}
    assert tops <= allowed


def test_importing_the_package_brings_in_nothing_heavy() -> None:
    code = f"import sys, rummy_env; print(*sorted(set({HEAVY}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr


def test_the_order_stands_in_the_documentation_as_it_is_held() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    printed = page.partition("```text\nrummy_env.version")[2].partition("```")[0]
    assert f"rummy_env.version{printed}".replace("→", " ").split() == ORDER
