"""Models between a model and the one that it went on from."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from agents.saved import arrays_for
from rummy_env.baselines.model_card import CRITIC
from rummy_env.baselines.networks import SuitNet
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.baselines.value_net import ValueNet
from tests.models import KINDS, MLP, SMALL_RULES, untrained
from training import average

NETWORK, READS = KINDS["suits"]


def model(path: Path, seed: int, players: int = 2, **changes: Any) -> SavedPolicy:
    rules = rummy_env.rules("basic", num_players=players, hand_size=3)
    return SavedPolicy(untrained(rules, path, seed, network=NETWORK, reads=READS, **changes))


def test_numbers_are_halfway_between_two_models_and_the_critic_is_the_first_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    critic = ValueNet(suit=4, pooled=4, points=100.0, counts="points")
    first = model(tmp_path / "first.npz", 1, critic=critic)
    second = model(tmp_path / "second.npz", 2, critic=critic)
    out = tmp_path / "between.npz"
    assert average.main([str(first.path), str(second.path), "--out", str(out)]) == 0
    assert capsys.readouterr().out.startswith(f"{out}: the average of {first.path} and ")
    found = SavedPolicy(out)
    assert found.card == first.card
    assert found.arrays.keys() == first.arrays.keys()
    for name, numbers in found.arrays.items():
        one, other = first.arrays[name], second.arrays[name]
        assert np.array_equal(numbers, one if name.startswith(CRITIC) else (one + other) / 2), name
        assert not np.array_equal(one, other)


def test_the_other_model_may_be_for_fewer_players(tmp_path: Path) -> None:
    table = model(tmp_path / "three.npz", 1, players=3)
    pair = model(tmp_path / "two.npz", 2)
    begun = arrays_for(pair, table.card.rules)
    for name, numbers in average.average(table, pair).items():
        assert np.array_equal(numbers, (table.arrays[name] + begun[name]) / 2), name


def test_models_that_have_no_average_leave_nothing_behind(tmp_path: Path) -> None:
    first, out = model(tmp_path / "first.npz", 1), tmp_path / "folder" / "out.npz"
    flat = untrained(SMALL_RULES, tmp_path / "flat.npz", network=MLP)
    with pytest.raises(SystemExit):
        average.main([str(first.path), str(flat), "--out", str(out)])
    assert not out.parent.exists()


def test_models_that_have_no_average_are_refused(tmp_path: Path) -> None:
    first = model(tmp_path / "first.npz", 1)
    flat = SavedPolicy(untrained(SMALL_RULES, tmp_path / "flat.npz", network=MLP))
    gin = rummy_env.rules("gin", hand_size=3)
    others = {
        r"flat.npz: its network is of the kind": flat,
        r"gin.npz cannot go on to .*basic": SavedPolicy(
            untrained(gin, tmp_path / "gin.npz", network=NETWORK, reads=READS)
        ),
    }
    for says, other in others.items():
        with pytest.raises(ValueError, match=says):
            average.average(first, other)
    wide = SuitNet(suit=16)
    path = untrained(first.card.rules, tmp_path / "wide.npz", network=wide, reads=READS)
    with pytest.raises(ValueError, match=r"first.npz is a SuitNet\(.*wide.npz a SuitNet"):
        average.average(first, SavedPolicy(path))
