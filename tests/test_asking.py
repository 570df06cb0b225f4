"""What policies answer: one legal action per game, or a fault that is laid at their door."""

import pickle
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env.baselines.answers import BadAnswer
from rummy_env.baselines.asking import answer
from rummy_env.play.minds import think
from rummy_env.search import Search
from tests.policies import First
from tests.rollout import dealt

GAMES = 6


class Saying:
    """Answers with what is given, whatever the position."""

    def __init__(self, said: Any) -> None:
        self.said = said

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        return self.said


class Failing:
    """Raises something."""

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        raise ZeroDivisionError


BAD = {
    "no action": (np.full(GAMES, -1), "action -1, which the mask forbids"),
    "beyond the last": (np.full(GAMES, 10_000), "action 10000, which the mask forbids"),
    "illegal": (np.zeros(GAMES, int), "action 0, which the mask forbids"),
    "not whole": (np.full(GAMES, 0.5), "dtype float64"),
    "too few": (np.zeros(1, int), r"shape \(1,\)"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_answer_is_laid_at_the_door_of_who_gave_it(name: str) -> None:
    said, told = BAD[name]
    games = dealt(rummy_env.rules("basic"), GAMES, steps=1)
    view, mask, rng = games.look(games.to_move), games.legal_mask(), games.random()
    assert not mask[:, 0].any()  # all have drawn
    for ask in (answer, lambda policy, *asked: Search(policy).think(*asked)):
        with pytest.raises(BadAnswer, match=f"^agent 'Saying' chose .*{told}"):
            ask(Saying(said), view, mask, rng)


def test_answers_are_copies_of_whole_numbers_whatever_held_them() -> None:
    games = dealt(rummy_env.rules("basic"), GAMES, steps=1)
    view, mask, rng = games.look(games.to_move), games.legal_mask(), games.random()
    first = First().act(view, mask, rng)
    for said in (first, first.astype(np.int16), first.tolist()):
        given = answer(Saying(said), view, mask, rng)
        assert given is not said
        assert given.dtype == np.intp
        assert given.tolist() == first.tolist()


def test_a_coach_passes_no_bad_answer_on() -> None:
    game = dealt(rummy_env.rules("basic"), 1, steps=1)
    with pytest.raises(BadAnswer, match="agent 'Saying' chose action -1"):
        next(think(Saying(np.array([-1])), game))


def test_what_a_policy_raises_names_it() -> None:
    games = dealt(rummy_env.rules("basic"), GAMES, steps=1)
    with pytest.raises(ZeroDivisionError) as raised:
        answer(Failing(), games.look(games.to_move), games.legal_mask(), games.random())
    assert raised.value.__notes__ == ["raised by agent 'Failing', playing rummy_env.rules('basic')"]


def test_a_bad_answer_is_told_across_processes_without_the_policy() -> None:
    error = BadAnswer("mine", "chose nothing", Saying([]))
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.policy) == (BadAnswer, str(error), None)
    assert str(error) == "agent 'mine' chose nothing"
