"""What players of declared hands see of the piles and of hands that are shown, one test a rule."""

from typing import Any

import numpy as np
import pytest

from tests.lockstep import DECLARED
from tests.table import lay

FAR = "2c 5d 8h Js | 3d 6h 9s Kc"
"""Two hands of four cards that are far from finished."""


@pytest.fixture(params=DECLARED)
def variant(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_nobody_looks_at_earlier_discards(variant: str) -> None:
    table = lay(variant, FAR, discard="Th 4s 9c")
    view = table.engine.look(1)
    assert view.rules.pack.texts(view.piled[0]) == ["9c"]
    assert view.pile[0, :2].tolist() == [view.rules.pack.code("9c"), 255]


@pytest.mark.parametrize("options", [{"pile_recall": True}, {"spread_out_discards": True}])
def test_some_tables_remember_or_see_all_discards(options: dict[str, Any]) -> None:
    view = lay("rummy_cards", FAR, discard="Th 4s 9c", **options).engine.look(1)
    assert sorted(view.rules.pack.texts(view.piled[0])) == ["4s", "9c", "Th"]


def test_nobody_counts_the_stock(variant: str) -> None:
    view = lay(variant, FAR).engine.look(0)
    with pytest.raises(AttributeError, match="stock_estimate"):
        _ = view.stock_left
    assert lay(variant, FAR, stock_estimate="exact").engine.look(0).stock_left[0] > 40


STEPS = {0: 0, 1: 1, 4: 1, 5: 2, 9: 2, 10: 3, 19: 3, 20: 4, 39: 4, 40: 5}
"""Sizes of a stock, and the step that they look like."""


@pytest.mark.parametrize("size", STEPS)
def test_the_stock_is_estimated_in_steps(size: int) -> None:
    cards = lay("going_out", FAR)["stock"]
    table = lay("going_out", FAR, stock=" ".join(cards[:size]), rest="discard")
    assert len(table["stock"]) == size
    assert table.engine.look(0).stock_estimate.tolist() == [STEPS[size]]


def test_who_shows_a_finished_hand_shows_all_of_it() -> None:
    table = lay("going_out", "2c 5d 8h | 7c 7d 7h", marks={"to_move": 1})
    table.play("draw stock; go out")
    view = table.engine.look(np.array([0]))
    assert sorted(view.rules.pack.texts(view.known[0, 1])) == table["hands"][1]
