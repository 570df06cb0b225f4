"""Networks with an adviser: what they read, what they play, and how they begin."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import rummy_env
from agents.network import Actor, inputs
from rummy_env import Rules
from rummy_env.baselines import resolve
from rummy_env.baselines.advice import with_advice
from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.networks import SuitNet
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Bools, Float32s
from rummy_env.envs.self_play import SelfPlayEnv
from rummy_env.views.features import OUTS, Features, observer
from tests.conftest import label
from tests.fits import fitted
from tests.models import SMALL_RULES
from tests.networks import wires
from tests.policies import decisions
from tests.rollout import dealt, fitting, seatings
from training import cloning
from training.session import Session
from training.settings import Settings
from training.vec_env import SelfPlayVecEnv

ALONE = SuitNet(6, 8, 4)
ADVISED = SuitNet(6, 8, 4, "strong")
RULES = [
    fitting(name, num_players=players)
    for name in rummy_env.VARIANTS
    for players in (2, 4)
    if players in seatings(name)
]
over_rules = pytest.mark.parametrize("rules", RULES, ids=label)


@pytest.fixture(autouse=True)
def few_demonstrations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Teachers play few games at once, so that little is shown where little is asked for."""
    monkeypatch.setattr(cloning, "GAMES", 32)


def drawn(network: SuitNet, rules: Rules) -> dict[str, Float32s]:
    rng = np.random.default_rng(3)
    shapes = network.shapes(wires(rules))
    return {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def seen_and_masks(rules: Rules) -> tuple[Features, Bools]:
    engine = dealt(rules, 40, steps=9)
    rows = engine.running
    view = engine.look(engine.to_move[rows], rows)
    return observer(rules, OUTS)(view), engine.legal_mask(rows)


def written(path: Path, rules: Rules, adviser: str, *, trust: float) -> Path:
    """A model whose logits are 0, but for its adviser's action."""
    network = dataclasses.replace(ALONE, adviser=adviser)
    card = ModelCard.of(rules, network, OUTS)
    arrays = {name: np.zeros(shape, np.float32) for name, shape in card.shapes.items()}
    arrays["trust_bias"] += np.float32(trust)
    write_model(path, card, arrays)
    return path


@over_rules
def test_advice_adds_to_the_logit_of_the_advised_action_alone(rules: Rules) -> None:
    wired, arrays = wires(rules), drawn(ADVISED, rules)
    seen, masks = seen_and_masks(rules)
    advised = np.random.default_rng(1).integers(0, wired.num_actions, len(seen))
    alone = ALONE.logits(arrays, wired, seen, masks)
    both = ADVISED.logits(arrays, wired, with_advice(seen, advised, wired.num_actions), masks)
    rows, more = np.arange(len(seen)), both - alone
    added = more[rows, advised].copy()
    more[rows, advised] = 0
    assert np.abs(more).max() == 0
    assert added.std() > 0.01, "trust depends on what is seen"
    assert np.array_equal(ADVISED.logits(arrays, wired, seen, masks), alone)


def test_advice_leaves_numbers_of_an_observation_as_they_are() -> None:
    told = with_advice(np.array([[0.5, 300.0]], np.float32), np.array([1]), 2)
    assert told.dtype == np.float32
    assert told.tolist() == [[0.5, 300.0, 0.0, 1.0]]


@over_rules
def test_pytorch_is_advised_as_numpy_is(rules: Rules) -> None:
    wired, arrays = wires(rules), drawn(ADVISED, rules)
    seen, masks = seen_and_masks(rules)
    advised = np.random.default_rng(1).integers(0, wired.num_actions, len(seen))
    told = with_advice(seen, advised, wired.num_actions)
    actor = Actor(ADVISED, wired)
    actor.weights.load_arrays(arrays)
    with torch.no_grad():
        given = inputs(wired, torch.as_tensor(told), torch.float32)
        theirs = actor(*given, masks).numpy()
    legal = np.where(masks, ADVISED.logits(arrays, wired, told, masks), -np.inf)
    own = legal - np.log(np.exp(legal).sum(axis=1, keepdims=True))
    assert np.allclose(own[masks], theirs[masks], rtol=0, atol=1e-4)


@over_rules
def test_a_model_that_knows_nothing_plays_as_its_adviser(
    tmp_path: Path, rules: Rules, thorough: bool
) -> None:
    name = "strong"
    model = SavedPolicy(written(tmp_path / "model.npz", rules, name, trust=1.0))
    engine, adviser, met = dealt(rules, 30 if thorough else 8), resolve(name, rules), 0
    while (rows := engine.running).size:
        expected = decisions(adviser, engine, rows)
        assert np.array_equal(decisions(model, engine, rows), expected)
        met += int((engine.legal_mask(rows).sum(axis=1) > 1).sum())
        engine.step(expected, rows)
    assert met > 30


def test_how_likely_the_advised_action_is_follows_from_the_trust(tmp_path: Path) -> None:
    model = SavedPolicy(written(tmp_path / "model.npz", SMALL_RULES, "greedy", trust=2.0))
    engine = dealt(SMALL_RULES, 20)
    view, masks, rng = engine.look(engine.to_move), engine.legal_mask(), engine.random()
    chances = model.probabilities(view, masks, rng)
    others = masks.sum(axis=1) - 1
    assert np.allclose(chances.max(axis=1), np.e**2 / (np.e**2 + others))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["basic", "gin", "going_out"])
