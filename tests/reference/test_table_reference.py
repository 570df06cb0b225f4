"""The reference itself against the examples of the rule documents: the turn and its plays.

Source: rules.md sections 1, 3 and 4; seeds/001 (basic), seeds/002 (bonus), seeds/003 (classic).
"""

import pytest

from tests.reference.table_game import TableGame
from tests.reference.table_moves import OPTIONS, allows, place, play


def _plays(game: TableGame, kind: str) -> set[str]:
    return {" ".join(cards) for k, cards in game.legal_actions() if k == kind}


def test_an_eight_is_laid_off_on_three_eights_of_another_player() -> None:
    game = place("basic", "2c 5d | Kc", stock="8s", melds="8c 8d 8h")
    play(game, "draw stock; lay off 8s on group")
    assert game.snapshot()["melds"] == [["8c", "8d", "8h", "8s"]]
    assert game.snapshot()["hands"] == [["2c", "5d"], ["Kc"]]


@pytest.mark.parametrize(("first", "second"), [("7h", "Jh"), ("Jh", "7h")])
def test_seven_or_jack_or_both_are_laid_off_on_eight_nine_ten(first: str, second: str) -> None:
    game = place("basic", "7h Jh 2c | Kc", stock="3d", melds="8h 9h Th")
    play(game, "draw stock")
    assert _plays(game, "lay_off_sequence") == {"7h", "Jh"}
    play(game, f"lay off {first} on sequence; lay off {second} on sequence")
    assert game.snapshot()["melds"] == [["7h", "8h", "9h", "Th", "Jh"]]


def test_six_and_then_seven_are_laid_off_on_three_four_five() -> None:
    game = place("basic", "6c 7c 2d | Kc", stock="Kd", melds="3c 4c 5c")
    play(game, "draw stock")
    assert _plays(game, "lay_off_sequence") == {"6c"}
    play(game, "lay off 6c on sequence; lay off 7c on sequence")
    assert game.snapshot()["melds"] == [["3c", "4c", "5c", "6c", "7c"]]


def test_three_or_seven_may_be_added_to_four_five_six() -> None:
    game = place("classic", "3c 7c 8c 2c | Kc", stock="Kd", melds="4c 5c 6c")
    play(game, "draw stock")
    assert _plays(game, "lay_off_sequence") == {"3c", "7c"}


def test_the_two_is_not_moved_from_its_group_to_lay_off_the_ace() -> None:
    game = place("classic", "As 9d | Kc", stock="Kd", melds="2c 2d 2h 2s|3s 4s 5s")
    play(game, "draw stock")
    assert _plays(game, "lay_off_sequence") == set()
    assert _plays(game, "lay_off_group") == set()


def test_a_card_that_fits_group_and_sequence_goes_where_the_player_says() -> None:
    table = "7c 7d 7h|4s 5s 6s"
    game = place("basic", "7s 2c | Kc", stock="3d", melds=table)
    play(game, "draw stock; lay off 7s on sequence")
    assert game.snapshot()["melds"] == [["7c", "7d", "7h"], ["4s", "5s", "6s", "7s"]]
    game = place("basic", "7s 2c | Kc", stock="3d", melds=table)
    play(game, "draw stock; lay off 7s on group")
    assert game.snapshot()["melds"] == [["7c", "7d", "7h", "7s"], ["4s", "5s", "6s"]]


def test_a_card_between_two_sequences_continues_the_lower_one() -> None:
    game = place("basic", "6h 2c | Kc", stock="3d", melds="7h 8h 9h|3h 4h 5h")
    play(game, "draw stock; lay off 6h on sequence")
    assert game.snapshot()["melds"] == [["7h", "8h", "9h"], ["3h", "4h", "5h", "6h"]]


def test_an_ace_that_fits_both_ends_is_laid_on_the_low_one() -> None:
    game = place("basic", "Ah 2c | Kc", stock="3d", melds="Jh Qh Kh|2h 3h 4h", ace="high_or_low")
    play(game, "draw stock; lay off Ah on sequence")
    assert game.snapshot()["melds"] == [["Jh", "Qh", "Kh"], ["Ah", "2h", "3h", "4h"]]


def test_a_high_ace_is_laid_off_last() -> None:
    game = place("basic", "Ah 2c | Kc", stock="3d", melds="Jh Qh Kh", ace="high_or_low")
    play(game, "draw stock; lay off Ah on sequence")
    assert game.snapshot()["melds"] == [["Jh", "Qh", "Kh", "Ah"]]


