"""Tables laid by hand: a position in few words, moves in the notation of a player."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.parts.melding import Meld
from rummy_env.parts.scoring import CardsLeft
from tests.reference import declared_moves, table_moves
from tests.reference.special_cards import parse_cards

Words = Mapping[str, Any]

TABLE_VARIANTS = [
    name
    for name in rummy_env.VARIANTS
    if {Meld, CardsLeft}
    <= {cls for part in rummy_env.rules(name).parts for cls in type(part).mro()}
]
"""The variants in which melds are laid on the table and cards that are left count."""

GO_OUT = "draw stock; lay off 9c on group; lay off 8s on sequence"
"""How seat 0 empties its hand on a table of `last_turn`."""


def action_of(move: str) -> tuple[str, tuple[str, ...]]:
    """A move in words as kind and cards, such as `"meld 7h 8h 9h"`, `"take Kc"`, `"go out"`."""
    melds = move.split()[0] == "meld" or move.startswith("lay off")
    return (table_moves if melds else declared_moves).action_of(move)


class Table:
    """One game, played in words.

    Attributes:
        engine: A batch of one.
    """

    def __init__(self, rules: Rules) -> None:
        self.engine = Engine(rules)

    def __getitem__(self, key: str) -> Any:
        return self.engine.snapshot(0)[key]

    def play(self, moves: str) -> list[float]:
        """Makes moves parted by semicolons.

        Args:
            moves: Such as `"draw stock; meld 7h 8h 9h; lay off Th on sequence; discard Kc"`.

        Returns:
            The rewards of the last.
        """
        for move in moves.split(";"):
            kind, cards = action_of(move.strip())
            self.engine.step([self.engine.space.index(kind, *cards)])
        return [round(float(reward), 6) for reward in self.engine.rewards[0]]

    def allows(self, move: str) -> bool:
        """Whether a move in words is legal."""
        kind, cards = action_of(move)
        return bool(self.engine.legal_mask()[0, self.engine.space.index(kind, *cards)])

    def legal(self, kind: str) -> set[str]:
        """The cards of every legal action of a kind, as in `{"7h 8h 9h", "9h Th Jh"}`."""
        numbers = self.engine.legal_mask()[0].nonzero()[0]
        actions = [self.engine.describe(int(number)) for number in numbers]
        return {" ".join(action.cards) for action in actions if action.kind == kind}

    @property
    def kinds(self) -> set[str]:
        """The kinds of all legal actions."""
        numbers = self.engine.legal_mask()[0].nonzero()[0]
        return {self.engine.describe(int(number)).kind for number in numbers}


def lay(
    name: str,
    hands: str,
    *,
    stock: str = "",
    discard: str = "",
    melds: str = "",
    rest: str = "stock",
    marks: Words | None = None,
    **options: Any,
) -> Table:
    """A position in which seat 0 begins its turn, unless the marks say otherwise.

    Args:
        name: The variant.
        hands: The cards of each seat, parted by strokes: `"7c 7d | Kc WILD"`; they tell
            `num_players`.
        stock: Next card first.
        discard: Top card last.
        melds: Parted by strokes, each as it lies on the table.
        rest: Where the cards go that are not mentioned: to the end of the `"stock"`, under the
            `"discard"` pile, or to the `"last hand"`.
        marks: Anything else of the snapshot.
        **options: Of the variant.
    """
    held = [parse_cards(hand) for hand in hands.split("|")]
    laid = [parse_cards(meld) for meld in melds.split("|") if meld]
    pile, next_cards = parse_cards(discard), parse_cards(stock)
    rules = rummy_env.rules(name, num_players=len(held), **options)
    mentioned = Counter(card for place in (*held, *laid, pile, next_cards) for card in place)
    others = Counter(rules.pack.cards) - mentioned
    places = {"stock": next_cards, "discard": [], "last hand": held[-1]}
    places[rest] += others.elements()
    table = Table(rules)
    position = {"hands": held, "stock": next_cards, "discard": places["discard"] + pile}
    table.engine.restore(0, {**position, "melds": laid, **(marks or {})})
    return table


def last_turn(name: str, others: str = "Kd", **given: Any) -> Table:
    """A position in which seat 0 can go out with `GO_OUT`.

    Args:
        name: The variant.
        others: The cards of the other seats; a king counts ten points in every variant.
        **given: As for `lay`.
    """
    return lay(name, f"9c | {others}", stock="8s", melds="9d 9h 9s | 5s 6s 7s", **given)
