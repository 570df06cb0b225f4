"""Checking a variant: rules that work pass, and each kind of fault is found and named."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, ClassVar

import numpy as np
import pytest

import rummy_env
from rummy_env import Rules
from rummy_env.checking import check_variant
from rummy_env.checking.command import main
from rummy_env.core.features import Feature, Scalar
from rummy_env.core.fields import Field, Kind
from rummy_env.core.movers import Movers
from rummy_env.core.part import Move
from rummy_env.core.rules import END_HAND, Phase
from rummy_env.core.visibility import SeatView
from rummy_env.parts.drawing import DrawStock
from rummy_env.parts.restocking import ShuffleKeepTop
from rummy_env.parts.rewards import ZeroSum
from tests.own_variants import OWN


@dataclass(frozen=True)
class Extra(Move):
    """May be made where `allowed` says so, and does what `done` does."""

    allowed: Callable[[Movers], Any]
    done: Callable[[Movers], object] = lambda movers: None
    kind = "extra"

    def legal(self, movers: Movers) -> Any:
        return (self.allowed(movers).astype(np.uint64),)

    def apply(self, movers: Movers, choice: Any) -> None:
        self.done(movers)


def with_extra(move: Move, then: str = END_HAND) -> Rules:
    """Basic rummy with one more move in place of a draw."""
    rules = rummy_env.rules("basic", hand_size=4, max_turns=30)
    draw, play = rules.turn
    return replace(rules, turn=(Phase("draw", {move: then, **dict(draw.moves)}), play))


def always(movers: Movers) -> Any:
    """Everywhere."""
    return np.ones(len(movers.rows), np.bool_)


def held_by_the_next(movers: Movers) -> Any:
    """Where the next player holds a queen, which the mover cannot know."""
    others = movers.state.hands[movers.rows, 1 - movers.state.to_move[movers.rows], 0]
    queens = np.uint64(sum(1 << (11 + 13 * suit) for suit in range(4)))
    return others & queens != 0


def in_row_zero(movers: Movers) -> Any:
    """In the first game of a batch alone."""
    return np.asarray(movers.rows) == 0


def lose_the_highest(movers: Movers) -> None:
    """Put a card nowhere."""
    movers.state.hands[movers.rows, movers.state.to_move[movers.rows]] &= movers.state.hands[
        movers.rows, movers.state.to_move[movers.rows]
    ] - np.uint64(1)


TIRED = Field("tired", Kind.FLAG, "whether somebody has rested", told=False, seen=False)


@dataclass(frozen=True)
class Rest(Move):
    """Ends the hand, but not before somebody has tried to, which snapshots do not tell."""

    kind = "rest"
    state_fields: ClassVar = (TIRED,)

    def legal(self, movers: Movers) -> Any:
        return ((~movers.state.tired[movers.rows]).astype(np.uint64),)

    def apply(self, movers: Movers, choice: Any) -> None:
        movers.state.tired[movers.rows] = True


ANSWERS = count()


@dataclass(frozen=True)
class Fickle(ZeroSum):
    """Shows something else whenever it is asked."""

    def features(self, rules: Rules) -> list[Feature]:
        return [Scalar("fickle", "chance", lambda view: np.full(len(view), next(ANSWERS)), FLAGS)]


FLAGS = tuple((number % 2,) for number in range(10_000))


@dataclass(frozen=True)
class Unspeakable(ZeroSum):
    """Cannot be told in text."""

    def notes(self, view: SeatView) -> list[tuple[str, str]]:
        raise ValueError("there are no words for it")


def two_draws() -> Rules:
    """Basic rummy in which two cards are drawn, the second from a stock that may be empty."""
    rules = rummy_env.rules("basic", num_players=6, hand_size=8)
    draw, play = rules.turn
    drawing = Phase("draw", dict.fromkeys((move for move, _ in draw.moves), "second"))
    return replace(
        rules, turn=(drawing, Phase("second", {DrawStock(ShuffleKeepTop()): "play"}), play)
    )


FAULTS: dict[str, tuple[Callable[[], Rules], str]] = {
    "stuck": (two_draws, r"phase 'second': the rules are stuck.* 0 cards in the stock and \d+ in"),
    "lost": (
        lambda: with_extra(Extra(always, lose_the_highest), "play"),
        r"game of seed \d+, after \d+ actions: the table is refused: .*; it is {",
    ),
    "hidden": (
        lambda: with_extra(Extra(held_by_the_next)),
        "with hidden cards dealt anew, extra is legal in one table, not in both",
    ),
    "by place": (
        lambda: with_extra(Extra(in_row_zero)),
        "played alone it comes out otherwise than in a batch",
    ),
    "untold": (
        lambda: with_extra(Rest(), "draw"),
        "laid from its snapshot, rest is legal in one table, not in both",
    ),
    "fickle": (
        lambda: replace(rummy_env.rules("basic"), rewards=Fickle()),
        "laid from its snapshot, it is observed otherwise: 'fickle' differs",
    ),
    "unspeakable": (
        lambda: replace(rummy_env.rules("basic"), rewards=Unspeakable()),
        "there are no words for it",
    ),
    "endless": (lambda: with_extra(Extra(always), "draw"), "the turn does not come to an end"),
}


@pytest.mark.parametrize("name", rummy_env.VARIANTS)
def test_the_catalogue_works(name: str) -> None:
    found = check_variant(name, games=16)
    assert found.rules == rummy_env.rules(name)
    assert (found.games, found.tables > 50) == (16, True)
    assert 0 <= found.won + found.cut_off <= 1
    assert found.actions > 10


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_named(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, message = FAULTS[fault]
    monkeypatch.setattr("rummy_env.checking.LONGEST_TURN", 50)
    if fault == "by place":  # what is looked at before the first move lies in the same places
        monkeypatch.setattr("rummy_env.checking.EVERY", 10**6)
    if fault == "endless":
        monkeypatch.setattr(rummy_env.Engine, "random_actions", lambda self: 0 * self.as_rows(None))
    with pytest.raises(ValueError, match=message):
        check_variant(make())


def test_the_command_tells_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([OWN, "--games", "8", "--num-players", "3"], "rummy-env check") == 0
    told = capsys.readouterr().out
    assert OWN in told
    assert "8 games of random play" in told
    assert told.endswith("All is well.\n")


DRAWN = count(20)


def drawn(*, num_players: int = 2) -> Rules:
    """Basic rummy that is cut off later each time that it is made."""
    return rummy_env.rules("basic", num_players=num_players, max_turns=next(DRAWN))


def test_a_name_that_does_not_stand_for_rules_is_refused() -> None:
    name = f"{__name__}:drawn"
    for rules in (name, rummy_env.rules(name)):
        with pytest.raises(ValueError, match=f"{name} makes other rules when it is called again"):
            check_variant(rules, games=2)


@pytest.mark.parametrize("games", [0, 1 << 20])
def test_too_few_or_many_games_are_refused(games: int) -> None:
    with pytest.raises(ValueError, match=f"games={games}"):
        check_variant("gin", games=games)
