"""The reference of `rummy500` by worked examples: points, the end of a hand, matches, rewards.

Source: rules.md sections 2, 7 and 9.
"""

from typing import Any

import pytest

from tests.reference.rummy500_game import Rummy500Game
from tests.reference.rummy500_moves import OPTIONS, allowed, allows, place, play
from tests.reference.rummy500_scoring import VALUES

_LAST = "Qs"
"""A stock of one card: the hand ends with the turn in which it is drawn."""


def test_the_values_of_the_cards() -> None:
    expected = [15, *range(2, 11), 10, 10, 10]
    assert dict(zip("A23456789TJQK", expected, strict=True)) == VALUES


def test_melding_scores_at_once_for_who_melds() -> None:
    game = place("7c 7d 7h 9s Ts Js 2d | Kc", stock="Qs 3c")
    play(game, "draw stock; meld 7c 7d 7h")
    assert game.snapshot()["laid"] == [21, 0]
    play(game, "meld 9s Ts Js; lay off Qs on sequence")
    assert game.snapshot()["laid"] == [21 + 29 + 10, 0]
    assert game.snapshot()["scores"] == [0, 0]


def test_laying_off_scores_for_who_lays_off_whoever_melded() -> None:
    game = place("7s 2c | 7c 7d 7h Kd Ks", stock="Kc 3c 4c", laid=(0, 0))
    play(game, "draw stock; discard 2c; draw stock; meld 7c 7d 7h; discard Kd")
    assert game.snapshot()["laid"] == [0, 21]
    play(game, "draw stock; lay off 7s on group")
    assert game.snapshot()["laid"] == [7, 21]


@pytest.mark.parametrize(
    ("hand", "melds", "moves", "points"),
    [
        ("Ac Ad As", "", "meld Ac Ad As", 45),
        ("As", "Ac Ad Ah", "lay off As on group", 15),
        ("Ah 2h 3h", "", "meld Ah 2h 3h", 1 + 2 + 3),
        ("Qh Kh Ah", "", "meld Qh Kh Ah", 10 + 10 + 15),
        ("Ah", "2h 3h 4h", "lay off Ah on sequence", 1),
        ("Ah", "Jh Qh Kh", "lay off Ah on sequence", 15),
        ("Ah 2h", "3h 4h 5h", "lay off 2h on sequence; lay off Ah on sequence", 3),
    ],
)
def test_an_ace_counts_one_at_the_low_end_of_a_sequence_and_fifteen_elsewhere(
    hand: str, melds: str, moves: str, points: int
) -> None:
    game = place(f"{hand} 5c | Kc", melds=melds)
    play(game, f"draw stock; {moves}")
    assert game.snapshot()["laid"] == [points, 0]


def test_an_ace_that_fits_both_ends_is_laid_low_and_counts_one() -> None:
    for melds in ("Jh Qh Kh|2h 3h 4h", "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"):
        game = place("Ah 5c | Kc", melds=melds)
        play(game, "draw stock; lay off Ah on sequence")
        assert game.snapshot()["laid"] == [1, 0]
        assert game.melds[-1][0] == "Ah"


def test_an_ace_in_hand_counts_fifteen_even_if_aces_are_low() -> None:
    for ace in ("low", "high_or_low"):
        assert play(place("5c | Ah", stock=_LAST, ace=ace), "draw stock; discard Qs") == [-5, -15]


def test_the_score_is_what_was_laid_less_what_is_held() -> None:
    game = place("7c 7d 7h 2d 3d | Kc Kd Ah | 4c", laid=(5, 30, 0), stock=_LAST)
    rewards = play(game, "draw stock; meld 7c 7d 7h; discard Qs")
    assert rewards == [5 + 21 - 5, 30 - 35, -4]
    assert game.snapshot()["scores"] == [21, -5, -4]
    assert game.snapshot()["laid"] == [26, 30, 0]


def test_the_hand_ends_when_a_hand_is_emptied_by_melding() -> None:
    game = place("7c 7d | Kc 3d", stock="7h 4c", laid=(0, 40), turn_number=6)
    assert play(game, "draw stock; meld 7c 7d 7h") == [21, 40 - 13]
    table = game.snapshot()
    assert (table["finished"], table["phase"], table["turn_number"]) == (True, "finished", 6)
    assert (table["taken"], table["must_use"]) == (None, None)
    assert game.legal_actions() == set()
    assert game.terminated
    assert not game.truncated


