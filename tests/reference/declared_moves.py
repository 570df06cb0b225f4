"""Declared-hand games in words: options by name, positions placed, moves as a player says them."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.reference.declared_game import Action, DeclaredGame
from tests.reference.special_cards import parse_cards

_GOING_OUT: Mapping[str, object] = {
    "num_players": 2,
    "hand_size": 7,
    "decks": 1,
    "wildcards": 3,
    "rummy_cards": 0,
    "group_card": False,
    "sequence_card": False,
    "no_meld_card": False,
    "cant_go_out_card": False,
    "leftover": "at_most_one",
    "four_sevens": False,
    "sequences_rummy": False,
    "going_out_variation": False,
    "three_card_draw": False,
    "spread_out_discards": False,
    "stock_exhausted": "renew",
    "match": "hand",
    "match_points": 2,
    "tie_break": False,
    "first_player_next": "winner",
    "max_turns": 1000,
    "max_hands": None,
    "reward": "points",
}

OPTIONS: Mapping[str, Mapping[str, object]] = {
    "going_out": _GOING_OUT,
    "rummy_cards": {
        **_GOING_OUT,
        "hand_size": 5,
        "rummy_cards": 2,
        "group_card": True,
        "sequence_card": True,
        "no_meld_card": True,
        "cant_go_out_card": True,
        "stock_exhausted": "end",
        "tie_break": True,
        "first_player_next": "clockwise",
    },
}
"""What sets the two games apart, for these tests; not the defaults of the catalogue."""

VARIATION: Mapping[str, Any] = {
    "going_out_variation": True,
    "cant_go_out_card": False,
    "stock_exhausted": "renew",
}
"""What the Going Out Variation of `rummy_cards` sets."""


def place(
    variant: str,
    hands: str,
    *,
    stock: str = "",
    discard: str = "",
    to_move: int = 0,
    phase: str = "draw",
    taken: str | None = None,
    scores: tuple[int, ...] | None = None,
    playing: tuple[int, ...] | None = None,
    first_player: int = 0,
    turn_number: int = 0,
    shuffle: Callable[[list[str], str], list[str]] | None = None,
    **options: object,
) -> DeclaredGame:
    """A position; hands are parted by strokes, "7c 7d WILD | Kc RUMMY 2h"."""
    lots = hands.split("|")
    return DeclaredGame.from_position(
        {**OPTIONS[variant], "num_players": len(lots), **options},
        hands=[parse_cards(lot) for lot in lots],
        stock=parse_cards(stock),
        discard=parse_cards(discard),
        to_move=to_move,
        phase=phase,
        taken=taken,
        scores=scores,
        playing=playing,
        first_player=first_player,
        turn_number=turn_number,
        shuffle=shuffle or (lambda cards, why: cards),
    )


def action_of(move: str) -> Action:
    """A move in words as an action.

    "draw stock", "draw discard", "extra draw", "take 7h", "discard WILD", "go out",
    "lay down rummy", "four sevens".
    """
    words = move.split()
    if words[0] == "take":
        return ("take_pile", (words[1],))
    if words[0] == "discard":
        return ("discard", (words[1],))
    return ("_".join(words), ())


def allows(game: DeclaredGame, move: str) -> bool:
    """Whether a move in words is legal."""
    return action_of(move) in game.legal_actions()


def play(game: DeclaredGame, moves: str) -> list[float]:
    """Carry out moves parted by semicolons; returns the rewards of the last."""
    rewards: list[float] = []
    for move in moves.split(";"):
        rewards = game.apply(*action_of(move.strip()))
    return rewards
