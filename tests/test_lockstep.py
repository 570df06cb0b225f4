"""The core equals the slow reference, which was written from the rule text alone."""

from typing import Any

import pytest
from allpairspy import AllPairs

import rummy_env
from tests.lockstep import play

CHOICES: dict[str, list[Any]] = {
    "num_players": [2, 3, 4, 5, 6],
    "hand_size": [None, 3, 7],
    "ace": ["low", "high_or_low"],
    "melds_per_turn": [None, 1, 2],
    "lay_off": [True, False],
    "final_discard": [False, True],
    "restock": ["shuffle_keep_top", "shuffle_all", "turn_over"],
    "going_rummy": [False, True],
    "reward": ["zero_sum", "points", "win"],
    "max_turns": [40, 200],
    "episode": [
        {},
        {"match": "match"},
        {"match": "match", "target": 60, "max_hands": 4},
        {"match": "match", "deals": 3},
    ],
}


def crossed() -> list[dict[str, Any]]:
    """Options such that every two values of different options occur together."""
    cases = [dict(zip(CHOICES, case, strict=True)) for case in AllPairs(list(CHOICES.values()))]
    return [{**case.pop("episode"), **case} for case in cases]


@pytest.mark.parametrize("name", list(rummy_env.VARIANTS))
@pytest.mark.parametrize("num_players", range(2, 7))
def test_core_equals_reference_under_default_options(name: str, num_players: int) -> None:
    steps = play(name, {"num_players": num_players}, games=8, steps=700, seed=num_players)
    assert steps == 8 * 700


@pytest.mark.parametrize("index", range(len(crossed())))
@pytest.mark.parametrize("name", list(rummy_env.VARIANTS))
def test_core_equals_reference_with_options_crossed(name: str, index: int) -> None:
    assert play(name, crossed()[index], games=6, steps=450, seed=index) == 6 * 450
