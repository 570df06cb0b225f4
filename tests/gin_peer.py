"""OpenSpiel's gin, spoken to in the words that are used here."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyspiel

from rummy_env.core.cards import SUITS
from tests.reference.deadwood import Hand

Word = tuple[str, Hand]
"""What is done and the cards that it is done with; a lay-off does not say on which meld."""

UPCARD, STOCK, PASS, KNOCK = range(52, 56)
"""OpenSpiel's actions that are no cards and no melds."""

MOST_UPCARDS = 50
"""Cards drawn from the pile, the first upcard not counted, with which OpenSpiel ends a hand."""

_PLAIN: dict[int, Word] = {
    PASS: ("pass", frozenset()),
    UPCARD: ("draw_discard", frozenset()),
    STOCK: ("draw_stock", frozenset()),
}


def peer_game(**options: Any) -> Any:
    """OpenSpiel's game; the options are called the same as here."""
    return pyspiel.load_game("gin_rummy", options)


class Peer:
    """One hand in OpenSpiel.

    Attributes:
        state: Its state.
        first: The seat here that is player 0 there.
    """

    def __init__(self, initial: Any, table: Mapping[str, Any]) -> None:
        """Deals the cards of a table on which nothing has been played.

        Smaller packs have other suits there, which are renamed.

        Args:
            initial: The initial state of a game.
            table: The snapshot: `hands`, `discard` and `to_move`.
        """
        self.state = initial.clone()
        self.first = int(table["to_move"])
        names = [self.state.action_to_string(-1, a)[-2:] for a in self.state.legal_actions()]
        suits = dict(zip(sorted({name[1] for name in names}), SUITS, strict=False))
        self._text = {name: name[0] + suits[name[1]] for name in names}
        self._cards = [self._text[name] for name in names]
        self._upcards_drawn = 0
        hands = [table["hands"][self._seat(player)] for player in range(2)]
        for card in (*hands[0], *hands[1], *table["discard"]):
            self._apply(self._cards.index(card))

    def _seat(self, player: int) -> int:
        """The seat of a player, and the player of a seat."""
        return (self.first + player) % 2

    def _apply(self, action: int) -> None:
        self.state.apply_action(action)

    @property
    def phase(self) -> str:
        """OpenSpiel's name of the phase."""
        return str(self.state.current_phase().name)

    @property
    def to_move(self) -> int:
        """The seat to move."""
        return self._seat(self.state.current_player())

    @property
    def hands(self) -> list[Hand]:
        """The hands of both seats."""
        held = self.state.hands()
        return [self.texts(held[self._seat(seat)]) for seat in range(2)]

    @property
    def deadwood(self) -> list[int]:
        """What OpenSpiel says of both hands: the least before a knock, all points after it."""
        told = self.state.deadwood()
        return [int(told[self._seat(seat)]) for seat in range(2)]

    @property
    def pile(self) -> list[str]:
        """The discard pile, top last; OpenSpiel keeps the card that can be taken apart."""
        upcard = self.state.upcard()
        under = [self._cards[card] for card in self.state.discard_pile()]
        return under if upcard is None else [*under, self._cards[upcard]]

    @property
    def laid_off(self) -> Hand:
        """The cards laid off so far."""
        return self.texts(self.state.layoffs())

    def texts(self, cards: Sequence[int]) -> Hand:
        """Cards of OpenSpiel as text."""
        return frozenset(self._cards[card] for card in cards)

    def legal(self) -> dict[Word, list[int]]:
        """What can be done, and the actions that do it."""
        words: dict[Word, list[int]] = {}
        with_card = "discard" if self.phase == "DISCARD" else "lay_off"
        for action in self.state.legal_actions():
            if action == KNOCK:
                cards = self.state.child(KNOCK).legal_actions()
                words |= {("knock", self.texts([card])): [KNOCK, card] for card in cards}
            elif action < len(self._cards):
                words[with_card, self.texts([action])] = [action]
            else:
                words[_PLAIN.get(action) or ("meld", self._meld(action))] = [action]
        return words

    def _meld(self, action: int) -> Hand:
        name = self.state.action_to_string(self.state.current_player(), action).split()[-1]
        return frozenset(self._text[name[i : i + 2]] for i in range(0, len(name), 2))

    def play(self, word: Word, next_card: str) -> None:
        """Does what is legal, and draws the top card of the stock if need be."""
        self._upcards_drawn += self.phase == "DRAW" and word[0] == "draw_discard"
        for action in self.legal()[word]:
            self._apply(action)
        if self.state.is_chance_node():
            self._apply(self._cards.index(next_card))

    @property
    def stopped(self) -> bool:
        """Whether the hand has ended since the pile has been drawn from so often."""
        return self._upcards_drawn == MOST_UPCARDS and bool(self.state.is_terminal())

    def points(self) -> list[float]:
        """What the seats have won."""
        won = self.state.returns()
        return [max(won[self._seat(seat)], 0.0) for seat in range(2)]
