"""RUMMY cards: the worked examples of its document and the rules of its hands, one test a rule."""

from typing import Any

import pytest

import rummy_env
from rummy_env import Engine
from tests.declarations import EXAMPLES, SPECIALS_BUT_ONE
from tests.table import Table, lay


def at_play(hand: str, others: str = "", **given: Any) -> Table:
    """The first seat has drawn the last card of its hand."""
    *held, drawn = hand.split()
    table = lay("rummy_cards", f"{' '.join(held)} | {others}", stock=drawn, **given)
    table.play("draw stock")
    return table


# Cards that cannot be discarded


def test_all_cards_but_no_meld_and_cant_go_out_may_be_discarded() -> None:
    table = at_play("NO_MELD CANT_GO_OUT GROUP SEQUENCE RUMMY WILD 7c")
    assert table.legal("discard") == {"GROUP", "SEQUENCE", "RUMMY", "WILD", "7c"}


def test_no_meld_and_cant_go_out_are_never_taken_from_the_pile() -> None:
    for spread in (True, False):
        actions = Engine(rummy_env.rules("rummy_cards", spread_out_discards=spread)).space.actions
        named = {card for action in actions for card in action.cards}
        assert {"GROUP", "SEQUENCE", "RUMMY", "WILD"} <= named
        assert not named & {"NO_MELD", "CANT_GO_OUT"}


@pytest.mark.parametrize("card", ["GROUP", "SEQUENCE", "RUMMY"])
def test_the_other_special_cards_may_be_drawn_from_the_pile(card: str) -> None:
    table = lay("rummy_cards", f"2c 5d {card} | 3d 6h 9s")
    table.play(f"draw stock; discard {card}; draw discard")
    assert card in table["hands"][1]


# Going out


EXAMPLE_HANDS = [
    name
    for name, (hand, declaration, _) in EXAMPLES.items()
    if declaration is SPECIALS_BUT_ONE and len(hand.split()) > 1
]
DOCUMENT = {
    "hearts 7, diamonds 7, GROUP": ("7h 7d GROUP", True),
    "7, GROUP, WILDCARD": ("7h GROUP WILD", True),
    "SEQUENCE, WILDCARD, 7": ("SEQUENCE WILD 7h", True),
    "two WILDCARDs with GROUP": ("WILD WILD GROUP", True),
    "three WILDCARDs with SEQUENCE": ("WILD WILD WILD SEQUENCE", True),
    "no meld with GROUP and SEQUENCE": ("7h 7d GROUP SEQUENCE 2c", False),
    "GROUP is in no sequence": ("5h 6h GROUP 2c", False),
    "SEQUENCE is in no group": ("7h 7d SEQUENCE 2c", False),
    "7, 7, three WILDCARDs and a card left over": ("7h 7d WILD WILD WILD Kc", True),
    "four 7s, WILDCARD and a card left over": ("7c 7d 7h 7s WILD Kc", True),
    "a RUMMY card is a meld in itself": ("RUMMY 7c 7d 7h Ks", True),
    "it is no WILDCARD": ("RUMMY 7c 7d Ks", False),
    "NO MELD may be the card left over": ("NO_MELD 7c 7d 7h", True),
    "... but no other beside it": ("NO_MELD 7c 7d 7h Ks", False),
    "CAN'T GO OUT may not": ("CANT_GO_OUT 7c 7d 7h", False),
}
"""Hands that the document writes out or describes, and whether they go out."""


@pytest.mark.parametrize("name", DOCUMENT)
def test_the_hands_that_the_document_writes_out(name: str) -> None:
    hand, finished = DOCUMENT[name]
    assert at_play(hand).allows("go out") is finished


@pytest.mark.parametrize("name", EXAMPLE_HANDS)
def test_a_hand_of_the_examples_goes_out_in_a_game_exactly_if_it_is_finished(name: str) -> None:
    hand, _, finished = EXAMPLES[name]
    assert at_play(hand).allows("go out") is finished


# RUMMY cards


@pytest.mark.parametrize("moves", ["", "draw stock", "draw discard"])
def test_both_rummy_cards_win_alone_before_and_after_the_draw(moves: str) -> None:
    table = lay("rummy_cards", "RUMMY RUMMY CANT_GO_OUT | 3d 6h 9s | 4c 8s Jh", discard="Th")
    if moves:
        table.play(moves)
    assert table.play("lay down rummy") == [1, -0.5, -0.5]
    assert (table["winners"], table["scores"]) == ([0], [1, 0, 0])


def test_both_rummy_cards_may_be_laid_down_before_the_draw_of_the_first_turn() -> None:
    table = lay("rummy_cards", "RUMMY RUMMY 2c | 3d 6h 9s")
    assert table.kinds == {"draw_stock", "lay_down_rummy"}


def test_who_forgot_to_lay_them_down_waits_for_the_next_turn() -> None:
    table = lay("rummy_cards", "RUMMY RUMMY 2c | 3d 6h 9s")
    table.play("draw stock; discard 2c")
    assert not table.allows("lay down rummy")
    table.play("draw stock; discard 3d")
    assert table.allows("lay down rummy")


