"""The games of a file in the terminal: the next one, the list, a game that plays by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.keys import Keys

import rummy_env
from rummy_env.envs.recording import RecordedEngine
from rummy_env.records import lines
from rummy_env.replay.games import Games
from rummy_env.replay.terminal import HELP, HELP_GAMES, HELP_LIST, Browser
from tests.recorded import some_play

RULES = rummy_env.rules("basic", hand_size=3, max_turns=4)


@pytest.fixture
def games(tmp_path: Path) -> Games:
    """Two short games, and a damaged line between them."""
    path = tmp_path / "games.jsonl"
    engine = RecordedEngine(RULES, 2, seed=3, path=path, agents=["Ann", "Bob"])
    engine.reset()
    some_play(engine)
    engine.close()
    first, second = path.read_text().splitlines()[:2]
    path.write_text("\n".join([first, first[:50], second, ""]))
    return Games(path)


@pytest.fixture
def browser(games: Games) -> Browser:
    return Browser(games, 1, games.replay(1), 0, None)


def test_the_next_game_is_shown_and_a_damaged_one_is_told(browser: Browser, games: Games) -> None:
    assert browser.text().endswith(HELP_GAMES)
    browser.press("N")
    assert (browser.game, "cut short" in browser.note) == (1, True)
    browser.game = 2
    browser.press("N")
    assert (browser.game, browser.step, browser.note) == (3, 0, "")
    assert str(games.replay(3).record.seed) in browser.text()
    browser.press("N")
    assert browser.note == "there is no game 4"


def test_a_file_that_is_gone_is_told(
    browser: Browser, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rummy_env.replay.games.PAGE", 1)  # the next game has not been read yet
    Path(games._path).unlink()
    browser.press("N")
    assert "No such file" in browser.note
    assert browser.game == 1


def test_the_list_names_every_game_and_leads_there(browser: Browser) -> None:
    browser.press("l")
    listed = browser.text()
    assert listed.endswith(HELP_LIST)
    assert listed.startswith("3 games")
    assert listed.count("Ann") == 2
    assert "no record" in listed
    browser.press(Keys.End)
    browser.press(Keys.Enter)
    assert browser.game == 3
    assert browser.listed is None
    browser.press("l")
    browser.press(Keys.Up)
    browser.press(Keys.Home)
    assert browser.listed == 1
    browser.press("l")
    assert browser.text().endswith(HELP_GAMES)


@pytest.mark.parametrize("rows", [8, 12, 24])
def test_the_help_and_the_marked_game_are_on_small_screens_too(browser: Browser, rows: int) -> None:
    size = Size(rows=rows, columns=60)
    shown = browser.text(size).split("\n")
    assert (len(shown), max(map(len, shown)) <= 60) == (rows, True)
    assert " ".join(row.strip() for row in shown).endswith(HELP_GAMES.replace("\n", " "))
    browser.press("l")
    for game in (1, 2, 3):
        shown = browser.text(size).split("\n")
        assert [row for row in shown if row.startswith(f">     {game}  ")]
        assert (len(shown), shown[-1]) == (rows, HELP_LIST)
        browser.press(Keys.Down)


def test_a_game_plays_by_itself_to_its_end(browser: Browser, games: Games) -> None:
    browser.tick()
    assert browser.step == 0
    browser.press("a")
    for _ in range(games.replay(1).steps):
        assert browser.playing
        browser.tick()
    assert (browser.step, browser.playing) == (games.replay(1).steps, False)
    browser.press("a")
    browser.press(Keys.Left)
    assert not browser.playing


def test_one_game_needs_no_list(games: Games) -> None:
    path = Path(games._path)
    path.write_text(path.read_text().splitlines()[0])
    assert Browser(games, 1, games.replay(1), 0, None).text().endswith(HELP)


def test_a_seat_that_another_game_has_not_is_told(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for players in (3, 2):
        rules = rummy_env.rules("basic", num_players=players, max_turns=2)
        engine = RecordedEngine(rules, 1, seed=3, path=path)
        engine.reset()
        engine.step(engine.random_actions())
        engine.close()
    games = Games(path)
    browser = Browser(games, 1, games.replay(1), 0, 2)
    browser.press("N")
    assert (browser.game, browser.note) == (1, "game 2 has 2 seats, and no seat 2")


def test_games_that_follow_one_another_are_read_at_once(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = []

    def counted(path: Path) -> Iterator[tuple[int, str]]:
        reads.append(path)
        return lines(path)

    monkeypatch.setattr("rummy_env.replay.games.lines", counted)
    told = [games.about(game) for game in range(1, len(games) + 1)]
    assert [text.split(":")[0] for text in told] == ["basic", "no record", "basic"]
    assert len(reads) == 1


def test_a_file_that_has_lost_games_since_it_was_counted_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rummy_env.replay.games.PAGE", 1)  # the last game has not been read yet
    path = tmp_path / "games.jsonl"
    for _ in range(2):
        engine = RecordedEngine(RULES, 1, seed=3, path=path)
        engine.reset()
        some_play(engine)
        engine.close()
    games = Games(path)
    count = len(games)
    path.write_text(path.read_text().splitlines()[0] + "\n")
    assert games.about(count).startswith("no record")
    with pytest.raises(ValueError, match=f"has no game {count} any more"):
        games.replay(count)
    path.unlink()
    assert "no record" in Games(path).about(1)
