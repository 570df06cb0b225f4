"""The recipes train: in a process of their own, where their library is installed."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import rummy_env
from docs.recipes.against_random import against_random
from rummy_env.core.actions import action_space
from tests.documents import ROOT

RECIPES = ROOT / "docs" / "recipes"
NEEDS = {
    "torchrl": "torchrl",
    "tianshou": "tianshou",
    "rllib": "ray.rllib.algorithms",
    "rllib_self_play": "ray.rllib.algorithms",
    "pytorch": "torch",
}
"""Every recipe with the module that it needs; Ray may be there without what RLlib needs."""

SHARES = r"([\d.]+)% won, ([\d.]+)% not won, ([\d.]+)% cut off"


def installed(module: str) -> bool:
    """Whether a module can be imported, as far as its parents tell."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def script(recipe: str) -> Path:
    """The recipe itself."""
    return RECIPES / f"train_{recipe}.py"


def random_play(
    observations: npt.NDArray[np.int8], masks: npt.NDArray[np.bool_]
) -> npt.NDArray[np.intp]:
    """Any legal action: the same in every run, whatever is seen."""
    draws = np.random.default_rng(int(observations.sum())).random(masks.shape)
    return np.where(masks, draws, -1).argmax(axis=1)


def eager_play(
    observations: npt.NDArray[np.int8], masks: npt.NDArray[np.bool_]
) -> npt.NDArray[np.intp]:
    """Lays down whatever it can."""
    kinds = [action.kind for action in action_space(rummy_env.rules("basic")).actions]
    plays = masks & np.array([kind.startswith(("meld", "lay_off")) for kind in kinds])
    return np.where(plays.any(axis=1), plays.argmax(axis=1), random_play(observations, masks))


def shares(told: str) -> list[float]:
    """What `against_random` says, in percent: won, not won, cut off."""
    found = re.fullmatch(SHARES, told)
    assert found, told
    return [float(share) for share in found.groups()]


@pytest.mark.slow
@pytest.mark.parametrize("recipe", NEEDS)
def test_a_recipe_trains_and_plays_legal_actions_alone(recipe: str, tmp_path: Path) -> None:
    if not installed(NEEDS[recipe]):
        pytest.skip(f"needs {NEEDS[recipe]}")
    done = subprocess.run(
        [sys.executable, str(script(recipe)), "--steps", "400"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told = re.findall(rf"^(before|after): ({SHARES})$", done.stdout, re.MULTILINE)
    assert [moment for moment, *_ in told] == ["before", "after"], done.stdout
    for _, line, *_ in told:
        assert sum(shares(line)) == pytest.approx(100, abs=0.2)


@pytest.mark.slow
def test_random_play_is_level_with_itself_and_eager_play_ahead() -> None:
    won, not_won, cut_off = shares(against_random(random_play, "rummy_env/Basic-v0", 200))
    assert abs(won - not_won) < 15
    assert won + not_won + cut_off == pytest.approx(100, abs=0.2)
    assert shares(against_random(eager_play, "rummy_env/Basic-v0", 200))[0] > 75


def test_an_illegal_action_is_not_passed_over() -> None:
    with pytest.raises(rummy_env.IllegalAction):
        against_random(lambda seen, masks: masks.argmin(axis=1), "rummy_env/Basic-v0", 4)


def test_every_recipe_has_its_page_and_stands_in_the_index() -> None:
    index = (RECIPES / "README.md").read_text(encoding="utf-8")
    assert {page.stem for page in RECIPES.glob("*.md")} == {*NEEDS, "README"}
    assert sorted(RECIPES.glob("train_*.py")) == sorted(map(script, NEEDS))
    for recipe in NEEDS:
        assert f"]({recipe}.md)" in index


@pytest.mark.parametrize("recipe", NEEDS)
def test_a_page_shows_its_script_and_says_how_to_run_it(recipe: str) -> None:
    page = (RECIPES / f"{recipe}.md").read_text(encoding="utf-8")
    name = script(recipe).name
    assert f"```{{literalinclude}} {name}\n" in page
    assert f"[`{name}`]({name})" in page
    assert f"\npython docs/recipes/{name}\n" in page
