"""The turn on the page of a variant is what the engine plays, from the deal to the picture."""

import re
from typing import Any

import numpy as np
import pytest

import rummy_env
from docs.worked import TURNS, chosen
from rummy_env import Engine
from rummy_env.core.naming import action_name
from rummy_env.envs.rendering import last_trace, last_words
from rummy_env.views.text import open_text, seat_text
from tests.documents import ROOT


def told(variant: str) -> str:
    """What stands on the page between the marks of the turn."""
    page = (ROOT / "docs" / "rules" / f"{variant}.md").read_text(encoding="utf-8")
    return page.partition("<!-- turn -->")[2].partition("<!-- /turn -->")[0]


def begun(variant: str) -> Engine:
    """The engine that the page names, at the beginning of the turn that it names."""
    turn, call = re.findall(
        r"Turn (\d+) of the game that `(rummy_env\.Engine.+?)` deals", told(variant)
    )[0]
    engine = eval(call, {"rummy_env": rummy_env})
    assert isinstance(engine, Engine)
    engine.reset()
    while engine.state.turn_number[0] < int(turn) - 1:
        engine.step([chosen(engine)])
    return engine


def test_every_variant_has_a_turn() -> None:
    assert TURNS.keys() == rummy_env.VARIANTS.keys()
    assert all(name == worked.variant for name, worked in TURNS.items())


def test_the_turn_on_a_page_can_be_played_as_it_stands_there(variant: str) -> None:
    engine, text = begun(variant), told(variant)
    before, after = re.findall(r"```text\n(.*?)\n```", text, re.DOTALL)
    mover = int(engine.to_move[0])
    assert seat_text(engine.look(mover), mover) == before
    moves = re.findall(r"^\| (\d+) \| `([^`]+)` \| (\d+) \|$", text, re.MULTILINE)
    assert len(moves) >= 2
    for number, (place, words, legal) in enumerate(moves, start=1):
        actions = {
            action_name(engine.describe(action)): action
            for action in np.flatnonzero(engine.legal_mask()[0]).tolist()
        }
        assert (int(place), int(legal)) == (number, len(actions))
        assert int(engine.to_move[0]) == mover
        engine.step([actions[words]])
    views = [engine.look(seat) for seat in range(engine.rules.num_players)]
    assert engine.finished[0] or engine.to_move[0] != mover
    assert (open_text(views) if engine.finished[0] else seat_text(views[mover], mover)) == after


def test_the_picture_of_a_page_is_the_table_after_its_turn(variant: str) -> None:
    pytest.importorskip("pygame")
    image: Any = pytest.importorskip("PIL.Image")
    from rummy_env.views.picture import picture
    from tests.golden import tiles

    *_, (engine, _) = TURNS[variant].played()
    views = [engine.look(seat) for seat in range(engine.rules.num_players)]
    face_up = "all" if engine.finished[0] else int(engine.last_mover[0])
    with image.open(ROOT / "docs" / "pictures" / f"{variant}.png") as kept:
        pixels = np.asarray(kept.convert("RGB"))
    height, width, _ = pixels.shape
    last, trace = last_words(engine), last_trace(engine)
    drawn = picture(views, face_up=face_up, last=last, trace=trace, size=(width, height))
    assert tiles(drawn, pixels).max() < 16, "run: python -m docs.pictures"
