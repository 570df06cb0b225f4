"""Gin is the game that OpenSpiel plays, but for what is named here.

The tests of differences also hold what OpenSpiel does: one that fails after an update tells that
the difference is gone.
"""

import random
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="pip install 'rummy-env[peers]'")

from tests.fuzz_gin import POLICIES  # noqa: E402
from tests.gin_best_play import (  # noqa: E402
    AGREED,
    compare,
    knock_with,
    knocks_made_up,
    knocks_of_play,
)
from tests.gin_lockstep import Lockstep, word_of  # noqa: E402
from tests.gin_peer import KNOCK, UPCARD, Peer, Word, peer_game  # noqa: E402
from tests.gin_play import GinTable, gin_rules, greedy  # noqa: E402
from tests.reference.cards import parse  # noqa: E402

PLAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("random", {}),
    ("random", {"oklahoma": True}),
    ("random", {"num_suits": 3, "num_ranks": 8, "hand_size": 6, "knock_card": 7}),
    ("random", {"num_suits": 3, "num_ranks": 5, "hand_size": 3}),
    ("greedy", {}),
    ("greedy", {"oklahoma": True, "undercut_bonus": 10}),
    ("greedy", {"num_suits": 3, "hand_size": 8, "oklahoma": True}),
    ("greedy, wild after the knock", {}),
    ("greedy, wild after the knock", {"gin_bonus": 20, "hand_size": 7}),
    ("greedy, wild after the knock", {"num_suits": 2, "hand_size": 7}),
    ("greedy, for gin", {"gin_bonus": 20}),
    ("greedy, for gin", {"knock_card": 0}),
)
"""Who plays, and with what options."""


class Both:
    """A hand here and there, from a deal made up."""

    def __init__(self, hands: str, upcard: str, stock: str = "", **options: Any) -> None:
        """Deals; what of the pack is not mentioned lies at the end of the stock."""
        self.here = GinTable(gin_rules(preset="openspiel", reward="points", **options))
        held = [parse(hand) for hand in hands.split("|")]
        first = [upcard, *parse(stock)]
        rest = [
            c for c in self.here.engine.rules.pack.cards if c not in {*held[0], *held[1], *first}
        ]
        table = {"hands": held, "stock": first[1:] + rest, "discard": first[:1], "to_move": 0}
        self.here.engine.restore(0, {**table, "upcard": upcard})
        self.there = Peer(peer_game(**options).new_initial_state(), table)

    def play(self, moves: str) -> list[float]:
        """Makes moves that are legal here and there; returns the rewards of the last."""
        rewards = []
        for move in moves.split(";"):
            next_card = self.here["stock"][0]
            word = word_of(self.here.engine.describe(self.here.number(move)))
            rewards = self.here.play(move)
            self.there.play(word, next_card)
        return rewards

    def legal(self, kind: str) -> tuple[set[Word], set[Word]]:
        """The legal actions of a kind, here and there."""
        mask = self.here.engine.legal_mask()[0]
        words = {word_of(self.here.engine.describe(int(a))) for a in mask.nonzero()[0]}
        here, there = ({w for w in legal if w[0] == kind} for legal in (words, self.there.legal()))
        return here, there


def words(kind: str, cards: str) -> set[Word]:
    """One action for each of the cards."""
    return {(kind, frozenset([card])) for card in parse(cards)}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), PLAYS)
def test_every_step_is_the_same(name: str, options: dict[str, Any]) -> None:
    lockstep = Lockstep(options, seed=7)
    lockstep.play(POLICIES[name], 60, np.random.default_rng(7))


@pytest.mark.slow
def test_hands_arranged_by_themselves_bring_what_best_play_brings() -> None:
    played = knocks_of_play(greedy(shy=0.7, wild=0.02), 150, seed=3)
    assert set(map(compare, played)) == {AGREED}


@pytest.mark.slow
def test_the_same_where_much_can_be_laid_off() -> None:
    assert set(map(compare, knocks_made_up(300, random.Random(5)))) == {AGREED}


# Where the two differ on purpose


def test_openspiel_ends_a_hand_with_the_fiftieth_card_drawn_from_the_pile() -> None:
    """No rule says so: it keeps OpenSpiel's hands finite. Here `max_turns` does, much later."""
    both = Both("Ac 2d 3h 4s 6c 7d 8h 9s Jc Qd | Ad 2h 3s 4c 6d 7h 8s 9c Jd Qh", "Kc")
    for turn in range(51):
        assert not both.there.state.is_terminal()
        both.play("draw discard")
        if turn < 50:
            card = next(c for c in sorted(both.here.legal("discard")) if c != both.here["taken"])
            both.play(f"discard {card}")
    assert both.there.state.is_terminal()
    assert not both.here.engine.finished[0]
    assert both.here.kinds >= {"discard"}


