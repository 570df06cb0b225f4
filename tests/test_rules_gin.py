"""The rules of a turn of gin, on positions worked by hand: drawing, the wall, the limit."""

from typing import Any

import pytest

from tests.gin_play import LOOSE, LOOSE_TOO, MANUAL, OTHER, THREE_MELDS, dealt, knocked, lay

# The first upcard


def test_the_first_player_may_take_the_first_upcard_or_pass() -> None:
    table = dealt()
    first, upcard = table["to_move"], table["discard"][0]
    assert first == 1 - table["dealer"]
    assert table.kinds == {"draw_discard", "pass"}
    table.play("draw discard")
    assert upcard in table["hands"][first]
    assert table["to_move"] == first
    assert table.kinds >= {"discard"}


def test_if_the_first_player_passes_the_dealer_may_take_it_or_pass() -> None:
    table = dealt()
    table.play("pass")
    assert table["to_move"] == table["dealer"]
    assert table.kinds == {"draw_discard", "pass"}
    table.play("draw discard")
    table.play(f"discard {min(table.legal('discard'))}")
    assert table["to_move"] == 1 - table["dealer"]
    assert table.kinds == {"draw_stock", "draw_discard"}


def test_if_both_pass_the_first_player_must_draw_from_the_stock() -> None:
    table = dealt()
    table.play("pass; pass")
    assert table["to_move"] == 1 - table["dealer"]
    assert table.kinds == {"draw_stock"}
    table.play("draw stock")
    table.play(f"discard {min(table.legal('discard'))}")
    assert table.kinds == {"draw_stock", "draw_discard"}


def test_whoever_takes_the_first_upcard_leaves_no_second_offer() -> None:
    table = dealt()
    table.play("draw discard")
    table.play(f"discard {min(table.legal('discard'))}")
    assert table["to_move"] == table["dealer"]
    assert table.kinds == {"draw_stock", "draw_discard"}


# The card just taken


def test_the_card_just_taken_may_not_be_thrown_back() -> None:
    hand = f"{THREE_MELDS} 9d"
    for option, possible in ((False, False), (True, True)):
        table = lay(
            f"{hand} | {LOOSE}", stock="Ks Kh As Ah", discard="2c", discard_taken_upcard=option
        )
        table.play("draw discard")
        assert table.allows("discard 2c") is possible
        assert table.allows("knock 2c") is possible
        assert table.allows("knock 9d")


def test_nor_may_one_go_gin_by_throwing_it_back() -> None:
    hand = f"{THREE_MELDS} Kc"
    for option, possible in ((False, False), (True, True)):
        table = lay(
            f"{hand} | {LOOSE}", stock="Ks Kh As Ah", discard="9d", discard_taken_upcard=option
        )
        table.play("draw discard")
        assert table.allows("gin") is possible
        assert table.allows("knock Kc") is True
    table.play("gin")
    assert table["discard"][-1] == "9d"


def test_gin_throws_another_card_away_where_there_is_one() -> None:
    """Both ends of 9c Tc Jc Qc Kc can be done without."""
    hands = f"{THREE_MELDS} Kc | {LOOSE}"
    table = lay(hands, stock="Ks Kh As Ah", discard="9c")
    assert table.play("draw discard; gin") == [63 + 25, 0]
    assert table["discard"][-1] == "Kc"


def test_nor_may_one_knock_with_it_where_melds_are_laid_down_one_by_one() -> None:
    hands = f"{THREE_MELDS} 9d | {LOOSE}"
    table = lay(hands, stock="Ks Kh As Ah", discard="2c", **MANUAL)
    table.play("draw discard")
    assert table.legal("knock") == {"9d"}


def test_in_a_later_turn_it_may_be_discarded() -> None:
    table = lay(f"{LOOSE} | {OTHER}", stock="Ks Kh As Ah", discard="2c")
    table.play("draw discard; discard Qh; draw stock; discard Ks; draw stock")
    assert table.allows("discard 2c")


def test_the_hand_ends_when_both_in_turn_take_the_upcard_and_throw_it_back() -> None:
    table = lay(f"{LOOSE} | {OTHER}", stock="Ks Kh As Ah", discard="5d", discard_taken_upcard=True)
    table.play("draw discard; discard 5d; draw discard")
    assert not table["finished"]
    assert table.play("discard 5d") == [0, 0]
    assert (table["finished"], table["truncated"], table["winners"]) == (True, False, [])


