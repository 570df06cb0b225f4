"""A game in which a finished hand is declared, `going_out` or `rummy_cards`: slow and plain.

Source: rules.md sections 1 to 3, 5 and 7.
"""

from collections.abc import Mapping, Sequence
from typing import Self

from tests.reference import declared_ending as ending
from tests.reference.cards import Cards
from tests.reference.declared_ending import HandResult
from tests.reference.declared_options import END, DeclaredOptions
from tests.reference.divider import can_go_out
from tests.reference.shuffling import Shuffle, shuffled, unshuffled
from tests.reference.special_cards import RUMMY, SEVENS, UNDISCARDABLE, check_cards

Action = tuple[str, Cards]


class DeclaredGame:
    """One episode: a hand, or a match of several.

    Attributes:
        playing: Seats that play this hand; in a tie-break game those that are tied.
        first_player: Seat that plays this hand first; `dealer` sits to the right of it, among
            those that play.

    Args:
        options: Every option with the value it has; see `DeclaredOptions`.
        first_player: Seat that plays the first hand first.
        shuffle: Called with cards and "deal" (the pack in the order of `DeclaredOptions.pack`)
            or "restock" (discards, oldest first, at least two); returns them in their new order.
    """

    def __init__(
        self, options: Mapping[str, object], *, first_player: int, shuffle: Shuffle
    ) -> None:
        self.options = DeclaredOptions.from_mapping(options)
        if not 0 <= first_player < self.options.num_players:
            raise ValueError(f"first_player={first_player} is no seat")
        self.scores = [0] * self.options.num_players
        self.playing = list(range(self.options.num_players))
        self.first_player = first_player
        self.hand_number = 0
        self.winners: list[int] = []
        self.terminated = False
        self.truncated = False
        self._shuffle = shuffle
        self._legal: set[Action] | None = None
        self._deal()

    @classmethod
    def from_position(
        cls,
        options: Mapping[str, object],
        *,
        hands: Sequence[Sequence[str]],
        stock: Sequence[str] = (),
        discard: Sequence[str] = (),
        to_move: int = 0,
        phase: str = "draw",
        taken: str | None = None,
        scores: Sequence[int] | None = None,
        playing: Sequence[int] | None = None,
        first_player: int = 0,
        hand_number: int = 0,
        turn_number: int = 0,
        shuffle: Shuffle = unshuffled,
    ) -> Self:
        """A game that stands as given; the pack need not be complete, nothing is restocked.

        Args:
            options: As for the class; so is shuffle.
            hands: The cards of each seat.
            stock: Next card first.
            discard: Top card last.
            to_move: Seat whose turn it is.
            phase: "draw", "extra_draw" or "play".
            taken: Card taken from the discard pile this turn.
            scores: Game points so far, by seat; all 0 when left out.
            playing: Seats that play this hand; all when left out.
            first_player: Seat that played this hand first.
            hand_number: Hands completed.
            turn_number: Turns completed in this hand.
            shuffle: As for the class.
        """
        game = cls(options, first_player=first_player, shuffle=unshuffled)
        if len(hands) != game.options.num_players or phase not in ("draw", "extra_draw", "play"):
            raise ValueError(f"{len(hands)} hands in phase {phase!r} are no position")
        check_cards([card for place in (*hands, stock, discard) for card in place])
        game._shuffle = shuffle
        game.hands = [list(hand) for hand in hands]
        game.stock, game.discard = list(stock), list(discard)
        game.to_move, game.phase, game.taken = to_move, phase, taken
        game.scores = list(scores) if scores is not None else game.scores
        game.playing = sorted(playing) if playing is not None else game.playing
        game.dealer = ending.right_of(first_player, game.playing, len(hands))
        game.hand_number, game.turn_number = hand_number, turn_number
        game._legal = None
        return game

    @property
    def finished(self) -> bool:
        """Whether the episode is over."""
        return self.terminated or self.truncated

    def legal_actions(self) -> set[Action]:
        """All (kind, cards) that the seat to move may choose; empty once the episode is over.

        Source: rules.md sections 3, 5 and 5.2.
        """
        if self._legal is None:
            self._legal = set() if self.finished else self._possible_actions()
        return set(self._legal)

    def apply(self, kind: str, cards: Sequence[str]) -> list[float]:
        """Carry out one action of the seat to move.

        Returns:
            The rewards of this step by seat, zeros unless a hand ended with it.

        Raises:
            ValueError: If the action is not legal.
        """
        action = (kind, tuple(cards))
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal for seat {self.to_move} in {self.snapshot()}")
        self._legal = None
        if kind in ("go_out", "lay_down_rummy", "four_sevens"):
            return self._win(kind)
        if kind == "discard":
            return self._discard(*cards)
        self._draw(kind, *cards)
        return [0.0] * self.options.num_players

    def snapshot(self) -> dict[str, object]:
        """The table as it lies, hidden cards included, with the keys of the contract.

        Source: design.md, "Contract".
        """
        return {
            "hands": [sorted(hand) for hand in self.hands],
            "stock": list(self.stock),
            "discard": list(self.discard),
            "melds": [],
            "to_move": self.to_move,
            "phase": self.phase,
            "taken": self.taken,
            "scores": list(self.scores),
            "dealer": self.dealer,
            "hand_number": self.hand_number,
            "turn_number": self.turn_number,
            "winners": list(self.winners),
            "finished": self.finished,
        }

    def _deal(self) -> None:
        """Deal one card at a time, clockwise, the first player first; there is no first discard.

        Source: rules.md sections 2 and 5; who sits out a tie-break game gets no cards.
        """
        order = shuffled(self._shuffle, list(self.options.pack()), "deal")
        self.dealer = ending.right_of(self.first_player, self.playing, self.options.num_players)
        self.hands: list[list[str]] = [[] for _ in range(self.options.num_players)]
        seat = self.first_player
        for _ in range(len(self.playing) * self.options.hand_size):
            self.hands[seat].append(order.pop(0))
            seat = self._left_of(seat)
        self.discard: list[str] = []
        self.stock = order
        self.turn_number = 0
        self._begin_turn(self.first_player)

    def _left_of(self, seat: int) -> int:
        return ending.left_of(seat, self.playing, self.options.num_players)

    def _begin_turn(self, seat: int) -> None:
        """Pass the turn; an empty stock is renewed from the discards but the top one.

        A single discard stays: the next player must take it.

        Source: rules.md section 5.1, "The stock is empty".
        """
        self.to_move = seat
        self.phase = "draw"
        self.taken: str | None = None
        self._legal = None
        if not self.stock and len(self.discard) >= 2:
            self.stock = shuffled(self._shuffle, self.discard[:-1], "restock")
            self.discard = self.discard[-1:]

    def _possible_actions(self) -> set[Action]:
        hand = self.hands[self.to_move]
        actions = self._draws() if self.phase == "draw" else self._actions_after_drawing()
        if hand.count(RUMMY) == 2:  # at or during the turn, before or after the draw
            actions.add(("lay_down_rummy", ()))
        if self.options.four_sevens and set(hand) >= set(SEVENS):
            actions.add(("four_sevens", ()))
        return actions

    def _draws(self) -> set[Action]:
        """Draws that begin a turn; in the spread-out pile each card, the topmost of equal ones."""
        draws: set[Action] = set()
        if self.stock:
            draws.add(("draw_stock", ()))
        if self.options.spread_out_discards:
            draws |= {("take_pile", (card,)) for card in self.discard}
        elif self.discard:
            draws.add(("draw_discard", ()))
        return draws

    def _actions_after_drawing(self) -> set[Action]:
        """Going out and discarding; NO MELD and CAN'T GO OUT may not be discarded.

        In a hand of three cards or more, two at most are those, so there is always a discard.

        Source: rules.md section 5.
        """
        hand = self.hands[self.to_move]
        discardable = [card for card in hand if card not in UNDISCARDABLE]
        actions: set[Action] = {("discard", (card,)) for card in discardable}
        if self.phase == "extra_draw":
            actions.add(("extra_draw", ()))
        leftover, sequences_rummy = self.options.leftover, self.options.sequences_rummy
        if can_go_out(hand, leftover=leftover, sequences_rummy=sequences_rummy):
            actions.add(("go_out", ()))
        return actions

    def _draw(self, kind: str, *cards: str) -> None:
        if kind == "draw_stock":
            self._take([self.stock.pop(0)])
        elif kind == "extra_draw":
            self._take([self.discard.pop(), self.stock.pop(0)])
        else:
            self._take_from_pile(*cards or self.discard[-1:])

    def _take(self, cards: list[str]) -> None:
        self.hands[self.to_move] += cards
        self.phase = "play"

    def _take_from_pile(self, card: str) -> None:
        """Take a card and all above it; after the top one an extra draw may be possible.

        Source: rules.md section 5.2, `spread_out_discards` and `three_card_draw`.
        """
        place = max(i for i, other in enumerate(self.discard) if other == card)
        taken, self.discard = self.discard[place:], self.discard[:place]
        self.taken = card
        self._take(taken)
        top_of_two_or_more = len(taken) == 1 and bool(self.discard)
        if self.options.three_card_draw and top_of_two_or_more and self.stock:
            self.phase = "extra_draw"

    def _win(self, kind: str) -> list[float]:
        """End the hand as the player to move wants it.

        Source: rules.md section 5.2: who lays down both RUMMY cards wins alone, who goes out or
        lays down four 7s wins together with all who hold a RUMMY card.
        """
        winners = {self.to_move}
        if kind != "lay_down_rummy":
            winners |= ending.holders_of_rummy(self.hands)
        return self._end_hand(HandResult(sorted(winners), stalemate=False))

    def _discard(self, card: str) -> list[float]:
        """Discard and pass the turn, unless the stock's last card was drawn in a game it ends.

        Source: rules.md sections 3 and 5.2; running out of stock comes before `max_turns`.
        """
        self.hands[self.to_move].remove(card)
        self.discard.append(card)
        self.turn_number += 1
        if not self.stock and self.options.stock_exhausted == END:
            holders = sorted(ending.holders_of_rummy(self.hands))
            return self._end_hand(HandResult(holders, stalemate=False))
        if self.turn_number >= self.options.max_turns:
            return self._end_hand(HandResult([], stalemate=True))
        self._begin_turn(self._left_of(self.to_move))
        return [0.0] * self.options.num_players

    def _end_hand(self, result: HandResult) -> list[float]:
        """Give the winners a game point, then end the episode or deal the next hand."""
        for seat in result.winners:
            self.scores[seat] += 1
        played = self.playing
        self.terminated, self.truncated, self.winners, self.playing = ending.outcome(
            self.options, self.scores, result, playing=played, hands_played=self.hand_number + 1
        )
        if self.finished:
            self.phase = "finished"
            self.taken = None
        else:
            self.first_player = ending.next_first_player(
                self.options, self.first_player, result, self.playing
            )
            self.hand_number += 1
            self._deal()
        return ending.rewards_of(self.options, result.winners, self.winners, played)
