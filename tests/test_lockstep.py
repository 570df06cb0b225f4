"""The core equals the slow reference, which was written from the rule text alone."""

import inspect
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import rummy_env
from rummy_env import Rules
from tests.conftest import few_or_all
from tests.crossing import crossed
from tests.lockstep import CHOICES, DECLARED, TABLE_CHOICES, Habit, flat, play
from tests.table import TABLE_VARIANTS

COMPANIONS: dict[str, list[dict[str, Any]]] = {
    **{name: [{}] for name in (*TABLE_VARIANTS, "rummy500")},
    "going_out": [{}, {"sequences_rummy": True}, {"sequences_rummy": True, "hand_size": 5}],
    "rummy_cards": [{}, {"going_out_variation": True, "num_players": 3}],
}
"""What some values need beside them."""

PLAYERS = {
    **{name: [{"num_players": players} for players in range(2, 7)] for name in TABLE_VARIANTS},
    "rummy500": [{"num_players": players} for players in range(2, 6)],
    "going_out": [{"num_players": players} for players in range(2, 11)],
    "rummy_cards": [
        *({"num_players": players} for players in range(2, 7)),
        *({"num_players": players, "going_out_variation": True} for players in range(3, 8)),
    ],
}
"""The numbers of players that each variant can have."""

FEWEST_AND_MOST = {name: [some[0], some[-1]] for name, some in PLAYERS.items()}
"""Of each variant; the numbers between are among its options."""


def refusals(name: str, case: dict[str, Any]) -> list[str]:
    """Why some options are refused, whatever stands beside them; nothing where they are not."""
    said = []
    for companion in COMPANIONS[name]:
        try:
            rummy_env.rules(name, **{**companion, **flat(case)})
        except ValueError as refusal:
            said.append(str(refusal))
        else:
            return []
    return said


def cases(variants: dict[str, list[dict[str, Any]]]) -> list[Any]:
    """Parameters of a test: a variant and options, seeded by their number."""
    return [
        pytest.param(name, flat(case), number, id=f"{name}-{number}")
        for name, some in variants.items()
        for number, case in enumerate(some)
    ]


@cache
def together(name: str) -> list[dict[str, Any]]:
    """Cases in which every two values of different options occur together that may."""
    return crossed(CHOICES[name], lambda case: not refusals(name, case))


def alone(name: str) -> list[dict[str, Any]]:
    """Cases in which every value occurs."""
    return crossed(CHOICES[name], lambda case: not refusals(name, case), at_once=1)


def all_crossed() -> list[Any]:
    """Every two values together, in each variant."""
    return cases({name: together(name) for name in CHOICES})


def few_crossed() -> list[Any]:
    """Every value of every option; the table variants share the cases."""
    first = TABLE_VARIANTS[0]

    def possible(case: dict[str, Any]) -> bool:
        return not refusals(first, {name: case[name] for name in case if name != "variant"})

    some: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLE_VARIANTS}
    for case in crossed({"variant": TABLE_VARIANTS, **TABLE_CHOICES}, possible, at_once=1):
        some[case.pop("variant")].append(case)
    return cases({**{name: alone(name) for name in CHOICES if name not in some}, **some})


@few_or_all("name, options, seed", few=cases(FEWEST_AND_MOST), every=cases(PLAYERS))
def test_core_equals_reference_under_default_options(
    name: str, options: dict[str, Any], seed: int, thorough: bool
) -> None:
    games, steps = (6, 500) if thorough else (4, 200)
    assert play(name, options, games=games, steps=steps, seed=seed) == games * steps


@few_or_all("name, options, seed", few=few_crossed(), every=all_crossed)
def test_core_equals_reference_with_options_crossed(
    name: str, options: dict[str, Any], seed: int, thorough: bool
) -> None:
    habits = [Habit(), Habit(("WILD", "RUMMY", "7"))]
    habits = habits if name in DECLARED else habits[:1]
    games, steps = (5, 360) if thorough else (4, 160)
    played = play(name, options, games=games, steps=steps, seed=seed, habits=habits)
    assert played == games * steps


@pytest.mark.parametrize("name", CHOICES)
def test_every_two_values_are_tried_together_or_refused_with_a_remedy(name: str) -> None:
    for one, other in combinations(CHOICES[name], 2):
        met = [(case[one], case[other]) for case in together(name)]
        for pair in ((a, b) for a in CHOICES[name][one] for b in CHOICES[name][other]):
            if pair not in met:
                said = refusals(name, dict(zip((one, other), pair, strict=True)))
                assert said, pair
                assert all(re.match(r"\w+=.*(: give|; give|: leave) ", text) for text in said), said


