"""Tables and actions of declared hands that cannot be are refused, and the games stay."""

from collections.abc import Callable
from typing import Any

import pytest

from rummy_env import IllegalAction
from tests.rollout import everything
from tests.table import Table, lay


def position() -> Table:
    """The first of three seats has drawn in a match."""
    table = lay("rummy_cards", "2c 5d 9h WILD | 3d 6h RUMMY | 4c 8s", discard="Th", match="match")
    table.play("draw stock")
    return table


def swap(table: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """The table with a card of the stock replaced by another."""
    return {**table, "stock": [new if card == old else card for card in table["stock"]]}


Spoil = Callable[[dict[str, Any]], dict[str, Any]]
IMPOSSIBLE: dict[str, tuple[Spoil, str]] = {
    "a fourth WILDCARD": (lambda t: swap(t, "Ks", "WILD"), r"missing \['Ks'\], too many \['WILD'"),
    "a third RUMMY card": (lambda t: swap(t, "Ks", "RUMMY"), "too many .*'RUMMY'"),
    "an unknown special card": (lambda t: swap(t, "Ks", "JOKER"), "'JOKER' is no card of the pack"),
    "a card of a second pack": (lambda t: swap(t, "Ks", "2c"), r"too many \['2c'\]"),
    "a known WILDCARD that another seat holds": (
        lambda t: {**t, "known": [[], ["WILD"], []]},
        "known=.*WILD.* seat 1",
    ),
    "two known where one is held": (lambda t: {**t, "known": [["WILD"] * 2, [], []]}, "known"),
    "a card taken that is none": (lambda t: {**t, "taken": "JOKER"}, "JOKER"),
    "a phase of a variation": (lambda t: {**t, "phase": "extra_draw"}, "phase='extra_draw'"),
    "nobody plays": (lambda t: {**t, "sits_out": [True] * 3}, "sits_out="),
    "the seat to move sits out": (lambda t: {**t, "sits_out": [True, False, False]}, "to move, 0"),
    "nobody plays against the mover": (
        lambda t: {**t, "sits_out": [False, True, True]},
        "two seats at least play a hand",
    ),
    "who sits out holds cards": (
        lambda t: {**t, "sits_out": [False, False, True]},
        "seat 2 sits out, so it has no cards",
    ),
    "too few seats to sit out": (lambda t: {**t, "sits_out": [False]}, "sits_out=.* 3 seats"),
    "more came back than there are": (lambda t: {**t, "recycled": ["WILD"] * 4}, "WILD"),
}
"""Ways to spoil a table, and what the message must name."""


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_an_impossible_table_is_refused_and_the_game_stays(what: str) -> None:
    spoil, named = IMPOSSIBLE[what]
    table = position()
    before, snapshot = everything(table.engine), table.engine.snapshot(0)
    with pytest.raises(ValueError, match=named):
        table.engine.restore(0, spoil(snapshot))
    assert everything(table.engine) == before
    table.play("discard 2c")


def test_nobody_sits_out_where_there_are_no_tie_break_games() -> None:
    table = lay("going_out", "2c 5d | 3d 6h | 4c 8s", match="match")
    with pytest.raises(ValueError, match="sits_out="):
        table.engine.restore(0, {**table.engine.snapshot(0), "sits_out": [False, False, True]})


@pytest.mark.parametrize("move", ["go out", "lay down rummy", "draw discard", "discard GROUP"])
def test_an_illegal_move_is_refused_with_what_is_legal(move: str) -> None:
    table = position()
    before = everything(table.engine)
    with pytest.raises(IllegalAction, match=f"{move}.* is not legal; .*discard WILD"):
        table.play(move)
    assert everything(table.engine) == before


@pytest.mark.parametrize("card", ["NO_MELD", "CANT_GO_OUT", "JOKER", "10h"])
def test_there_is_no_discard_of_cards_that_cannot_be_discarded(card: str) -> None:
    with pytest.raises(ValueError, match=f"no action 'discard {card}'"):
        position().engine.space.index("discard", card)
