"""What parts and agents of a user's own answer: what would pass for another answer is refused."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.baselines import Greedy, resolve
from rummy_env.baselines.explanation import Explanation, Lead, explanations
from rummy_env.core.actions import action_space
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.features import FLAG, Feature, Graded, Plane, Scalar
from rummy_env.core.movers import Movers
from rummy_env.core.part import Condition, Ending, Restock, Result, Scoring
from rummy_env.core.rules import Phase
from rummy_env.core.state import State
from rummy_env.core.visibility import SeatView
from rummy_env.parts.drawing import DrawStock
from rummy_env.parts.match import SingleHand
from rummy_env.parts.rewards import ZeroSum
from rummy_env.search import Search
from rummy_env.views.features import observer
from rummy_env.views.text import open_text

BASIC = rummy_env.rules("basic")
FLAGS: dict[str, Any] = {
    "whole numbers": lambda rows: np.ones(len(rows), np.int8),
    "nothing": lambda rows: None,
    "too few": lambda rows: np.ones(len(rows) - 1, np.bool_),
}


@dataclass(frozen=True)
class Says(Ending, Condition):
    """An ending, and a condition, that answers as it was told."""

    what: str

    def ends(self, movers: Movers) -> Any:
        return FLAGS[self.what](movers.rows)

    holds = ends


def played(rules: Rules) -> Engine:
    engine = Engine(rules, 4, seed=1)
    engine.reset()
    while not engine.finished.all():
        rows = engine.running
        engine.step(engine.random_actions()[rows], rows)
    return engine


@pytest.mark.parametrize("what", FLAGS)
def test_an_ending_answers_with_flags(what: str) -> None:
    with pytest.raises(ValueError, match=r"Says\.ends answers .*give bool\["):
        played(replace(BASIC, endings=(Says(what),)))


@pytest.mark.parametrize("what", FLAGS)
def test_a_condition_answers_with_flags(what: str) -> None:
    draw, play = BASIC.turn
    turn = (draw, Phase(play.name, play.moves, when=Says(what), otherwise="draw"))
    with pytest.raises(ValueError, match=r"Says\.holds answers .*give bool\["):
        played(replace(BASIC, turn=turn))


@dataclass(frozen=True)
class Lasts(SingleHand):
    """An episode that answers wrongly to one question."""

    to: str

    def _said(self, to: str, flags: Any) -> Any:
        return flags.astype(np.int8) if self.to == to else flags

    def decided(self, state: State, rows: Rows, *, cut_off: bool) -> Any:
        return self._said("decided", super().decided(state, rows, cut_off=cut_off))

    def stopped(self, state: State, rows: Rows, *, cut_off: bool) -> Any:
        return self._said("stopped", super().stopped(state, rows, cut_off=cut_off))

    def winners(self, state: State, rows: Rows, last_hand: Bools) -> Any:
        return self._said("winners", super().winners(state, rows, last_hand))


@pytest.mark.parametrize("to", ["decided", "stopped", "winners"])
def test_an_episode_answers_with_flags(to: str) -> None:
    with pytest.raises(ValueError, match=rf"Lasts\.{to} answers int8.*: give bool\["):
        played(replace(BASIC, episode=Lasts(to)))
    played(replace(BASIC, episode=Lasts("nobody")))


@dataclass(frozen=True)
class Seats(SingleHand):
    """An episode of two hands, which seats the second as it was told."""

    field: str
    value: Any

    def decided(self, state: State, rows: Rows, *, cut_off: bool) -> Bools:
        over: Bools = state.hand_number[rows] > 0
        return over

    def seat_next(self, state: State, rows: Rows, last_hand: Bools, *, cut_off: bool) -> None:
        getattr(state, self.field)[rows] = self.value


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("dealer", 7, "dealers from 7 to 7: give seats"),
        ("dealer", -1, "dealers from -1 to -1: give seats"),
        ("sits_out", True, "0 of 2 seats play: let two play at least"),
    ],
)
def test_the_next_hand_has_a_dealer_and_two_who_play(field: str, value: Any, says: str) -> None:
    with pytest.raises(ValueError, match=rf"Seats\.seat_next: {says}"):
        played(replace(BASIC, episode=Seats(field, value)))
    assert (played(replace(BASIC, episode=Seats("dealer", 1))).state.hand_number == 1).all()


@dataclass(frozen=True)
class Counted(Restock):
    """A stock that says how many cards it has, not whether one can be drawn."""

    def can_draw(self, state: State, rows: Rows) -> Any:
        return state.stock_left(rows)


def test_whether_a_card_can_be_drawn_is_a_flag() -> None:
    rules = played_with(Counted())
    with pytest.raises(ValueError, match=r"Counted\.can_draw answers int.*: give bool\["):
        played(rules)


def played_with(restock: Restock) -> Rules:
    """The rules of basic with another stock."""
    draw, play = BASIC.turn
    moves = {**dict(draw.moves), DrawStock(restock): play.name}
    moves = {move: then for move, then in moves.items() if move != DrawStock(BASIC.restocking)}
    return replace(BASIC, turn=(Phase("draw", moves), play), restocking=restock)


PAID: dict[str, Any] = {
    "a number": lambda result: 5,
    "no numbers": lambda result: result.gains * np.nan,
    "one hand's": lambda result: result.gains[0],
}


@dataclass(frozen=True)
class Pays(ZeroSum):
    """Rewards that are paid as it was told."""

    what: str

    def for_hand(self, result: Result, scoring: Scoring) -> Any:
        return PAID[self.what](result)


@pytest.mark.parametrize("what", PAID)
def test_rewards_are_finite_numbers_for_games_and_seats(what: str) -> None:
    with pytest.raises(ValueError, match=r"Pays answers .*give (float|finite)"):
        played(replace(BASIC, rewards=Pays(what)))


@pytest.mark.parametrize("scale", [0.0, -1.0, float("inf"), float("nan")])
def test_gains_are_divided_by_points_above_none(scale: float) -> None:
    scoring = replace_scale(scale)
    with pytest.raises(ValueError, match=f"zero_sum_scale={scale}: give points above 0"):
        replace(BASIC, scoring=scoring)


def replace_scale(scale: float) -> Scoring:
    """The scoring of basic, with another scale."""

    class Scaled(type(BASIC.scoring)):  # type: ignore[misc]
        zero_sum_scale = scale

    scoring = BASIC.scoring
    found: Scoring = Scaled(scoring.values, going_rummy=scoring.going_rummy)  # type: ignore[attr-defined]
    return found


OF_CARDS: Any = lambda view: view.hand[:, 0] > 0  # noqa: E731
FOUND: dict[str, Any] = {
    "one game's cards": Plane("mine", "m", lambda view: view.hand[:1, 0]),
    "flags for cards": Plane("mine", "m", OF_CARDS),
    "half words": Plane("mine", "m", lambda view: view.hand[:, 0].astype(np.uint32)),
    "fractions": Scalar("mine", "m", lambda view: view.hand_sizes[:, 0] / 2, FLAG),
    "debts": Graded("mine", "m", lambda view: np.full((52, len(view)), -1.0, np.float32)),
    "no numbers": Graded("mine", "m", lambda view: np.full((52, len(view)), np.nan, np.float32)),
    "too few cards": Graded("mine", "m", lambda view: np.zeros((51, len(view)), np.float32)),
}


@dataclass(frozen=True)
class Showing(ZeroSum):
    """A part with a feature of its own."""

    shown: Any

    def features(self, rules: Rules) -> Sequence[Feature]:
        return [self.shown]


@pytest.mark.parametrize("what", FOUND)
def test_a_feature_answers_for_every_game(what: str) -> None:
    rules = replace(BASIC, rewards=Showing(FOUND[what]))
    engine = Engine(rules, 3, seed=1)
    engine.reset()
    observe = observer(rules, "outs")
    with pytest.raises(ValueError, match=r"feature 'mine' answers .*: give "):
        observe(engine.look(0))


def test_features_are_features() -> None:
    with pytest.raises(TypeError, match=r"Showing\.features: 3: give Plane, Scalar or Graded"):
        observer(replace(BASIC, rewards=Showing(3)))


def test_two_features_of_one_name_are_refused() -> None:
    turns = Scalar("turns", "the hand is about to end", lambda v: v.turn_number, FLAG)
    with pytest.raises(ValueError, match=r"'turns' is both .* and 'the hand is about to end'"):
        observer(replace(BASIC, rewards=Showing(turns)))


class Chancy:
    """A policy with probabilities that are none."""

    def __init__(self, find: Any) -> None:
        self._find = find

    def act(self, view: SeatView, mask: Any, rng: Any) -> Any:
        """See `Policy.act`."""
        return mask.argmax(axis=1)

    def probabilities(self, view: SeatView, mask: Any, rng: Any) -> Any:
        """What is no probability."""
        return self._find(mask)


CHANCES: dict[str, Any] = {
    "no numbers": lambda mask: mask * np.nan,
    "illegal actions": lambda mask: ~mask / (~mask).sum(axis=1, keepdims=True),
    "nothing": lambda mask: mask * 0.0,
    "one row": lambda mask: (mask / mask.sum(axis=1, keepdims=True))[0],
    "a list": lambda mask: [[1.0]],
}


@pytest.mark.parametrize("what", CHANCES)
def test_a_search_asks_for_probabilities(what: str) -> None:
    engine = Engine(rummy_env.rules("gin"), 3, seed=1)
    engine.reset()
    search = Search(Chancy(CHANCES[what]), worlds=2, rollouts="greedy")
    with pytest.raises(ValueError, match=r"Chancy\.probabilities(:| answers) "):
        search.think(engine.look(engine.to_move), engine.legal_mask(), engine.random())


class Unsure:
    """A policy that cannot be made."""

    def __init__(self) -> None:
        raise ValueError("my file is missing")

    def act(self, view: SeatView, mask: Any, rng: Any) -> Any:
        """See `Policy.act`."""


class Choosy(Chancy):
    """A policy that plays what its function says."""

    def plays(self, rules: Rules) -> Any:
        """See `Policy.plays`."""
        return self._find(rules)


def test_who_cannot_be_made_or_does_not_say_what_it_plays_is_named() -> None:
    def refuse(rules: Rules) -> bool:
        raise ValueError("I hate it")

    with pytest.raises(ValueError, match="agent Unsure: my file is missing"):
        resolve(f"{__name__}:Unsure")
    with pytest.raises(ValueError, match="Choosy: I hate it"):
        resolve(Choosy(refuse), BASIC)
    with pytest.raises(TypeError, match=r"Choosy\.plays answers None: give True or False"):
        resolve(Choosy(lambda rules: None), BASIC)
    assert resolve(Choosy(lambda rules: np.True_), BASIC)


@pytest.mark.parametrize("name", ["greedy", "strong", "simple", "careful", "camper", "trained"])
def test_a_mask_has_a_row_for_every_game(name: str) -> None:
    engine = Engine(rummy_env.rules("gin"), 3, seed=1)
    engine.reset()
    view, mask, rng = engine.look(engine.to_move), engine.legal_mask(), engine.random()
    with pytest.raises(ValueError, match=r"a mask of shape \(2, \d+\): give bool\[3, A\]"):
        resolve(name).act(view, mask[:2], rng)


ACTIONS = len(action_space(BASIC).actions)
EXPLAINED: dict[str, Any] = {
    "a number": 3,
    "another game's choice": Explanation(choice=9999),
    "an illegal choice": Explanation(choice=-1),
    "too few values": Explanation(values=np.zeros(3)),
    "too few weights": Explanation(weights={"outs": np.zeros(3)}),
    "a lead over no action": Explanation(lead=Lead(9999, np.zeros(ACTIONS), np.zeros(ACTIONS))),
    "too few leads": Explanation(lead=Lead(0, np.zeros(3), np.zeros(ACTIONS))),
    "no chance": Explanation(probabilities=np.full(ACTIONS, np.nan)),
    "no value": Explanation(value=float("nan")),
}


class Explains(Chancy):
    """A policy that explains itself as it was told."""

    def explain(self, view: SeatView, mask: Any, rng: Any) -> Any:
        """What is no explanation."""
        return self._find


@pytest.mark.parametrize("what", EXPLAINED)
def test_an_explanation_is_one_of_the_position(what: str) -> None:
    engine = Engine(BASIC, seed=1)
    engine.reset()
    asked = engine.look(engine.to_move), engine.legal_mask(), engine.random()
    with pytest.raises(ValueError, match=r"give (one|a number for each|a legal action|0|a finite)"):
        [*explanations(Explains(EXPLAINED[what]), *asked)]
    assert [*explanations(Greedy(), *asked)]


def test_a_policy_that_has_nothing_to_say_explains_nothing() -> None:
    class Speechless(Chancy):
        def explaining(self, view: SeatView, mask: Any, rng: Any) -> Iterator[Explanation]:
            yield from ()

    engine = Engine(BASIC, seed=1)
    engine.reset()
    asked = engine.look(engine.to_move), engine.legal_mask(), engine.random()
    assert [*explanations(Speechless(3), *asked)] == [Explanation()]


def test_a_table_is_drawn_from_the_views_of_all_its_seats_in_order() -> None:
    engine = Engine(rummy_env.rules("basic", num_players=3), 2, seed=1)
    engine.reset()
    a, b, c = views = [engine.look(seat, np.array([0])) for seat in range(3)]
    assert open_text(views)
    of_two = [engine.look(seat) for seat in range(3)]
    for wrong in ([a], [a, a, a], [b, a, c], of_two, []):
        with pytest.raises(ValueError, match="give a list, with the view of each seat"):
            open_text(wrong)
    alone: Any = a
    with pytest.raises(TypeError, match="give a list, with the view of each seat"):
        open_text(alone)


@pytest.mark.parametrize("ask", [action_space, observer, SeatView.fields])
def test_a_name_is_no_rules(ask: Any) -> None:
    with pytest.raises(TypeError, match=r"give .*rummy_env\.rules\('gin'"):
        ask("gin")


@dataclass(frozen=True)
class Tells(type(BASIC.scoring)):  # type: ignore[misc]
    """The scoring of basic, which says something else of the ends of hands and of cards."""

    end: Any = None
    cards: Any = None
    points: int = 0

    def how_ended(self, view: SeatView) -> Any:
        return self.end

    def caught(self) -> Any:
        return self.cards

    def score(self, state: State, rows: Rows) -> Result:
        result: Result = super().score(state, rows)
        points: Any = result.points.astype(np.int64) + self.points
        return replace(result, points=points)


def told(**answers: Any) -> Rules:
    """The rules of basic with such a scoring."""
    return replace(BASIC, scoring=Tells(**vars(BASIC.scoring), **answers))


@pytest.mark.parametrize("end", ["over", ("over",), None, (1, 2, 3, 4), ("a", "b", "c", "d", "e")])
def test_the_ends_of_hands_are_told_in_a_text_for_each(end: Any) -> None:
    engine = played(told(end=end))
    with pytest.raises(ValueError, match=r"Tells\.how_ended answers .*: give 4 texts, in a list"):
        engine.how_ended()
    assert played(told(end=("a", "b", "c", "d"))).how_ended() == ["a", "b", "c", "d"]


@pytest.mark.parametrize("cards", [(1,) * 13, (0.5,) * 52, 5])
def test_every_card_that_a_player_is_caught_with_costs_points(cards: Any) -> None:
    with pytest.raises(ValueError, match=r"Tells\.caught answers .*: give int32\[52\]"):
        resolve("greedy", told(cards=cards)).act(*asked(told(cards=cards)))
    assert resolve("patient", told(cards=(1,) * 52)).act(*asked(told(cards=(1,) * 52))).size


def asked(rules: Rules) -> Any:
    """What a policy is asked at the deal."""
    engine = Engine(rules, seed=1)
    engine.reset()
    return engine.look(engine.to_move), engine.legal_mask(), engine.random()


def test_points_may_be_of_any_whole_numbers() -> None:
    class Unsigned(type(BASIC.scoring)):  # type: ignore[misc]
        def score(self, state: State, rows: Rows) -> Result:
            result: Result = super().score(state, rows)
            points: Any = result.points.astype(np.uint64)
            return replace(result, points=points)

    scores = played(replace(BASIC, scoring=Unsigned(**vars(BASIC.scoring)))).state.scores
    assert np.array_equal(scores, played(BASIC).state.scores)


def test_points_are_as_many_as_a_state_can_hold() -> None:
    with pytest.raises(ValueError, match=r"Tells\.score: points=\d+: give fewer, which an int32"):
        played(told(points=3_000_000_000))
    assert (played(told(points=2_000_000_000)).state.scores > 1_900_000_000).all()


def test_what_counts_is_known() -> None:
    class Counts(ZeroSum):
        counts: Any = "hand"

    with pytest.raises(ValueError, match="counts='hand': give one of 'points', 'hands'"):
        replace(BASIC, rewards=Counts())


def test_parts_can_be_hashed() -> None:
    @dataclass
    class Thawed(Ending):
        def ends(self, movers: Movers) -> Bools:
            raise NotImplementedError

    with pytest.raises(TypeError, match=r"endings: unhashable type: 'Thawed'; make every part a"):
        replace(BASIC, endings=(Thawed(),))
