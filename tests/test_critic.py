"""A model's critic: what it learns from, that it learns, and that NumPy and PyTorch agree on it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import rummy_env
from agents.network import Critic
from rummy_env import Engine
from rummy_env.baselines.networks import wiring
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.baselines.value_net import ValueNet
from rummy_env.views.features import OUTS, observer
from tests.models import SMALL_RULES, SUITS, untrained
from tests.rollout import dealt
from training import critic
from training.critic import Settings, main, outcomes, run


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model without a critic."""
    return untrained(SMALL_RULES, tmp_path / "small.npz", network=SUITS, reads=OUTS)


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(critic, "GAMES", 48)


def small(model: Path, **given: Any) -> Settings:
    given = {"minibatch_size": 128, **given}
    return Settings(
        model, **{"positions": 3000, "units": 8, "epochs": 6, "learning_rate": 3e-3, **given}
    )


def test_outcomes_are_what_the_seats_to_act_led_by_in_the_end(model: Path) -> None:
    policy = SavedPolicy(model)
    found = outcomes(policy, SMALL_RULES, 1.0, seed=5)
    engine = Engine(SMALL_RULES, 48, seed=5)
    engine.reset()
    slow: list[tuple[bytes, int, int]] = []
    observe = observer(SMALL_RULES, OUTS)
    while (rows := (~engine.finished).nonzero()[0]).size:
        masks, seats = engine.legal_mask(rows), engine.to_move[rows].astype(np.intp)
        view = engine.look(seats, rows)
        for item in np.flatnonzero(masks.sum(axis=1) > 1).tolist():
            slow.append((observe(view)[item].tobytes(), int(rows[item]), int(seats[item])))
        engine.step(policy.act(view, masks, engine.random(rows)), rows)
    points = engine.state.scores.tolist()
    assert [seen.tobytes() for seen in found.seen] == [seen for seen, *_ in slow]
    leads = [points[row][seat] - points[row][1 - seat] for _, row, seat in slow]
    assert found.leads.tolist() == leads
    assert any(leads)


def test_a_model_learns_what_its_positions_are_worth(model: Path) -> None:
    before = SavedPolicy(model)
    with pytest.raises(ValueError, match=r"small\.npz: it has no critic"):
        before.values(dealt(SMALL_RULES, 2).look(0))
    said = run(SMALL_RULES, small(model))
    assert "unseen outcomes the critic explains" in said
    after = SavedPolicy(model)
    assert all(np.array_equal(after.arrays[name], some) for name, some in before.arrays.items())
    unseen = outcomes(before, SMALL_RULES, 0.5, seed=99)
    assert critic.explained(after, unseen) > 0.02
    assert ", that of before" in run(SMALL_RULES, small(model, seed=2))


def test_two_runs_of_a_seed_give_the_same_critic(model: Path, tmp_path: Path) -> None:
    other = untrained(SMALL_RULES, tmp_path / "other.npz", network=SUITS, reads=OUTS)
    for path in (model, other):
        run(SMALL_RULES, small(path, torch_threads=1))
    assert model.read_bytes() == other.read_bytes()


def test_numpy_finds_the_same_values_as_pytorch(model: Path) -> None:
    run(SMALL_RULES, small(model))
    saved = SavedPolicy(model)
    assert isinstance(saved.card.critic, ValueNet)
    wired = wiring(saved.card.observation, saved.card.actions)
    theirs = Critic(saved.card.critic, wired, np.zeros(0, np.float32))
    theirs.weights.load_arrays(saved.card.critic_arrays(saved.arrays))
    engine = dealt(SMALL_RULES, 100, steps=9)
    view = engine.look(engine.to_move)
    cards, others, _ = wired.inputs(saved.see(view))
    with torch.no_grad():
        values = theirs(torch.as_tensor(cards), torch.as_tensor(others))[:, 0].numpy()
    assert np.abs(values * saved.card.critic.points - saved.values(view)).max() < 1e-3
    assert saved.values(view).std() > 0.1


def test_in_a_match_values_are_those_of_the_hand(model: Path) -> None:
    run(SMALL_RULES, small(model))
    options = {**dict(SMALL_RULES.options), "match": "match", "max_hands": 3}
    one, other = (dealt(rules, 60, steps=7) for rules in (SMALL_RULES, _match(options)))
    saved = SavedPolicy(model)
    values = [saved.values(engine.look(0)) for engine in (one, other)]
    same = ~one.finished & (other.state.hand_number == 0) & (one.to_move == other.to_move)
    assert same.sum() > 30
    assert np.allclose(values[0][same], values[1][same], atol=1e-4)


def _match(options: dict[str, Any]) -> Any:
    return rummy_env.rules("basic", **options)


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--positions", "0"], "positions=0"),
        (["--share", "0"], "share=0"),
        (["--units", "0"], "units=0"),
        (["--match", "match"], "critics are of single hands, in matches too; leave match out"),
        (["--hand-size", "4"], "small.npz cannot play"),
    ],
)
def test_what_makes_no_sense_is_refused(
    model: Path, flags: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = ["basic", "--model", str(model), "--max-turns", "40", "--positions", "100"]
    hand = [] if "--hand-size" in flags else ["--hand-size", "3"]
    with pytest.raises(SystemExit):
        main([*usual, *hand, *flags])
    assert says in capsys.readouterr().err
    assert SavedPolicy(model).card.critic is None
