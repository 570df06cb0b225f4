"""The far-sighted heuristic: what the cards that it keeps promise, and where it decides so."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine
from rummy_env.baselines import Farsighted, Greedy, Strong
from rummy_env.baselines.explanation import Explanation
from rummy_env.baselines.strong_declared import StrongDeclared
from rummy_env.core.actions import action_space
from rummy_env.evaluation import duel
from tests.declared_tables import five, seven
from tests.policies import decision
from tests.table import Table
from tests.threes import OTHER_TWO

PLAYING = {"phase": "play"}
(FARSIGHTED,) = Farsighted.FAMILIES
NEAR = StrongDeclared(hazard=FARSIGHTED.hazard, danger=FARSIGHTED.danger)
"""The same without foresight."""

HANDS = [
    seven("5h 6h 7h 9c 9d 2c Qs 6c", marks=PLAYING),
    seven("5h 6h WILD 9c 9d 2c Qs 6c", marks=PLAYING),
    seven("2c 4d 6h 8s Tc Qd 3h 9s", marks=PLAYING),
    seven("Ah 2h 3h 9c 9d 6s Kd Js", marks=PLAYING),
    five("GROUP 2c 7d Ts Kh 4s", marks=PLAYING),
    five("2c 2c 7d Ts Kh Ah", marks=PLAYING, decks=2),
    five("2c 2c 4c 7d 9d Kh", marks=PLAYING, decks=2),
    five("2c 4c 7d 9d Kh Jh", marks=PLAYING, decks=2),
]


def explained(policy: StrongDeclared, table: Table) -> Explanation:
    """What a policy weighs at a table."""
    engine = table.engine
    return policy.explain(engine.look(0), engine.legal_mask(), engine.random())


def promise(engine: Engine, card: str) -> float:
    """The melds of a held card that lack one live card, and 0.07 for those that lack two."""
    pack, view = engine.rules.pack, engine.look(0)
    held, live = (Counter(pack.texts(cards[0])) for cards in (view.hand, view.unseen))
    found = 0.0
    for one, two in OTHER_TWO[True][card]:
        lacking_one = (one in held) * live[two] + (two in held) * live[one]
        found += lacking_one + 0.07 * live[one] * live[two]
    return found


@pytest.mark.parametrize("table", HANDS)
def test_a_discard_costs_what_the_card_promises_counted_meld_by_meld(table: Table) -> None:
    engine = table.engine
    told = explained(FARSIGHTED, table)
    near, far = (found.weights["chance to win"] for found in (explained(NEAR, table), told))
    weighed = np.flatnonzero(~np.isnan(near))
    assert len(weighed) > 1
    assert np.array_equal(weighed, np.flatnonzero(~np.isnan(far)))
    for action in weighed.tolist():
        card = str(engine.describe(action)).split()[1]
        lost = 0.0 if len(card) > 2 else FARSIGHTED.promise * promise(engine, card)
        assert far[action] == pytest.approx(max(near[action] - lost, 0), abs=1e-6)
    assert told.choice == np.nanargmax(far)


def test_it_keeps_the_card_that_more_cards_make_useful() -> None:
    """Two nines wait for the same cards, whatever else is kept; a six may wait beside them.

    Of equal chances, the lower card goes.
    """
    table = seven("As 2s 3s 9d 9h 6c Kh Jc", marks=PLAYING)
    place = action_space(table.engine.rules).index
    near, far = StrongDeclared(danger=0), replace(FARSIGHTED, danger=0)
    chances = explained(near, table).weights["chance to win"]
    assert chances[place("discard 6c")] == chances[place("discard Kh")]
    assert decision(near, table) == "discard 6c"
    assert decision(far, table) == "discard Kh"


@pytest.mark.parametrize("policy", [NEAR, FARSIGHTED, replace(FARSIGHTED, promise=1)])
def test_discards_that_cost_a_draw_are_not_weighed(policy: StrongDeclared) -> None:
    table = seven("5h 6h 7h 9c 9d 2c Qs 6c", marks=PLAYING)
    place = action_space(table.engine.rules).index
    told = explained(policy, table)
    weighed = set(np.flatnonzero(~np.isnan(told.weights["chance to win"])).tolist())
    assert not weighed & {place("discard 5h"), place("discard 9c")}
    assert weighed >= {place("discard 2c"), place("discard Qs"), told.choice}


def test_a_slight_chance_is_told_as_none() -> None:
    table = seven("2c 4d 6h 8s Tc Qd 3h 9s", marks=PLAYING)
    chances = explained(replace(FARSIGHTED, promise=1), table).weights["chance to win"]
    assert np.nanmin(chances) == 0


def test_it_beats_greedy_and_wins_when_it_can() -> None:
    assert decision(Farsighted(), seven("7c 7d 7h 4s 5s 6s 7s Kd", marks=PLAYING)) == "go out"
    found = duel(rummy_env.rules("going_out"), Farsighted(), Greedy(), deals=200, seed=9)
    assert found.lead.low > 0


@pytest.mark.slow
def test_it_leads_strong() -> None:
    rules = rummy_env.rules("going_out", hand_size=10)
    assert duel(rules, Farsighted(), Strong(), deals=6000, seed=9).lead.low > 0


@pytest.mark.parametrize("promise", [-0.1, 1.1, math.nan])
def test_an_impossible_promise_is_refused(promise: float) -> None:
    with pytest.raises(ValueError, match=f"promise={promise}: give a chance, 0 to 1"):
        replace(FARSIGHTED, promise=promise)


def test_it_plays_where_hands_are_declared_and_nowhere_else(variant: str) -> None:
    rules = rummy_env.rules(variant)
    assert Farsighted.plays(rules) == (variant in ("going_out", "rummy_cards"))
    if not Farsighted.plays(rules):
        engine = Engine(rules)
        engine.reset()
        with pytest.raises(ValueError, match="farsighted cannot play"):
            Farsighted().act(engine.look(0), engine.legal_mask(), engine.random())
    else:
        assert Strong.plays(rules)
