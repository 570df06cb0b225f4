"""The table as a picture: as it should look, and nothing in it that is hidden."""

import dataclasses
from itertools import product
from typing import Any

import numpy as np
import pytest

import rummy_env

pytestmark = pytest.mark.adapter

pytest.importorskip("pygame")
Image = pytest.importorskip("PIL.Image")

from rummy_env.core.display import Hand  # noqa: E402
from rummy_env.core.naming import seat_names  # noqa: E402
from rummy_env.views.face_up import FaceUp  # noqa: E402
from rummy_env.views.painting.cards import Look, _looks  # noqa: E402
from rummy_env.views.picture import picture, scene_picture  # noqa: E402
from rummy_env.views.piles import Pile  # noqa: E402
from rummy_env.views.scene import Scene, scene_of  # noqa: E402
from tests.conftest import few_or_all, side_by_side  # noqa: E402
from tests.golden import FOLDER, GOLDEN, alike, drawn  # noqa: E402
from tests.rollout import dealt  # noqa: E402
from tests.scenes import hidden_elsewhere, scene  # noqa: E402

SIZES = [(400, 300), (480, 360), (801, 599), (400, 900), (1600, 400)]


@pytest.mark.parametrize("name", GOLDEN)
def test_pictures_look_as_they_should(name: str) -> None:
    kept = np.asarray(Image.open(FOLDER / f"{name}.png"))
    assert alike(GOLDEN[name].draw(), kept), f"{name} looks different: see tests/golden/__init__.py"


def test_every_kept_picture_is_compared() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == set(GOLDEN)


def first_seat(told: Scene, **changes: Any) -> Scene:
    """The scene with something else said of its first seat."""
    seats = (dataclasses.replace(told.seats[0], **changes), *told.seats[1:])
    return dataclasses.replace(told, seats=seats)


def wrong(told: Scene) -> dict[str, Scene]:
    """Scenes that differ in one little thing."""
    hand = told.seats[0].hand
    assert hand is not None
    other = "8s" if hand.cards[0] != "8s" else "8c"
    another = dataclasses.replace(hand, cards=(other, *hand.cards[1:]))
    hidden = dataclasses.replace(hand, cards=hand.cards[1:], hidden=hand.hidden + 1)
    return {
        "another card": first_seat(told, hand=another),
        "a card hidden": first_seat(told, hand=hidden),
        "more points": first_seat(told, points="7 points"),
        "the mover": first_seat(told, to_move=not told.seats[0].to_move),
        "the headline": dataclasses.replace(told, headline=told.headline.replace("1", "4")),
        "the discard": dataclasses.replace(told, discards=Pile("", "", ("Ah",))),
        "the stock": dataclasses.replace(told, stock=Pile("", "9 cards", below=9)),
    }


@pytest.mark.parametrize("size", [(480, 360), (800, 600), (1600, 1000)])
def test_a_picture_with_one_little_thing_wrong_is_told_from_the_right_one(
    size: tuple[int, int],
) -> None:
    told = scene(dealt(rummy_env.rules("basic", num_players=4), num_envs=1, steps=12))
    right = scene_picture(told, last="player_0: discard 7♥", size=size)
    assert alike(right, scene_picture(told, last="player_0: discard 7♥", size=size))
    for name, other in wrong(told).items():
        again = scene_picture(other, last="player_0: discard 7♥", size=size)
        assert not alike(right, again), name
    assert not alike(right, scene_picture(told, last="player_0: discard 7♠", size=size))


def test_hidden_cards_leave_no_trace_in_the_pixels(variant: str) -> None:
    engine = dealt(rummy_env.rules(variant), num_envs=1, steps=30)
    ways: list[tuple[FaceUp, list[int]]] = [("none", [0, 1]), (0, [0]), (1, [1])]
    for face_up, seats in ways:
        other = hidden_elsewhere(engine, seats)
        assert other.snapshot(0)["hands"] != engine.snapshot(0)["hands"]
        pixels = scene_picture(scene(engine, face_up))
        assert np.array_equal(scene_picture(scene(other, face_up)), pixels)
        assert not np.array_equal(scene_picture(scene(other)), scene_picture(scene(engine)))


@few_or_all(
    "size, variant",
    few=side_by_side(SIZES, rummy_env.VARIANTS),
    every=product(SIZES, rummy_env.VARIANTS),
)
def test_pictures_have_the_size_asked_for(size: tuple[int, int], variant: str) -> None:
    pixels = drawn(dealt(rummy_env.rules(variant), num_envs=1, steps=9), size=size)
    assert pixels.shape == (size[1], size[0], 3)
    assert pixels.dtype == np.uint8
    assert pixels.flags.writeable


def test_every_game_of_the_catalogue_can_be_drawn(rules: rummy_env.Rules) -> None:
    engine = dealt(rules, num_envs=1, steps=35)
    one, same = drawn(engine, size=(400, 300)), drawn(engine, size=(400, 300))
    assert np.array_equal(one, same)
    assert len(np.unique(one.reshape(-1, 3), axis=0)) > 100


def test_an_empty_hand_and_words_that_are_too_long_are_drawn() -> None:
    told = scene(dealt(rummy_env.rules("basic"), num_envs=1))
    crowded = dataclasses.replace(first_seat(told, hand=Hand()), headline="long words " * 50)
    pixels = scene_picture(crowded, last="♥" * 900, size=(400, 300))
    assert not np.array_equal(pixels, scene_picture(told, size=(400, 300)))


def test_names_of_any_length_are_cut_short() -> None:
    engine = dealt(rummy_env.rules("basic"), num_envs=1)
    views = [engine.look(seat) for seat in range(2)]
    long, longer = (picture(views, agents=["n" * count, "b"]) for count in (100, 1_000_000))
    assert np.array_equal(long, longer)
    assert seat_names(2, ["n" * 61, "b" * 60]) == [
        f"player_0 ({'n' * 60}...)",
        f"player_1 ({'b' * 60})",
    ]
    scene_picture(scene(engine), last="x" * 1_000_000, size=(400, 300))


@pytest.mark.parametrize("size", [(399, 300), (800, 9000), (800.0, 600), (800,), 800, "800x600"])
def test_an_impossible_size_is_refused(size: Any) -> None:
    engine = dealt(rummy_env.rules("basic"), num_envs=1)
    views = [engine.look(seat) for seat in range(2)]
    with pytest.raises(ValueError, match=r"size=.*two whole numbers from \(400, 300\)"):
        picture(views, size=size)


def test_melds_are_drawn_beside_discards_that_are_spread_out() -> None:
    engine = rummy_env.Engine(rummy_env.rules("rummy500"), seed=1)
    engine.reset()
    lying = scene_of([engine.look(seat) for seat in range(2)])
    one = dataclasses.replace(lying, groups=(("7c", "7d", "7h"),))
    other = dataclasses.replace(lying, groups=(("9c", "9d", "9h"),))
    assert lying.discards.spread
    assert not np.array_equal(scene_picture(one), scene_picture(lying))
    assert not np.array_equal(scene_picture(one), scene_picture(other))


def test_of_equal_cards_as_many_are_lit_as_were_moved() -> None:
    plain, lit = Look.PLAIN, Look.LIT
    assert _looks(("Jc", "2d", "Jc", "Jc"), ("Jc",)) == [plain, plain, plain, lit]
    assert _looks(("Jc", "2d", "Jc"), ("2d", "Jc", "Jc")) == [lit, lit, lit]
    assert _looks(("Jc", "2d"), ()) == [plain, plain]
