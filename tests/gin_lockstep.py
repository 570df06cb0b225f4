"""Gin here and in OpenSpiel, side by side: same deals, same actions, everything compared.

What OpenSpiel does otherwise is excused where it is exactly that, and counted by its name; what is
then right is checked by brute force.
"""

from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np

from rummy_env import Action, Engine
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.bits import positions
from rummy_env.core.cards import RANKS, Pack
from rummy_env.melds.deadwood import deadwood, points
from rummy_env.melds.discards import Discards
from rummy_env.parts.knocking import WALL
from tests.gin_peer import Peer, Word, peer_game
from tests.gin_play import Policy, gin_rules
from tests.reference import deadwood as reference
from tests.reference.deadwood import Hand

PHASES = {
    "FIRST_UPCARD": {"first_upcard", "draw"},
    "DRAW": {"draw"},
    "DISCARD": {"play"},
    "KNOCK": {"lay_down"},
    "LAYOFF": {"lay_off", "defend"},
    "WALL": {"wall"},
}
"""What OpenSpiel's phases are here."""

FIFTIETH = "the fiftieth upcard"
"""OpenSpiel ends a hand, for which there is no reason in the rules."""
ELEVEN, NO_KNOCK = "deadwood of eleven cards", "no knock"
"""OpenSpiel finds more than the least deadwood, and then it may forbid a knock."""
ALL_MELDED = "all in threes"
"""OpenSpiel takes a hand for gin of which every discard breaks a meld, and then has no action."""
AT_WALL = "deadwood at the wall"
"""OpenSpiel tells a defender's least deadwood where it tells all points after other knocks."""
CHAIN = "a chain of three"
"""OpenSpiel lets nobody lay off a third card at the same end of a sequence."""

GAMES = 24
"""Hands that are played at the same time."""

_PACK = Pack()


