"""From PyTorch to data: the same probabilities, and nothing opened that could run code."""

import base64
import json
import pickle
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.wrappers import NormalizeObservation, RescaleObservation
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecNormalize
from torch import Tensor, nn

import rummy_env
from agents.network import SuitPolicy
from agents.saved import export
from rummy_env import Rules
from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.networks import SuitNet
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.baselines.sb3 import save_model
from rummy_env.baselines.value_net import ValueNet
from rummy_env.command_line import load_agent, load_agents
from rummy_env.envs.sb3 import RummyVecEnv
from rummy_env.views.features import HINTS, OUTS, PLAIN, observer
from tests.accidents import Explosive
from tests.rollout import dealt

RULES = rummy_env.rules("basic", hand_size=3, max_turns=40)
THEIRS: dict[str, Any] = {"policy": "MlpPolicy"}
SIZES: dict[str, Any] = {"actor": SuitNet(6, 8, 4), "critic": ValueNet(5, 7)}
OURS: dict[str, Any] = {"policy": SuitPolicy, "policy_kwargs": SIZES}


class Residual(BaseFeaturesExtractor):
    """Adds to a layer what went into it, which its layers do not tell."""

    def __init__(self, observation_space: Any) -> None:
        super().__init__(observation_space, features_dim=observation_space.shape[0])
        self.layers = nn.Sequential(nn.Linear(self.features_dim, self.features_dim), nn.ReLU())

    def forward(self, observations: Tensor) -> Tensor:
        """See `Residual`."""
        return observations + self.layers(observations)


def observed(given: dict[str, Any]) -> str:
    """What a policy of this kind reads."""
    if given["policy"] is not SuitPolicy:
        return HINTS
    return str(given["policy_kwargs"].get("observation", OUTS))


def learner(rules: Rules, **given: Any) -> Any:
    """A model with weights that are not those of the beginning."""
    if given["policy"] is SuitPolicy:
        given = {**given, "policy_kwargs": {**given["policy_kwargs"], "rules": rules}}
    env = RummyVecEnv(rules, 2, observation=observed(given))
    made = MaskablePPO(env=env, n_steps=8, batch_size=8, seed=1, **given)
    torch.manual_seed(2)
    with torch.no_grad():
        for weights in made.policy.parameters():
            weights.add_(0.1 * torch.randn_like(weights))
    return made


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    """A model of plain Stable-Baselines3."""
    path = tmp_path / "theirs.zip"
    learner(RULES, **THEIRS).save(path)
    return path


def write(policy: Any, rules: Rules, path: Path, observation: str = HINTS) -> None:
    """Writes a policy of either kind."""
    if isinstance(policy, SuitPolicy):
        export(policy, rules, path)
    else:
        save_model(policy, rules, path, observation=observation)


def chances_of(
    policy: Any, rules: Rules, path: Path, observation: str
) -> tuple[np.ndarray, np.ndarray]:
    """How likely a policy and a saved one find all actions, in many games."""
    engine = dealt(rules, 500, steps=25)
    rows = engine.running
    view, mask = engine.look(engine.to_move[rows], rows), engine.legal_mask(rows)
    with torch.no_grad():
        seen = torch.as_tensor(observer(rules, observation)(view))
        found = policy.get_distribution(seen, mask)
    saved = SavedPolicy(path).probabilities(view, mask, engine.random(rows))
    return found.distribution.probs.numpy(), saved


MODELS = {
    "ours": OURS,
    "ours on hints": {**OURS, "policy_kwargs": {**SIZES, "observation": HINTS}},
    "ours on plain": {**OURS, "policy_kwargs": {**SIZES, "observation": PLAIN}},
    "plain": THEIRS,
    "relu": {**THEIRS, "policy_kwargs": {"activation_fn": nn.ReLU, "net_arch": [8]}},
    "two towers": {**THEIRS, "policy_kwargs": {"net_arch": {"pi": [8, 9], "vf": [4]}}},
    "linear": {**THEIRS, "policy_kwargs": {"net_arch": []}},
    "unshared": {**THEIRS, "policy_kwargs": {"share_features_extractor": False}},
}


