"""Worlds of covered or renewed piles, of cards that are kept, and of seats that sit out."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine
from rummy_env.core.keys import game_seeds
from rummy_env.core.rules import Sight
from rummy_env.core.state import CODE_BIT
from rummy_env.core.visibility import EVERY, ToldView
from rummy_env.melds.beliefs import odds_held
from rummy_env.search import worlds
from rummy_env.search.world import _odds
from tests.policies import movers
from tests.rollout import dealt, finish, random_play

KEEPING: list[tuple[dict[str, Any], int]] = [
    ({}, 72),
    ({"num_players": 3, "three_card_draw": True}, 72),
    ({"num_players": 3, "going_out_variation": True}, 72),
    ({"num_players": 3, "going_out_variation": True}, 180),  # most stocks have been renewed
    ({"decks": 2, "pile_recall": True}, 72),
]


@pytest.mark.parametrize(("options", "steps"), KEEPING)
def test_cards_that_may_not_be_discarded_are_with_whoever_drew_them(
    options: dict[str, Any], steps: int
) -> None:
    """Never in the pile; and as often in the other hands as they are on the tables played on."""
    rules = rummy_env.rules("rummy_cards", **options)
    engine = dealt(rules, 2000, steps=steps)
    rows = engine.running
    view, count = movers(engine, rows), 4
    games = worlds(view, game_seeds(1, count * len(rows)), np.arange(len(rows)).repeat(count))
    for code in rules.kept:
        bit = CODE_BIT[code]
        assert not (games.state.piled[:, 0] & bit).any()
        hidden = (view.hand[:, 0] & bit) == 0
        holders = (engine.state.hands[rows, :, 0] & bit) != 0
        dealt_to = ((games.state.hands[:, 1:, 0] & bit) != 0).any(axis=1).reshape(-1, count)
        assert abs(dealt_to[hidden].mean() - holders[hidden].any(axis=1).mean()) < 0.07
    assert rules.kept.size


def test_a_world_of_a_covered_pile_that_was_turned_over_looks_the_same() -> None:
    rules = replace(rummy_env.rules("classic"), sight=Sight(pile_known=False))
    engine, seen = Engine(rules, 50, seed=1), 0
    engine.reset()
    for _ in random_play(engine, 200):
        rows = (engine.state.stock_open & ~engine.finished).nonzero()[0]
        if not rows.size:
            continue
        view, games = movers(engine, rows), worlds(movers(engine, rows), game_seeds(1, rows.size))
        told = games.look(0).told()
        assert all(np.array_equal(value, told[name]) for name, value in view.told().items())
        seen += rows.size
    assert seen > 1000


def test_a_world_is_renewed_when_its_stock_has_run_out() -> None:
    """As a game is; what is made from a view of it then has no `NO MELD` among the discards."""
    rules = rummy_env.rules("rummy_cards", num_players=3, going_out_variation=True)
    engine = dealt(rules, 200, steps=60)
    view = movers(engine, engine.running)
    games = worlds(view, game_seeds(1, len(view)))
    assert np.array_equal(games.look(0).renewed, view.renewed)
    renewed = 0
    for _ in random_play(games, 100):
        view = movers(games, games.running)
        state = worlds(view, game_seeds(2, len(view))).state
        for stock in state.stock[view.renewed, : state.stock_end.max()]:
            assert not np.isin(rules.kept, stock).any()
            renewed += 1
    assert renewed > 500


def test_seats_that_sit_out_have_no_say_in_what_others_are_believed_to_hold() -> None:
    rules = rummy_env.rules("rummy_cards", num_players=4, match="match", pile_recall=True)
    engine = dealt(rules, 200, steps=60)
    view = movers(engine, engine.running)
    alone = ToldView(rules, {**view.told(), "sits_out": view.sits_out | (np.arange(4) > 1)})
    assert np.array_equal(_odds(alone), odds_held(view, (EVERY, 1)))
    assert not np.array_equal(_odds(view), _odds(alone))


def test_a_view_without_the_axis_of_games_makes_no_worlds() -> None:
    engine = dealt(rummy_env.rules("gin"), 1)
    with pytest.raises(ValueError, match="without the games' axis: give the one with it"):
        worlds(engine.look(0).one(), game_seeds(1, 1))


def test_a_world_of_a_game_that_was_cut_off_is_cut_off_and_no_more() -> None:
    engine = dealt(rummy_env.rules("basic", max_turns=1), 4)
    finish(engine)
    games = worlds(engine.look(0), game_seeds(1, 4))
    assert engine.truncated.all()
    assert np.array_equal(games.terminated, engine.terminated)
    assert np.array_equal(games.truncated, engine.truncated)
