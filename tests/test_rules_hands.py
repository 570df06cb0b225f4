"""The rules of the empty stock, of going out and of scores, one test a rule.

Scores are worked by hand from the rule pages.
"""

from typing import Any

import pytest

import rummy_env
from tests.table import GO_OUT, TABLE_VARIANTS, Table, last_turn, lay


@pytest.fixture(params=TABLE_VARIANTS)
def variant(request: pytest.FixtureRequest) -> str:
    return str(request.param)


# The stock is empty


def emptied_stock(name: str, seed: int = 0, **options: Any) -> Table:
    """Seat 0 has drawn the last card, the nine of diamonds, and discarded it on 3d 4d 5d."""
    marks = {"seed": seed, "shuffles": 1}
    table = lay(
        name, "2c | Kc", stock="9d", discard="3d 4d 5d", rest="last hand", marks=marks, **options
    )
    table.play("draw stock")
    assert (table["stock"], table["discard"]) == ([], ["3d", "4d", "5d"])
    table.play("discard 9d")
    return table


def test_shuffle_keep_top_leaves_the_top_discard_and_shuffles_the_others() -> None:
    stocks = set()
    for seed in range(60):
        table = emptied_stock("basic", seed)
        assert table["discard"] == ["9d"]
        assert sorted(table["stock"]) == ["3d", "4d", "5d"]
        assert table.kinds == {"draw_stock", "draw_discard"}
        stocks.add(tuple(table["stock"]))
    assert len(stocks) == 6


def test_shuffle_all_shuffles_the_whole_pile_and_turns_up_the_last_card_of_the_new_stock() -> None:
    tops = set()
    for seed in range(60):
        table = emptied_stock("bonus", seed)
        assert sorted(table["stock"] + table["discard"]) == ["3d", "4d", "5d", "9d"]
        assert len(table["discard"]) == 1
        assert table.kinds == {"draw_stock", "draw_discard"}
        tops.add(table["discard"][0])
    assert tops == {"3d", "4d", "5d", "9d"}


def test_turn_over_lets_the_next_player_take_the_top_discard_all_the_same() -> None:
    table = emptied_stock("classic")
    assert (table["stock"], table["discard"]) == ([], ["3d", "4d", "5d", "9d"])
    table.play("draw discard")
    assert table["taken"] == "9d"
    assert table["stock"] == []


def test_turn_over_makes_a_stock_of_the_pile_unshuffled_with_the_oldest_discard_first() -> None:
    table = emptied_stock("classic")
    table.play("draw stock")
    assert "3d" in table["hands"][1]
    assert table["taken"] is None
    assert (table["stock"], table["discard"]) == (["4d", "5d", "9d"], [])
    assert "3d" in table.legal("discard")


def test_after_a_turn_over_there_is_no_discard_pile_until_the_next_discard() -> None:
    table = emptied_stock("classic")
    table.play("draw stock; discard 3d")
    assert table["discard"] == ["3d"]
    assert table.kinds == {"draw_stock", "draw_discard"}


def test_a_pile_of_a_single_card_is_turned_over_too() -> None:
    table = lay("classic", "2c | Kc", discard="9d", rest="last hand")
    assert table.kinds == {"draw_stock", "draw_discard"}
    table.play("draw stock")
    assert (table["hands"][0], table["discard"]) == (["2c", "9d"], [])
    assert "9d" in table.legal("discard")


@pytest.mark.parametrize("restock", ["shuffle_keep_top", "shuffle_all"])
def test_with_a_single_discard_there_is_nothing_to_shuffle_and_it_must_be_taken(
    restock: str,
) -> None:
    table = lay("basic", "2c | Kc", stock="9d", rest="last hand", restock=restock)
    table.play("draw stock; discard 9d")
    assert (table["stock"], table["discard"]) == ([], ["9d"])
    assert table.kinds == {"draw_discard"}


