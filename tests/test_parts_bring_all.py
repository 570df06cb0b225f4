"""A part brings all that it needs: fields, endings, phases and features meet in one value."""

import dataclasses
import pickle
from typing import Any, ClassVar

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.core.arrays import Bools, Floats, Rows
from rummy_env.core.cards import Pack
from rummy_env.core.fields import CORE, Field, Kind, Lasts
from rummy_env.core.movers import Movers
from rummy_env.core.part import Condition, Ending, Move, Result, Rewards, Scoring
from rummy_env.core.rules import END_TURN, Phase, Sight
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawDiscard, DrawStock
from rummy_env.parts.endings import EmptiedHand
from rummy_env.parts.match import GamePoints
from rummy_env.parts.melding import Play
from rummy_env.parts.open_pile import TakeToUse
from rummy_env.parts.restocking import HandEnds
from rummy_env.parts.table_melds import Melding
from tests.rollout import dealt, finish, random_play

DISCARDS = Field("discards", Kind.NUMBER, "discards of each seat", axes="P")
LAST = Field("last_thrown", Kind.CARD, "the card discarded last", lasts=Lasts.EPISODE)
THROWER = Field("thrower", Kind.SEAT, "the seat that discarded last", blank=-1)
THROWN = Field("thrown", Kind.CARDS, "all cards discarded in the hand", axes="W")
MEMORY = (DISCARDS, LAST, THROWER, THROWN)


@dataclasses.dataclass(frozen=True)
class CountingDiscard(Discard):
    """A discard that remembers."""

    state_fields: ClassVar = MEMORY

    def apply(self, movers: Movers, choice: Rows) -> None:
        super().apply(movers, choice)
        state, rows = movers.state, movers.rows
        state.discards[rows, movers.seat] += 1
        state.last_thrown[rows] = state.pile_top(rows)
        state.thrower[rows] = movers.seat
        state.thrown[rows] |= state.piled[rows]


@dataclasses.dataclass(frozen=True)
class SoMany(Ending):
    """The hand ends with so many discards of a seat."""

    discards: int
    state_fields: ClassVar = MEMORY

    def ends(self, movers: Movers) -> Bools:
        return np.asarray(movers.state.discards[movers.rows, movers.seat] >= self.discards)


def with_memory(base: Rules, *endings: Ending) -> Rules:
    """Basic rummy with a discard that remembers, and more endings."""
    draw, play = base.turn
    moves = {m: then for m, then in play.moves if not isinstance(m, Discard)}
    turn = (draw, Phase("play", {**moves, CountingDiscard(base.pack): END_TURN}))
    return dataclasses.replace(base, turn=turn, endings=(*base.endings, *endings))


def test_memory_of_a_part_is_cleared_shown_and_told_as_it_is_declared() -> None:
    short = rummy_env.rules("basic", match="match", deals=2, hand_size=3, max_turns=20)
    engine = dealt(with_memory(short), 20)
    own, all_fields = {*MEMORY}, {*engine.rules.state_fields}
    assert own | {*Discard.state_fields} <= all_fields, "also the memory of its base class"
    hands = 0
    for _ in random_play(engine, 300):
        table, view = engine.snapshot(0), engine.look(1, [0])
        hands = max(hands, table["hand_number"])
        assert view.discards[0].tolist() == table["discards"][1:] + table["discards"][:1]
        if table["thrower"] is not None:
            assert view.thrower[0] == (table["thrower"] - 1) % 2
            assert table["last_thrown"] in table["thrown"]
        copy = Engine(engine.rules)
        copy.restore(0, table)
        assert copy.snapshot(0) == table
    assert hands == 1
    engine.reset()
    fresh = engine.snapshot(0)
    assert (fresh["discards"], fresh["last_thrown"]) == ([0, 0], None)
    assert (fresh["thrower"], fresh["thrown"]) == (None, [])


def test_rules_without_a_part_have_no_array_for_it() -> None:
    gin = {field.name for field in rummy_env.rules("gin").state_fields}
    assert {"claim", "passes"} <= gin
    assert not gin & {"melds_made", "put_backs", "must_use"}
    basic = {field.name for field in rummy_env.rules("basic").state_fields}
    assert basic == {field.name for field in CORE} | {"discarded", "passed"}
    bonus = {field.name for field in rummy_env.rules("bonus").state_fields}
    assert bonus - basic == {"melds_made", "first_play"}


