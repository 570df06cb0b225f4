"""Moving about what a seat cannot see, by hand: on snapshots, by the names of the places alone."""

import copy
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env import Engine, Rules
from rummy_env.core.arrays import Rows, Words
from rummy_env.core.determinising import determinise
from rummy_env.core.fields import Kind
from rummy_env.core.keys import game_seeds
from rummy_env.core.state import STOCK_STEPS, State
from rummy_env.core.visibility import look
from tests.rollout import choices, dealt

Table = dict[str, Any]

GAMES, MOMENTS, BETWEEN = 5, 8, 29
"""Games side by side; how often they are looked at; steps between two looks."""
HIDDEN = 8
"""Cards in an order that nobody knows, which no redeal leaves alone by chance."""


def moments(rules: Rules) -> Iterator[Engine]:
    """Games at various times of their life, finished ones among them."""
    yield from map(copy.copy, _played(rules))


def looks(rules: Rules, *, thorough: bool) -> Iterator[tuple[int, Engine, int]]:
    """The number of a moment, the games, and who looks: everybody, or two of them in turn."""
    players = rules.num_players
    for moment, engine in enumerate(moments(rules)):
        turn = sorted({moment % players, (moment + 1) % players})
        for seat in range(players) if thorough else turn:
            yield moment, engine, seat


@cache
def _played(rules: Rules) -> list[Engine]:
    """The same, played once for all tests."""
    engine, met = dealt(rules, GAMES), []
    for _ in range(MOMENTS):
        met.append(copy.copy(engine))
        engine.reset(engine.finished.nonzero()[0])
        for _ in range(BETWEEN):
            engine.step(choices(engine))
    return met


def masks_of_movers(rules: Rules, state: State, seat: int) -> bytes:
    """The legal actions in all games in which the seat is to move."""
    mine = (state.to_move == seat) & ~(state.terminated | state.truncated)
    found = Engine(rules).space.legal(state, mine.nonzero()[0])
    return b"".join(words.tobytes() for _, words in found)


def redealt(rules: Rules, state: State, seat: int, seed: int) -> State:
    """All games with the cards redealt that the seat cannot know."""
    count = len(state.seed)
    seats = np.full(count, seat)
    return dealt_anew(rules, state, np.arange(count), seats, game_seeds(seed, count))


def dealt_anew(
    rules: Rules, state: State, rows: Rows, seats: npt.NDArray[np.integer[Any]], seeds: Words
) -> State:
    """Games with the cards redealt that a seat of each cannot know; seats as in these games.

    Where the order of eight cards of the stock is hidden, something must lie elsewhere after that.
    """
    worlds, count = determinise(look(rules, state, rows, seats), seeds), rules.num_players
    places = (np.arange(count) - seats[:, None]) % count
    for field in worlds.fields:
        array = getattr(worlds, field.name)
        if field.axes.startswith("P"):
            array[:] = array[np.arange(len(rows))[:, None], places]
        elif field.kind is Kind.SEAT:
            array[:] = np.where(array < 0, -1, (array + seats) % count)
    hidden = ((state.stock_left(rows) >= HIDDEN) & ~state.stock_open[rows]).nonzero()[0]
    before, after = _lying(state, rows[hidden]), _lying(worlds, hidden)
    assert not before or before != after
    return worlds


def _lying(state: State, rows: Rows) -> list[tuple[list[int], list[int]]]:
    """The hands of some games, and their stocks in order."""
    return [
        (
            state.hands[row].ravel().tolist(),
            state.stock[row, state.stock_at[row] : state.stock_end[row]].tolist(),
        )
        for row in rows
    ]


def swapped(
    rules: Rules, table: Table, seat: int, rng: np.random.Generator, *, resized: bool = True
) -> Table:
    """A table with all cards permuted that a seat cannot see.

    They are in the other hands, in the stock, and in a discard pile that is covered, where cards
    never lie that may not be discarded.

    Args:
        rules: What is played.
        table: A snapshot.
        seat: Whose knowledge is kept.
        rng: How they are permuted.
        resized: Whether cards may also pass between the stock and a covered pile, as far as the
            stock looks the same.
    """
    kept = {rules.pack.text(code) for code in rules.kept.tolist()}
    while kept & {*(moved := _permuted(rules, table, seat, rng, resized=resized))["discard"]}:
        pass
    return moved


def _permuted(
    rules: Rules, table: Table, seat: int, rng: np.random.Generator, *, resized: bool
) -> Table:
    """The same, wherever the cards come to lie."""
    stock = [] if table["stock_open"] else table["stock"]
    covered, top = covered_pile(rules, table)
    hidden = hidden_hands(table, seat)
    pool = [card for cards in (*hidden, covered, stock) for card in cards]
    deal = iter([pool[i] for i in rng.permutation(len(pool))])
    hands = []
    for hand, cards in zip(table["hands"], hidden, strict=True):
        shown = Counter(hand) - Counter(cards)
        hands.append([*shown.elements(), *(next(deal) for _ in cards)])
    rest = list(deal)
    size = len(stock)
    if resized and top and not (rules.sight.stock_counted or rules.sight.pile_known):
        size = int(rng.choice(like_sizes(size, len(rest))))
    moved = {"hands": hands, "discard": [*rest[size:], *top], "recycled": table["recycled"]}
    if not table["stock_open"]:
        moved["stock"] = rest[:size]
    if not rules.sight.pile_known:
        moved["recycled"] = []
    return {**table, **moved, "seed": int(rng.integers(1 << 62))}


def hidden_hands(table: Table, seat: int) -> list[list[str]]:
    """The cards of each other seat that nobody else knows of; none of the seat itself."""
    hands = zip(table["hands"], table["known"], strict=True)
    hidden = [sorted((Counter(hand) - Counter(known)).elements()) for hand, known in hands]
    hidden[seat] = []
    return hidden


def covered_pile(rules: Rules, table: Table) -> tuple[list[str], list[str]]:
    """The cards of the discard pile that nobody may look at, and the others."""
    pile = table["discard"]
    return ([], pile) if rules.sight.pile_known else (pile[:-1], pile[-1:])


def like_sizes(size: int, most: int) -> range:
    """The sizes of a stock, up to some, that look like this one."""
    steps = (0, *STOCK_STEPS, most + 1)
    step = sum(size >= bound for bound in STOCK_STEPS)
    return range(steps[step], min(steps[step + 1] - 1, most) + 1)