def test_a_single_discard_can_be_turned_over() -> None:
    table = lay("classic", "2c | Kc", stock="9d", rest="last hand")
    table.play("draw stock; discard 9d; draw stock")
    assert (table["stock"], table["discard"], table["taken"]) == ([], [], None)
    table.play("discard 9d")
    assert table["discard"] == ["9d"]


def test_every_variant_renews_the_stock_in_the_way_of_its_document() -> None:
    ways = {name: dict(rummy_env.rules(name).options)["restock"] for name in TABLE_VARIANTS}
    assert ways == {"basic": "shuffle_keep_top", "bonus": "shuffle_all", "classic": "turn_over"}


# Going out


def test_a_player_goes_out_by_laying_off_the_last_card(variant: str) -> None:
    table = last_turn(variant)
    table.play(GO_OUT)
    assert (table["winners"], table["finished"], table["hands"]) == ([0], True, [[], ["Kd"]])


def test_a_player_goes_out_by_melding_the_last_cards(variant: str) -> None:
    table = lay(variant, "7c 7d | Kd", stock="7h")
    table.play("draw stock; meld 7c 7d 7h")
    assert (table["winners"], table["finished"], table["melds"]) == (
        [0],
        True,
        [["7c", "7d", "7h"]],
    )


def test_a_player_goes_out_by_discarding_the_last_card(variant: str) -> None:
    table = last_turn(variant, discard="2h")
    table.play("draw stock; lay off 9c on group; discard 8s")
    assert (table["winners"], table["discard"]) == ([0], ["2h", "8s"])


def test_with_a_final_discard_the_last_card_must_be_discarded(variant: str) -> None:
    table = last_turn(variant, final_discard=True)
    table.play("draw stock; lay off 9c on group")
    assert table.kinds == {"discard"}
    table.play("discard 8s")
    assert table["winners"] == [0]


def test_no_variant_asks_for_a_final_discard_by_default(variant: str) -> None:
    assert rummy_env.rules(variant).final_discard is False


def test_play_ceases_when_somebody_goes_out(variant: str) -> None:
    table = last_turn(variant, others="7c 7d 7h", reward="points", going_rummy=False)
    points = {"basic": 15, "bonus": 21, "classic": 21}[variant]
    assert table.play(GO_OUT) == [points, 0]
    assert not table.engine.legal_mask().any()


# Scores


PIPS = dict(zip("A23456789TJQK", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], strict=True))
VALUES = {
    "basic": dict(zip("A23456789TJQK", [15] + [5] * 9 + [10] * 3, strict=True)),
    "bonus": PIPS,
    "classic": PIPS,
}
"""Points of a card left in a hand, as each document lists them."""


@pytest.mark.parametrize("rank", "A23456789TJQK")
def test_a_card_left_in_a_hand_counts_as_its_document_says(variant: str, rank: str) -> None:
    options: dict[str, Any] = {"reward": "points", "going_rummy": False}
    table = lay(variant, f"3c 4c | {rank}d", stock="5c", **options)
    points = VALUES[variant][rank]
    assert table.play("draw stock; meld 3c 4c 5c") == [points, 0]
    assert table["scores"] == [points, 0]


@pytest.mark.parametrize(
    ("name", "points"),
    [("basic", 15 + 5 + 5 + 10), ("bonus", 2 * 26), ("classic", 1 + 5 + 10 + 10)],
)
def test_the_winner_gets_the_value_of_all_cards_left_in_the_other_hands(
    name: str, points: int
) -> None:
    table = last_turn(name, others="As 5h | Td Kd", reward="points")
    assert table.play(GO_OUT) == [points, 0, 0]
    assert table["scores"] == [points, 0, 0]


def test_going_rummy_doubles_the_score() -> None:
    assert last_turn("bonus", reward="points").play(GO_OUT) == [20, 0]
    table = lay("bonus", "7c 7d | Kd As", stock="7h", reward="points")
    assert table.play("draw stock; meld 7c 7d 7h") == [22, 0]


