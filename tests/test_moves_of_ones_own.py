"""Moves, fields and features of a user's own: what does not fit is refused by name."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine
from rummy_env.core.fields import Field, Kind
from rummy_env.core.movers import Movers
from rummy_env.core.part import Move
from rummy_env.core.rules import END_HAND, Phase


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
