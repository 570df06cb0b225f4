"""What the last move leaves to be seen: where its cards came from, where they lie now."""

import dataclasses

import numpy as np
import pytest

from rummy_env import Engine, Rules
from rummy_env.core.display import Spot, Trace
from rummy_env.envs.rendering import last_trace
from rummy_env.views.face_up import FaceUp
from rummy_env.views.scene import Scene, scene_of
from tests.hiding import swapped
from tests.rollout import choices, dealt, random_play
from tests.table import lay

pytestmark = pytest.mark.adapter

PATHS = {
    "draw_stock": (Spot.STOCK, Spot.HAND),
    "draw_discard": (Spot.DISCARDS, Spot.HAND),
    "take_pile": (Spot.DISCARDS, Spot.HAND),
    "extra_draw": (Spot.STOCK, Spot.HAND),
    "meld_group": (Spot.HAND, Spot.MELDS),
    "meld_sequence": (Spot.HAND, Spot.MELDS),
    "lay_off_group": (Spot.HAND, Spot.MELDS),
    "lay_off_sequence": (Spot.HAND, Spot.MELDS),
    "discard": (Spot.HAND, Spot.DISCARDS),
    "knock": (Spot.HAND, Spot.DISCARDS),
    "gin": (Spot.HAND, Spot.DISCARDS),
    **dict.fromkeys(("pass", "go_out", "lay_down_rummy", "four_sevens")),
}
"""Of every kind of action the way of its cards; None where they stay where they are."""


def scene(engine: Engine, face_up: FaceUp = "all") -> Scene:
    """The first game, with the trace of its last move."""
    views = [engine.look(seat, rows=[0]) for seat in range(engine.rules.num_players)]
    return scene_of(views, face_up, trace=last_trace(engine))


def lying(told: Scene, spot: Spot, seat: int) -> list[str]:
    """The cards that lie open at a place."""
    hand = told.seats[seat].hand
    held = [] if hand is None else [*hand.cards, *(card for meld in hand.melds for card in meld)]
    melds = [card for meld in (*told.groups, *told.sequences) for card in meld]
    return {Spot.HAND: held, Spot.MELDS: melds, Spot.DISCARDS: [*told.discards.cards]}[spot]


def test_a_trace_is_the_way_of_the_move_and_its_cards_lie_at_the_end(rules: Rules) -> None:
    engine = dealt(rules, num_envs=1)
    assert last_trace(engine) is None
    for _ in range(40):
        if engine.finished[0]:
            break
        mover, action = int(engine.to_move[0]), int(choices(engine)[0])
        dealt_before = engine.state.hand_number[0]
        engine.step([action])
        trace, path = scene(engine).trace, PATHS[engine.describe(action).kind]
        if path is None or engine.state.hand_number[0] != dealt_before:
            assert trace is None
            continue
        assert trace is not None
        assert (trace.seat, trace.start, trace.end) == (mover, *path)
        if not engine.finished[0]:
            assert set(trace.cards) <= set(lying(scene(engine), trace.end, mover))


def test_the_seat_of_a_trace_is_counted_from_the_viewer() -> None:
    table = lay("basic", "Kh 2c | 3d 9d | 4c 4d", discard="8s", marks={"dealer": 2})
    table.play("draw discard")
    for face_up, place in (("all", 0), ("none", 0), (0, 0), (1, 2), (2, 1)):
        trace = scene(table.engine, face_up).trace
        assert trace == Trace(place, Spot.DISCARDS, Spot.HAND, ("8s",))


def test_a_card_from_the_stock_is_not_told(rules: Rules) -> None:
    engine = dealt(rules, num_envs=1)
    drawn = 0
    for _ in random_play(engine, 30):
        trace = last_trace(engine)
        if trace is not None and trace.start == Spot.STOCK:
            assert trace.cards == ()
            drawn += 1
    assert drawn


def test_what_a_seat_cannot_see_changes_nothing_of_the_trace(rules: Rules) -> None:
    engine, rng = dealt(rules, num_envs=1, steps=13), np.random.default_rng(5)
    for seat in range(rules.num_players):
        other = Engine(rules)
        other.restore(0, swapped(rules, engine.snapshot(0), seat, rng))
        other.last_action[:], other.last_mover[:] = engine.last_action, engine.last_mover
        assert scene(other, seat) == scene(engine, seat)


def test_a_trace_is_drawn() -> None:
    pytest.importorskip("pygame")
    from rummy_env.views.picture import scene_picture

    table = lay("basic", "Kh 2c 7c | 3d 9d", discard="8s Qc", marks={"dealer": 1})
    drawn = []
    for play in ("draw discard", "discard 2c", "draw stock"):
        table.play(play)
        told = scene(table.engine)
        assert told.trace is not None
        unlit = dataclasses.replace(told, trace=dataclasses.replace(told.trace, cards=()))
        ways = (told, unlit, dataclasses.replace(told, trace=None))
        pictures = [scene_picture(way) for way in ways]
        drawn.append([bool((pictures[0] != other).any()) for other in pictures[1:]])
    assert drawn == [[True, True], [True, True], [False, True]]
