"""Parts of a user's own in rules of the package: what each declares is kept, shown and refused."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.core.arrays import Bools
from rummy_env.core.cards import NO_CARD, Pack
from rummy_env.core.fields import Field, Kind
from rummy_env.core.movers import Movers
from rummy_env.core.part import Ending, Move
from rummy_env.core.rules import END_TURN, Phase, Sight, check_turn
from rummy_env.parts.declaring import LayDownRummy
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawDiscard, DrawStock, ExtraDraw
from rummy_env.parts.endings import EmptiedHand
from rummy_env.parts.gin_points import GinPoints
from rummy_env.parts.knocking import KnockLimit
from rummy_env.parts.match import GamePoints, SingleHand, ToTarget
from rummy_env.parts.melding import MeldGroup, MeldSequence
from rummy_env.parts.open_pile import UsingMelding
from rummy_env.parts.restocking import HandEnds, TurnOver
from rummy_env.parts.rewards import Points
from rummy_env.parts.scoring import PIP_VALUES, CardsLeft, CardValues
from rummy_env.parts.table_melds import Melding
from rummy_env.views.picture import picture


def drawing_and_discarding(pack: Pack) -> Rules:
    """Rules by which two seats draw and discard; the cards left count."""
    draws_from = HandEnds()
    return Rules(
        name="drawing",
        options=(),
        pack=pack,
        num_players=2,
        hand_size=2,
        first_discard=True,
        turn=(
            Phase("draw", {DrawStock(draws_from): "play", DrawDiscard(): "play"}),
            Phase("play", {Discard(pack, return_taken=True): END_TURN}),
        ),
        restocking=draws_from,
        endings=(EmptiedHand(),),
        scoring=CardsLeft(PIP_VALUES, going_rummy=False),
        episode=SingleHand(),
        rewards=Points(),
        max_turns=200,
    )


def played_out(rules: Rules, num_envs: int = 64) -> Engine:
    """Games of random play, to their ends."""
    engine = Engine(rules, num_envs, seed=1)
    engine.reset()
    while not engine.finished.all():
        engine.step(engine.random_actions())
    return engine


@dataclass(frozen=True)
class CountedGroup(MeldGroup):
    """A group that its own part counts, under a name of its own."""

    kind = "put_group"
    state_fields: ClassVar = (Field("groups_put", Kind.NUMBER, "groups laid down", ""),)


@dataclass(frozen=True)
class RenamedSequence(MeldSequence):
    """A sequence under a name of its own."""

    kind = "put_sequence"


def renamed(rules: Rules) -> Rules:
    """The same rules with melds under other names."""
    ours: dict[str, Any] = {"meld_group": CountedGroup, "meld_sequence": RenamedSequence}

    def made(move: Any) -> Any:
        return ours[move.kind](move.melding) if move.kind in ours else move

    def changed(phase: Phase) -> Phase:
        return Phase(phase.name, {made(move): then for move, then in phase.moves})

    return replace(rules, turn=tuple(map(changed, rules.turn)))


def test_melds_of_other_names_are_restored() -> None:
    engine = Engine(renamed(rummy_env.rules("basic")), 64, seed=1)
    engine.reset()
    for _ in range(60):
        engine.reset(engine.finished.nonzero()[0])
        engine.step(engine.random_actions())
    tables = [engine.snapshot(row) for row in range(64)]
    row = next(row for row, table in enumerate(tables) if table["melds"])
    engine.restore(0, tables[row])
    assert engine.snapshot(0)["melds"] == tables[row]["melds"]


def test_fields_of_a_base_class_that_depend_on_it_are_kept() -> None:
    @dataclass(frozen=True)
    class Noted(Melding):
        state_fields: ClassVar = (Field("noted", Kind.NUMBER, "a number of its own", ""),)

    usual = next(part for part in rummy_env.rules("bonus").parts if isinstance(part, Melding))
    names = {field.name for field in Noted(**vars(usual)).all_fields()}
    assert names == {"noted", *(field.name for field in usual.all_fields())}
    assert len(names) > 1


def test_two_moves_with_the_same_actions_are_refused() -> None:
    rules = drawing_and_discarding(Pack())
    draws_from = rules.restocking
    turn = (
        Phase("draw", {DrawStock(draws_from): "one", DrawDiscard(): "other"}),
        Phase("one", {Discard(rules.pack, return_taken=True): END_TURN}),
        Phase("other", {Discard(rules.pack): END_TURN}),
    )
    with pytest.raises(ValueError, match=r"turn: several moves have the action 'discard \w+'"):
        Engine(replace(rules, turn=turn))


def test_cards_of_the_second_deck_are_left_as_well() -> None:
    engine = played_out(drawing_and_discarding(Pack(decks=2)))
    assert (engine.state.hands != 0).any(axis=2).all()
    assert not engine.hand_winners.any()
    assert "went out" not in engine.how_ended()


def test_a_stock_turned_over_tells_no_equal_cards_apart() -> None:
    rules = replace(drawing_and_discarding(Pack(specials=("WILD",) * 3)), hand_size=2)
    over = TurnOver()
    turn = (Phase("draw", {DrawStock(over): "play", DrawDiscard(): "play"}), rules.turn[1])
    engine = Engine(replace(rules, turn=turn, restocking=over, max_turns=200), 16, seed=1)
    engine.reset()
    wild, seen = engine.rules.pack.code("WILD"), 0
    while engine.running.size:
        engine.step(engine.random_actions()[engine.running], engine.running)
        stock = engine.look(0).stock
        held = stock[stock != NO_CARD]
        assert not (held > wild).any()
        seen += int((held == wild).sum())
    assert seen


def test_a_seat_that_sits_out_has_not_gone_out() -> None:
    episode = GamePoints(1, 3, winner_first=False, sends_out=True)
    engine = Engine(replace(rummy_env.rules("rummy500", num_players=3), episode=episode), seed=1)
    engine.reset()
    table = engine.snapshot(0)
    table["discard"] += table["hands"][2] + table["stock"][1:]
    table |= {"hands": [*table["hands"][:2], []], "stock": table["stock"][:1], "to_move": 0}
    engine.restore(0, {**table, "sits_out": [False, False, True], "hand_number": 2})
    while not engine.finished[0]:
        (legal,) = engine.legal_mask()
        draw = engine.space.index("draw_stock")
        engine.step([draw if legal[draw] else legal.nonzero()[0][-1]])
    assert engine.how_ended() == ["stock exhausted"]


@dataclass(frozen=True)
class FirstMove(Ending):
    """The hand ends with its first move."""

    def ends(self, movers: Movers) -> Bools:
        return np.ones(len(movers.rows), np.bool_)


@pytest.mark.parametrize("stock_counted", [True, False])
@pytest.mark.parametrize(("stock", "ended"), [(7, "ended"), (3, "stock exhausted")])
def test_a_stock_that_has_more_cards_than_end_the_hand_is_not_exhausted(
    stock: int, ended: str, *, stock_counted: bool
) -> None:
    rules, draws_from = drawing_and_discarding(Pack()), HandEnds(2)
    turn = (Phase("draw", {DrawStock(draws_from): "play"}), rules.turn[1])
    sight = Sight(stock_counted=stock_counted)
    rules = replace(rules, turn=turn, restocking=draws_from, endings=(FirstMove(),), sight=sight)
    engine = Engine(rules, seed=1)
    engine.reset()
    table = engine.snapshot(0)
    table["discard"] += table["stock"][stock:]
    engine.restore(0, {**table, "stock": table["stock"][:stock]})
    engine.step([engine.space.index("draw_stock")])
    assert engine.how_ended() == [ended]


def test_what_everybody_knew_is_known_after_it_was_drawn_third() -> None:
    turned, pack = TurnOver(), Pack()
    discard: dict[Move, str] = {Discard(pack, return_taken=True): END_TURN}
    turn = (
        Phase("draw", {DrawStock(turned): "play", DrawDiscard(): "more"}),
        Phase("more", {ExtraDraw(): "play", **discard}),
        Phase("play", discard),
    )
    rules = replace(drawing_and_discarding(pack), turn=turn, restocking=turned, max_turns=400)
    engine, open_draws = Engine(rules, 16, seed=1), 0
    engine.reset()
    extra, rows = engine.space.index("extra_draw"), np.arange(16)
    while rows.size:
        before = [engine.look(seat).unseen for seat in range(2)]
        actions = engine.random_actions()[rows]
        open_draws += int((engine.state.stock_open[rows] & (actions == extra)).sum())
        engine.step(actions, rows)
        after = [engine.look(seat).unseen for seat in range(2)]
        assert not any((now & ~then).any() for now, then in zip(after, before, strict=True))
        rows = engine.running
    assert open_draws


def test_special_cards_of_ones_own_are_painted() -> None:
    engine = Engine(drawing_and_discarding(Pack(specials=("JOKER",) * 2)), seed=1)
    engine.reset()
    table = engine.snapshot(0)
    where = table["stock"].index("JOKER")
    table["stock"][where], table["hands"][0][0] = table["hands"][0][0], "JOKER"
    engine.restore(0, table)
    jokers = picture([engine.look(seat) for seat in range(2)], face_up="all")
    assert len(np.unique(jokers.reshape(-1, 3), axis=0)) > 50


def test_a_field_that_snapshots_cannot_tell_is_refused() -> None:
    with pytest.raises(ValueError, match="field 'order': snapshots tell no axis C; give told=Fal"):
        Field("order", Kind.CARD, "cards in some order", "C", seen=False)


@pytest.mark.parametrize(
    "name", ["clock", "flat", "fields", "_cleared", "_rows", "hand", "stock_left"]
)
def test_a_field_that_would_hide_something_is_refused(name: str) -> None:
    class Named(Counting):
        state_fields = (Field(name, Kind.NUMBER, "moves so far"),)

    rules = replace(rummy_env.rules("basic"), endings=(Named(),))
    with pytest.raises(
        ValueError, match=f"state field '{name}': that name has a meaning in states"
    ):
        Engine(rules)


@pytest.mark.parametrize("value", [1.5, True, 10**7])
def test_values_of_cards_that_are_no_points_are_refused(value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=f"by_rank={value}: give a whole number"):
        CardValues((value,) * 13)


PARTS: dict[str, tuple[Callable[[], object], str]] = {
    "laying off": (lambda: GinPoints(KnockLimit(10), "atuo", 25, 31, 25, True), "lay_off='atuo'"),
    "a limit": (lambda: KnockLimit(-5), "knock_card=-5"),
    "two limits": (lambda: KnockLimit(10, oklahoma=True), "knock_card=10 has no effect"),
    "a bonus": (lambda: GinPoints(KnockLimit(10), "auto", 25, 31, -5, True), "undercut_bonus=-5"),
    "card values in a list": (lambda: CardValues([1] * 13), "by_rank=.*give a tuple"),  # type: ignore[arg-type]
    "aces": (lambda: Melding("low", None, True, True), "ace_high='low'"),  # type: ignore[arg-type]
    "discards": (lambda: Discard(Pack(), return_taken="no"), "return_taken='no'"),  # type: ignore[arg-type]
    "one barred card": (lambda: Discard(Pack(), barred="NO_MELD"), "barred='NO_MELD'"),  # type: ignore[arg-type]
    "a pile nobody knows": (lambda: Sight(pile_known=False, pile_spread=True), "pile_spread=True"),
    "a phase without moves": (lambda: check_turn([Phase("play", {})]), "'play' has no move"),
    "melds of a turn": (lambda: Melding(False, 0, True, True), "melds_per_turn=0"),
    "playing on": (lambda: ToTarget(100, 10, "no"), "plays_on='no'"),  # type: ignore[arg-type]
    "no RUMMY cards": (lambda: LayDownRummy(np.uint64(0)), "cards=.*both RUMMY cards"),
}


@pytest.mark.parametrize("part", PARTS)
def test_parts_refuse_what_makes_no_sense(part: str) -> None:
    make, named = PARTS[part]
    with pytest.raises(ValueError, match=named):
        make()


def test_limits_that_no_deal_meets_are_refused() -> None:
    with pytest.raises(ValueError, match="ends_hand_at=31: give a whole number from -1 to 30"):
        HandEnds(31).check_rules(rummy_env.rules("gin"))
    with pytest.raises(ValueError, match=r"hand_size=1: .* give hand_size at least 2"):
        replace(rummy_env.rules("rummy_cards"), hand_size=1)


def test_an_action_of_several_words_is_corrected_by_its_kind() -> None:
    space = Engine(rummy_env.rules("basic")).space
    for kind in ("meld group", "lay off sequence", "discard"):
        with pytest.raises(ValueError, match=f"written as in '{kind} "):
            space.index(f"{kind} 10h")


def test_rules_that_contradict_each_other_are_refused() -> None:
    declared = rummy_env.rules("going_out")
    with pytest.raises(ValueError, match="going_rummy=True: the moves do not record"):
        replace(declared, scoring=CardsLeft(PIP_VALUES, going_rummy=True))
    one = replace(rummy_env.rules("rummy500").parts_of(UsingMelding)[0], melds_per_turn=1)
    with pytest.raises(ValueError, match="melds_per_turn=1: a card that was taken may need"):
        one.check_rules(rummy_env.rules("rummy500"))


@dataclass(frozen=True)
class Counting(Ending):
    """An ending that never comes, and sees in every move how many cards the mover holds."""

    asked: list[int] = field(default_factory=list, compare=False)

    def ends(self, movers: Movers) -> Bools:
        held = np.bitwise_count(movers.state.hands[movers.rows, movers.state.to_move[movers.rows]])
        assert np.array_equal(np.atleast_1d(movers.hand_size), np.atleast_1d(held.sum(axis=-1)))
        self.asked.append(1)
        return movers.hand_size < 0


def test_after_every_move_an_ending_sees_the_hand_as_it_is() -> None:
    for options in ({}, {"spread_out_discards": True}):
        rules = rummy_env.rules("rummy_cards", **options)
        counting = Counting()
        played_out(replace(rules, endings=(*rules.endings, counting)))
        assert len(counting.asked) > 10
