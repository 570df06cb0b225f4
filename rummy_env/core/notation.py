"""Tables and actions as plain lists and text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rummy_env.core.bits import WORD_BITS, Words, word
from rummy_env.core.cards import (
    KING,
    NO_CARD,
    NUM_RANKS,
    Pack,
    regular_bit,
)
from rummy_env.core.checks import check_choice, check_range
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.core.table import as_laid, sequence_cards, table_groups, table_sequences

FINISHED = "finished"
"""The name of the phase in which nothing can be done any more."""


def phase_name(rules: Rules, state: State, row: int) -> str:
    """The phase of one game."""
    if state.terminated[row] or state.truncated[row]:
        return FINISHED
    return rules.turn[int(state.phase[row])].name


def snapshot(rules: Rules, state: State, row: int) -> dict[str, Any]:
    """The table of one game as it lies, hidden cards included.

    Returns:
        What lies on the table: `hands` (a sorted list a seat), `stock` (next card first),
        `discard` (top last), `melds`, `to_move`, `phase`, `taken` (the card taken from the discard
        pile in this turn, or None), `scores`, `dealer`, `hand_number`, `turn_number`, `winners`,
        `finished`, `truncated`; and what the players remember and the game needs to go on:
        `known` (a list a seat), `returned` (the cards of the stock as it was last renewed),
        `stock_open`, `played`, `plays_made`, `melds_made`, `taken_count`, `sits_out`, `claim`,
        `claimant`, `upcard`, `passes`, `returns`, `shuffles`, `seed`, `decisions`. `restore` reads
        it back.
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
        "taken": None if taken == NO_CARD else text(taken),
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
        "taken_count": int(state.taken_count[row]),
        "sits_out": state.sits_out[row].tolist(),
        "claim": int(state.claim[row]),
        "claimant": int(state.claimant[row]),
        "upcard": None if state.upcard[row] == NO_CARD else text(int(state.upcard[row])),
        "passes": int(state.passes[row]),
        "returns": int(state.returns[row]),
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
        table: What `snapshot` returns. `hands`, `stock` and `discard` are needed; anything else
            that is left out is as at the beginning of a hand.

    Raises:
        ValueError: If the table is impossible: cards missing or too many, melds that are none,
            seats or a phase that do not exist. The game is then left as it was.
    """
    _check_table(rules, table)
    game = State.empty(1, rules.num_players, rules.pack)
    copies = _Copies(rules.pack)
    _lay_piles(copies, game, table)
    _deal_out(rules, copies, game, table)
    for meld in table.get("melds", ()):
        _lay_meld(rules, game, meld)
    game.phase[0] = _phase_index(rules, table)
    finished, truncated = table.get("finished", False), table.get("truncated", False)
    game.truncated[0] = truncated
    game.terminated[0] = finished and not truncated
    game.winners[0, table.get("winners", [])] = True
    for key in _PLAIN_KEYS:
        getattr(game, key)[0] = table.get(key, 0)
    state.put(np.array([row]), game)


class _Copies:
    """Hands out the cards of a pack by their text, of equal cards one after the other."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._used: Counter[str] = Counter()

    def codes(self, texts: Sequence[str]) -> list[int]:
        """The codes of cards, none of them handed out before."""
        codes = []
        for text in texts:
            codes.append(int(self.pack.copies[self.pack.code(text), self._used[text]]))
            self._used[text] += 1
        return codes

    def words(self, codes: Sequence[int]) -> Words:
        """uint64[W], a set of cards."""
        decks = range(self.pack.decks)
        return np.array(
            [word([c % WORD_BITS for c in codes if c // WORD_BITS == d]) for d in decks]
        )


def _lay_piles(copies: _Copies, game: State, table: Mapping[str, Any]) -> None:
    """The stock, the discard pile, and what is remembered of them."""
    stock, pile = copies.codes(table["stock"]), copies.codes(table["discard"])
    game.stock[0, : len(stock)] = stock
    game.stock_end[0] = len(stock)
    game.pile[0, : len(pile)] = pile
    game.pile_size[0] = len(pile)
    game.piled[0] = copies.words(pile)
    game.returned[0] = copies.pack.words(table.get("returned", ()))


def _deal_out(rules: Rules, copies: _Copies, game: State, table: Mapping[str, Any]) -> None:
    """The hands, and the cards of them that everybody knows."""
    nothing: list[list[str]] = [[]] * rules.num_players
    hands = zip(table["hands"], table.get("known", nothing), strict=True)
    for seat, (hand, known) in enumerate(hands):
        if Counter(known) - Counter(hand):
            raise ValueError(f"known={known}: seat {seat} must hold the cards that it is known for")
        hidden = list((Counter(hand) - Counter(known)).elements())
        shown = copies.codes(known)
        game.known[0, seat] = copies.words(shown)
        game.hands[0, seat] = copies.words([*shown, *copies.codes(hidden)])
    for key in ("taken", "upcard"):
        if table.get(key) is not None:
            getattr(game, key)[0] = rules.pack.code(table[key])


_PLAIN_KEYS = (
    "taken_count",
    "claim",
    "claimant",
    "passes",
    "returns",
    "sits_out",
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
    players = rules.num_players
    for key in ("hands", "stock", "discard"):
        if key not in table:
            raise ValueError(f"the table lacks {key!r}")
    for key in ("hands", "known", "scores", "played", "sits_out"):
        if key in table and len(table[key]) != players:
            raise ValueError(f"{key}={table[key]}: give one entry for each of {players} seats")
    for key in ("to_move", "dealer"):
        check_range(key, table.get(key, 0), 0, players - 1)
    for seat in table.get("winners", ()):
        check_range("winners", seat, 0, players - 1)
    _check_sits_out(rules, table)
    kinds = {action.kind for move in rules.moves() for action in move.actions(rules.pack)}
    if table.get("melds") and not kinds & {"meld_group", "meld_sequence"}:
        raise ValueError(f"melds={table['melds']}: nobody lays melds on the table in {rules.name}")
    places = [*table["hands"], table["stock"], table["discard"], *table.get("melds", ())]
    here = Counter(card for place in places for card in place)
    pack = Counter(rules.pack.text(int(code)) for code in rules.pack.codes)
    if here != pack:
        missing, spare = sorted((pack - here).elements()), sorted((here - pack).elements())
        raise ValueError(
            f"the table must hold the cards of the pack: missing {missing}, too many {spare}"
        )


def _check_sits_out(rules: Rules, table: Mapping[str, Any]) -> None:
    """Refuses hands that nobody plays, or whose mover sits out."""
    out = table.get("sits_out", [False] * rules.num_players)
    if any(out) and (not rules.episode.sends_out or all(out) or out[table.get("to_move", 0)]):
        raise ValueError(
            f"sits_out={out}: only who is not tied in a tie-break game sits it out, and never the "
            f"seat to move, {table.get('to_move', 0)}"
        )


def _phase_index(rules: Rules, table: Mapping[str, Any]) -> int:
    names = [phase.name for phase in rules.turn]
    if table.get("finished", False):
        return -1
    name = table.get("phase", names[0])
    check_choice("phase", name, names)
    return names.index(name)


def _lay_meld(rules: Rules, game: State, meld: Sequence[str]) -> None:
    bits = [regular_bit(card) for card in meld]
    ranks = [bit % NUM_RANKS for bit in bits]
    if len(meld) >= 3 and len(set(ranks)) == 1:
        game.grouped[0] |= word(bits)
    elif len(meld) >= 3 and bits == sequence_cards(bits[0], len(bits)) and KING not in ranks[:-2]:
        game.sequenced[0] |= as_laid(bits)
        game.starts[0] |= word(bits[:1])
    else:
        raise ValueError(f"melds: {' '.join(meld)} is no group and no sequence in ascending order")
