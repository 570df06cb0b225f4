"""The reference itself: the empty stock, the end of a hand, scores, matches and rewards.

Source: rules.md sections 2, 4 and 7; seeds/001 (basic), seeds/002 (bonus), seeds/003 (classic).
"""

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.reference.cards import PACK
from tests.reference.table_game import BASIC_VALUES, COURT_VALUES, VALUES, TableGame
from tests.reference.table_moves import OPTIONS, allows, place, play


def _reversing(log: list[tuple[list[str], str]]) -> Callable[[list[str], str], list[str]]:
    def shuffle(cards: list[str], why: str) -> list[str]:
        log.append((cards, why))
        return cards[::-1]

    return shuffle


def test_basic_shuffles_all_discards_but_the_top_one_into_a_new_stock() -> None:
    log: list[tuple[list[str], str]] = []
    game = place("basic", "2c | Kc", stock="9d", discard="3d 4d 5d", shuffle=_reversing(log))
    play(game, "draw stock; discard 9d")
    assert log == [(["3d", "4d", "5d"], "restock")]
    assert (game.stock, game.discard) == (["5d", "4d", "3d"], ["9d"])


def test_bonus_shuffles_the_whole_pile_and_turns_its_last_card_up() -> None:
    log: list[tuple[list[str], str]] = []
    game = place("bonus", "2c | Kc", stock="9d", discard="3d 4d 5d", shuffle=_reversing(log))
    play(game, "draw stock; discard 9d")
    assert log == [(["3d", "4d", "5d", "9d"], "restock")]
    assert (game.stock, game.discard) == (["9d", "5d", "4d"], ["3d"])


def test_classic_turns_the_pile_over_unshuffled_when_the_stock_is_chosen() -> None:
    log: list[tuple[list[str], str]] = []
    game = place("classic", "2c | Kc", stock="9d", discard="3d 4d 5d", shuffle=_reversing(log))
    play(game, "draw stock; discard 9d")
    assert (game.stock, game.discard) == ([], ["3d", "4d", "5d", "9d"])
    assert allows(game, "draw discard")
    assert allows(game, "draw stock")
    play(game, "draw stock")
    assert game.snapshot()["hands"] == [["2c"], ["3d", "Kc"]]
    assert (game.stock, game.discard, log) == (["4d", "5d", "9d"], [], [])
    play(game, "discard 3d")
    assert game.discard == ["3d"]


def test_classic_may_take_the_top_discard_with_an_empty_stock() -> None:
    game = place("classic", "2c | Kc", discard="3d 4d")
    play(game, "draw discard; discard 2c")
    assert (game.stock, game.discard) == ([], ["3d", "2c"])


def test_a_single_discard_can_be_turned_over() -> None:
    game = place("classic", "2c | Kc", discard="3d")
    play(game, "draw stock")
    assert (game.stock, game.discard) == ([], [])
    assert allows(game, "discard 3d")


@pytest.mark.parametrize("variant", ["basic", "bonus"])
def test_with_nothing_to_shuffle_the_single_discard_must_be_taken(variant: str) -> None:
    log: list[tuple[list[str], str]] = []
    game = place(variant, "2c | Kc", stock="9d", shuffle=_reversing(log))
    play(game, "draw stock; discard 9d")
    assert log == []
    assert game.legal_actions() == {("draw_discard", ())}


def test_nothing_is_restocked_before_a_turn_begins() -> None:
    game = place("basic", "2c | Kc", stock="9d", discard="3d 4d")
    play(game, "draw stock")
    assert (game.stock, game.discard) == ([], ["3d", "4d"])


_GOING_OUT = "draw stock; lay off 9c on group; lay off 8s on sequence"
_TABLE = "9d 9h 9s|5s 6s 7s"


@pytest.mark.parametrize(
    ("variant", "points"), [("basic", 15 + 5 + 5 + 10), ("classic", 1 + 5 + 20)]
)
def test_the_winner_gets_the_value_of_all_cards_left(variant: str, points: int) -> None:
    game = place(variant, "9c | As 5h | Td Kd", stock="8s", melds=_TABLE)
    assert play(game, _GOING_OUT) == [points, 0, 0]
    assert game.snapshot()["scores"] == [points, 0, 0]


def test_the_values_of_the_cards() -> None:
    assert dict(zip("A23456789TJQK", [15] + [5] * 9 + [10] * 3, strict=True)) == BASIC_VALUES
    assert dict(zip("A23456789TJQK", [*range(1, 11), 10, 10, 10], strict=True)) == COURT_VALUES
    assert set(VALUES) == {"basic", "bonus", "classic"}


