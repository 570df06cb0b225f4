"""What everybody may rely on, in every phase of gin and under every preset."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rummy_env import Engine, IllegalAction, Rules
from rummy_env.core.keys import table_keys
from tests.conftest import few_or_all
from tests.gin_play import OPTIONS, dealt_games, gin_rules, play
from tests.reference import deadwood as reference
from tests.rollout import cards_of, everything, tables, whole_pack

ONE_HAND = {"match": "hand", "target": None, "max_hands": None}


PAID = [gin_rules(reward="points", **options) for options in OPTIONS]
pytestmark = few_or_all("rules", few=[PAID[0], *PAID[1::2]], every=PAID)


def met_in_all_phases(rules: Rules, times: int) -> Iterator[dict[str, Any]]:
    """Tables of unfinished games, so many of every phase."""
    engine, met = dealt_games(rules), dict.fromkeys(range(len(rules.turn)), 0)
    for _ in play(engine, 1500):
        for row in (~engine.finished).nonzero()[0].tolist():
            phase = int(engine.state.phase[row])
            if met[phase] < times:
                met[phase] += 1
                yield engine.snapshot(row)
        if min(met.values()) == times:
            return
    raise AssertionError(f"not every phase of {rules} was met {times} times: {met}")


def test_every_card_is_on_the_table_once_after_every_step(rules: Rules) -> None:
    engine = dealt_games(rules)
    for _ in play(engine, 60):
        assert all(cards_of(table) == whole_pack(rules) for table in tables(engine))


def test_what_is_masked_in_is_accepted_and_nothing_else(rules: Rules, thorough: bool) -> None:
    engine = Engine(rules)
    for table in met_in_all_phases(rules, times=4 if thorough else 2):
        engine.restore(0, table)
        mask, before = engine.legal_mask()[0], everything(engine)
        for action in range(engine.num_actions):
            if mask[action]:
                engine.step([action])
                assert cards_of(engine.snapshot(0)) == whole_pack(rules)
                engine.restore(0, table)
            else:
                with pytest.raises(IllegalAction, match=f"phase '{table['phase']}'"):
                    engine.step([action])
        assert everything(engine) == before


def test_there_is_no_dead_end(rules: Rules, thorough: bool) -> None:
    engine = dealt_games(rules, num_envs=256 if thorough else 64)
    for _ in play(engine, 120):
        assert (engine.legal_mask().any(axis=1) == ~engine.finished).all()


def test_a_game_is_the_same_alone_and_among_others(rules: Rules, thorough: bool) -> None:
    steps = 100 if thorough else 40
    many, row = Engine(rules, 64, seed=2), 41
    one = Engine(rules, 1, seed=table_keys(2, 64)[[row]])
    many.reset()
    one.reset()
    for _ in zip(play(many, steps), play(one, steps), strict=True):
        assert one.snapshot(0) == many.snapshot(row)
        assert one.legal_mask().tobytes() == many.legal_mask([row]).tobytes()
        assert (one.rewards[0] == many.rewards[row]).all()


def test_a_snapshot_restored_has_the_same_future_in_every_phase(rules: Rules) -> None:
    for table in met_in_all_phases(rules, times=3):
        here, there = Engine(rules), Engine(rules)
        here.restore(0, table)
        assert here.snapshot(0) == table
        there.restore(0, here.snapshot(0))
        for _ in zip(play(here, 15), play(there, 15), strict=True):
            assert everything(here) == everything(there)
            if here.finished[0]:
                break


def test_a_hand_pays_what_brute_force_finds(rules: Rules, thorough: bool) -> None:
    rules = gin_rules(**{**dict(rules.options), **ONE_HAND, "lay_off": arranged(rules)})
    engine, ended = dealt_games(rules), Counter[bool]()
    for _ in play(engine, 300 if thorough else 200):
        for row in engine.finished.nonzero()[0].tolist():
            table = engine.snapshot(row)
            points = expected(rules, table) if table["claim"] else [0, 0]
            assert engine.rewards[row].tolist() == points, table
            ended[table["claim"] > 0] += 1
    assert ended[True] > 10


def arranged(rules: Rules) -> str:
    """How hands are melded by themselves, where they are not."""
    return "auto" if rules.lay_off == "manual" else str(rules.lay_off)


def expected(rules: Rules, table: dict[str, Any]) -> list[float]:
    """What a hand that somebody has ended is worth."""
    knocker = table["claimant"]
    mine, theirs = (frozenset(table["hands"][s]) for s in (knocker, 1 - knocker))
    points = [0.0, 0.0]
    if reference.deadwood(mine) == 0:
        big = rules.big_gin and len(mine) > rules.hand_size
        bonus = rules.big_gin_bonus if big else rules.gin_bonus
        points[knocker] = reference.deadwood(theirs) + bonus
        return points
    limit = limit_of(rules, table)
    lay_off = rules.lay_off == "auto"
    left = reference.showdown(mine, theirs, lay_off=lay_off, limit=limit)
    lead = left.defender - left.knocker
    if lead > 0:
        points[knocker] = lead
    elif lead < 0 or rules.undercut_on_tie:
        points[1 - knocker] = rules.undercut_bonus - lead
    return points


def limit_of(rules: Rules, table: dict[str, Any]) -> int:
    """The most deadwood with which one could knock."""
    if not rules.oklahoma:
        return int(rules.knock_card)
    value = reference.points(frozenset([table["upcard"]]))
    return 0 if value == 1 else value
