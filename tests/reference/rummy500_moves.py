"""`rummy500` in words: options by name, positions placed, moves written as a player says them."""

from collections.abc import Mapping

from tests.reference import table_moves
from tests.reference.cards import parse
from tests.reference.rummy500_game import Rummy500Game
from tests.reference.shuffling import Shuffle, unshuffled
from tests.reference.turn import Action

OPTIONS: Mapping[str, object] = {
    "num_players": 2,
    "hand_size": 7,
    "ace": "high_or_low",
    "final_discard": False,
    "free_top": True,
    "max_turns": 1000,
    "match": "hand",
    "target": None,
    "deals": None,
    "max_hands": None,
    "reward": "points",
    "reward_scale": 1.0,
}
"""The game of the rules in short hands, for these tests."""


def place(
    hands: str,
    *,
    stock: str = "Qs Js",
    discard: str = "",
    melds: str = "",
    laid: tuple[int, ...] | None = None,
    scores: tuple[int, ...] | None = None,
    turn_number: int = 0,
    hand_number: int = 0,
    dealer: int = 0,
    shuffle: Shuffle = unshuffled,
    **options: object,
) -> Rummy500Game:
    """A position with seat 0 to draw; hands and melds are parted by strokes, "7c 7d | Kc"."""
    lots = hands.split("|")
    return Rummy500Game.from_position(
        {**OPTIONS, "num_players": len(lots), **options},
        hands=[parse(lot) for lot in lots],
        stock=parse(stock),
        discard=parse(discard),
        melds=[tuple(parse(meld)) for meld in melds.split("|") if meld],
        laid=laid,
        scores=scores,
        turn_number=turn_number,
        hand_number=hand_number,
        dealer=dealer,
        shuffle=shuffle,
    )


def action_of(move: str) -> Action:
    """A move in words as an action: "take Kc", or as in `table_moves`."""
    words = move.split()
    return ("take_pile", (words[1],)) if words[0] == "take" else table_moves.action_of(move)


def allows(game: Rummy500Game, move: str) -> bool:
    """Whether a move in words is legal."""
    return action_of(move) in game.legal_actions()


def allowed(game: Rummy500Game, kind: str) -> set[str]:
    """The cards with which one kind of action is legal, as text."""
    return {" ".join(cards) for k, cards in game.legal_actions() if k == kind}


def play(game: Rummy500Game, moves: str) -> list[float]:
    """Carry out moves parted by semicolons; returns the rewards of the last."""
    rewards: list[float] = []
    for move in moves.split(";"):
        rewards = game.apply(*action_of(move.strip()))
    return rewards
