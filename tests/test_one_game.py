"""One game, whose moves and views are numbers, is that game in a batch, where they are arrays."""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.baselines import Greedy
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.movers import Movers
from rummy_env.core.part import Ending
from rummy_env.core.visibility import SeatView
from rummy_env.parts.discarding import Discard
from rummy_env.views.features import OBSERVATIONS, observer
from tests.conftest import few_variants
from tests.rollout import choices, dealt, everything

STEPS, BETWEEN = 160, 7
"""Steps of a game at most, and between two looks."""


def played(many: Engine) -> Rows:
    """An action of each game: at random in half of the steps, else greedy, so that hands end."""
    rng, view = many.random(), many.look(many.to_move)
    greedy = Greedy().act(view, many.legal_mask(), rng)
    return np.where(many.state.decisions % 2, greedy, choices(many))


def seen_alone(engine: Engine, name: str) -> bytes:
    return bytes(observer(engine.rules, name)(engine.look(int(engine.to_move[0]))).tobytes())


def test_a_game_alone_is_that_game_among_others_to_its_end(rules: Rules, thorough: bool) -> None:
    count = 60 if thorough else 3
    many = dealt(rules, count, seed=23)
    alone = [Engine(rules, 1, seed=many.seeds[[row]]) for row in range(count)]
    for one in alone:
        one.reset()
    for step in range(STEPS):
        if step % BETWEEN == 0:
            for name in OBSERVATIONS:
                together = observer(rules, name)(many.look(many.to_move))
                assert [seen_alone(one, name) for one in alone] == [x.tobytes() for x in together]
        running, actions = (~many.finished).nonzero()[0], played(many)
        many.step(actions)
        masks = many.legal_mask()
        for row in running:
            alone[row].step([actions[row]])
            assert np.array_equal(alone[row].legal_mask()[0], masks[row])
            assert np.array_equal(alone[row].rewards[0], many.rewards[row])
    for number, one in enumerate(alone):
        assert one.snapshot(0) == many.snapshot(number)


def test_a_view_by_numbers_tells_what_the_view_tells(rules: Rules) -> None:
    engine, looks = dealt(rules, 1, seed=4), 0
    for _ in range(40):
        for seat in range(rules.num_players):
            view = engine.look(seat)
            one = view.one()
            for name in (*view.fields(rules), "on_table"):
                whole: Any = getattr(view, name)
                assert np.array_equal(getattr(one, name), whole[0]), name
                looks += 1
        engine.reset(engine.finished.nonzero()[0])
        engine.step(choices(engine))
    assert looks


@dataclass(frozen=True)
class Unawares(Ending):
    """Ends hands by means that only arrays have."""

    def ends(self, movers: Movers) -> Bools:
        over = np.zeros(len(movers.rows), np.bool_)
        over[(movers.hand_size <= 2).nonzero()[0]] = True
        return over


@dataclass(frozen=True)
class Kept(Discard):
    """Derives from a part that takes numbers, and says nothing of them itself."""


def test_a_view_by_numbers_shares_nothing_with_the_table(rules: Rules) -> None:
    engine = Engine(rules, 1, seed=1)
    engine.reset()
    for _ in range(20):
        view = engine.look(0).one()
        told = [getattr(view, name) for name in ("hand", "piled", "recycled")]
        kept = [array.copy() for array in told]
        if engine.finished[0]:
            break
        engine.step(engine.random_actions())
        assert all(map(np.array_equal, told, kept))


def test_a_part_that_says_nothing_of_numbers_is_given_arrays() -> None:
    assert Discard.lean
    assert not Kept.lean
    rules = replace(rummy_env.rules("basic"), name="short", endings=(Unawares(),))
    many, one = dealt(rules, 8, seed=6), dealt(rules, 1, seed=6)
    one.lay(many.state.take(np.array([3])))
    while not many.finished.all():
        actions = choices(many)
        many.step(actions)
        if not one.finished[0]:
            one.step(actions[[3]])
    assert one.finished[0]
    assert one.snapshot(0) == many.snapshot(3)


@few_variants
def test_an_illegal_action_changes_nothing_in_one_game(variant: str) -> None:
    engine = dealt(rummy_env.rules(variant), 1, seed=2, steps=9)
    before = everything(engine)
    illegal = int((~engine.legal_mask()[0]).argmax())
    for action in (illegal, -1, engine.num_actions):
        with pytest.raises(rummy_env.IllegalAction, match=rf"game 0, .*action {action} "):
            engine.step([action])
        assert everything(engine) == before


def test_tables_that_do_not_fit_are_not_laid() -> None:
    engine, other = (dealt(rummy_env.rules(name), 4) for name in ("basic", "gin"))
    before = engine.state.copy()
    with pytest.raises(ValueError, match="1 games for 4 rows: give one for each"):
        engine.lay(engine.state.take(np.arange(1)))
    with pytest.raises(ValueError, match=r"games of other rules than rummy_env.rules\('basic'"):
        engine.lay(other.state)
    assert all(
        np.array_equal(a, b)
        for (_, a), (_, b) in zip(before.arrays(), engine.state.arrays(), strict=True)
    )


def test_a_view_tells_the_type_of_all_that_it_has(rules: Rules) -> None:
    view = dealt(rules, 3).look(0)
    letters = {"N": 3, "P": rules.num_players, "W": rules.pack.decks, "C": rules.pack.num_cards}
    for name, told in SeatView.fields(rules).items():
        dtype, axes = re.match(r"(\w+)\[([\w, ]+)\], ", told).groups()  # type: ignore[union-attr]
        array = getattr(view, name)
        assert array.dtype == np.dtype(dtype), name
        assert array.shape == tuple(letters[axis] for axis in axes.split(", ")), name
