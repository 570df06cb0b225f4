"""Going out: the worked examples of its document and the rules of its turns, one test a rule.

What a finished hand is, `test_declaring` shows; here hands are finished in the midst of games.
"""

from collections import Counter
from typing import Any

import pytest

import rummy_env
from rummy_env import Engine
from tests.declarations import EXAMPLES, MAJOR, MINOR, SEQUENCES, WILDS
from tests.lockstep import DECLARED
from tests.table import Table, lay

FAR = "2c 5d 8h Js | 3d 6h 9s Kc"
"""Two hands of four cards that are far from finished."""


@pytest.fixture(params=DECLARED)
def variant(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def at_play(hand: str, **given: Any) -> Table:
    """The first seat has drawn the last card of its hand."""
    *held, drawn = hand.split()
    table = lay("going_out", f"{' '.join(held)} |", stock=drawn, **given)
    table.play("draw stock")
    return table


# The deal and the draw


def test_the_cards_are_dealt_one_at_a_time_to_the_first_player_first() -> None:
    rules = rummy_env.rules("going_out", num_players=3, hand_size=4)
    engine = Engine(rules, seed=3)
    engine.reset()
    table = engine.snapshot(0)
    assert [len(hand) for hand in table["hands"]] == [4, 4, 4]
    assert (table["to_move"] - table["dealer"]) % 3 == 1
    assert len(table["stock"]) == 55 - 12


def test_the_first_player_draws_from_the_stock_for_there_is_no_discard_pile(variant: str) -> None:
    engine = Engine(rummy_env.rules(variant))
    engine.reset()
    assert engine.snapshot(0)["discard"] == []
    legal = [engine.describe(int(action)).kind for action in engine.legal_mask()[0].nonzero()[0]]
    assert legal == ["draw_stock"]


def test_then_the_top_card_of_either_pile_is_drawn(variant: str) -> None:
    table = lay(variant, FAR, discard="Th 4s")
    assert table.kinds == {"draw_stock", "draw_discard"}
    table.play("draw discard")
    assert "4s" in table["hands"][0]
    assert (table["discard"], table["taken"]) == (["Th"], "4s")


def test_a_card_taken_from_the_pile_may_be_thrown_back(variant: str) -> None:
    table = lay(variant, FAR, discard="Th 4s")
    table.play("draw discard; discard 4s")
    assert table["discard"] == ["Th", "4s"]
    assert (table["to_move"], table["phase"]) == (1, "draw")


def test_a_wildcard_may_be_discarded_and_drawn_from_the_pile(variant: str) -> None:
    table = lay(variant, "2c 5d 8h WILD | 3d 6h 9s Kc", discard="Th")
    table.play("draw stock; discard WILD; draw discard")
    assert "WILD" in table["hands"][1]
    assert table["taken"] == "WILD"


def test_nobody_plays_before_drawing(variant: str) -> None:
    table = lay(variant, "7c 7d 7h Js | 3d 6h 9s Kc", discard="Th")
    assert not table.allows("go out")
    table.play("draw stock")
    assert table.kinds == {"discard"}


def test_turns_pass_clockwise(variant: str) -> None:
    table = lay(variant, "2c 5d 8h | 3d 6h 9s | 4c 7d Th", marks={"to_move": 2})
    table.play("draw stock; discard Th")
    assert table["to_move"] == 0


# Going out


def test_who_goes_out_wins_the_hand() -> None:
    table = at_play("7c 7d 7h Js")
    assert table.play("go out") == [1, -1]
    assert (table["winners"], table["scores"], table["phase"]) == ([0], [1, 0], "finished")


def test_nobody_has_to_go_out() -> None:
    table = at_play("7c 7d 7h Js")
    assert table.kinds == {"go_out", "discard"}
    table.play("discard Js")
    assert not table["finished"]


def test_a_card_from_the_discard_pile_may_finish_the_hand() -> None:
    table = lay("going_out", "7c 7d 2s | 3d 6h 9s", discard="7h")
    table.play("draw discard")
    assert table.allows("go out")


LEFTOVERS = {WILDS: {}, MAJOR: {"leftover": "none"}, MINOR: {"leftover": "exactly_one"}}
SEQUENCES_RUMMY: dict[str, Any] = {"sequences_rummy": True, "wildcards": 7, "leftover": "none"}
PLAYED = [
    name
    for name, (hand, declaration, _) in EXAMPLES.items()
    if declaration in (*LEFTOVERS, SEQUENCES) and 2 <= len(hand.split()) <= 11
]
"""The examples of the document that can be hands of a game."""


@pytest.mark.parametrize("name", PLAYED)
def test_a_hand_of_the_examples_goes_out_in_a_game_exactly_if_it_is_finished(name: str) -> None:
    hand, declaration, finished = EXAMPLES[name]
    options = SEQUENCES_RUMMY if declaration is SEQUENCES else LEFTOVERS[declaration]
    assert at_play(hand, **options).allows("go out") is finished


DOCUMENT = {
    "7, 7, WILDCARD, WILDCARD, WILDCARD": ("7c 7d WILD WILD WILD", "none", True),
    "7 7 7 7 WILDCARD": ("7c 7d 7h 7s WILD", "none", True),
    "7, WILDCARD, WILDCARD, WILDCARD": ("7c WILD WILD WILD", "none", True),
    "WILDCARD, WILDCARD, WILDCARD": ("WILD WILD WILD", "none", True),
    "7, 7, WILDCARD": ("7c 7d WILD", "none", True),
    "hearts 5, 6, WILDCARD": ("5h 6h WILD", "none", True),
    "A 2 3 of hearts": ("Ah 2h 3h", "none", True),
    "Q K A of diamonds": ("Qd Kd Ad", "none", True),
    "2 A K is not valid": ("2h Ah Kh", "none", False),
    "5 6 7 of hearts and 7, 7 are either a sequence or a group": (
        "5h 6h 7h 7c 7d",
        "at_most_one",
        False,
    ),
    "... which leaves two cards, or two": ("5h 6h 7h 7c 7d", "none", False),
    "Minor: not two melds of three": ("2h 3h 4h 7c 7d 7s", "exactly_one", False),
    "Minor: a meld of five": ("7c 7d 7h 7s WILD Kc", "exactly_one", True),
    "Minor: hearts 2 to 7": ("2h 3h 4h 5h 6h 7h", "exactly_one", True),
    "Major: every card": ("2h 3h 4h 5h 6h Kc", "none", False),
    "any one card may be left over": ("2h 3h 4h 5h 6h Kc", "at_most_one", True),
}
"""Hands that the document writes out, the rule of the leftover card, and whether they go out."""


@pytest.mark.parametrize("name", DOCUMENT)
def test_the_hands_that_the_document_writes_out(name: str) -> None:
    hand, leftover, finished = DOCUMENT[name]
    assert at_play(hand, leftover=leftover).allows("go out") is finished


@pytest.mark.parametrize("leftover", ["at_most_one", "none"])
def test_sequences_rummy_goes_out_with_two_sequences_one_of_them_natural(leftover: str) -> None:
    options = {**SEQUENCES_RUMMY, "leftover": leftover}
    assert at_play("4h 5h 6h 7h WILD WILD", **options).allows("go out")
    assert not at_play("4h 5h WILD 7h 8s WILD", **options).allows("go out")


# Four sevens


@pytest.mark.parametrize("moves", ["", "draw stock", "draw discard"])
def test_four_natural_sevens_win_before_and_after_the_draw(moves: str) -> None:
    table = lay("going_out", "7c 7d 7h 7s 2c | 3d 6h 9s", discard="Th", four_sevens=True)
    if moves:
        table.play(moves)
    assert table.play("four sevens") == [1, -1]
    assert table["winners"] == [0]


def test_a_wildcard_is_no_natural_seven() -> None:
    table = lay("going_out", "7c 7d 7h WILD 2c | 3d 6h 9s", stock="7s", four_sevens=True)
    assert not table.allows("four sevens")
    table.play("draw stock")
    assert table.allows("four sevens")


def test_four_sevens_win_only_where_that_is_agreed_and_at_one_s_own_turn() -> None:
    assert "four_sevens" not in {
        action.kind for action in lay("going_out", FAR).engine.space.actions
    }
    table = lay("going_out", "2c 5d 8h Js | 7c 7d 7h 7s", four_sevens=True)
    assert not table.allows("four sevens")
    table.play("draw stock; discard 2c")
    assert table.allows("four sevens")


# The stock is empty


def test_an_exhausted_stock_is_renewed_from_the_discards_but_the_top_one() -> None:
    table = lay("going_out", FAR, stock="4c", discard="Th 8s", rest="last hand")
    table.play("draw stock; discard 2c")
    assert sorted(table["stock"]) == ["8s", "Th"]
    assert table["discard"] == ["2c"]
    assert table.kinds == {"draw_stock", "draw_discard"}


def test_the_stock_is_renewed_only_when_the_last_who_drew_has_discarded() -> None:
    table = lay("going_out", FAR, stock="4c", discard="Th 8s", rest="last hand")
    table.play("draw stock")
    assert (table["stock"], table["discard"]) == ([], ["Th", "8s"])


def test_a_single_discard_beside_an_exhausted_stock_must_be_taken() -> None:
    table = lay("going_out", FAR, stock="4c", rest="last hand")
    table.play("draw stock; discard 2c")
    assert (table["stock"], table["discard"]) == ([], ["2c"])
    assert table.kinds == {"draw_discard"}


def test_a_renewed_stock_is_shuffled() -> None:
    orders = set()
    for seed in range(20):
        table = lay("going_out", FAR, stock="4c", rest="discard", marks={"seed": seed})
        table.play("draw stock; discard 2c")
        orders.add(tuple(table["stock"]))
    assert len(orders) == 20


def test_equal_cards_lie_anywhere_in_a_renewed_stock() -> None:
    places: Counter[int] = Counter()
    for seed in range(300):
        table = lay("going_out", FAR, stock="4c", rest="discard", marks={"seed": seed})
        table.play("draw stock; discard 2c")
        places.update(i for i, card in enumerate(table["stock"]) if card == "WILD")
    assert sorted(places) == list(range(55 - 4 - 4 - 1))
    expected = places.total() / len(places)
    assert sum((count - expected) ** 2 / expected for count in places.values()) < 80


# Stalemate and matches


@pytest.mark.parametrize("reward", ["win", "points", "zero_sum"])
def test_a_hand_that_nobody_can_finish_is_cut_off_and_pays_nothing(
    variant: str, reward: str
) -> None:
    table = lay(variant, FAR, marks={"turn_number": 39}, max_turns=40, reward=reward)
    assert table.play("draw stock; discard 2c") == [0, 0]
    assert (table["winners"], table["finished"], table["truncated"]) == ([], True, True)


def hand_of_a_match(**given: Any) -> Table:
    """Seat 1 of three can go out in a hand that seat 2 began."""
    marks = {"to_move": 1, "dealer": 1, "turn_number": 8, **given.pop("marks", {})}
    hands = "2c 5d 8h | 7c 7d 7h | 3d 6h 9s"
    return lay("going_out", hands, match="match", marks=marks, **given)


def test_the_winner_of_a_hand_plays_first_in_the_next() -> None:
    table = hand_of_a_match()
    table.play("draw stock; go out")
    assert (table["to_move"], table["dealer"], table["hand_number"]) == (1, 0, 1)
    assert (table["scores"], table["finished"], table["discard"]) == ([0, 1, 0], False, [])


def test_after_a_hand_without_a_winner_the_same_player_plays_first() -> None:
    table = hand_of_a_match(max_turns=9)
    table.play("draw stock; discard 7c")
    assert (table["to_move"], table["dealer"], table["hand_number"]) == (2, 1, 1)


@pytest.mark.parametrize("reward", ["win", "points"])
def test_whoever_wins_two_hands_wins_the_match(reward: str) -> None:
    table = hand_of_a_match(marks={"scores": [1, 1, 1]}, reward=reward)
    paid = table.play("draw stock; go out")
    assert paid == ([-0.5, 1, -0.5] if reward == "win" else [0, 1, 0])
    assert (table["winners"], table["scores"]) == ([1], [1, 2, 1])
    assert table.engine.terminated[0]


def test_a_match_is_cut_off_after_max_hands() -> None:
    table = hand_of_a_match(marks={"hand_number": 2}, max_hands=3)
    assert table.play("draw stock; go out") == [0, 0, 0]
    assert (table["winners"], table["truncated"]) == ([], True)