def test_training_sees_what_the_adviser_would_do(name: str) -> None:
    rules = fitting(name, num_players=2)
    games = SelfPlayEnv(rules, 16, opponents="greedy", share=0.5, seed=4, observation=OUTS)
    adviser = resolve("strong", rules)
    env = SelfPlayVecEnv(games, adviser)
    size, actions = games.observer.size, games.engine.num_actions
    seen, ended = env.reset(), 0
    for _ in range(120):
        turn = env.turn()
        assert np.array_equal(turn.observations, seen)
        assert env.observation_space.contains(seen[0])
        told = decisions(adviser, games.engine, np.arange(16))
        advice = np.eye(actions, dtype=np.int8)[told] * turn.learning[:, None]
        assert np.array_equal(seen[:, size:], advice)
        assert np.array_equal(seen[:, :size], games.turn().observations)
        turn, outcome = env.play(told)
        seen, ended = turn.observations, ended + int(outcome.terminated.sum())
    assert ended


def settings(out: Path, **changes: Any) -> Settings:
    given: dict[str, Any] = {
        "total_timesteps": 400,
        "num_envs": 16,
        "num_steps": 16,
        "teacher_decisions": None if changes.get("teacher") == "none" else 64,
        "eval_deals": 4,
        "compare_deals": 4,
        "evaluations": 1,
        "adviser": "strong",
        **dict.fromkeys(("suit_units", "pooled_units", "card_units", "critic_units"), 8),
        **changes,
    }
    return Settings(out=out, **given)


@pytest.mark.slow
@pytest.mark.parametrize("teacher", ["strong", "none"])
def test_a_run_begins_with_what_its_adviser_plays(tmp_path: Path, teacher: str) -> None:
    given = settings(tmp_path / "run", teacher=teacher, advice=50.0)
    fitted(SMALL_RULES, given, "the command")
    begun, adviser = SavedPolicy(tmp_path / "run" / "clone.npz"), resolve("strong")
    assert begun.card.network.adviser == "strong"
    engine = dealt(SMALL_RULES, 30)
    while (rows := engine.running).size:
        actions = decisions(adviser, engine, rows)
        assert np.array_equal(decisions(begun, engine, rows), actions)
        engine.step(actions, rows)
    assert SavedPolicy(tmp_path / "run" / "best.npz").card.network.adviser == "strong"


@pytest.mark.slow
def test_a_run_goes_on_from_a_model_with_the_adviser_and_the_trust_of_that(tmp_path: Path) -> None:
    given = dataclasses.replace(ALONE, adviser="greedy")
    model = written(tmp_path / "model.npz", SMALL_RULES, given.adviser, trust=3.0)
    sizes = {"suit_units": given.suit, "pooled_units": given.pooled, "card_units": given.card}
    run = settings(tmp_path / "run", start=model, teacher="none", adviser=None, **sizes)
    fitted(SMALL_RULES, run, "the command")
    begun = SavedPolicy(tmp_path / "run" / "clone.npz")
    assert begun.card.network == given
    assert begun.arrays["trust_bias"] == 3.0


@pytest.mark.parametrize(
    ("adviser", "words"),
    [
        ("nobody", r"adviser='nobody': .*greedy"),
        ("trained", r"adviser='trained': give .*'camper'$"),
        ("camper", "camper cannot play 'basic', by its cards"),
    ],
)
def test_an_adviser_that_cannot_help_is_refused(tmp_path: Path, adviser: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Session(SMALL_RULES, settings(tmp_path / "run", adviser=adviser), "the command")
    assert not (tmp_path / "run").exists()


def test_a_model_whose_adviser_cannot_play_the_rules_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "model.npz", SMALL_RULES, "strong", trust=1.0)
    card = ModelCard.path(path)
    card.write_text(card.read_text().replace('"adviser": "strong"', '"adviser": "camper"'))
    with pytest.raises(ValueError, match="its adviser 'camper' cannot play"):
        SavedPolicy(path).plays(SMALL_RULES)
    card.write_text(card.read_text().replace('"adviser": "camper"', '"adviser": "os:system"'))
    with pytest.raises(ValueError, match="adviser='os:system': give one of"):
        SavedPolicy(path)
