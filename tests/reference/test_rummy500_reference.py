"""The reference of `rummy500` by worked examples: the deal, the open pile, what must be used.

Source: rules.md sections 2, 3, 4 and 9.
"""

import pytest

from tests.reference.cards import PACK
from tests.reference.rummy500_game import Rummy500Game
from tests.reference.rummy500_moves import OPTIONS, allowed, allows, place, play
from tests.reference.shuffling import unshuffled


def test_cards_are_dealt_one_at_a_time_and_the_first_discard_is_turned_up() -> None:
    options = {**OPTIONS, "num_players": 3, "hand_size": 2}
    game = Rummy500Game(options, first_dealer=1, shuffle=unshuffled)
    table = game.snapshot()
    assert table["hands"] == [["2c", "5c"], ["3c", "6c"], ["4c", "Ac"]]
    assert (table["discard"], game.stock[0], len(game.stock)) == (["7c"], "8c", 45)
    assert (table["to_move"], table["dealer"], table["phase"]) == (2, 1, "draw")
    assert (table["laid"], table["must_use"], table["taken"]) == ([0, 0, 0], None, None)


def test_it_is_played_with_one_pack_by_two_to_five() -> None:
    for num_players in (2, 5):
        options = {**OPTIONS, "num_players": num_players}
        game = Rummy500Game(options, first_dealer=0, shuffle=unshuffled)
        cards = [*game.discard, *game.stock, *(card for hand in game.hands for card in hand)]
        assert sorted(cards) == sorted(PACK)
    for num_players in (1, 6):
        with pytest.raises(ValueError, match="num_players"):
            Rummy500Game(
                {**OPTIONS, "num_players": num_players}, first_dealer=0, shuffle=unshuffled
            )


def test_the_stock_has_a_card_when_play_begins() -> None:
    Rummy500Game({**OPTIONS, "hand_size": 25}, first_dealer=0, shuffle=unshuffled)
    with pytest.raises(ValueError, match="hand_size"):
        Rummy500Game({**OPTIONS, "hand_size": 26}, first_dealer=0, shuffle=unshuffled)
    options = {**OPTIONS, "num_players": 5, "hand_size": 10}
    assert len(Rummy500Game(options, first_dealer=0, shuffle=unshuffled).stock) == 1


