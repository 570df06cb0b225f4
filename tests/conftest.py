"""What all tests share: the whole catalogue as a fixture, so that no variant goes untested."""

import inspect
from collections.abc import Container, Iterator
from typing import Any

import pytest
from hypothesis import settings

import rummy_env
from rummy_env import Rules

settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

OPTION_SETS: tuple[dict[str, Any], ...] = (
    *({"num_players": players} for players in range(2, 7)),
    {"ace": "high_or_low", "final_discard": True, "hand_size": 4},
    {"lay_off": False, "num_players": 3},
    {"restock": "shuffle_all", "hand_size": 20, "max_turns": 60},
    {"restock": "turn_over", "hand_size": 7, "num_players": 6, "going_rummy": True},
    {"match": "match", "deals": 3, "hand_size": 3, "max_turns": 50, "reward": "win"},
    {"match": "match", "target": 40, "max_hands": 5, "melds_per_turn": 2, "max_turns": 15},
    {"stock_estimate": "exact", "pile_recall": True, "four_sevens": True},
    {"num_players": 10, "wildcards": 0},
    {"sequences_rummy": True, "wildcards": 5, "hand_size": 6, "leftover": "none"},
    {"leftover": "exactly_one", "match": "match", "max_turns": 30, "hand_size": 3, "wildcards": 2},
    {"going_out_variation": True, "num_players": 7, "pile_recall": True, "group_card": False},
    {"three_card_draw": True, "decks": 2, "match": "match", "max_hands": 4, "num_players": 3},
    {"spread_out_discards": True, "three_card_draw": True, "num_players": 4, "max_turns": 60},
    {"spread_out_discards": True, "decks": 2, "stock_estimate": "exact", "reward": "zero_sum"},
)
"""What every variant is tried with, as far as it has these options."""

GIN_SETS: tuple[dict[str, Any], ...] = (
    {},
    *({"preset": preset} for preset in ("openspiel", "eaai", "rlcard")),
    {"oklahoma": True, "big_gin": True, "discard_taken_upcard": True, "max_turns": 60},
    {"lay_off": "manual", "num_ranks": 7, "num_suits": 3, "hand_size": 6, "reward": "points"},
    {"match": "match", "target": 40, "max_hands": 4, "knock_card": 30, "reward": "win"},
)
"""The same where hands end by knocking; there are always two seats."""

RUMMY500_SETS: tuple[dict[str, Any], ...] = (
    *({"num_players": players} for players in range(2, 6)),
    {"ace": "low", "final_discard": True, "hand_size": 4},
    {"free_top": False, "hand_size": 7, "num_players": 3, "reward": "points"},
    {"free_top": False, "final_discard": True, "hand_size": 3, "max_turns": 15},
    {"match": "match", "deals": 3, "hand_size": 3, "max_turns": 50, "reward": "win"},
    {"match": "match", "target": 40, "max_hands": 5, "max_turns": 15},
)
"""The same where the deepest card taken from an open pile must be used."""


def sets_for(options: Container[str]) -> tuple[dict[str, Any], ...]:
    """The sets to try for a variant that has these options."""
    if "free_top" in options:
        return RUMMY500_SETS
    return GIN_SETS if "knock_card" in options else OPTION_SETS


def catalogue() -> Iterator[Rules]:
    """Every variant with every set of options that it knows."""
    for variant in rummy_env.VARIANTS.values():
        known = inspect.signature(variant).parameters
        for options in sets_for(known):
            if known.keys() >= options.keys():
                yield variant(**options)


def label(rules: Rules) -> str:
    """What a test on these rules is called: the variant and what is not its default."""
    usual = dict(rummy_env.rules(rules.name).options)
    changed = [f"{key}={value}" for key, value in rules.options if value != usual[key]]
    return "-".join([rules.name, *changed])


@pytest.fixture(params=catalogue(), ids=label)
def rules(request: pytest.FixtureRequest) -> Rules:
    """The rules of one entry of the catalogue."""
    made: Rules = request.param
    return made


@pytest.fixture(params=list(rummy_env.VARIANTS))
def variant(request: pytest.FixtureRequest) -> str:
    """The name of one variant."""
    return str(request.param)
