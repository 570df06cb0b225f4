"""The patient baseline: what it holds back, what it takes, and what it thinks of the others."""

from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env.baselines import Patient, Policy, Strong
from rummy_env.baselines.patient import PatientTable
from rummy_env.core.actions import action_space
from rummy_env.core.cards import regular_bit
from rummy_env.evaluation import duel
from rummy_env.melds.beliefs import chances_held
from rummy_env.melds.card_worth import meld_chances
from tests.policies import decision, played_out
from tests.table import TABLE_VARIANTS, Table, lay

PLAYING = {"phase": "play"}
COLLECTED = "2c 3d Jc 6d 9h"
"""Cards of the other player, as many of them as a test needs."""


def playing(hand: str, others: int, **given: Any) -> Table:
    """Seat 0 plays; the other player holds so many cards."""
    held = " ".join(COLLECTED.split()[:others])
    return lay("basic", f"{hand} | {held}", marks=PLAYING, **given)


@pytest.mark.parametrize(
    ("hand", "melds", "others", "choice"),
    [
        ("8s Kd Qs 3h 5h", "9d 9c 9s | 5s 6s 7s", 4, "discard Kd"),
        ("8s Kd Qs 3h 5h", "9d 9c 9s | 5s 6s 7s", 3, "lay off sequence 8s"),
        ("8s Kh Qs 3h 5d", "Kc Kd Ks | 5s 6s 7s", 5, "discard Qs"),
        ("8s Kh Qs 3h 5d", "Kc Kd Ks | 5s 6s 7s", 4, "lay off group Kh"),
        ("7c 7d 7h 2s 9d", "", 5, "discard 2s"),
        ("7c 7d 7h 2s 9d", "", 4, "meld group 7c 7d 7h"),
        ("7c 7d 7h 2s 9d Jh", "", 5, "meld group 7c 7d 7h"),
    ],
)
def test_what_is_held_back_depends_on_the_other_and_on_what_would_be_left(
    hand: str, melds: str, others: int, choice: str
) -> None:
    """Cards to lay off until 3 are left, those of 10 points until 4, as melds that leave 2."""
    assert decision(Patient(), playing(hand, others, melds=melds)) == choice


def test_strong_lays_off_what_patient_holds_back() -> None:
    table = playing("8s Kd Qs 3h 5h", 4, melds="9d 9c 9s | 5s 6s 7s")
    assert decision(Strong(), table) == "lay off sequence 8s"


def test_all_is_laid_out_where_that_ends_the_hand() -> None:
    others = " | 2c 3d Jc 6d 4h 4c 9c Ts"
    table = lay("basic", "8s 7c 7d 7h Kd" + others, melds="5s 6s 7s", marks=PLAYING)
    assert {*played_out(Patient(), table)} == {
        "lay off sequence 8s",
        "meld group 7c 7d 7h",
        "discard Kd",
    }
    assert table["finished"]


@pytest.mark.parametrize(
    ("hand", "choice"),
    [
        ("7c 7d Qs 2h", "draw stock"),  # a queen or the two would be left besides
        ("7c 7d Qs", "draw discard"),  # a group with the top, and the queen discarded
        ("7c 7d 7s", "draw stock"),  # any card goes out, but for the top, which stays in the hand
    ],
)
def test_the_top_discard_is_taken_to_go_out(hand: str, choice: str) -> None:
    table = lay("basic", f"{hand} | Kd 3h 5h 2c 3d 9s", discard="7h")
    assert decision(PatientTable(reluctance=1e6), table) == choice


def helps(policy: Policy, table: Table) -> Any:
    """What each discard may help the next player."""
    engine = table.engine
    mask = engine.legal_mask()
    told = policy.explain(engine.look(0), mask, engine.random())  # type: ignore[attr-defined]
    return told.weights["helps the next player"]


def discard_of(table: Table, card: str) -> int:
    """The number of an action."""
    return action_space(table.engine.rules).index("discard", card)


def test_what_the_next_player_threw_away_tells_what_it_does_not_need() -> None:
    hand, pile = "8h 8d Kc 2s | Kd Qs 3h 5c 2c 3d", "7h 4s"
    threw = lay("basic", hand, discard=pile, marks={**PLAYING, "discarded": [[], ["7h"]]})
    other = lay("basic", hand, discard=pile, marks={**PLAYING, "discarded": [["7h"], []]})
    eight = discard_of(threw, "8h")
    assert helps(Patient(), threw)[eight] < helps(Patient(), other)[eight]
    assert np.array_equal(helps(Strong(), threw), helps(Strong(), other), equal_nan=True)


@pytest.mark.parametrize("others", [1, 3])
def test_each_of_many_players_counts_for_less(others: int) -> None:
    hands = " | ".join(["8h 8d Kc 2s", *("Kd Qs 3h", "5c 2c 3d", "9c 9d Js")[:others]])
    table = lay("basic", hands, discard="4s", marks=PLAYING)
    view = table.engine.look(0)
    use = meld_chances(chances_held(view, view.next), ace_high=False)[:, 0]
    told = helps(PatientTable(danger=600.0), table)
    assert use[regular_bit("8h")] > 0
    expected = use[regular_bit("8h")] * 600 / others
    assert told[discard_of(table, "8h")] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("table_variant", TABLE_VARIANTS)
@pytest.mark.parametrize(("num_players", "deals"), [(2, 1000), (4, 300)])
def test_patient_beats_strong(table_variant: str, num_players: int, deals: int) -> None:
    """Measured: 1.9 to 3.3 points per hand; the standard errors are 0.4 to 0.5."""
    rules = rummy_env.rules(table_variant, num_players=num_players)
    assert duel(rules, Patient(), Strong(), deals=deals, seed=9).lead.value > 0.4
