"""The variations of RUMMY cards, one test a rule."""

from typing import Any

import pytest

from tests.table import lay

VARIATION: dict[str, Any] = {"going_out_variation": True}
THREE: dict[str, Any] = {"three_card_draw": True, "stock": "Ts"}
SPARE = "NO_MELD CANT_GO_OUT"
"""Cards that cannot lie in the discard pile."""


def test_the_going_out_variation_is_played_till_someone_goes_out() -> None:
    hands = "2c 5d 8h | RUMMY 6h 9s NO_MELD | 4c 7d Th"
    table = lay("rummy_cards", hands, stock="8s", rest="discard", **VARIATION)
    table.play("draw stock; discard 2c")
    assert not table["finished"]
    assert table["discard"] == ["2c"]
    assert len(table["stock"]) == 60 - 11


def test_four_sevens_win_with_every_holder_of_a_rummy_card() -> None:
    hands = "7c 7d 7h 7s 2c | RUMMY 6h 9s | 4c 8d Th"
    table = lay("rummy_cards", hands, four_sevens=True)
    assert table.play("four sevens") == [0.5, 0.5, -1]


@pytest.mark.parametrize(
    ("hand", "wins"),
    [("7c 7d 7h 7s", True), ("7c 7d 7h 7h", False), ("7c 7c 7d 7d 7h 7s", True)],
)
def test_four_sevens_of_two_packs_are_of_all_four_suits(hand: str, *, wins: bool) -> None:
    table = lay("rummy_cards", f"{hand} | 3d 6h 9s", decks=2, four_sevens=True)
    assert table.allows("four sevens") is wins


def test_four_sevens_may_come_from_either_pack() -> None:
    """The first copies of 7c and 7d lie in the other hand."""
    table = lay("rummy_cards", "3d 7c 7d | 7c 7d 7h 7s", decks=2, four_sevens=True)
    table.play("draw stock; discard 3d")
    assert table.allows("four sevens")


def test_three_cards_are_drawn_directly_after_the_top_discard() -> None:
    table = lay(
        "rummy_cards", "2c 5d 8h | 3d 6h 9s", stock="Ts", discard="Jc Qd", three_card_draw=True
    )
    table.play("draw discard")
    assert table.kinds == {"extra_draw", "discard"}
    table.play("extra draw")
    assert table["hands"][0] == sorted(["2c", "5d", "8h", "Jc", "Qd", "Ts"])
    assert (table["discard"], table["taken"], table["phase"]) == ([], "Qd", "play")
    assert table["taken_count"] == 2  # the Jc, too
    table.play("discard 2c")
    assert (table["to_move"], len(table["hands"][0])) == (1, 5)


def test_what_is_drawn_third_stays_hidden_and_what_is_drawn_second_does_not() -> None:
    table = lay(
        "rummy_cards", "2c 5d 8h | 3d 6h 9s", stock="Ts", discard="Jc Qd", three_card_draw=True
    )
    table.play("draw discard; extra draw")
    assert table["known"][0] == ["Jc", "Qd"]


NO_EXTRA = {
    "from the stock": ("draw stock", "Jc Qd", {}),
    "with a pile of one": ("draw discard", "Qd", {}),
    "deeper in a pile spread out": ("take Qd", "Jc Qd Kh", {"spread_out_discards": True}),
}


@pytest.mark.parametrize("what", NO_EXTRA)
def test_there_is_no_three_card_draw(what: str) -> None:
    move, pile, options = NO_EXTRA[what]
    given: dict[str, Any] = {"three_card_draw": True, **options}
    table = lay("rummy_cards", "2c 5d 8h | 3d 6h 9s", discard=pile, **given)
    table.play(move)
    assert (table["phase"], table.kinds) == ("play", {"discard"})


def test_there_is_no_three_card_draw_without_a_stock() -> None:
    hands = "2c 5d 8h | 3d 6h 9s | NO_MELD 4c"
    given: dict[str, Any] = {"three_card_draw": True, **VARIATION}
    table = lay("rummy_cards", hands, rest="discard", **given)
    table.play("draw discard")
    assert (table["phase"], table.kinds) == ("play", {"discard"})


