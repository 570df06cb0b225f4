"""The core and the slow reference, side by side: same deals, same actions, everything compared."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

import rummy_env
from rummy_env.core.cards import NO_CARD, RANKS
from rummy_env.core.engine import Engine
from rummy_env.core.part import Action
from rummy_env.core.rules import Rules
from tests.reference.declared_game import DeclaredGame
from tests.reference.declared_options import DeclaredOptions
from tests.reference.options import TableOptions
from tests.reference.rummy500_game import Rummy500Game
from tests.reference.rummy500_options import Rummy500Options
from tests.reference.table_game import VALUES, TableGame
from tests.table import TABLE_VARIANTS

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


RUMMY500_KEYS = ("laid", "must_use")

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

EPISODES: list[dict[str, Any]] = [
    {},
    {"match": "match"},
    {"match": "match", "target": 60, "max_hands": 4},
    {"match": "match", "deals": 3},
]
TABLE_CHOICES: dict[str, list[Any]] = {
    "num_players": [2, 3, 4, 5, 6],
    "hand_size": [None, 3, 7],
    "ace": ["low", "high_or_low"],
    "melds_per_turn": [None, 1, 2],
    "lay_off": [True, False],
    "final_discard": [False, True],
    "restock": ["shuffle_keep_top", "shuffle_all", "turn_over"],
    "going_rummy": [False, True],
    "reward": ["zero_sum", "points", "win"],
    "max_turns": [40, 200],
    "episode": EPISODES,
}
DECLARED_CHOICES: dict[str, list[Any]] = {
    "four_sevens": [False, True],
    "reward": ["win", "points", "zero_sum"],
    "max_turns": [200, 25],
    "episode": [{}, {"match": "match"}, {"match": "match", "max_hands": 3}],
}
CHOICES: dict[str, dict[str, list[Any]]] = {
    "rummy500": {
        "num_players": [2, 3, 4, 5],
        "hand_size": [None, 3, 7],
        "ace": ["low", "high_or_low"],
        "final_discard": [False, True],
        "free_top": [True, False],
        "reward": ["zero_sum", "points", "win"],
        "max_turns": [40, 200],
        "episode": EPISODES,
    },
    **dict.fromkeys(TABLE_VARIANTS, TABLE_CHOICES),
    "going_out": {
        "num_players": [2, 3, 4, 5, 6, 7, 8, 9, 10],
        "hand_size": [None, 2, 3, 5, 7, 10],
        "sequences_rummy": [False, True],
        "wildcards": [3, 0, 1, 5, 7],
        "leftover": ["at_most_one", "none", "exactly_one"],
        **DECLARED_CHOICES,
    },
    "rummy_cards": {
        "num_players": [2, 3, 4, 5, 6, 7],
        "going_out_variation": [False, True],
        "decks": [1, 2],
        "group_card": [True, False],
        "sequence_card": [True, False],
        "no_meld_card": [True, False],
        "cant_go_out_card": [None, True, False],
        "three_card_draw": [False, True],
        "spread_out_discards": [False, True],
        **DECLARED_CHOICES,
    },
}
"""What the options of each variant are tried with, crossed."""

STEPS_AFTER = 60
"""How long the play goes on when all has been met that it is for."""


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
) -> TableGame | DeclaredGame | Rummy500Game:
    """A reference game on the deal that the core has just made."""
    shuffles.table = table
    if rules.name in DECLARED:
        first = (table["dealer"] + 1) % rules.num_players
        return DeclaredGame(declared_options(rules), first_player=first, shuffle=shuffles)
    known = Rummy500Options if rules.name == "rummy500" else TableOptions
    given = known_options(rules, known)
    options = {k: v for k, v in given.items() if not (k == "max_hands" and v is None)}
    options["reward_scale"] = rules.scoring.zero_sum_scale
    if rules.name == "rummy500":
        return Rummy500Game(options, first_dealer=table["dealer"], shuffle=shuffles)
    return TableGame(options, VALUES[rules.name], first_dealer=table["dealer"], shuffle=shuffles)


def known_options(rules: Rules, reference: type[Any]) -> dict[str, Any]:
    """The options that a reference knows.

    Raises:
        ValueError: If another option, that is not of views only, is not at its default: such a
            game cannot be compared.
    """
    known = {field.name for field in fields(reference)}
    defaults = dict(rummy_env.rules(rules.name).options)
    for name, value in rules.options:
        if name not in known and name not in OF_VIEWS_ONLY and value != defaults[name]:
            raise ValueError(
                f"{name}={value!r} is not known to the reference of {rules.name}: leave it at "
                f"{defaults[name]!r}, or add it to {reference.__name__} and to what is played there"
            )
    return {name: value for name, value in rules.options if name in known}


def declared_options(rules: Rules) -> dict[str, Any]:
    """The options of rules in which hands are declared, as the reference names them."""
    given = known_options(rules, DeclaredOptions)
    known = {**DECLARED[rules.name], "match_points": 2}
    if given.get("going_out_variation"):
        known["stock_exhausted"] = "renew"
    return {**known, **given}


def flat(case: dict[str, Any]) -> dict[str, Any]:
    """Options as the variants take them."""
    return {**{k: v for k, v in case.items() if k != "episode"}, **case.get("episode", {})}


@dataclass(frozen=True)
class Habit:
    """What random players lean to, so that they come to rare hands.

    Attributes:
        keeps: How the cards begin that are kept, such as `"7"` or `"RUMMY"`.
        seat: Who collects them and puts off going out, while the others throw such cards away;
            None where everybody keeps them.
    """

    keeps: tuple[str, ...] = ()
    seat: int | None = None


@dataclass
class Pair:
    """One game twice, and what the core's table was after the last action."""

    reference: TableGame | DeclaredGame | Rummy500Game
    shuffles: Shuffles
    table: dict[str, Any]


