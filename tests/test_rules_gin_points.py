"""What a hand of gin is worth, on positions worked by hand."""

import numpy as np
import pytest

from rummy_env import Engine
from tests.gin_play import (
    FITTING,
    LOOSE,
    MELDED,
    OTHER,
    THREE_MELDS,
    gin_rules,
    greedy,
    knocked,
    lay,
)

# Laying off


def test_the_defender_lays_off_what_fits() -> None:
    assert knocked(f"{THREE_MELDS} 5h", FITTING) == [60 - 19 - 5, 0]


def test_without_laying_off_nothing_is() -> None:
    assert knocked(f"{THREE_MELDS} 5h", FITTING, lay_off="none") == [60 - 5, 0]


def test_a_chain_is_laid_off_at_both_ends_of_a_run() -> None:
    defender = "3h 4h 8h 9h 2s 4d 6c Td Qh Js"
    won = knocked("5h 6h 7h 9c Tc Jc Qc Kc 2c 2d", defender)
    assert won == [66 - (3 + 4 + 8 + 9) - 4, 0]


def test_the_defender_gives_up_the_fourth_card_of_a_group_at_home() -> None:
    """5h 6h 7h lies on the table: 8h leaves the group of eights at home, and 9h follows."""
    defender = "8c 8d 8h 8s 9h Ac 3d 4d Qh Jd"
    won = knocked("5h 6h 7h Ts Js Qs 2c 2d 2h 4c", defender)
    assert won == [1 + 3 + 4 + 10 + 10 - 4, 0]


def test_the_knocker_keeps_a_card_that_opens_a_sequence_to_the_defender() -> None:
    """5h in the sequence costs 6h 7h, thirteen points; kept, it costs five."""
    knocker, defender = "Ah 2h 3h 4h 5h 2c Tc Jc Qc Kc", "6h 7h 9d Td 3c 4d 8s 8c Qs Kd"
    left = 6 + 7 + 9 + 10 + 3 + 4 + 8 + 8 + 10 + 10
    assert knocked(knocker, defender) == [left - (5 + 2), 0]
    assert knocked(knocker, defender, knock_card=6) == [left - (6 + 7) - 2, 0]


def test_nothing_is_laid_off_on_gin() -> None:
    table = lay(f"{THREE_MELDS} Kc | {FITTING}", stock="Ks Kh As Ah")
    assert table.play("draw stock; gin") == [60 + 25, 0]


# Undercut


def test_a_knock_is_undercut_by_laying_off() -> None:
    """Seven points at home against five: but 7s is laid off, and the defender has none."""
    assert knocked(f"{THREE_MELDS} 5h", f"{MELDED} 7s", lay_off="none") == [7 - 5, 0]
    assert knocked(f"{THREE_MELDS} 5h", f"{MELDED} 7s") == [0, 5 + 25]


def test_a_knock_is_undercut_by_a_better_hand() -> None:
    for bonus in (25, 10, 0):
        won = knocked(f"{THREE_MELDS} 5h", f"{MELDED} Ad", undercut_bonus=bonus)
        assert won == [0, 4 + bonus]


def test_equal_deadwood_is_an_undercut_or_nobody_scores() -> None:
    assert knocked(f"{THREE_MELDS} 5h", f"{MELDED} 5d", undercut_on_tie=True) == [0, 25]
    assert knocked(f"{THREE_MELDS} 5h", f"{MELDED} 5d", undercut_on_tie=False) == [0, 0]


@pytest.mark.parametrize("tie", [True, False])
def test_an_undercut_worth_nothing_wins_and_a_matched_knock_does_not(tie: bool) -> None:
    table = lay(
        f"{THREE_MELDS} 5h | {MELDED} 5d",
        stock="Ks Kh As Ah",
        undercut_bonus=0,
        undercut_on_tie=tie,
        reward="win",
    )
    assert table.play("draw stock; knock Ks") == ([-1, 1] if tie else [0, 0])
    assert table.engine.state.winners.tolist() == [[False, tie]]
    assert table.engine.how_ended() == ["undercut" if tie else "knock"]


def test_gin_worth_nothing_wins() -> None:
    hands = f"{THREE_MELDS} Kc | {MELDED} 5h"
    table = lay(hands, stock="5d Kh As Ah", gin_bonus=0, reward="win")
    assert table.play("draw stock; gin") == [1, -1]
    assert table.engine.state.winners.tolist() == [[True, False]]


def test_gin_is_never_undercut() -> None:
    """The defender has no deadwood either."""
    for tie in (True, False):
        hands = f"{THREE_MELDS} Kc | {MELDED} 5h"
        table = lay(hands, stock="5d Kh As Ah", undercut_on_tie=tie)
        assert table.play("draw stock; gin") == [25, 0]


