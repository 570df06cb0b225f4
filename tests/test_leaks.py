"""No seat learns what it may not know: hidden cards are moved about, and nothing it sees changes.

Two ways of moving them: `determinise`, which search uses, and swaps made by hand on a snapshot,
which know nothing of the code under test but the names of the places.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.core.determinising import determinise
from rummy_env.core.visibility import look
from rummy_env.core.notation import snapshot
from rummy_env.core.shuffle import game_seeds
from rummy_env.core.state import State
from tests.rollout import cards_of, choices, dealt, random_play, seen, tables, whole_pack

GAMES, MOMENTS, BETWEEN = 6, 8, 29
"""Games side by side; how often they are looked at; steps between two looks."""


def moments(rules: Rules) -> Iterator[Engine]:
    """Games at various times of their life, finished ones among them."""
    engine = dealt(rules, GAMES)
    for _ in range(MOMENTS):
        yield engine
        engine.reset(engine.finished.nonzero()[0])
        for _ in range(BETWEEN):
            engine.step(choices(engine))


def masks_of_movers(rules: Rules, state: State, seat: int) -> bytes:
    """The legal actions in all games in which the seat is to move."""
    mine = (state.to_move == seat) & ~(state.terminated | state.truncated)
    return Engine(rules).space.legal(state, mine.nonzero()[0]).tobytes()


def redealt(rules: Rules, state: State, seat: int, seed: int) -> State:
    """All games with the cards redealt that the seat cannot know."""
    count = len(state.seed)
    seats = np.full(count, seat)
    return determinise(rules, state, np.arange(count), seats, game_seeds(seed, count))


def swapped(table: dict[str, Any], seat: int, rng: np.random.Generator) -> dict[str, Any]:
    """A table with the hidden cards of the other hands and of the stock permuted, by hand."""
    shown = [*table["known"]]
    shown[seat] = table["hands"][seat]
    hidden = [set(hand) - set(open_) for hand, open_ in zip(table["hands"], shown, strict=True)]
    stock = [] if table["stock_open"] else table["stock"]
    pool = [card for cards in (*map(sorted, hidden), stock) for card in cards]
    deal = iter([pool[i] for i in rng.permutation(len(pool))])
    hands = [
        [*open_, *(next(deal) for _ in cards)] for open_, cards in zip(shown, hidden, strict=True)
    ]
    new_stock = table["stock"] if table["stock_open"] else list(deal)
    return {**table, "hands": hands, "stock": new_stock, "seed": int(rng.integers(1 << 62))}


def hidden_in_hands(table: dict[str, Any], seat: int) -> int:
    """How many cards the other seats hold that nobody saw, while the stock is still unseen."""
    hidden = [len(hand) - len(k) for hand, k in zip(table["hands"], table["known"], strict=True)]
    return 0 if table["stock_open"] else sum(hidden) - hidden[seat]


def test_a_redeal_of_hidden_cards_changes_nothing_that_a_seat_sees(rules: Rules) -> None:
    for moment, engine in enumerate(moments(rules)):
        for seat in range(rules.num_players):
            games = redealt(rules, engine.state, seat, seed=moment)
            view = look(rules, games, np.arange(GAMES), np.full(GAMES, seat))
            assert seen(view) == seen(engine.look(seat))
            before = masks_of_movers(rules, engine.state, seat)
            assert masks_of_movers(rules, games, seat) == before


def test_hidden_cards_swapped_by_hand_change_nothing_that_a_seat_sees(rules: Rules) -> None:
    rng, other = np.random.default_rng(4), Engine(rules, GAMES)
    changed = 0
    for engine in moments(rules):
        for seat in range(rules.num_players):
            for row, table in enumerate(tables(engine)):
                moved = swapped(table, seat, rng)
                changed += moved["hands"] != table["hands"]
                other.restore(row, moved)
            assert seen(other.look(seat)) == seen(engine.look(seat))
            before = masks_of_movers(rules, engine.state, seat)
            assert masks_of_movers(rules, other.state, seat) == before
    assert changed > GAMES * MOMENTS


def test_a_seat_sees_every_change_of_its_own_hand(rules: Rules) -> None:
    engine, other = dealt(rules, GAMES, steps=1), Engine(rules, GAMES)
    for row, table in enumerate(tables(engine)):
        hand, stock = table["hands"][0], table["stock"]
        table["hands"][0], table["stock"] = [*hand[1:], stock[0]], [hand[0], *stock[1:]]
        other.restore(row, {**table, "known": [[]] * rules.num_players, "taken": None})
    assert seen(other.look(0))["hand"] != seen(engine.look(0))["hand"]
    assert seen(other.look(0))["features"] != seen(engine.look(0))["features"]


def test_the_moments_include_every_phase_renewed_stocks_and_finished_games(variant: str) -> None:
    rules = rummy_env.rules(variant, hand_size=20, max_turns=60)
    met = [table for engine in moments(rules) for table in tables(engine)]
    phases = {phase.name for phase in rules.turn}
    assert {table["phase"] for table in met} == {*phases, "finished"}
    assert {table["shuffles"] > 1 or table["stock_open"] for table in met} == {True, False}
    assert any(table["known"][1] for table in met)
    assert any(table["melds"] for table in met)


def test_a_redeal_keeps_the_pack_whole_and_moves_what_is_hidden(rules: Rules) -> None:
    same, secret = 0, 0
    for moment, engine in enumerate(moments(rules)):
        for seat in range(rules.num_players):
            games = redealt(rules, engine.state, seat, seed=moment)
            for row, table in enumerate(tables(engine)):
                new = snapshot(rules, games, row)
                assert cards_of(new) == whole_pack(rules)
                assert new["hands"][seat] == table["hands"][seat]
                for hand, known in zip(new["hands"], table["known"], strict=True):
                    assert set(known) <= set(hand)
                if hidden_in_hands(table, seat) > 3 and table["shuffles"] == 1 < len(
                    table["stock"]
                ):
                    secret += 1
                    same += new["hands"] == table["hands"]
    assert same < secret / 10


def test_redealing_leaves_the_game_itself_alone(rules: Rules) -> None:
    engine = dealt(rules, GAMES, steps=40)
    before = tables(engine)
    redealt(rules, engine.state, 0, seed=1)
    assert tables(engine) == before


def test_every_hidden_card_is_as_likely_in_a_hand_as_its_size_says(variant: str) -> None:
    rules = rummy_env.rules(variant, num_players=3)
    engine, count = dealt(rules, 1), 4000
    rows, seats = np.zeros(count, np.intp), np.ones(count, np.intp)
    games = determinise(rules, engine.state, rows, seats, game_seeds(8, count))
    hidden = whole_pack(rules) - cards_of(
        {**engine.snapshot(0), "hands": [[], [], []], "stock": []}
    )
    hidden.subtract(engine.snapshot(0)["hands"][1])
    cards = sorted(hidden.elements())
    share = rules.hand_size / len(cards)
    for seat in (0, 2):
        for card in cards:
            bit = rules.pack.words([card])
            held = float(((games.hands[:, seat] & bit) != 0).any(axis=1).mean())
            assert abs(held - share) < 5 * (share * (1 - share) / count) ** 0.5, card


@pytest.mark.parametrize("restock", ["shuffle_keep_top", "shuffle_all"])
def test_a_card_that_did_not_go_back_into_the_stock_is_not_redealt_there(restock: str) -> None:
    rules = rummy_env.rules("basic", hand_size=20, restock=restock)
    engine = dealt(rules, GAMES)
    renewed: list[set[str] | None] = [None] * GAMES
    checked = 0
    before = tables(engine)
    for step, _ in enumerate(random_play(engine, 260)):
        now = tables(engine)
        for row, table in enumerate(now):
            if table["turn_number"] == 0:
                renewed[row] = None
            elif len(table["stock"]) > len(before[row]["stock"]):
                renewed[row] = set(table["stock"])
        games = redealt(rules, engine.state, step % 2, seed=step)
        for row, cards in enumerate(renewed):
            if cards is not None:
                assert set(snapshot(rules, games, row)["stock"]) <= cards
                checked += 1
        before = now
    assert checked > 100


def test_redealt_games_can_be_played_to_their_end(rules: Rules) -> None:
    engine = dealt(rules, GAMES, steps=33)
    games = redealt(rules, engine.state, seat=1, seed=9)
    other = Engine(rules, GAMES)
    for row in range(GAMES):
        other.restore(row, snapshot(rules, games, row))
    for _ in range(150):
        other.step(choices(other))
    assert all(cards_of(table) == whole_pack(rules) for table in tables(other))


def test_what_comes_after_a_redeal_does_not_tell_the_coming_cards(variant: str) -> None:
    rules = rummy_env.rules(variant)
    engine = dealt(rules, 1)
    rows, seats = np.zeros(200, np.intp), np.zeros(200, np.intp)
    games = determinise(rules, engine.state, rows, seats, game_seeds(2, 200))
    next_cards = {snapshot(rules, games, row)["stock"][0] for row in range(200)}
    assert len(next_cards) > 30
    assert (games.seed != engine.seeds[0]).all()
