"""The declared-hand reference against the rules and the documents: one hand, its turns and end.

Source: rules.md sections 3, 5, 5.1 and 5.2; seeds/000 (Going Out Rummy), seeds/004 (Rummy).
"""

import pytest

from tests.reference.declared_game import DeclaredGame
from tests.reference.declared_moves import OPTIONS, allows, place, play


def _kinds(game: DeclaredGame) -> set[str]:
    return {kind for kind, _ in game.legal_actions()}


def _discards(game: DeclaredGame) -> set[str]:
    return {cards[0] for kind, cards in game.legal_actions() if kind == "discard"}


def test_the_deal_begins_with_the_first_player_and_turns_no_card_up() -> None:
    options = {**OPTIONS["going_out"], "num_players": 3, "hand_size": 2}
    game = DeclaredGame(options, first_player=1, shuffle=lambda cards, why: cards)
    table = game.snapshot()
    assert table["hands"] == [["3c", "6c"], ["4c", "Ac"], ["2c", "5c"]]
    assert (table["discard"], table["to_move"], table["dealer"]) == ([], 1, 0)
    assert len(game.stock) == 55 - 6
    assert game.legal_actions() == {("draw_stock", ())}


@pytest.mark.parametrize(("decks", "cards"), [(1, 61), (2, 113)])
def test_rummy_cards_is_played_with_61_or_113_cards(decks: int, cards: int) -> None:
    game = DeclaredGame(
        {**OPTIONS["rummy_cards"], "decks": decks}, first_player=0, shuffle=lambda c, _: c[::-1]
    )
    assert len(game.options.pack()) == cards
    assert sorted([*game.hands[0], *game.hands[1], *game.stock]) == sorted(game.options.pack())


def test_a_player_draws_then_discards_and_the_turn_passes_clockwise() -> None:
    game = place("going_out", "2c 4d 6h | Kc 9s Jd", stock="8s 5h")
    play(game, "draw stock")
    assert game.phase == "play"
    assert _discards(game) == {"2c", "4d", "6h", "8s"}
    play(game, "discard 2c")
    assert (game.to_move, game.phase, game.turn_number) == (1, "draw", 1)
    assert _kinds(game) == {"draw_stock", "draw_discard"}


def test_a_card_taken_from_the_pile_may_be_discarded() -> None:
    game = place("going_out", "2c 4d 6h | Kc 9s Jd", stock="8s", discard="3h 9h")
    play(game, "draw discard")
    assert game.taken == "9h"
    assert allows(game, "discard 9h")


def test_wildcards_may_be_discarded_and_drawn_from_the_pile() -> None:
    game = place("going_out", "WILD 4d WILD | Kc 9s Jd", stock="8s 5h")
    play(game, "draw stock; discard WILD; draw discard")
    assert game.snapshot()["hands"] == [["4d", "8s", "WILD"], ["9s", "Jd", "Kc", "WILD"]]


def test_who_goes_out_wins_with_one_card_left_over() -> None:
    game = place("going_out", "7c 7d 2s | Kc 9s Jd", stock="WILD 5h")
    play(game, "draw stock")
    assert play(game, "go out") == [1, 0]
    table = game.snapshot()
    assert (table["winners"], table["scores"], table["phase"]) == ([0], [1, 0], "finished")
    assert (table["melds"], table["turn_number"], table["taken"]) == ([], 0, None)
    assert game.terminated
    assert game.legal_actions() == set()


def test_nobody_has_to_go_out() -> None:
    game = place("going_out", "7c 7d 2s | Kc 9s Jd", stock="WILD 5h")
    play(game, "draw stock; discard 2s")
    assert not game.finished


def test_going_out_is_only_possible_after_drawing() -> None:
    game = place("going_out", "7c 7d 7h | Kc 9s Jd", stock="8s 5h")
    assert not allows(game, "go out")


@pytest.mark.parametrize(
    ("leftover", "hand", "drawn", "goes_out"),
    [
        ("none", "7c 7d 7h", "8s", False),  # Major: every card
        ("none", "7c 7d 7h", "7s", True),
        ("exactly_one", "7c 7d 7h 2s 3s", "4s", False),  # Minor: 3 + 3 does not do
        ("exactly_one", "2h 3h 4h 5h 6h", "7h", True),  # hearts 2 to 7
        ("at_most_one", "7c 7d 7h 2s 3s", "4s", True),
    ],
)
def test_major_and_minor(leftover: str, hand: str, drawn: str, *, goes_out: bool) -> None:
    game = place("going_out", f"{hand} | Kc 9s Jd", stock=f"{drawn} 5h", leftover=leftover)
    play(game, "draw stock")
    assert allows(game, "go out") == goes_out


