"""What discards were worth by hindsight, and a clone that learns it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import rummy_env
from rummy_env import Engine
from rummy_env.baselines import Farsighted, Greedy, Strong
from rummy_env.baselines.asking import ask
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.baselines.strong_declared import StrongDeclared
from rummy_env.core.cards import NUM_REGULAR
from rummy_env.melds import distance
from rummy_env.views.features import observer
from tests.fits import few_demonstrations, small, to_the_end
from tests.models import SMALL_RULES
from training import hindsight
from training.cloning import demonstrations
from training.hindsight import SHARPNESS, UNWEIGHED, Hindsight, judge, misjudged
from training.session import Session
from training.settings import Settings
from training.usual import with_usual

__all__ = ["few_demonstrations"]

GOING_OUT = rummy_env.rules("going_out")
DECK = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]


@pytest.fixture(scope="module")
def told() -> Hindsight:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hindsight, "GAMES", 1500)
        return Hindsight(GOING_OUT, Farsighted(), 1)


def test_whoever_helps_a_hand_that_is_one_card_short_loses(told: Hindsight) -> None:
    assert told.costs[1] == 1
    assert 0 < told.costs[3] < told.costs[2] < 0.5
    assert told.costs[0] == told.costs[-1] == 0


def that_help(hand: list[str]) -> tuple[set[str], int]:
    """The cards with which a hand would be nearer to finished than with any other, and how far."""
    others = [card for card in DECK if card not in hand]
    found = distance([[*hand, card] for card in others], GOING_OUT)
    short = int(found.max())
    return {card for card, left in zip(others, found, strict=True) if left < short}, short


def test_a_discard_is_worth_less_by_what_the_next_player_makes_of_it(told: Hindsight) -> None:
    engine, teacher = Engine(GOING_OUT, 40, seed=3), Farsighted()
    trusting = StrongDeclared(hazard=0.17, danger=0.0, promise=0.005).play(GOING_OUT)
    promising_nothing = StrongDeclared(hazard=0.17, danger=0.0).play(GOING_OUT)
    engine.reset()
    helped = spared = 0
    for _ in range(14):
        rows = engine.running
        seats, mask = engine.to_move[rows], engine.legal_mask(rows)
        actions = ask(engine, teacher, rows)
        values = told.values(engine, rows, mask, actions)
        discards = trusting.moves.discards
        for item, row in enumerate(rows.tolist()):
            if not discards.start <= actions[item] < discards.stop:
                assert np.isnan(values[item]).all()
                continue
            view = engine.look(seats[[item]], rows[[item]])
            nothing = mask[[item]], np.zeros((1, NUM_REGULAR))
            (plain,), (chance,) = (
                play.chances(view, *nothing)[:, :NUM_REGULAR]
                for play in (trusting, promising_nothing)
            )
            cards, short = that_help(engine.snapshot(row)["hands"][1 - seats[item]])
            helps = np.array([card in cards for card in DECK])
            found = values[item, discards][:NUM_REGULAR]
            held = mask[item, discards][:NUM_REGULAR]
            assert np.isnan(found[~held]).all()
            same, less = held & ~helps, held & helps & np.isfinite(plain)
            np.testing.assert_array_equal(found[same], plain[same])
            lost = chance[less] * told.costs[short]
            np.testing.assert_allclose(found[less], plain[less] - lost, atol=1e-12)
            helped += int((lost > 0).sum())
            spared += int(np.isfinite(found[same]).sum())
        engine.step(actions, rows)
    assert helped > 10
    assert spared > 100


def test_only_teachers_that_weigh_chances_to_win_can_be_judged() -> None:
    basic, match = rummy_env.rules("basic"), rummy_env.rules("going_out", match="match")
    assert judge(GOING_OUT, Strong()) is not None
    assert judge(GOING_OUT, StrongDeclared()) is not None
    for rules, teacher in ((GOING_OUT, Greedy()), (GOING_OUT, None), (basic, Strong())):
        assert judge(rules, teacher) is None
    assert judge(match, Strong()) is None
    with pytest.raises(ValueError, match="weighs no discards that could be judged by hindsight"):
        Hindsight(basic, Strong(), 1)


def test_values_come_with_the_choices_of_discards(told: Hindsight) -> None:
    given = demonstrations(GOING_OUT, "plain", Farsighted(), 600, 1, lambda share: None, told)
    assert given.values.shape == given.masks.shape
    size = observer(GOING_OUT, "plain").size
    advised = given.observations[:, size:]
    assert advised.shape == given.masks.shape
    assert (advised.argmax(axis=1) == given.actions).all()
    assert (advised.sum(axis=1) == 1).all()
    judged = np.isfinite(given.values).any(axis=1)
    first = Engine(GOING_OUT).space.numbers("discard")[0]
    assert judged.tolist() == (given.actions >= first).tolist()
    assert 0.3 < judged.mean() < 0.9
    assert given.masks[~np.isnan(given.values)].all()


VALUES = torch.tensor([[0.5, 0.4, -torch.inf, torch.nan], [0.2, torch.nan, torch.nan, torch.nan]])
APART = 0.1 * SHARPNESS


@pytest.mark.parametrize(
    ("logits", "missed"),
    [
        ([0.0, -APART, -50.0, 50.0], 0.0),
        ([7.0, 7 - APART, -50.0, 50.0], 0.0),
        ([1.0, -APART, -50.0, 50.0], 0.5),
        ([0.0, -APART, -APART - UNWEIGHED + 1, 50.0], 1.0),
        ([0.0, -APART, -APART - UNWEIGHED, 50.0], 0.0),
    ],
)
def test_differences_of_logits_are_to_be_those_of_values(
    logits: list[float], missed: float
) -> None:
    given = torch.tensor([logits, [3.0, 1.0, 2.0, 0.0]], requires_grad=True)
    lost = misjudged(given, VALUES)
    assert lost.tolist() == pytest.approx([missed * 0.05, 0.0])
    lost.sum().backward()  # type: ignore[no-untyped-call]
    assert given.grad is not None
    assert given.grad.isfinite().all()
    assert bool(given.grad[0].any()) == (missed > 0)


@pytest.mark.slow
def test_runs_by_hindsight_are_equal_and_differ_from_one_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hindsight, "GAMES", 200)

    def run(name: str, **flags: Any) -> bytes:
        taught = {"teacher": "farsighted", "teacher_decisions": 400, "privileged": True}
        given = small(tmp_path / name, total_timesteps=1024, **taught, **flags)
        assert to_the_end(Session(GOING_OUT, given, "command"))
        clone, last = tmp_path / name / "clone.npz", max((tmp_path / name / "past").glob("*.npz"))
        models = [SavedPolicy(path).arrays for path in (clone, last)]
        return b"".join(each[key].tobytes() for each in models for key in sorted(each))

    found = run("one", hindsight=True)
    assert found == run("again", hindsight=True)
    assert found != run("without")


def test_a_teacher_that_cannot_be_judged_is_refused_before_anything_is_played(
    tmp_path: Path,
) -> None:
    given = small(tmp_path / "run", hindsight=True, teacher="strong")
    with pytest.raises(ValueError, match="--teacher strong --hindsight: it does not weigh chances"):
        Session(SMALL_RULES, given, "command")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("limits", "decisions"),
    [
        ({}, 2_000_000),
        ({"minutes": 1.0}, 200_000),
        ({"total_timesteps": 200_000}, 80_000),
        ({"minutes": 1.0, "total_timesteps": 200_000}, 80_000),
        ({"total_timesteps": 200}, 5000),
    ],
)
def test_by_hindsight_four_times_as_many_decisions_are_cloned(
    limits: dict[str, Any], decisions: int
) -> None:
    given = Settings(hindsight=True, **limits)
    assert with_usual(GOING_OUT, given).teacher_decisions == decisions


def test_a_clone_by_hindsight_is_softened_no_more_and_takes_no_advice() -> None:
    found = with_usual(GOING_OUT, Settings(hindsight=True))
    assert (found.teacher, found.temperature, found.advice) == ("farsighted", 1.0, 0.0)
    usual = with_usual(GOING_OUT, Settings())
    assert (usual.temperature, usual.advice) == (2.4, 2.0)
    given = with_usual(GOING_OUT, Settings(hindsight=True, temperature=1.5, advice=0.5))
    assert (given.temperature, given.advice) == (1.5, 0.5)