def test_the_hand_ends_when_a_hand_is_emptied_by_laying_off_or_discarding() -> None:
    game = place("7c | Kc", stock="9c 4c", melds="7d 7h 7s|9d 9h 9s")
    assert play(game, "draw stock; lay off 7c on group; lay off 9c on group") == [16, -10]
    game = place("7c | Kc", stock="9c 4c", melds="7d 7h 7s|9d 9h 9s")
    assert play(game, "draw stock; lay off 7c on group; discard 9c") == [7, -10]
    assert game.snapshot()["discard"] == ["9c"]


def test_going_out_brings_no_bonus_and_may_lose_the_hand() -> None:
    game = place("2c | Kc", stock="9c 4c", melds="2d 2h 2s", laid=(0, 31))
    assert play(game, "draw stock; lay off 2c on group; discard 9c") == [2, 21]
    assert game.winners == [1]


def test_the_example_of_the_rules_page() -> None:
    """Source: docs/rules/rummy500.md#score."""
    game = place(
        "7c 7d 7h Ks | 9c Kd | As 5h",
        melds="Ts Js Qs|Ac Ad Ah",
        laid=(0, 75, 0),
        stock="2d 3d",
        reward="zero_sum",
        reward_scale=100,
    )
    rewards = play(game, "draw stock; meld 7c 7d 7h; lay off Ks on sequence; discard 2d")
    assert game.scores == [31, 56, -20]
    assert game.winners == [1]
    assert rewards == pytest.approx([0.13, 0.505, -0.635])


def test_with_a_final_discard_a_hand_is_emptied_by_discarding_only() -> None:
    game = place("7c | Kc", stock="9c 4c", melds="7d 7h 7s|9d 9h 9s", final_discard=True)
    play(game, "draw stock; lay off 7c on group")
    assert game.legal_actions() == {("discard", ("9c",))}
    assert play(game, "discard 9c") == [7, -10]


def test_the_hand_ends_with_the_turn_in_which_the_last_stock_card_was_drawn() -> None:
    game = place("7c 7d 7h 2d | Kc", stock="9c", discard="5c 6d", turn_number=3)
    assert play(game, "draw stock") == [0, 0]
    assert game.stock == []
    assert play(game, "meld 7c 7d 7h") == [0, 0]
    assert play(game, "discard 9c") == [21 - 2, -10]
    table = game.snapshot()
    assert (table["winners"], table["turn_number"]) == ([0], 4)
    assert table["discard"] == ["5c", "6d", "9c"]
    assert game.terminated


def test_it_ends_so_with_a_final_discard_as_well() -> None:
    game = place("7c 2d | Kc", stock=_LAST, final_discard=True)
    assert play(game, "draw stock; discard Qs") == [-9, -10]


def test_nobody_draws_from_an_empty_stock_and_nothing_is_reshuffled() -> None:
    game = place("7c 2d | Kc", stock="", discard="5c 6d 7d")
    assert allowed(game, "draw_stock") == set()
    assert allowed(game, "take_pile") == {"7d"}


def test_taking_from_the_pile_leaves_the_last_stock_card_for_the_next() -> None:
    game = place("7c 2d | Kc", stock="9c", discard="5c")
    play(game, "take 5c; discard 2d")
    assert (game.to_move, game.finished) == (1, False)
    assert allows(game, "draw stock")