def test_the_extra_draw_is_offered_once_and_not_after_a_discard() -> None:
    table = lay("rummy_cards", "2c 5d 8h | 3d 6h 9s", discard="Th Jc Qd Kh", three_card_draw=True)
    table.play("draw discard; extra draw")
    assert not table.allows("extra draw")
    table.play("discard Kh; draw discard")
    assert (table["to_move"], table["phase"]) == (1, "extra_draw")


def test_the_top_of_a_spread_out_pile_may_be_followed_by_two_cards() -> None:
    given: dict[str, Any] = {"three_card_draw": True, "spread_out_discards": True}
    table = lay("rummy_cards", "2c 5d 8h | 3d 6h 9s", stock="Ts", discard="Jc Qd", **given)
    table.play("take Qd; extra draw")
    assert len(table["hands"][0]) == 6


def test_three_cards_that_take_the_last_of_the_stock_end_the_hand() -> None:
    hands = f"2c 5d 8h | RUMMY 6h 9s | {SPARE}"
    table = lay("rummy_cards", hands, stock="Ts", rest="discard", three_card_draw=True)
    table.play("draw discard; extra draw")
    assert table.play("discard 2c") == [-0.5, 1, -0.5]


def test_a_spread_out_pile_gives_any_card_and_all_above_it() -> None:
    table = lay("rummy_cards", "2c 5d 8h | 3d 6h 9s", discard="Th Jc Qd", spread_out_discards=True)
    assert table.legal("take_pile") == {"Th", "Jc", "Qd"}
    table.play("take Jc")
    assert table["hands"][0] == sorted(["2c", "5d", "8h", "Jc", "Qd"])
    assert (table["discard"], table["taken"], table["known"][0]) == (["Th"], "Jc", ["Jc", "Qd"])
    table.play("discard 2c")
    assert len(table["hands"][0]) == 4


@pytest.mark.parametrize(("decks", "card"), [(1, "WILD"), (2, "Jc")])
def test_of_equal_cards_the_topmost_is_taken(decks: int, card: str) -> None:
    given: dict[str, Any] = {"spread_out_discards": True, "decks": decks}
    table = lay("rummy_cards", "2c 5d 8h | 3d 6h 9s", discard=f"{card} Th {card} Qd", **given)
    assert len(table.legal("take_pile")) == 3
    table.play(f"take {card}")
    assert table["discard"] == [card, "Th"]


def test_a_large_hand_may_go_out() -> None:
    pile = "2h 3h 4h 9c 9d 9s Tc Jc Qc"
    table = lay("rummy_cards", "2c 5d 8h | 3d 6h", discard=pile, spread_out_discards=True)
    table.play("take 2h")
    assert not table.allows("go out")
    table = lay("rummy_cards", "Kc 7d 8h | 3d 6h", discard=f"9h {pile}", spread_out_discards=True)
    table.play("take 9h")
    assert not table.allows("go out")
    table = lay("rummy_cards", "Kc Ac | 3d 6h", discard=f"9h {pile}", spread_out_discards=True)
    table.play("take 9h")
    assert table.play("go out") == [1, -1]


def test_who_discards_one_of_equal_cards_may_have_discarded_the_one_that_was_taken() -> None:
    """The others know of no WILDCARD in the hand any more, whatever it holds."""
    hidden = {"WILD": "9c", "9c": "WILD"}
    told = []
    for card, elsewhere in hidden.items():
        hands = f"2c 5d {card} | 3d 6h 9s {elsewhere}"
        table = lay("rummy_cards", hands, discard="Th", marks={"seed": 1})
        table.engine.restore(0, {**table.engine.snapshot(0), "discard": ["Th", "WILD"],
                                 "stock": _without(table["stock"], "WILD")})  # fmt: skip
        table.play("draw discard; discard WILD")
        told.append(table["known"][0])
    assert told == [[], []]


def _without(cards: list[str], card: str) -> list[str]:
    """The cards but one."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
