"""Gin for tests: its rules, tables laid by hand, and players that come to every phase."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env import Engine, Rules
from rummy_env.core.actions import ActionSpace, choose
from rummy_env.core.arrays import Bools, Rows, Words
from rummy_env.core.cards import Pack
from rummy_env.core.state import CODE_BIT
from rummy_env.melds.deadwood import deadwood, points
from rummy_env.melds.discards import Discards
from rummy_env.variants.gin import gin
from rummy_env.variants.presets import PRESETS
from tests.reference.cards import parse
from tests.reference.table_moves import action_of
from tests.table import Table

Policy = Callable[[Engine, Bools, np.random.Generator], Rows]
"""Chooses in all games at once, from actions bool[B, A] of which each game has at least one."""

KNOCKS = ("knock", "gin")

THREE_MELDS = "7c 7d 7h 4s 5s 6s Tc Jc Qc"
"""7s, 3s, 9c and Kc can be laid off on them."""

MANUAL: dict[str, Any] = {"lay_off": "manual"}

LOOSE = "Ac 2d 3h 4d 6c 8d 9h Jd Qh Kd"
"""63 points; no meld, and nothing to lay off on `THREE_MELDS`."""

LOOSE_TOO = "Ac 2h 3h 4d 6c 8d 9h Jd Qh Kd"
"""The same with another two."""

OTHER = "2s 3c 4h 5c 7c 8h 9s Th Jc Qs"
"""A hand for who faces `LOOSE`."""

FITTING = "Ad 2d 3s 4h 6c 7s 8d 9c Jd Qh"
"""60 points; no meld, and 19 points that can be laid off on `THREE_MELDS`: 3s 7s 9c."""

MELDED = "Jd Qd Kd 8h 8d 8s 2h 3h 4h"
"""Three melds of a defender's, on which nothing of `THREE_MELDS` depends."""

WILD = 0.3
"""How often `moves` are anything instead."""

OPTIONS: tuple[dict[str, Any], ...] = (
    *({"preset": preset} for preset in PRESETS),
    {"big_gin": True, "discard_taken_upcard": True, "oklahoma": True, "wall": "knock"},
    {"preset": "openspiel", "num_ranks": 7, "num_suits": 3, "hand_size": 6, "oklahoma": True},
    {"lay_off": "manual", "num_ranks": 6, "hand_size": 7, "knock_card": 4},
    {"lay_off": "none", "undercut_on_tie": True, "knock_card": 30, "undercut_bonus": 7},
    {"match": "match", "target": 60},
)
"""Every preset, and the other options among each other."""


def gin_rules(**options: Any) -> Rules:
    """The rules of gin."""
    return gin(**options)


class GinTable(Table):
    """One hand of gin, played in words."""

    def play(self, moves: str) -> list[float]:
        """Makes moves parted by semicolons, such as `"draw stock; knock Kc"`.

        Returns:
            The rewards of the last.
        """
        for move in moves.split(";"):
            self.engine.step([self.number(move)])
        return [round(float(reward), 6) for reward in self.engine.rewards[0]]

    def number(self, move: str) -> int:
        """The number of a move in words."""
        words = move.split()
        if words[0] in ("pass", *KNOCKS):
            return self.engine.space.index(words[0], *words[1:])
        kind, cards = action_of(move.strip())
        return self.engine.space.index(kind, *cards)

    def allows(self, move: str) -> bool:
        """Whether a move in words is legal."""
        return bool(self.engine.legal_mask()[0, self.number(move)])


def lay(
    hands: str,
    *,
    stock: str = "",
    discard: str = "",
    phase: str = "draw",
    marks: Mapping[str, Any] | None = None,
    **options: Any,
) -> GinTable:
    """A position in the midst of a hand, seat 0 to move; points are paid as they are.

    Args:
        hands: The cards of both seats, parted by a stroke.
        stock: All of it, next card first.
        discard: Top card last; the cards that are not mentioned lie under it.
        phase: The phase.
        marks: Anything else of the snapshot.
        **options: Of gin.
    """
    table = GinTable(gin_rules(**{"reward": "points", **options}))
    held = [parse(hand) for hand in hands.split("|")]
    cards, pile = parse(stock), parse(discard)
    pack = table.engine.rules.pack
    others = [c for c in pack.cards if c not in {*held[0], *held[1], *cards, *pile}]
    position = {"hands": held, "stock": cards, "discard": others + pile, "phase": phase}
    table.engine.restore(0, {**position, "turn_number": 4, **(marks or {})})
    return table


