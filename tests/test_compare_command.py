"""The command that compares agents: its reports, its records, and what it refuses."""

import json
import os
import re
import signal
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Rules
from rummy_env.baselines import Policy, Random, policies
from rummy_env.envs.recording import RecordingError
from rummy_env.evaluation import arena, command, compare, report, statistics
from rummy_env.records import play, read
from tests.compared import Eager, run

HERE = "tests.compared"


def test_the_command_writes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agents = ["random", f"eager={HERE}:Eager", f"{HERE}:Stubborn"]
    assert run("--agents", *agents, "--num-players", "3", "--out", str(tmp_path)) == 0
    facts = json.loads((tmp_path / "compare.json").read_text())
    assert facts["agents"] == ["random", "eager", "Stubborn"]
    assert facts["options"]["num_players"] == 3
    assert facts["complete"]
    assert (facts["deals"], facts["seed"]) == (8, 1)
    assert len(facts["duels"]) == len(facts["round_table"]) == len(facts["standings"]) == 3
    assert facts["command"].startswith("rummy-env compare basic --deals 8")
    page = (tmp_path / "compare.md").read_text()
    assert facts["command"] in page
    assert (tmp_path / "compare.png").read_bytes().startswith(b"\x89PNG")
    shown = capsys.readouterr().out
    for title in ("Ranking", "Points per hand", "Hands won", "Pairs", "Round table"):
        assert title in shown
        assert title in page
    assert "\\n" not in shown


def test_a_drawn_seed_is_shown_so_that_the_command_can_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def reported(*arguments: str) -> dict[str, Any]:
        both = ("--agents", "random", f"{HERE}:Eager", "--out", str(tmp_path))
        assert run(*both, *arguments, seed=None) == 0
        found: dict[str, Any] = json.loads((tmp_path / "compare.json").read_text())
        return found

    first, second = reported(), reported()
    assert first["seed"] != second["seed"]
    assert first["duels"] != second["duels"]
    assert f"deals of seed {first['seed']}," in capsys.readouterr().out
    assert first["command"].endswith(f" --seed {first['seed']}")
    assert f"seed {second['seed']}" in (tmp_path / "compare.md").read_text()
    again = reported("--seed", str(first["seed"]))
    assert again["duels"] == first["duels"]
    assert again["command"] == first["command"]


def test_the_same_command_writes_the_same_report(tmp_path: Path) -> None:
    def written(chunk: str) -> list[bytes]:
        run("--agents", "random", f"{HERE}:Eager", "--out", str(tmp_path), "--chunk", chunk)
        return [path.read_bytes() for path in sorted(tmp_path.iterdir())]

    assert written("100") == written("100")
    json_of = [json.loads(written(chunk)[0]) for chunk in ("3", "100")]
    for facts in json_of:
        del facts["command"]
    assert json_of[0] == json_of[1]


def test_the_command_plays_matches(tmp_path: Path) -> None:
    match = ("--match", "match", "--rules-deals", "2")
    assert run("--agents", "random", f"{HERE}:Eager", *match, "--out", str(tmp_path)) == 0
    facts = json.loads((tmp_path / "compare.json").read_text())
    assert facts["duels"][0]["hands"] == 2 * facts["duels"][0]["games"] == 2 * 2 * 8
    assert facts["duels"][0]["sides"][1]["match_wins"]["value"] > 0.5
    assert "Matches won" in (tmp_path / "compare.md").read_text()


def test_the_help_names_all_agents() -> None:
    described = {word.strip(".,;") for word in (command.Settings.__doc__ or "").split()}
    assert described >= {*policies.NAMES}


def test_an_interrupted_command_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play, blocks = arena.play, iter(range(3))

    def play_three_blocks(*given: Any, **named: Any) -> arena.Results:
        if next(blocks, None) is None:
            raise KeyboardInterrupt
        return play(*given, **named)

    monkeypatch.setattr(arena, "play", play_three_blocks)
    arguments = ("--agents", "random", f"{HERE}:Eager", "--chunk", "4", "--out", str(tmp_path))
    assert run(*arguments) == 130
    assert "INCOMPLETE" in capsys.readouterr().out
    facts = json.loads((tmp_path / "compare.json").read_text())
    assert (facts["deals"], facts["complete"]) == (6, False)
    assert run(*arguments) == 130
    assert "interrupted before" in capsys.readouterr().err


def test_sigterm_ends_a_comparison_as_ctrl_c_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, blocks, before = arena.play, iter(range(3)), signal.getsignal(signal.SIGTERM)

    def end_after_three_blocks(*given: Any, **named: Any) -> arena.Results:
        if next(blocks, None) is None:
            os.kill(os.getpid(), signal.SIGTERM)
        return play(*given, **named)

    monkeypatch.setattr(arena, "play", end_after_three_blocks)
    arguments = ("--agents", "random", f"{HERE}:Eager", "--chunk", "4", "--out", str(tmp_path))
    assert run(*arguments) == 130
    assert json.loads((tmp_path / "compare.json").read_text())["deals"] == 6
    assert signal.getsignal(signal.SIGTERM) is before


