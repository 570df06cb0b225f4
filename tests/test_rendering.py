"""Render modes: what environments return and show, and what they refuse."""

import copy
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pygame
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.envs.aec import RummyAEC
from rummy_env.envs.rendering import RENDER_MODES, Renderer, last_words
from rummy_env.envs.single import RummyEnv
from rummy_env.views.colour import coloured, has_colour
from rummy_env.views.scene import Scene
from rummy_env.views.text import open_text, seat_text
from tests.rollout import choices, dealt

pytestmark = pytest.mark.adapter

ESCAPES = re.compile(r"\x1b\[\d+m")


@pytest.fixture(autouse=True)
def plain_headless(monkeypatch: pytest.MonkeyPatch) -> None:
    """No screen, and no wish for colour that the machine may have."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


def game(mode: str | None, **options: Any) -> RummyAEC:
    """Basic rummy with three seats, just dealt."""
    env = rummy_env.raw_env("basic", mode, num_players=3, render_fps=0, **options)
    env.reset(seed=4)
    return env


def play(env: RummyAEC, steps: int) -> None:
    """Plays at random."""
    for _ in range(steps):
        env.step(int(choices(env.engine)[0]))


# What comes back


def test_ansi_is_the_text_of_the_hands_that_lie_open() -> None:
    looks = {face_up: game("ansi", face_up=face_up) for face_up in ("all", "none", 2)}
    views = [looks["all"].engine.look(seat) for seat in range(3)]
    assert looks["all"].render() == open_text(views)
    assert looks[2].render() == seat_text(views[2], 2)
    assert str(looks["none"].render()).count("hidden") == 3


def test_one_learner_s_table_names_the_agents() -> None:
    env = RummyEnv("basic", opponents="greedy", num_players=3, render_mode="ansi", seat=1)
    env.reset(seed=4)
    env.step(int(env.action_masks().argmax()))
    told = str(env.render())
    for name in ("player_0 (greedy)", "player_1 (learner)", "player_2 (greedy)"):
        assert name in told
    batch = gymnasium.make_vec(
        "rummy_env/Basic-v0", 2, opponents="greedy", render_mode="ansi", seat=1
    )
    batch.reset(seed=4)
    for table in batch.render() or ():
        assert "player_0 (greedy)" in str(table)
        assert "player_1 (learner)" in str(table)


def test_rgb_array_is_a_picture_of_the_size_and_hands_asked_for() -> None:
    pytest.importorskip("pygame")
    env, small, closed = (
        game("rgb_array"),
        game("rgb_array", render_size=(400, 300)),
        game("rgb_array", face_up="none"),
    )
    shapes = {one: np.asarray(one.render()).shape for one in (env, small, closed)}
    assert list(shapes.values()) == [(600, 800, 3), (300, 400, 3), (600, 800, 3)]
    assert not np.array_equal(np.asarray(env.render()), np.asarray(closed.render()))


def test_a_picture_says_what_was_done_last() -> None:
    pytest.importorskip("pygame")
    env = game("rgb_array")
    play(env, 1)
    said = np.asarray(env.render())
    env.engine.last_action[0] = -1
    assert not np.array_equal(said, np.asarray(env.render()))


def test_any_row_of_an_engine_can_be_rendered() -> None:
    engine = dealt(rummy_env.rules("gin"), num_envs=3, steps=8)
    told = [Renderer(engine.rules, "ansi").render(engine, row) for row in range(3)]
    views = [engine.look(seat, rows=[2]) for seat in range(2)]
    assert told[2] == open_text(views)
    assert len(set(map(str, told))) == 3


def test_nothing_is_rendered_without_a_mode(variant: str) -> None:
    engine = dealt(rummy_env.rules(variant), num_envs=1)
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert Renderer(engine.rules, None).render(engine) is None


def test_last_words_name_who_did_what(rules: Rules) -> None:
    engine = dealt(rules, num_envs=1)
    assert last_words(engine) == ""
    for _ in range(6):
        mover, action = int(engine.to_move[0]), int(choices(engine)[0])
        engine.step([action])
        kind = engine.describe(action).kind.replace("_", " ")
        assert last_words(engine).startswith(f"player_{mover}: {kind}")


# A window


@pytest.fixture
def human() -> Iterator[RummyAEC]:
    """A game that is watched."""
    pytest.importorskip("pygame")
    env = rummy_env.raw_env("basic", "human", num_players=3, render_fps=0)
    yield env
    env.close()


def test_every_reset_and_step_is_shown_in_a_window(
    human: RummyAEC, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rummy_env.envs.window import Window

    shown, show = [], Window.show

    def noted(window: Window, scene: Scene, last: str) -> None:
        shown.append(scene.headline)
        show(window, scene, last)

    monkeypatch.setattr(Window, "show", noted)
    human.reset(seed=4)
    play(human, 5)
    assert len(shown) == 6
    assert len(set(shown)) > 1
    assert human.render() is None


def test_a_game_that_is_watched_can_be_copied(human: RummyAEC) -> None:
    human.reset(seed=4)
    play(human, 5)
    twin = copy.deepcopy(human)
    assert twin.engine.snapshot(0) == human.engine.snapshot(0)
    play(twin, 1)
    twin.close()


def test_the_window_shows_the_picture(human: RummyAEC) -> None:
    import pygame

    human.reset(seed=4)
    ground = human._renderer._window._window.get_surface()  # type: ignore[union-attr]
    pixels = pygame.surfarray.array3d(ground).swapaxes(0, 1)
    assert np.array_equal(pixels, np.asarray(game("rgb_array").render()))


def test_a_table_stands_for_a_while_and_not_twice() -> None:
    pytest.importorskip("pygame")
    code = (
        "import time, rummy_env;"
        "env = rummy_env.raw_env('basic', 'human', render_fps=4); start = time.monotonic();"
        "env.reset(seed=1); env.render(); env.render(); passed = time.monotonic() - start;"
        "env.close(); assert 0.25 <= passed, passed; print('stood')"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "stood\n"


def test_a_table_that_is_there_already_is_not_waited_for(human: RummyAEC) -> None:
    window: Any = human._renderer._window
    human.reset(seed=1)
    window._pause = 20
    human.render()
    assert window._window is not None


def test_a_window_closed_by_hand_stays_closed_and_the_game_goes_on(human: RummyAEC) -> None:
    import pygame

    human.reset(seed=4)
    window: Any = human._renderer._window
    window._pause = 20
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window._window))
    play(human, 3)
    assert window._window is None
    human.reset(seed=5)
    assert window._window is None


def press(window: Any, *keys: str) -> None:
    """Keys pressed in a window."""
    import pygame

    for key in keys:
        event = pygame.event.Event(
            pygame.KEYDOWN, window=window._window, key=pygame.key.key_code(key)
        )
        pygame.event.post(event)


def test_the_space_bar_stops_the_game_and_lets_it_go_on(human: RummyAEC) -> None:
    from rummy_env.envs.window import PAUSED

    human.reset(seed=4)
    window: Any = human._renderer._window
    press(window, "space")
    stopped = threading.Timer(0.5, press, [window, "space"])
    start = time.monotonic()
    stopped.start()
    play(human, 1)
    assert 0.5 <= time.monotonic() - start < 20
    assert PAUSED not in window._window.title
    press(window, "space", "n")
    play(human, 1)
    assert window._window.title.endswith(PAUSED)


def test_a_key_shows_the_next_table_and_stops_there(human: RummyAEC) -> None:
    human.reset(seed=4)
    window: Any = human._renderer._window
    window._pause = 20
    start = time.monotonic()
    for key in ("right", "n", "right"):
        press(window, "x", key)
        play(human, 1)
    assert time.monotonic() - start < 20
    assert window._paused
    assert human.engine.state.decisions[0] == 3


def test_a_window_that_is_closed_while_the_game_is_stopped_lets_it_go_on(human: RummyAEC) -> None:
    import pygame

    human.reset(seed=4)
    window: Any = human._renderer._window
    press(window, "space")
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window._window))
    play(human, 3)
    assert human.engine.state.decisions[0] == 3


def test_a_window_that_fails_is_told_of_once_and_the_game_goes_on(
    human: RummyAEC, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rummy_env.envs.window import Window

    def fails(window: Window, scene: Scene, last: str) -> None:
        raise OSError("the display is gone")

    human.reset(seed=4)
    play(human, 2)
    monkeypatch.setattr(Window, "show", fails)
    with pytest.warns(UserWarning, match=r"the window failed and is closed: .*display is") as told:
        play(human, 4)
    assert len(told) == 1
    assert human.engine.state.decisions[0] == 6
    assert human.render() is None


def test_a_resized_window_is_filled_with_a_picture_of_its_size(human: RummyAEC) -> None:
    import pygame

    human.reset(seed=4)
    window: Any = human._renderer._window
    window._window.size = (640, 480)
    human.render()
    pixels = pygame.surfarray.array3d(window._window.get_surface()).swapaxes(0, 1)
    expected = np.asarray(game("rgb_array", render_size=(640, 480)).render())
    assert np.array_equal(pixels, expected)


def test_closing_twice_is_fine_and_a_closed_window_opens_again(human: RummyAEC) -> None:
    human.reset(seed=4)
    window: Any = human._renderer._window
    for _ in range(2):
        human.close()
        assert window._window is None
    human.reset(seed=4)
    assert window._window is not None


# Colour


@pytest.mark.parametrize(
    ("variables", "terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": ""}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colour_is_for_terminals_and_for_who_asks_for_it(
    variables: dict[str, str], terminal: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert has_colour() is expected


def test_red_suits_special_cards_and_the_mover_are_marked() -> None:
    text = "> player_0  10♥ 2♣  NO MELD\n  player_1  A♦"
    assert coloured(text) == (
        "\x1b[1m> player_0  \x1b[31m10♥\x1b[39m 2♣  \x1b[33mNO MELD\x1b[39m\x1b[22m\n"
        "  player_1  \x1b[31mA♦\x1b[39m"
    )


def test_colour_adds_nothing_but_colour(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = dealt(rules, num_envs=1, steps=20)
    plain = Renderer(rules, "ansi").render(engine)
    monkeypatch.setenv("FORCE_COLOR", "1")
    bright = str(Renderer(rules, "ansi").render(engine))
    assert bright != plain
    assert ESCAPES.sub("", bright) == plain


# What is refused


def make(**options: Any) -> RummyAEC:
    return rummy_env.raw_env("basic", **{"num_players": 3, **options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"render_mode": "rgb"}, "render_mode='rgb': give one of 'ansi', 'human', 'rgb_array'"),
        ({"render_size": (100, 100)}, r"render_size=\(100, 100\): give .* from \(400, 300\)"),
        ({"render_size": 600}, "render_size=600: give width and height"),
        ({"render_size": (800, "600")}, "two whole numbers"),
        ({"render_size": (True, 600)}, "two whole numbers"),
        ({"face_up": 3}, "face_up=3: give one of 'all', 'none', or a seat, 0 to 2"),
        ({"face_up": "some"}, "face_up='some': give one of 'all', 'none', or a seat, 0 to 2"),
        ({"face_up": None}, "face_up=None: give one of 'all', 'none'"),
        ({"render_fps": -1}, "render_fps=-1: give tables a second, or 0"),
        ({"render_fps": float("nan")}, "render_fps=nan"),
        ({"render_fps": "2"}, "render_fps='2'"),
        ({"render_fps": True}, "render_fps=True"),
    ],
)
def test_what_cannot_be_rendered_is_refused_when_it_is_asked_for(
    options: dict[str, Any], message: str
) -> None:
    for mode in (None, "ansi"):
        with pytest.raises(ValueError, match=message):
            make(**{"render_mode": mode, **options})


def test_without_pygame_only_pictures_are_refused_with_what_to_install() -> None:
    code = """
