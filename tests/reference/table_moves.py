"""Table games in words: options by name, positions placed, moves written as a player says them."""

from collections.abc import Callable, Mapping

from tests.reference.cards import parse, rank_of
from tests.reference.table_game import VALUES, TableGame
from tests.reference.turn import Action

_PLAIN: Mapping[str, object] = {
    "num_players": 2,
    "hand_size": 7,
    "ace": "low",
    "melds_per_turn": None,
    "lay_off": True,
    "final_discard": False,
    "restock": "shuffle_keep_top",
    "going_rummy": False,
    "max_turns": 1000,
    "match": "hand",
    "target": None,
    "deals": None,
    "max_hands": None,
    "reward": "points",
    "reward_scale": 1.0,
}

OPTIONS: Mapping[str, Mapping[str, object]] = {
    "basic": _PLAIN,
    "bonus": {**_PLAIN, "melds_per_turn": 1, "restock": "shuffle_all", "going_rummy": True},
    "classic": {**_PLAIN, "melds_per_turn": 1, "restock": "turn_over"},
}
"""What sets the three games apart, for these tests; not the defaults of the catalogue."""


def place(
    variant: str,
    hands: str,
    *,
    stock: str = "",
    discard: str = "",
    melds: str = "",
    taken: str | None = None,
    phase: str = "draw",
    played_before: tuple[int, ...] = (),
    scores: tuple[int, ...] | None = None,
    turn_number: int = 0,
    hand_number: int = 0,
    dealer: int = 0,
    shuffle: Callable[[list[str], str], list[str]] | None = None,
    **options: object,
) -> TableGame:
    """A position with seat 0 to move; hands and melds are parted by strokes, "7c 7d | Kc"."""
    lots = hands.split("|")
    return TableGame.from_position(
        {**OPTIONS[variant], "num_players": len(lots), **options},
        VALUES[variant],
        hands=[parse(lot) for lot in lots],
        stock=parse(stock),
        discard=parse(discard),
        melds=[tuple(parse(meld)) for meld in melds.split("|") if meld],
        taken=taken,
        phase=phase,
        played_before=played_before,
        scores=scores,
        turn_number=turn_number,
        hand_number=hand_number,
        dealer=dealer,
        shuffle=shuffle or (lambda cards, why: cards),
    )


def action_of(move: str) -> Action:
    """A move in words as an action.

    "draw stock", "draw discard", "meld 7h 8h 9h", "lay off 7h on group" (or "sequence"),
    "discard Kc".
    """
    words = move.split()
    if words[0] == "draw":
        return (f"draw_{words[1]}", ())
    if words[0] == "meld":
        cards = tuple(parse(" ".join(words[1:])))
        return ("meld_group" if rank_of(cards[0]) == rank_of(cards[1]) else "meld_sequence", cards)
    if words[:2] == ["lay", "off"]:
        return (f"lay_off_{words[4]}", (words[2],))
    return ("discard", (words[1],))


def allows(game: TableGame, move: str) -> bool:
    """Whether a move in words is legal."""
    return action_of(move) in game.legal_actions()


def play(game: TableGame, moves: str) -> list[float]:
    """Carry out moves parted by semicolons; returns the rewards of the last."""
    rewards: list[float] = []
    for move in moves.split(";"):
        rewards = game.apply(*action_of(move.strip()))
    return rewards
