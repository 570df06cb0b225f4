"""The observation as a vector: what it says is what lies on the table, seen from the seat."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Rules
from rummy_env.baselines.layout import action_layout, observation_layout
from rummy_env.baselines.networks import wiring
from rummy_env.core.features import Scalar, one_hot
from rummy_env.parts.match import GamePoints
from rummy_env.views.features import observer
from tests.observations import Told, check, told_of
from tests.rollout import dealt, random_play, tables
from tests.table import lay

# The vector


def test_the_layout_names_every_entry_once(rules: Rules) -> None:
    told = observer(rules)
    at = 0
    for name, start, width, meaning in told.layout():
        assert (start, bool(name), bool(meaning)) == (at, True, True)
        at += width
    assert at == told.size
    names = [name for name, *_ in told.layout()]
    assert len(set(names)) == len(names)


def test_an_observation_is_zeros_and_ones_of_one_size(rules: Rules) -> None:
    engine = dealt(rules, num_envs=16, steps=45)
    for seat in range(rules.num_players):
        vectors = observer(rules)(engine.look(seat))
        assert vectors.dtype == np.int8
        assert vectors.shape == (16, observer(rules).size)
        assert set(np.unique(vectors)) == {0, 1}


def test_an_observation_does_not_depend_on_the_batch(rules: Rules) -> None:
    engine, tell = dealt(rules, num_envs=16, steps=45), observer(rules, "outs")
    seats = np.arange(16) % rules.num_players
    together = tell(engine.look(seats))
    for row in range(16):
        alone = tell(engine.look(seats[[row]], rows=[row]))
        assert alone.tobytes() == together[row].tobytes()


def test_an_observation_is_a_new_array_every_time(rules: Rules) -> None:
    engine = dealt(rules, num_envs=2)
    tell = observer(rules, "outs")
    first = tell(engine.look(0))
    before = first.copy()
    for _ in random_play(engine, 5):
        tell(engine.look(0))
    assert (first == before).all()


# What it says, against the table


def test_an_observation_says_what_lies_on_the_table(rules: Rules) -> None:
    engine = dealt(rules, num_envs=3)
    for step, _ in enumerate(random_play(engine, 120)):
        if step % 6:
            continue
        for row, table in enumerate(tables(engine)):
            seat = (step // 6 + row) % rules.num_players
            check(Told(engine, seat, row), table, seat, rules)


def test_what_fits_what_can_be_melded_and_what_is_wanted_are_pointed_out() -> None:
    table = lay("basic", "7c 7d 7h 9s Ts 2d 3d | Kc", melds="4h 5h 6h | Qc Qd Qh")
    told = told_of(table)
    assert told.cards("fits") == {"3h", "7h", "Qs"}
    assert told.cards("meldable") == {"7c", "7d", "7h"}
    assert told.cards("wanted") == {"7s", "8s", "Js", "Ad", "4d"}
    high = lay("basic", "Ks Qs 2c | Kc", melds="Jh Qh Kh", ace="high_or_low")
    assert told_of(high).cards("fits") == {"Th", "Ah"}
    assert told_of(high).cards("wanted") == {"Js", "As"}
    assert "fits" not in told_of(lay("basic", "7c | Kc", lay_off=False)).entries


def test_a_taken_card_is_known_to_all_until_it_leaves_the_hand() -> None:
    table = lay("basic", "2c 5d | Kc 3s | Qc 4s", stock="Jh 9h Th", discard="7s")
    table.play("draw discard")
    assert told_of(table, 1).cards("known_2") == told_of(table, 2).cards("known_1") == {"7s"}
    assert told_of(table, 1).cards("taken") == {"7s"}
    table.play("discard 2c; draw stock; discard Jh; draw stock; discard 9h")
    assert told_of(table, 1).cards("known_2") == {"7s"}
    assert not told_of(table, 1).cards("taken")
    table.play("draw stock; discard 7s")
    assert not told_of(table, 1).cards("known_2")


def test_cards_shuffled_back_are_told_until_they_are_seen_again() -> None:
    cards = "2c 5d | Kc 3s"
    table = lay("basic", cards, stock="9d", discard="3d 4d 5h", rest="last hand")
    table.play("draw stock; discard 9d")
    returned = {"3d", "4d", "5h"}
    assert told_of(table, 0).cards("recycled") == told_of(table, 1).cards("recycled") == returned
    drawn = table["stock"][0]
    table.play("draw stock")
    assert told_of(table, 0).cards("recycled") == returned
    assert told_of(table, 1).cards("recycled") == returned - {drawn}
    table.play(f"discard {drawn}")
    assert told_of(table, 0).cards("recycled") == returned - {drawn}


def test_a_stock_turned_over_is_told_card_by_card() -> None:
    table = lay("classic", "2c 5d | Kc 3s", stock="9d", discard="3d 4d 5h", rest="last hand")
    table.play("draw stock; discard 9d")
    assert told_of(table).entries["open"] == [0]
    assert not told_of(table).cards("next")
    table.play("draw stock")
    told = told_of(table)
    assert told.entries["open"] == [1]
    assert told.cards("next") == {"4d"}
    assert told.cards("known_1") == {"3d"}
    assert told.cards("recycled") == {"4d", "5h", "9d"}


def test_a_high_ace_is_told_apart() -> None:
    table = lay("basic", "2h 5c | Kc", melds="Qs Ks As | Ad 2d 3d", ace="high_or_low")
    told = told_of(table)
    assert told.cards("high_aces") == {"As"}
    assert told.cards("sequences") == {"Qs", "Ks", "Ad", "2d", "3d"}


def test_the_melds_of_a_turn_are_counted_where_they_are_limited() -> None:
    table = lay("classic", "7c 7d 7h 2s 9d | Kc", melds_per_turn=2)
    assert told_of(table).count("melds") == 0
    table.play("draw stock; meld 7c 7d 7h")
    assert told_of(table, 0).count("melds") == told_of(table, 1).count("melds") == 1
    assert "melds" not in told_of(lay("basic", "7c | Kc")).entries


def test_who_has_played_before_is_told_where_going_rummy_counts() -> None:
    table = lay("bonus", "7c 7d 7h 2s 9d | Kc 3s", stock="Jc Js")
    table.play("draw stock; meld 7c 7d 7h")
    assert told_of(table, 0).entries["played_0"] == [0]  # not in an earlier turn
    table.play("discard Jc")
    assert told_of(table, 0).entries["played_0"] == told_of(table, 1).entries["played_1"] == [1]
    assert told_of(table, 1).entries["played_0"] == [0]
    assert "played_0" not in told_of(lay("basic", "7c | Kc")).entries


@pytest.mark.parametrize(
    ("score", "reached"), [(0, 0), (49, 0), (50, 1), (449, 8), (460, 9), (900, 9)]
)
def test_the_score_of_a_match_is_told_in_tenths_of_the_target(score: int, reached: int) -> None:
    marks = {"scores": [0, score]}
    table = lay("basic", "7c | Kc", match="match", target=500, max_hands=1000, marks=marks)
    assert told_of(table, 0).count("score_1") == told_of(table, 1).count("score_0") == reached
    assert "score_0" not in told_of(lay("basic", "7c | Kc")).entries


def test_a_finished_game_has_no_phase() -> None:
    table = lay("basic", "7c 7d | Kd", stock="7h")
    table.play("draw stock; meld 7c 7d 7h")
    assert told_of(table).choice("phase") is None
    assert told_of(table, 1).cards("hand") == {"Kd"}


def test_equal_rules_share_an_observer() -> None:
    rules, same = rummy_env.rules("basic"), rummy_env.rules("basic", num_players=2)
    assert observer(rules) is observer(same) is observer(same, "hints")
    assert observer(rules, "outs") is observer(same, "outs") is not observer(rules)


def test_levels_in_the_hundred_thousands_are_told() -> None:
    marks = {"scores": [0, 50_000], "turn_number": 45_000}
    match: dict[str, Any] = {"match": "match", "target": 100_000, "max_turns": 100_000}
    told = told_of(lay("basic", "7c | Kc", marks=marks, **match))
    assert (told.count("score_1"), told.count("turns")) == (5, 5)


def test_a_number_with_as_many_entries_as_cards_is_told_with_one_more() -> None:
    number = Scalar("mine", "tens of points", lambda view: view.scores[:, 0] // 10, one_hot(52))
    assert number.width == 53
    assert replace(number, name="yours").width == 53
    assert {len(code) for code in number.codes} == {53}
    assert [code.index(1) for code in number.codes] == [*range(52)]
    match = GamePoints(52, 200, winner_first=True, sends_out=False)
    rules = replace(rummy_env.rules("going_out"), episode=match)
    told = {name: width for name, _, width, _ in observer(rules, "outs").layout()}
    assert told["score_0"] == told["score_1"] == 53
    wiring(observation_layout(rules, "outs"), action_layout(rules))
