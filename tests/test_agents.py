"""The agents: what every policy has to keep to, and what makes the strong one strong."""

import math
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine
from rummy_env.baselines import Greedy, Strong
from rummy_env.baselines.laying_out import left_over
from rummy_env.baselines.strong_table import StrongTable
from rummy_env.baselines.table import melding_of
from rummy_env.evaluation import duel
from rummy_env.melds.card_worth import meld_chances, planes
from tests.policies import decision, played_out
from tests.table import TABLE_VARIANTS, lay

PLAYING = {"phase": "play"}

table_variants = pytest.mark.parametrize("table_variant", TABLE_VARIANTS)


@pytest.mark.slow
@table_variants
def test_strong_beats_greedy(table_variant: str) -> None:
    """The bounds leave some five standard errors to what was measured."""
    least = {"basic": 0.66, "bonus": 0.60, "classic": 0.60}[table_variant]
    found = duel(rummy_env.rules(table_variant), Strong(), Greedy(), deals=1000, seed=9)
    assert found.sides[0].hand_wins.value > least
    assert found.lead.value > 0.6


def test_strong_beats_greedy_at_a_full_table() -> None:
    rules = rummy_env.rules("basic", num_players=4)
    found = duel(rules, Strong(), Greedy(), deals=200, seed=9)
    assert found.sides[0].hand_wins.value > 0.55
    assert found.lead.value > 5


@table_variants
def test_strong_takes_a_discard_for_a_meld_or_a_lay_off_only(table_variant: str) -> None:
    hand = "7c 7d Kc 2s | Kd Qs"
    assert decision(Strong(), lay(table_variant, hand, discard="7h")) == "draw discard"
    assert decision(Strong(), lay(table_variant, hand, discard="Kh")) == "draw stock"
    laid = lay(table_variant, hand, discard="6h", melds="6c 6d 6s")
    assert decision(Strong(), laid) == "draw discard"
    apart = lay(table_variant, hand, discard="6h", melds="6c 6d 6s", lay_off=False)
    assert decision(Strong(), apart) == "draw stock"


@table_variants
def test_strong_draws_a_card_that_it_knows_to_lie_on_the_stock(table_variant: str) -> None:
    open_stock = {"stock_open": True}
    wanted = lay(table_variant, "7c 7d 2s | Kd", stock="7h", discard="Th 2d", marks=open_stock)
    useless = lay(table_variant, "7c 7d 2s | Kd", stock="Kh", discard="Th 2d", marks=open_stock)
    assert decision(Strong(), wanted) == "draw stock"
    assert decision(Strong(), useless) == "draw discard"


@table_variants
def test_strong_knows_the_first_card_of_a_pile_to_be_turned_over(table_variant: str) -> None:
    def choice(pile: str) -> str:
        given: dict[str, Any] = {"rest": "last hand", "restock": "turn_over"}
        return decision(Strong(), lay(table_variant, "7c 7d 2s | Kd", discard=pile, **given))

    assert choice("7h Th 2d") == "draw stock"
    assert choice("Th 7h 2d") == "draw discard"


@table_variants
def test_strong_keeps_the_pair_that_can_still_become_a_meld(table_variant: str) -> None:
    hand = "9c 9d 4h 5h | Kd Qs 2c 3d 8s Ac Tc"
    dead_nines = lay(table_variant, hand, discard="9h 9s 2s", marks=PLAYING)
    dead_run = lay(table_variant, hand, discard="3h 6h 2s", marks=PLAYING)
    assert decision(Strong(), dead_nines) in ("discard 9c", "discard 9d")
    assert decision(Strong(), dead_run) in ("discard 4h", "discard 5h")


@table_variants
def test_strong_gives_up_high_cards_when_it_may_soon_be_caught(table_variant: str) -> None:
    early = lay(table_variant, "Qc Kc 4h 8s | 2d Ts 2c 3d 7h Ac 9h", marks=PLAYING)
    late = lay(table_variant, "Qc Kc 4h 8s | 2d", marks=PLAYING)
    assert decision(Strong(), early) in ("discard 4h", "discard 8s")
    assert decision(Strong(), late) in ("discard Qc", "discard Kc")