def test_the_most_points_win_the_hand_and_a_tie_is_shared() -> None:
    game = place("5c | 5d | 2d", laid=(5, 5, 1), reward="win", stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [0.5, 0.5, -1]
    assert game.winners == [0, 1]
    game = place("5c | 5d | 2d", laid=(5, 5, 10), reward="win", stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [-0.5, -0.5, 1]


def test_a_hand_that_all_tie_is_won_by_all() -> None:
    game = place("5c | 5d", reward="win", stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [0.5, 0.5]
    assert (game.winners, game.terminated) == ([0, 1], True)


def test_a_hand_of_negative_scores_is_won_by_the_least_negative() -> None:
    game = place("5c | Kd", stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [-5, -10]
    assert game.winners == [0]


def test_a_hand_that_goes_nowhere_is_truncated_and_nobody_scores() -> None:
    for reward in ("points", "zero_sum", "win"):
        game = place("9c | Kd", laid=(30, 20), max_turns=5, turn_number=4, reward=reward)
        assert play(game, "draw stock; discard Qs") == [0, 0]
        assert (game.truncated, game.terminated) == (True, False)
        table = game.snapshot()
        assert (table["winners"], table["scores"], table["turn_number"]) == ([], [0, 0], 5)


def test_going_out_or_drawing_the_last_card_in_the_last_turn_counts() -> None:
    last_turn: dict[str, Any] = {"max_turns": 5, "turn_number": 4}
    game = place("9c | Kd", stock="2c 4c", melds="9d 9h 9s", **last_turn)
    assert play(game, "draw stock; lay off 9c on group; discard 2c") == [9, -10]
    assert game.terminated
    game = place("9c | Kd", stock="2c", **last_turn)
    assert play(game, "draw stock; discard 2c") == [-9, -10]
    assert (game.terminated, game.truncated) == (True, False)


def test_points_are_each_seats_own_score() -> None:
    game = place("5c | Kd | 2d", laid=(50, 0, 12), reward="points", stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [45, -10, 10]


def test_zero_sum_is_the_own_score_less_the_mean_of_the_others_over_the_scale() -> None:
    game = place("5c | Kd | 2d", laid=(50, 0, 12), reward="zero_sum", reward_scale=100, stock=_LAST)
    rewards = play(game, "draw stock; discard Qs")
    assert rewards == pytest.approx([0.45, (-10 - 27.5) / 100, (10 - 17.5) / 100])
    assert sum(rewards) == pytest.approx(0)


def test_in_a_match_the_next_hand_is_dealt_at_once_and_the_deal_passes() -> None:
    game = place("5c | Kd", laid=(50, 7), match="match", deals=2, dealer=1, stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [45, -3]
    table = game.snapshot()
    assert (table["dealer"], table["to_move"], table["hand_number"]) == (0, 1, 1)
    assert (table["scores"], table["laid"], table["turn_number"]) == ([45, -3], [0, 0], 0)
    assert (table["melds"], [len(hand) for hand in game.hands]) == ([], [7, 7])
    assert (table["phase"], table["must_use"], len(game.discard)) == ("draw", None, 1)


_TARGET: dict[str, Any] = {"match": "match", "target": 500, "max_hands": 9, "reward": "win"}


def test_a_match_ends_with_the_hand_after_which_somebody_has_reached_the_target() -> None:
    game = place("5c | Kd", scores=(480, 474), laid=(24, 35), **_TARGET, stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [0, 0]
    assert (game.scores, game.hand_number, game.finished) == ([499, 499], 1, False)
    game = place("5c | Kd", scores=(480, 480), laid=(25, 31), **_TARGET, stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [-1, 1]
    assert (game.scores, game.winners, game.hand_number) == ([500, 501], [1], 0)


def test_laying_the_cards_that_reach_the_target_does_not_end_the_hand() -> None:
    game = place("7c 7d 7h 2d | Kd", scores=(490, 0), **_TARGET)
    play(game, "draw stock; meld 7c 7d 7h")
    assert not game.finished
    play(game, "discard Qs")
    assert (game.finished, game.scores) == (False, [490, 0])


def test_a_tie_at_the_top_is_played_on() -> None:
    game = place("5c | Kd", scores=(500, 505), laid=(25, 25), **_TARGET, stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [0, 0]
    assert (game.scores, game.finished, game.hand_number) == ([520, 520], False, 1)
    game = place("5c | Kd", scores=(500, 505), laid=(25, 25), hand_number=8, **_TARGET, stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [0, 0]
    assert (game.truncated, game.terminated, game.winners) == (True, False, [])


def test_a_match_may_be_lost_again_by_a_negative_score() -> None:
    game = place("5c | Kd", scores=(499, 480), laid=(0, 0), **_TARGET, stock=_LAST)
    play(game, "draw stock; discard Qs")
    assert (game.scores, game.finished) == ([494, 470], False)


def test_the_most_points_after_the_last_deal_win_and_a_tie_is_shared() -> None:
    deals: dict[str, Any] = {"match": "match", "deals": 3, "hand_number": 2, "reward": "win"}
    game = place("5c | Kd", scores=(5, 11), **deals, stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [-1, 1]
    game = place("5c | Kd | 2d", scores=(5, 10, -9), **deals, stock=_LAST)
    assert play(game, "draw stock; discard Qs") == [0.5, 0.5, -1]
    assert (game.winners, game.scores) == ([0, 1], [0, 0, -11])


def test_a_truncated_hand_counts_as_a_deal_and_the_match_goes_on() -> None:
    game = place("5c | Kd", scores=(9, 3), match="match", deals=2, reward="win", max_turns=1)
    assert play(game, "draw stock; discard Qs") == [0, 0]
    assert (game.hand_number, game.scores) == (1, [9, 3])
    assert play(game, f"draw stock; discard {game.stock[0]}") == [1, -1]


@pytest.mark.parametrize(
    ("name", "value"),
    [("ace", "high"), ("free_top", 1), ("final_discard", None), ("reward", "all"), ("deals", 0)],
)
def test_an_option_outside_of_what_is_allowed_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        Rummy500Game({**OPTIONS, name: value}, first_dealer=0, shuffle=lambda cards, why: cards)