def test_one_rummy_card_is_not_laid_down() -> None:
    table = at_play("RUMMY 4d 2c", others="RUMMY 6h 9s")
    assert not table.allows("lay down rummy")


def test_who_holds_both_wins_as_well_before_having_had_a_turn() -> None:
    table = lay("rummy_cards", "7c 7d 7h | RUMMY RUMMY CANT_GO_OUT")
    table.play("draw stock")
    assert table.play("go out") == [0.5, 0.5]
    assert table["winners"] == [0, 1]


def test_the_holder_of_a_rummy_card_wins_with_whoever_goes_out() -> None:
    table = at_play("7c 7d 7h 2s", others="3d 6h 9s | RUMMY 4c NO_MELD")
    assert table.play("go out") == [0.5, -1, 0.5]
    assert (table["winners"], table["scores"]) == ([0, 2], [1, 0, 1])


def test_three_may_win() -> None:
    table = at_play("7c 7d 7h 2s", others="RUMMY 6h 9s | 4c 8s Jh | RUMMY 5c Ts", reward="points")
    assert table.play("go out") == [1, 1, 0, 1]
    assert table["winners"] == [0, 1, 3]


def test_going_out_with_a_rummy_card_is_one_game_point_all_the_same() -> None:
    table = at_play("7c 7d 7h RUMMY RUMMY", reward="points")
    assert table.play("go out") == [1, 0]


# The stock is exhausted


def last_card(hands: str, drawn: str = "8s", **given: Any) -> Table:
    """The first seat has drawn the stock's last card."""
    table = lay("rummy_cards", hands, stock=drawn, rest="discard", **given)
    table.play("draw stock")
    return table


SPARE = "NO_MELD CANT_GO_OUT"
"""Cards that cannot lie in the discard pile."""


def test_the_hand_ends_when_the_last_card_was_drawn_and_the_rummy_cards_win() -> None:
    table = last_card(f"2c 5d 9h {SPARE} | RUMMY 6h 9s | RUMMY 4c Jh")
    assert not table["finished"]
    assert table.play("discard 2c") == [-1, 0.5, 0.5]
    assert (table["winners"], table["truncated"]) == ([1, 2], False)


def test_who_draws_the_last_card_may_still_go_out() -> None:
    table = last_card(f"7c 7d 9h | RUMMY 6h 9s | {SPARE}", drawn="7s")
    assert table.play("go out") == [0.5, 0.5, -1]


def test_a_rummy_card_discarded_as_the_last_card_counts_for_nobody() -> None:
    table = last_card(f"RUMMY 5d 9h {SPARE} | 3d 6h 9s")
    assert table.play("discard RUMMY") == [0, 0]
    assert (table["winners"], table["scores"]) == ([], [0, 0])
    assert table.engine.terminated[0]


@pytest.mark.parametrize("reward", ["win", "points", "zero_sum"])
def test_nobody_wins_where_nobody_holds_a_rummy_card(reward: str) -> None:
    table = last_card(f"2c 5d 9h {SPARE} | 3d 6h 9s", reward=reward)
    assert table.play("discard 2c") == [0, 0]
    assert (table["winners"], bool(table.engine.truncated[0])) == ([], False)


def test_a_player_with_the_last_card_in_reach_may_take_the_discard_instead() -> None:
    table = lay("rummy_cards", f"2c 5d 9h {SPARE} | 3d 6h 9s", stock="8s", rest="discard")
    table.play("draw discard; discard 2c")
    assert not table["finished"]
    assert len(table["stock"]) == 1


def test_an_exhausted_stock_comes_before_the_limit_of_turns() -> None:
    table = last_card(f"2c 5d 9h {SPARE} | RUMMY 6h", max_turns=5, marks={"turn_number": 4})
    assert table.play("discard 2c") == [-1, 1]


def test_a_stalemate_is_a_tie() -> None:
    given: dict[str, Any] = {"max_turns": 5, "marks": {"turn_number": 4}, "reward": "zero_sum"}
    table = lay("rummy_cards", f"2c 5d {SPARE} | RUMMY 6h", stock="8s", rest="discard", **given)
    assert table.play("draw discard; discard 2c") == [0, 0]
    assert (table["winners"], table["truncated"]) == ([], True)


# Rewards


WINNERS = {
    1: "7c 7d 2s | 4c 8s Jh | 3c 6h 9s | 5c Td Qh",
    2: "7c 7d 2s | RUMMY 8s Jh | 3c 6h 9s | 5c Td Qh",
    3: "7c 7d 2s | RUMMY 8s Jh | RUMMY 6h 9s | 5c Td Qh",
}
REWARDS = {
    ("points", 1): [1, 0, 0, 0],
    ("points", 2): [1, 1, 0, 0],
    ("points", 3): [1, 1, 1, 0],
    ("zero_sum", 1): [1, -1 / 3, -1 / 3, -1 / 3],
    ("zero_sum", 2): [1, 1, -1, -1],
    ("zero_sum", 3): [1, 1, 1, -3],
    ("win", 1): [1, -1 / 3, -1 / 3, -1 / 3],
    ("win", 2): [1 / 2, 1 / 2, -1 / 2, -1 / 2],
    ("win", 3): [1 / 3, 1 / 3, 1 / 3, -1],
}
"""What each scheme pays with one, two and three winners."""


