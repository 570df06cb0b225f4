"""The luck of draws, which a comparison may take off the points."""

import json
from pathlib import Path

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.baselines import Greedy, Policy, Trained
from rummy_env.core.keys import game_seeds
from rummy_env.evaluation import arena, compare
from rummy_env.evaluation.luck import Luck
from rummy_env.evaluation.statistics import less_luck
from tests.compared import run

WITH_CRITICS = ("basic", "bonus", "classic", "gin", "rummy500")


def played(rules: Rules, moves: int, games: int = 6) -> Engine:
    """Games between legal moves, all going on."""
    engine = Engine(rules, games, seed=5)
    engine.reset()
    for _ in range(moves):
        engine.step(engine.random_actions())
    return engine


def draws(engine: Engine) -> np.ndarray:
    """The games whose mover may draw from the stock."""
    draw = engine.space.index("draw_stock")
    return engine.legal_mask()[:, draw].nonzero()[0]


@pytest.mark.parametrize(
    ("variant", "players"), [*((variant, 2) for variant in WITH_CRITICS), ("basic", 4)]
)
def test_over_all_cards_that_could_come_luck_adds_up_to_nothing(variant: str, players: int) -> None:
    rules = rummy_env.rules(variant, num_players=players)
    engine = next(each for each in (played(rules, moves) for moves in range(8)) if draws(each).size)
    row, draw = draws(engine)[0], engine.space.index("draw_stock")
    left = int(engine.state.stock_left(np.array([row]))[0])
    games = Engine(rules, left)
    state = engine.state.take(np.full(left, row))
    top = int(state.stock_at[0])
    for number in range(left):
        stock = state.stock[number]
        stock[[top, top + number]] = stock[[top + number, top]]
    games.lay(state)
    luck = Luck(rules).of_draws(games, np.arange(left), np.full(left, draw))
    assert np.abs(luck).max() > 0.1
    assert np.abs(luck.sum(axis=0)).max() < 1e-3
    assert np.abs(luck.sum(axis=1)).max() < 1e-9


def test_luck_does_not_depend_on_what_lies_under_the_next_card() -> None:
    engine = played(rummy_env.rules("basic"), 0)
    rows = draws(engine)
    actions = np.full(rows.size, engine.space.index("draw_stock"))
    before = Luck(engine.rules).of_draws(engine, rows, actions)
    for row in rows:
        below = slice(engine.state.stock_at[row] + 1, engine.state.stock_end[row])
        engine.state.stock[row, below] = engine.state.stock[row, below][::-1]
    after = Luck(engine.rules).of_draws(engine, rows, actions)
    assert np.abs(before).max() > 0.1
    assert np.allclose(before, after, atol=1e-4)


def test_other_actions_and_stocks_that_were_turned_over_have_no_luck() -> None:
    engine = played(rummy_env.rules("classic"), 0)
    rows, luck = draws(engine), Luck(engine.rules)
    stock, pile = (engine.space.index(kind) for kind in ("draw_stock", "draw_discard"))
    assert luck.of_draws(engine, rows, np.full(rows.size, stock)).any(axis=1).all()
    assert not luck.of_draws(engine, rows, np.full(rows.size, pile)).any()
    engine.state.stock_open[:] = True
    assert not luck.of_draws(engine, rows, np.full(rows.size, stock)).any()


def test_valuing_draws_changes_nothing_at_the_table() -> None:
    engine = played(rummy_env.rules("gin"), 2)
    before = {name: array.copy() for name, array in engine.state.arrays()}
    rows = draws(engine)
    Luck(engine.rules).of_draws(engine, rows, np.full(rows.size, engine.space.index("draw_stock")))
    assert all((array == before[name]).all() for name, array in engine.state.arrays())


@pytest.mark.slow
@pytest.mark.parametrize("variant", WITH_CRITICS)
def test_luck_is_nothing_on_average_and_explains_what_points_scatter_by(variant: str) -> None:
    rules, deals = rummy_env.rules(variant), 400
    agents: list[Policy] = [Greedy(), Trained()]
    seatings = arena.head_to_head(2, deals)
    luck = Luck(rules).of_draws
    found = arena.play(rules, agents, seatings, game_seeds(3, deals), luck=luck)
    mine = found.seatings == 0
    lucky = np.where(mine, found.luck, -found.luck).sum((1, 2))
    leads = np.where(mine, found.points, -found.points).sum((1, 2))
    assert abs(lucky.mean()) < 4 * lucky.std() / deals**0.5
    assert np.corrcoef(leads, lucky)[0, 1] > 0.3


