"""Those who play gin: what each of them does, and how they fare."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.baselines import Camper, Careful, Greedy, Policy, Random, Simple, Strong
from rummy_env.core.actions import choose
from rummy_env.core.arrays import Bools
from rummy_env.evaluation import duel
from tests.conftest import few_or_all, side_by_side
from tests.gin_play import KNOCKS, THREE_MELDS, GinTable, gin_rules, lay, of_kinds
from tests.policies import decision, decisions, is_blind, many_decisions
from tests.reference import deadwood as reference
from tests.rollout import dealt

POLICIES: tuple[Policy, ...] = (Simple(), Greedy(), Careful(), Camper())
THINKING: tuple[Policy, ...] = (Careful(), Camper())

OPTIONS: tuple[dict[str, Any], ...] = (
    *({"preset": preset} for preset in ("standard", "openspiel", "eaai", "rlcard")),
    {"preset": "openspiel", "oklahoma": True, "wall": "void"},
    {"wall": "knock", "big_gin": True, "discard_taken_upcard": True},
    {"lay_off": "manual", "wall": "knock", "oklahoma": True, "match": "match", "target": 50},
    {"num_ranks": 6, "num_suits": 2, "hand_size": 3, "knock_card": 4},
    {"num_ranks": 5, "num_suits": 3, "hand_size": 4, "lay_off": "manual", "knock_card": 6},
    {"num_suits": 1, "hand_size": 4, "wall": "knock"},
    {"num_ranks": 3, "hand_size": 3, "knock_card": 0},
    {"knock_card": 1000, "lay_off": "manual", "undercut_bonus": 0},
)

policies = pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: type(policy).__name__)
thinkers = pytest.mark.parametrize("policy", THINKING, ids=lambda policy: type(policy).__name__)


RULES = [gin_rules(**options) for options in OPTIONS]

policies_and_rules = few_or_all(
    "policy, rules", few=side_by_side(POLICIES, RULES), every=product(POLICIES, RULES)
)
SELDOM, MOSTLY = 0.1, 0.9
"""How often anything is done instead; in games of the second kind the stock runs out."""


def steps_of(policy: Policy, engine: Engine, steps: int) -> Iterator[Bools]:
    """Plays on, now and then at random, but not to end the hand; finished games are dealt anew.

    Yields:
        bool[B], which games are in the midst of a turn that `policy` chooses, before each step.
    """
    lasting = ~of_kinds(engine.space, (*KNOCKS, "draw_discard"))
    for _ in range(steps):
        engine.reset(engine.finished.nonzero()[0])
        everybody = np.arange(engine.num_envs)
        rate = np.where(engine.seeds % 3 == 0, MOSTLY, SELDOM)
        draws = engine.random(everybody).random()
        yield draws >= rate
        anything = choose(engine.legal_mask() & lasting, np.minimum(draws / rate, 1 - 1e-9))
        engine.step(np.where(draws < rate, anything, decisions(policy, engine, everybody)))


@policies_and_rules
def test_every_choice_is_legal_in_every_phase(policy: Policy, rules: Rules, thorough: bool) -> None:
    engine, asked = dealt(rules, 96 if thorough else 32, seed=1), set()
    for by_policy in steps_of(policy, engine, 110):
        asked |= set(engine.state.phase[by_policy].tolist())
    assert asked == set(range(len(rules.turn)))


@policies_and_rules
def test_a_choice_does_not_depend_on_the_batch(
    policy: Policy, rules: Rules, thorough: bool
) -> None:
    engine = dealt(rules, 65, seed=2)
    for step, _ in enumerate(steps_of(policy, engine, 30 if thorough else 11)):
        if step % 5:
            continue
        rows = engine.running
        together = decisions(policy, engine, rows)
        assert np.array_equal(decisions(policy, engine, rows), together)
        assert np.array_equal(decisions(policy, engine, rows[::-1])[::-1], together)
        for item in range(0, len(rows), 16):
            assert decisions(policy, engine, rows[item : item + 1])[0] == together[item]


@policies_and_rules
def test_a_choice_does_not_depend_on_hidden_cards(
    policy: Policy, rules: Rules, thorough: bool
) -> None:
    engine, other = (dealt(rules, 40, seed=seed) for seed in (3, 4))
    for moment, _ in enumerate(steps_of(policy, engine, 20)):
        if moment % 4 and not thorough:
            continue
        assert is_blind(policy, engine, other, moment)


def slow_greedy(table: dict[str, Any], legal: set[str]) -> str:
    """What greed does, from the cards as text."""
    seat = table["to_move"]
    hand = frozenset(table["hands"][seat])
    if "draw discard" in legal:
        top = table["discard"][-1]
        with_top = min(reference.deadwood(hand - {card} | {top}) for card in hand)
        other = "draw stock" if "draw stock" in legal else "pass"
        return "draw discard" if with_top < reference.deadwood(hand) else other
    if legal & {"gin", "pass", "draw stock"}:
        return min(legal, key=["gin", "draw stock", "pass"].index)
    kind = "knock" if any(move.startswith("knock") for move in legal) else "discard"
    moves = [move for move in legal if move.startswith(kind)]
    return min(moves, key=lambda move: _loss(hand, move.split()[1]))


def _loss(hand: reference.Hand, card: str) -> tuple[int, int, int]:
    left = reference.deadwood(hand - {card})
    return left, -"A23456789TJQK".index(card[0]), "cdhs".index(card[1])


def test_greedy_equals_a_slow_one() -> None:
    engine = dealt(gin_rules(), 24, seed=5)
    compared = 0
    for _ in steps_of(Greedy(), engine, 30):
        rows = engine.running
        for row, action in zip(rows.tolist(), decisions(Greedy(), engine, rows), strict=True):
            legal = {str(engine.describe(a)) for a in engine.legal_mask([row])[0].nonzero()[0]}
            mine = str(engine.describe(int(action)))
            assert mine == slow_greedy(engine.snapshot(row), legal), engine.snapshot(row)
            compared += 1
    assert compared > 600


PAIRS = "7c 7d 4s 5s Kc Jd 9h 2h Ad 3c | Th Td 8c 8s Qd Qh 2c 2d 6h 6c"


@policies
def test_a_card_that_completes_a_meld_is_taken(policy: Policy) -> None:
    for card in ("7h", "6s", "3s"):
        assert decision(policy, lay(PAIRS, stock="Ks Kh As", discard=card)) == "draw discard"


def test_greedy_takes_whatever_is_lower_than_what_it_throws() -> None:
    table = lay(PAIRS, stock="Ks Kh As", discard="9s")
    assert decision(Greedy(), table) == "draw discard"
    for policy in (Simple(), Careful(), Camper()):
        assert decision(policy, table) == "draw stock"


@policies
def test_the_first_upcard_is_refused_where_it_is_of_no_use(policy: Policy) -> None:
    for card, choice in (("Ks", "pass"), ("7h", "draw discard")):
        marks = {"upcard": card, "turn_number": 0}
        table = lay(PAIRS, discard=card, stock="3d Kh As", phase="first_upcard", marks=marks)
        assert decision(policy, table) == choice


def playing(hand: str, other: str, **given: Any) -> GinTable:
    """A table at which seat 0 has drawn and is to discard."""
    return lay(f"{hand} | {other}", stock="Kh As Ah", phase="play", **given)


def choices(policy: Policy, table: GinTable) -> set[str]:
    """All that a policy does at a table, asked many times."""
    return {str(table.engine.describe(int(a))) for a in many_decisions(policy, table.engine, 200)}


GROUP_AND_RUN = "4s 5s 6s 9c 9d 9h"
OTHERS = "2s 3c 5h 6d 8c 8d Th Jh Qd Ad"
"""A hand without melds, for who faces the hands of these tests."""


def test_simple_throws_any_card_of_least_deadwood_and_greedy_the_highest() -> None:
    table = playing(f"{GROUP_AND_RUN} Kc Td 2h 4d 7c", OTHERS)
    assert choices(Simple(), table) == {"discard Kc", "discard Td"}
    assert choices(Greedy(), table) == {"discard Kc"}


@pytest.mark.parametrize("policy", [Simple(), Greedy()])
def test_simple_and_greedy_knock_as_soon_as_they_can(policy: Policy) -> None:
    for turn in (0, 12):
        assert knocks(policy, TEN_LEFT, turn)


TEN_LEFT = f"{GROUP_AND_RUN} 2c 3d 4h Ac Kd"
"""Ten points are left once Kd is thrown."""


def knocks(policy: Policy, hand: str, turn: int, *, seen: str = "", **options: Any) -> bool:
    """Whether a policy knocks.

    Args:
        policy: The policy.
        hand: Eleven cards.
        turn: How many turns both players have completed.
        seen: Cards that the opponent was seen to take.
        **options: Of gin.
    """
    marks = {"turn_number": 2 * turn, "known": [[], seen.split()]}
    return decision(policy, playing(hand, OTHERS, marks=marks, **options)).startswith("knock")


def test_careful_knocks_with_ever_less_as_the_hand_goes_on() -> None:
    five_left = f"{GROUP_AND_RUN} 9s 2c 2d Ac Kd"
    assert knocks(Careful(), TEN_LEFT, 0)
    assert not knocks(Careful(), TEN_LEFT, 1)
    assert knocks(Careful(), five_left, 5)
    assert not knocks(Careful(), five_left, 6)
    assert not knocks(Careful(), five_left, 5, seen="8c 8d")


def test_camper_knocks_early_or_not_at_all() -> None:
    one_left = f"{THREE_MELDS} Ac Kd"
    assert knocks(Camper(), TEN_LEFT, 3)
    assert not knocks(Camper(), one_left, 4)
    assert decision(Camper(), playing(one_left, OTHERS, marks={"turn_number": 8})) == "discard Kd"


@thinkers
def test_without_a_bonus_for_undercuts_they_knock_at_once(policy: Policy) -> None:
    assert not knocks(policy, TEN_LEFT, 12)
    assert knocks(policy, TEN_LEFT, 12, undercut_bonus=0)


@policies
def test_everybody_goes_gin(policy: Policy) -> None:
    late = {"turn_number": 30}
    assert decision(policy, playing(f"{THREE_MELDS} 7s Kd", OTHERS, marks=late)) == "gin"


@thinkers
def test_live_cards_are_kept_and_dead_ones_thrown(policy: Policy) -> None:
    """A pair of queens and a pair of jacks; the other queens lie in the pile, or the jacks."""
    hand = f"{GROUP_AND_RUN} Qc Qh Jc Jh 2d"
    other = "2s 3c 5h 6d 8c 8d Tc 7h 2c Ad"
    stock = "Js Jd Qs Qd Ks Kh As Kc Kd Ts Td Th 3s 3d 3h 4c 4d 4h"
    for dead, alive in (("Q", "J"), ("J", "Q")):
        live = " ".join(card for card in stock.split() if card[0] != dead)
        table = lay(f"{hand} | {other}", stock=live, phase="play")
        assert decision(policy, table) in (f"discard {dead}c", f"discard {dead}h"), alive


@thinkers
def test_what_the_opponent_was_seen_to_collect_is_not_thrown(policy: Policy) -> None:
    hands = f"{GROUP_AND_RUN} Jc Kc Ac Ad 2h | 2s 3c 5h 6d 8c 8d Jd Jh Kd Kh"
    for known, choice in (("Kd Kh", "discard Jc"), ("Jd Jh", "discard Kc")):
        marks = {"known": [[], known.split()]}
        table = lay(hands, stock="Ks Js As", phase="play", marks=marks)
        assert decision(policy, table) == choice


def played_out(policy: Policy, table: GinTable) -> list[str]:
    """What a policy does in both seats until the hand is over."""
    moves = []
    while not table["finished"]:
        moves.append(decision(policy, table))
        table.engine.step(decisions(policy, table.engine, np.zeros(1, np.intp)))
    return moves


@policies
@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Kd", ["Ac 2c 3c", "4c 5c 6c", "7c 8c 9c Tc"]),
        ("Jc Qc Kc Ad 2d 3d 4d Tc 7h 2h Ks", ["Tc Jc Qc Kc", "Ad 2d 3d 4d"]),
    ],
)
def test_all_melds_are_laid_down_long_sequences_in_parts(
    policy: Policy, hand: str, melds: list[str]
) -> None:
    table = playing(hand, "2s 3h 5h 6d 8h 8d Th Jh Qd 5s", lay_off="manual")
    table.play(f"knock {hand.split()[-1]}")
    moves = [move for move in played_out(policy, table) if move != "pass"]
    assert moves == [f"meld sequence {meld}" for meld in melds]


def test_a_card_is_laid_off_where_another_can_follow_it() -> None:
    """8d fits both melds; on the sequence 9d can follow it."""
    table = lay(
        "8c 8h 8s 5d 6d 7d Ac Ad 2c 3h Kd | 8d 9d Ks Qs Jh Th 2s 3c 4c 9c",
        stock="Kh As Ah",
        phase="play",
        lay_off="manual",
    )
    moves = played_out(Greedy(), table)
    assert [move for move in moves if move.startswith("lay off")] == [
        "lay off sequence 8d",
        "lay off sequence 9d",
    ]


def test_after_a_knock_both_are_left_with_as_little_as_can_be() -> None:
    engine = dealt(gin_rules(preset="openspiel"), 120, seed=6)
    least: dict[tuple[int, int], int] = {}
    while (rows := engine.running).size:
        for row in rows[engine.state.claim[rows] > 0].tolist():
            table = engine.snapshot(row)
            seat, melds = table["to_move"], frozenset(map(frozenset, table["melds"]))
            hand = frozenset(table["hands"][seat])
            laying_off = table["phase"] == "lay_off"
            left = reference.defended(melds, hand) if laying_off else reference.deadwood(hand)
            least.setdefault((row, seat), left)
        engine.step(decisions(Greedy(), engine, rows), rows)
    assert len(least) > 200
    for (row, seat), left in least.items():
        assert reference.points(frozenset(engine.snapshot(row)["hands"][seat])) == left


@pytest.mark.slow
@pytest.mark.parametrize(
    ("better", "worse", "lead"),
    [(Careful(), Simple(), 2.0), (Careful(), Greedy(), 2.5), (Camper(), Greedy(), 3.0)],
)
def test_those_who_think_beat_those_who_do_not(better: Policy, worse: Policy, lead: float) -> None:
    """The bounds leave some four standard errors to what was measured; single hands."""
    found = duel(gin_rules(), better, worse, deals=800, seed=9)
    assert found.lead.value > lead


def test_camper_beats_careful() -> None:
    """Measured: 1.1 points per hand; the standard error is 0.2."""
    assert duel(gin_rules(), Camper(), Careful(), deals=1500, seed=9).lead.value > 0.2


@pytest.mark.slow
def test_careful_and_camper_win_matches_with_fewer_hands() -> None:
    rules = gin_rules(match="match")
    for policy in (Careful(), Camper()):
        found = duel(rules, policy, Greedy(), deals=80, seed=9)
        assert found.match_wins is not None
        assert found.match_wins[0].value > 0.58
        assert found.sides[0].hand_wins.value < 0.47


def test_greedy_beats_random() -> None:
    assert duel(gin_rules(), Greedy(), Random(), deals=100, seed=9).sides[0].hand_wins.value > 0.99


def test_strong_plays_gin_as_the_best_of_them() -> None:
    engine = dealt(gin_rules(), 64, seed=7)
    for _ in steps_of(Strong(), engine, 20):
        rows = engine.running
        assert np.array_equal(decisions(Strong(), engine, rows), decisions(Camper(), engine, rows))


@thinkers
def test_a_hand_that_nobody_ends_by_knocking_is_refused(policy: Policy) -> None:
    engine = dealt(rummy_env.rules("basic"), 1)
    with pytest.raises(ValueError, match="nobody ends a hand by knocking"):
        decisions(policy, engine, np.zeros(1, np.intp))