@pytest.mark.slow
@pytest.mark.parametrize("given", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("rules", [RULES, rummy_env.rules("gin")], ids=["basic", "gin"])
def test_numpy_finds_the_same_probabilities_as_pytorch(
    tmp_path: Path, rules: Rules, given: dict[str, Any]
) -> None:
    policy, path = learner(rules, **given).policy, tmp_path / "model.npz"
    write(policy, rules, path, observed(given))
    assert SavedPolicy(path).card.reads == observed(given)
    theirs, mine = chances_of(policy, rules, path, observed(given))
    assert np.abs(theirs - mine).max() < 1e-5
    assert mine.max() > 0.01 + 1 / mine.shape[1]


def test_numpy_finds_the_same_values_as_pytorch(tmp_path: Path) -> None:
    policy, path = learner(RULES, **OURS).policy, tmp_path / "model.npz"
    export(policy, RULES, path, points=100.0)
    engine = dealt(RULES, 200, steps=25)
    view = engine.look(engine.to_move)
    with torch.no_grad():
        theirs = policy.predict_values(torch.as_tensor(observer(RULES, OUTS)(view)))[:, 0].numpy()
    mine = SavedPolicy(path).values(view)
    assert np.abs(100 * theirs - mine).max() < 1e-3
    assert mine.std() > 0.1
    matches = {**dict(RULES.options), "match": "match", "max_hands": 3}
    in_matches = dealt(rummy_env.rules("basic", **matches), 200, steps=25)
    of_matches = SavedPolicy(path).values(in_matches.look(in_matches.to_move))
    same = ~engine.finished & (in_matches.state.hand_number == 0)
    assert np.allclose(of_matches[same], mine[same], atol=1e-3)
    assert same.sum() > 100


def test_values_are_of_what_counts_for_the_rules_that_the_critic_learned(tmp_path: Path) -> None:
    policy, path = learner(RULES, **OURS).policy, tmp_path / "model.npz"
    wins = rummy_env.rules("basic", **{**dict(RULES.options), "reward": "win"})
    for rules, points, others in ((RULES, 100.0, wins), (wins, 1.0, RULES)):
        export(policy, rules, path, points=points)
        model, games, wrong = SavedPolicy(path), dealt(rules, 4), dealt(others, 4)
        assert model.values(games.look(games.to_move)).shape == (4,)
        with pytest.raises(
            ValueError, match=r"its critic values (points|hands) of basic, and what"
        ):
            model.values(wrong.look(wrong.to_move))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"activation_fn": nn.ELU}, r"not Linear, ELU, Linear.*see docs/gymnasium"),
        ({"features_extractor_class": Residual}, "MaskableActorCriticPolicy does more than its"),
    ],
)
def test_a_network_of_another_kind_is_not_exported(
    tmp_path: Path, given: dict[str, Any], words: str
) -> None:
    net_arch = [] if "features_extractor_class" in given else [8]
    policy = learner(RULES, policy="MlpPolicy", policy_kwargs={"net_arch": net_arch, **given})
    with pytest.raises(ValueError, match=words):
        save_model(policy, RULES, tmp_path / "model.npz")


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