# Gin and big gin


def test_the_gin_bonus_is_an_option() -> None:
    table = lay(f"{THREE_MELDS} Kc | {LOOSE}", stock="Ks Kh As Ah", gin_bonus=20)
    assert table.play("draw stock; gin") == [63 + 20, 0]


def test_eleven_melded_cards_are_big_gin_only_as_an_option() -> None:
    for big, bonus, cards in ((True, 31, 11), (False, 25, 10)):
        table = lay(f"{THREE_MELDS} Kc | {LOOSE}", stock="7s Kh As Ah", big_gin=big)
        assert table.play("draw stock; gin") == [63 + bonus, 0]
        assert len(table["hands"][0]) == cards


def test_big_gin_needs_all_eleven() -> None:
    table = lay(f"{THREE_MELDS} Kc | {LOOSE}", stock="Ks Kh As Ah", big_gin=True)
    assert table.play("draw stock; gin") == [63 + 25, 0]


def test_big_gin_keeps_the_card_just_taken() -> None:
    """Three and four and four: it may not be discarded, and with big gin it need not be."""
    table = lay(f"{THREE_MELDS} Kc | {LOOSE}", stock="Ks Kh As Ah", discard="7s", big_gin=True)
    assert table.play("draw discard; gin") == [63 + 31, 0]


def test_big_gin_needs_no_card_that_can_be_done_without() -> None:
    """Nine cards in three melds: every discard breaks one."""
    for big, possible in ((True, True), (False, False)):
        hands = "2c 3c 4c Qc Qd Qs 3d 4d | Ac 6c 8c Td 7h 9s Kh Js"
        table = lay(hands, stock="5d Ks As Ah", hand_size=8, big_gin=big)
        table.play("draw stock")
        assert table.allows("gin") is possible
        if possible:
            assert table.play("gin") == [1 + 6 + 8 + 10 + 7 + 9 + 10 + 10 + 31, 0]


# Rewards and matches


def test_rewards_are_what_passes_from_one_to_the_other_divided_by_a_hundred() -> None:
    assert knocked(f"{THREE_MELDS} 5h", LOOSE, reward="zero_sum") == [0.58, -0.58]
    assert knocked(f"{THREE_MELDS} 5h", f"{MELDED} Ad", reward="zero_sum") == [-0.29, 0.29]
    assert knocked(f"{THREE_MELDS} 5h", LOOSE, reward="win") == [1, -1]


def test_a_void_hand_pays_nothing() -> None:
    for reward in ("points", "zero_sum", "win"):
        table = lay(f"{LOOSE} | {OTHER}", stock="5d Ks Kh", reward=reward)
        assert table.play("draw stock; discard Qh") == [0, 0]


def test_a_hand_cut_off_pays_nothing_and_is_no_void_hand() -> None:
    table = lay(f"{LOOSE} | {OTHER}", stock="5d Ks Kh As", max_turns=5)
    assert table.play("draw stock; discard Qh") == [0, 0]
    assert (table["finished"], table["truncated"]) == (True, True)


def test_a_match_is_won_with_a_hundred_points() -> None:
    for before, finished in ((42, True), (41, False)):
        marks = {"scores": [before, 90]}
        table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As Ah", match="match", marks=marks)
        assert table.play("draw stock; knock Ks") == [58, 0]
        assert table["scores"] == [before + 58, 90]
        assert table["finished"] is finished
        assert table["winners"] == ([0] if finished else [])


def test_the_deal_passes_with_every_hand_also_a_void_one() -> None:
    for stock, moves in (("Ks Kh As Ah", "knock Ks"), ("Ks Kh As", "discard Ks")):
        table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock=stock, match="match", marks={"dealer": 1})
        table.play(f"draw stock; {moves}")
        assert (table["hand_number"], table["dealer"], table["to_move"]) == (1, 0, 1)
        assert (table["phase"], len(table["stock"])) == ("first_upcard", 31)


def test_a_match_is_a_row_of_hands_whose_points_add_up() -> None:
    engine = Engine(gin_rules(match="match", reward="zero_sum"), 16, seed=4)
    engine.reset()
    rng, policy, paid = np.random.default_rng(0), greedy(), np.zeros((16, 2))
    while not engine.finished.all():
        engine.step(policy(engine, engine.legal_mask(), rng))
        paid += engine.rewards
    scores = engine.state.scores
    assert engine.terminated.all()
    assert ((scores >= 100).sum(axis=1) == 1).all()
    assert (engine.state.winners == (scores >= 100)).all()
    assert np.allclose(paid[:, 0], (scores[:, 0] - scores[:, 1]) / 100, atol=1e-5)
    assert np.allclose(paid.sum(axis=1), 0)
