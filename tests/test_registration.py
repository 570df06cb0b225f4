"""PettingZoo's registry; Gymnasium's is in test_gymnasium.py."""

import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence

import rummy_env
from rummy_env.registration import gymnasium_id, pettingzoo_id, register

DOCS = Path(__file__).parents[1] / "docs"

needs_registry = pytest.mark.skipif(
    not hasattr(pettingzoo, "register"), reason="PettingZoo has a registry since 1.27"
)


def told(page: str) -> set[str]:
    """The ids that a page of the documentation names."""
    return set(re.findall(r"rummy_env/\w+-v0", (DOCS / f"{page}.md").read_text(encoding="utf-8")))


@needs_registry
def test_pettingzoo_makes_every_variant_by_its_id(variant: str) -> None:
    made = pettingzoo.make("aec", pettingzoo_id(variant), max_turns=7)
    direct = rummy_env.env(variant, max_turns=7)
    for env in (made, direct):
        env.reset(seed=3)
    assert made.unwrapped.engine.rules == direct.unwrapped.engine.rules
    assert data_equivalence(made.last(), direct.last())


@needs_registry
def test_pettingzoo_ids_are_those_of_the_documentation() -> None:
    ids = {env_id for env_id in pettingzoo.aec_registry if env_id.startswith("rummy_env/")}
    assert (
        ids == {f"rummy_env/{variant}-v0" for variant in rummy_env.VARIANTS} == told("pettingzoo")
    )
    assert pettingzoo.make("aec", "rummy_env/basic_v0").unwrapped.engine.rules.name == "basic"


def test_gymnasium_ids_are_those_of_the_documentation() -> None:
    assert told("gymnasium") == {env_id for env_id in gymnasium.registry if "rummy_env/" in env_id}


@needs_registry
def test_an_unknown_option_is_refused_by_the_registry_s_door_too() -> None:
    with pytest.raises(ValueError, match="basic has no option playerz=3"):
        pettingzoo.make("aec", "rummy_env/basic-v0", playerz=3)


def test_registering_again_changes_nothing_and_does_not_warn(variant: str) -> None:
    before = gymnasium.registry[gymnasium_id(variant)]
    register()
    assert gymnasium.registry[gymnasium_id(variant)] is before


@pytest.mark.parametrize("order", ["gymnasium, rummy_env", "rummy_env, gymnasium"])
def test_ids_are_known_in_whatever_order_things_are_imported(order: str, tmp_path: Path) -> None:
    code = f"import {order}; print(gymnasium.make('rummy_env/Gin-v0', opponents='random').spec.id)"
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "rummy_env/Gin-v0"), done.stderr


def test_a_gymnasium_id_imports_the_package_by_itself(tmp_path: Path) -> None:
    code = "import gymnasium as g; print(g.make('rummy_env:rummy_env/Basic-v0').spec.id)"
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "rummy_env/Basic-v0"), done.stderr
