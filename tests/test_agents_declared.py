"""The strong heuristic where a finished hand is declared: what makes it strong, and its limits."""

import math
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env.baselines import Greedy, Strong
from rummy_env.baselines.strong_declared import StrongDeclared
from rummy_env.evaluation import duel
from rummy_env.melds.beliefs import chances_held
from rummy_env.melds.card_worth import chances_of_next
from tests.declared_tables import WITHOUT_KEPT, five, seven
from tests.policies import decision
from tests.table import lay

PLAYING = {"phase": "play"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant_name", "num_players", "deals", "least"),
    [
        ("going_out", 2, 1000, 0.54),
        ("going_out", 4, 200, 0.52),
        ("rummy_cards", 2, 2000, 0.505),
        ("rummy_cards", 4, 300, 0.5),
    ],
)
def test_strong_beats_greedy(variant_name: str, num_players: int, deals: int, least: float) -> None:
    """The bounds leave some four standard errors to what was measured over more deals."""
    rules = rummy_env.rules(variant_name, num_players=num_players)
    found = duel(rules, Strong(), Greedy(), deals=deals, seed=9)
    assert found.sides[0].hand_wins.value > least
    assert found.lead.value > 0


def test_strong_wins_when_it_can() -> None:
    assert decision(Strong(), five("RUMMY RUMMY 2d 9c Ks")) == "lay down rummy"
    assert decision(Strong(), seven("7c 7d 7h 4s 5s 6s 7s Kd", marks=PLAYING)) == "go out"


def test_strong_waits_for_the_cards_of_which_more_are_live() -> None:
    def choice(pile: str) -> str:
        hand = "7c 7d 7h 7s 4s 5s Qd Qh"
        table = seven(hand, discard=pile, marks=PLAYING, pile_recall=True)
        return decision(Strong(), table).split()[1]

    assert choice("3s 6s 9h") in ("4s", "5s")
    assert choice("Qc Qs 9h") in ("Qd", "Qh")


def test_strong_keeps_the_hand_that_more_cards_finish() -> None:
    open_ended = seven("7c 7d 7h 7s 4d 5d Jd Kd", marks=PLAYING)
    assert decision(Strong(), open_ended) in ("discard Jd", "discard Kd")


def test_strong_takes_a_discard_that_makes_a_better_wait() -> None:
    hand = "7c 7d 7h 7s 4d 9s Kd"
    assert decision(Strong(), seven(hand, discard="5d")) == "draw discard"
    assert decision(Strong(), seven(hand, discard="Jh")) == "draw stock"


def test_strong_does_not_discard_what_the_next_player_is_seen_to_collect() -> None:
    def choice(*collected: str) -> str:
        other = " ".join([*collected, "2c 2h 5d 8s Ac 3c 6d"])[:20]
        marks = {**PLAYING, "known": [[], list(collected)]}
        hand = "7c 7d 7h 4s 5s 9h Kc Qd"
        return decision(Strong(), seven(hand, other=other, discard="2s", marks=marks))

    unseen = choice()
    assert unseen.split()[1] in ("9h", "Kc", "Qd")
    collected = {"9h": ("8h", "Th"), "Kc": ("Kd", "Kh"), "Qd": ("Jd", "Td")}
    assert choice(*collected[unseen.split()[1]]) != unseen


def test_a_rummy_card_on_the_pile_is_taken_at_once() -> None:
    assert decision(Strong(), five("2d 9c Ks 4h Jc", discard="RUMMY")) == "draw discard"
    blocked = five("2d 9c Ks 4h CANT_GO_OUT", discard="RUMMY")
    assert decision(Strong(), blocked) == "draw discard"


def test_who_cannot_go_out_draws_for_a_rummy_card() -> None:
    table = five("7c 7d 4s 5s CANT_GO_OUT", discard="7h")
    assert decision(Greedy(), table) == decision(Strong(), table) == "draw stock"


def test_holders_of_a_rummy_card_draw_the_stock_down_and_others_do_not() -> None:
    given: dict[str, Any] = {"rest": "discard", "stock": "3c 3d", **WITHOUT_KEPT}
    holder = five("RUMMY 7d 4s 9c Kd", discard="7h", **given)
    other = five("2d 7d 4s 9c Kd", other="5d 9s Jd Kh RUMMY", discard="Jc", **given)
    assert decision(Strong(), holder) == "draw stock"
    assert decision(Strong(), other) == "draw discard"


def test_the_last_cards_are_drawn_where_one_may_be_enough() -> None:
    table = five("7c 7d 7h 4s 5s", discard="Jc", rest="discard", stock="3s 3d", **WITHOUT_KEPT)
    assert decision(Strong(), table) == "draw stock"


def test_strong_never_gives_up_stand_ins_or_rummy_cards_while_it_has_others() -> None:
    for hand in ("WILD RUMMY GROUP 9c Ks 4d", "WILD WILD RUMMY NO_MELD CANT_GO_OUT 4d"):
        words = decision(Strong(), five(hand, marks=PLAYING)).split()
        assert words[0] == "discard"
        assert words[1] not in ("WILD", "RUMMY")
    last = five("WILD RUMMY WILD WILD NO_MELD CANT_GO_OUT", marks=PLAYING)
    assert decision(Strong(), last) == "discard WILD"


@pytest.mark.parametrize("hazard", [0, 1, -0.5])
def test_an_impossible_hazard_is_refused(hazard: float) -> None:
    with pytest.raises(ValueError, match=f"hazard={hazard}: give a chance"):
        StrongDeclared(hazard=hazard)


@pytest.mark.parametrize("typical", [(), (0.5, 0.0), (1.5,)])
def test_impossible_guesses_are_refused(typical: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"typical=.* give chances"):
        StrongDeclared(typical=typical)


@pytest.mark.parametrize("value", [-0.1, math.inf, math.nan])
def test_impossible_parts_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match=f"from_pile={value}: give a number"):
        StrongDeclared(from_pile=value)
    with pytest.raises(ValueError, match=f"danger={value}: give a part"):
        StrongDeclared(danger=value)


def test_who_sits_out_a_tie_break_hand_is_not_the_next_player() -> None:
    def told(*others: str) -> tuple[list[list[float]], ...]:
        """What is weighed if the other two hold these cards, one of them none."""
        out = [False, *(not cards for cards in others)]
        marks = {"scores": [0 if seat else 2 for seat in out], "sits_out": out, "hand_number": 3}
        marks |= {"known": [[], *(cards.split()[:1] for cards in others)], "phase": "play"}
        hands = " | ".join(["9h Kc Qd 4s 5s", *others])
        engine = lay("rummy_cards", hands, match="match", marks=marks).engine
        view, mask = engine.look(0), engine.legal_mask()
        weights = Strong().explain(view, mask, engine.random([0])).weights
        chances = chances_held(view, view.next), chances_of_next(view, ace_high=True)
        return tuple(np.asarray(found).tolist() for found in (*weights.values(), *chances))

    assert max(told("Tc 2h 5d 8s", "")[-1])[0] > 0
    assert str(told("", "Tc 2h 5d 8s")) == str(told("Tc 2h 5d 8s", ""))