def test_few_games_are_played_at_once_where_an_agent_takes_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "LONG", 0.0)
    monkeypatch.setattr(command, "AT_ONCE", (4,))
    agents = ("--agents", "random", f"{HERE}:Eager")
    assert run(*agents) == 0
    assert "random, Eager: 4 games are played at once (--chunk)" in capsys.readouterr().err
    assert run(*agents, "--chunk", "8") == 0
    assert "at once" not in capsys.readouterr().err


def test_an_agent_that_thinks_amid_a_game_alone_takes_long(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("--agents", "random", f"{HERE}:Ponderer") == 0
    assert "Ponderer: 512 games are played at once (--chunk)" in capsys.readouterr().err


def test_without_a_terminal_lines_tell_how_far_a_long_comparison_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = ("--agents", "random", f"{HERE}:Eager", "--chunk", "4")
    assert run(*agents) == 0
    assert "of 16 games" not in capsys.readouterr().err
    monkeypatch.setattr(command, "QUIET", 0.0)
    assert run(*agents) == 0
    told = re.findall(r"(\d+) of 16 games", capsys.readouterr().err)
    assert [int(done) // 4 for done in told] == [1, 2, 3]


def test_figures_are_whole_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    named = [f"agent_number_{number}=random" for number in range(9)]
    assert run("--agents", *named, "--deals", "2") == 0
    told = capsys.readouterr().out
    assert len(re.findall(r"\[-?\+?[\d.]+, -?\+?[\d.]+\]", told)) > 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agents", "random"], "two or more"),
        (["--agents", "random", "random"], "two agents are called 'random'"),
        (["--agents", "random", "nobody"], "'nobody'"),
        (["--agents", "random", f"{HERE}:Nobody"], "Nobody"),
        (["--agents", "random", f"{HERE}:Stranger"], "made for whist"),
        (["--agents", "random", "x=random", "--num-players", "9"], "num_players=9"),
        (["--agents", "random", "x=random", "--match", "game"], "match='game'"),
        (["--agents", "random", "x=random", "--deals", "1"], "deals=1"),
        (["--agents", "random", "x=random", "--deals", "-5"], "deals=-5: give a whole number"),
        (["--agents", "random", "x=random", "--deals", "9" * 12], "from 2 to 1000000"),
        (["--agents", "random", "x=random", "--chunk", "0"], "chunk=0"),
        (["--agents", "random", "x=random", "--seed", "-1"], "seed=-1: give a whole number from 0"),
        (["--agents", "random", "greedy", "--sample"], "--sample: it is for saved models, and no"),
        (
            ["--agents", "random", f"cheat={HERE}:Cheat"],
            "agent 'cheat' breaks the rules: game 0, seat",
        ),
        (["--agents", "random", "camper"], "camper cannot play 'basic', by its cards"),
        (
            ["--agents", "random", "runs/x/best.zip"],
            "see docs/adding_an_agent.md",
        ),
        (["--agents", "random", "x=random", "--num-playrs", "3"], "--num-playrs"),
        (["--agents", "random", "x=random", "--out", __file__], "test_compare_command.py"),
        ([], "--agents"),
    ],
)
def test_bad_input_is_told_in_words(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(*arguments)
    assert stopped.value.code == 2
    told = capsys.readouterr().err
    assert message in told
    assert "Traceback" not in told


def test_an_agent_that_breaks_the_rules_is_told_in_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("--agents", "random", "cheat=tests.policies:Again") == 2
    told = capsys.readouterr().err
    assert "agent 'cheat' breaks the rules" in told
    assert "Traceback" not in told


def test_a_comparison_that_cannot_be_recorded_any_more_tells_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play, blocks = arena.play, iter(range(3))

    def play_three_blocks(*given: Any, **named: Any) -> arena.Results:
        if next(blocks, None) is None:
            raise RecordingError("games.jsonl: the disk is full")
        return play(*given, **named)

    monkeypatch.setattr(arena, "play", play_three_blocks)
    arguments = ("--agents", "random", f"{HERE}:Eager", "--chunk", "4", "--out", str(tmp_path))
    with pytest.warns(UserWarning, match="the comparison ends early: .*the disk is full"):
        assert run(*arguments) == 2
    assert "INCOMPLETE: ended by games.jsonl: the disk is full" in " ".join(
        capsys.readouterr().out.split()
    )
    assert json.loads((tmp_path / "compare.json").read_text())["trouble"].endswith("disk is full")


class Short:
    """A policy that answers for all games but one."""

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        return mask.argmax(axis=1)[1:]


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("Mistaken", "Mistaken failed in its process:"),
        ("Short", "agent 'Short' chose actions of shape (0,) and dtype int64"),
    ],
)
def test_the_mistake_of_an_isolated_agent_is_told_in_words(
    agent: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        run("--agents", "random", f"tests.test_compare_command:{agent}", "--isolate")
    assert stopped.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert said in told
    assert told.count("Traceback") == (agent == "Mistaken"), "that of its process alone"


@pytest.mark.parametrize("flags", [[], ["--isolate"]])
def test_an_answer_that_is_none_is_told_in_words_in_the_midst_of_a_comparison_too(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--agents", "random", "tests.test_compare_command:Late", *flags) == 2
    told = capsys.readouterr().err
    assert "error: agent 'Late' chose actions of shape" in told
    assert "Traceback" not in told


class Late:
    """A policy that answers for all games but one, after some answers for all."""

    def __init__(self) -> None:
        self.answers = 0

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        self.answers += 1
        return mask.argmax(axis=1)[self.answers > 5 :]


class Mistaken:
    """A policy with a mistake that looks like bad input."""

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        return np.zeros(3) + np.zeros(4)


def test_what_an_agent_raises_comes_with_its_name_and_its_line() -> None:
    with pytest.raises(ValueError, match="could not be broadcast") as raised:
        run("--agents", "random", "tests.test_compare_command:Mistaken")
    assert (
        "raised by agent 'Mistaken', playing rummy_env.rules('basic'" in raised.value.__notes__[0]
    )
    assert "Mistaken" not in str(raised.value)
    assert Path(raised.traceback[-1].path) == Path(__file__)


class Speechless(Random):
    """Cannot say what it is."""

    def describe(self, rules: Rules) -> str:
        raise RuntimeError("words fail me")


def test_who_fails_to_describe_itself_is_named() -> None:
    with pytest.raises(RuntimeError, match="words fail me") as raised:
        run("--agents", "random", "tests.test_compare_command:Speechless")
    assert raised.value.__notes__ == ["raised by Speechless.describe"]


def test_few_deals_are_reported_as_rough(tmp_path: Path) -> None:
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random()}
    rules = rummy_env.rules("basic", max_turns=40)
    for deals, rough in ((2, True), (statistics.FEW_DEALS, False)):
        report.write(compare(rules, agents, deals=deals, seed=1), tmp_path)
        assert ("rough" in (tmp_path / "compare.md").read_text()) == rough


def test_a_dollar_sign_in_a_name_begins_no_formula(tmp_path: Path) -> None:
    assert run("--agents", "a$^$=random", "b=random", "--out", str(tmp_path)) == 0
    assert (tmp_path / "compare.png").exists()


def test_control_characters_of_a_name_do_not_reach_the_report(tmp_path: Path) -> None:
    rules = rummy_env.rules("basic", max_turns=20)
    found = compare(rules, {"\x1b[31mred\nfake": Random(), "b": Random()}, deals=4)
    report.write(found, tmp_path)
    told = (tmp_path / "compare.md").read_text()
    assert "\\x1b[31mred\\nfake" in told
    assert "\x1b" not in told


def test_a_report_is_written_to_a_folder_given_as_text(tmp_path: Path) -> None:
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random()}
    report.write(compare("basic", agents, deals=2, seed=1), str(tmp_path / "out"))
    assert (tmp_path / "out" / "compare.md").exists()