def test_the_hand_goes_on_if_one_of_them_keeps_it_or_draws_from_the_stock() -> None:
    start: dict[str, Any] = {
        "stock": "Ks Kh As Ah 2c",
        "discard": "5d",
        "discard_taken_upcard": True,
    }
    for other in ("draw discard; discard Qs", "draw stock; discard Ks"):
        table = lay(f"{LOOSE} | {OTHER}", **start)
        table.play(f"draw discard; discard 5d; {other}; draw discard")
        top = table["taken"]
        table.play(f"discard {top}")
        assert not table["finished"]


def test_a_knock_with_the_card_just_taken_does_not_count_as_throwing_it_back() -> None:
    """A bug of the past: the second meld laid down ended the hand."""
    table = lay(
        f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As Ah", discard="9d", preset="openspiel"
    )
    table.play("draw discard; knock 9d; meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc; pass; pass")
    assert not table["finished"]
    assert table.play("pass") == [63 - 5, 0]


# Knocking


@pytest.mark.parametrize(("limit", "possible"), [(5, True), (4, False), (10, True), (0, False)])
def test_a_knock_leaves_at_most_the_limit(limit: int, possible: bool) -> None:
    table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As Ah", knock_card=limit)
    table.play("draw stock")
    assert table.allows("knock Ks") is possible


def test_ten_points_are_few_enough_and_eleven_too_many() -> None:
    for ace_or_two, possible in (("Ad", True), ("2d", False)):
        hand = f"7c 7d 7h 7s Tc Jc Qc Kc 9s {ace_or_two}"
        table = lay(f"{hand} | {LOOSE_TOO}", stock="Ks Kh As Ah")
        table.play("draw stock")
        assert table.allows("knock Ks") is possible


def test_the_discard_counts_before_the_knock() -> None:
    """With Ks there are fifteen points, without it five; with 5h gone there are ten."""
    table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As Ah")
    assert not table.kinds & {"knock", "gin"}
    table.play("draw stock")
    assert table.legal("knock") == {"Ks", "5h"}


def test_the_knocker_wins_the_difference() -> None:
    assert knocked(f"{THREE_MELDS} 5h", LOOSE) == [63 - 5, 0]


def test_a_card_is_in_one_meld_and_a_broken_set_wins() -> None:
    """The fours leave 5h 6h, eleven points; 4h 5h 6h leaves two fours, eight."""
    defender = "4s Ac 2d 3c 6d 8d 9h Jd Qh Kc"
    assert knocked("4c 4d 4h 5h 6h 9s Ts Js Qs 8s", defender) == [63 - 8, 0]


def test_gin_is_not_called_a_knock() -> None:
    table = lay(f"{THREE_MELDS} Kc | {LOOSE}", stock="Ks Kh As Ah")
    table.play("draw stock")
    assert table.allows("gin")
    assert table.legal("knock") == {"Kc", "Tc"}


# Oklahoma


@pytest.mark.parametrize(
    ("upcard", "limit"), [("Ah", 0), ("2s", 2), ("5d", 5), ("Th", 10), ("Jh", 10), ("Kh", 10)]
)
def test_in_oklahoma_the_first_upcard_is_the_limit(upcard: str, limit: int) -> None:
    """An ace allows gin only, a court card ten."""
    for loose, points in (("2c", 2), ("3c", 3), ("5h", 5), ("6d", 6), ("9d", 9)):
        hand = f"{THREE_MELDS} {loose}"
        table = lay(
            f"{hand} | {LOOSE}", stock="Ks Kc As 4h", oklahoma=True, marks={"upcard": upcard}
        )
        table.play("draw stock")
        assert table.allows("knock Ks") is (points <= limit), (upcard, loose)


def test_in_oklahoma_with_an_ace_one_plays_for_gin() -> None:
    table = lay(
        f"{THREE_MELDS} Ad | {LOOSE}", stock="Kc Ks As 4h", oklahoma=True, marks={"upcard": "Ah"}
    )
    table.play("draw stock")
    assert not table.legal("knock")
    assert table.play("gin") == [63 + 25, 0]


