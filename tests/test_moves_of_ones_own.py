"""Moves, fields and features of a user's own: what does not fit is refused by name."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine
from rummy_env.baselines import Greedy
from rummy_env.core.bits import ZERO
from rummy_env.core.cards import Pack
from rummy_env.core.fields import Field, Kind
from rummy_env.core.movers import Movers
from rummy_env.core.part import Action, Move
from rummy_env.core.rules import END_HAND, Phase
from rummy_env.core.visibility import SeatView
from tests.policies import decisions


@dataclass(frozen=True)
class Quit(Move):
    """Ends the hand; `answer` makes what `legal` returns from a word that allows it."""

    answer: Callable[[Any], Any]
    kind = "quit"

    def legal(self, movers: Movers) -> Any:
        return self.answer(np.ones_like(movers.hand))

    def apply(self, movers: Movers, choice: Any) -> None:
        """Leave all as it is."""


def played_with(answer: Callable[[Any], Any]) -> Engine:
    """A game in which its first seat may quit."""
    rules = rummy_env.rules("basic")
    draw, play = rules.turn
    draw = Phase("draw", {Quit(answer): END_HAND, **dict(draw.moves)})
    engine = Engine(replace(rules, turn=(draw, play)), 2, seed=1)
    engine.reset()
    return engine


def test_a_move_that_answers_in_its_width_is_played() -> None:
    engine = played_with(lambda word: (word,))
    engine.step([engine.space.index("quit")] * 2)
    assert engine.finished.all()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda word: (~word,), "set bits beyond its 1 actions"),
        (lambda word: (word, word), "return a tuple with a uint64.R. for each of its 1 widths"),
        (lambda word: word, "return a tuple with a uint64.R. for each of its 1 widths"),
        (lambda word: (word.astype(np.int64),), "give uint64.2."),
    ],
)
def test_a_move_that_would_allow_other_actions_is_named(
    answer: Callable[[Any], Any], words: str
) -> None:
    with pytest.raises(ValueError, match=f"move 'quit': legal.*{words}"):
        played_with(answer)


@pytest.mark.parametrize("name", ["melds", "finished", "discard", "stock_left", "hand", "rules"])
def test_a_field_that_would_hide_something_is_refused(name: str) -> None:
    @dataclass(frozen=True)
    class Noting(Quit):
        state_fields: ClassVar = (Field(name, Kind.NUMBER, "a number"),)

    rules = rummy_env.rules("basic")
    draw, play = rules.turn
    draw = Phase("draw", {Noting(lambda word: (word,)): END_HAND, **dict(draw.moves)})
    with pytest.raises(ValueError, match=f"field '{name}'"):
        Engine(replace(rules, turn=(draw, play)))


@dataclass(frozen=True)
class Bid(Quit):
    """Names a number; tells which are legal in words of some widths."""

    wide: tuple[int, ...] = (64, 36)
    made: Any = tuple(Action(f"bid {number}") for number in range(100))
    kind: Any = "bid"

    def actions(self, pack: Pack) -> Any:
        return self.made

    def widths(self, pack: Pack) -> tuple[int, ...]:
        return self.wide


def test_a_move_with_more_actions_than_a_word_has_bits_tells_them_in_several() -> None:
    def all_of_them(word: Any) -> Any:
        return ~(word & ZERO), (word << np.uint64(36)) - word

    mask = bidding(Bid(all_of_them)).legal_mask()
    assert mask.sum(axis=1).tolist() == [101, 101]  # those, and to draw from the stock


def bidding(move: Move) -> Engine:
    """A game in which its first seat may make a move, or draw from the stock."""
    rules = rummy_env.rules("basic")
    draw, play = rules.turn
    stock = next((each, then) for each, then in draw.moves if each.kind == "draw_stock")
    draw = Phase("draw", dict([(move, END_HAND), stock]))
    engine = Engine(replace(rules, turn=(draw, play)), 2, seed=1)
    engine.reset()
    return engine


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"wide": (60, 30)}, ValueError, r"'bid': 100 actions, and widths \(60, 30\)"),
        ({"wide": (60, 60)}, ValueError, r"'bid': 100 actions, and widths \(60, 60\)"),
        ({"wide": (100,)}, ValueError, "give one action at least, and widths of 1 to 64"),
        ({"wide": (64, 36, 0)}, ValueError, "widths of 1 to 64 that add up to them"),
        ({"wide": (), "made": ()}, ValueError, "0 actions"),
        ({"wide": (1,), "made": ("bid",)}, TypeError, r"Bid\.actions: 'bid': give an Action"),
        ({"kind": None}, TypeError, "Bid has no kind: give it one"),
    ],
)
def test_a_move_whose_words_would_mean_other_actions_is_named(
    given: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        bidding(Bid(tuple, **given))


@dataclass(frozen=True)
class Wanted(Quit):
    """What greedy is told to want."""

    want: Any = None
    preference = 1.0

    def wanted(self, view: SeatView) -> Any:
        return self.want(view)


@pytest.mark.parametrize(
    "want",
    [
        lambda view: np.ones(len(view), np.bool_),
        lambda view: np.ones((len(view), 2), np.bool_),
        lambda view: np.ones((len(view), 1, 1), np.bool_),
    ],
)
def test_what_a_move_says_is_wanted_has_a_row_for_every_game(want: Any) -> None:
    engine = bidding(Wanted(lambda word: (word,), want))
    with pytest.raises(ValueError, match=r"Wanted\.wanted answers .*: give bool\[2, 1\]"):
        decisions(Greedy(), engine, engine.running)
