"""Tables and actions as plain lists and text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from rummy_env.core.fields import DTYPES, Field, Kind
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.core.table import as_laid, sequence_cards, table_groups, table_sequences

_OWN_WORDS = (
    *("hands", "known", "stock", "discard", "melds", "phase", "winners", "finished", "seed"),
)
"""What a snapshot tells besides the fields that are told by themselves."""

FINISHED = "finished"
"""The name of the phase in which nothing can be done any more."""


def phase_name(rules: Rules, state: State, row: int) -> str:
    """The phase of one game."""
    if state.terminated[row] or state.truncated[row]:
        return FINISHED
    return rules.turn[int(state.phase[row])].name


def snapshot(rules: Rules, state: State, row: int) -> dict[str, Any]:
    """The table of one game as it lies, hidden cards included; `restore` reads it back.

    Returns:
        What lies on the table: `hands` (a sorted list a seat), `known` (of each hand, the cards
        that everybody knows of), `stock` (next card first), `discard` (top last), `melds`; where
        the game is: `phase`, `winners`, `finished`, `seed`; and every field of the rules that is
        told (`core/fields.py`): cards as text or None, sets of cards as sorted lists, seats as
        numbers or None, a list where there is an entry for each seat.
    """
    text = rules.pack.texts
    grouped, sequenced = int(state.grouped[row]), int(state.sequenced[row])
    stock = state.stock[row, state.stock_at[row] : state.stock_end[row]]
    table = {
        "hands": [sorted(text(hand)) for hand in state.hands[row]],
        "known": [sorted(text(known)) for known in state.known[row]],
        "stock": [rules.pack.text(code) for code in stock.tolist()],
        "discard": [rules.pack.text(code) for code in state.pile[row, : state.pile_size[row]]],
        "melds": table_groups(grouped) + table_sequences(sequenced, int(state.starts[row])),
        "phase": phase_name(rules, state, row),
        "winners": np.flatnonzero(state.winners[row]).tolist(),
        "finished": bool(state.terminated[row] or state.truncated[row]),
        "seed": int(state.seed[row]),
    }
    told = (field for field in state.fields if field.told)
    return {**table, **{f.name: _told(rules.pack, f, getattr(state, f.name)[row]) for f in told}}


def _told(pack: Pack, field: Field, value: Any) -> Any:
    """The entry of a field in one game, in plain lists and text."""
    if "P" in field.axes:
        each = replace(field, axes=field.axes.replace("P", ""))
        return [_told(pack, each, entry) for entry in value]
    if field.kind is Kind.CARDS:
        return sorted(pack.texts(np.atleast_1d(value)))
    if field.kind is Kind.CARD:
        return None if value == NO_CARD else pack.text(int(value))
    if field.kind is Kind.SEAT:
        return None if value < 0 else int(value)
    return value.item()


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
    _check_sits_out(rules, table)
    game = State.empty(1, rules.num_players, rules.pack, rules.state_fields)
    copies = _Copies(rules.pack)
    _lay_piles(copies, game, table)
    _deal_out(rules, copies, game, table)
    for meld in table.get("melds", ()):
        _lay_meld(rules, game, meld)
    game.seed[0] = table.get("seed", 0)
    game.phase[0] = _phase_index(rules, table)
    game.winners[0, table.get("winners", [])] = True
    for field in game.fields:
        if field.told and table.get(field.name) is not None:
            getattr(game, field.name)[0] = _read(rules, field, table[field.name])
    game.terminated[0] = table.get("finished", False) and not game.truncated[0]
    state.put(np.array([row]), game)


def _read(rules: Rules, field: Field, value: Any) -> Any:
    """The entry of a field from what a snapshot tells.

    Raises:
        ValueError: Naming the field and the value, if it cannot be that.
    """
    if "P" in field.axes:
        if not isinstance(value, Sequence) or len(value) != rules.num_players:
            raise ValueError(
                f"{field.name}={value}: give one entry for each of {rules.num_players} seats"
            )
        each = replace(field, axes=field.axes.replace("P", ""))
        return [_read(rules, each, entry) for entry in value]
    try:
        if field.kind is Kind.CARDS:
            words = rules.pack.words(value)
            return words if field.axes else words[0]
        if field.kind is Kind.CARD:
            return field.blank if value is None else rules.pack.code(value)
        return DTYPES[field.kind](field.blank if value is None else value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{field.name}={value!r}: {error}; give {field.meaning}") from error


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


def _check_table(rules: Rules, table: Mapping[str, Any]) -> None:
    players = rules.num_players
    for key in ("hands", "stock", "discard"):
        if key not in table:
            raise ValueError(f"the table lacks {key!r}")
    told = [field.name for field in rules.state_fields if field.told]
    if unknown := [key for key in table if key not in (*_OWN_WORDS, *told)]:
        raise ValueError(f"the table has {unknown}; {rules.name} has {[*_OWN_WORDS, *told]}")
    for key in ("hands", "known", "sits_out"):
        if key in table and len(table[key]) != players:
            raise ValueError(f"{key}={table[key]}: give one entry for each of {players} seats")
    for field in rules.state_fields:
        if field.kind is Kind.SEAT and table.get(field.name) is not None:
            check_range(field.name, table[field.name], 0, players - 1)
    for seat in table.get("winners", ()):
        check_range("winners", seat, 0, players - 1)
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