def test_several_plays_of_one_turn_are_still_going_rummy() -> None:
    table = last_turn("bonus", reward="points")
    assert table.play("draw stock; lay off 9c on group; discard 8s") == [20, 0]


def test_having_laid_off_in_an_earlier_turn_is_not_going_rummy() -> None:
    stock = "Kc Ks 8s"
    table = lay("bonus", "9c 4h | Kd 2d", stock=stock, melds="9d 9h 9s | 5s 6s 7s", reward="points")
    table.play("draw stock; lay off 9c on group; discard Kc; draw stock; discard Ks")
    assert table.play("draw stock; lay off 8s on sequence; discard 4h") == [12, 0]


def test_having_melded_in_an_earlier_turn_is_not_going_rummy() -> None:
    stock = "Jc Js 8s"
    table = lay(
        "bonus", "3c 4c 5c 9c | Kd 2d", stock=stock, melds="9d 9h 9s | 5s 6s 7s", reward="points"
    )
    table.play("draw stock; meld 3c 4c 5c; discard Jc; draw stock; discard Js")
    assert table.play(GO_OUT) == [12, 0]


def test_turns_without_a_play_do_not_hinder_going_rummy() -> None:
    table = lay("bonus", "7c 7d | Kd 2d", stock="Jc Js 7h", reward="points")
    table.play("draw stock; discard Jc; draw stock; discard Js")
    assert table.play("draw stock; meld 7c 7d 7h") == [24, 0]


def test_what_others_have_played_does_not_hinder_going_rummy() -> None:
    table = last_turn("bonus", reward="points", marks={"first_play": [-1, 0], "turn_number": 2})
    assert table.play(GO_OUT) == [20, 0]


def test_only_bonus_doubles_by_default_and_every_variant_by_option() -> None:
    doubling = {name: rummy_env.rules(name).going_rummy for name in TABLE_VARIANTS}
    assert doubling == {"basic": False, "bonus": True, "classic": False}
    for name in TABLE_VARIANTS:
        assert last_turn(name, reward="points", going_rummy=True).play(GO_OUT) == [20, 0]
        assert last_turn(name, reward="points", going_rummy=False).play(GO_OUT) == [10, 0]


# Whole hands, from the first draw to the score


def test_a_hand_of_classic_with_every_kind_of_play() -> None:
    """Seat 1 is left with the eight and the two of diamonds: ten points."""
    table = lay(
        "classic",
        "4c 5c 6c 9h Th Jh Qs | 7d 7h 7s 8d 2d 3c 7c",
        stock="Kd 5s 8h",
        discard="Qd",
        reward="points",
    )
    table.play("draw stock; meld 4c 5c 6c; discard Kd")
    table.play("draw stock; lay off 7c on sequence; meld 7d 7h 7s; lay off 3c on sequence")
    table.play("discard 5s")
    rewards = table.play("draw stock; meld 9h Th Jh; lay off 8h on sequence; discard Qs")
    assert rewards == [10, 0]
    assert table["hands"] == [[], ["2d", "8d"]]
    assert table["melds"] == [
        ["7d", "7h", "7s"],
        ["3c", "4c", "5c", "6c", "7c"],
        ["8h", "9h", "Th", "Jh"],
    ]
    assert table["discard"] == ["Qd", "Kd", "5s", "Qs"]


def test_a_hand_of_basic_won_in_the_first_turn_with_two_melds() -> None:
    """Seat 1 is left with 15 + 5 + 5 + 10 + 10 + 5 + 5, seat 2 with 15 + 5 + 5 + 5 + 5 + 5 + 10."""
    table = lay(
        "basic",
        "8c 8d 8h 2s 3s 4s Kc | As 9d 9c Jd Qd 3h 4h | Ah 2h 5h 6d 7d Td Ks",
        discard="5s",
    )
    table.play("draw discard; meld 8c 8d 8h; meld 2s 3s 4s; lay off 5s on sequence")
    assert table.play("discard Kc") == [1.05, -0.55, -0.5]
    assert table["scores"] == [105, 0, 0]