def test_two_endings_end_hands_together() -> None:
    basic = rummy_env.rules("basic", hand_size=3)
    engine = dealt(with_memory(basic, SoMany(4), SoMany(3)), 200)
    finish(engine)
    assert (engine.state.discards <= 3).all()
    assert engine.terminated.all()
    reached = (engine.state.discards == 3).any(axis=1)
    emptied = (engine.state.hands == 0).any(axis=(1, 2))
    assert reached.any()
    assert emptied.any()
    assert (reached | emptied).all()


def test_a_field_that_clashes_with_another_is_refused_with_both() -> None:
    class Clashing(EmptiedHand):
        """Declares a field that another part declares otherwise."""

        state_fields: ClassVar = (dataclasses.replace(DISCARDS, kind=Kind.FLAG),)

    class LikeTheCore(EmptiedHand):
        """Declares a field of the core otherwise."""

        state_fields: ClassVar = (Field("dealer", Kind.CARD, "a card"),)

    with pytest.raises(ValueError, match=r"'discards' of Clashing clashes with that of Counting"):
        with_memory(rummy_env.rules("basic"), Clashing())
    with pytest.raises(ValueError, match=r"'dealer' of LikeTheCore clashes with that of the core"):
        with_memory(rummy_env.rules("basic"), LikeTheCore())


@dataclasses.dataclass(frozen=True)
class Never(Condition):
    """Holds nowhere."""

    def holds(self, movers: Movers) -> Bools:
        return np.zeros(len(movers.rows), np.bool_)


def test_a_phase_that_no_game_comes_to_is_refused() -> None:
    rules = rummy_env.rules("basic")
    lost = Phase("lost", dict(rules.turn[1].moves))
    with pytest.raises(ValueError, match=r"leads to 'lost'; let one lead there, or leave"):
        dataclasses.replace(rules, turn=(*rules.turn, lost))


def test_phases_passed_over_in_a_circle_are_refused() -> None:
    rules = rummy_env.rules("basic")
    draw, play = rules.turn
    one = Phase("one", dict(draw.moves), when=Never(), otherwise="two")
    two = Phase("two", dict(draw.moves), when=Never(), otherwise="one")
    with pytest.raises(ValueError, match="in a circle, one -> two -> one; let one of them lead"):
        dataclasses.replace(rules, turn=(one, two, play))


def test_a_phase_that_is_never_passed_over_needs_no_other() -> None:
    draw, play = rummy_env.rules("basic").turn
    other = Phase("play", dict(play.moves), otherwise="draw")
    with pytest.raises(ValueError, match="phase 'play' is never passed over for 'draw': give the"):
        dataclasses.replace(rummy_env.rules("basic"), turn=(draw, other))


class Twice(Rewards):
    """Pays the points of every hand, and a thousand for the episode."""

    def for_hand(self, result: Result, scoring: Scoring) -> Floats:
        return result.points.astype(np.float32)

    def for_episode(self, winners: Bools) -> Floats:
        return winners * np.float32(1000)


def test_a_reward_for_the_episode_comes_on_top_of_that_for_its_last_hand() -> None:
    rules = dataclasses.replace(rummy_env.rules("basic"), rewards=Twice())
    engine = Engine(rules, 20, seed=1)
    engine.reset()
    paid = np.zeros((20, 2))
    while not engine.finished.all():
        engine.step(engine.random_actions())
        paid += engine.rewards
    won = engine.state.winners
    assert (engine.state.scores[won] > 0).any()
    assert np.array_equal(paid, engine.state.scores + 1000 * won)


def test_a_hand_that_ends_with_cards_in_all_hands_has_no_winner() -> None:
    """Counting the cards that are left, by rules of one's own in which the stock may end a hand."""
    rules, stock = rummy_env.rules("basic"), HandEnds()
    draw = Phase("draw", {DrawStock(stock): "play", DrawDiscard(): "play"})
    engine = Engine(dataclasses.replace(rules, restocking=stock, turn=(draw, rules.turn[1])), 50)
    engine.reset()
    finish(engine)
    full = (engine.state.hands != 0).any(axis=2).all(axis=1)
    assert full.any()
    assert not engine.state.winners[full].any()
    assert not engine.state.scores[full].any()
    assert not engine.rewards[full].any()
    assert (engine.state.winners[~full].sum(axis=1) == 1).all()