def test_a_recorded_comparison_has_every_game_by_the_names_of_the_agents(tmp_path: Path) -> None:
    path, out = tmp_path / "games.jsonl", tmp_path / "out"
    agents = ["--agents", "random", f"{HERE}:Eager", "me=greedy", "--out", str(out)]
    assert run(*agents, "--record", str(path), "--chunk", "6") == 0
    records = read(path)
    pairs = Counter(frozenset(record.agents) for record in records)
    names = ("random", "Eager", "me")
    assert pairs == dict.fromkeys(map(frozenset, combinations(names, 2)), 2 * 8)
    seatings = Counter((record.seed, *record.agents) for record in records)
    assert set(seatings.values()) == {1}
    assert len({record.seed for record in records}) == 8
    for record in records[::7]:
        assert sum(1 for _ in play(record)) == len(record.actions) + 1
    (told,) = [
        duel
        for duel in json.loads((out / "compare.json").read_text())["duels"]
        if {side["agent"] for side in duel["sides"]} == {"random", "me"}
    ]
    for side in told["sides"]:
        points = [
            record.outcome.scores[record.agents.index(side["agent"])]
            for record in records
            if set(record.agents) == {"random", "me"}
        ]
        assert side["points"]["value"] == pytest.approx(np.mean(points))


def test_a_file_that_cannot_be_written_is_refused_before_the_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = tmp_path / "no" / "where.jsonl"
    with pytest.raises(SystemExit, match="2"):
        run("--agents", "random", "greedy", "--record", str(nowhere))
    assert "where.jsonl" in capsys.readouterr().err
