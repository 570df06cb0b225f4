"""The rules of table melds, one test a rule: the deal, the turn, melds, laying off.

Positions are worked by hand from the rule pages; plays that are dead ends are in
`test_rules_dead_ends`, the empty stock, going out and scores in `test_rules_hands`, matches and
rewards in `test_rules_matches`.
"""

from dataclasses import replace

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, IllegalAction
from tests.table import TABLE_VARIANTS, lay


@pytest.fixture(params=TABLE_VARIANTS)
def variant(request: pytest.FixtureRequest) -> str:
    return str(request.param)


# The deal


@pytest.mark.parametrize(("players", "cards"), [(2, 10), (3, 7), (4, 7), (5, 6), (6, 6)])
def test_the_number_of_players_decides_how_many_cards_are_dealt(
    variant: str, players: int, cards: int
) -> None:
    engine = Engine(rummy_env.rules(variant, num_players=players))
    engine.reset()
    table = engine.snapshot(0)
    assert [len(hand) for hand in table["hands"]] == [cards] * players
    assert (len(table["discard"]), len(table["stock"])) == (1, 52 - 1 - players * cards)
    assert (table["melds"], table["phase"], table["taken"]) == ([], "draw", None)


@pytest.mark.parametrize("players", range(2, 7))
def test_cards_are_dealt_one_at_a_time_from_the_dealers_left(variant: str, players: int) -> None:
    """The same seed shuffles the pack alike, so a deal of one card a seat shows its order."""
    order: list[str] = []
    for size in (1, 4):
        rules = rummy_env.rules(variant, num_players=players)
        engine = Engine(replace(rules, hand_size=size), seed=3)
        engine.reset()
        table = engine.snapshot(0)
        seats = [(table["dealer"] + 1 + place) % players for place in range(players)]
        if size == 1:
            order = [table["hands"][seat][0] for seat in seats] + table["discard"] + table["stock"]
            continue
        for place, seat in enumerate(seats):
            assert table["hands"][seat] == sorted(order[place : size * players : players])
        assert table["discard"] + table["stock"] == order[size * players :]


@pytest.mark.parametrize("players", range(2, 7))
def test_the_first_dealer_is_drawn_and_the_seat_at_the_left_begins(
    variant: str, players: int
) -> None:
    engine = Engine(rummy_env.rules(variant, num_players=players), 4096, seed=1)
    engine.reset()
    dealer = engine.state.dealer
    assert (engine.to_move == (dealer + 1) % players).all()
    share = np.bincount(dealer, minlength=players) / 4096
    assert abs(share - 1 / players).max() < 5 * (1 / players / 4096) ** 0.5


# The turn


def test_a_turn_begins_with_a_draw_from_the_stock_or_the_discard_pile(variant: str) -> None:
    table = lay(variant, "2c 5d | Kc", stock="9h", discard="3s 7s")
    assert table.kinds == {"draw_stock", "draw_discard"}
    table.play("draw stock")
    assert table["hands"][0] == ["2c", "5d", "9h"]
    assert table["taken"] is None
    table = lay(variant, "2c 5d | Kc", stock="9h", discard="3s 7s")
    table.play("draw discard")
    assert (table["hands"][0], table["discard"]) == (["2c", "5d", "7s"], ["3s"])
    assert table["taken"] == "7s"


def test_without_a_discard_pile_one_draws_from_the_stock(variant: str) -> None:
    assert lay(variant, "2c 5d | Kc").kinds == {"draw_stock"}


def test_only_one_card_is_drawn(variant: str) -> None:
    table = lay(variant, "2c 5d | Kc", discard="7s")
    table.play("draw stock")
    assert table.kinds == {"discard"}


def test_a_turn_ends_with_a_discard_and_passes_clockwise(variant: str) -> None:
    table = lay(variant, "2c 5d | Kc 3d | Qc 3h", stock="9h Jd Js", discard="7s")
    for seat, card in enumerate(("9h", "Jd", "Js")):
        assert (table["to_move"], table["turn_number"]) == (seat, seat)
        table.play(f"draw stock; discard {card}")
    assert table["discard"] == ["7s", "9h", "Jd", "Js"]
    assert (table["to_move"], table["phase"], table["turn_number"]) == (0, "draw", 3)


def test_playing_is_optional(variant: str) -> None:
    table = lay(variant, "7c 7d 7h 8s | Kc", melds="8c 8d 8h")
    table.play("draw stock")
    assert table.kinds == {"meld_group", "lay_off_group", "discard"}
    assert table.legal("discard") == set(table["hands"][0])


def test_a_card_taken_from_the_discard_pile_is_not_discarded_in_that_turn(variant: str) -> None:
    table = lay(variant, "2c 5d | Kc", discard="7s")
    table.play("draw discard")
    assert table.legal("discard") == {"2c", "5d"}
    with pytest.raises(IllegalAction, match=r"discard 7s"):
        table.play("discard 7s")


