"""Who threw a card away and who left it lying, against a list kept of every action in words."""

from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.views.features import observer
from tests.conftest import label
from tests.reference.cards import PACK
from tests.rollout import choices, dealt, fitting, seatings

RULES = [
    *(
        fitting(name, num_players=players)
        for name in rummy_env.VARIANTS
        for players in (2, 3, 4)
        if players in seatings(name)
    ),
    fitting("going_out", num_players=3, pile_recall=True, decks=2),
    fitting("rummy_cards", num_players=3, spread_out_discards=True, decks=2),
    fitting("gin", preset="openspiel"),
    fitting("gin", preset="eaai"),
]
LEFT = {"draw_stock", "pass"}
"""Kinds of action that leave the top discard on the pile."""
THROWN = {"discard", "knock"}
over_rules = pytest.mark.parametrize("rules", RULES, ids=label)


class Witness:
    """Writes down, for one game, who threw which card away, and who left which."""

    def __init__(self, engine: Engine, row: int) -> None:
        seats = range(engine.rules.num_players)
        self.hand = engine.state.hand_number[row]
        self.discarded: list[set[str]] = [set() for _ in seats]
        self.passed: list[set[str]] = [set() for _ in seats]

    def watch(self, table: dict[str, Any], kind: str, cards: tuple[str, ...]) -> None:
        """See an action, on the table as it lies before."""
        seat = table["to_move"]
        if kind in LEFT:
            self.passed[seat] |= {*table["discard"][-1:]} & {*PACK}
        if kind in THROWN:
            self.discarded[seat] |= {*cards} & {*PACK}


@over_rules
def test_a_table_tells_who_threw_a_card_away_and_who_left_it(rules: Rules, thorough: bool) -> None:
    games = 12 if thorough else 4
    engine, met = dealt(rules, games, seed=5), {"discarded": 0, "passed": 0}
    witnesses = [Witness(engine, row) for row in range(games)]
    for _ in range(90 if thorough else 45):
        actions = choices(engine)
        tables = [engine.snapshot(row) for row in range(games)]
        for row, (table, action) in enumerate(zip(tables, actions.tolist(), strict=True)):
            if not table["finished"]:
                told = engine.describe(action)
                witnesses[row].watch(table, told.kind, told.cards)
        engine.step(actions)
        for row, witness in enumerate(witnesses):
            if engine.state.hand_number[row] != witness.hand:
                witnesses[row] = witness = Witness(engine, row)
                if not engine.finished[row]:
                    assert engine.snapshot(row)["discarded"] == [[]] * rules.num_players
            if engine.finished[row]:
                continue
            table = engine.snapshot(row)
            for name in met:
                expected = getattr(witness, name)
                assert table[name] == [sorted(cards) for cards in expected]
                met[name] += sum(map(len, expected))
        ended = engine.finished.nonzero()[0]
        engine.reset(ended)
        for row in ended.tolist():
            witnesses[row] = Witness(engine, row)
    assert min(met.values()) > 50


@over_rules
def test_a_seat_observes_what_the_others_did_in_their_order_from_it(rules: Rules) -> None:
    engine, observe = dealt(rules, 20, seed=6, steps=25), observer(rules, "outs")
    places = {name: start for name, start, *_ in observe.layout()}
    met = 0
    for seat in range(rules.num_players):
        seen = observe(engine.look(seat))
        for row in range(20):
            table = engine.snapshot(row)
            for away in range(1, rules.num_players):
                for name in ("discarded", "passed"):
                    told = f"{name}_{away}"
                    if not rules.sight.pile_known:
                        assert told not in places
                        continue
                    entries = seen[row, places[told] : places[told] + 52]
                    other = (seat + away) % rules.num_players
                    assert sorted(np.array(PACK)[entries == 1].tolist()) == table[name][other]
                    met += len(table[name][other])
    assert met or not rules.sight.pile_known


@over_rules
def test_where_the_pile_is_covered_nobody_is_shown_earlier_discards(rules: Rules) -> None:
    view = dealt(rules, 4, steps=20).look(0)
    for name in ("discarded", "passed"):
        assert (name in view.told()) == rules.sight.pile_known
        if rules.sight.pile_known:
            assert getattr(view, name).shape == (4, rules.num_players)
        else:
            with pytest.raises(AttributeError, match=f"a view has no '{name}'"):
                getattr(view, name)
