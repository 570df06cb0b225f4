"""From PyTorch to data: the same probabilities, and nothing opened that is not trusted."""

import base64
import dataclasses
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

import rummy_env
from agents.network import TrunkPolicy
from agents.saved import export
from rummy_env import Rules
from rummy_env.baselines.model_card import Layout, ModelCard
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.command_line import load_agent, load_agents
from rummy_env.envs.sb3 import RummyVecEnv
from rummy_env.views.features import observer
from tests.accidents import Explosive
from tests.policies import running
from tests.rollout import dealt
from training import convert

RULES = rummy_env.rules("basic", hand_size=3, max_turns=40)
BASIC = ("basic", "--hand-size", "3", "--max-turns", "40")
PLAIN: dict[str, Any] = {"policy": "MlpPolicy"}
OURS: dict[str, Any] = {"policy": TrunkPolicy, "policy_kwargs": {"hidden": (16, 8)}}


class Residual(BaseFeaturesExtractor):
    """Adds to a layer what went into it, which its layers do not tell."""

    def __init__(self, observation_space: Any) -> None:
        super().__init__(observation_space, features_dim=observation_space.shape[0])
        self.layers = nn.Sequential(nn.Linear(self.features_dim, self.features_dim), nn.ReLU())

    def forward(self, observations: Tensor) -> Tensor:
        """See `Residual`."""
        return observations + self.layers(observations)


def learner(rules: Rules, **given: Any) -> MaskablePPO:
    """A model with weights that are not those of the beginning."""
    made = MaskablePPO(env=RummyVecEnv(rules, 2), n_steps=8, batch_size=8, seed=1, **given)
    torch.manual_seed(2)
    with torch.no_grad():
        for weights in made.policy.parameters():
            weights.add_(0.1 * torch.randn_like(weights))
    return made


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    """A model of plain Stable-Baselines3."""
    path = tmp_path / "theirs.zip"
    learner(RULES, **PLAIN).save(path)
    return path


def chances_of(policy: Any, rules: Rules, path: Path) -> tuple[np.ndarray, np.ndarray]:
    """How likely a policy and a saved one find all actions, in many games."""
    engine = dealt(rules, 500, steps=25)
    rows = running(engine)
    view, mask = engine.look(engine.to_move[rows], rows), engine.legal_mask(rows)
    with torch.no_grad():
        found = policy.get_distribution(torch.as_tensor(observer(rules)(view)), mask)
    return found.distribution.probs.numpy(), SavedPolicy(path).probabilities(view, mask)


MODELS = {
    "ours": OURS,
    "plain": PLAIN,
    "relu": {**PLAIN, "policy_kwargs": {"activation_fn": nn.ReLU, "net_arch": [8]}},
    "two towers": {**PLAIN, "policy_kwargs": {"net_arch": {"pi": [8, 9], "vf": [4]}}},
    "linear": {**PLAIN, "policy_kwargs": {"net_arch": []}},
    "unshared": {**PLAIN, "policy_kwargs": {"share_features_extractor": False}},
}


@pytest.mark.parametrize("given", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("rules", [RULES, rummy_env.rules("gin")], ids=["basic", "gin"])
def test_numpy_finds_the_same_probabilities_as_pytorch(
    tmp_path: Path, rules: Rules, given: dict[str, Any]
) -> None:
    policy, path = learner(rules, **given).policy, tmp_path / "model.npz"
    export(policy, rules, path)
    theirs, mine = chances_of(policy, rules, path)
    assert np.abs(theirs - mine).max() < 1e-5
    assert mine.max() > 0.01 + 1 / mine.shape[1]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"activation_fn": nn.ELU}, "not Linear, ELU, Linear"),
        ({"features_extractor_class": Residual}, "MaskableActorCriticPolicy does more than its"),
    ],
)
def test_a_network_of_another_kind_is_not_exported(
    tmp_path: Path, given: dict[str, Any], words: str
) -> None:
    net_arch = [] if "features_extractor_class" in given else [8]
    policy = learner(RULES, policy="MlpPolicy", policy_kwargs={"net_arch": net_arch, **given})
    with pytest.raises(ValueError, match=words):
        export(policy.policy, RULES, tmp_path / "model.npz")