def test_in_oklahoma_the_limit_stays_that_of_the_card_turned_up() -> None:
    table = dealt(oklahoma=True)
    upcard = table["discard"][0]
    table.play("draw discard")
    table.play(f"discard {min(table.legal('discard'))}")
    assert table["discard"] != [upcard]
    assert table["upcard"] == upcard


# The wall


def test_the_hand_is_void_when_a_turn_ends_with_two_cards_left() -> None:
    table = lay(f"{LOOSE} | {OTHER}", stock="5d Ks Kh")
    table.play("draw stock")
    assert not table["finished"]
    assert table.play("discard Qh") == [0, 0]
    assert (table["finished"], table["truncated"], table["winners"]) == (True, False, [])
    assert table.engine.terminated[0]


def test_a_knock_in_the_last_turn_counts() -> None:
    table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As")
    assert table.play("draw stock; knock Ks") == [58, 0]


def test_the_hand_goes_on_with_three_cards_left() -> None:
    table = lay(f"{LOOSE} | {OTHER}", stock="5d Ks Kh", discard="5s")
    table.play("draw discard; discard Qh")
    assert table.kinds == {"draw_stock", "draw_discard"}


def test_who_has_drawn_knocks_without_the_upcard_however_few_cards_a_table_has() -> None:
    """Seat 0 holds ten cards after its draw: without the king they are melds, so that is gin."""
    table = lay(f"{THREE_MELDS} Ks | {LOOSE}", stock="Kc Kh As", discard="Qs", phase="play")
    assert "Ks" not in table.legal("knock")
    assert table.play("gin") == [63 + 25, 0]
    assert table["discard"][-2:] == ["Qs", "Ks"]


def test_at_the_wall_the_next_player_may_knock_with_the_upcard_or_pass() -> None:
    """Seat 1 needs 9d for a fourth meld's place: it takes it and knocks with Ts."""
    hands = f"{LOOSE.replace('9h', '9d')} | {THREE_MELDS} Ts"
    table = lay(hands, stock="5d Ks Kh", wall="knock")
    table.play("draw stock; discard 5d")
    assert table["phase"] == "wall"
    assert (table["to_move"], table.kinds) == (1, {"pass", "knock"})
    assert table.legal("knock") == {"Ts"}
    assert table.play("knock Ts") == [0, 63 - 5]
    table = lay(hands, stock="5d Ks Kh", wall="knock")
    assert table.play("draw stock; discard 5d; pass") == [0, 0]
    assert (table["finished"], table["truncated"], table["winners"]) == (True, False, [])


def test_at_the_wall_the_upcard_itself_is_thrown_back_only_as_an_option() -> None:
    for option, cards in ((False, {"Ts"}), (True, {"Ts", "5d"})):
        table = lay(
            f"{LOOSE} | {THREE_MELDS} Ts",
            stock="5d Ks Kh",
            wall="knock",
            discard_taken_upcard=option,
        )
        table.play("draw stock; discard 5d")
        assert table.legal("knock") == cards


def test_at_the_wall_the_upcard_is_taken_and_melds_laid_down() -> None:
    hands = f"{LOOSE} | {THREE_MELDS} Ts"
    table = lay(hands, stock="Kc Ks Kh", wall="knock", **MANUAL)
    table.play("draw stock; discard Kc; knock Ts")
    assert (table["taken"], table["phase"], table["to_move"]) == ("Kc", "lay_down", 1)
    assert table["taken_count"] == 1
    assert table["known"] == [[], ["Kc"]]
    table.play("meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc Kc; pass")
    assert table.play("pass") == [0, 63 + 25]


def test_at_the_wall_one_may_go_gin() -> None:
    table = lay(f"{LOOSE} | {THREE_MELDS} Ts", stock="Kc Ks Kh", wall="knock")
    assert table.play("draw stock; discard Kc; gin") == [0, 63 + 25]


def test_at_the_wall_who_cannot_knock_can_only_pass() -> None:
    table = lay(f"{THREE_MELDS} Ts | {LOOSE}", stock="5d Ks Kh", wall="knock")
    table.play("draw stock; discard 5d")
    assert table.kinds == {"pass"}


@pytest.mark.parametrize("options", [{}, MANUAL])
def test_a_card_thrown_with_a_knock_is_remembered(options: dict[str, Any]) -> None:
    table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As Ah", **options)
    table.play("draw stock; knock Ks")
    assert table["discarded"] == [["Ks"], []]