def test_a_sequence_may_not_turn_the_corner() -> None:
    hand = "Ah 2h 3h Qh Kh 9c | Kc"
    low = place("basic", hand, stock="3d")
    play(low, "draw stock")
    assert _plays(low, "meld_sequence") == {"Ah 2h 3h"}
    both = place("basic", hand, stock="3d", ace="high_or_low")
    play(both, "draw stock")
    assert _plays(both, "meld_sequence") == {"Ah 2h 3h", "Qh Kh Ah"}
    game = place("basic", "2h 9c | Kc", stock="3d", melds="Qh Kh Ah", ace="high_or_low")
    play(game, "draw stock")
    assert _plays(game, "lay_off_sequence") == set()


def test_a_sequence_is_of_one_suit() -> None:
    game = place("basic", "4c 5c 6d 9h | Kc", stock="Jd")
    play(game, "draw stock")
    assert _plays(game, "meld_sequence") == set()


def test_groups_of_three_and_of_four() -> None:
    game = place("basic", "7c 7d 7h 7s 2c | Kc", stock="Jd")
    play(game, "draw stock")
    threes = {"7c 7d 7h", "7c 7d 7s", "7c 7h 7s", "7d 7h 7s"}
    assert _plays(game, "meld_group") == threes | {"7c 7d 7h 7s"}


def test_a_longer_sequence_is_three_melded_and_the_rest_laid_off() -> None:
    game = place("classic", "8h 9h Th Jh 2c | Kc", stock="4d")
    play(game, "draw stock")
    assert _plays(game, "meld_sequence") == {"8h 9h Th", "9h Th Jh"}
    play(game, "meld 8h 9h Th; lay off Jh on sequence")
    assert game.snapshot()["melds"] == [["8h", "9h", "Th", "Jh"]]


def test_without_laying_off_longer_sequences_are_laid_down_whole() -> None:
    game = place("classic", "8h 9h Th Jh 7d | Kc", stock="4d", melds="7c 7h 7s", lay_off=False)
    play(game, "draw stock")
    assert _plays(game, "meld_sequence") == {"8h 9h Th", "9h Th Jh", "8h 9h Th Jh"}
    assert _plays(game, "lay_off_group") == set()


def test_a_whole_suit_is_melded_with_the_ace_at_either_end_never_at_both() -> None:
    suit = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"
    game = place("basic", f"{suit} | Kc", stock="4d", lay_off=False, ace="high_or_low")
    play(game, "draw stock")
    longest = {meld for meld in _plays(game, "meld_sequence") if len(meld.split()) >= 13}
    assert longest == {suit, suit[3:] + " Ah"}


def test_melds_in_one_turn_are_limited_to_one_in_bonus_and_classic() -> None:
    for variant, second in (("basic", True), ("bonus", False), ("classic", False)):
        game = place(variant, "7c 7d 7h 2s 3s 4s 9d | Kc", stock="Jd")
        play(game, "draw stock; meld 7c 7d 7h")
        assert allows(game, "meld 2s 3s 4s") is second


def test_laying_off_before_melding_and_without_having_melded() -> None:
    game = place("classic", "8s 7c 7d 7h 2c | Kc", stock="Jd", melds="8c 8d 8h")
    play(game, "draw stock; lay off 8s on group; meld 7c 7d 7h; discard Jd")
    assert game.snapshot()["hands"] == [["2c"], ["Kc"]]


def test_the_card_just_taken_is_not_discarded_but_may_be_in_a_later_turn() -> None:
    game = place("classic", "2c 5d | 9h Th", stock="Kc Kd", discard="7s")
    play(game, "draw discard")
    assert game.snapshot()["taken"] == "7s"
    assert _plays(game, "discard") == {"2c", "5d"}
    play(game, "discard 2c; draw stock; discard Kc; draw stock")
    assert game.snapshot()["taken"] is None
    assert allows(game, "discard 7s")


def test_a_card_drawn_from_the_stock_may_be_discarded_at_once() -> None:
    game = place("classic", "2c 5d | 9h", stock="Kc", discard="7s")
    play(game, "draw stock; discard Kc")
    assert game.snapshot()["discard"] == ["7s", "Kc"]


