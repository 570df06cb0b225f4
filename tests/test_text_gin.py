"""The table of gin as text: deadwood, first upcard, limit, wall, and both hands at the end."""

import re
from typing import Any

import numpy as np
import pytest

from rummy_env import Engine, Rules
from tests.gin_play import OPTIONS, dealt_games, gin_rules, greedy, lay, play
from tests.hiding import dealt_anew
from tests.reference.deadwood import MELDS, deadwood
from tests.texts import golden, seen, spoken, watched

LOOSE = "Ac 2d 3h 4d 6c 8d 9h Jd Qh Kd"
"""63 points; no meld."""
MELDED = "7c 7d 7h 4s 5s 6s Tc Jc Qc"
"""Three melds."""
FITTING = "Ad 2d 3s 4h 6c 7s 8d 9c Jd Qh"
"""60 points; 3s 7s 9c can be laid off on the melds above."""


@pytest.fixture(params=OPTIONS, ids=str)
def rules(request: pytest.FixtureRequest) -> Rules:
    return gin_rules(**request.param)


def just_dealt(**options: Any) -> Engine:
    engine = Engine(gin_rules(**options), seed=4)
    engine.reset()
    return engine


def line(text: str, name: str) -> str:
    """What a line of the text says behind its name."""
    lines = [row.split(name, 1)[1].strip() for row in text.splitlines() if f"  {name} " in row]
    assert len(lines) == 1, f"{name} is named once in\n{text}"
    return lines[0]


# Amid a hand


def test_a_seat_sees_its_deadwood_and_not_that_of_the_other() -> None:
    table = lay(f"{MELDED} 3d | {LOOSE}", stock="Kh 3c 4c", discard="5d", marks={"dealer": 1})
    assert seen(table.engine, 0) == golden("""
        gin, hand 1, turn 5: player_0 to move (draw)

        > player_0  you     0 points  [7♣ 7♦ 7♥] [10♣ J♣ Q♣] [4♠ 5♠ 6♠]  3♦  (3 deadwood)
          player_1  dealer  0 points  10 hidden

          discards  5♦, 28 below
          stock     3 cards
    """)
    assert "(63 deadwood)" in watched(table.engine)


def test_the_deadwood_shown_is_that_of_the_hand_as_it_is(rules: Rules) -> None:
    engine = dealt_games(rules, num_envs=1)
    for _ in play(engine, 60):
        table = engine.snapshot(0)
        if table["finished"] or table["claim"]:
            continue
        for seat in range(2):
            count = deadwood(frozenset(table["hands"][seat]))
            assert f"({count} deadwood)" in seen(engine, seat).splitlines()[2]


def test_the_first_upcard_is_named_while_it_is_offered() -> None:
    engine = just_dealt()
    card = spoken(engine.snapshot(0)["discard"][0])
    assert line(watched(engine), "upcard") == f"{card} to take or refuse"
    engine.step([engine.space.index("pass")])
    assert line(watched(engine), "upcard") == f"{card} to take or refuse, refused once"
    engine.step([engine.space.index("pass")])
    assert "upcard" not in watched(engine)


@pytest.mark.parametrize(("upcard", "limit"), [("As", "0 points"), ("8s", "8 points")])
def test_the_limit_is_named_where_the_upcard_decides_it(upcard: str, limit: str) -> None:
    given: dict[str, Any] = {"stock": "Kh 3c 4c", "marks": {"upcard": upcard}}
    table = lay(f"{MELDED} 3d | {LOOSE}", oklahoma=True, **given)
    told = f"{limit}, by the upcard {spoken(upcard)}"
    assert line(seen(table.engine, 1), "limit") == told
    assert "limit" not in watched(lay(f"{MELDED} 3d | {LOOSE}", **given).engine)


@pytest.mark.parametrize(
    ("stock", "told"), [("Kh 3c 4c", "3 cards"), ("3c 4c", "2 cards, the wall")]
)
def test_the_wall_is_named(stock: str, told: str) -> None:
    table = lay(f"{MELDED} 3d | {LOOSE}", stock=stock, wall="knock")
    assert line(seen(table.engine, 0), "stock") == told


# The end


def test_after_a_knock_both_hands_are_shown_arranged_with_what_was_laid_off() -> None:
    table = lay(f"{MELDED} 3d | {FITTING}", stock="Kh 3c 4c", marks={"dealer": 1})
    table.play("draw stock; knock Kh")
    end = golden("""
        gin, hand 1: finished, player_0 wins

          player_0  knocked  38 points  [7♣ 7♦ 7♥] [10♣ J♣ Q♣] [4♠ 5♠ 6♠]  3♦  (3 deadwood)
          player_1  dealer    0 points  6♣  A♦ 2♦ 8♦ J♦  4♥ Q♥  (41 deadwood)  laid off 3♠ 7♠ 9♣

          discards  K♥, 29 below
          stock     2 cards, the wall
    """)
    assert watched(table.engine) == end
    assert seen(table.engine, 0).splitlines()[2:4] != end.splitlines()[2:4]
    for seat in range(2):
        assert "hidden" not in seen(table.engine, seat)


