"""Saved policies as agents: what their cards say, how they choose, what is refused."""

import dataclasses
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

import rummy_env
from agents.network import TrunkPolicy
from agents.saved import PolicyCard, Saved
from rummy_env import Engine, Rules
from rummy_env.core.bits import Rows
from rummy_env.envs.sb3 import RummyVecEnv
from tests.policies import decisions, many_decisions, running
from tests.rollout import dealt
from training.arguments import load_agent

SMALL_RULES = rummy_env.rules("basic", hand_size=3, max_turns=40)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that has learned nothing, saved with its card."""
    path: Path = tmp_path_factory.mktemp("model") / "small.zip"
    given: Any = {"policy_kwargs": {"hidden": (16,)}, "n_steps": 8, "batch_size": 8, "seed": 1}
    MaskablePPO(TrunkPolicy, RummyVecEnv(SMALL_RULES, 2), **given).save(path)
    PolicyCard.of(SMALL_RULES).save(path)
    return path


def copied(model: Path, folder: Path, **changes: Any) -> Path:
    """The model elsewhere, with changes to its card."""
    path = folder / model.name
    path.write_bytes(model.read_bytes())
    dataclasses.replace(PolicyCard.load(model), **changes).save(path)
    return path


def asked(agent: Saved, rules: Rules) -> Rows:
    """What a saved policy does at the beginning of a game."""
    return decisions(agent, dealt(rules, 3), np.arange(3))


@pytest.mark.parametrize("deterministic", [True, False])
def test_a_model_named_on_the_command_line_plays_as_told(model: Path, deterministic: bool) -> None:
    agent = load_agent(str(model), deterministic=deterministic)
    assert isinstance(agent, Saved)
    assert agent.deterministic == deterministic


def test_a_card_tells_what_the_policy_plays(model: Path) -> None:
    card = json.loads(PolicyCard.path(model).read_text())
    assert card["rummy_env"] == rummy_env.__version__
    assert card["variant"] == "basic"
    assert card["options"] == dict(SMALL_RULES.options)
    assert card["num_actions"] == Engine(SMALL_RULES).num_actions
    assert PolicyCard.load(model) == PolicyCard.of(SMALL_RULES)


def test_a_saved_policy_plays_legally_to_the_end(model: Path) -> None:
    agent, engine = Saved(model), dealt(SMALL_RULES, 20)
    while (rows := running(engine)).size:
        engine.step(decisions(agent, engine, rows), rows)
    assert engine.terminated.any()


def test_drawing_follows_the_probabilities_of_the_network(model: Path) -> None:
    agent = Saved(model)
    engine = dealt(SMALL_RULES, 1, steps=1)
    chances = agent.probabilities(engine.look(engine.to_move), engine.legal_mask())[0]
    actions = many_decisions(agent, engine, 4000)
    often = np.bincount(actions, minlength=len(chances)) / 4000
    assert np.abs(often - chances).max() < 5 * np.sqrt(0.25 / 4000)
    assert len(set(actions.tolist())) > 1


def test_a_deterministic_policy_plays_its_likeliest_action(model: Path) -> None:
    agent = Saved(model, deterministic=True)
    engine = dealt(SMALL_RULES, 1, steps=1)
    chances = agent.probabilities(engine.look(engine.to_move), engine.legal_mask())[0]
    assert set(many_decisions(agent, engine, 50).tolist()) == {int(chances.argmax())}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rummy_env": "0.0.9"}, r"small\.zip is for rummy_env '0\.0\.9', asked for is '"),
        ({"variant": "classic"}, "is for variant 'classic', asked for is 'basic'"),
        (
            {"options": {**dict(SMALL_RULES.options), "going_rummy": True}},
            "plays basic with going_rummy=True, asked for is going_rummy=False",
        ),
    ],
)
def test_a_policy_for_something_else_is_refused_naming_both(
    model: Path, tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    agent = Saved(copied(model, tmp_path, **changes))
    with pytest.raises(ValueError, match=words):
        asked(agent, SMALL_RULES)


def test_a_policy_is_asked_again_whether_it_fits_when_the_rules_change(model: Path) -> None:
    agent = Saved(model)
    asked(agent, SMALL_RULES)
    with pytest.raises(ValueError, match="plays basic with hand_size=3, asked for is hand_size=4"):
        asked(agent, rummy_env.rules("basic", hand_size=4, max_turns=40))


@pytest.mark.parametrize("size", ["observation_size", "num_actions"])
def test_a_network_of_other_sizes_than_its_card_says_is_refused(
    model: Path, tmp_path: Path, size: str
) -> None:
    with pytest.raises(ValueError, match=rf"has {size} \d+, but its card says 7"):
        Saved(copied(model, tmp_path, **{size: 7}))


def _garbage(path: Path) -> None:
    path.write_text("no zip")


def _empty_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("nothing", "here")


@pytest.mark.parametrize("spoil", [_garbage, _empty_zip])
def test_a_file_that_holds_no_model_is_named(
    model: Path, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    path = copied(model, tmp_path)
    spoil(path)
    with pytest.raises(ValueError, match=r"small\.zip"):
        Saved(path)


@pytest.mark.parametrize("text", ["", "[]", '{"variant": "basic"}'])
def test_a_card_that_cannot_be_read_is_named(model: Path, tmp_path: Path, text: str) -> None:
    path = copied(model, tmp_path)
    PolicyCard.path(path).write_text(text)
    with pytest.raises(ValueError, match=r"card small\.json beside it"):
        Saved(path)
