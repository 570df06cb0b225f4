"""The core and the slow reference, side by side: same deals, same actions, everything compared."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import rummy_env
from rummy_env.core.cards import RANKS
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from tests.reference.declared_game import DeclaredGame
from tests.reference.table_game import VALUES, TableGame

Move = tuple[str, tuple[str, ...]]
CONTRACT_KEYS = (
    "stock",
    "discard",
    "to_move",
    "phase",
    "taken",
    "scores",
    "dealer",
    "hand_number",
    "turn_number",
    "winners",
    "finished",
)


OF_VIEWS_ONLY = ("stock_estimate", "pile_recall")
"""Options that change what players see, not what they may do."""

DECLARED: dict[str, dict[str, Any]] = {
    "going_out": {
        "rummy_cards": 0,
        "group_card": False,
        "sequence_card": False,
        "no_meld_card": False,
        "cant_go_out_card": False,
        "decks": 1,
        "going_out_variation": False,
        "three_card_draw": False,
        "spread_out_discards": False,
        "stock_exhausted": "renew",
        "tie_break": False,
        "first_player_next": "winner",
    },
    "rummy_cards": {
        "hand_size": 5,
        "wildcards": 3,
        "rummy_cards": 2,
        "leftover": "at_most_one",
        "sequences_rummy": False,
        "stock_exhausted": "end",
        "tie_break": True,
        "first_player_next": "clockwise",
    },
}
"""What sets the two games apart, for the reference."""


class Shuffles:
    """Hands the reference the order that the core's cards lie in."""

    def __init__(self) -> None:
        self.table: dict[str, Any] = {}

    def __call__(self, cards: list[str], why: str) -> list[str]:
        if why == "deal":
            return self._dealt()
        order: list[str] = list(self.table["stock"])
        if len(order) < len(cards):
            order.append(self.table["discard"][-1])
        return order

    def _dealt(self) -> list[str]:
        hands, first = self.table["hands"], self.table["dealer"] + 1
        seats = [(first + i) % len(hands) for i in range(len(hands))]
        lots = [hands[seat] for seat in seats if hands[seat]]
        dealt = [card for round_of_cards in zip(*lots, strict=True) for card in round_of_cards]
        return [*dealt, *self.table["discard"], *self.table["stock"]]


def reference_of(
    rules: Rules, table: dict[str, Any], shuffles: Shuffles
) -> TableGame | DeclaredGame:
    """A reference game on the deal that the core has just made."""
    shuffles.table = table
    if rules.name in DECLARED:
        first = (table["dealer"] + 1) % rules.num_players
        return DeclaredGame(declared_options(rules), first_player=first, shuffle=shuffles)
    options = {k: v for k, v in rules.options if not (k == "max_hands" and v is None)}
    options["reward_scale"] = rules.scoring.zero_sum_scale
    return TableGame(options, VALUES[rules.name], first_dealer=table["dealer"], shuffle=shuffles)


def declared_options(rules: Rules) -> dict[str, Any]:
    """The options of rules in which hands are declared, as the reference names them."""
    given = dict(rules.options)
    known = {**DECLARED[rules.name], "match_points": 2}
    if given.get("going_out_variation"):
        known["stock_exhausted"] = "renew"
    return {**known, **{name: given[name] for name in given if name not in OF_VIEWS_ONLY}}


@dataclass
class Pair:
    """One game twice."""

    reference: TableGame | DeclaredGame
    shuffles: Shuffles


def legal_moves(engine: Engine, row: int) -> set[Move]:
    """The core's legal actions in words."""
    actions = [engine.describe(int(a)) for a in engine.legal_mask([row])[0].nonzero()[0]]
    return {(action.kind, action.cards) for action in actions}


def play(name: str, options: dict[str, Any], *, games: int, steps: int, seed: int) -> int:
    """Random play in lockstep; finished games are dealt anew.

    Returns:
        How many actions were compared.
    """
    rules = rummy_env.rules(name, **options)
    engine = Engine(rules, num_envs=games, seed=seed)
    engine.reset()
    rng = np.random.default_rng(seed)
    pairs = [_begin(engine, row) for row in range(games)]
    for _ in range(steps):
        mask = engine.legal_mask()
        actions = np.array([_choose(engine, mask[row], rng) for row in range(games)])
        engine.step(actions)
        for row, pair in enumerate(pairs):
            _compare(engine, row, pair, int(actions[row]))
            if engine.finished[row]:
                engine.reset([row])
                pairs[row] = _begin(engine, row)
    return games * steps


def _begin(engine: Engine, row: int) -> Pair:
    shuffles = Shuffles()
    pair = Pair(reference_of(engine.rules, engine.snapshot(row), shuffles), shuffles)
    assert _comparable(pair.reference.snapshot()) == _comparable(engine.snapshot(row))
    return pair


def _choose(engine: Engine, mask: np.ndarray, rng: np.random.Generator) -> int:
    """A random action; half the time a random kind of action first, so that plays are tried."""
    legal = np.flatnonzero(mask)
    if rng.random() < 0.5:
        kinds = engine.space.move_of[legal]
        legal = legal[kinds == rng.choice(np.unique(kinds))]
    return int(rng.choice(legal))


def _compare(engine: Engine, row: int, pair: Pair, action: int) -> None:
    played = engine.describe(action)
    where = f"{engine.rules!r}, game seed {engine.seeds[row]}, after {played}"
    table = engine.snapshot(row)
    pair.shuffles.table = table
    rewards = pair.reference.apply(played.kind, played.cards)
    assert _comparable(pair.reference.snapshot()) == _comparable(table), where
    assert np.allclose(rewards, engine.rewards[row], atol=1e-6), where
    assert pair.reference.terminated == engine.terminated[row], where
    assert pair.reference.truncated == engine.truncated[row], where
    assert pair.reference.legal_actions() == legal_moves(engine, row), where


def _comparable(table: dict[str, Any]) -> dict[str, Any]:
    melds = sorted(table["melds"], key=lambda meld: [(c[1], RANKS.index(c[0])) for c in meld])
    hands = [sorted(hand) for hand in table["hands"]]
    return {**{key: table[key] for key in CONTRACT_KEYS}, "hands": hands, "melds": melds}
