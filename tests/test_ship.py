"""Models made ones of the package."""

import re
from pathlib import Path

import numpy as np
import pytest

import rummy_env
from rummy_env.baselines.networks import Arrays
from rummy_env.baselines.saved import MODELS, SavedPolicy
from tests.models import SMALL_RULES, untrained
from training import ship


def test_a_model_is_shipped_by_its_name_and_the_package_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = untrained(SMALL_RULES, tmp_path / "best.npz")
    package = tmp_path / "models"
    package.mkdir()
    monkeypatch.setattr("rummy_env.baselines.saved.MODELS", package)
    monkeypatch.setattr(ship, "MODELS", package)
    assert ship.main([str(model), "small"]) == 0
    found = SavedPolicy.for_rules(SMALL_RULES)
    assert found.path == package / "small.npz"
    assert found.card == SavedPolicy(model).card
    assert found.path.stat().st_size < 0.6 * model.stat().st_size
    assert re.fullmatch(rf"{found.path}: \d+ of [\d,]+ choices differ.*\n", capsys.readouterr().out)


def test_choices_that_are_others_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all numbers become 0, so do all preferences, and the first legal action is chosen."""
    model = SavedPolicy(untrained(SMALL_RULES, tmp_path / "best.npz"))

    def nothing(path: Path, arrays: Arrays) -> Arrays:
        return {name: np.zeros_like(numbers) for name, numbers in arrays.items()}

    tried, changed = ship.ship(model, tmp_path / "near.npz", games=50)
    assert changed < 0.01 * tried
    monkeypatch.setattr("rummy_env.baselines.model_file._halves", nothing)
    tried, changed = ship.ship(model, tmp_path / "far.npz", games=50)
    assert 0.2 * tried < changed < tried


def test_no_other_model_of_the_package_is_lost_by_shipping_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ship, "MODELS", tmp_path)
    model = str(untrained(SMALL_RULES, tmp_path / "best.npz"))
    gin = untrained(rummy_env.rules("gin", hand_size=3), tmp_path / "gin.npz").read_bytes()
    for name, says in (
        ("../oops", "name='../oops': give letters, digits and underscores"),
        ("gin", "gin.npz is a model of gin, not of basic: give another name"),
        ("best", "best.npz is in the package: give --replace, or another name"),
        ("second", "best.npz plays the same rules: give its name, and --replace"),
    ):
        with pytest.raises(SystemExit):
            ship.main([model, name])
        assert says in capsys.readouterr().err
    (elsewhere := tmp_path / "elsewhere").mkdir()
    of_wins = rummy_env.rules("gin", hand_size=3, reward="win")
    with pytest.raises(SystemExit):
        ship.main([str(untrained(of_wins, elsewhere / "wins.npz")), "gin", "--replace"])
    assert "gin.npz is a model of other rules (reward='win', reward=" in capsys.readouterr().err
    assert (tmp_path / "gin.npz").read_bytes() == gin
    assert ship.main([model, "best", "--replace"]) == 0
    assert SavedPolicy(tmp_path / "best.npz").plays(SMALL_RULES)


def test_what_is_no_model_is_not_shipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        ship.main([str(tmp_path / "none.npz"), "small"])
    assert "none.npz" in capsys.readouterr().err
    assert not (MODELS / "small.npz").exists()
