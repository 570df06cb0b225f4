"""Every hand of a match begins as the first one did: nothing of the hand before is left."""

from typing import Any

import pytest

import rummy_env
from rummy_env import Engine, Rules
from tests.rollout import dealt, fitting, random_play

OF_THE_DEAL = {"hands", "stock", "discard", "upcard", "dealer", "to_move"}
OF_THE_MATCH = {"scores", "hand_number", "hand_winners", "decisions", "sits_out", "seed"}
MATCH: dict[str, Any] = {"match": "match", "deals": 3, "max_turns": 30}
MATCHES = [
    *(fitting(each, **MATCH, hand_size=5) for each in rummy_env.VARIANTS if each != "gin"),
    fitting("gin", **{**MATCH, "max_turns": 8}),
    fitting("gin", **MATCH, discard_taken_upcard=True, wall="knock"),
    fitting("going_out", **MATCH, pile_recall=True),
]


def left(engine: Engine, row: int) -> dict[str, Any]:
    """What a snapshot tells beside the cards dealt and the standing of the match."""
    table = engine.snapshot(row)
    return {key: table[key] for key in table.keys() - OF_THE_DEAL - OF_THE_MATCH}


@pytest.mark.parametrize("rules", MATCHES, ids=repr)
def test_a_hand_of_a_match_begins_as_its_first_did(rules: Rules) -> None:
    engine, fresh, met = dealt(rules, 12), left(dealt(rules, 1), 0), 0
    hands = engine.state.hand_number.copy()
    for _ in random_play(engine, 400):
        new = (engine.state.hand_number > hands) & ~engine.finished
        for row in new.nonzero()[0].tolist():
            assert left(engine, row) == fresh
            met += 1
        hands = engine.state.hand_number.copy()
    assert met > 5