def test_a_zip_is_never_opened(zipped: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    loaded(zipped, mark)
    for name in (str(zipped), f"it={zipped}"):
        with pytest.raises(ValueError, match=r"can run code .* see docs/adding_an_agent\.md"):
            load_agents([name])
    renamed = zipped.with_suffix(".npz")
    zipped.rename(renamed)
    ModelCard.path(renamed).write_text(gin_card())
    with pytest.raises(ValueError, match=r"theirs\.npz: is no model of the card beside it"):
        load_agent(str(renamed))
    assert not mark.exists()
    with suppress(Exception):
        MaskablePPO.load(renamed.rename(zipped), device="cpu")
    assert mark.exists(), "what was not run could have been"


def gin_card() -> str:
    return SavedPolicy.for_rules(rummy_env.rules("gin")).card.text()


@pytest.mark.parametrize("given", [OURS, THEIRS], ids=["ours", "plain"])
def test_a_policy_of_other_sizes_than_those_of_the_rules_is_refused(
    tmp_path: Path, given: dict[str, Any]
) -> None:
    path = tmp_path / "model.npz"
    with pytest.raises(
        ValueError, match=r"'suit_others' is float32\(37, 6\)|the network reads \d+ numbers"
    ):
        write(learner(RULES, **given).policy, rummy_env.rules("basic"), path)
    assert not path.exists()


def test_a_model_is_saved_by_the_observation_that_it_was_trained_on(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    env = RummyVecEnv(RULES, 2, observation=PLAIN)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8)
    with pytest.raises(ValueError, match=r"'plain' has \d+.*: give observation='plain'$"):
        save_model(model, RULES, path)
    with pytest.raises(ValueError, match="give the rules and the observation that it was"):
        save_model(model.policy, rummy_env.rules("gin"), path)
    save_model(model, RULES, str(path), observation=PLAIN)
    theirs, mine = chances_of(model.policy, RULES, path, PLAIN)
    assert np.abs(theirs - mine).max() < 1e-5


def test_what_is_no_policy_of_one_array_is_refused(tmp_path: Path) -> None:
    path, keys = tmp_path / "model.npz", ("observation", "action_mask")
    env = gymnasium.make("rummy_env/Basic-v0", observation_keys=keys)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=8, batch_size=8)
    with pytest.raises(ValueError, match="without observation_keys"):
        save_model(model, rummy_env.rules("basic"), path)
    with pytest.raises(TypeError, match="object is no actor and critic"):
        save_model(object(), RULES, path)
    with pytest.raises(TypeError, match="give complete rules"):
        save_model(model, "basic", path)  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", [True, False])
def test_a_model_named_on_the_command_line_plays_as_told(tmp_path: Path, sample: bool) -> None:
    path = tmp_path / "model.npz"
    export(learner(RULES, **OURS).policy, RULES, path)
    agent = load_agents([f"it={path}"], sample=sample)["it"]
    assert isinstance(agent, SavedPolicy)
    assert agent.deterministic is not sample


def test_a_model_that_learned_from_scaled_observations_is_refused(tmp_path: Path) -> None:
    env = VecNormalize(RummyVecEnv(RULES, 2, observation=PLAIN))
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8)
    with pytest.raises(ValueError, match="train with norm_obs=False"):
        save_model(model, RULES, tmp_path / "model.npz", observation=PLAIN)
    env.norm_obs = False
    save_model(model, RULES, tmp_path / "model.npz", observation=PLAIN)


def test_a_model_that_learned_behind_a_wrapper_that_changes_numbers_is_refused(
    tmp_path: Path,
) -> None:
    path, rules = tmp_path / "model.npz", rummy_env.rules("basic")
    given: dict[str, Any] = {"observation": PLAIN, "observation_dtype": "float32"}
    env = gymnasium.make("rummy_env/Basic-v0", **given)
    one = np.float32(1)
    for wrapped in (NormalizeObservation(env), RescaleObservation(env, -one, one)):
        model = MaskablePPO("MlpPolicy", wrapped, n_steps=8, batch_size=8)
        with pytest.raises(ValueError, match=r"learned from numbers from -\S+ to \S+, and an a"):
            save_model(model, rules, path, observation=PLAIN)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8)
    save_model(model, rules, path, observation=PLAIN)


def test_a_model_is_saved_by_the_rules_that_it_was_trained_on(tmp_path: Path) -> None:
    env = RummyVecEnv("gin", 2, observation=PLAIN, knock_card=3)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8)
    with pytest.raises(ValueError, match=r"trained on .*knock_card=3.*: give these rules, not"):
        save_model(model, rummy_env.rules("gin"), tmp_path / "model.npz", observation=PLAIN)
    save_model(model, env.rules, tmp_path / "model.npz", observation=PLAIN)