def test_strong_does_not_discard_what_the_next_player_is_seen_to_collect() -> None:
    hands = "9s 4h | Kd Qs 3h 5h 2c 3d"
    unseen = lay("basic", hands, discard="2h", marks=PLAYING)
    seen = lay("basic", hands, discard="2h", marks={**PLAYING, "known": [[], ["3h", "5h"]]})
    assert decision(Strong(), unseen) == "discard 4h"
    assert decision(Strong(), seen) == "discard 9s"


def test_what_the_player_after_the_next_collects_is_no_danger() -> None:
    known = {**PLAYING, "known": [[], [], ["3h", "5h"]]}
    table = lay("basic", "9s 4h | 2c 3d | Kd Qs 3h 5h", discard="2h", marks=known)
    assert decision(Strong(), table) == "discard 4h"


@pytest.mark.parametrize(
    "hand", ["5h 6h 7h 8h 8c 8d Kd", "7c 7d 7h 7s 8s 9s Kd", "2c 3c 4c 5c 6c 6d 6h Kd"]
)
def test_strong_lays_down_all_that_its_melds_compete_for(hand: str) -> None:
    table = lay("basic", f"{hand} | 2d", marks=PLAYING)
    assert played_out(Strong(), table)[-1] == "discard Kd"
    assert table["finished"]


def test_strong_holds_melds_back_when_it_is_near_its_end_and_nobody_else_is() -> None:
    near, far = "7c 7d 7h 2s 9d Jc", "7c 7d 7h 2s 4d 9d Jc Ks"
    many, few = "Kd Qs 3h 5h 2c 3d", "Kd Qs 3h"
    meld = "meld group 7c 7d 7h"
    held = lay("basic", f"{near} | {many}", marks=PLAYING)
    assert decision(Strong(), held).startswith("discard")
    assert decision(Strong(), lay("basic", f"{near} | {few}", marks=PLAYING)) == meld
    assert decision(Strong(), lay("basic", f"{far} | {many}", marks=PLAYING)) == meld
    going_out = lay("basic", f"7c 7d 7h 2s | {many}", marks=PLAYING)
    assert decision(Strong(), going_out) == meld


def test_strong_holds_all_back_while_going_rummy_would_double_the_score() -> None:
    def choice(**given: Any) -> str:
        hands = "7c 7d 7h 2s 4d 9d Jc Ks | Kd Qs 3h 5h 2c 3d"
        return decision(Strong(), lay("basic", hands, **given)).split()[0]

    assert choice(marks=PLAYING, going_rummy=True) == "discard"
    assert (
        choice(marks={**PLAYING, "first_play": [0, -1], "turn_number": 2}, going_rummy=True)
        == "meld"
    )
    assert choice(marks=PLAYING, going_rummy=True, melds_per_turn=1) == "meld"
    assert choice(marks=PLAYING) == "meld"


@pytest.mark.parametrize(
    ("hand", "final_discard", "choice"),
    [
        ("7c 7d 7h 2s 9d", False, "discard"),
        ("7c 7d 7h 2s 9d Jc", False, "meld"),
        ("7c 7d 7h 2s 9d Jc", True, "discard"),
        ("7c 7d 7h 2s 9d Jc 4d", True, "meld"),
    ],
)
def test_strong_keeps_cards_enough_for_a_last_meld_where_nobody_lays_off(
    hand: str, final_discard: bool, choice: str
) -> None:
    options: dict[str, Any] = {"lay_off": False, "final_discard": final_discard}
    table = lay("basic", f"{hand} | Kd", marks=PLAYING, **options)
    assert decision(Strong(), table).split()[0] == choice


