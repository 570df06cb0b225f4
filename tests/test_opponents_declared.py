"""Greed where a finished hand is declared: situations, and a slow and plain player beside it."""

import dataclasses
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, melds
from rummy_env.baselines import Greedy, resolve
from rummy_env.core.arrays import Rows
from rummy_env.core.rules import Phase
from rummy_env.melds import LARGEST_HAND
from tests.declared_tables import five, seven
from tests.policies import decisions, many_decisions
from tests.rollout import dealt
from tests.table import Table

PLAYING = {"phase": "play"}


def choices(table: Table) -> set[str]:
    """All that greed may do here."""
    numbers = many_decisions(Greedy(), table.engine, 100)
    return {str(table.engine.describe(int(number))) for number in set(numbers.tolist())}


def test_greedy_goes_out_when_it_can() -> None:
    table = seven("7c 7d 7h 4s 5s 6s 7s Kd", marks=PLAYING)
    assert choices(table) == {"go out"}


def test_greedy_lays_down_both_rummy_cards_even_before_the_draw() -> None:
    assert choices(five("RUMMY RUMMY 2d 9c Ks")) == {"lay down rummy"}
    finished = five("RUMMY RUMMY 7c 7d 7h Ks", marks=PLAYING)
    assert choices(finished) == {"lay down rummy"}  # nobody shares that win


def test_greedy_lays_down_four_sevens() -> None:
    table = seven("7c 7d 7h 7s 2d 9c Ks", four_sevens=True)
    assert choices(table) == {"four sevens"}


def test_greedy_discards_a_card_that_the_rest_can_do_without() -> None:
    table = seven("7c 7d 7h 4s 5s 6s Ts Kd", marks=PLAYING)
    assert choices(table) == {"discard Ts", "discard Kd"}


def test_greedy_keeps_stand_ins_and_rummy_cards() -> None:
    table = five("WILD RUMMY GROUP 9c Ks 4d", marks=PLAYING)
    assert choices(table) <= {"discard 9c", "discard Ks", "discard 4d"}


def test_greedy_parts_with_a_stand_in_only_where_that_is_nearer() -> None:
    useless = five("4s 5s 6s 7s GROUP NO_MELD", marks=PLAYING)
    assert choices(useless) == {"discard GROUP"}


def test_greedy_gives_up_a_rummy_card_last_of_all() -> None:
    table = five("WILD RUMMY WILD WILD NO_MELD CANT_GO_OUT", marks=PLAYING)
    assert choices(table) == {"discard WILD"}


def test_greedy_takes_a_discard_that_saves_a_draw() -> None:
    hand = "7c 7d 4s 5s 6s Ts Kd"
    assert choices(seven(hand, discard="7h")) == {"draw discard"}
    assert choices(seven(hand, discard="WILD")) == {"draw discard"}
    assert choices(seven(hand, discard="Kc")) == {"draw stock"}


def test_greedy_draws_from_the_stock_where_there_is_no_pile() -> None:
    assert choices(seven("7c 7d 4s 5s 6s Ts Kd")) == {"draw stock"}


def test_greedy_takes_the_discard_where_the_stock_is_empty() -> None:
    table = seven("7c 7d 4s 5s 6s Ts Kd", discard="3c", rest="last hand")
    assert choices(table) == {"draw discard"}


def test_greedy_takes_a_card_of_an_open_pile_with_what_lies_above_it() -> None:
    near = five("7c 7d 4s 5s 9h", discard="7h 6s", spread_out_discards=True)
    assert choices(near) == {"take pile 7h"}
    top = five("7c 7d 4s 5s 9h", discard="Qd Jh 6s", spread_out_discards=True)
    assert choices(top) == {"take pile 6s"}
    neither = five("7c 7d 4s 5s 9h", discard="7h Qd Jh 2h", spread_out_discards=True)
    assert choices(neither) == {"draw stock"}


def test_of_equal_cards_in_an_open_pile_the_topmost_is_taken() -> None:
    table = five("7c 7d 4s 5s 9h", discard="7h Qd Jh 7h", spread_out_discards=True, decks=2)
    assert choices(table) == {"take pile 7h"}


