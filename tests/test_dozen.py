"""The dozen rule sets of every day, in which the options of all variants meet."""

from typing import Any

import rummy_env
from rummy_env import Rules
from tests.conftest import option_sets, quick, rule_sets
from tests.dozen import dozen


def test_every_variant_is_in_the_dozen_and_the_dozen_in_the_whole() -> None:
    few, whole = rule_sets(whole=False), rule_sets(whole=True)
    assert {rules.name for rules in few} == set(rummy_env.VARIANTS)
    assert set(few) < set(whole)
    assert len(few) < len(whole) / 3


def test_every_value_of_an_option_is_in_the_dozen() -> None:
    played = {
        (option, value) for rules in rule_sets(whole=False) for option, value in rules.options
    }
    missing = set()
    for name in rummy_env.VARIANTS:
        for options in option_sets(name):
            if quick(rummy_env.rules(name, **options)):
                missing |= set(options.items()) - played
    assert not missing


def test_an_option_at_its_default_does_not_change_the_dozen() -> None:
    def make(*, players: int = 2, aces: str = "low", house_rule: bool = False) -> Rules:
        return rummy_env.rules("basic", num_players=players, ace=aces)

    def before(*, players: int = 2, aces: str = "low") -> Rules:
        return make(players=players, aces=aces)

    sets: list[dict[str, Any]] = [{"players": 3}, {"aces": "high_or_low"}, {"players": 4}]
    assert dozen({"a": make}, {"a": sets}, quick) == dozen({"a": before}, {"a": sets}, quick)
