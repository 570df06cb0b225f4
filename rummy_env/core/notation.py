"""Tables and actions as plain lists and text."""

from typing import Any

import numpy as np

from rummy_env.core.bits import positions
from rummy_env.core.cards import KING, NO_CARD, NUM_RANKS, NUM_REGULAR, SUITS, regular_text
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
        `hands` (sorted as written), `stock` (next card first), `discard` (top last), `melds`, `to_move`, `phase`,
        `taken`, `scores`, `dealer`, `hand_number`, `turn_number`, `winners` and `finished`.
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
    }
