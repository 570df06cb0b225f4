"""The rules of matches, of rewards and of hands that go nowhere, one test a rule."""

from typing import Any

import pytest

import rummy_env
from rummy_env import Engine
from tests import table as tables
from tests.table import GO_OUT, TABLE_VARIANTS, Table


@pytest.fixture(params=TABLE_VARIANTS)
def variant(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def last_turn(name: str, others: str = "Kd", **given: Any) -> Table:
    """A position in which `GO_OUT` wins the value of the other hands, not doubled."""
    return tables.last_turn(name, others, **{"going_rummy": False, **given})


# Matches


def test_an_episode_is_one_hand_by_default(variant: str) -> None:
    table = last_turn(variant)
    table.play(GO_OUT)
    assert table.engine.terminated[0]
    assert (table["winners"], table["hand_number"]) == ([0], 0)


def test_in_a_match_the_next_hand_is_dealt_at_once_and_the_deal_passes_clockwise(
    variant: str,
) -> None:
    marks = {"dealer": 1, "turn_number": 9}
    table = last_turn(variant, others="Kd | Kc", match="match", deals=2, marks=marks)
    table.play(GO_OUT)
    assert (table["dealer"], table["to_move"], table["phase"]) == (2, 0, "draw")
    assert (table["hand_number"], table["turn_number"]) == (1, 0)
    assert (table["scores"], table["melds"]) == ([20, 0, 0], [])
    assert [len(hand) for hand in table["hands"]] == [7, 7, 7]
    assert not table.engine.finished[0]


def test_the_deal_goes_around_the_table() -> None:
    engine = Engine(rummy_env.rules("basic", num_players=3, match="match", deals=7, max_turns=1))
    engine.reset()
    dealers = []
    while not engine.finished[0]:
        table = engine.snapshot(0)
        if table["phase"] == "draw":
            dealers.append(table["dealer"])
            assert table["to_move"] == (table["dealer"] + 1) % 3
        engine.step([engine.legal_mask()[0].nonzero()[0][-1]])
    assert dealers == [(dealers[0] + hand) % 3 for hand in range(7)]


def test_every_hand_of_a_match_is_shuffled_anew(variant: str) -> None:
    rules = rummy_env.rules(variant, match="match", deals=4, max_turns=1)
    engine, stocks = Engine(rules), set()
    engine.reset()
    while not engine.finished[0]:
        stocks.add(tuple(engine.snapshot(0)["stock"][-20:]))
        engine.step([engine.legal_mask()[0].nonzero()[0][-1]])
    assert len(stocks) == 4


def test_each_hand_of_a_match_offers_going_rummy_anew() -> None:
    table = last_turn(
        "bonus",
        match="match",
        deals=2,
        going_rummy=True,
        marks={"first_play": [0, 0], "turn_number": 2},
    )
    table.play(GO_OUT)
    assert table["first_play"] == [-1, -1]


@pytest.mark.parametrize(("score", "wins"), [(89, False), (90, True), (95, True)])
def test_the_first_to_reach_the_target_wins_the_match(variant: str, score: int, wins: bool) -> None:
    match: dict[str, Any] = {"match": "match", "target": 100, "marks": {"scores": [score, 95]}}
    table = last_turn(variant, **match)
    table.play(GO_OUT)
    assert table["finished"] is wins
    assert table["winners"] == ([0] if wins else [])
    assert table["scores"] == [score + 10, 95]


def test_the_usual_target_is_that_of_the_document() -> None:
    targets = {name: rummy_env.rules(name, match="match").target for name in TABLE_VARIANTS}
    assert targets == {"basic": 500, "bonus": 100, "classic": 100}


def test_the_most_points_after_the_agreed_deals_win(variant: str) -> None:
    match: dict[str, Any] = {"match": "match", "deals": 3, "reward": "win"}
    for scores, winners, paid in (
        ([5, 40, 1], [1], [-0.5, 1, -0.5]),
        ([40, 5, 1], [0], [1, -0.5, -0.5]),
    ):
        marks = {"scores": scores, "hand_number": 2}
        table = last_turn(variant, others="Kd | ", marks=marks, **match)
        assert table.play(GO_OUT) == paid
        assert (table["winners"], table["finished"]) == (winners, True)


def test_a_tie_after_the_agreed_deals_is_a_shared_win(variant: str) -> None:
    marks = {"scores": [5, 15, 1], "hand_number": 2}
    match: dict[str, Any] = {"match": "match", "deals": 3, "reward": "win"}
    table = last_turn(variant, others="Kd | ", marks=marks, **match)
    assert table.play(GO_OUT) == [0.5, 0.5, -1]
    assert table["winners"] == [0, 1]


def test_a_match_of_deals_goes_on_until_the_last(variant: str) -> None:
    match: dict[str, Any] = {"match": "match", "deals": 3, "marks": {"hand_number": 1}}
    table = last_turn(variant, **match)
    table.play(GO_OUT)
    assert (table["finished"], table["hand_number"]) == (False, 2)


def test_a_match_without_a_winner_is_truncated_after_max_hands(variant: str) -> None:
    match: dict[str, Any] = {
        "match": "match",
        "target": 100,
        "max_hands": 4,
        "marks": {"hand_number": 3},
    }
    table = last_turn(variant, **match)
    table.play(GO_OUT)
    assert table.engine.truncated[0]
    assert not table.engine.terminated[0]
    assert (table["winners"], table["scores"]) == ([], [10, 0])


def test_reaching_the_target_in_the_last_hand_allowed_wins_the_match(variant: str) -> None:
    marks = {"hand_number": 3, "scores": [95, 0]}
    table = last_turn(variant, match="match", target=100, max_hands=4, marks=marks)
    table.play(GO_OUT)
    assert table.engine.terminated[0]
    assert not table.engine.truncated[0]


# Rewards


def test_points_go_to_the_winner_alone() -> None:
    table = last_turn("classic", others="As 5h | Td Kd", reward="points")
    assert table.play(GO_OUT) == [26, 0, 0]


def test_zero_sum_takes_from_each_loser_the_own_part_divided_by_a_hundred() -> None:
    table = last_turn("classic", others="As 5h | Td Kd", reward="zero_sum")
    assert table.play(GO_OUT) == [0.26, -0.06, -0.2]
    table = last_turn("bonus", others="As 5h | Td Kd", reward="zero_sum", going_rummy=True)
    assert table.play(GO_OUT) == [0.52, -0.12, -0.4]


def test_zero_sum_is_the_default_of_table_melds(variant: str) -> None:
    assert rummy_env.rules(variant).reward == "zero_sum"
    assert last_turn(variant).play(GO_OUT) == [0.1, -0.1]


def test_win_pays_one_to_the_winner_and_minus_one_shared_by_the_losers(variant: str) -> None:
    table = last_turn(variant, others="As | Td | Kd", reward="win")
    assert table.play(GO_OUT) == [1, -0.333333, -0.333333, -0.333333]


def test_win_pays_at_the_end_of_the_match_alone(variant: str) -> None:
    table = last_turn(variant, match="match", deals=2, reward="win")
    assert table.play(GO_OUT) == [0, 0]
    assert table["scores"] == [10, 0]


@pytest.mark.parametrize(("reward", "paid"), [("points", [10, 0]), ("zero_sum", [0.1, -0.1])])
def test_points_are_paid_at_the_end_of_every_hand(
    variant: str, reward: str, paid: list[float]
) -> None:
    table = last_turn(variant, match="match", deals=2, reward=reward)
    assert table.play("draw stock; lay off 9c on group") == [0, 0]
    assert table.play("lay off 8s on sequence") == paid
    assert table.play("draw stock") == [0, 0]


# A hand that goes nowhere


@pytest.mark.parametrize("reward", ["points", "zero_sum", "win"])
def test_a_hand_of_too_many_turns_is_truncated_and_nobody_scores(variant: str, reward: str) -> None:
    table = last_turn(variant, max_turns=5, reward=reward, marks={"turn_number": 4})
    assert table.play("draw stock; discard 8s") == [0, 0]
    assert table.engine.truncated[0]
    assert not table.engine.terminated[0]
    assert (table["winners"], table["scores"], table["turn_number"]) == ([], [0, 0], 5)


def test_going_out_in_the_last_turn_counts(variant: str) -> None:
    table = last_turn(variant, max_turns=5, reward="points", marks={"turn_number": 4})
    assert table.play(GO_OUT) == [10, 0]
    assert table.engine.terminated[0]
    assert not table.engine.truncated[0]


def test_the_last_turn_but_one_is_not_the_last(variant: str) -> None:
    table = last_turn(variant, max_turns=5, marks={"turn_number": 3})
    table.play("draw stock; discard 8s")
    assert (table["finished"], table["turn_number"]) == (False, 4)


def test_a_truncated_hand_counts_as_a_deal_and_the_match_goes_on(variant: str) -> None:
    options: dict[str, Any] = {"match": "match", "deals": 2, "max_turns": 1, "reward": "win"}
    table = last_turn(variant, marks={"scores": [3, 3]}, **options)
    assert table.play("draw stock; discard 8s") == [0, 0]
    assert (table["finished"], table["hand_number"]) == (False, 1)
    table.play("draw stock")
    assert table.play(f"discard {table['hands'][table['to_move']][0]}") == [0.5, 0.5]
    assert table["winners"] == [0, 1]
    assert table.engine.terminated[0]


@pytest.mark.parametrize("variant", ["basic", "bonus", "classic", "rummy500"])
def test_a_match_of_deals_whose_last_hand_is_cut_off_says_so(variant: str) -> None:
    engine = Engine(rummy_env.rules(variant, match="match", deals=1, max_turns=1), 4, seed=1)
    engine.reset()
    while not engine.finished.all():
        engine.step(engine.random_actions())
    assert engine.terminated.all()
    assert engine.how_ended() == ["cut off"] * 4


@pytest.mark.parametrize(("variant", "ending"), [("gin", "void"), ("rummy500", "stock exhausted")])
def test_a_stock_that_runs_out_in_the_last_turn_ends_the_hand_by_the_rules(
    variant: str, ending: str
) -> None:
    def played(**options: int) -> Engine:
        engine = Engine(rummy_env.rules(variant, **options), seed=2)
        engine.reset()
        stock = engine.space.index("draw_stock")
        while not engine.finished[0]:
            legal = engine.legal_mask()[0]
            engine.step([stock if legal[stock] else len(legal) - 1 - legal[::-1].argmax()])
        return engine

    engine = played()
    assert engine.how_ended() == [ending]
    turns = int(engine.state.turn_number[0])
    assert played(max_turns=turns).how_ended() == [ending]
    assert played(max_turns=turns - 1).how_ended() == ["cut off"]