def legal_moves(engine: Engine, row: int) -> set[Move]:
    """The core's legal actions in words."""
    actions = [engine.describe(int(a)) for a in engine.legal_mask([row])[0].nonzero()[0]]
    return {(action.kind, action.cards) for action in actions}


def play(
    name: str,
    options: dict[str, Any],
    *,
    games: int,
    steps: int,
    seed: int,
    habits: Sequence[Habit] = (Habit(),),
    met: Counter[str] | None = None,
    until: set[str] | None = None,
) -> int:
    """Random play in lockstep; finished games are dealt anew.

    Args:
        name: The variant.
        options: Its options.
        games: How many games are played side by side.
        steps: How many actions in each.
        seed: What deals and choices are drawn from.
        habits: What the players of the games lean to, in turn.
        met: Where what happens is counted, by the names that `happenings` gives it.
        until: What has to be met before the play ends early, some steps later; None where it goes
            on in any case.

    Returns:
        How many actions were compared.
    """
    rules = rummy_env.rules(name, **options)
    engine = Engine(rules, num_envs=games, seed=seed)
    engine.reset()
    rng = np.random.default_rng(seed)
    pairs = [_begin(engine, row) for row in range(games)]
    compared, left = 0, steps
    while left:
        compared, left = compared + games, left - 1
        leans = [habits[row % len(habits)] for row in range(games)]
        actions = np.array([_choose(engine, row, leans[row], rng) for row in range(games)])
        engine.step(actions)
        for row, pair in enumerate(pairs):
            before, played = pair.table, engine.describe(int(actions[row]))
            _compare(engine, row, pair, played)
            if met is not None:
                met.update(happenings(rules, before, played, pair.table))
            if engine.finished[row]:
                engine.reset([row])
                pairs[row] = _begin(engine, row)
        if until is not None and met is not None and until <= met.keys():
            left, until = min(left, STEPS_AFTER), None
    return compared


def happenings(
    rules: Rules, before: dict[str, Any], played: Action, after: dict[str, Any]
) -> Iterator[str]:
    """What of interest an action has brought about in a game of declared hands."""
    yield played.kind
    if any(before["sits_out"]):
        yield "a seat sits out"
    if before.get("must_use") and before["must_use"] not in played.cards:
        yield "played first"
    if before.get("must_use") and not after.get("must_use"):
        yield "used at last"
    if after["shuffles"] > 1:
        yield "renewed stock"
    if after["taken_count"] > 1:
        yield "deep in the pile"
    if not (after["finished"] or after["hand_number"] > before["hand_number"]):
        return
    wins = sum(after["scores"]) - sum(before["scores"])
    yield f"{wins} winners"
    if played.kind == "discard":
        exhausted = len(before["stock"]) <= rules.restocking.ends_hand_at
        yield f"exhausted stock, {wins} winners" if exhausted else "stalemate"


def _begin(engine: Engine, row: int) -> Pair:
    shuffles, table = Shuffles(), engine.snapshot(row)
    pair = Pair(reference_of(engine.rules, table, shuffles), shuffles, table)
    assert _comparable(pair.reference.snapshot()) == _comparable(table)
    return pair


def _choose(engine: Engine, row: int, habit: Habit, rng: np.random.Generator) -> int:
    """A random action; half the time a random kind of action first, so that plays are tried."""
    legal = np.flatnonzero(engine.legal_mask([row])[0])
    if habit.keeps:
        likes = np.array([_liking(engine, row, int(action), habit) for action in legal])
        return int(rng.choice(legal, p=likes / likes.sum()))
    if rng.random() < 0.5:
        kinds = engine.space.move_of[legal]
        legal = legal[kinds == rng.choice(np.unique(kinds))]
    return int(rng.choice(legal))


def _liking(engine: Engine, row: int, action: int, habit: Habit) -> float:
    """How much more or less than others an action is liked."""
    kind, cards = engine.describe(action).kind, engine.describe(action).cards
    keeps = habit.seat in (None, engine.to_move[row])
    if kind == "draw_discard":
        top = int(engine.state.pile_top(np.array([row]))[0])
        cards = () if top == NO_CARD else (engine.rules.pack.text(top),)
    if any(card.startswith(habit.keeps) for card in cards):
        return 30.0 if keeps != (kind == "discard") else 0.03
    return 0.03 if kind in ("go_out", "lay_down_rummy") and habit.seat is not None else 1.0


def _compare(engine: Engine, row: int, pair: Pair, played: Action) -> None:
    where = f"{engine.rules!r}, game seed {engine.seeds[row]}, after {played}"
    table = engine.snapshot(row)
    pair.shuffles.table = pair.table = table
    rewards = pair.reference.apply(played.kind, played.cards)
    assert _comparable(pair.reference.snapshot()) == _comparable(table), where
    assert np.allclose(rewards, engine.rewards[row], atol=1e-6), where
    assert pair.reference.terminated == engine.terminated[row], where
    assert pair.reference.truncated == engine.truncated[row], where
    assert pair.reference.legal_actions() == legal_moves(engine, row), where


def _comparable(table: dict[str, Any]) -> dict[str, Any]:
    melds = sorted(table["melds"], key=lambda meld: [(c[1], RANKS.index(c[0])) for c in meld])
    hands = [sorted(hand) for hand in table["hands"]]
    own = {key: table[key] for key in RUMMY500_KEYS if key in table}
    return {**own, **{key: table[key] for key in CONTRACT_KEYS}, "hands": hands, "melds": melds}