def test_the_worth_of_luck_is_that_which_explains_all_other_deals_best() -> None:
    values, luck = np.random.default_rng(1).normal(size=(2, 9))
    for deal, found in enumerate(less_luck(values, luck)):
        others = np.arange(9) != deal
        centred = luck[others] - luck[others].mean()
        against = 4 * (luck[others] ** 2).sum() / 8
        worth = (centred @ values[others]) / (centred @ centred + against)
        assert found == pytest.approx(values[deal] - worth * luck[deal])
    assert (less_luck(values, np.zeros(9)) == values).all()
    assert (less_luck(values[:2], luck[:2]) == values[:2]).all()


def test_of_three_deals_luck_takes_little_off() -> None:
    """The line through two deals may be as steep as it likes."""
    rng = np.random.default_rng(3)
    values, luck = rng.normal(size=(2, 2_000, 3))
    found = np.array([less_luck(*each).mean() for each in zip(values, luck, strict=True)])
    assert found.std() < 1.5 * values.mean(axis=1).std()
    assert np.abs(found).max() < 25  # without the deals that count against it, 24,000


def test_taking_luck_off_is_unbiased_even_for_few_deals_and_skewed_luck() -> None:
    """Points hang on luck in a curve, where fitting its worth to all deals at once would err."""
    rng, truth, times = np.random.default_rng(2), 3.0, 20_000
    luck = rng.exponential(size=(times, 6)) - 1.0
    values = truth + luck + luck**2 - 1.0 + rng.normal(size=luck.shape)
    plain = values.mean(axis=1)
    found = np.array([less_luck(*each).mean() for each in zip(values, luck, strict=True)])
    centred = luck - luck.mean(axis=1, keepdims=True)
    worth = (centred * values).sum(axis=1) / (centred**2).sum(axis=1)
    at_once = plain - worth * luck.mean(axis=1)
    assert abs(found.mean() - truth) < 4 * found.std() / times**0.5
    assert abs(at_once.mean() - truth) > 10 * at_once.std() / times**0.5
    assert abs(plain.mean() - truth) < 4 * plain.std() / times**0.5


def test_adjusted_points_come_with_narrower_intervals_and_the_same_wins() -> None:
    agents = {"greedy": "greedy", "trained": "trained"}
    plain = compare("gin", agents, deals=200, seed=4)
    adjusted = compare("gin", agents, deals=200, seed=4, adjust_luck=True)
    (was,), (now,) = plain.duels, adjusted.duels
    assert (plain.luck_adjusted, adjusted.luck_adjusted) == (False, True)
    assert now.lead.high - now.lead.low < 0.9 * (was.lead.high - was.lead.low)
    assert was.lead.low < now.lead.value < was.lead.high
    assert now.sign_test == was.sign_test
    assert [side.hand_wins for side in now.sides] == [side.hand_wins for side in was.sides]


def test_the_command_says_that_points_are_adjusted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--agents", "random", "greedy", "--adjust-luck", "--out", str(tmp_path)) == 0
    assert "adjusted for the luck of draws" in capsys.readouterr().out
    assert "adjusted for the luck of draws" in (tmp_path / "compare.md").read_text()
    assert json.loads((tmp_path / "compare.json").read_text())["luck_adjusted"] is True


@pytest.mark.parametrize("chunk", [7, 100])
def test_luck_is_that_of_the_deals_however_many_are_played_at_once(chunk: int) -> None:
    agents = {"greedy": "greedy", "random": "random"}
    found = compare("basic", agents, deals=12, seed=4, adjust_luck=True, chunk=chunk)
    whole = compare("basic", agents, deals=12, seed=4, adjust_luck=True)
    assert found.duels[0].lead.value == pytest.approx(whole.duels[0].lead.value, abs=1e-4)


@pytest.mark.parametrize(
    ("variant", "options", "told"),
    [
        ("going_out", {}, "ranks by hands won"),
        ("bonus", {"reward": "win"}, "ranks by hands won"),
        ("gin", {"preset": "openspiel"}, "leave it out here"),
        ("gin", {"match": "match"}, "compare single hands"),
    ],
)
def test_where_luck_cannot_be_told_that_is_said_at_once(
    variant: str, options: dict[str, str], told: str
) -> None:
    agents = {"greedy": "greedy", "random": "random"}
    with pytest.raises(ValueError, match=told):
        compare(rummy_env.rules(variant, **options), agents, deals=2, adjust_luck=True)