def test_a_card_taken_from_the_discard_pile_may_be_discarded_in_a_later_turn(variant: str) -> None:
    table = lay(variant, "2c 5d | Kc 3s", stock="Jh 9h", discard="7s")
    table.play("draw discard; discard 2c; draw stock; discard Jh; draw stock; discard 7s")
    assert table["discard"] == ["2c", "Jh", "7s"]


def test_a_card_drawn_from_the_stock_may_be_discarded_at_once(variant: str) -> None:
    table = lay(variant, "2c 5d | Kc", stock="7s", discard="Jh")
    table.play("draw stock; discard 7s")
    assert table["discard"] == ["Jh", "7s"]


# Melds


def test_a_group_is_three_or_four_of_one_rank(variant: str) -> None:
    table = lay(variant, "7d 7h 7s 2c 3d | Kc", stock="9c")
    table.play("draw stock")
    assert table.legal("meld_group") == {"7d 7h 7s"}
    table = lay(variant, "7c 7d 7h 7s 2c | Kc", stock="9c")
    table.play("draw stock; meld 7c 7d 7h 7s")
    assert table["melds"] == [["7c", "7d", "7h", "7s"]]


def test_two_of_a_rank_are_no_group_and_two_in_a_row_no_sequence(variant: str) -> None:
    table = lay(variant, "7c 7d 4h 5h | Kc", stock="Jc")
    table.play("draw stock")
    assert table.kinds == {"discard"}


def test_a_sequence_is_three_consecutive_cards_of_one_suit(variant: str) -> None:
    table = lay(variant, "4c 5c 6c 8h 9h Tc | Kc", stock="Td")
    table.play("draw stock")
    assert table.legal("meld_sequence") == {"4c 5c 6c"}


def test_a_longer_sequence_is_three_melded_and_the_rest_laid_off(variant: str) -> None:
    table = lay(variant, "8h 9h Th Jh 2c 4d | Kc", stock="6s")
    table.play("draw stock")
    assert table.legal("meld_sequence") == {"8h 9h Th", "9h Th Jh"}
    table.play("meld 9h Th Jh; lay off 8h on sequence")
    assert table["melds"] == [["8h", "9h", "Th", "Jh"]]


def test_a_sequence_may_not_turn_the_corner(variant: str) -> None:
    for ace, melds in (("low", {"Ah 2h 3h"}), ("high_or_low", {"Ah 2h 3h", "Qh Kh Ah"})):
        table = lay(variant, "Qh Kh Ah 2h 3h 9d 7c | Kc", ace=ace)
        table.play("draw stock")
        assert table.legal("meld_sequence") == melds
        assert not table.legal("lay_off_sequence")
        table = lay(variant, "Ks As 2s 9d | Kc", ace=ace)
        table.play("draw stock")
        assert not table.legal("meld_sequence")


def test_a_sequence_does_not_run_from_one_suit_into_the_next(variant: str) -> None:
    for ace in ("low", "high_or_low"):
        table = lay(
            variant, "Qc Kc Ad 2d 9h | Kd", stock="9s", melds="Jh Qh Kh | 2s 3s 4s", ace=ace
        )
        table.play("draw stock")
        assert table.kinds == {"discard"}


def test_the_ace_is_low_unless_the_option_says_otherwise(variant: str) -> None:
    assert rummy_env.rules(variant).ace == "low"
    table = lay(variant, "Qs Ks As 9d | Kc", stock="4c")
    table.play("draw stock")
    assert table.kinds == {"discard"}


def test_a_sequence_ends_at_its_high_ace(variant: str) -> None:
    table = lay(variant, "2s Js | Kc", stock="4c", melds="Qs Ks As", ace="high_or_low")
    table.play("draw stock")
    assert table.legal("lay_off_sequence") == {"Js"}


@pytest.mark.parametrize(("limit", "second"), [(None, True), (1, False), (2, True)])
def test_melds_per_turn_limits_how_many_melds_a_turn_may_lay_down(
    variant: str, limit: int | None, second: bool
) -> None:
    hand = "7c 7d 7h 2s 3s 4s Tc Td Th Jh 5c | Kc"
    table = lay(variant, hand, stock="9d", melds_per_turn=limit)
    table.play("draw stock; meld 7c 7d 7h")
    assert table.allows("meld 2s 3s 4s") is second
    if second:
        table.play("meld 2s 3s 4s")
        assert table.allows("meld Tc Td Th") is (limit is None)


def test_only_basic_allows_several_melds_a_turn_by_default() -> None:
    limits = {name: rummy_env.rules(name).melds_per_turn for name in TABLE_VARIANTS}
    assert limits == {"basic": None, "bonus": 1, "classic": 1}


def test_the_limit_of_melds_is_lifted_when_the_next_turn_begins() -> None:
    table = lay("classic", "7c 7d 7h 2s 3s 4s 5d | Kc 9c", stock="9d Jd Js")
    table.play("draw stock; meld 7c 7d 7h; discard 9d; draw stock; discard Jd; draw stock")
    assert table.allows("meld 2s 3s 4s")


# Laying off


