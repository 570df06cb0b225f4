"""The options of declared hands: every impossible value and contradiction is refused by name."""

import inspect
from typing import Any

import pytest

import rummy_env
from tests.lockstep import DECLARED

_FLAGS = [1, 0, "yes", None]
COMMON: dict[str, tuple[list[Any], list[Any]]] = {
    "stock_estimate": (["", "rough", None, 1], ["coarse", "exact"]),
    "pile_recall": (_FLAGS, [True, False]),
    "match": (["game", "", True, None], ["hand", "match"]),
    "max_hands": ([0, -5, 1.5, True, "9"], [1, 12]),
    "reward": (["sum", "", 1, None], ["points", "zero_sum", "win"]),
    "max_turns": ([0, -1, 1.5, True, "100", None], [1, 1000]),
}
VALUES: dict[str, dict[str, tuple[list[Any], list[Any]]]] = {
    "going_out": {
        "num_players": ([1, 11, 0, -2, 2.0, True, "2", None], [2, 5, 10]),
        "hand_size": ([1, 0, -1, 11, 2.5, True, "7"], [2, 7, 10]),
        "wildcards": ([-1, 4, 7, 1.0, True, "3", None], [0, 1, 2, 3]),
        "leftover": (["one", "", 1, None], ["at_most_one", "none", "exactly_one"]),
        "four_sevens": (_FLAGS, [True, False]),
        "sequences_rummy": (_FLAGS, [True, False]),
        **COMMON,
    },
    "rummy_cards": {
        "num_players": ([1, 7, 0, -2, 2.0, True, "2", None], [2, 4, 6]),
        "decks": ([0, 3, 1.0, True, "1", None], [1, 2]),
        **{
            f"{card}_card": (_FLAGS if card != "cant_go_out" else _FLAGS[:-1], [True, False])
            for card in ("group", "sequence", "no_meld", "cant_go_out")
        },
        "going_out_variation": (_FLAGS, [False]),
        "three_card_draw": (_FLAGS, [True, False]),
        "four_sevens": (_FLAGS, [True, False]),
        "spread_out_discards": (_FLAGS, [True, False]),
        **COMMON,
    },
}
"""For every option of each variant, values that it may not have, and values that it may."""


def values_of(which: int) -> list[Any]:
    """Parameters of a test: variant, option, and an impossible or a possible value."""
    return [
        pytest.param(name, option, value, id=f"{name}-{option}={value!r}")
        for name, options in VALUES.items()
        for option, lists in options.items()
        for value in lists[which]
    ]


def given(option: str, value: Any) -> dict[str, Any]:
    """The option with what it needs beside it."""
    return {option: value, **({"match": "match"} if option == "max_hands" else {})}


@pytest.mark.parametrize("name", DECLARED)
def test_the_lists_of_values_cover_every_option(name: str) -> None:
    assert list(VALUES) == list(DECLARED)
    assert list(VALUES[name]) == list(inspect.signature(rummy_env.VARIANTS[name]).parameters)


@pytest.mark.parametrize(("name", "option", "value"), values_of(0))
def test_an_impossible_value_is_refused_with_the_option_the_value_and_the_remedy(
    name: str, option: str, value: Any
) -> None:
    with pytest.raises(ValueError, match="give ") as refused:
        rummy_env.rules(name, **given(option, value))
    assert f"{option}={value!r}" in str(refused.value)


@pytest.mark.parametrize(("name", "option", "value"), values_of(1))
def test_a_possible_value_is_taken_as_it_is(name: str, option: str, value: Any) -> None:
    assert dict(rummy_env.rules(name, **given(option, value)).options)[option] == value


LARGEST = {2: 10, 3: 10, 4: 7, 5: 5, 6: 5, 7: 3, 8: 2, 9: 2, 10: 2}
"""Players, and the most cards each, as the document of Going Out lists them."""


@pytest.mark.parametrize("players", LARGEST)
def test_the_document_says_how_many_cards_so_many_players_may_have(players: int) -> None:
    most = LARGEST[players]
    for size in range(2, most + 1):
        assert rummy_env.rules("going_out", num_players=players, hand_size=size).hand_size == size
    with pytest.raises(ValueError, match=rf"hand_size={most + 1}: .* {most} with num_players="):
        rummy_env.rules("going_out", num_players=players, hand_size=most + 1)


@pytest.mark.parametrize("players", LARGEST)
def test_seven_cards_are_dealt_or_as_many_as_there_may_be(players: int) -> None:
    assert rummy_env.rules("going_out", num_players=players).hand_size == min(LARGEST[players], 7)


@pytest.mark.parametrize("wildcards", [3, 4, 5, 6, 7])
def test_sequences_rummy_has_three_to_seven_wildcards(wildcards: int) -> None:
    rules = rummy_env.rules("going_out", sequences_rummy=True, wildcards=wildcards)
    assert rules.pack.num_cards == 52 + wildcards


