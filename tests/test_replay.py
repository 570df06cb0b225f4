"""A recorded game at any of its steps, in the terminal and as pictures."""

import os
import pty
import select
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from prompt_toolkit.keys import Keys

import rummy_env
from rummy_env import Rules
from rummy_env.__main__ import console
from rummy_env.core.naming import action_name
from rummy_env.envs.recording import RecordedEngine
from rummy_env.records import read
from rummy_env.replay import Replay
from rummy_env.replay.export import export
from rummy_env.replay.games import Games
from rummy_env.replay.terminal import HELP_GAMES, Browser, frame
from rummy_env.views.face_up import ALL, FaceUp
from rummy_env.views.painting.palette import FELT
from rummy_env.views.picture import Image as Drawn
from rummy_env.views.picture import picture
from rummy_env.views.text import open_text, seat_text
from tests.recorded import recorded, some_play
from tests.rollout import choices, seen

ROOT = Path(__file__).parents[1]
LARGEST_STEP = 18_500
"""Bytes: a quarter of what a step took with all colours and whole pictures."""
RULES = rummy_env.rules("basic", hand_size=3, max_turns=4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with two short games."""
    path = tmp_path / "games.jsonl"
    engine = RecordedEngine(RULES, 2, seed=3, path=path, agents=["Ann", "Bob"])
    engine.reset()
    some_play(engine)
    return path


@pytest.fixture
def replay(path: Path) -> Replay:
    """The first of them."""
    return Replay(read(path)[0])


def shown(capsys: pytest.CaptureFixture[str], *argv: object) -> str:
    """What the command prints."""
    assert console(["replay", *map(str, argv)]) == 0
    return capsys.readouterr().out


def fault(capsys: pytest.CaptureFixture[str], *argv: object) -> str:
    """How the command fails: one line and nothing else."""
    with pytest.raises(SystemExit) as stopped:
        console(["replay", *map(str, argv)])
    assert stopped.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


@pytest.mark.adapter
def test_every_step_is_the_table_that_was_played(rules: Rules, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    engine = RecordedEngine(rules, seed=3, path=path)
    engine.reset()
    seats = range(rules.num_players)
    tables, said = [], []
    for _ in range(25):
        tables.append([seen(engine.look(seat)) for seat in seats])
        said.append((int(engine.last_action[0]), int(engine.last_mover[0])))
        engine.step(choices(engine))
    engine.close()
    replay = Replay(read(path)[0])
    for step in reversed(range(min(25, replay.steps + 1))):
        assert [seen(view) for view in replay.views(step)] == tables[step]
        laid = replay.at(step)
        assert (int(laid.last_action[0]), int(laid.last_mover[0])) == said[step]


def test_a_step_can_be_played_on(replay: Replay) -> None:
    engine = replay.at(3)
    for action in replay.record.actions[3:]:
        engine.step([action])
    assert engine.snapshot(0) == replay.at(replay.steps).snapshot(0)
    assert replay.at(3).snapshot(0) != engine.snapshot(0)


def test_every_action_is_said_in_words(replay: Replay) -> None:
    engine = replay.at(0)
    assert replay.said(0) == "the deal"
    for step, action in enumerate(replay.record.actions, start=1):
        seat = int(engine.to_move[0])
        who = f"player_{seat} ({['Ann', 'Bob'][seat]})"
        assert replay.said(step) == f"{who}: {action_name(engine.describe(action))}"
        engine.step([action])


def test_agents_without_a_name_of_their_own_go_by_their_seat(tmp_path: Path) -> None:
    (record,) = recorded(RULES, tmp_path / "games.jsonl")
    assert Replay(record).said(1).startswith(f"player_{Replay(record).at(1).last_mover[0]}: ")
    assert "(" not in Replay(record).text(0).partition("(draw)")[2]


def test_the_text_is_open_or_what_a_seat_knows(replay: Replay) -> None:
    views = replay.views(2)
    assert replay.text(2) == open_text(views, ["Ann", "Bob"])
    assert replay.text(2, seat=1) == seat_text(views[1], 1, ["Ann", "Bob"])
    for seat in (None, 1):
        assert "player_0 (Ann)" in replay.text(2, seat)
        assert "player_1 (Bob)" in replay.text(2, seat)
    assert "hidden" in replay.text(2, seat=1)
    with pytest.raises(ValueError, match="seat=2: give a whole number from 0 to 1"):
        replay.text(2, seat=2)


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(TypeError, match=r"'games.jsonl' is no record: give one, as `read_game"):
        Replay("games.jsonl")  # type: ignore[arg-type]


@pytest.mark.parametrize("step", [-1, 1000])
def test_steps_outside_the_game_are_refused(replay: Replay, step: int) -> None:
    with pytest.raises(ValueError, match=rf"step={step}: give a whole number from 0 to"):
        replay.at(step)


def test_without_a_terminal_all_steps_are_printed(
    path: Path, replay: Replay, capsys: pytest.CaptureFixture[str]
) -> None:
    told = shown(capsys, path)
    for step in range(replay.steps + 1):
        assert (
            f"step {step} of {replay.steps} · {replay.said(step)}\n\n{replay.text(step)}\n" in told
        )
    assert told.count("recorded with rummy_env") == replay.steps + 1
    assert "\x1b" not in told


def test_a_pipe_is_shown_though_it_can_be_read_only_once(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, pipe = shown(capsys, path, "--game", 2), tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(path.read_bytes(),))
    writer.start()
    assert shown(capsys, pipe, "--game", 2) == told
    writer.join()


def test_a_game_a_seat_and_a_beginning_can_be_chosen(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Replay(read(path)[1])
    told = shown(capsys, path, "--game", 2, "--seat", 0, "--step", 3)
    assert f"seed {other.record.seed}" in told
    assert other.text(3, seat=0) in told
    assert "step 2 of" not in told


def as_drawn(
    replay: Replay, step: int, face_up: FaceUp = ALL, size: tuple[int, int] = (400, 300)
) -> Drawn:
    """A step of the first game as a picture, a small one unless asked otherwise."""
    views, last, trace = replay.shown(step)
    names = ["Ann", "Bob"]
    return picture(views, face_up=face_up, last=last, size=size, agents=names, trace=trace)


def test_a_png_shows_one_step(path: Path, replay: Replay, tmp_path: Path) -> None:
    for options, step in (([], replay.steps), (["--step", "2"], 2)):
        out = tmp_path / "step.png"
        asked = [str(path), "--export", str(out), "--size", "400", "300", *options]
        assert console(["replay", *asked]) == 0
        drawn = as_drawn(replay, step)
        with Image.open(out) as image:
            assert image.format == "PNG"
            np.testing.assert_array_equal(np.asarray(image), drawn)


def test_of_several_steps_a_png_shows_the_last(replay: Replay, tmp_path: Path) -> None:
    for steps, out in ((range(4), "range.png"), ([3], "one.png"), ([0], "deal.png")):
        export(replay, tmp_path / out, steps)
    told = [(tmp_path / out).read_bytes() for out in ("range.png", "one.png", "deal.png")]
    assert told[0] == told[1] != told[2]


def test_a_gif_shows_the_steps_asked_for(path: Path, replay: Replay, tmp_path: Path) -> None:
    out = tmp_path / "game.gif"
    asked = ["--from", "1", "--to", "4", "--fps", "5", "--size", "400", "300", "--seat", "1"]
    assert console(["replay", str(path), "--export", str(out), *asked]) == 0
    with Image.open(out) as image:
        assert (image.format, image.n_frames, image.size) == ("GIF", 4, (400, 300))  # type: ignore[attr-defined]
        for frame, step in enumerate(range(1, 5)):
            image.seek(frame)
            assert image.info["duration"] == (200 if step < 4 else 4000)
            drawn = as_drawn(replay, step, face_up=1)
            off = np.abs(np.asarray(image.convert("RGB")).astype(int) - drawn)
            assert off.mean() < 6


def test_a_gif_shows_the_whole_game_by_itself(path: Path, replay: Replay, tmp_path: Path) -> None:
    out = tmp_path / "game.gif"
    assert console(["replay", str(path), "--export", str(out), "--size", "400", "300"]) == 0
    with Image.open(out) as image:
        assert image.n_frames == replay.steps + 1  # type: ignore[attr-defined]
        assert image.info["duration"] == 500
        image.seek(replay.steps)
        assert image.info["duration"] == 4000


def test_a_gif_takes_little_for_a_step(tmp_path: Path) -> None:
    (record,) = recorded(rummy_env.rules("gin", max_turns=8), tmp_path / "games.jsonl")
    replay, out = Replay(record), tmp_path / "game.gif"
    export(replay, out, range(replay.steps + 1))
    assert out.stat().st_size < LARGEST_STEP * (replay.steps + 1)


def test_the_ground_of_a_gif_has_one_colour(replay: Replay, tmp_path: Path) -> None:
    out = tmp_path / "game.gif"
    export(replay, out, range(replay.steps + 1))
    with Image.open(out) as image:
        colours = set()
        for step in range(replay.steps + 1):
            image.seek(step)
            felt = (as_drawn(replay, step, size=(640, 480)) == FELT).all(axis=2)
            assert felt.mean() > 0.3
            colours |= {*map(tuple, np.asarray(image.convert("RGB"))[felt].tolist())}
    (ground,) = colours
    assert np.abs(np.array(ground) - np.array(FELT)).max() < 8


def test_a_film_shows_every_step_and_holds_the_last(
    path: Path, replay: Replay, tmp_path: Path
) -> None:
    av = pytest.importorskip("av", reason="needs the extra: pip install 'rummy-env[video]'")
    out = tmp_path / "game.mp4"
    asked = ["--from", "1", "--to", "4", "--fps", "5", "--size", "400", "300", "--seat", "1"]
    assert console(["replay", str(path), "--export", str(out), *asked]) == 0
    with av.open(str(out)) as film:
        frames = [shot.to_ndarray(format="rgb24") for shot in film.decode(video=0)]
    assert len(frames) == 3 + 20
    for pixels, step in zip(frames, (1, 2, 3, *[4] * 20), strict=True):
        off = np.abs(pixels.astype(int) - as_drawn(replay, step, face_up=1))
        assert off.mean() < 6
    with pytest.raises(ValueError, match=r"size=\(401, 300\): a film needs an even width"):
        export(replay, out, [1], size=(401, 300))
    with pytest.raises(FileNotFoundError, match=r"nowhere/game\.mp4"):
        export(replay, tmp_path / "nowhere" / "game.mp4", [1])


def test_a_gif_of_one_step_is_held_too(replay: Replay, tmp_path: Path) -> None:
    export(replay, tmp_path / "end.gif", [replay.steps], fps=1)
    with Image.open(tmp_path / "end.gif") as image:
        assert (image.size, image.info["duration"]) == ((640, 480), 4000)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--game", 3], "game=3: give a whole number from 1 to 2 with the records of "),
        (["--step", 99], "step=99: give a whole number from 0 to "),
        (["--seat", 2], "seat=2: give a whole number from 0 to 1"),
        (["--export", "game.bmp"], "'.bmp': give one of '.gif', '.mp4', '.png'"),
        (
            ["--export", "game.gif", "--from", 5, "--to", 2],
            "from=5: give a whole number from 0 to 2",
        ),
        (["--export", "game.gif", "--to", 99], "to=99: give a whole number from 0 to "),
        (
            ["--export", "game.gif", "--step", 2],
            "--step 2 with game.gif: for several steps",
        ),
        (["--export", "end.png", "--from", 2], "--from with end.png: a PNG shows one"),
        (["--export", "end.png", "--to", 2, "--fps", 3], "--to, --fps with end.png: a PNG shows"),
        (["--from", 2, "--size", 800, 600], "--from, --size without --export: give --export"),
        (["--export", "game.gif", "--fps", 0], "fps=0: give a whole number from 1 to 50"),
        (["--export", "no/where.png"], "no/where.png"),
        (["--variant", "no:where"], "variant 'no:where' cannot be imported"),
    ],
    ids=str,
)
def test_bad_requests_are_told_in_a_line(
    options: list[object], message: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in fault(capsys, path, *options)


def test_bad_files_are_told_in_a_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing.jsonl" in fault(capsys, path.with_name("nothing.jsonl"))
    path.write_text(path.read_text().replace('"seed":1', '"seed":2'))
    path.write_text(path.read_text()[:-20])
    assert "games.jsonl, line 2: the line is no record, or is cut short" in fault(
        capsys, path, "--game", 2
    )


def test_an_export_of_no_steps_is_refused(replay: Replay, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="steps: none given"):
        export(replay, tmp_path / "game.gif", [])
    with pytest.raises(ValueError, match="seat=2: give a whole number from 0 to 1"):
        export(replay, tmp_path / "game.gif", [0], seat=2)


@pytest.mark.parametrize("suffix", [".gif", ".png"])
def test_an_export_that_fails_leaves_the_file_as_it_was(
    replay: Replay, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / "pictures" / f"game{suffix}"
    path.parent.mkdir()
    path.write_text("before")
    with pytest.raises(ValueError, match=f"step={replay.steps + 1}: give a whole number from 0 to"):
        export(replay, path, [*[0] * 9, replay.steps + 1])  # not one whose colours are looked at
    with pytest.raises(OSError, match=rf"missing/game{suffix}"):
        export(replay, tmp_path / "missing" / f"game{suffix}", [0])
    assert [*path.parent.iterdir()] == [path]
    assert path.read_text() == "before"


WALK = (
    *(("n", 1), (Keys.Right, 2), (" ", 3), (Keys.Down, 4), ("p", 3), (Keys.Left, 2), (Keys.Up, 1)),
    *((Keys.Backspace, 0), ("p", 0), (Keys.End, -1), ("n", -1), (Keys.Home, 0), ("x", 0)),
)


def test_keys_lead_through_the_game(path: Path, replay: Replay) -> None:
    browser = Browser(Games(path), 1, replay, 0, None)
    for key, step in WALK:
        browser.press(key)
        assert browser.step == step % (replay.steps + 1), key
        assert frame(replay, browser.step, None) in browser.text()
        assert browser.text().endswith(HELP_GAMES)


def test_a_jump_asks_where_to(path: Path, replay: Replay) -> None:
    browser, end = Browser(Games(path), 1, replay, 1, seat=0), replay.steps
    for answer, step in (("4", 4), ("999", 4), ("", 4), ("2", 2), (str(end), end)):
        for key in ("j", *answer):
            browser.press(key)
        assert browser.text().endswith(f"\nstep: {answer}")
        browser.press(Keys.Enter)
        assert browser.step == step
        assert (f"{answer!r} is no step: give 0 to {end}" in browser.text()) == (
            answer != str(step)
        )
    for key in ("j", "4", "9", Keys.Backspace, "x", "-", Keys.F17, Keys.Left, Keys.Enter):
        browser.press(key)
    assert (browser.step, browser.note) == (4, "")
    for key in ("j", "1", Keys.Escape):
        browser.press(key)
    assert (browser.step, browser.note) == (4, "")
    assert browser.text().endswith(HELP_GAMES)


def test_the_command_runs_in_a_terminal(path: Path, replay: Replay) -> None:
    screen, other = pty.openpty()
    termios.tcsetwinsize(other, (40, 120))
    command = [sys.executable, "-m", "rummy_env.replay", str(path), "--step", "2"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=other, stdout=other, stderr=other, env=environment
    )
    told = until(screen, "q: quit")
    assert f"step 2 of {replay.steps} · player_" in told
    assert "\x1b[0;31m" in told  # red
    os.write(screen, b"n\x1b[Cj1\rn\x1b[C\x1b[Dnq")
    left = until(screen, "\x1b[?1049l")
    assert f"step 3 of {replay.steps} · player_" in left
    assert process.wait(20) == 0
    os.close(screen)
    os.close(other)


def until(screen: int, text: str, seconds: float = 30.0) -> str:
    """What comes on the screen, up to a text."""
    told, end = b"", time.monotonic() + seconds
    while text.encode() not in told:
        assert time.monotonic() < end, f"{text!r} did not come, but {told.decode()}"
        if select.select([screen], [], [], 0.1)[0]:
            told += os.read(screen, 1 << 16)
    return told.decode(errors="replace")