def test_laying_melds_on_the_table_is_refused_with_two_packs() -> None:
    rules = rummy_env.rules("basic")
    (melding,) = rules.parts_of(Melding)
    own = dataclasses.replace(melding, return_taken=True)
    plays = [move for move, _ in rules.turn[1].moves if isinstance(move, Play)]
    moves: dict[Move, str] = {dataclasses.replace(move, melding=own): "play" for move in plays}
    moves[Discard(Pack(2), return_taken=True)] = END_TURN
    play = Phase("play", moves)
    with pytest.raises(ValueError, match=r"Pack.*is worked out for one pack"):
        Engine(dataclasses.replace(rules, pack=Pack(2), turn=(rules.turn[0], play)))


def test_replaced_fields_are_read_as_options_too() -> None:
    rules = rummy_env.rules("basic")
    more = dataclasses.replace(rules, num_players=3, hand_size=5)
    assert (more.num_players, dict(more.options)["num_players"]) == (3, 3)
    assert more == rummy_env.rules("basic", num_players=3, hand_size=5)
    assert "num_players=3, hand_size=5" in repr(more)


def test_rules_hash_alike_wherever_they_were_made(rules: Rules) -> None:
    again = pickle.loads(pickle.dumps(rules))
    assert (again, hash(again)) == (rules, hash(rules))
    assert "_hash" not in rules.__getstate__()


@pytest.mark.parametrize(
    ("kind", "axes"), [(Kind.SEAT, "P"), (Kind.CARD, "P"), (Kind.CARDS, "PW"), (Kind.CARD, "W")]
)
def test_a_field_that_views_could_not_show_is_refused_unless_it_is_hidden(
    kind: Kind, axes: str
) -> None:
    with pytest.raises(ValueError, match=f"field 'own': .* {kind.name} with axes '{axes}'"):
        Field("own", kind, "something", axes=axes)
    assert not Field("own", kind, "something", axes=axes, seen=False).seen


@pytest.mark.parametrize("pack", [Pack(2), Pack(1, ("WILD",))])
def test_the_taken_card_cannot_be_barred_where_it_may_have_an_equal(pack: Pack) -> None:
    with pytest.raises(ValueError, match="return_taken=False with Pack"):
        Discard(pack)
    assert Discard(pack, return_taken=True).return_taken


@pytest.mark.parametrize("target", [0, -3, "x", True])
def test_a_match_of_game_points_has_a_target(target: Any) -> None:
    with pytest.raises(ValueError, match=f"target={target!r}: give a whole number from 1"):
        GamePoints(target, max_hands=10, winner_first=False, sends_out=False)


@pytest.mark.parametrize(
    ("variant", "changed", "says"),
    [
        ("basic", {"first_discard": 2}, "first_discard=2: give True or False"),
        ("rummy500", {"sight": Sight(pile_known=False)}, "TakeToUse takes from an open pile"),
        ("gin", {"first_discard": False}, "the limit is that of the upcard: give first_discard"),
    ],
)
def test_rules_that_contradict_a_part_are_refused(variant: str, changed: Any, says: str) -> None:
    oklahoma = {"oklahoma": True} if variant == "gin" else {}
    with pytest.raises(ValueError, match=says):
        dataclasses.replace(rummy_env.rules(variant, **oklahoma), **changed)


def test_a_card_to_be_used_needs_a_pack_of_different_cards() -> None:
    special = rummy_env.rules("rummy_cards", spread_out_discards=True)
    moves = rummy_env.rules("rummy500").moves()
    (take,) = (move for move in moves if isinstance(move, TakeToUse))
    with pytest.raises(ValueError, match="TakeToUse needs a pack of 52 different cards"):
        dataclasses.replace(take, pack=special.pack).check_rules(special)


def test_what_is_seen_is_true_or_false() -> None:
    with pytest.raises(ValueError, match="stock_counted='no': give True or False"):
        Sight(stock_counted="no")  # type: ignore[arg-type]


def test_a_move_stands_once_in_a_phase() -> None:
    rules = rummy_env.rules("basic")
    draw = Phase("draw", (*rules.turn[0].moves, rules.turn[0].moves[0]))
    with pytest.raises(ValueError, match="turn: phase 'draw' has a move twice; give it once"):
        dataclasses.replace(rules, turn=(draw, *rules.turn[1:]))


def test_a_stock_that_ends_the_hand_before_it_is_empty_is_told() -> None:
    rules, stock = rummy_env.rules("basic"), HandEnds(5)
    draw = Phase("draw", {DrawStock(stock): "play", DrawDiscard(): "play"})
    engine = Engine(dataclasses.replace(rules, restocking=stock, turn=(draw, rules.turn[1])), 50)
    engine.reset()
    finish(engine)
    assert {*engine.how_ended()} == {"went out", "stock exhausted"}
