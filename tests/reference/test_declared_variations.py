"""The declared-hand reference: the variations of `rummy_cards`.

Source: rules.md section 5.2, "Variations"; seeds/004 (Rummy).
"""

from typing import Any

import pytest

from tests.reference.declared_game import DeclaredGame
from tests.reference.declared_moves import VARIATION, place, play
from tests.reference.special_cards import parse_cards


def _kinds(game: DeclaredGame) -> set[str]:
    return {kind for kind, _ in game.legal_actions()}


def test_going_out_variation_renews_the_stock() -> None:
    hands = "2c 4d 6h | RUMMY 9s Jd | 3c 4c 8h"
    game = place("rummy_cards", hands, stock="8s", discard="3h 5c", **VARIATION)
    play(game, "draw stock; discard 2c")
    assert not game.finished
    assert (game.stock, game.discard) == (["3h", "5c"], ["2c"])


_THREE = "2c 4d 6h | Kc 9s Jd"


def test_three_card_draw_takes_the_next_discard_and_the_top_of_the_stock() -> None:
    game = place("rummy_cards", _THREE, stock="8s 5h", discard="Qd 3h 9h", three_card_draw=True)
    play(game, "draw discard")
    assert game.phase == "extra_draw"
    assert _kinds(game) == {"extra_draw", "discard"}
    play(game, "extra draw")
    assert (game.phase, game.taken, game.discard, game.stock) == ("play", "9h", ["Qd"], ["5h"])
    assert game.snapshot()["hands"] == [["2c", "3h", "4d", "6h", "8s", "9h"], ["9s", "Jd", "Kc"]]
    assert _kinds(game) == {"discard"}  # once a turn, and one discard all the same
    play(game, "discard 2c")
    assert (game.to_move, len(game.hands[0])) == (1, 5)


def test_three_card_draw_may_be_left_out() -> None:
    game = place("rummy_cards", _THREE, stock="8s 5h", discard="3h 9h", three_card_draw=True)
    play(game, "draw discard; discard 2c")
    assert (game.to_move, len(game.hands[0])) == (1, 3)


@pytest.mark.parametrize(
    ("stock", "discard", "move"),
    [
        ("8s 5h", "9h", "draw discard"),  # a pile of one card
        ("", "3h 9h", "draw discard"),  # no stock
        ("8s 5h", "3h 9h", "draw stock"),
    ],
)
def test_when_three_card_draw_is_not_possible(stock: str, discard: str, move: str) -> None:
    game = place("rummy_cards", _THREE, stock=stock, discard=discard, three_card_draw=True)
    play(game, move)
    assert (game.phase, _kinds(game)) == ("play", {"discard"})


def test_three_card_draw_of_the_last_card_ends_the_hand_with_the_discard() -> None:
    game = place("rummy_cards", _THREE, stock="RUMMY", discard="3h 9h", three_card_draw=True)
    play(game, "draw discard; extra draw")
    assert play(game, "discard 2c") == [1, 0]


def test_both_rummy_cards_are_laid_down_while_the_extra_draw_is_open() -> None:
    hands = "RUMMY RUMMY 6h | Kc 9s Jd"
    game = place("rummy_cards", hands, stock="8s", discard="3h 9h", three_card_draw=True)
    play(game, "draw discard")
    assert _kinds(game) == {"extra_draw", "discard", "lay_down_rummy"}


def test_spread_out_discards_offers_every_card_of_the_pile() -> None:
    game = place("rummy_cards", _THREE, stock="8s", discard="3h 9h Jc", spread_out_discards=True)
    cards = {cards for kind, cards in game.legal_actions() if kind == "take_pile"}
    assert cards == {("3h",), ("9h",), ("Jc",)}
    assert _kinds(game) == {"draw_stock", "take_pile"}
    play(game, "take 9h")
    assert (game.taken, game.discard, game.phase) == ("9h", ["3h"], "play")
    assert sorted(game.hands[0]) == ["2c", "4d", "6h", "9h", "Jc"]
    play(game, "discard Jc")
    assert len(game.hands[0]) == 4


def test_of_equal_cards_in_the_pile_the_topmost_is_taken() -> None:
    pile = "WILD 3h WILD 9h"
    game = place("rummy_cards", _THREE, stock="8s", discard=pile, spread_out_discards=True)
    play(game, "take WILD")
    assert game.discard == ["WILD", "3h"]


def test_spread_out_discards_with_three_card_draw() -> None:
    both: dict[str, Any] = {"spread_out_discards": True, "three_card_draw": True}
    game = place("rummy_cards", _THREE, stock="8s 5h", discard="3h 9h Jc", **both)
    play(game, "take 9h")
    assert game.phase == "play"
    game = place("rummy_cards", _THREE, stock="8s 5h", discard="3h 9h Jc", **both)
    play(game, "take Jc; extra draw")
    assert sorted(game.hands[0]) == parse_cards("2c 4d 6h 8s 9h Jc")
