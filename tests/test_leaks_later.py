"""What a seat learns later, and what a redeal of hidden cards may be drawn from."""

from collections import Counter

import numpy as np

from rummy_env import Engine, Rules
from rummy_env.core.keys import game_seeds
from rummy_env.core.notation import snapshot
from tests.conftest import over_rules
from tests.hiding import GAMES, dealt_anew, like_sizes, looks, moments, redealt, swapped
from tests.rollout import choices, seen, tables
from tests.table import lay

SHOWING = ("knock", "gin", "pass")
"""Actions that show a hand, or may do so."""
UNCOVERING = ("draw_discard", "extra_draw")
"""Actions after which another card of a covered pile is seen."""


def play_in_both(engine: Engine, other: Engine, rows: list[int]) -> list[int]:
    """Plays a random action in the games where it can be played in both and shows nothing hidden.

    Returns:
        These games, but for those in which the hand has ended.
    """
    actions, hands = choices(engine), engine.state.hand_number.copy()
    possible = [row for row in rows if other.legal_mask([row])[0, actions[row]]]
    telling = SHOWING + (() if engine.rules.sight.pile_known else UNCOVERING)
    kinds = {row: engine.describe(int(actions[row])).kind for row in possible}
    possible = [row for row in possible if kinds[row] not in telling]
    for games in (engine, other):
        games.step(actions[possible], rows=possible)
    ended = engine.finished | other.finished | (engine.state.hand_number > hands)
    return [row for row in possible if not ended[row]]


def test_what_others_do_with_hidden_cards_tells_no_more_than_what_is_seen(
    rules: Rules, thorough: bool
) -> None:
    rng, played = np.random.default_rng(3), 0
    for _, engine, seat in looks(rules, thorough=thorough):
        before, other = tables(engine), Engine(rules, GAMES)
        for row, table in enumerate(before):
            moved = swapped(rules, table, seat, rng, resized=False)
            other.restore(row, {**moved, "seed": table["seed"]})
        moving = (engine.to_move != seat) & ~engine.finished
        for row in play_in_both(engine, other, moving.nonzero()[0].tolist()):
            played += 1
            assert seen(other.look(seat, [row])) == seen(engine.look(seat, [row]))
        for row, table in enumerate(before):
            engine.restore(row, table)
    assert played > GAMES // 2


def test_what_looks_the_same_is_redealt_the_same(rules: Rules, thorough: bool) -> None:
    rng, other, moved = np.random.default_rng(5), Engine(rules, GAMES), 0
    for moment, engine, seat in looks(rules, thorough=thorough):
        for row, table in enumerate(tables(engine)):
            other.restore(row, swapped(rules, table, seat, rng))
        moved += tables(other) != tables(engine)
        one, same = (redealt(rules, games.state, seat, moment) for games in (engine, other))
        for row in range(GAMES):
            assert snapshot(rules, one, row) == snapshot(rules, same, row)
    assert moved > 6


@over_rules(where=lambda rules: not rules.sight.pile_known)
def test_a_redealt_stock_has_a_size_that_the_seat_may_believe_in(rules: Rules) -> None:
    """It looks as large, and under the top discard lies a card of every other turn at most."""
    sizes = set()
    for moment, engine in enumerate(moments(rules)):
        games = redealt(rules, engine.state, 1, moment)
        for row, table in enumerate(tables(engine)):
            new = snapshot(rules, games, row)
            size = len(new["stock"])
            assert size in like_sizes(len(table["stock"]), 200)
            assert len(new["discard"]) <= table["turn_number"]
            assert bool(new["discard"]) == bool(table["discard"])
            assert size == len(table["stock"]) or not rules.sight.stock_counted
            sizes.add(size - len(table["stock"]))
    assert len(sizes) > 3 or rules.sight.stock_counted


def test_every_size_of_the_stock_that_fits_comes_up() -> None:
    table = lay("rummy_cards", "2c 4d 6h 8s Tc | 2d 4h 6s 8c Td", discard="Ks Kh Kd Kc")
    pile, stock = table["discard"], table["stock"]
    table = lay(
        "rummy_cards", "2c 4d 6h 8s Tc | 2d 4h 6s 8c Td", discard=" ".join([*stock[:30], *pile]),
        marks={"turn_number": 37},
    )  # fmt: skip
    assert len(table["stock"]) == 17
    engine, count = table.engine, 400
    rows, seats = np.zeros(count, np.intp), np.zeros(count, np.intp)
    games = dealt_anew(engine.rules, engine.state, rows, seats, game_seeds(1, count))
    sizes = Counter(len(snapshot(engine.rules, games, row)["stock"]) for row in range(count))
    assert set(sizes) == set(range(14, 20))
    assert max(sizes.values()) < 2 * min(sizes.values())