def knocked(knocker: str, defender: str, **options: Any) -> list[float]:
    """What both win when seat 0 draws Ks and knocks with it."""
    table = lay(f"{knocker} | {defender}", stock="Ks Kh As", **options)
    return table.play("draw stock; knock Ks")


def dealt(**options: Any) -> GinTable:
    """A hand as it is dealt."""
    table = GinTable(gin_rules(**options))
    table.engine.reset()
    return table


def dealt_games(rules: Rules, num_envs: int = 12) -> Engine:
    """Games just dealt."""
    engine = Engine(rules, num_envs, seed=9)
    engine.reset()
    return engine


def at_random(engine: Engine, allowed: Bools, rng: np.random.Generator) -> Rows:
    """Every allowed action is as likely as any other."""
    return choose(allowed, rng.random(engine.num_envs))


def greedy(shy: float = 0.0, wild: float = 0.0, wild_after_knock: float = 0.0) -> Policy:
    """Players who want little deadwood at once.

    Args:
        shy: How often a knock, or gin, that could be made is put off.
        wild: How often anything is done instead, before a knock.
        wild_after_knock: The same in laying down and laying off.
    """

    def policy(engine: Engine, allowed: Bools, rng: np.random.Generator) -> Rows:
        value = worth(engine, allowed) + rng.random(allowed.shape) / 2
        knocks = of_kinds(engine.space, KNOCKS) & (rng.random(engine.num_envs) < shy)[:, None]
        value -= np.where(knocks, 2 * _FAR, 0)
        rate = np.where(engine.state.claim > 0, wild_after_knock, wild)
        anything = rng.random(engine.num_envs) < rate
        return np.where(anything, at_random(engine, allowed, rng), value.argmax(axis=1))

    return policy


_FAR, _RATHER_STOCK = 10_000.0, 0.25


def worth(engine: Engine, allowed: Bools) -> npt.NDArray[np.float64]:
    """float64[B, A], minus the deadwood that allowed actions leave; knocking is best of all."""
    state, everyone = engine.state, np.arange(engine.num_envs)
    hands = state.hands[everyone, state.to_move, 0]
    value = np.full(allowed.shape, -_FAR * 2)
    rows, actions = allowed.nonzero()
    rest = hands[rows] & ~action_cards(engine.space)[actions]
    value[rows, actions] = -deadwood(rest).astype(float)
    with_top = Discards(hands | CODE_BIT.take(state.pile_top(everyone))).each.min(axis=1)
    no_gain = with_top - deadwood(hands) + _RATHER_STOCK
    value -= of_kinds(engine.space, ("draw_discard",)) * no_gain[:, None]
    names = [engine.rules.turn[phase].name for phase in state.phase.tolist()]
    laying = np.isin(names, ("lay_down", "defend"))
    unlaid = np.where(laying, points(hands) - deadwood(hands), 0)
    value -= of_kinds(engine.space, ("pass",)) * unlaid[:, None]
    return np.asarray(value + of_kinds(engine.space, KNOCKS) * _FAR)


def moves(engine: Engine) -> Rows:
    """What the players do: a function of each game alone; in one of three they never knock.

    Random play hardly ever knocks, so they want little deadwood; now and then they do anything, so
    that the laying down is varied.
    """
    mask, never = engine.legal_mask(), engine.seeds % 3 == 0
    draws = engine.random(np.arange(engine.num_envs)).random()
    value = worth(engine, mask) - np.outer(never, of_kinds(engine.space, KNOCKS)) * 1e6
    anything = choose(mask, np.minimum(draws / WILD, 1 - 1e-9))
    return np.where((draws < WILD) & ~never, anything, value.argmax(axis=1))


def play(engine: Engine, steps: int) -> Iterator[Rows]:
    """Steps all games and yields the actions; finished games are dealt anew."""
    for _ in range(steps):
        engine.reset(engine.finished.nonzero()[0])
        actions = moves(engine)
        engine.step(actions)
        yield actions


@cache
def of_kinds(space: ActionSpace, kinds: tuple[str, ...]) -> Bools:
    """bool[A], which actions are of these kinds."""
    return np.array([action.kind in kinds for action in space.actions])


@cache
def action_cards(space: ActionSpace) -> Words:
    """uint64[A], the cards that actions name."""
    pack = Pack()
    return np.array([pack.words(action.cards)[0] for action in space.actions])
