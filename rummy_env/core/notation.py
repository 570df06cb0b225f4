"""Tables and actions as plain lists and text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rummy_env.core.bits import positions, word
from rummy_env.core.cards import (
    KING,
    NO_CARD,
    NUM_RANKS,
    NUM_REGULAR,
    SUITS,
    regular_bit,
    regular_text,
)
from rummy_env.core.checks import check_choice
from rummy_env.core.melds import as_laid
from rummy_env.core.rules import Rules
from rummy_env.core.state import State

FINISHED = "finished"
"""The name of the phase in which nothing can be done any more."""


def table_groups(grouped: int) -> list[list[str]]:
    """The groups on the table, by rank."""
    ranks: dict[int, list[str]] = {}
    for bit in positions(grouped):
        ranks.setdefault(bit % NUM_RANKS, []).append(regular_text(bit))
    return [ranks[rank] for rank in sorted(ranks)]


def table_sequences(sequenced: int, starts: int) -> list[list[str]]:
    """The sequences on the table, by suit and lowest card."""
    found: list[list[str]] = []
    for suit in range(len(SUITS)):
        for rank in range(NUM_RANKS):
            bit = NUM_RANKS * suit + rank
            if sequenced >> bit & 1:
                if starts >> bit & 1:
                    found.append([])
                found[-1].append(regular_text(bit))
                if rank == KING and sequenced >> (NUM_REGULAR + suit) & 1:
                    found[-1].append(regular_text(NUM_RANKS * suit))
    return found


def phase_name(rules: Rules, state: State, row: int) -> str:
    """The phase of one game."""
    if state.terminated[row] or state.truncated[row]:
        return FINISHED
    return rules.turn[int(state.phase[row])].name


def snapshot(rules: Rules, state: State, row: int) -> dict[str, Any]:
    """The table of one game as it lies, hidden cards included.

    Returns:
        What lies on the table: `hands` (a sorted list a seat), `stock` (next card first), `discard`
        (top last), `melds`, `to_move`, `phase`, `taken` (the card taken from the discard pile in this
        turn, or None), `scores`, `dealer`, `hand_number`, `turn_number`, `winners`, `finished`,
        `truncated`; and what the players remember and the game needs to go on: `known` (a list a
        seat), `returned`, `stock_open`, `played`, `plays_made`, `melds_made`, `shuffles`, `seed`,
        `decisions`. `restore` reads it back.
    """
    text = rules.pack.text
    finished = bool(state.terminated[row] or state.truncated[row])
    taken = int(state.taken[row])
    grouped, sequenced = int(state.grouped[row]), int(state.sequenced[row])
    stock = state.stock[row, state.stock_at[row] : state.stock_end[row]]
    return {
        "hands": [sorted(rules.pack.texts(hand)) for hand in state.hands[row]],
        "stock": [text(int(code)) for code in stock],
        "discard": [text(int(code)) for code in state.pile[row, : state.pile_size[row]]],
        "melds": table_groups(grouped) + table_sequences(sequenced, int(state.starts[row])),
        "to_move": int(state.to_move[row]),
        "phase": phase_name(rules, state, row),
        "taken": None if finished or taken == NO_CARD else text(taken),
        "scores": state.scores[row].tolist(),
        "dealer": int(state.dealer[row]),
        "hand_number": int(state.hand_number[row]),
        "turn_number": int(state.turn_number[row]),
        "winners": np.flatnonzero(state.winners[row]).tolist(),
        "finished": finished,
        "truncated": bool(state.truncated[row]),
        "known": [sorted(rules.pack.texts(known)) for known in state.known[row]],
        "returned": sorted(rules.pack.texts(state.returned[row])),
        "stock_open": bool(state.stock_open[row]),
        "played": state.played[row].tolist(),
        "plays_made": bool(state.plays_made[row]),
        "melds_made": int(state.melds_made[row]),
        "shuffles": int(state.shuffles[row]),
        "seed": int(state.seed[row]),
        "decisions": int(state.decisions[row]),
    }


def restore(rules: Rules, state: State, row: int, table: Mapping[str, Any]) -> None:
    """Lays a table as a snapshot tells it.

    Args:
        rules: The rules of the game.
        state: All games; one is overwritten.
        row: Which one.
        table: What `snapshot` returns. `hands`, `stock` and `discard` are needed; anything else that
            is left out is as at the beginning of a hand.

    Raises:
        ValueError: If the cards are not those of the pack, each once, or the phase is unknown.
    """
    _check_table(rules, table)
    for _, array in state.arrays():
        array[row] = 0
    codes = {key: [rules.pack.code(card) for card in table[key]] for key in ("stock", "discard")}
    state.stock[row], state.pile[row] = NO_CARD, NO_CARD
    state.stock[row, : len(codes["stock"])] = codes["stock"]
    state.stock_end[row] = len(codes["stock"])
    state.pile[row, : len(codes["discard"])] = codes["discard"]
    state.pile_size[row] = len(codes["discard"])
    state.piled[row] = rules.pack.words(table["discard"])
    state.returned[row] = rules.pack.words(table.get("returned", ()))
    nobody: list[list[str]] = [[]] * rules.num_players
    for seat, (hand, known) in enumerate(
        zip(table["hands"], table.get("known", nobody), strict=True)
    ):
        state.hands[row, seat] = rules.pack.words(hand)
        state.known[row, seat] = rules.pack.words(known)
    for meld in table.get("melds", ()):
        _lay_meld(state, row, meld)
    taken = table.get("taken")
    state.taken[row] = NO_CARD if taken is None else rules.pack.code(taken)
    state.phase[row] = _phase_index(rules, table.get("phase", rules.turn[0].name))
    finished, truncated = table.get("finished", False), table.get("truncated", False)
    state.truncated[row] = truncated
    state.terminated[row] = finished and not truncated
    state.winners[row, table.get("winners", [])] = True
    for key in _PLAIN_KEYS:
        getattr(state, key)[row] = table.get(key, 0)


_PLAIN_KEYS = (
    "to_move",
    "scores",
    "dealer",
    "hand_number",
    "turn_number",
    "stock_open",
    "played",
    "plays_made",
    "melds_made",
    "shuffles",
    "seed",
    "decisions",
)


def _check_table(rules: Rules, table: Mapping[str, Any]) -> None:
    if len(table["hands"]) != rules.num_players:
        raise ValueError(f"{len(table['hands'])} hands: num_players={rules.num_players}")
    places = [*table["hands"], table["stock"], table["discard"], *table.get("melds", ())]
    here = Counter(card for place in places for card in place)
    pack = Counter(rules.pack.text(int(code)) for code in rules.pack.codes)
    if here != pack:
        raise ValueError(
            f"the table must hold every card of the pack once: missing {sorted((pack - here).elements())}, "
            f"too many {sorted((here - pack).elements())}"
        )


def _phase_index(rules: Rules, name: str) -> int:
    names = [phase.name for phase in rules.turn]
    if name == FINISHED:
        return -1
    check_choice("phase", name, names)
    return names.index(name)


def _lay_meld(state: State, row: int, meld: Sequence[str]) -> None:
    bits = [regular_bit(card) for card in meld]
    if len({bit % NUM_RANKS for bit in bits}) == 1:
        state.grouped[row] |= word(bits)
    else:
        state.sequenced[row] |= as_laid(bits)
        state.starts[row] |= word(bits[:1])
