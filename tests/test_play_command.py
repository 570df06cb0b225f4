"""The command line of play: what it refuses, and with what words."""

import errno
import io
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import rummy_env
from rummy_env import command_line
from rummy_env.__main__ import console
from rummy_env.baselines import Greedy
from rummy_env.files import LOCK, alone
from rummy_env.play.addresses import bound, is_loopback, outside_host, own_host, own_name, url
from rummy_env.play.catalogue import catalogue
from rummy_env.play.house import KEPT, KEPT_UNFINISHED, House
from rummy_env.play.offer import Offer
from tests.play_tables import set_up


def fault(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """How the command fails: one line."""
    with pytest.raises(SystemExit) as ended:
        console(["play", *argv, "--no-browser"])
    said = capsys.readouterr().err
    assert (ended.value.code, said.count("\n")) == (2, 1)
    return said


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--seed", "3"], "--seed without a variant"),
        (["--seats", "you", "greedy"], "--seats without a variant"),
        (["--terminal"], "name a variant"),
        (["gin", "--terminal", "--pace", "3"], "without effect with --terminal"),
        (["--name", "Ann"], "--name without a variant"),
        (["gin", "--agents", "you=random"], "you is a person"),
        (["gin", "--seats", "you", "you=random"], "you is taken"),
        (["gin", "--seats", "you", "greedy=random"], "greedy is taken"),
        (["gin", "--agents", "x=greedy", "--seats", "you", "x=random"], "x is taken"),
        (["--pace", "-1"], "give 0 to 60 seconds"),
        (["--port", "70000"], "--port=70000"),
        (["--own-names", "https://x.org"], "--own-names https://x.org: give a name alone"),
        (["gin", "--seed", "-3"], "--seed=-3"),
        (["gin", "--seats", "you"], "--seats you: give 2"),
        (["gin", "--seats", "you", "nobody"], "agent 'nobody': give one of"),
        (["gin", "--seats", "you", "no:where"], "cannot be imported"),
        (["gin", "--seats", "you", "runs/none.npz"], "there is no such model"),
        (["basic", "--hand-size", "7", "--seats", "you", "trained"], "no trained model comes"),
        (["going_out", "--seats", "you", "lookahead"], "came without a critic"),
        (["basic", "--seats", "greedy", "strong", "--port", "0"], "only agents sit here"),
        (["basic", "--name", "x" * 30], "1 to 24 characters"),
        (["basic", "--hand-size", "60"], "hand_size=60"),
    ],
)
def test_what_makes_no_sense_is_refused(
    argv: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in fault(capsys, *argv, "--folder", str(tmp_path))


def test_seats_may_be_given_names_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    agent = f"{__name__}:Moody"
    argv = ["basic", "--num-players", "4", "--folder", str(tmp_path), "--terminal", "--seats"]
    assert console(["play", *argv, "you", agent, "second=greedy", "random"]) == 0
    table = capsys.readouterr().out
    assert all(name in table for name in ("Moody", "second", "random"))


class Moody(Greedy):
    """An agent of one's own."""


def test_a_search_is_offered_where_the_trained_model_has_a_critic() -> None:
    offered = {name for name in rummy_env.VARIANTS if "lookahead" in names_for(name)}
    assert offered == {"basic", "bonus", "classic", "gin", "rummy500"}


def test_a_search_that_plays_out_is_offered_where_its_quick_policy_plays() -> None:
    offered = {name for name in rummy_env.VARIANTS if "thorough" in names_for(name)}
    assert offered == {"basic", "bonus", "classic"}


def names_for(variant: str) -> list[str]:
    """The agents that are offered for a variant by its usual options."""
    return Offer().for_rules(rummy_env.rules(variant))


def test_a_port_in_use_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with bound("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        said = fault(capsys, "--port", port, "--folder", str(tmp_path))
    assert f"--port {port}" in said
    assert "give another port" in said


def test_a_folder_is_kept_by_one_server_at_a_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("fcntl")
    with alone(tmp_path, "taken"):
        said = fault(capsys, "--port", "0", "--folder", str(tmp_path))
    assert f"--folder {tmp_path}: another server keeps its tables there" in said


def test_where_files_cannot_be_locked_nothing_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*asked: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(pytest.importorskip("fcntl"), "flock", no_locks)
    with alone(tmp_path, "taken"), alone(tmp_path, "taken"):
        assert (tmp_path / LOCK).exists()
    with alone(tmp_path, "taken"):
        pass


def test_an_address_that_is_not_of_this_machine_is_told() -> None:
    with pytest.raises(ValueError, match=r"--host 999\.1\.1\.1: .*give an address of this machine"):
        bound("999.1.1.1", 0)
    with pytest.raises(ValueError, match=r"--host 192\.0\.2\.1"):
        bound("192.0.2.1", 0)


def test_loopback_is_told_from_the_rest() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.1.2.3", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.0.7", "example.org")))