import sys
sys.modules["pygame"] = None
import rummy_env
env = rummy_env.env("basic", "ansi")
env.reset(seed=1)
assert "player_0" in env.render()
for mode in ("human", "rgb_array"):
    try:
        rummy_env.env("basic", mode)
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.count("pip install 'rummy-env[pictures]'") == 2


def test_pygame_is_not_imported_before_a_picture_is_asked_for() -> None:
    code = (
        "import sys, rummy_env; env = rummy_env.env('basic', 'ansi'); env.reset(); env.render();"
        "assert 'pygame' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ})


def test_metadata_tells_the_modes_and_the_pace() -> None:
    env = rummy_env.env("basic", render_fps=3)
    assert env.metadata["render_modes"] == list(RENDER_MODES)
    assert env.metadata["render_fps"] == 3
    assert isinstance(env.unwrapped.engine, Engine)


def test_a_window_that_nobody_could_see_is_told_of(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    pygame.display.quit()
    pygame.display.init()
    if pygame.display.get_driver() not in ("offscreen", "dummy"):
        pytest.skip("there is a display")
    env = rummy_env.raw_env("basic", "human")
    start = time.monotonic()
    env.reset(seed=1)
    for _ in range(10):  # at two tables a second this would take five seconds
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert time.monotonic() - start < 4
    env.close()
    pygame.display.quit()
    assert caplog.messages == [
        "there is no display: the window cannot be seen; give render_mode='rgb_array'"
    ]
