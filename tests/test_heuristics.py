"""What every heuristic has to keep to, in all rules that it plays.

Hands of gin end too soon in such play for all phases to be met; see `test_gin_agents.py`.
"""

from collections.abc import Iterator

import numpy as np

from rummy_env import Rules
from rummy_env.baselines import Policy
from rummy_env.baselines.heuristics import HEURISTICS
from rummy_env.baselines.policies import playing
from tests.conftest import over_rules
from tests.policies import decisions, is_blind, played_on
from tests.rollout import dealt, random_play

pytestmark = over_rules(where=lambda rules: rules.name != "gin")


def heuristics(rules: Rules) -> Iterator[Policy]:
    """Those that play the rules; at least two besides the one that plays at random."""
    names = playing(rules, HEURISTICS)
    assert len(names) > 2
    return (HEURISTICS[name]() for name in names)


def test_every_choice_is_legal(rules: Rules, thorough: bool) -> None:
    games, steps = (12, 60) if thorough else (4, 30)
    for policy in heuristics(rules):
        engine = dealt(rules, games, seed=2)
        for _ in random_play(engine, steps):
            rows = engine.running
            actions = decisions(policy, engine, rows)
            assert engine.legal_mask(rows)[np.arange(len(rows)), actions].all(), policy
        played_on(policy, engine, 2 * steps)


def test_a_choice_does_not_depend_on_the_batch(rules: Rules, thorough: bool) -> None:
    for policy in heuristics(rules):
        engine = dealt(rules, 33, seed=3)
        for _ in range(8 if thorough else 4):
            played_on(policy, engine, 4)
            rows = engine.running
            together = decisions(policy, engine, rows)
            assert np.array_equal(decisions(policy, engine, rows), together), policy
            assert np.array_equal(decisions(policy, engine, rows[::-1])[::-1], together), policy
            for item in range(0, len(rows), 16):
                assert decisions(policy, engine, rows[item : item + 1])[0] == together[item], policy


def test_a_choice_does_not_depend_on_hidden_cards(rules: Rules, thorough: bool) -> None:
    games, looks = (40, 8) if thorough else (20, 4)
    for policy in heuristics(rules):
        engine, other = (dealt(rules, games, seed=seed) for seed in (4, 5))
        for moment in range(looks):
            played_on(policy, engine, 4)
            assert is_blind(policy, engine, other, moment), policy