def test_sequences_rummy_hand_of_the_document() -> None:
    hands = "4h 5h 6h 7h WILD | Kc 9s Jd"
    game = place("going_out", hands, stock="WILD 5s", sequences_rummy=True, wildcards=7)
    play(game, "draw stock")
    assert allows(game, "go out")


@pytest.mark.parametrize("moves", ["four sevens", "draw stock; four sevens"])
def test_four_natural_sevens_win_before_or_after_the_draw(moves: str) -> None:
    hands = "7c 7d 7h 7s CANT_GO_OUT | RUMMY 2c 3d | RUMMY 5c 9s"
    game = place("rummy_cards", hands, stock="8s 5h", four_sevens=True)
    assert play(game, moves) == [1, 1, 1]
    assert game.winners == [0, 1, 2]
    game = place("going_out", "7c 7d 7h 7s | Kc 9s Jd", stock="8s 5h", four_sevens=True)
    assert play(game, moves) == [1, 0]


def test_four_sevens_are_natural_and_of_all_four_suits() -> None:
    game = place("going_out", "7c 7d 7h WILD | Kc 9s Jd", stock="8s", four_sevens=True)
    assert not allows(game, "four sevens")
    game = place("going_out", "7c 7d 7h 7h | Kc 9s Jd", stock="8s", four_sevens=True, decks=2)
    assert not allows(game, "four sevens")
    game = place("going_out", "7c 7d 7h 7s | Kc 9s Jd", stock="8s")
    assert not allows(game, "four sevens")


def test_the_empty_stock_is_renewed_from_all_discards_but_the_top_one() -> None:
    log: list[tuple[list[str], str]] = []

    def reverse(cards: list[str], why: str) -> list[str]:
        log.append((cards, why))
        return cards[::-1]

    hands = "2c 4d 6h | Kc 9s Jd"
    game = place("going_out", hands, stock="8s", discard="3h 9h Jc", shuffle=reverse)
    play(game, "draw stock")
    assert (game.stock, log) == ([], [])
    play(game, "discard 2c")
    assert log == [(["3h", "9h", "Jc"], "restock")]
    assert (game.stock, game.discard) == (["Jc", "9h", "3h"], ["2c"])


def test_a_single_discard_must_be_taken_where_the_stock_is_empty() -> None:
    game = place("going_out", "2c 4d 6h | Kc 9s Jd", stock="8s")
    play(game, "draw stock; discard 2c")
    assert (game.stock, game.discard) == ([], ["2c"])
    assert game.legal_actions() == {("draw_discard", ())}
    play(game, "draw discard; discard Kc")
    assert game.legal_actions() == {("draw_discard", ())}


def test_two_discards_make_a_stock_of_one_card() -> None:
    game = place("going_out", "2c 4d 6h | Kc 9s Jd", stock="8s", discard="3h")
    play(game, "draw stock; discard 2c")
    assert (game.stock, game.discard) == (["3h"], ["2c"])


def test_no_meld_and_cant_go_out_may_not_be_discarded() -> None:
    hands = "NO_MELD CANT_GO_OUT RUMMY GROUP SEQUENCE | Kc 9s Jd"
    game = place("rummy_cards", hands, stock="WILD 5h")
    play(game, "draw stock")
    assert _discards(game) == {"RUMMY", "GROUP", "SEQUENCE", "WILD"}


def test_there_is_a_discard_even_with_both_cards_that_may_not_be_discarded() -> None:
    game = place("rummy_cards", "NO_MELD 2c | Kc 9s", stock="CANT_GO_OUT 5h", hand_size=2)
    play(game, "draw stock")
    assert game.legal_actions() == {("discard", ("2c",))}


def test_no_meld_may_be_the_card_left_over_and_cant_go_out_may_not() -> None:
    for card, goes_out in (("NO_MELD", True), ("CANT_GO_OUT", False)):
        game = place("rummy_cards", f"7h 7d {card} | Kc 9s Jd", stock="GROUP 5h")
        play(game, "draw stock")
        assert allows(game, "go out") == goes_out