class Lockstep:
    """Hands under the same options, here and there.

    Attributes:
        engine: The hands here.
        met: How often OpenSpiel differed, by what in.
    """

    def __init__(self, options: dict[str, Any], seed: int) -> None:
        rules = gin_rules(preset="openspiel", reward="points", **options)
        self.engine = Engine(rules, GAMES, seed=seed)
        self.engine.reset()
        self.met: Counter[str] = Counter()
        self._initial = peer_game(**options).new_initial_state()
        self._words = [word_of(action) for action in self.engine.space.actions]
        self._peers = [self._peer(row) for row in range(GAMES)]

    def _peer(self, row: int) -> Peer:
        return Peer(self._initial, self.engine.snapshot(row))

    def play(self, policy: Policy, hands: int, rng: np.random.Generator) -> int:
        """Plays and compares until so many hands have ended.

        Returns:
            How many actions have been played.
        """
        ended = steps = 0
        while ended < hands:
            allowed = self._allowed()
            actions = policy(self.engine, allowed, rng)
            over = self._step(actions)
            ended, steps = ended + len(over), steps + GAMES
            self.engine.reset(over)
            for row in over:
                self._peers[row] = self._peer(row)
        return steps

    def _allowed(self) -> Bools:
        """bool[B, A], what is legal here and there, after both have been compared."""
        mask = self.engine.legal_mask()
        least, eleven = self._deadwood()
        for row in range(GAMES):
            self._compare(row, least[row], int(eleven[row]))
            theirs = self._peers[row].legal()
            here = {self._words[a]: a for a in mask[row].nonzero()[0].tolist()}
            if here.keys() != theirs.keys():
                self._excuse(row, set(here), set(theirs))
            mask[row] = False
            mask[row, [here[word] for word in theirs]] = True
        return mask

    def _deadwood(self) -> tuple[Any, Any]:
        """int16[B, P], the least deadwood of all hands, and int16[B], that after a discard."""
        state = self.engine.state
        hands = state.hands[:, :, 0]
        moving = hands[np.arange(GAMES), state.to_move]
        least = deadwood(hands.reshape(-1)).reshape(GAMES, 2)
        told = np.where((state.claim > 0)[:, None], points(hands), least)
        return told, Discards(moving).each.min(axis=1)

    def _where(self, row: int) -> str:
        return (
            f"{self.engine.rules!r}, game seed {self.engine.seeds[row]}\n{self._peers[row].state}"
        )

    def _compare(self, row: int, least: Any, eleven: int) -> None:
        """Demands that both tables are the same."""
        peer, state = self._peers[row], self.engine.state
        phase = self.engine.rules.turn[state.phase[row]].name
        hands = [_hand(int(hand)) for hand in state.hands[row, :, 0]]
        assert phase in PHASES[peer.phase], self._where(row)
        assert peer.to_move == state.to_move[row], self._where(row)
        assert peer.hands == hands, self._where(row)
        assert peer.state.stock_size() == state.stock_left(np.array([row]))[0], self._where(row)
        pile = state.pile[row, : state.pile_size[row]].tolist()
        assert peer.pile == list(map(_PACK.text, pile)), self._where(row)
        expected = least.tolist()
        if phase == "play":
            expected[peer.to_move] = eleven
        if peer.deadwood != expected:
            excuse = self._excuse_eleven if phase == "play" else self._excuse_wall
            excuse(row, expected)

    def _excuse_eleven(self, row: int, expected: list[int]) -> None:
        """OpenSpiel discards the dearest card from the division that is best before the discard.

        Where all are in melds it discards none, although each may break its meld.
        """
        peer = self._peers[row]
        mover, hand = peer.to_move, peer.hands[peer.to_move]
        told, least = peer.deadwood[mover], min(reference.deadwood(hand - {c}) for c in hand)
        all_melded = told == 0 == reference.deadwood(hand)
        assert peer.deadwood[1 - mover] == expected[1 - mover], self._where(row)
        assert expected[mover] == least, self._where(row)
        assert told > least or all_melded, self._where(row)
        self.met[ALL_MELDED if all_melded else ELEVEN] += 1

    def _excuse_wall(self, row: int, expected: list[int]) -> None:
        """After a knock at the wall OpenSpiel goes on telling the defender's least deadwood."""
        peer, knocker = self._peers[row], int(self.engine.state.claimant[row])
        assert self.engine.state.claim[row], self._where(row)
        assert peer.state.stock_size() == WALL, self._where(row)
        assert peer.deadwood[knocker] == expected[knocker], self._where(row)
        defender = 1 - knocker
        assert peer.deadwood[defender] == reference.deadwood(peer.hands[defender]), self._where(row)
        self.met[AT_WALL] += 1

    def _excuse(self, row: int, here: set[Word], there: set[Word]) -> None:
        """Accepts what is legal here alone only where it is a known difference."""
        peer, missing = self._peers[row], here - there
        assert not there - here, self._where(row)
        kinds = {kind for kind, _ in missing}
        if kinds == {"knock"}:
            hand, limit = peer.hands[peer.to_move], peer.state.knock_card()
            if peer.phase == "WALL":
                hand |= peer.texts([peer.state.upcard()])
            by_force = {("knock", frozenset({c})) for c in reference.knockable(hand, limit)}
            assert missing == by_force, self._where(row)
        else:
            cards = frozenset().union(*(cards for _, cards in missing))
            assert kinds == {"lay_off"}, self._where(row)
            assert all(ends_chain(card, peer.laid_off) for card in cards), self._where(row)
        self.met[NO_KNOCK if kinds == {"knock"} else CHAIN] += 1

    def _step(self, actions: Rows) -> list[int]:
        """Plays, here and there; returns the hands that have ended."""
        state, over = self.engine.state, []
        at = np.minimum(state.stock_at, state.stock.shape[1] - 1)
        next_cards = state.stock[np.arange(GAMES), at].tolist()
        self.engine.step(actions)
        for row, action in enumerate(actions.tolist()):
            peer = self._peers[row]
            peer.play(self._words[action], _PACK.text(next_cards[row]))
            if peer.stopped and not self.engine.finished[row]:
                self.met[FIFTIETH] += 1
            else:
                self._compare_end(row)
            if peer.state.is_terminal():
                over.append(row)
        return over

    def _compare_end(self, row: int) -> None:
        peer = self._peers[row]
        assert peer.state.is_terminal() == self.engine.terminated[row], self._where(row)
        assert not self.engine.truncated[row], self._where(row)
        assert peer.points() == self.engine.rewards[row].tolist(), self._where(row)


def ends_chain(card: str, laid_off: Hand) -> bool:
    """Whether a card continues two that were laid off one after the other."""
    rank = RANKS.index(card[0])
    below, above = RANKS[max(rank - 2, 0) : rank], RANKS[rank + 1 : rank + 3]
    return any(
        len(side) == 2 and {r + card[1] for r in side} <= laid_off for side in (below, above)
    )


def word_of(action: Action) -> Word:
    """An action in the words of both; of the lay-offs of a card, that on a sequence comes last."""
    for kind in ("meld", "lay_off"):
        if action.kind.startswith(kind):
            return kind, frozenset(action.cards)
    return action.kind, frozenset(action.cards)


@lru_cache(maxsize=4096)
def _hand(cards: int) -> Hand:
    return frozenset(map(_PACK.text, positions(cards)))