def melds_of(row: str) -> list[frozenset[str]]:
    """The melds in a line."""
    return [frozenset(meld.split()) for meld in re.findall(r"\[([^]]+)\]", row)]


@pytest.mark.parametrize("options", [{}, {"lay_off": "none"}, {"big_gin": True}], ids=str)
def test_what_is_shown_at_the_end_is_what_was_scored(options: dict[str, Any]) -> None:
    rules, rng, told = (
        gin_rules(**options),
        np.random.default_rng(1),
        {frozenset(map(spoken, m)) for m in MELDS},
    )
    engine, policy, ended = Engine(rules, seed=6), greedy(shy=0.4), 0
    for _ in range(25):
        engine.reset()
        while not engine.finished[0]:
            engine.step(policy(engine, engine.legal_mask(), rng))
        table, rows = engine.snapshot(0), watched(engine).splitlines()[2:4]
        if not table["claim"]:
            continue
        assert all(meld in told for row in rows for meld in melds_of(row))
        left = [int(row.split("(")[1].split(" deadwood")[0]) for row in rows]
        lead = left[1 - table["claimant"]] - left[table["claimant"]]
        bonus = {1: 0 if lead > 0 else 25, 2: 25, 3: 31}[table["claim"]]
        assert max(table["scores"]) == abs(lead) + bonus
        ended += 1
    assert ended > 10


@pytest.mark.parametrize(
    ("stock", "moves", "word"),
    [
        ("Kc 3c 4c", "draw stock; gin", "gin"),
        ("Kh 3c 4c", "draw stock; knock Kh", "knocked"),
    ],
)
def test_who_ended_the_hand_and_how_is_said(stock: str, moves: str, word: str) -> None:
    table = lay(f"{MELDED} 3d | {FITTING}", stock=stock)
    table.play(moves)
    text = watched(table.engine)
    assert text.splitlines()[2].split("  ")[2].strip() == f"dealer, {word}"
    assert ("laid off" in text) is (word == "knocked")


def test_big_gin_is_shown_with_all_eleven_cards() -> None:
    table = lay(f"{MELDED} 9c | {LOOSE}", stock="Kc 3c 4c", big_gin=True)
    table.play("draw stock; gin")
    shown = "big gin  94 points  [7♣ 7♦ 7♥] [9♣ 10♣ J♣ Q♣ K♣] [4♠ 5♠ 6♠]  (0 deadwood)"
    assert shown in watched(table.engine)


def test_a_hand_that_nobody_ended_shows_no_hidden_card() -> None:
    table = lay(f"{MELDED} 3d | {LOOSE}", stock="Kh 3c 4c", marks={"dealer": 1})
    table.play("draw stock; discard Kh")
    assert seen(table.engine, 0).startswith("gin, hand 1: finished, nobody wins\n")
    assert "10 hidden" in seen(table.engine, 0)


def test_where_melds_are_laid_down_they_lie_on_the_table() -> None:
    table = lay(f"{MELDED} 3d | {FITTING}", stock="Kh 3c 4c", lay_off="manual")
    table.play("draw stock; knock Kh; meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc; pass")
    table.play("lay off 7s on group; lay off 3s on sequence")
    text = seen(table.engine, 1)
    assert line(text, "groups") == "[7♣ 7♦ 7♥ 7♠]"
    assert line(text, "sequences") == "[10♣ J♣ Q♣] [3♠ 4♠ 5♠ 6♠]"
    assert "dealer, knocked  0 points  3♦  (3 deadwood)" in text


def test_laying_down_all_cards_one_by_one_is_gin() -> None:
    table = lay(f"{MELDED} Kc | {FITTING}", stock="Kh 3c 4c", lay_off="manual")
    table.play("draw stock; knock Kh; meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc Kc")
    while not table.engine.finished.all():
        table.engine.step(table.engine.legal_mask().argmax(axis=1))
    assert table.engine.how_ended() == ["gin"]
    assert "dealer, gin  " in seen(table.engine, 1)


def test_the_text_of_a_seat_says_nothing_of_cards_that_it_cannot_see(rules: Rules) -> None:
    engine, other = dealt_games(rules, num_envs=1), Engine(rules)
    other.reset()
    for step, _ in enumerate(play(engine, 60)):
        seat, row = step % 2, np.array([0])
        seed = np.array([step], np.uint64)
        other.state.put(row, dealt_anew(rules, engine.state, row, np.array([seat]), seed))
        assert seen(other, seat) == seen(engine, seat)