@pytest.mark.parametrize("name", ["lay_off", "melds_per_turn", "restock"])
def test_what_is_no_choice_is_no_option(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Rummy500Game({**OPTIONS, name: True}, first_dealer=0, shuffle=unshuffled)


def test_the_top_of_the_stock_may_be_drawn_and_discarded_at_once() -> None:
    game = place("9c 9d | Kc", stock="2s 3s", discard="5c")
    play(game, "draw stock")
    assert (game.taken, game.must_use) == (None, None)
    play(game, "discard 2s")
    assert game.snapshot()["discard"] == ["5c", "2s"]
    assert game.to_move == 1


def test_any_card_of_the_pile_may_be_taken_and_all_cards_above_it_come_along() -> None:
    game = place("7c 7d 2c | Kc", discard="3h 7h Jd 5c")
    assert allowed(game, "take_pile") == {"7h", "5c"}
    play(game, "take 7h")
    assert game.snapshot()["hands"] == [sorted(["7c", "7d", "2c", "7h", "Jd", "5c"]), ["Kc"]]
    assert game.snapshot()["discard"] == ["3h"]
    assert (game.taken, game.must_use, game.phase) == ("7h", "7h", "play")


def test_the_top_card_alone_is_taken_by_take_pile_there_is_no_draw_discard() -> None:
    game = place("9c 9d | Kc", discard="3h 5c")
    assert game.legal_actions() == {("draw_stock", ()), ("take_pile", ("5c",))}


def test_the_deepest_card_taken_must_be_used_before_the_discard() -> None:
    game = place("7c 7d 2c | Kc", discard="3h 7h Jd")
    play(game, "take 7h")
    assert game.legal_actions() == {("meld_group", ("7c", "7d", "7h"))}
    play(game, "meld 7c 7d 7h")
    assert (game.taken, game.must_use) == ("7h", None)
    assert allowed(game, "discard") == {"2c", "Jd"}


def test_a_used_card_leaves_no_duty_and_the_others_taken_may_be_discarded() -> None:
    game = place("7c 7d | Kc", discard="7h Jd Qd")
    play(game, "take 7h; meld 7c 7d 7h")
    assert allowed(game, "discard") == {"Jd", "Qd"}
    play(game, "discard Qd")
    assert game.snapshot()["discard"] == ["Qd"]


@pytest.mark.parametrize(
    ("hand", "pile", "melds"),
    [
        ("7c 7d 2c", "7h Jd", ""),  # a meld with the hand
        ("7c 2c", "7h Jd 7s", ""),  # a meld with the hand and a card taken with it
        ("2c 3c", "7h 8h 9h", ""),  # a meld with cards taken with it alone
        ("2c 3c", "7h Jd", "7c 7d 7s"),  # laid off on a group
        ("2c 3c", "7h Jd", "8h 9h Th"),  # laid off on a sequence
        ("2c 8h", "7h Jd", "9h Th Jh"),  # laid off after a card of the hand
        ("2c 3c", "7h 8h", "9h Th Jh"),  # laid off after a card taken with it
    ],
)
def test_it_may_be_taken_if_hand_and_pile_and_table_let_it_be_used(
    hand: str, pile: str, melds: str
) -> None:
    game = place(f"{hand} | Kc", discard=pile, melds=melds)
    assert allows(game, "take 7h")


@pytest.mark.parametrize(
    ("hand", "pile", "melds"),
    [
        ("7c 2c", "7h Jd", ""),  # a pair only
        ("8h Th", "7h Jd", ""),  # a gap
        ("7c 2c", "7s 7h Jd", ""),  # the third lies deeper in the pile
        ("2c 9h", "7h Jd", "Th Jh Qh"),  # a card is missing in between
        ("8h 2c", "7h Jd", "9h 9c 9d|Tc Jc Qc"),  # no sequence of that suit on the table
    ],
)
def test_it_may_not_be_taken_if_it_could_not_be_used(hand: str, pile: str, melds: str) -> None:
    game = place(f"{hand} | Kc", discard=pile, melds=melds)
    assert not allows(game, "take 7h")
    assert allows(game, "take Jd")


def test_cards_of_another_hand_are_of_no_help() -> None:
    assert not allows(place("7c 2c | 7d 7s", discard="7h Jd"), "take 7h")


def test_while_it_is_unused_no_play_may_use_up_what_it_needs() -> None:
    game = place("6h 7h 7c 7d 2c | Kc", discard="8h Jd")
    play(game, "take 8h")
    assert game.legal_actions() == {("meld_sequence", ("6h", "7h", "8h"))}
    play(game, "meld 6h 7h 8h")
    assert allowed(game, "discard") == {"7c", "7d", "2c", "Jd"}


def test_a_lay_off_may_not_use_up_what_it_needs_either() -> None:
    game = place("6h 7h 2c | Kc", discard="8h Jd", melds="6c 6d 6s|3h 4h 5h|7c 7d 7s")
    play(game, "take 8h")
    assert allowed(game, "lay_off_group") == set()
    assert allowed(game, "lay_off_sequence") == {"6h"}
    play(game, "lay off 6h on sequence")
    assert game.legal_actions() == {("lay_off_sequence", ("7h",))}
    play(game, "lay off 7h on sequence; lay off 8h on sequence")
    assert allowed(game, "discard") == {"2c", "Jd"}


def test_what_it_does_not_need_may_be_played_first() -> None:
    game = place("6h 7h Kc Kd Ks 2c | 3c", discard="8h Jd", melds="2d 2h 2s")
    play(game, "take 8h")
    assert allowed(game, "meld_group") == {"Kc Kd Ks"}
    assert allowed(game, "lay_off_group") == {"2c"}
    play(game, "meld Kc Kd Ks; lay off 2c on group")
    assert game.legal_actions() == {("meld_sequence", ("6h", "7h", "8h"))}


def test_a_meld_that_makes_room_for_it_may_be_made_first() -> None:
    game = place("7c 7d 7s 2c | Kc", discard="7h Jd")
    play(game, "take 7h; meld 7c 7d 7s")
    assert game.legal_actions() == {("lay_off_group", ("7h",))}
    game = place("4h 5h 6h 2c | Kc", discard="7h Jd")
    play(game, "take 7h; meld 4h 5h 6h")
    assert game.legal_actions() == {("lay_off_sequence", ("7h",))}


def test_it_is_used_in_whichever_meld_the_player_says() -> None:
    game = place("7c 7d 8h 9h 2c | Kc", discard="7h Jd")
    play(game, "take 7h")
    assert allowed(game, "meld_group") == {"7c 7d 7h"}
    assert allowed(game, "meld_sequence") == {"7h 8h 9h"}


def test_the_top_card_alone_is_free_but_may_not_be_the_discard_of_the_turn() -> None:
    game = place("9c 2d | Kc 4c", discard="3h 5c")
    play(game, "take 5c")
    assert (game.taken, game.must_use) == ("5c", None)
    assert allowed(game, "discard") == {"9c", "2d"}
    play(game, "discard 9c; draw stock; discard Qs; draw stock")
    assert allows(game, "discard 5c")


def test_a_single_card_of_the_pile_is_its_top_card() -> None:
    game = place("9c 2d | Kc", discard="5c")
    play(game, "take 5c; discard 9c")
    assert game.snapshot()["discard"] == ["9c"]


def test_without_free_top_it_must_be_used_like_any_other() -> None:
    game = place("9c 2d | Kc", discard="3h 5c", free_top=False)
    assert game.legal_actions() == {("draw_stock", ())}
    game = place("5d 5h 2d | Kc", discard="3h 5c", free_top=False)
    assert allowed(game, "take_pile") == {"5c"}
    play(game, "take 5c")
    assert (game.taken, game.must_use) == ("5c", "5c")
    assert game.legal_actions() == {("meld_group", ("5c", "5d", "5h"))}


def test_a_free_top_card_may_not_be_left_as_the_only_card() -> None:
    game = place("7c 7d 7h | Kc", discard="2s")
    play(game, "take 2s")
    assert allowed(game, "meld_group") == set()
    game = place("7c 7d 7h | Kc", discard="2s", melds="3s 4s 5s", stock="9d")
    play(game, "take 2s; meld 7c 7d 7h")
    assert game.legal_actions() == {("lay_off_sequence", ("2s",))}


def test_using_it_may_empty_the_hand() -> None:
    game = place("7c 7d | Kc", discard="7h")
    play(game, "take 7h; meld 7c 7d 7h")
    assert (game.finished, game.taken, game.phase) == (True, None, "finished")
    game = place("7c 7d | Kc", discard="7h 7s")
    play(game, "take 7h; meld 7c 7d 7h; lay off 7s on group")
    assert game.finished


def test_with_a_final_discard_it_may_be_taken_only_if_a_card_is_left_to_discard() -> None:
    game = place("7c 7d | Kc", discard="7h", free_top=False, final_discard=True)
    assert not allows(game, "take 7h")
    game = place("7c 7d | Kc", discard="7h Jd", final_discard=True)
    play(game, "take 7h; meld 7c 7d 7h")
    assert game.legal_actions() == {("discard", ("Jd",))}
    play(game, "discard Jd")
    assert game.finished


def test_with_a_final_discard_no_play_may_spend_the_last_other_card() -> None:
    game = place("7c 7d 2c | Kc", discard="7h 7s", melds="2d 2h 2s", final_discard=True)
    play(game, "take 7h")
    assert allows(game, "meld 7c 7d 7s")  # the 7h is laid off, the 2c discarded
    assert allows(game, "meld 7c 7d 7h 7s")
    play(game, "lay off 2c on group")
    assert allowed(game, "meld_group") == {"7c 7d 7h", "7c 7h 7s", "7d 7h 7s"}


def test_with_a_final_discard_the_hand_is_not_emptied_by_playing() -> None:
    game = place("7c 7d | Kc", stock="7h 3c", final_discard=True)
    play(game, "draw stock")
    assert allowed(game, "meld_group") == set()
    assert allowed(game, "discard") == {"7c", "7d", "7h"}


def test_nothing_that_can_be_played_has_to_be_but_for_the_card_taken() -> None:
    game = place("7c 7d 9d 9h 9s | Kc", discard="7h Jd", melds="Kd Kh Ks")
    play(game, "take 7h; meld 7c 7d 7h; discard Jd")
    assert game.snapshot()["hands"] == [["9d", "9h", "9s"], ["Kc"]]


def test_a_turn_may_lay_down_any_number_of_melds() -> None:
    game = place("7c 7d 7h 9d 9h 9s 2h 3h 4h Kd | Kc")
    play(game, "draw stock; meld 7c 7d 7h; meld 9d 9h 9s; meld 2h 3h 4h; discard Kd")
    assert len(game.melds) == 3


def test_sequences_are_melded_as_three_and_grow_by_laying_off() -> None:
    game = place("5h 6h 7h 8h | Kc")
    play(game, "draw stock")
    assert allowed(game, "meld_sequence") == {"5h 6h 7h", "6h 7h 8h"}
    play(game, "meld 5h 6h 7h; lay off 8h on sequence")
    assert game.melds == (("5h", "6h", "7h", "8h"),)


def test_the_ace_is_high_or_low_and_never_round_the_corner() -> None:
    hand = "Ah 2h 3h Qh Kh 9c | Kc"
    for ace, melds in (("high_or_low", {"Ah 2h 3h", "Qh Kh Ah"}), ("low", {"Ah 2h 3h"})):
        game = place(hand, ace=ace)
        play(game, "draw stock")
        assert allowed(game, "meld_sequence") == melds


def test_an_illegal_action_is_refused() -> None:
    game = place("7c 2c | Kc", discard="7h Jd")
    with pytest.raises(ValueError, match="not legal"):
        game.apply("take_pile", ("7h",))


def test_a_position_with_another_duty_than_the_card_taken_is_refused() -> None:
    with pytest.raises(ValueError, match="must_use"):
        Rummy500Game.from_position(
            OPTIONS, hands=[["7c"], ["Kc"]], phase="play", taken="7d", must_use="7d"
        )