def test_greedy_takes_the_extra_cards_only_where_they_save_a_draw() -> None:
    marks = {"phase": "extra_draw", "taken": "9d", "taken_count": 1, "known": [["9d"], []]}
    hand = "9d 4h 6h 4s 6s RUMMY"  # two draws short; 4h 5h 6h, 4s 6s, RUMMY would be one
    helps = five(hand, discard="3c 5h", three_card_draw=True, marks=marks)
    useless = five(hand, discard="3c 8c", three_card_draw=True, marks=marks)
    assert choices(helps) == {"extra draw"}
    assert choices(useless) == {f"discard {card}" for card in hand.split()[:5]}


def test_greedy_throws_strays_away_from_a_hand_too_large_to_search() -> None:
    hand = "7c 7d 7h 4s 5s 6s Th Jh Qh 2d 9c Ks Kd"
    assert len(hand.split()) > LARGEST_HAND
    table = five(hand, spread_out_discards=True, marks=PLAYING)
    assert choices(table) == {f"discard {card}" for card in ("2d", "9c", "Ks", "Kd")}


PLAIN: tuple[dict[str, Any], ...] = (
    {"name": "going_out"},
    {"name": "going_out", "hand_size": 4, "wildcards": 1, "leftover": "none"},
    {"name": "going_out", "hand_size": 5, "leftover": "exactly_one"},
    {"name": "going_out", "sequences_rummy": True, "wildcards": 4},
    {"name": "rummy_cards"},
    {"name": "rummy_cards", "decks": 2},
)


def least_after_a_draw(engine: Engine, hand: list[str]) -> int:
    """Draws that a hand is short of finished, tried with every card that may come."""
    cards = engine.rules.pack.cards
    coming = {card for card in cards if hand.count(card) < cards.count(card)}
    distances = melds.distance([[*hand, card] for card in sorted(coming)], engine.rules)
    return min(1 + int(distances.min()), melds.UNREACHABLE)


def plain_discards(engine: Engine, hand: list[str]) -> set[str]:
    """The discards of a greedy player who tries every discard and every card after it."""
    short = {}
    for card in sorted(set(hand) - {"WILD", "RUMMY", "NO_MELD", "CANT_GO_OUT"}):
        rest = list(hand)
        rest.remove(card)
        short[card] = 2 * least_after_a_draw(engine, rest) + (card in ("GROUP", "SEQUENCE"))
    return {card for card, found in short.items() if found == min(short.values())}


def positions(engine: Engine, moves: Iterable[int]) -> Iterable[tuple[Rows, str]]:
    """Greedy play: all games that are not finished, and in which phase they are."""
    for _ in moves:
        rows = engine.running
        for index, phase in enumerate(engine.rules.turn):
            yield rows[engine.state.phase[rows] == index], phase.name
        engine.step(decisions(Greedy(), engine, rows), rows)


@pytest.mark.parametrize("options", PLAIN, ids=str)
def test_greedy_does_what_a_plain_player_does_who_tries_everything(
    options: dict[str, Any], thorough: bool
) -> None:
    engine = dealt(rummy_env.rules(**options), 3, seed=12)
    for rows, phase in positions(engine, range(14 if thorough else 7)):
        for row in rows.tolist():
            table = engine.snapshot(row)
            hand = table["hands"][table["to_move"]]
            chosen = str(engine.describe(int(decisions(Greedy(), engine, np.array([row]))[0])))
            if chosen in ("go out", "lay down rummy"):
                assert engine.legal_mask()[row, engine.space.index(chosen.replace(" ", "_"))]
            elif phase == "play":
                assert chosen.split()[1] in plain_discards(engine, hand)
            elif table["discard"]:
                with_top = [*hand, table["discard"][-1]]
                saves = melds.distance([with_top], engine.rules)[0] < least_after_a_draw(
                    engine, hand
                )
                assert chosen == ("draw discard" if saves else "draw stock")


@pytest.mark.parametrize("name", ["greedy", "strong", "farsighted"])
@pytest.mark.parametrize(
    ("variant", "without"),
    [("going_out", "draw_discard"), ("going_out", "draw_stock"), ("rummy_cards", "draw_discard")],
)
def test_rules_without_one_of_the_draws_are_refused(name: str, variant: str, without: str) -> None:
    rules = rummy_env.rules(variant)
    draw, play = rules.turn
    others = {move: then for move, then in draw.moves if move.kind != without}
    fewer = dataclasses.replace(rules, turn=(Phase("draw", others), play))
    with pytest.raises(ValueError, match=f"{name} cannot play"):
        resolve(name, fewer)