def test_openspiel_errs_about_the_deadwood_of_eleven_cards_and_forbids_gin() -> None:
    """It melds all eleven, Ah 2h 3h first, and then discards; discarding 3h leaves nothing."""
    hands = "Ac Ad Ah 2c 2d 2h 2s 6c 6d 6s | 3c 4d 5s 7h 8c 9d Ts Jh Qc Kd"
    both = Both(hands, "3h", knock_card=0)
    both.play("draw discard")
    assert both.there.deadwood[0] == 1
    assert both.legal("knock") == (words("knock", "3h"), set())
    both.here.play("knock 3h; meld Ac Ad Ah; meld 2c 2d 2h 2s; meld 6c 6d 6s; pass; pass")
    assert both.here["winners"] == [0]


def test_openspiel_gives_gin_to_a_hand_of_threes_which_then_has_no_discard() -> None:
    """Nine cards in three melds: every discard breaks one, and the knock leads nowhere."""
    hands = "2c 3c 4c Qc Qd Qs 3d 4d | Ac 6c 8c Td 7h 9s Kh Js"
    both = Both(hands, "5d", hand_size=8, knock_card=0)
    both.play("draw discard")
    assert both.there.deadwood[0] == 0
    assert both.legal("knock") == (set(), set())
    assert KNOCK in both.there.state.legal_actions()
    assert both.there.state.child(KNOCK).legal_actions() == []


LONG = "5s 6s 7s 2c 2d 2h Ac Ad Ah Kh | 8s 9s Ts 3h 4d 9d Td Qd Kc Jc"
LAID = "draw discard; knock Kh; meld 5s 6s 7s; meld 2c 2d 2h; meld Ac Ad Ah; pass"
"""A knock with three points on which 8s 9s Ts can be laid off."""


def test_openspiel_lets_nobody_lay_off_a_third_card_at_one_end_of_a_sequence() -> None:
    """A card laid off makes a place for the next, however many there are."""
    both = Both(LONG, "3d")
    both.play(LAID)
    for card in ("8s", "9s"):
        assert both.legal("lay_off") == (words("lay_off", card), words("lay_off", card))
        both.play(f"lay off {card} on sequence")
    assert both.legal("lay_off") == (words("lay_off", "Ts"), set())


def test_that_changes_nothing_in_best_play_since_three_in_a_row_are_a_sequence_at_home() -> None:
    hands = [parse(hand) for hand in LONG.replace("Kh", "3d").split("|")]
    knock = knock_with(hands[0], hands[1], random.Random(1), limit=10)
    assert compare(knock) == AGREED
    assert knock.won == 3 + 4 + 9 + 10 + 10 + 10 + 10 - 3


def test_openspiel_tells_the_least_deadwood_of_a_defender_at_the_wall() -> None:
    """After any other knock it tells all points; what is won is the same."""
    hands = "4c 5c 6c 7c Ad 3d | Ac 2c 3c 6d 7d 8d"
    both = Both(hands, "2d", "8c", num_ranks=8, num_suits=2, hand_size=6)
    both.play("pass; pass; draw stock; discard 3d")
    assert both.here["phase"] == "wall"
    both.play("knock 3d")
    assert both.there.deadwood == [1, 27]
    won = both.play("meld Ac 2c 3c; meld 6d 7d 8d; pass; meld 4c 5c 6c 7c 8c; pass")
    assert won == both.there.points() == [0, 1 + 25]


def test_in_openspiel_a_card_laid_off_serves_a_group_and_a_sequence() -> None:
    """Here the player says where it goes; saying sequence keeps all that OpenSpiel offers."""
    hands = "8c 8d 8h 5s 6s 7s Ac Ad Ah Kh | 8s 9s 3h 4d 9d Td Qd Kc Jc 6h"
    laid = "draw discard; knock Kh; meld 8c 8d 8h; meld 5s 6s 7s; meld Ac Ad Ah; pass"
    both = Both(hands, "2d")
    both.play(laid)
    both.play("lay off 8s on sequence")
    assert both.legal("lay_off") == (words("lay_off", "9s"), words("lay_off", "9s"))
    both = Both(hands, "2d")
    both.play(laid)
    both.play("lay off 8s on group")
    assert both.legal("lay_off") == (set(), words("lay_off", "9s"))


def test_openspiel_cannot_name_a_group_without_spades_in_a_small_pack_of_four_suits() -> None:
    """So small packs are compared with two or three suits."""
    state = peer_game(num_ranks=6, hand_size=5).new_initial_state()
    names = {state.action_to_string(-1, a)[-2:]: a for a in state.legal_actions()}
    for card in parse("5c 5d 5h As 2s 3d 4h 6c Ah 2c 6s"):
        state.apply_action(names[card])
    state.apply_action(UPCARD)
    state.apply_action(KNOCK)
    state.apply_action(names["6s"])
    unnamed = 0
    for action in state.legal_actions():
        try:
            state.action_to_string(0, action)
        except pyspiel.SpielError:
            unnamed += 1
    assert unnamed == 1
    here = gin_rules(num_ranks=6, hand_size=5, preset="openspiel")
    assert here.pack.num_cards == 24
