"""Tables that are damaged in one entry: refused by its name, or laid and played on."""

import math
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.core.cards import Pack
from rummy_env.envs.single import RummyEnv
from rummy_env.views.text import open_text
from tests.rollout import choices, dealt, everything, tables


def nested(depth: int) -> list[Any]:
    """A list in a list in a list."""
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


BAD: tuple[Any, ...] = (
    *(None, True, False, "x", "", "7h", "WILD", b"x", 1j, object()),
    *(3, -1, 0, 10**6, -(10**6), 2**31, 2**64, 1e9, 1.0, math.nan),
    *([], {}, [[]], nested(2000), [None], [True], [-1], [99], ["7h"] * 3, ["7h"], [0] * 10**4),
    *([["7h"]] * 2, [True] * 2, [None] * 2, [1.5] * 2, [math.nan] * 2, [-1] * 2, [10**10] * 2),
    *([10**9] * 2, [{}] * 2, [[["7h"]]] * 2),
)


def some_tables(rules: Rules) -> list[dict[str, Any]]:
    """A table as dealt, one in the middle of a game, and one of a finished game."""
    engine = dealt(rules, 1, seed=7)
    found = tables(engine)
    for step in range(5000):
        if engine.finished.all():
            break
        if step == 7:
            found += tables(engine)
        engine.step(choices(engine))
    return [*found, *tables(engine)]


def goes_on(engine: Engine) -> None:
    """Shows the table and plays on."""
    seats = range(engine.rules.num_players)
    for _ in range(12):
        assert open_text([engine.look(seat) for seat in seats])
        assert engine.finished.all() or engine.legal_mask().any()
        engine.step(choices(engine))
        assert engine.snapshot(0)


def test_a_bad_entry_is_refused_by_name_or_played_on(rules: Rules, thorough: bool) -> None:
    draws = np.random.default_rng(1)
    refused = 0
    for whole in some_tables(rules):
        cases = [(key, bad) for key in whole for bad in BAD]
        some = range(len(cases)) if thorough else draws.choice(len(cases), 18, replace=False)
        for key, bad in (cases[i] for i in some):
            engine = dealt(rules, 1)
            before = everything(engine)
            told = ""
            try:
                engine.restore(0, {**whole, key: bad})
            except ValueError as error:
                told = str(error)
            if not told:
                goes_on(engine)
                continue
            refused += 1
            # What may be knocked with hangs on the upcard where Oklahoma is played.
            limited = key == "upcard" and dict(rules.options).get("oklahoma") and "claim" in told
            assert key in told or limited
            assert len(told) < 1500
            assert everything(engine) == before
    assert refused > 30


@pytest.mark.parametrize("table", [None, 3, "x", [], {}, nested(2000)])
def test_what_is_no_table_is_refused(table: Any, variant: str) -> None:
    engine = dealt(rummy_env.rules(variant), 1)
    before = everything(engine)
    with pytest.raises(ValueError, match="table"):
        engine.restore(0, table)
    assert everything(engine) == before


@pytest.mark.parametrize(
    ("name", "change", "fault"),
    [
        ("gin", {"claim": 1}, "claim=1, claimant=-1: a claim and its seat"),
        ("gin", {"claim": 1, "claimant": 0}, "claim=1 in phase .*: after a claim the game is fini"),
        ("gin", {"claim": 99, "claimant": 0}, "claim=99: give a whole number from 0 to 3"),
        (
            "gin",
            {"claim": 1, "claimant": 0, "finished": True},
            r"claimant has \d+ points .* above 10",
        ),
        (
            "gin",
            {"claim": 2, "claimant": 0, "finished": True},
            r"claimant has \d+ points .* above 0",
        ),
        ("going_out", {"claim": 9, "claimant": 0}, "claim=9: give a whole number from 0 to 3"),
    ],
)
def test_a_claim_that_nobody_can_have_made_is_refused(
    name: str, change: dict[str, Any], fault: str
) -> None:
    engine = dealt(rummy_env.rules(name), 1)
    with pytest.raises(ValueError, match=fault):
        engine.restore(0, {**engine.snapshot(0), **change})