def test_going_out_by_discarding_leaves_the_card_on_the_pile() -> None:
    game = place("classic", "9c | Kd", stock="8s", discard="2h", melds=_TABLE, turn_number=6)
    rewards = play(game, "draw stock; lay off 9c on group; discard 8s")
    table = game.snapshot()
    assert rewards == [10, 0]
    assert table["discard"] == ["2h", "8s"]
    assert table["hands"] == [[], ["Kd"]]
    assert (table["winners"], table["finished"], table["phase"]) == ([0], True, "finished")
    assert (table["turn_number"], table["hand_number"]) == (6, 0)
    assert game.terminated
    assert not game.truncated
    assert game.legal_actions() == set()


def test_play_ceases_when_somebody_goes_out() -> None:
    game = place("classic", "9c | 7c 7d 7h", stock="8s", melds=_TABLE)
    assert play(game, _GOING_OUT) == [21, 0]


def test_going_rummy_doubles_the_score() -> None:
    game = place("bonus", "9c | Kd", stock="8s", melds=_TABLE)
    assert play(game, _GOING_OUT) == [20, 0]
    game = place("bonus", "7c 7d | Kd", stock="7h")
    assert play(game, "draw stock; meld 7c 7d 7h") == [20, 0]


def test_going_rummy_needs_that_nothing_was_melded_or_laid_off_in_an_earlier_turn() -> None:
    game = place("bonus", "9c 4h | Kd 2d", stock="Kc Ks 8s", discard="2c", melds=_TABLE)
    play(game, "draw stock; lay off 9c on group; discard Kc; draw stock; discard Ks")
    assert play(game, "draw stock; lay off 8s on sequence; discard 4h") == [12, 0]


def test_each_hand_of_a_match_offers_going_rummy_anew() -> None:
    top = ["7c", "Kd", "7d", "Kc", "7h"]
    game = place(
        "bonus",
        "9c | Kd",
        stock="8s",
        melds=_TABLE,
        played_before=(0, 1),
        dealer=0,
        hand_size=2,
        match="match",
        deals=2,
        shuffle=lambda cards, why: top + [card for card in cards if card not in top],
    )
    assert play(game, _GOING_OUT) == [10, 0]
    assert (game.dealer, game.to_move) == (1, 0)
    assert play(game, "draw discard; meld 7c 7d 7h") == [40, 0]


def test_what_others_have_melded_does_not_hinder_going_rummy() -> None:
    game = place("bonus", "9c | Kd", stock="8s", melds=_TABLE, played_before=(1,))
    assert play(game, _GOING_OUT) == [20, 0]


def test_classic_does_not_double() -> None:
    game = place("classic", "7c 7d | Kd", stock="7h")
    assert play(game, "draw stock; meld 7c 7d 7h") == [10, 0]


def test_zero_sum_takes_from_each_loser_the_own_part() -> None:
    hands = "9c | As 5h | Td Kd"
    game = place("bonus", hands, stock="8s", melds=_TABLE, reward="zero_sum", reward_scale=10)
    assert play(game, _GOING_OUT) == [5.2, -1.2, -4.0]


def test_the_winner_of_a_hand_gets_one_and_the_losers_share_minus_one() -> None:
    game = place("basic", "9c | As 5h | Td Kd", stock="8s", melds=_TABLE, reward="win")
    assert play(game, _GOING_OUT) == [1, -0.5, -0.5]


def test_a_hand_that_goes_nowhere_is_truncated_and_nobody_scores() -> None:
    game = place("basic", "9c | Kd", stock="8s", max_turns=5, turn_number=4, reward="win")
    assert play(game, "draw stock; discard 8s") == [0, 0]
    table = game.snapshot()
    assert game.truncated
    assert not game.terminated
    assert (table["winners"], table["finished"], table["turn_number"]) == ([], True, 5)


def test_going_out_in_the_last_turn_counts() -> None:
    game = place("classic", "9c | Kd", stock="8s", melds=_TABLE, max_turns=5, turn_number=4)
    assert play(game, _GOING_OUT) == [10, 0]
    assert game.terminated


