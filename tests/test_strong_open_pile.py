"""The strong heuristic of rummy 500: what it waits for, what it throws, and when it lays down."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env.baselines import Greedy, Strong
from rummy_env.baselines.policies import resolve
from rummy_env.core.rules import Sight
from rummy_env.evaluation import duel
from tests.policies import decision, played_out
from tests.table import Table, lay

PLAYING = {"phase": "play"}
MANY, FEW = "Kd Qs 3h 5h", "Kd Qs 3h"
"""Cards of the other player, who may go out soon with those few."""


def table(hand: str, others: str = MANY, **given: Any) -> Table:
    """Seat 0 has a full turn before it, or the rest of one."""
    return lay("rummy500", f"{hand} | {others}", **given)


@pytest.mark.parametrize(
    ("others", "discard", "choice"),
    [
        (MANY, "9s 7h 2d Jc 4s", "take pile 7h"),  # with it come three more
        (MANY, "9s 7h 2d Jc", "draw stock"),  # with it come two
        (MANY, "7s 7h 2d Jc 4s", "take pile 7s"),  # there is a deeper one
        (MANY, "2d Jc 4s 7h", "draw stock"),
        (FEW, "2d Jc 4s 7h", "take pile 7h"),  # it can be laid down at once
        (FEW, "2d Jc 7h 4s", "take pile 7h"),
        (FEW, "2d Jc 7h 7s", "take pile 7h"),
        (FEW, "2d Jc 4s", "draw stock"),  # the top can be taken, and not used
    ],
)
def test_the_pile_is_taken_from_deep_down_for_enough_cards(
    others: str, discard: str, choice: str
) -> None:
    assert decision(Strong(), table("7c 7d Kc 2s 9d Jh", others, discard=discard)) == choice


def test_only_the_card_that_must_be_used_is_laid_down_before_the_end_is_near() -> None:
    hand, pile = "7c 7d 4c 5c 6c Qh 9d Ad Ah As Kh Kc", "9s 7h 2d Jc 4s"
    waiting, hurried = (table(hand, others, discard=pile) for others in (MANY, FEW))
    for each in (waiting, hurried):
        each.play("take 7h")
    first, second = played_out(Strong(), waiting)
    assert (first, second.split()[0]) == ("meld group 7c 7d 7h", "discard")
    *laid, last = (move.split()[0] for move in played_out(Strong(), hurried))
    assert (laid, last) == (["meld"] * 3, "discard")


def test_a_card_is_laid_off_first_if_the_one_that_must_be_used_has_to_follow_it() -> None:
    following = table("8h 3c 3d 3s Kc 9c", discard="7h 2d Jc 4s", melds="9h Th Jh")
    following.play("take 7h")
    moves = played_out(Strong(), following)
    assert "lay off sequence 7h" in moves
    assert following["to_move"] == 1


@pytest.mark.parametrize(("left", "held"), [(4, True), (3, True), (2, False), (1, False)])
def test_melds_are_laid_down_before_the_stock_runs_out(left: int, held: bool) -> None:
    stock = " ".join(["2c", "3c", "4d", "6d"][:left])
    late = table("7c 7d 7h 2s 9d Jh", stock=stock, rest="discard", marks=PLAYING)
    assert decision(Strong(), late).startswith("discard") == held


def test_all_is_laid_out_where_that_ends_the_hand() -> None:
    done = table("7c 7d 7h 4c 5c 6c Kc", marks=PLAYING)
    assert [move.split()[0] for move in played_out(Strong(), done)] == ["meld", "meld", "discard"]
    assert done["finished"]


def test_a_card_of_a_meld_is_thrown_as_bait_until_the_end_is_near() -> None:
    hand = "3c 3d 3s Ks Jd 8h 6c"
    assert decision(Strong(), table(hand, marks=PLAYING)).split()[-1] in {"3c", "3d", "3s"}
    late = table(hand, FEW, marks=PLAYING)
    assert played_out(Strong(), late)[0] == "meld group 3c 3d 3s"


def test_no_bait_is_thrown_that_the_next_player_is_seen_to_collect() -> None:
    hand = "3c 3d 3s Ks Jd 8h 6c"
    marks = {**PLAYING, "known": [[], ["4s", "5s", "4d", "5d", "4c", "5c"]]}
    seen = table(hand, "4s 5s 4d 5d 4c 5c Qh", marks=marks)
    assert decision(Strong(), seen).split()[-1] not in {"3c", "3d", "3s"}


def test_what_it_thinks_of_a_discard_is_what_it_is_worth_and_how_dangerous() -> None:
    thinking = table("3c 3d 3s Ks Jd 8h 6c", marks=PLAYING, melds="9s Ts Js | 4c 4d 4h")
    engine = thinking.engine
    told = Strong().explain(engine.look(0), engine.legal_mask(), engine.random())
    worth, danger = told.weights["worth"], told.weights["danger"]
    assert decision(Strong(), thinking) == str(engine.describe(int(np.nanargmin(worth + danger))))
    bait, alone = (engine.space.index("discard", card) for card in ("3c", "6c"))
    assert worth[bait] < worth[alone]
    assert np.isnan(worth[~engine.legal_mask()[0]]).all()


@pytest.mark.parametrize(("num_players", "deals", "least"), [(2, 200, 35), (4, 60, 2), (5, 60, 0)])
def test_strong_beats_greedy(num_players: int, deals: int, least: float) -> None:
    """Measured: 46, 6 and 4 points per hand; the bounds leave some three standard errors."""
    rules = rummy_env.rules("rummy500", num_players=num_players)
    assert duel(rules, Strong(), Greedy(), deals=deals, seed=9).lead.value > least


def test_rules_that_hide_the_size_of_the_stock_are_refused() -> None:
    rules = replace(rummy_env.rules("rummy500"), sight=Sight(stock_counted=False))
    with pytest.raises(ValueError, match="strong cannot play"):
        resolve("strong", rules)