@pytest.mark.parametrize(
    ("host", "own", "own_if_open"),
    [
        ("127.0.0.1:8470", True, True),
        ("127.0.0.2:8470", True, True),
        ("LocalHost", True, True),
        ("[::1]:8470", True, True),
        ("192.168.0.7:8470", False, True),
        ("[fe80::1]:8470", False, True),
        ("example.org:8470", False, False),
        ("127.0.0.1.example.org", False, False),
        ("", False, False),
    ],
)
def test_a_server_knows_its_names(host: str, own: bool, own_if_open: bool) -> None:
    assert own_name(host, open_to_all=False) == own
    assert own_name(host, open_to_all=True) == own_if_open


@pytest.mark.parametrize("machine", ["Anns-Mac.local", "anns-mac", "anns-mac.example.org"])
def test_a_machine_goes_by_its_name_with_and_without_its_domain(
    machine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: machine)
    for host in (machine, "anns-mac", "Anns-Mac.local"):
        assert own_name(f"{host}:8470", open_to_all=True)
    for host in ("anns-mac.evil.example", "other", "local", "example.org"):
        assert not own_name(f"{host}:8470", open_to_all=True)


def test_others_are_given_an_address_that_they_can_use() -> None:
    for everywhere in ("0.0.0.0", "::"):
        assert own_host(everywhere) == "127.0.0.1"
        outside = outside_host(everywhere)
        assert not is_loopback(outside)
        assert own_name(url(outside, 8470).split("/")[2], open_to_all=True)
    assert (own_host("192.168.0.7"), outside_host("192.168.0.7")) == ("192.168.0.7",) * 2
    assert url("fd00::2", 8470) == "http://[fd00::2]:8470/"


def test_without_a_route_to_others_they_are_given_the_name_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unreachable(probe: object, address: object) -> None:
        raise OSError("network is unreachable")

    monkeypatch.setattr("socket.socket.connect", unreachable)
    assert outside_host("0.0.0.0") == socket.gethostname()


async def served_at_once(server: object, sockets: object) -> None:
    """A server that ends as it begins."""