def test_an_eight_is_laid_off_on_three_eights_of_another_player(variant: str) -> None:
    table = lay(variant, "8c 8d 8h 2c | 8s 3d 5h", stock="Kc Kd")
    table.play("draw stock; meld 8c 8d 8h; discard 2c; draw stock; lay off 8s on group")
    assert table["melds"] == [["8c", "8d", "8h", "8s"]]
    assert "8s" not in table["hands"][1]


@pytest.mark.parametrize("cards", ["7h", "Jh", "7h Jh", "Jh 7h"])
def test_seven_or_jack_or_both_are_laid_off_on_eight_nine_ten(variant: str, cards: str) -> None:
    table = lay(variant, "7h Jh 2c | Kc", stock="4s", melds="8h 9h Th")
    table.play("draw stock")
    assert table.legal("lay_off_sequence") == {"7h", "Jh"}
    table.play("; ".join(f"lay off {card} on sequence" for card in cards.split()))
    on_table = [card for card in ["7h", "8h", "9h", "Th", "Jh"] if card not in table["hands"][0]]
    assert table["melds"] == [on_table]
    assert set(cards.split()) < set(on_table)


def test_six_and_then_seven_are_laid_off_on_three_four_five(variant: str) -> None:
    table = lay(variant, "6c 7c 2d | Kc", stock="Qs", melds="3c 4c 5c")
    table.play("draw stock")
    assert table.legal("lay_off_sequence") == {"6c"}
    table.play("lay off 6c on sequence; lay off 7c on sequence")
    assert table["melds"] == [["3c", "4c", "5c", "6c", "7c"]]


def test_a_meld_is_never_rearranged(variant: str) -> None:
    """The two of spades stays in its group, so the ace does not fit the sequence of spades."""
    table = lay(variant, "As 9d | Kc", stock="Kd", melds="2c 2d 2h 2s | 3s 4s 5s")
    table.play("draw stock")
    assert table.kinds == {"discard"}


def test_a_card_that_fits_group_and_sequence_goes_where_the_player_says(variant: str) -> None:
    for where, melds in (
        ("group", [["7c", "7d", "7h", "7s"], ["4s", "5s", "6s"]]),
        ("sequence", [["7c", "7d", "7h"], ["4s", "5s", "6s", "7s"]]),
    ):
        table = lay(variant, "7s 2c 3d | Kc", stock="Jd", melds="7c 7d 7h | 4s 5s 6s")
        table.play(f"draw stock; lay off 7s on {where}")
        assert table["melds"] == melds


def test_a_card_between_two_sequences_continues_the_lower_one(variant: str) -> None:
    table = lay(variant, "6h 2c | Kc", stock="Jd", melds="3h 4h 5h | 7h 8h 9h")
    table.play("draw stock; lay off 6h on sequence")
    assert table["melds"] == [["3h", "4h", "5h", "6h"], ["7h", "8h", "9h"]]


def test_an_ace_that_fits_both_ends_is_laid_low(variant: str) -> None:
    table = lay(variant, "Ah 2c | Kc", melds="2h 3h 4h | Jh Qh Kh", ace="high_or_low")
    table.play("draw stock; lay off Ah on sequence")
    assert table["melds"] == [["Ah", "2h", "3h", "4h"], ["Jh", "Qh", "Kh"]]


def test_an_ace_is_laid_above_the_king_where_aces_are_high(variant: str) -> None:
    table = lay(variant, "Ah 2c | Kc", melds="Jh Qh Kh", ace="high_or_low")
    table.play("draw stock; lay off Ah on sequence")
    assert table["melds"] == [["Jh", "Qh", "Kh", "Ah"]]
    table = lay(variant, "Ah 2c | Kc", melds="Jh Qh Kh")
    table.play("draw stock")
    assert not table.legal("lay_off_sequence")


def test_one_may_lay_off_before_melding_and_without_having_melded(variant: str) -> None:
    table = lay(variant, "8s 7c 7d 7h 2c | Kc", stock="Jd", melds="8c 8d 8h")
    table.play("draw stock; lay off 8s on group; meld 7c 7d 7h; discard Jd")
    assert table["hands"][0] == ["2c"]


def test_without_laying_off_longer_sequences_are_laid_down_whole(variant: str) -> None:
    table = lay(variant, "8h 9h Th Jh 7d 2c | Kc", stock="4s", melds="7c 7h 7s", lay_off=False)
    table.play("draw stock")
    assert table.legal("meld_sequence") == {"8h 9h Th", "9h Th Jh", "8h 9h Th Jh"}
    assert table.kinds == {"meld_sequence", "discard"}


def test_a_whole_suit_has_its_ace_at_one_end(variant: str) -> None:
    suit = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"
    table = lay(variant, f"{suit} 5c | Kc", ace="high_or_low", lay_off=False)
    table.play("draw stock")
    longest = {meld for meld in table.legal("meld_sequence") if len(meld.split()) == 13}
    assert longest == {suit, f"{suit[3:]} Ah"}