def test_strong_plays_on_where_nothing_may_be_discarded() -> None:
    marks = {**PLAYING, "taken": "8s", "known": [["8s"], []]}
    hands = "8s | Kd Qs 3h 5h 2c 3d"
    table = lay("basic", hands, melds="9d 9h 9s | 5s 6s 7s", marks=marks)
    assert played_out(StrongTable(hold_left=52), table) == ["lay off sequence 8s"]


@pytest.mark.parametrize("chance", [0, -0.1, 1.5])
def test_an_impossible_chance_is_refused(chance: float) -> None:
    with pytest.raises(ValueError, match=f"chance={chance}: give a number above 0"):
        StrongTable(chance=chance)


def chances_by_hand(cards: dict[str, float], card: str, melds: list[set[str]]) -> float:
    """Of every meld with the card, the chances of the others multiplied, all added up."""
    others = (meld - {card} for meld in melds if card in meld)
    return sum(math.prod(cards[other] for other in rest) for rest in others)


@pytest.mark.parametrize("ace", ["low", "high_or_low"])
def test_chances_of_melds_equal_those_counted_meld_by_meld(ace: str) -> None:
    rules = rummy_env.rules("basic", ace=ace)
    space = Engine(rules).space
    melds = [set(a.cards) for a in space.actions if a.kind.startswith("meld") and len(a.cards) == 3]
    order = [rules.pack.text(bit) for bit in range(52)]
    chance = np.random.default_rng(1).random((52, 3)).astype(np.float32)
    found = meld_chances(chance, ace_high=ace == "high_or_low")
    for game in range(3):
        cards = dict(zip(order, chance[:, game].tolist(), strict=True))
        for bit, card in enumerate(order):
            assert found[bit, game] == pytest.approx(chances_by_hand(cards, card, melds), rel=1e-4)


def test_planes_hold_the_cards_of_each_hand() -> None:
    pack = rummy_env.rules("basic").pack
    hands = np.concatenate([pack.words(["Ac", "Ks"]), pack.words(["7h"])])
    assert [np.flatnonzero(column).tolist() for column in planes(hands).T] == [[0, 51], [32]]


@pytest.mark.parametrize(
    ("hand", "melds", "options", "left"),
    [
        ("2c 4d 6h 8s", "", {}, 4),
        ("2c 3c 4c 9d", "", {}, 1),
        ("2c 3c 4c 5c 6c", "", {}, 0),
        ("7c 7d 7h 7s 8s 9s", "", {}, 0),
        ("5h 6h 7h 8h 8c 8d", "", {}, 0),
        ("7h 8h 9h Th 8c 8d", "", {}, 2),
        ("7c 7d 7h 2c 3c 4c 9d", "", {"melds_per_turn": 1}, 4),
        ("7c 7d 7h 2c 3c 4c 9d", "", {}, 1),
        ("7s 8h 9h 2c", "7c 7d 7h | 4h 5h 6h", {}, 3),
        ("7s 8s 7h 8h 2c", "5c 5d 5h | 4s 5s 6s", {}, 3),
        ("7s 2c", "7c 7d 7h", {"lay_off": False}, 2),
        ("2c 3c 4c 5c 6d", "6c 7c 8c", {"lay_off": False}, 1),
        ("Qs Ks As 2d", "", {"ace": "high_or_low"}, 1),
        ("Qs Ks As 2d", "", {"ace": "low"}, 4),
    ],
)
def test_what_is_left_of_a_hand_laid_out(
    hand: str, melds: str, options: dict[str, Any], left: int
) -> None:
    table = lay("basic", f"{hand} | Kd", melds=melds, marks=PLAYING, **options)
    assert left_over(table.engine.look(0), melding_of(table.engine.rules)).tolist() == [left]


def test_melds_made_before_count_towards_the_limit_of_a_turn() -> None:
    made = {**PLAYING, "melds_made": 1}
    table = lay("classic", "2c 3c 4c 9d | Kd", marks=made)
    assert left_over(table.engine.look(0), melding_of(table.engine.rules)).tolist() == [4]