def test_in_a_match_the_next_hand_is_dealt_at_once_and_the_deal_passes() -> None:
    game = place("classic", "9c | Kd", stock="8s", melds=_TABLE, match="match", deals=2, dealer=1)
    assert play(game, _GOING_OUT) == [10, 0]
    table = game.snapshot()
    assert (table["dealer"], table["to_move"], table["hand_number"]) == (0, 1, 1)
    assert (table["scores"], table["melds"], table["turn_number"]) == ([10, 0], [], 0)
    assert [len(hand) for hand in game.hands] == [7, 7]


def test_the_first_to_reach_the_target_wins_the_match() -> None:
    match: dict[str, Any] = {"match": "match", "target": 100, "max_hands": 50, "reward": "win"}
    game = place("classic", "9c | Kd", stock="8s", melds=_TABLE, scores=(89, 95), **match)
    assert play(game, _GOING_OUT) == [0, 0]
    assert game.hand_number == 1
    game = place("classic", "9c | Kd", stock="8s", melds=_TABLE, scores=(90, 95), **match)
    assert play(game, _GOING_OUT) == [1, -1]
    assert (game.winners, game.hand_number) == ([0], 0)


def test_the_most_points_after_the_last_deal_win_and_a_tie_is_shared() -> None:
    match: dict[str, Any] = {"match": "match", "deals": 3, "reward": "win", "hand_number": 2}
    hands = "9c | Kd | "
    game = place("classic", hands, stock="8s", melds=_TABLE, scores=(5, 15, 1), **match)
    assert play(game, _GOING_OUT) == [0.5, 0.5, -1]
    assert (game.winners, game.hand_number) == ([0, 1], 2)
    game = place("classic", hands, stock="8s", melds=_TABLE, scores=(5, 40, 1), **match)
    assert play(game, _GOING_OUT) == [-0.5, 1, -0.5]


def test_a_truncated_hand_counts_as_a_deal_and_the_match_goes_on() -> None:
    match: dict[str, Any] = {"match": "match", "deals": 2, "reward": "win", "max_turns": 1}
    game = place("classic", "9c | Kd", stock="8s", scores=(3, 3), **match)
    assert play(game, "draw stock; discard 8s") == [0, 0]
    assert (game.hand_number, game.finished) == (1, False)
    drawn = game.stock[0]
    assert play(game, f"draw stock; discard {drawn}") == [0.5, 0.5]
    assert game.winners == [0, 1]
    assert game.terminated
    assert not game.truncated


def test_an_undecided_match_with_a_target_is_truncated_after_max_hands() -> None:
    match: dict[str, Any] = {"match": "match", "target": 100, "max_hands": 4, "hand_number": 3}
    game = place("classic", "9c | Kd", stock="8s", melds=_TABLE, **match)
    assert play(game, _GOING_OUT) == [10, 0]
    assert game.truncated
    assert not game.terminated
    assert (game.winners, game.scores) == ([], [10, 0])


@pytest.mark.parametrize(("name", "value"), [("ace", "high"), ("num_players", 7), ("lay_off", 1)])
def test_an_option_outside_of_what_is_allowed_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        TableGame(
            {**OPTIONS["basic"], name: value},
            BASIC_VALUES,
            first_dealer=0,
            shuffle=lambda cards, why: cards,
        )


@pytest.mark.parametrize("variant", ["basic", "bonus", "classic"])
@pytest.mark.parametrize("num_players", [2, 6])
@pytest.mark.parametrize("lay_off", [True, False])
@pytest.mark.parametrize("final_discard", [True, False])
def test_random_games_keep_the_pack_whole_and_always_have_a_legal_action(
    variant: str, num_players: int, lay_off: bool, final_discard: bool
) -> None:
    chance = random.Random(f"{variant} {num_players} {lay_off} {final_discard}")
    own = {"num_players": num_players, "lay_off": lay_off, "final_discard": final_discard}
    match: dict[str, Any] = {"match": "match", "deals": 4, "max_turns": 300, "reward": "zero_sum"}
    options = {**OPTIONS[variant], **own, **match, "ace": "high_or_low"}
    game = TableGame(
        options,
        VALUES[variant],
        first_dealer=0,
        shuffle=lambda cards, why: chance.sample(cards, len(cards)),
    )
    while not game.finished:
        rewards = game.apply(*chance.choice(sorted(game.legal_actions())))
        places = [*game.hands, game.stock, game.discard, *game.melds]
        assert sorted(card for place in places for card in place) == sorted(PACK)
        assert sum(rewards) == 0
    assert game.hand_number == 3
    assert game.winners
