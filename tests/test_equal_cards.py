"""Which of equal cards lies where is nobody's business: it shows nowhere, not even later."""

import copy

import numpy as np
import numpy.typing as npt

from rummy_env import Engine, Rules
from rummy_env.core.arrays import Words
from rummy_env.core.cards import Pack
from tests.conftest import over_rules
from tests.rollout import choices, dealt, seen, tables

GAMES, STEPS = 5, 130

CODES, SETS = ("stock", "pile", "taken"), ("hands", "known", "piled", "recycled")
"""The places of a state that tell equal cards apart."""


def exchange(pack: Pack, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """uint8[256], for every card one that looks like it, each once."""
    table = np.arange(256).astype(np.uint8)
    for copies in pack.copies[[pack.code(face) for face in pack.distinct_cards]]:
        same = copies[copies < 128]
        table[same] = rng.permutation(same)
    return table


def exchanged(engine: Engine, rng: np.random.Generator) -> Engine:
    """The same games with equal cards exchanged, in each game in another way."""
    twin = copy.deepcopy(engine)
    for row in range(twin.num_envs):
        table = exchange(twin.rules.pack, rng)
        for name in CODES:
            codes = getattr(twin.state, name)
            codes[row] = table[codes[row]]
        for name in SETS:
            sets = getattr(twin.state, name)
            sets[row] = exchanged_sets(sets[row], table, twin.rules.pack)
    return twin


def exchanged_sets(sets: Words, table: npt.NDArray[np.uint8], pack: Pack) -> Words:
    """Sets of cards, uint64[..., decks], every card replaced by another."""
    new = np.zeros_like(sets)
    for old in pack.codes:
        there = sets[..., old // 64] >> np.uint64(old % 64) & np.uint64(1)
        new[..., table[old] // 64] |= there << np.uint64(table[old] % 64)
    return new


def assert_look_alike(one: Engine, other: Engine) -> None:
    """Both show every seat the same, and lie the same as far as text can tell."""
    assert tables(one) == tables(other)
    assert (one.legal_mask() == other.legal_mask()).all()
    assert (one.rewards == other.rewards).all()
    for seat in range(one.rules.num_players):
        assert seen(one.look(seat)) == seen(other.look(seat))


@over_rules(where=lambda rules: rules.pack.has_equals)
def test_games_that_differ_in_equal_cards_look_the_same_to_their_end(
    rules: Rules, thorough: bool
) -> None:
    rng = np.random.default_rng(7)
    engine = dealt(rules, GAMES)
    twin = exchanged(engine, rng)
    differ = 0
    for step in range(STEPS):
        if not step % (1 if thorough else 10):
            assert_look_alike(engine, twin)
        if (engine.state.hands == twin.state.hands).all():
            twin = exchanged(engine, rng)
        differ += int((engine.state.hands != twin.state.hands).any())
        actions = choices(engine)
        engine.step(actions)
        twin.step(actions)
        if engine.finished.any():
            assert_look_alike(engine, twin)
            engine.reset(engine.finished.nonzero()[0])
            twin = exchanged(engine, rng)
    assert differ > STEPS / 3