def test_cards_are_laid_down_after_a_knock_and_only_then() -> None:
    engine = dealt(rummy_env.rules("gin", preset="openspiel"), 1)
    table = engine.snapshot(0)
    with pytest.raises(
        ValueError, match=r"claim=1 in phase 'draw': .* comes one of defend, lay_do"
    ):
        engine.restore(0, {**table, "phase": "draw", "claim": 1, "claimant": 0})
    with pytest.raises(ValueError, match="claim=0 in phase 'lay_off': give the claim"):
        engine.restore(0, {**table, "phase": "lay_off"})


def test_a_hand_that_should_have_been_cut_off_is_refused(rules: Rules) -> None:
    engine = dealt(rules, 1)
    table = engine.snapshot(0)
    engine.restore(0, {**table, "turn_number": rules.max_turns - 1})
    with pytest.raises(ValueError, match=f"turn_number={rules.max_turns}: give a whole number"):
        engine.restore(0, {**table, "turn_number": rules.max_turns})


def test_the_limit_of_oklahoma_needs_an_upcard() -> None:
    engine = dealt(rummy_env.rules("gin", oklahoma=True), 1)
    with pytest.raises(ValueError, match="upcard=None"):
        engine.restore(0, {**engine.snapshot(0), "upcard": None})


def test_a_phase_in_which_nothing_can_be_done_is_refused() -> None:
    engine = dealt(rummy_env.rules("gin", lay_off="manual"), 1)
    with pytest.raises(ValueError, match="phase='discard'"):
        engine.restore(0, {**engine.snapshot(0), "phase": "discard"})


@pytest.mark.parametrize("rules", [None, 3, "basic", [], Pack()])
def test_an_engine_needs_rules(rules: Any) -> None:
    with pytest.raises(TypeError, match=r"rules=.*: give complete rules"):
        Engine(rules)


@pytest.mark.parametrize("action", ["3", None, 1.5, True, [], -1, 10**9])
def test_what_is_no_action_is_not_described(action: Any) -> None:
    with pytest.raises(ValueError, match=r"action=.*: give a whole number from 0 to"):
        dealt(rummy_env.rules("basic"), 1).describe(action)


@pytest.mark.parametrize("specials", [None, 3, "x", ["a"], (1,), ([],)])
def test_names_of_special_cards_are_text(specials: Any) -> None:
    with pytest.raises(ValueError, match=r"specials=.*: give a tuple of names"):
        Pack(specials=specials)


@pytest.mark.parametrize("hands", [None, 3, 1.5, [None], [[3]], [[True]], [[[]]]])
def test_what_is_no_hand_is_refused(hands: Any) -> None:
    with pytest.raises(ValueError, match=r"hands=|hand 0 is "):
        rummy_env.melds.can_go_out(hands, rummy_env.rules("going_out"))


def test_true_is_no_seed_no_action_and_no_seat() -> None:
    rules, true = rummy_env.rules("basic"), True
    with pytest.raises(ValueError, match="seed=True: give a whole number"):
        Engine(rules, seed=true)
    env = rummy_env.raw_env(rules)
    with pytest.raises(TypeError, match="seed True: give a whole number"):
        env.reset(seed=true)
    env.reset(seed=1)
    with pytest.raises(TypeError, match="action True: give a whole number"):
        env.step(true)
    with pytest.raises(ValueError, match="seat=True"):
        RummyEnv(rules, opponents="random", seat=true)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"truncated": True}, "truncated=True: .* give finished=True"),
        (
            {"truncated": True, "finished": True, "winners": [0]},
            "winners=.* was cut off .*, has none",
        ),
    ],
)
def test_a_game_that_was_cut_off_is_over_and_has_no_winner(
    changes: dict[str, Any], words: str
) -> None:
    engine = dealt(rummy_env.rules("basic"), 1)
    (table,) = tables(engine)
    with pytest.raises(ValueError, match=words):
        engine.restore(0, table | changes)