def test_cant_go_out_does_not_hinder_a_holder_of_rummy_from_winning() -> None:
    game = place("rummy_cards", "7h 7d 2c | CANT_GO_OUT RUMMY Jd | 3c 4d 8h", stock="7s 5h")
    play(game, "draw stock")
    assert play(game, "go out") == [1, 1, 0]


def test_one_to_three_winners_and_never_more_than_one_point() -> None:
    for hands, rewards in (
        ("7h 7d RUMMY | RUMMY 9s Jd | 3c 4d 8h", [1, 1, 0]),  # won in two ways: one point
        ("7h 7d RUMMY | 2c 9s Jd | 3c 4d 8h", [1, 0, 0]),
        ("7h 7d 2s | RUMMY 9s Jd | RUMMY 4d 8h", [1, 1, 1]),
        ("7h 7d 2s | RUMMY RUMMY Jd | 9c 4d 8h", [1, 1, 0]),  # has not had a turn yet
    ):
        game = place("rummy_cards", hands, stock="7s 5h")
        play(game, "draw stock")
        assert play(game, "go out") == rewards
        assert game.scores == rewards


@pytest.mark.parametrize("moves", ["lay down rummy", "draw stock; lay down rummy"])
def test_both_rummy_cards_laid_down_win_alone_before_or_after_the_draw(moves: str) -> None:
    game = place("rummy_cards", "RUMMY RUMMY CANT_GO_OUT | Kc 9s Jd", stock="8s 5h")
    assert play(game, moves) == [1, 0]
    assert (game.winners, game.terminated) == ([0], True)


def test_who_forgets_to_lay_down_both_rummy_cards_waits_for_the_next_turn() -> None:
    game = place("rummy_cards", "RUMMY RUMMY 2c | Kc 9s Jd", stock="8s 5h 6d")
    play(game, "draw stock; discard 2c")
    assert not allows(game, "lay down rummy")
    play(game, "draw stock; discard 5h")
    assert allows(game, "lay down rummy")


def test_one_rummy_card_cannot_be_laid_down() -> None:
    game = place("rummy_cards", "RUMMY 4c 2c | Kc 9s Jd", stock="8s 5h")
    assert not allows(game, "lay down rummy")
    assert allows(place("rummy_cards", "4c 2c 5d | Kc 9s Jd", stock="8s"), "draw stock")


def test_the_hand_ends_with_the_turn_that_drew_the_last_card() -> None:
    game = place("rummy_cards", "2c 4d 6h | RUMMY 9s Jd | RUMMY 4c 5d", stock="8s", discard="3h")
    play(game, "draw stock")
    assert not game.finished
    assert play(game, "discard 2c") == [0, 1, 1]
    assert (game.winners, game.terminated, game.truncated) == ([1, 2], True, False)
    assert (game.turn_number, game.discard) == (1, ["3h", "2c"])


def test_a_rummy_card_thrown_away_with_the_last_discard_wins_nothing() -> None:
    game = place("rummy_cards", "RUMMY 4d 6h | Kc 9s Jd", stock="8s")
    play(game, "draw stock")
    assert play(game, "discard RUMMY") == [0, 0]
    assert (game.winners, game.terminated, game.truncated) == ([], True, False)


def test_going_out_with_the_last_card_of_the_stock() -> None:
    game = place("rummy_cards", "7h 7d 2s | RUMMY 9s Jd | 3c 4d 8h", stock="7s")
    play(game, "draw stock")
    assert play(game, "go out") == [1, 1, 0]


def test_running_out_of_stock_comes_before_the_limit_of_turns() -> None:
    game = place("rummy_cards", "2c 4d 6h | RUMMY 9s Jd", stock="8s", max_turns=1)
    play(game, "draw stock; discard 2c")
    assert (game.winners, game.truncated) == ([1], False)


def test_a_stalemate_is_truncated_and_nobody_wins() -> None:
    game = place("rummy_cards", "2c 4d 6h | RUMMY 9s Jd", stock="8s 9c", max_turns=1)
    assert play(game, "draw stock; discard 2c") == [0, 0]
    assert (game.winners, game.terminated, game.truncated) == ([], False, True)