@pytest.mark.parametrize(("reward", "winners"), REWARDS)
def test_what_each_scheme_pays(reward: str, winners: int) -> None:
    table = lay("rummy_cards", WINNERS[winners], stock="7h", reward=reward)
    assert table.play("draw stock; go out") == pytest.approx(REWARDS[reward, winners], abs=1e-5)


@pytest.mark.parametrize(("reward", "paid"), [("points", 1), ("zero_sum", 0), ("win", 0.5)])
def test_where_all_have_won_nobody_has_lost(reward: str, paid: float) -> None:
    table = lay("rummy_cards", "7c 7d 2s | RUMMY 8s Jh", stock="7h", reward=reward)
    assert table.play("draw stock; go out") == [paid, paid]


# Matches


def hand_of_a_match(hands: str, scores: list[int], **marks: Any) -> Table:
    """Seat 0 goes out with the seven of hearts."""
    given: dict[str, Any] = {"marks": {"dealer": 3, "scores": scores, **marks}, "match": "match"}
    table = lay("rummy_cards", hands, stock="7h", **given)
    table.play("draw stock; go out")
    return table


def test_the_first_player_moves_clockwise_whoever_has_won() -> None:
    table = hand_of_a_match(WINNERS[1], [0, 0, 0, 0], dealer=1)
    assert (table["dealer"], table["to_move"], table["hand_number"]) == (2, 3, 1)


def test_after_a_stalemate_the_same_player_plays_first() -> None:
    given: dict[str, Any] = {"match": "match", "max_turns": 5}
    marks = {"turn_number": 4, "dealer": 1}
    table = lay("rummy_cards", "2c 5d | RUMMY 6h | 9s Td", marks=marks, **given)
    table.play("draw stock; discard 2c")
    assert (table["dealer"], table["to_move"], table["hand_number"]) == (1, 2, 1)


def test_who_leads_with_two_game_points_wins_the_match() -> None:
    table = hand_of_a_match(WINNERS[2], [1, 0, 1, 1])
    assert (table["winners"], table["scores"]) == ([0], [2, 1, 1, 1])
    assert table.engine.terminated[0]


def test_a_tie_at_two_game_points_is_played_off_among_the_tied_alone() -> None:
    table = hand_of_a_match(WINNERS[3], [1, 1, 0, 1])
    assert (table["scores"], table["finished"]) == ([2, 2, 1, 1], False)
    assert table["sits_out"] == [False, False, True, True]
    assert [len(hand) for hand in table["hands"]] == [5, 5, 0, 0]
    assert len(table["stock"]) == 61 - 10
    assert (table["dealer"], table["to_move"]) == (0, 1)


@pytest.mark.parametrize(("dealer", "then"), [(3, 0), (0, 1), (1, 1), (2, 1)])
def test_the_dealer_of_a_tie_break_game_sits_beside_the_first_player_of_the_tied(
    dealer: int, then: int
) -> None:
    table = hand_of_a_match(WINNERS[3], [1, 1, 0, 1], dealer=dealer)
    assert (table["dealer"], table["to_move"]) == (then, 1 - then)


def test_who_sits_out_has_no_turn() -> None:
    table = hand_of_a_match(WINNERS[3], [1, 1, 0, 1])
    seats = []
    for _ in range(4):
        seats.append(table["to_move"])
        table.play("draw stock")
        table.play(f"discard {min(table.legal('discard'))}")
    assert seats == [1, 0, 1, 0]


TIED = {"dealer": 3, "sits_out": [False, False, True, False], "scores": [2, 2, 1, 2]}


def tie_break(hands: str, **options: Any) -> Table:
    """Seat 0 goes out in a tie-break game that seat 2 sits out."""
    table = lay("rummy_cards", hands, stock="7h", match="match", marks=TIED, **options)
    table.play("draw stock; go out")
    return table


def test_a_tie_break_game_is_won_by_whoever_leads_then() -> None:
    table = tie_break("7c 7d 2s | 4c 8s Jh | | 5c Td Qh", reward="win")
    assert (table["winners"], table["scores"]) == ([0], [3, 2, 1, 2])
    assert table.engine.rewards[0].tolist() == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


def test_a_tie_break_game_that_is_tied_is_followed_by_another() -> None:
    table = tie_break("7c 7d 2s | RUMMY 8s Jh | | 5c Td Qh", reward="zero_sum")
    assert (table["scores"], table["sits_out"]) == ([3, 3, 1, 2], [False, False, True, True])
    assert table.engine.rewards[0].tolist() == [1, 1, 0, -2]


def test_a_tie_is_cut_off_after_max_hands() -> None:
    given: dict[str, Any] = {"match": "match", "max_hands": 1, "marks": {"scores": [1, 1]}}
    table = lay("rummy_cards", "7c 7d 2s | RUMMY 8s Jh", stock="7h", **given)
    assert table.play("draw stock; go out") == [0, 0]
    assert (table["winners"], table["truncated"]) == ([], True)
