"""What there is to show of a game, from which text and pictures are made."""

from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Action, Rules
from rummy_env.core.display import Hand
from rummy_env.core.naming import action_name
from rummy_env.melds.deadwood import deadwood
from rummy_env.views.scene import Scene, scene_of
from rummy_env.views.text import open_text, scene_text, seat_text
from tests.declared_tables import dealt_out
from tests.rollout import dealt, random_play
from tests.scenes import hidden_elsewhere, laid, scene

pytestmark = pytest.mark.adapter


def shown(told: Scene) -> list[list[str]]:
    """The open cards of every hand, melds and all."""
    hands = [seat.hand for seat in told.seats]
    return [
        sorted([*hand.cards, *(card for meld in hand.melds for card in meld), *hand.laid_off])
        for hand in hands
        if hand is not None
    ]


def test_all_hands_lie_open_to_those_who_watch(rules: Rules) -> None:
    engine = dealt(rules, num_envs=1, steps=15)
    assert shown(scene(engine)) == engine.snapshot(0)["hands"]


def test_hidden_cards_are_counted(rules: Rules) -> None:
    engine = dealt(rules, num_envs=1, steps=15)
    table = engine.snapshot(0)
    for face_up in ("none", rules.num_players - 1):
        told = scene(engine, face_up)
        order = np.roll(range(rules.num_players), 0 if face_up == "none" else 1).tolist()
        for seat, place, cards in zip(order, told.seats, shown(told), strict=True):
            assert place.name == f"player_{seat}"
            assert place.hand is not None
            held = table["hands" if seat == face_up else "known"][seat]
            assert cards == held
            assert place.hand.hidden == len(table["hands"][seat]) - len(held)


@pytest.mark.parametrize("steps", [12, 45])
def test_moving_what_a_seat_cannot_see_changes_nothing_of_its_scene(
    rules: Rules, steps: int
) -> None:
    engine, moved = dealt(rules, num_envs=1, steps=steps), 0
    for seat in range(rules.num_players):
        other = hidden_elsewhere(engine, [seat])
        assert scene(other, seat) == scene(engine, seat)
        moved += scene(other) != scene(engine)
    assert moved or steps > 12


@pytest.mark.parametrize("steps", [12, 45])
def test_moving_what_nobody_knows_of_changes_nothing_where_no_hand_lies_open(
    rules: Rules, steps: int
) -> None:
    engine = dealt(rules, num_envs=1, steps=steps)
    other = hidden_elsewhere(engine, [0, 1, 0])
    assert scene(other, "none") == scene(engine, "none")


def test_text_is_made_of_the_scene(rules: Rules) -> None:
    engine = dealt(rules, num_envs=1, steps=20)
    views = [engine.look(seat) for seat in range(rules.num_players)]
    assert scene_text(scene(engine)) == open_text(views)
    assert scene_text(scene(engine, 1)) == seat_text(views[1], 1)
    assert " hidden" in scene_text(scene(engine, "none"))


def test_the_stock_and_a_covered_pile_are_no_more_than_estimated() -> None:
    for size in (20, 39):
        engine = dealt_out("going_out", "3c 4c | 2h 4h", hand_size=2)
        table = engine.snapshot(0)
        cards = table["stock"] + table["discard"]
        top = [cards.pop()]
        told = scene(
            laid(engine.rules, {**table, "stock": cards[:size], "discard": cards[size:] + top})
        )
        assert (told.stock.about, told.stock.below, told.stock.cards) == ("20 to 39 cards", 20, ())
        assert (told.discards.cards, told.discards.below) == (tuple(top), 0)


def test_whoever_is_to_move_is_marked(rules: Rules) -> None:
    engine = dealt(rules, num_envs=1)
    for _ in random_play(engine, 30):
        table, told = engine.snapshot(0), scene(engine)
        moving = [seat for seat, place in enumerate(told.seats) if place.to_move]
        assert moving == ([] if table["finished"] else [table["to_move"]])


def test_whoever_has_won_is_marked_and_the_hand_arranged() -> None:
    engine = dealt_out("going_out", "9c 9d Kd | 2h 3h 4h", discard="9s", hand_size=3)
    assert not any(place.won for place in scene(engine).seats)
    for kind in ("draw_discard", "go_out"):
        engine.step([engine.space.index(kind)])
    winner, loser = scene(engine, "none").seats
    assert (winner.won, loser.won) == (True, False)
    assert winner.hand == Hand(cards=("Kd",), melds=(("9c", "9d", "9s"),))
    assert loser.hand == Hand(hidden=3)


def test_a_hand_of_gin_that_lies_open_is_arranged_to_the_best() -> None:
    engine = dealt(rummy_env.rules("gin"), num_envs=1)
    melds = 0
    for _ in random_play(engine, 60):
        if engine.finished[0]:
            break
        for seat, place in enumerate(scene(engine, 0).seats):
            assert place.hand is not None
            hand = place.hand
            assert (hand.deadwood is None) == bool(seat)
            if seat:
                assert hand.melds == ()
            else:
                melds += len(hand.melds)
                assert hand.deadwood == deadwood(engine.look(0).hand[:, 0])[0]
    assert melds


def test_seats_have_the_names_of_their_agents_where_these_are_known() -> None:
    engine = dealt(rummy_env.rules("basic", num_players=3), num_envs=1, steps=5)
    views = [engine.look(seat) for seat in range(3)]
    told = scene_of(views, 1, ["greedy", "player_1", "greedy"])
    assert [seat.name for seat in told.seats] == [
        "player_1",
        "player_2 (greedy)",
        "player_0 (greedy)",
    ]
    assert f"{next(seat.name for seat in told.seats if seat.to_move)} to move" in told.headline
    with pytest.raises(ValueError, match="give a name for each of 3 seats"):
        scene_of(views, 1, ["greedy"])


@pytest.mark.parametrize("face_up", ["some", "", 2, -1, True, 1.0, None, "0"])
def test_a_seat_that_is_not_there_is_refused(face_up: Any) -> None:
    engine = dealt(rummy_env.rules("basic"), num_envs=1)
    remedy = r"give one of 'all', 'none'|give a whole number from 0 to 1"
    with pytest.raises(ValueError, match=f"face_up={face_up!r}: ({remedy})"):
        scene(engine, face_up)


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (Action("draw_stock"), "draw stock"),
        (Action("meld_group", ("Tc", "Td", "Th")), "meld group 10♣ 10♦ 10♥"),
        (Action("discard", ("NO_MELD",)), "discard NO MELD"),
    ],
)
def test_actions_are_named_with_the_signs_of_suits(action: Action, name: str) -> None:
    assert action_name(action) == name
