"""The table as text where finished hands are declared, compared with how it should look."""

from typing import Any

import pytest

import rummy_env
from rummy_env import Engine
from tests.declared_tables import WITHOUT_KEPT, dealt_out
from tests.texts import golden, seen, watched


def play(engine: Engine, *moves: str) -> None:
    """Makes moves such as `"discard 7h"`, whose first word is the kind."""
    for move in moves:
        kind, *cards = move.split()
        engine.step([engine.space.index(kind, *cards)])


def test_special_cards_are_written_in_words_and_a_covered_pile_hides_what_it_has() -> None:
    hands = "WILD 3c RUMMY NO_MELD WILD | CANT_GO_OUT 2h 4h 6h 8h"
    engine = dealt_out("rummy_cards", hands, discard="5s SEQUENCE Qd")
    assert seen(engine, 0) == golden("""
        rummy_cards, hand 1, turn 1: player_0 to move (draw)

        > player_0  you, dealer  0 game points  3♣  WILD WILD  RUMMY  NO MELD
          player_1               0 game points  5 hidden

          discards  Q♦ on a covered pile
          stock     40 cards or more
    """)
    assert "2♥ 4♥ 6♥ 8♥  CAN'T GO OUT" in seen(engine, 1)


def test_no_lines_stand_for_melds_where_none_are_laid_on_the_table() -> None:
    text = watched(dealt_out("going_out", "3c 4c | 2h 4h", hand_size=2))
    assert "groups" not in text
    assert "sequences" not in text
    assert "discards  none" in text


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "empty"),
        (1, "1 to 4 cards"),
        (4, "1 to 4 cards"),
        (5, "5 to 9 cards"),
        (10, "10 to 19 cards"),
        (39, "20 to 39 cards"),
        (40, "40 cards or more"),
    ],
)
def test_a_stock_that_may_not_be_counted_is_estimated_in_words(size: int, words: str) -> None:
    for estimate in ("coarse", "exact"):
        engine = dealt_out("going_out", "3c 4c | 2h 4h", hand_size=2, stock_estimate=estimate)
        table = engine.snapshot(0)
        stock, pile = table["stock"][:size], table["stock"][size:]
        engine.restore(0, {**table, "stock": stock, "discard": pile})
        told = words if estimate == "coarse" else f"{size} card{'' if size == 1 else 's'}"
        assert watched(engine).splitlines()[-1] == f"  stock     {told}"


def test_a_remembered_pile_is_counted() -> None:
    given: dict[str, Any] = {"discard": "5s 9s Qd", "hand_size": 2, "pile_recall": True}
    assert "discards  Q♦, 2 below" in watched(dealt_out("going_out", "3c 4c | 2h 4h", **given))


def test_a_pile_spread_out_is_shown_from_the_bottom_to_the_top() -> None:
    hands = "2c 9d 4h 6h Js | 2d 9c 4s 6s Jh"
    given: dict[str, Any] = {"discard": "3c WILD 5h Qd", "spread_out_discards": True}
    engine = dealt_out("rummy_cards", hands, **given)
    assert "discards  3♣ WILD 5♥ Q♦ (top)" in watched(engine)
    play(engine, "take_pile WILD")
    assert "taken     WILD and 2 more from the discards" in watched(engine)
    assert "> player_0  dealer  0 game points  Q♦  5♥  WILD + 5 hidden" in seen(engine, 1)


def test_a_hand_that_went_out_is_shown_as_its_melds_to_everybody() -> None:
    hands = "9c 5h Kd 6h 9d WILD | 2c 4c 6c 8c Tc 2h"
    engine = dealt_out("going_out", hands, discard="9s", hand_size=6)
    play(engine, "draw_discard", "go_out")
    for text in (watched(engine), seen(engine, 0), seen(engine, 1)):
        assert text.startswith("going_out, hand 1: finished, player_0 wins\n")
        row = next(line for line in text.splitlines() if "player_0  " in line)
        assert row.endswith("1 game point  [9♣ 9♦ 9♠] [5♥ 6♥ WILD]  K♦")
    assert "6 hidden" in seen(engine, 0)
    assert "discards  none" in seen(engine, 1)


def test_both_rummy_cards_laid_down_are_shown_with_the_hand_as_it_is() -> None:
    hands = "RUMMY 3c RUMMY 9d Kh | 2h 4h 6h 8h Th"
    engine = dealt_out("rummy_cards", hands)
    play(engine, "lay_down_rummy")
    assert "1 game point  3♣  9♦  K♥  RUMMY RUMMY" in seen(engine, 1)


def test_a_hand_that_nobody_wins_is_told_from_one_that_is_cut_off() -> None:
    engine = dealt_out("rummy_cards", "2c 9d 4h 6h Js | 2d 9c 4s 6s Jh", **WITHOUT_KEPT)
    table = engine.snapshot(0)
    rummies = [card for card in table["stock"] if card == "RUMMY"]
    rest = [card for card in table["stock"] if card not in ("RUMMY", "7c")]
    engine.restore(0, {**table, "stock": ["7c"], "discard": rest + rummies})
    play(engine, "draw_stock", "discard 7c")
    assert watched(engine).startswith("rummy_cards, hand 1: finished, nobody wins\n")
    engine = dealt_out("rummy_cards", "2c 9d 4h 6h Js | 2d 9c 4s 6s Jh", max_turns=1)
    drawn = engine.snapshot(0)["stock"][0]
    play(engine, "draw_stock", f"discard {drawn}")
    assert watched(engine).startswith("rummy_cards, hand 1: cut off, nobody wins\n")


def test_a_seat_that_sits_out_is_said_to() -> None:
    marks = {"scores": [2, 1, 2], "sits_out": [False, True, False], "hand_number": 3}
    hands = "2c 9d 4h 6h Js | | 2d 9c 4s 6s Jh"
    engine = dealt_out("rummy_cards", hands, match="match", marks=marks)
    assert "player_1           1 game point  sits this hand out\n" in watched(engine)


def test_every_kind_of_special_card_can_be_read() -> None:
    rules = rummy_env.rules("rummy_cards")
    engine = Engine(rules)
    pack = list(rules.pack.cards)
    hands = [pack[52:57], pack[57:61] + pack[:1]]
    engine.restore(0, {"hands": hands, "stock": pack[1:52], "discard": []})
    text = watched(engine)
    assert "WILD WILD WILD  RUMMY RUMMY\n" in text
    assert "A♣  GROUP  SEQUENCE  NO MELD  CAN'T GO OUT\n" in text


def test_the_hands_of_those_who_did_not_go_out_are_shown_as_they_were_held() -> None:
    marks = {"known": [[], ["2h", "3h", "4h"]]}
    engine = dealt_out("going_out", "9c 9d Kd | 2h 3h 4h", discard="9s", hand_size=3, marks=marks)
    play(engine, "draw_discard", "go_out")
    assert "[9♣ 9♦ 9♠]  K♦" in watched(engine)
    assert "0 game points  [2♥ 3♥ 4♥]\n" in watched(engine)