CONTRADICTIONS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "four WILDCARDs without Sequences Rummy": (
        "going_out",
        {"wildcards": 4},
        ["wildcards=4", "0 to 3", "sequences_rummy=False"],
    ),
    "two WILDCARDs in Sequences Rummy": (
        "going_out",
        {"wildcards": 2, "sequences_rummy": True},
        ["wildcards=2", "3 to 7", "sequences_rummy=True"],
    ),
    "eight WILDCARDs in Sequences Rummy": (
        "going_out",
        {"wildcards": 8, "sequences_rummy": True},
        ["wildcards=8", "3 to 7", "sequences_rummy=True"],
    ),
    "hands too small for two sequences": (
        "going_out",
        {"hand_size": 4, "sequences_rummy": True},
        ["hand_size=4", "sequences_rummy=True", "at least 5"],
    ),
    "two cards under Minor": (
        "going_out",
        {"hand_size": 2, "leftover": "exactly_one"},
        ["hand_size=2", "leftover='exactly_one'", "at least 3"],
    ),
    "Four Sevens with two cards": (
        "going_out",
        {"num_players": 8, "four_sevens": True},
        ["four_sevens=True", "hand_size=2", "at least 3"],
    ),
    "Minor for ten players": (
        "going_out",
        {"num_players": 10, "leftover": "exactly_one"},
        ["hand_size=2", "leftover='exactly_one'", "fewer players"],
    ),
    "CAN'T GO OUT in the Going Out Variation": (
        "rummy_cards",
        {"num_players": 3, "cant_go_out_card": True, "going_out_variation": True},
        ["cant_go_out_card=True", "going_out_variation=True", "leave one of them out"],
    ),
    "two players of the Going Out Variation": (
        "rummy_cards",
        {"going_out_variation": True},
        ["num_players=2", "3 to 7", "going_out_variation=True"],
    ),
    "eight players of the Going Out Variation": (
        "rummy_cards",
        {"num_players": 8, "going_out_variation": True},
        ["num_players=8", "3 to 7", "going_out_variation=True"],
    ),
    "seven players without it": (
        "rummy_cards",
        {"num_players": 7},
        ["num_players=7", "2 to 6", "going_out_variation=False"],
    ),
    "max_hands for a single hand of Going Out": (
        "going_out",
        {"max_hands": 9},
        ["max_hands=9", "match='match'"],
    ),
    "max_hands for a single hand with RUMMY cards": (
        "rummy_cards",
        {"max_hands": 9},
        ["max_hands=9", "match='match'"],
    ),
    "an option of another variant": ("going_out", {"decks": 2}, ["no option decks=2", "wildcards"]),
    "hands of another size": ("rummy_cards", {"hand_size": 7}, ["no option hand_size=7", "decks"]),
}
"""A variant, options that do not go together, and what the message must name."""


@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_a_contradiction_is_refused_with_both_options_and_the_remedy(what: str) -> None:
    name, options, named = CONTRADICTIONS[what]
    with pytest.raises(ValueError, match=named[0]) as refused:
        rummy_env.rules(name, **options)
    assert all(words in str(refused.value) for words in named), str(refused.value)


@pytest.mark.parametrize("variation", [True, False])
def test_cant_go_out_is_left_out_of_the_going_out_variation(variation: bool) -> None:
    rules = rummy_env.rules("rummy_cards", num_players=3, going_out_variation=variation)
    assert rules.cant_go_out_card is not variation
    assert ("CANT_GO_OUT" in rules.pack.specials) is not variation


@pytest.mark.parametrize(("decks", "cards"), [(1, 61), (2, 113)])
def test_rummy_cards_is_played_with_61_or_113_cards(decks: int, cards: int) -> None:
    assert rummy_env.rules("rummy_cards", decks=decks).pack.num_cards == cards


def test_every_optional_card_may_be_left_out() -> None:
    cards = ("group", "sequence", "no_meld", "cant_go_out")
    without: dict[str, Any] = {f"{card}_card": False for card in cards}
    assert rummy_env.rules("rummy_cards", **without).pack.num_cards == 57
    for option in without:
        specials = rummy_env.rules("rummy_cards", **{**without, option: True}).pack.specials
        assert specials == ("WILD",) * 3 + ("RUMMY",) * 2 + (option[:-5].upper(),)


@pytest.mark.parametrize("name", DECLARED)
def test_what_depends_on_other_options_is_filled_in(name: str) -> None:
    assert rummy_env.rules(name).max_hands is None
    assert rummy_env.rules(name, match="match").max_hands == 100
    assert rummy_env.rules(name).reward == "win"
