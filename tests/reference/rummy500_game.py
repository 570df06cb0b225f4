"""A game of `rummy500`: slow, plain and easy to check.

Source: rules.md sections 1 to 4, 7 and 9.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Self

from tests.reference import rummy500_scoring as scoring
from tests.reference import rummy500_turn as turn
from tests.reference.cards import PACK, Cards, check_distinct
from tests.reference.rummy500_options import Rummy500Options
from tests.reference.rummy500_turn import Standing
from tests.reference.shuffling import Shuffle, dealt, shuffled, unshuffled
from tests.reference.turn import Action, Position


class Rummy500Game:
    """One episode: a hand, or a match of several.

    Attributes:
        laid: Points that each seat has laid in this hand.
        must_use: The card that has still to be melded or laid off in this turn, or None.

    Args:
        options: Every option with the value it has; see `Rummy500Options`.
        first_dealer: Seat that deals the first hand.
        shuffle: Called with the pack in the order of `cards.PACK` and "deal"; returns it in its
            new order. Nothing is shuffled later.
    """

    def __init__(
        self, options: Mapping[str, object], *, first_dealer: int, shuffle: Shuffle
    ) -> None:
        self.options = Rummy500Options.from_mapping(options)
        if not 0 <= first_dealer < self.options.num_players:
            raise ValueError(f"first_dealer={first_dealer} is no seat")
        self.scores = [0] * self.options.num_players
        self.dealer = first_dealer
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
        hands: Sequence[Collection[str]],
        stock: Sequence[str] = (),
        discard: Sequence[str] = (),
        melds: Sequence[Cards] = (),
        to_move: int = 0,
        phase: str = "draw",
        taken: str | None = None,
        must_use: str | None = None,
        laid: Sequence[int] | None = None,
        scores: Sequence[int] | None = None,
        dealer: int = 0,
        hand_number: int = 0,
        turn_number: int = 0,
        shuffle: Shuffle = unshuffled,
    ) -> Self:
        """A game that stands as given; the pack need not be complete.

        Args:
            options: As for the class; so is shuffle.
            hands: The cards of each seat.
            stock: Next card first.
            discard: Top card last.
            melds: Melds on the table, each in canonical order.
            to_move: Seat whose turn it is.
            phase: "draw" or "play".
            taken: Deepest card taken from the discard pile this turn.
            must_use: That card, if it has still to be used this turn.
            laid: Points that each seat has laid in this hand; all 0 when left out.
            scores: Points so far, by seat; all 0 when left out.
            dealer: Seat that dealt this hand.
            hand_number: Hands completed.
            turn_number: Turns completed in this hand.
            shuffle: As for the class.
        """
        game = cls(options, first_dealer=dealer, shuffle=unshuffled)
        if len(hands) != game.options.num_players or phase not in ("draw", "play"):
            raise ValueError(f"{len(hands)} hands in phase {phase!r} are no position")
        if must_use is not None and (must_use != taken or must_use not in hands[to_move]):
            raise ValueError(f"must_use={must_use} is not the card taken and still in hand")
        places: list[Collection[str]] = [*hands, stock, discard, *melds]
        check_distinct(card for place in places for card in place)
        game._shuffle = shuffle
        game.hands = [frozenset(hand) for hand in hands]
        game.stock, game.discard = list(stock), list(discard)
        game.melds = tuple(tuple(meld) for meld in melds)
        game.to_move, game.phase, game.taken, game.must_use = to_move, phase, taken, must_use
        game.laid = list(laid) if laid is not None else game.laid
        game.scores = list(scores) if scores is not None else game.scores
        game.hand_number, game.turn_number = hand_number, turn_number
        return game

    @property
    def finished(self) -> bool:
        """Whether the episode is over."""
        return self.terminated or self.truncated

    def legal_actions(self) -> set[Action]:
        """All (kind, cards) that the seat to move may choose; empty once the episode is over."""
        if self._legal is None:
            if self.finished:
                self._legal = set()
            elif self.phase == "draw":
                self._legal = self._legal_draws()
            else:
                self._legal = turn.legal_actions(self._standing(), self.options)
        return set(self._legal)

    def apply(self, kind: str, cards: Sequence[str]) -> list[float]:
        """Carry out one action of the seat to move.

        Returns:
            The rewards of this step by seat, zeros unless a hand ended with it.

        Raises:
            ValueError: If the action is not legal.

        Source: rules.md sections 3 and 9.
        """
        action = (kind, tuple(cards))
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal for seat {self.to_move} in {self.snapshot()}")
        self._legal = None
        if kind == "draw_stock":
            return self._draw_stock()
        if kind == "take_pile":
            return self._take_pile(*cards)
        if kind == "discard":
            return self._discard(*cards)
        return self._play(action)

    def snapshot(self) -> dict[str, object]:
        """The table as it lies, hidden cards included, with the keys of the contract and two more.

        Source: design.md, "Contract"; rules.md section 9 ("laid", "must_use").
        """
        return {
            "hands": [sorted(hand) for hand in self.hands],
            "stock": list(self.stock),
            "discard": list(self.discard),
            "melds": [list(meld) for meld in self.melds],
            "to_move": self.to_move,
            "phase": self.phase,
            "taken": self.taken,
            "must_use": self.must_use,
            "laid": list(self.laid),
            "scores": list(self.scores),
            "dealer": self.dealer,
            "hand_number": self.hand_number,
            "turn_number": self.turn_number,
            "winners": list(self.winners),
            "finished": self.finished,
        }

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % self.options.num_players

    def _deal(self) -> None:
        """Deal one card at a time, clockwise from the dealer's left, and turn one up.

        Source: rules.md section 2, and section 9 as in section 4.
        """
        first = self._left_of(self.dealer)
        self.hands, rest = dealt(
            shuffled(self._shuffle, list(PACK), "deal"),
            num_players=self.options.num_players,
            hand_size=self.options.hand_size,
            first=first,
        )
        self.discard, self.stock = rest[:1], rest[1:]
        self.melds: tuple[Cards, ...] = ()
        self.laid = [0] * self.options.num_players
        self.turn_number = 0
        self._begin_turn(first)

    def _begin_turn(self, seat: int) -> None:
        self.to_move = seat
        self.phase = "draw"
        self.taken: str | None = None
        self.must_use: str | None = None
        self._legal = None

    def _legal_draws(self) -> set[Action]:
        """The top of the stock, and each card of the pile that can be used, if it must be.

        Source: rules.md section 9; nobody draws from an empty stock.
        """
        draws: set[Action] = {("draw_stock", ())} if self.stock else set()
        hand = self.hands[self.to_move]
        return draws | turn.takes(hand, self.melds, self.discard, self.options)

    def _standing(self) -> Standing:
        hand = self.hands[self.to_move]
        return Standing(Position(hand, self.melds, self.taken, melds_made=0), self.must_use)

    def _stand(self, standing: Standing) -> None:
        """Let the table be as a turn stands."""
        self.hands[self.to_move] = standing.position.hand
        self.melds = standing.position.melds
        self.taken, self.must_use = standing.position.taken, standing.must_use
        self.phase = "play"

    def _nothing(self) -> list[float]:
        return [0.0] * self.options.num_players

    def _draw_stock(self) -> list[float]:
        hand = self.hands[self.to_move]
        self._stand(turn.after_drawing(hand, self.melds, self.stock.pop(0)))
        return self._nothing()

    def _take_pile(self, card: str) -> list[float]:
        """Take a card of the pile and all above it.

        Source: rules.md section 9.
        """
        hand = self.hands[self.to_move]
        self._stand(turn.after_taking(hand, self.melds, self.discard, card, self.options))
        self.discard = self.discard[: self.discard.index(card)]
        return self._nothing()

    def _play(self, play: Action) -> list[float]:
        """Meld or lay off; the points are those of the player, whoever's meld it is.

        Source: rules.md section 9.
        """
        _, cards = play
        self._stand(turn.after(self._standing(), play, self.options))
        self.laid[self.to_move] += scoring.points_of_play(cards, self.melds)
        if self.hands[self.to_move]:
            return self._nothing()
        return self._end_hand(scoring.hand_scores(self.laid, self.hands))

    def _discard(self, card: str) -> list[float]:
        """Discard, then end the hand or pass the turn.

        The hand ends when the hand is empty, and when the stock is, for its last card was drawn in
        this turn. Both come before `max_turns`. A turn that empties a hand is not counted as
        completed, as in the other games with table melds.

        Source: rules.md sections 4 and 9.
        """
        self.hands[self.to_move] -= {card}
        self.discard.append(card)
        if not self.hands[self.to_move]:
            return self._end_hand(scoring.hand_scores(self.laid, self.hands))
        self.turn_number += 1
        if not self.stock:
            return self._end_hand(scoring.hand_scores(self.laid, self.hands))
        if self.turn_number >= self.options.max_turns:
            return self._end_hand(None)
        self._begin_turn(self._left_of(self.to_move))
        return self._nothing()

    def _end_hand(self, hand_scored: list[int] | None) -> list[float]:
        """Count the points of a hand, then end the episode or deal the next hand.

        Args:
            hand_scored: The points of each seat; None if the hand is truncated: nobody scores.

        Source: rules.md sections 2, 4 (`max_turns`) and 9.
        """
        for seat, points in enumerate(hand_scored or []):
            self.scores[seat] += points
        self.terminated, self.truncated, self.winners = scoring.outcome(
            self.options, self.scores, hand_scored=hand_scored, hands_played=self.hand_number + 1
        )
        if self.finished:
            self.phase = "finished"
            self.taken = self.must_use = None
        else:
            self.hand_number += 1
            self.dealer = self._left_of(self.dealer)
            self._deal()
        return scoring.rewards_of(self.options, hand_scored, self.winners)