def test_the_taken_card_is_remembered_when_it_has_been_melded() -> None:
    game = place("basic", "7c 7d 2c | Kc", discard="7s")
    play(game, "draw discard; meld 7c 7d 7s")
    assert game.snapshot()["taken"] == "7s"
    assert _plays(game, "discard") == {"2c"}


def test_a_meld_that_leaves_only_the_taken_card_is_a_dead_end() -> None:
    game = place("basic", "7c 7d 7h | Kc", discard="2s")
    play(game, "draw discard")
    assert _plays(game, "meld_group") == set()
    assert _plays(game, "discard") == {"7c", "7d", "7h"}


def test_a_lay_off_that_leaves_only_the_taken_card_is_a_dead_end() -> None:
    game = place("basic", "7s | Kc", discard="2s", melds="7c 7d 7h")
    play(game, "draw discard")
    assert game.legal_actions() == {("discard", ("7s",))}


def test_it_is_none_if_the_taken_card_can_be_laid_off_afterwards() -> None:
    game = place("basic", "7c 7d 7h | Kc", discard="2s", melds="3s 4s 5s")
    play(game, "draw discard; meld 7c 7d 7h")
    assert game.legal_actions() == {("lay_off_sequence", ("2s",))}
    play(game, "lay off 2s on sequence")
    assert game.snapshot()["winners"] == [0]


def test_it_is_none_if_the_taken_card_fits_the_meld_just_made() -> None:
    game = place("classic", "7c 7d 7h | Kc", discard="7s")
    play(game, "draw discard")
    assert "7c 7d 7h" in _plays(game, "meld_group")
    game = place("classic", "8h 9h Th | Kc", discard="Jh")
    play(game, "draw discard; meld 8h 9h Th")
    assert game.legal_actions() == {("lay_off_sequence", ("Jh",))}


def test_it_is_a_dead_end_without_laying_off() -> None:
    game = place("classic", "8h 9h Th | Kc", discard="Jh", lay_off=False)
    play(game, "draw discard")
    assert _plays(game, "meld_sequence") == {"9h Th Jh", "8h 9h Th Jh"}


def test_with_a_final_discard_a_play_may_not_empty_the_hand() -> None:
    for stock, discard, draw in (("7s", "Kd", "stock"), ("Kd", "7s", "discard")):
        game = place("basic", "7c 7d | Kc", stock=stock, discard=discard, final_discard=True)
        play(game, f"draw {draw}")
        assert _plays(game, "meld_group") == set()
    game = place("basic", "7c | Kc", stock="2s", melds="7d 7h 7s|3s 4s 5s", final_discard=True)
    play(game, "draw stock; lay off 7c on group")
    assert game.legal_actions() == {("discard", ("2s",))}
    play(game, "discard 2s")
    assert game.snapshot()["winners"] == [0]


def test_with_a_final_discard_laying_off_the_taken_card_last_is_no_way_out() -> None:
    game = place("basic", "7c 7d 7h | Kc", discard="7s", final_discard=True)
    play(game, "draw discard")
    assert _plays(game, "meld_group") == {"7c 7d 7s", "7c 7h 7s", "7d 7h 7s"}


def test_an_illegal_action_is_refused() -> None:
    game = place("basic", "2c 5d | Kc", stock="7s")
    with pytest.raises(ValueError, match="not legal"):
        game.apply("discard", ("2c",))


def test_cards_are_dealt_one_at_a_time_from_the_left_of_the_dealer() -> None:
    asked: list[str] = []

    def shuffle(cards: list[str], why: str) -> list[str]:
        asked.append(why)
        return cards

    options = {**OPTIONS["basic"], "num_players": 3, "hand_size": 2}
    game = TableGame(options, {}, first_dealer=1, shuffle=shuffle)
    table = game.snapshot()
    assert table["hands"] == [["2c", "5c"], ["3c", "6c"], ["4c", "Ac"]]
    assert table["discard"] == ["7c"]
    assert game.stock[0] == "8c"
    assert len(game.stock) == 45
    assert (table["to_move"], table["dealer"], table["phase"]) == (2, 1, "draw")
    assert asked == ["deal"]


def test_a_shuffle_that_loses_a_card_is_refused() -> None:
    with pytest.raises(ValueError, match="no permutation"):
        TableGame(OPTIONS["basic"], {}, first_dealer=0, shuffle=lambda cards, why: cards[1:])
