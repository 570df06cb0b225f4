"""Parts that contradict each other, or the pack, are refused when the rules are made."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.core.cards import Pack
from rummy_env.core.part import Move
from rummy_env.core.rules import END_HAND, END_TURN, Phase
from rummy_env.melds.declaration import Declaration
from rummy_env.parts.discarding import Discard
from rummy_env.parts.gin_points import GinPoints
from rummy_env.parts.knocking import KnockLimit
from rummy_env.parts.melding import Meld
from rummy_env.parts.restocking import TurnOver


def other_scoring() -> Rules:
    """Gin whose hands are scored by another limit than they are knocked by."""
    rules = rummy_env.rules("gin")
    assert isinstance(rules.scoring, GinPoints)
    return replace(rules, scoring=replace(rules.scoring, limit=KnockLimit(3)))


def other_melding() -> Rules:
    """Basic rummy in which groups are laid down by one rule and sequences by another."""
    rules = rummy_env.rules("basic")

    def changed(move: Move) -> Move:
        if not isinstance(move, Meld) or move.kind != "meld_group":
            return move
        return replace(move, melding=replace(move.melding, melds_per_turn=1))

    def with_it(phase: Phase) -> Phase:
        return replace(phase, moves=tuple((changed(move), then) for move, then in phase.moves))

    return replace(rules, turn=tuple(map(with_it, rules.turn)))


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: replace(rummy_env.rules("basic"), restocking=TurnOver()), "Restock"),
        (other_scoring, "KnockLimit"),
        (other_melding, "Melding"),
    ],
)
def test_parts_that_refer_to_different_rules_are_refused(
    make: Callable[[], Rules], kind: str
) -> None:
    with pytest.raises(ValueError, match=f"beside .*: give every part .* a {kind} the same"):
        make()


def phases(*last: Phase) -> Rules:
    """Basic rummy for three whose discards go on to other phases."""
    rules = rummy_env.rules("basic", num_players=3)
    draw, play = rules.turn
    moves = {m: ("answer" if m.kind == "discard" else then) for m, then in play.moves}
    return replace(rules, turn=(draw, replace(play, moves=tuple(moves.items())), *last))


def test_whoever_answers_does_not_end_the_turn() -> None:
    """The next turn would go to the seat after the one that answers."""
    draw = rummy_env.rules("basic", num_players=3).turn[0]
    taken = tuple((move, END_TURN) for move, _ in draw.moves)
    with pytest.raises(
        ValueError, match=r"'answer' is the next seat's .* the turn ends in 'answer'"
    ):
        phases(Phase("answer", taken, answers=True))
    later = tuple((move, "later") for move, _ in draw.moves)
    with pytest.raises(
        ValueError, match=r"'answer' is the next seat's .* the turn ends in 'later'"
    ):
        phases(Phase("answer", later, answers=True), Phase("later", taken))
    ending = tuple((move, END_HAND) for move, _ in draw.moves)
    games = Engine(phases(Phase("answer", ending, answers=True)), 8, seed=1)
    games.reset()
    while not games.finished.all():
        games.step(games.random_actions())
    assert np.array_equal(games.last_mover, (games.state.dealer + 2) % 3)


def test_hands_are_declared_with_a_whole_pack() -> None:
    with pytest.raises(ValueError, match=r"num_suits=2.*: hands are declared with all 13 ranks"):
        Declaration(Pack(num_suits=2))
    with pytest.raises(ValueError, match="num_ranks=7"):
        Declaration(Pack(num_ranks=7))


def test_only_special_cards_are_barred_and_only_they_are_special() -> None:
    with pytest.raises(ValueError, match=r"barred=\['7h'\]: only special cards"):
        Discard(Pack(), barred=("7h",), return_taken=True)
    with pytest.raises(ValueError, match=r"specials=\['7h'\]: regular cards"):
        Pack(specials=("WILD", "7h"))