@pytest.mark.parametrize("own", [0, 1])
def test_links_for_others_lead_to_this_machine_from_elsewhere(
    own: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    uvicorn = pytest.importorskip("uvicorn", reason="play needs the extra 'play'")
    monkeypatch.setattr(uvicorn.Server, "serve", served_at_once)
    sitting = ["friend"] * 3
    sitting[own] = "you"
    seats = ["--seats", *sitting, "--num-players", "3", "--name", " Ann"]  # who sits down as Ann
    where = ["--host", "0.0.0.0", "--port", "0", "--folder", str(tmp_path), "--no-browser"]
    assert console(["play", "basic", *seats, *where]) == 0
    said = capsys.readouterr()
    hosts = re.findall(r"seat \d, .*: http://(.*):\d+/#seat=", said.out)
    expected = [outside_host("0.0.0.0")] * 3
    expected[own] = "127.0.0.1"
    assert hosts == expected
    assert f"others open http://{outside_host('0.0.0.0')}:" in said.err


def test_old_tables_are_forgotten_unfinished_ones_later(tmp_path: Path) -> None:
    house = House(Offer(), folder=tmp_path, pace=0)
    seats = [{"person": "Ann"}, {"person": "Bob"}]
    for _ in range(2):
        set_up(house, {"variant": "going_out", "options": {"max_turns": 1}, "seats": seats})
    over = house.rooms[0].table
    while not over.finished:
        house.rooms[0].play(over.mover, over.version, int(over.engine.legal_mask()[0].argmax()))
    for path in tmp_path.glob("*.table"):
        os.utime(path, (0, path.stat().st_mtime - 2 * KEPT))
    assert [room.name for room in House(Offer(), folder=tmp_path).rooms] == [house.rooms[1].name]
    for path in tmp_path.glob("*.table"):
        os.utime(path, (0, path.stat().st_mtime - KEPT_UNFINISHED))
    assert House(Offer(), folder=tmp_path).rooms == []
    assert [*tmp_path.glob("*.table")] == []


def test_the_variants_of_the_page_are_those_of_the_catalogue() -> None:
    told = catalogue(Offer())["variants"]
    assert [each["name"] for each in told] == list(rummy_env.VARIANTS)
    assert {each["opponent"] for each in told} == {"patient", "farsighted", "strong"}


@pytest.mark.parametrize("variant", rummy_env.VARIANTS)
def test_the_page_is_told_how_many_seats_a_variant_allows(variant: str) -> None:
    (told,) = (each for each in catalogue(Offer())["variants"] if each["name"] == variant)
    flags: list[dict[str, bool]] = [{}, *({flag: True} for flag in told["seats_with"])]
    for options in flags:
        (flag,) = options or [None]
        fewest, most = told["seats_with"][flag] if flag else told["seats"]
        for count in (fewest, most):
            assert rummy_env.rules(variant, num_players=count, **options).num_players == count
        for count in (fewest - 1, most + 1):
            with pytest.raises(ValueError, match=f"num_players={count}"):
                rummy_env.rules(variant, num_players=count, **options)


def test_the_page_is_told_which_options_change_the_seats() -> None:
    found = {each["name"]: each["seats_with"] for each in catalogue(Offer())["variants"]}
    assert {name: limits for name, limits in found.items() if limits} == {
        "going_out": {"four_sevens": [2, 7], "sequences_rummy": [2, 6]},
        "rummy_cards": {"going_out_variation": [3, 7]},
    }


def test_the_page_says_none_only_where_that_can_be_typed() -> None:
    options = [option for each in catalogue(Offer())["variants"] for option in each["options"]]
    told = {option["name"] for option in options if "None" in option["meaning"] + option["values"]}
    assert told == {"melds_per_turn"}  # of bonus and classic, where it is 1
    assert any("as usual" in option["meaning"] for option in options if option["name"] == "preset")


SLOW = """
import time
from rummy_env.baselines import Greedy

class Slow(Greedy):
    def act(self, view, mask, rng):
        print("thinking", flush=True)
        time.sleep(60)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="interrupts a process by a signal")
def test_ctrl_c_waits_for_no_agent_that_thinks(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="play needs the extra: pip install 'rummy-env[play]'")
    (tmp_path / "slow_agents.py").write_text(SLOW)
    seats = ["--num-players", "4", "--seats", "slow_agents:Slow", "slow_agents:Slow", "you"]
    where = ["--no-browser", "--port", "0", "--folder", str(tmp_path / "kept"), "--pace", "0"]
    where += ["--seed", "2"]  # an agent begins
    console = str(Path(sys.executable).with_name("rummy-env"))
    command = [console, "play", "basic", *seats, "slow_agents:Slow", *where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as server:
        assert server.stdout is not None
        assert any("thinking" in line for line in server.stdout)
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=20) == command_line.INTERRUPTED
