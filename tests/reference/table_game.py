"""A game with melds on the table, `basic`, `bonus` or `classic`: slow, plain and easy to check.

Source: rules.md sections 1 to 4 and 7.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Self

from tests.reference import ending, turn
from tests.reference.cards import PACK, Cards, check_distinct
from tests.reference.ending import BASIC_VALUES, COURT_VALUES, VALUES
from tests.reference.options import SHUFFLE_ALL, SHUFFLE_KEEP_TOP, TURN_OVER, TableOptions
from tests.reference.shuffling import Shuffle, dealt, shuffled, unshuffled
from tests.reference.turn import Action, Position

__all__ = ["BASIC_VALUES", "COURT_VALUES", "VALUES", "TableGame", "unshuffled"]


class TableGame:
    """One episode: a hand, or a match of several.

    Args:
        options: Every option with the value it has; see `TableOptions`.
        values: Points of each rank letter left in a loser's hand.
        first_dealer: Seat that deals the first hand.
        shuffle: Called with cards and "deal" (the pack in the order of `cards.PACK`) or
            "restock" (discards, oldest first, at least two); returns them in their new order.
    """

    def __init__(
        self,
        options: Mapping[str, object],
        values: Mapping[str, int],
        *,
        first_dealer: int,
        shuffle: Shuffle,
    ) -> None:
        self.options = TableOptions.from_mapping(options)
        if not 0 <= first_dealer < self.options.num_players:
            raise ValueError(f"first_dealer={first_dealer} is no seat")
        self.values = dict(values)
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
        values: Mapping[str, int],
        *,
        hands: Sequence[Collection[str]],
        stock: Sequence[str] = (),
        discard: Sequence[str] = (),
        melds: Sequence[Cards] = (),
        to_move: int = 0,
        phase: str = "draw",
        taken: str | None = None,
        melds_made: int = 0,
        played_before: Collection[int] = (),
        scores: Sequence[int] | None = None,
        dealer: int = 0,
        hand_number: int = 0,
        turn_number: int = 0,
        shuffle: Shuffle = unshuffled,
    ) -> Self:
        """A game that stands as given; the pack need not be complete, nothing is restocked.

        Args:
            options: As for the class; so are values and shuffle.
            values: Points of each rank letter.
            hands: The cards of each seat.
            stock: Next card first.
            discard: Top card last.
            melds: Melds on the table, each in canonical order.
            to_move: Seat whose turn it is.
            phase: "draw" or "play".
            taken: Card taken from the discard pile this turn.
            melds_made: Melds laid down this turn.
            played_before: Seats that have melded or laid off in an earlier turn of this hand.
            scores: Points so far, by seat; all 0 when left out.
            dealer: Seat that dealt this hand.
            hand_number: Hands completed.
            turn_number: Turns completed in this hand.
            shuffle: As for the class.
        """
        game = cls(options, values, first_dealer=dealer, shuffle=unshuffled)
        if len(hands) != game.options.num_players or phase not in ("draw", "play"):
            raise ValueError(f"{len(hands)} hands in phase {phase!r} are no position")
        places: list[Collection[str]] = [*hands, stock, discard, *melds]
        check_distinct(card for place in places for card in place)
        game._shuffle = shuffle
        game.hands = [frozenset(hand) for hand in hands]
        game.stock, game.discard = list(stock), list(discard)
        game.melds = tuple(tuple(meld) for meld in melds)
        game.to_move, game.phase, game.taken = to_move, phase, taken
        game._melds_made, game._has_played = melds_made, False
        game._played_before = set(played_before)
        game.scores = list(scores) if scores is not None else game.scores
        game.hand_number, game.turn_number = hand_number, turn_number
        game._legal = None
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
                self._legal = turn.legal_actions(self._position(), self.options)
        return set(self._legal)

    def apply(self, kind: str, cards: Sequence[str]) -> list[float]:
        """Carry out one action of the seat to move.

        Returns:
            The rewards of this step by seat, zeros unless a hand ended with it.

        Raises:
            ValueError: If the action is not legal.

        Source: rules.md section 3.
        """
        action = (kind, tuple(cards))
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal for seat {self.to_move} in {self.snapshot()}")
        self._legal = None
        if kind == "draw_stock":
            return self._draw_stock()
        if kind == "draw_discard":
            return self._draw_discard()
        if kind == "discard":
            return self._discard(*cards)
        return self._play(action)

    def snapshot(self) -> dict[str, object]:
        """The table as it lies, hidden cards included, with the keys of the contract.

        Source: design.md, "Contract".
        """
        return {
            "hands": [sorted(hand) for hand in self.hands],
            "stock": list(self.stock),
            "discard": list(self.discard),
            "melds": [list(meld) for meld in self.melds],
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

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % self.options.num_players

    def _deal(self) -> None:
        """Deal one card at a time, clockwise from the dealer's left, and turn one up.

        Source: rules.md section 2.
        """
        order = shuffled(self._shuffle, list(PACK), "deal")
        self.hands, rest = dealt(
            order,
            num_players=self.options.num_players,
            hand_size=self.options.hand_size,
            first=self._left_of(self.dealer),
        )
        self.discard, self.stock = rest[:1], rest[1:]
        self.melds: tuple[Cards, ...] = ()
        self.turn_number = 0
        self._played_before: set[int] = set()
        self._begin_turn(self._left_of(self.dealer))

    def _begin_turn(self, seat: int) -> None:
        self.to_move = seat
        self.phase = "draw"
        self.taken: str | None = None
        self._melds_made = 0
        self._has_played = False
        self._legal = None
        if not self.stock:
            self._restock()

    def _restock(self) -> None:
        """What a turn that begins with an empty stock does to the discard pile, if anything.

        Source: rules.md section 4, "The stock is empty".
        """
        if self.options.restock == SHUFFLE_KEEP_TOP:
            self.stock = shuffled(self._shuffle, self.discard[:-1], "restock")
            self.discard = self.discard[-1:]
        elif self.options.restock == SHUFFLE_ALL:
            order = shuffled(self._shuffle, self.discard, "restock")
            self.stock, self.discard = order[:-1], order[-1:]

    def _legal_draws(self) -> set[Action]:
        draws: set[Action] = set()
        if self.stock or (self.options.restock == TURN_OVER and self.discard):
            draws.add(("draw_stock", ()))
        if self.discard:
            draws.add(("draw_discard", ()))
        return draws

    def _position(self) -> Position:
        return Position(self.hands[self.to_move], self.melds, self.taken, self._melds_made)

    def _nothing(self) -> list[float]:
        return [0.0] * self.options.num_players

    def _draw_stock(self) -> list[float]:
        """Draw the next card; an empty stock is made by turning the pile over, oldest first.

        Source: rules.md section 4, `restock="turn_over"`.
        """
        if not self.stock:
            self.stock, self.discard = self.discard, []
        self.hands[self.to_move] |= {self.stock.pop(0)}
        self.phase = "play"
        return self._nothing()

    def _draw_discard(self) -> list[float]:
        self.taken = self.discard.pop()
        self.hands[self.to_move] |= {self.taken}
        self.phase = "play"
        return self._nothing()

    def _play(self, play: Action) -> list[float]:
        position = turn.after(self._position(), play, self.options)
        self.hands[self.to_move] = position.hand
        self.melds = position.melds
        self._melds_made = position.melds_made
        self._has_played = True
        return self._nothing() if position.hand else self._end_hand(winner=self.to_move)

    def _discard(self, card: str) -> list[float]:
        self.hands[self.to_move] -= {card}
        self.discard.append(card)
        if not self.hands[self.to_move]:
            return self._end_hand(winner=self.to_move)
        self.turn_number += 1
        if self.turn_number >= self.options.max_turns:
            return self._end_hand(winner=None)
        if self._has_played:
            self._played_before.add(self.to_move)
        self._begin_turn(self._left_of(self.to_move))
        return self._nothing()

    def _end_hand(self, winner: int | None) -> list[float]:
        """Score the hand, then end the episode or deal the next hand.

        Source: rules.md section 2 (a match) and section 4 (score, going rummy, `max_turns`).
        """
        went_rummy = self.options.going_rummy and winner not in self._played_before
        parts = ending.parts_of(self.hands, self.values, went_rummy=went_rummy)
        if winner is not None:
            self.scores[winner] += sum(parts)
        self.terminated, self.truncated, self.winners = ending.outcome(
            self.options, self.scores, hand_winner=winner, hands_played=self.hand_number + 1
        )
        rewards = self._rewards(winner, parts)
        if self.finished:
            self.phase = "finished"
            self.taken = None
        else:
            self.hand_number += 1
            self.dealer = self._left_of(self.dealer)
            self._deal()
        return rewards

    def _rewards(self, winner: int | None, parts: list[int]) -> list[float]:
        """The rewards of a hand that has just been scored, by the option `reward`."""
        if self.options.reward == "win":
            return ending.rewards_for_winning(self.options.num_players, self.winners)
        if winner is None:
            return self._nothing()
        if self.options.reward == "points":
            return ending.rewards_for_points(parts, winner)
        return ending.rewards_of_zero_sum(parts, winner, self.options.reward_scale)
