"""Random play and what to compare of it, for tests over the whole catalogue."""

import copy
import inspect
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.core.actions import choose
from rummy_env.core.arrays import Rows, Words
from rummy_env.core.visibility import SeatView
from rummy_env.views.features import OUTS, observer

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
}
"""The ways to copy a thing."""


def fitting(name: str, **options: Any) -> Rules:
    """The rules of a variant with such of these options as it has.

    Where a match has no number of `deals`, it is cut off after as many hands; where hands end by
    knocking, there are two seats, and at most five where points are laid down.
    """
    known = inspect.signature(rummy_env.VARIANTS[name]).parameters
    if "knock_card" in known:
        options.pop("num_players", None)
    if "free_top" in known and "num_players" in options:
        options["num_players"] = min(options["num_players"], 5)
    if "deals" in options and "deals" not in known:
        options["max_hands"] = options["deals"]
    return rummy_env.rules(name, **{key: options[key] for key in options if key in known})


def seatings(name: str, most: int = 6) -> list[int]:
    """The numbers of players, up to some, that a variant can have."""
    possible = []
    for players in range(2, most + 1):
        with suppress(ValueError):
            possible.append(rummy_env.rules(name, num_players=players).num_players)
    return possible


def choices(engine: Engine, rows: Rows | None = None) -> Rows:
    """A random legal action in each game: a function of the game alone, not of the batch."""
    some = np.arange(engine.num_envs) if rows is None else rows
    return choose(engine.legal_mask(some), engine.random(some).random())


def random_play(engine: Engine, steps: int) -> Iterator[Rows]:
    """Steps all games at random and yields the actions; finished games are dealt anew."""
    for _ in range(steps):
        engine.reset(engine.finished.nonzero()[0])
        actions = choices(engine)
        engine.step(actions)
        yield actions


def dealt(rules: Rules, num_envs: int, seed: int | Words = 5, steps: int = 0) -> Engine:
    """Games that have been played for some steps."""
    engine = Engine(rules, num_envs, seed=seed)
    engine.reset()
    for _ in random_play(engine, steps):
        pass
    return engine


def finish(engine: Engine) -> None:
    """Plays at random until every game is finished."""
    for _ in range(100_000):
        if engine.finished.all():
            return
        engine.step(choices(engine))
    raise AssertionError("the games do not end")


def everything(engine: Engine) -> dict[str, bytes]:
    """All that the games are, to the last bit."""
    arrays = {name: array.tobytes() for name, array in engine.state.arrays()}
    told = {"mask": engine.legal_mask(), "rewards": engine.rewards}
    return {**arrays, **{name: array.tobytes() for name, array in told.items()}}


def tables(engine: Engine) -> list[dict[str, Any]]:
    """The snapshots of all games."""
    return [engine.snapshot(row) for row in range(engine.num_envs)]


def seen(view: SeatView) -> dict[str, bytes]:
    """All that a seat sees, to the last bit: fields and features."""
    told = {name: getattr(view, name).tobytes() for name in view.fields(view.rules)}
    features = observer(view.rules, OUTS)(view)
    return {**told, "features": features.tobytes()}


def cards_of(table: dict[str, Any]) -> Counter[str]:
    """All cards of a table, wherever they lie."""
    places = [*table["hands"], *table["melds"], table["stock"], table["discard"]]
    return Counter(card for place in places for card in place)


def whole_pack(rules: Rules) -> Counter[str]:
    """All cards that the rules play with."""
    return Counter(rules.pack.cards)
