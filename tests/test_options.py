"""Every option is checked when the rules are made: a message names it, its value and the remedy."""

import inspect
from typing import Any

import pytest

import rummy_env
from rummy_env import Rules
from tests.rollout import COPIES
from tests.table import TABLE_VARIANTS

IMPOSSIBLE: dict[str, list[Any]] = {
    "num_players": [1, 7, 0, -2, 2.0, True, "2", None],
    "hand_size": [0, 1, -1, 53, 2.5, True, "7"],
    "ace": ["high", "LOW", 1, True, None],
    "melds_per_turn": [0, -1, 18, 1.0, True, "1"],
    "lay_off": [1, 0, "yes", None],
    "final_discard": [1, 0, "no", None],
    "restock": ["shuffle", "", 0, None],
    "going_rummy": [1, 0, "yes", None],
    "match": ["game", "", True, None],
    "target": [0, -5, 1.5, True, "100"],
    "deals": [0, -5, 1.5, True, "3"],
    "max_hands": [0, -5, 1.5, True, "9"],
    "reward": ["sum", "", 1, None],
    "max_turns": [0, -1, 1.5, True, "100", None],
}
"""For every option of the table family, values that it may not have."""

POSSIBLE: dict[str, list[Any]] = {
    "num_players": [2, 3, 4, 5, 6],
    "hand_size": [2, 10, 25, None],
    "ace": ["low", "high_or_low"],
    "melds_per_turn": [1, 2, 17, None],
    "lay_off": [True, False],
    "final_discard": [True, False],
    "restock": ["shuffle_keep_top", "shuffle_all", "turn_over"],
    "going_rummy": [True, False],
    "match": ["hand", "match"],
    "target": [1, 1000],
    "deals": [1, 12],
    "max_hands": [1, 12],
    "reward": ["points", "zero_sum", "win"],
    "max_turns": [1, 1000],
}
OF_A_MATCH = {"target", "deals", "max_hands"}


@pytest.fixture(params=TABLE_VARIANTS)
def variant(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def given(option: str, value: Any) -> dict[str, Any]:
    """The option with what it needs beside it."""
    return {option: value, **({"match": "match"} if option in OF_A_MATCH else {})}


def test_the_lists_of_values_cover_every_option(variant: str) -> None:
    known = inspect.signature(rummy_env.VARIANTS[variant]).parameters
    assert list(IMPOSSIBLE) == list(POSSIBLE) == list(known)


def test_options_are_given_by_name_alone(variant: str) -> None:
    parameters = inspect.signature(rummy_env.VARIANTS[variant]).parameters.values()
    assert {parameter.kind for parameter in parameters} == {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize(
    ("option", "value"), [(o, v) for o, some in IMPOSSIBLE.items() for v in some]
)
def test_an_impossible_value_is_refused_with_the_option_the_value_and_the_remedy(
    variant: str, option: str, value: Any
) -> None:
    with pytest.raises(ValueError, match="give") as refused:
        rummy_env.rules(variant, **given(option, value))
    assert f"{option}={value!r}" in str(refused.value)


@pytest.mark.parametrize(
    ("option", "value"), [(o, v) for o, some in POSSIBLE.items() for v in some]
)
def test_a_possible_value_is_taken_as_it_is(variant: str, option: str, value: Any) -> None:
    made = rummy_env.rules(variant, **given(option, value))
    effective = dict(made.options)[option]
    assert effective == value if option != "hand_size" else effective == (value or 10)


def test_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="variant='poker'") as refused:
        rummy_env.rules("poker")
    assert all(name in str(refused.value) for name in rummy_env.VARIANTS)


@pytest.mark.parametrize("name", [None, 3, ["basic"], ""])
def test_a_variant_that_is_no_name_is_refused(name: Any) -> None:
    with pytest.raises(ValueError, match="variant="):
        rummy_env.rules(name)


def test_an_unknown_option_is_refused_with_the_known_ones(variant: str) -> None:
    with pytest.raises(ValueError, match="no option players=3") as refused:
        rummy_env.rules(variant, players=3)
    assert "num_players" in str(refused.value)
    with pytest.raises(TypeError, match="players"):
        rummy_env.VARIANTS[variant](players=3)


@pytest.mark.parametrize(("players", "most"), [(2, 25), (3, 16), (4, 12), (5, 10), (6, 8)])
def test_more_cards_than_the_pack_holds_are_refused(variant: str, players: int, most: int) -> None:
    """One card is turned up, and one at least must remain in the stock."""
    rummy_env.rules(variant, num_players=players, hand_size=most)
    with pytest.raises(ValueError, match=f"hand_size={most + 1}") as refused:
        rummy_env.rules(variant, num_players=players, hand_size=most + 1)
    assert f"num_players={players}" in str(refused.value)
    assert f"to {most} with" in str(refused.value)


@pytest.mark.parametrize("option", sorted(OF_A_MATCH))
def test_an_option_of_a_match_is_refused_for_a_single_hand(variant: str, option: str) -> None:
    with pytest.raises(ValueError, match=f"{option}=50") as refused:
        rummy_env.rules(variant, **{option: 50})
    assert "match='match'" in str(refused.value)


@pytest.mark.parametrize("option", ["target", "max_hands"])
def test_a_number_of_deals_contradicts_a_target_and_its_limit(variant: str, option: str) -> None:
    with pytest.raises(ValueError, match=f"{option}=50") as refused:
        rummy_env.rules(variant, match="match", deals=4, **{option: 50})
    assert "deals=4" in str(refused.value)


def test_what_depends_on_other_options_is_filled_in() -> None:
    assert rummy_env.rules("basic", num_players=3).hand_size == 7
    assert rummy_env.rules("basic", num_players=6).hand_size == 6
    assert rummy_env.rules("basic", match="match").target == 500
    assert rummy_env.rules("bonus", match="match").target == 100
    assert rummy_env.rules("classic", match="match", deals=4).target is None
    assert rummy_env.rules("basic").target is None


def test_rules_do_not_change() -> None:
    rules = rummy_env.rules("basic")
    with pytest.raises(AttributeError):
        rules.num_players = 3  # type: ignore[misc]


def test_an_attribute_that_is_no_option_is_refused() -> None:
    with pytest.raises(AttributeError, match="wildcards"):
        _ = rummy_env.rules("basic").wildcards


@pytest.mark.parametrize("way", COPIES)
def test_rules_can_be_copied_and_stay_equal(rules: Rules, way: str) -> None:
    twin = COPIES[way](rules)
    assert twin == rules
    assert hash(twin) == hash(rules)
    assert twin.options == rules.options
    assert twin.num_players == rules.num_players


def test_rules_print_as_the_call_that_makes_them(rules: Rules) -> None:
    assert eval(repr(rules), {"rummy_env": rummy_env}) == rules


def test_rules_are_equal_exactly_if_their_options_are(variant: str) -> None:
    usual = rummy_env.rules(variant)
    assert rummy_env.rules(variant, hand_size=usual.hand_size) == usual
    assert len({usual, rummy_env.rules(variant), rummy_env.rules(variant, num_players=2)}) == 1
    other = rummy_env.rules(variant, max_turns=usual.max_turns + 1)
    assert other != usual
    assert len({usual, other}) == 2


def test_every_option_can_be_read_from_the_rules(rules: Rules) -> None:
    options = dict(rules.options)
    assert list(options) == list(inspect.signature(rummy_env.VARIANTS[rules.name]).parameters)
    assert all(getattr(rules, option) == value for option, value in options.items())