def test_a_zip_that_is_trusted_becomes_a_model(
    zipped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert convert.main([*BASIC, str(zipped), "--trust"]) == 0
    assert f"wrote {tmp_path / 'theirs.npz'} and theirs.json" in capsys.readouterr().out
    theirs, mine = chances_of(MaskablePPO.load(zipped).policy, RULES, tmp_path / "theirs.npz")
    assert np.abs(theirs - mine).max() < 1e-5
    assert convert.main([*BASIC, str(zipped), "--trust", "--out", str(tmp_path / "a.npz")]) == 0
    assert SavedPolicy(tmp_path / "a.npz").plays(RULES)


def loaded(path: Path, mark: Path) -> None:
    """Puts code into a zip that whoever unpickles it runs."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    data = json.loads(members["data"])
    charge = base64.b64encode(pickle.dumps(Explosive(mark))).decode()
    data["policy_class"] = {":type:": "type", ":serialized:": charge}
    members["data"] = json.dumps(data).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def test_a_zip_runs_its_code_only_where_it_is_trusted(
    zipped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mark = tmp_path / "ran"
    loaded(zipped, mark)
    for name in (str(zipped), f"it={zipped}"):
        with pytest.raises(
            ValueError, match=r"can run code .* training\.convert VARIANT .*--trust"
        ):
            load_agents([name])
    with pytest.raises(SystemExit):
        convert.main([*BASIC, str(zipped)])
    assert "can run any code that its maker put into it" in capsys.readouterr().err
    renamed = zipped.with_suffix(".npz")
    zipped.rename(renamed)
    ModelCard.path(renamed).write_text(gin_card())
    with pytest.raises(ValueError, match=r"theirs\.npz: is no model of the card beside it"):
        load_agent(str(renamed))
    assert not mark.exists()
    with pytest.raises(ValueError, match="no model saved by MaskablePPO"):
        convert.convert(RULES, convert.Settings(renamed.rename(zipped), trust=True))
    assert mark.exists(), "what was not run could have been"


def gin_card() -> str:
    return SavedPolicy.for_rules(rummy_env.rules("gin")).card.text()


@pytest.mark.parametrize("content", [b"", b"no zip"])
def test_what_is_no_zip_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "theirs.zip"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"theirs\.zip is no model saved by MaskablePPO"):
        convert.convert(RULES, convert.Settings(path, trust=True))


def test_a_zip_of_other_sizes_than_those_of_the_rules_is_refused(zipped: Path) -> None:
    with pytest.raises(ValueError, match=r"theirs\.zip: .*arrays .* but the card has"):
        convert.convert(rummy_env.rules("basic"), convert.Settings(zipped, trust=True))
    assert not zipped.with_suffix(".npz").exists()


def test_a_model_is_rearranged_for_another_order_of_the_observation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, path = learner(RULES, **OURS).policy, tmp_path / "model.npz"
    export(policy, RULES, path)
    card, arrays = SavedPolicy(path).card, SavedPolicy(path).arrays
    now = Layout("observation", tuple(reversed(card.observation.parts)))
    monkeypatch.setattr(convert, "observation_layout", lambda rules: now)
    order = convert.rearrangement(card.observation, now)
    assert convert.convert(RULES, convert.Settings(path)) == path
    seen = np.random.default_rng(1).integers(0, 2, (50, now.size), np.int8)
    logits = card.network.logits(arrays, seen)
    again = card.network.logits(SavedPolicy(path).arrays, seen[:, order])
    assert np.allclose(logits, again, atol=1e-5)
    first, size = now.parts[0][0], now.parts[0][1]
    assert first != card.observation.parts[0][0]
    assert (order[:size] == np.arange(now.size - size, now.size)).all()


def test_only_the_order_of_the_observation_may_change(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    export(learner(RULES, **OURS).policy, RULES, path)
    other = dataclasses.replace(convert.Settings(path), out=tmp_path / "other.npz")
    with pytest.raises(ValueError, match="more than the order has changed: size_0, size_1"):
        convert.convert(rummy_env.rules("basic", hand_size=4, max_turns=40), other)
    assert not (tmp_path / "other.npz").exists()


@pytest.mark.parametrize("deterministic", [True, False])
def test_a_model_named_on_the_command_line_plays_as_told(
    tmp_path: Path, deterministic: bool
) -> None:
    path = tmp_path / "model.npz"
    export(learner(RULES, **OURS).policy, RULES, path)
    agent = load_agents([f"it={path}"], deterministic=deterministic)["it"]
    assert isinstance(agent, SavedPolicy)
    assert agent.deterministic == deterministic