WAYS: dict[str, tuple[str, dict[str, Any], list[Habit], set[str]]] = {
    "cards taken to be used": (
        "rummy500",
        {"free_top": False, "num_players": 3},
        [Habit()],
        {
            "take_pile",
            "deep in the pile",
            "lay_off_group",
            "lay_off_sequence",
            "played first",
            "used at last",
        },
    ),
    "going out": (
        "going_out",
        {"hand_size": 4},
        [Habit(("WILD",))],
        {"go_out", "1 winners", "draw_discard"},
    ),
    "four sevens": (
        "going_out",
        {"four_sevens": True, "num_players": 3},
        [Habit(("7",), 0), Habit(("7",), 2)],
        {"four_sevens", "renewed stock", "stalemate"},
    ),
    "four sevens with holders of RUMMY cards": (
        "rummy_cards",
        {"four_sevens": True, "decks": 2, "num_players": 2},
        [Habit(("7", "RUMMY"), 0)],
        {"four_sevens", "lay_down_rummy"},
    ),
    "shared wins": (
        "rummy_cards",
        {"num_players": 5, "going_out_variation": True},
        [Habit(("RUMMY", "WILD"))],
        {"1 winners", "2 winners", "3 winners"},
    ),
    "an exhausted stock": (
        "rummy_cards",
        {"num_players": 4},
        [Habit(("RUMMY",)), Habit()],
        {f"exhausted stock, {winners} winners" for winners in range(3)},
    ),
    "a tie-break game": (
        "rummy_cards",
        {"num_players": 3, "match": "match"},
        [Habit(("RUMMY",))],
        {"a seat sits out"},
    ),
    "three cards drawn": (
        "rummy_cards",
        {"three_card_draw": True, "max_turns": 30},
        [Habit()],
        {"extra_draw", "stalemate"},
    ),
    "a pile spread out": (
        "rummy_cards",
        {"spread_out_discards": True, "num_players": 3, "going_out_variation": True},
        [Habit()],
        {"take_pile", "deep in the pile", "renewed stock"},
    ),
}
"""A variant, options, what the players lean to, and what must then happen."""


@pytest.mark.parametrize("what", WAYS)
def test_core_equals_reference_in_every_way_that_a_hand_can_go(what: str, thorough: bool) -> None:
    name, options, habits, expected = WAYS[what]
    met: Counter[str] = Counter()
    steps, until = (600, None) if thorough else (400, expected)
    play(name, options, games=6, steps=steps, seed=1, habits=habits, met=met, until=until)
    assert expected <= met.keys(), met


@pytest.fixture
def house_rule(monkeypatch: pytest.MonkeyPatch) -> str:
    """An option that every variant has from now on, and no reference knows; False by default."""

    def with_house_rule(make: Callable[..., Rules]) -> Callable[..., Rules]:
        def made(*, house_rule: bool = False, **options: Any) -> Rules:
            rules = make(**options)
            return replace(rules, options=(*rules.options, ("house_rule", house_rule)))

        known, new = (inspect.signature(function) for function in (make, made))
        both = [*known.parameters.values(), new.parameters["house_rule"]]
        made.__signature__ = known.replace(parameters=both)  # type: ignore[attr-defined]
        return made

    changed = {name: with_house_rule(make) for name, make in rummy_env.VARIANTS.items()}
    for module in (rummy_env, rummy_env.variants):
        monkeypatch.setattr(module, "VARIANTS", changed)
    return "house_rule"


@pytest.mark.parametrize("name", CHOICES)
def test_an_option_that_the_reference_does_not_know_is_no_matter_at_its_default(
    name: str, house_rule: str
) -> None:
    assert (house_rule, False) in rummy_env.rules(name).options
    assert play(name, {}, games=2, steps=40, seed=1) == 2 * 40


@pytest.mark.parametrize("name", CHOICES)
def test_an_option_that_the_reference_does_not_know_is_refused_at_another_value(
    name: str, house_rule: str
) -> None:
    words = rf"house_rule=True is not known to the reference of {name}: leave it at False, or add"
    with pytest.raises(ValueError, match=words):
        play(name, {house_rule: True}, games=1, steps=1, seed=1)
