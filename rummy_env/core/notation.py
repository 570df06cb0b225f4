"""Tables as plain lists and text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rummy_env.core.arrays import Words
from rummy_env.core.bits import word
from rummy_env.core.cards import KING, NO_CARD, NUM_RANKS, Pack, regular_bit
from rummy_env.core.checks import check_choice, check_flag, check_range, shown
from rummy_env.core.display import Spot
from rummy_env.core.fields import MOST_TOLD, Field, Kind
from rummy_env.core.keys import MOST_SEED
from rummy_env.core.rules import Rules
from rummy_env.core.state import State, sets_of
from rummy_env.core.table import as_laid, sequence_cards, table_groups, table_sequences

OWN_WORDS = ("hands", "known", "stock", "discard", "melds", "phase", "winners", "finished", "seed")
"""The entries of a snapshot besides the fields that have entries of their own."""

CUT_OFF = "cut off"
"""How a hand that had too many turns is said to have ended."""
FINISHED = "finished"
"""The name of the phase in which nothing can be done any more."""


def phase_name(rules: Rules, state: State, row: int) -> str:
    """Return the phase of one game."""
    if state.finished[row]:
        return FINISHED
    return rules.turn[int(state.phase[row])].name


def snapshot(rules: Rules, state: State, row: int) -> dict[str, Any]:
    """Return the table of one game as it lies, hidden cards included; `restore` reads it back.

    It has the cards: `hands` (a sorted list a seat), `known` (of each hand, those that everybody
    knows of), `stock` (next card first), `discard` (top last), `melds`; the progress: `phase`,
    `winners`, `finished`, `seed`; and every field of the rules that is `told`: cards as text or
    None, sets of cards as sorted lists, seats as numbers or None, a list for an axis of seats.
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
        "finished": bool(state.finished[row]),
        "seed": int(state.seed[row]),
    }
    told = (field for field in state.fields if field.told)
    return {**table, **{f.name: _told(rules.pack, f, getattr(state, f.name)[row]) for f in told}}


def _told(pack: Pack, field: Field, value: Any) -> Any:
    """Return the entry of a field in one game, in plain lists and text."""
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


def restore(rules: Rules, table: Mapping[str, Any]) -> State:
    """Return the game, one, that a snapshot tells.

    Args:
        rules: The rules of the game.
        table: A snapshot. `hands`, `stock` and `discard` are needed. What else is left out is 0,
            False or nothing, with seat 0 to move in the first phase, after one shuffle.

    Raises:
        ValueError: Naming the entry, if the table is impossible: cards missing or too many, melds
            that are none, numbers, seats or a phase that do not exist.
    """
    _check_entries(rules, table)
    _check_cards(rules, table)
    game = State.empty(1, rules.num_players, rules.pack, rules.state_fields)
    game.shuffles[0] = 1  # the deal
    for field in game.fields:
        if field.told and field.name in table:
            getattr(game, field.name)[0] = _read(rules, field, table[field.name])
    copies = _Copies(rules.pack)
    _lay_piles(copies, game, table)
    _deal_out(rules, copies, game, table)
    for meld in table.get("melds", ()):
        _lay_meld(game, meld)
    game.seed[0] = table.get("seed", 0)
    game.winners[0, table.get("winners", [])] = True
    game.terminated[0] = table.get("finished", False) and not game.truncated[0]
    game.phase[0] = _phase_index(rules, game, table)
    _check_sits_out(rules, game)
    if not game.finished[0]:  # a hand that has gone on for longer would have been cut off
        check_range("turn_number", int(game.turn_number[0]), 0, rules.max_turns - 1)
    for part in rules.parts:
        part.check_table(game, rules)
    return game


def _read(rules: Rules, field: Field, value: Any) -> Any:
    """Convert what a snapshot tells of a field; a ValueError naming both if it cannot be."""
    name, pack = field.name, rules.pack
    if "P" in field.axes:
        each = replace(field, axes=field.axes.replace("P", ""))
        return [_read(rules, each, entry) for entry in _seats(rules, name, value)]
    if field.kind is Kind.CARDS:
        _check_cards_of(pack, name, value)
        try:
            words = pack.words(value)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
        return words if field.axes else words[0]
    if value is None and field.blank in (NO_CARD, -1):
        return field.blank
    if field.kind is Kind.CARD:
        _check_cards_of(pack, name, [value])
        return pack.code(value)
    if field.kind is Kind.FLAG:
        check_flag(name, value)
    elif field.kind is Kind.SEAT:
        check_range(name, value, 0, rules.num_players - 1)
    else:
        check_range(name, value, field.least, MOST_TOLD)
    return value


class _Copies:
    """Hands out the cards of a pack by their text, of equal cards one after the other."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._used: Counter[str] = Counter()

    def codes(self, texts: Sequence[str]) -> list[int]:
        """Return the codes of cards, none of them handed out before."""
        codes = []
        for text in texts:
            codes.append(int(self.pack.copies[self.pack.code(text), self._used[text]]))
            self._used[text] += 1
        return codes

    def words(self, codes: Sequence[int]) -> Words:
        """Return uint64[W], a set of cards."""
        return sets_of(np.array(codes, np.uint8), self.pack.decks)


def _lay_piles(copies: _Copies, game: State, table: Mapping[str, Any]) -> None:
    """Lay the stock and the discard pile."""
    stock, pile = copies.codes(table["stock"]), copies.codes(table["discard"])
    game.stock[0, : len(stock)] = stock
    game.stock_end[0] = len(stock)
    game.pile[0, : len(pile)] = pile
    game.pile_size[0] = len(pile)
    game.piled[0] = copies.words(pile)


def _deal_out(rules: Rules, copies: _Copies, game: State, table: Mapping[str, Any]) -> None:
    """Deal out the hands, and note the cards of them that everybody knows."""
    nothing: list[list[str]] = [[]] * rules.num_players
    hands = zip(table["hands"], table.get("known", nothing), strict=True)
    for seat, (hand, known) in enumerate(hands):
        if Counter(known) - Counter(hand):
            raise ValueError(f"known={known}: seat {seat} must hold the cards that it is known for")
        hidden = list((Counter(hand) - Counter(known)).elements())
        shown = copies.codes(known)
        game.known[0, seat] = copies.words(shown)
        game.hands[0, seat] = copies.words([*shown, *copies.codes(hidden)])


def _check_entries(rules: Rules, table: Mapping[str, Any]) -> None:
    """Refuse entries that are missing, unknown, or not of their type."""
    if not isinstance(table, Mapping):
        raise ValueError(f"table={shown(table)}: give a snapshot, a mapping by name")
    if missing := [key for key in ("hands", "stock", "discard") if key not in table]:
        raise ValueError(f"the table lacks {', '.join(map(repr, missing))}: give each a list")
    told = [*OWN_WORDS, *(field.name for field in rules.state_fields if field.told)]
    if unknown := [key for key in table if key not in told]:
        raise ValueError(f"the table has {shown(unknown)}; {rules.name} has {told}")
    for key in ("hands", "known"):
        for cards in _seats(rules, key, table[key]) if key in table else ():
            _check_cards_of(rules.pack, key, cards)
    for key in ("stock", "discard"):
        _check_cards_of(rules.pack, key, table[key])
    for meld in _list("melds", table.get("melds", [])):
        _check_cards_of(rules.pack, "melds", meld)
    for seat in _list("winners", table.get("winners", [])):
        check_range("winners", seat, 0, rules.num_players - 1)
    check_flag("finished", table.get("finished", False))
    if table.get("winners") and (table.get("truncated") or not table.get("finished")):
        raise ValueError(
            f"winners={shown(table['winners'])}: a game that goes on (finished=False), or was cut "
            f"off (truncated=True), has none"
        )
    if table.get("truncated") and not table.get("finished"):
        raise ValueError("truncated=True: a game that was cut off has finished; give finished=True")
    check_range("seed", table.get("seed", 0), 0, MOST_SEED)


def _list(key: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key}={shown(value)}: give a list")
    return value


def _seats(rules: Rules, key: str, value: Any) -> Sequence[Any]:
    seats = rules.num_players
    if len(_list(key, value)) != seats:
        raise ValueError(f"{key}={shown(value)}: give one entry for each of {seats} seats")
    return value


def _check_cards_of(pack: Pack, key: str, cards: Any) -> None:
    """Refuse all but a list of cards of the pack."""
    for card in _list(key, cards):
        if not isinstance(card, str) or card not in pack.faces:
            raise ValueError(
                f"{key}: {shown(card)} is no card of the pack: give cards such as '7h'"
            )


def _check_cards(rules: Rules, table: Mapping[str, Any]) -> None:
    """Refuse all but the cards of the pack, and melds where there are none."""
    melding = any(move.path and move.path[1] is Spot.MELDS for move in rules.moves())
    if table.get("melds") and not melding:
        raise ValueError(
            f"melds={shown(table['melds'])}: nobody lays melds on the table in {rules.name}"
        )
    places = [*table["hands"], table["stock"], table["discard"], *table.get("melds", ())]
    here = Counter(card for place in places for card in place)
    pack = Counter(rules.pack.cards)
    if here != pack:
        missing, spare = sorted((pack - here).elements()), sorted((here - pack).elements())
        raise ValueError(
            f"hands, stock, discard and melds must hold the cards of the pack: missing "
            f"{shown(missing)}, too many {shown(spare)}"
        )


def _check_sits_out(rules: Rules, game: State) -> None:
    """Refuse seats that sit out where none may, or the mover, or all but one, or with cards."""
    out, mover = game.sits_out[0], int(game.to_move[0])
    if out.any() and (not rules.episode.sends_out or out[mover]):
        raise ValueError(
            f"sits_out={out.tolist()}: only who is not tied in a tie-break game sits it out, and "
            f"never the seat to move, {mover}"
        )
    if out.sum() > rules.num_players - 2:
        raise ValueError(f"sits_out={out.tolist()}: two seats at least play a hand")
    if holding := (out & game.hands[0].any(axis=1)).nonzero()[0].tolist():
        raise ValueError(f"sits_out={out.tolist()}: seat {holding[0]} sits out, so it has no cards")


def _phase_index(rules: Rules, game: State, table: Mapping[str, Any]) -> int:
    names = [phase.name for phase in rules.turn]
    if game.finished[0]:
        check_choice("phase", table.get("phase", FINISHED), [FINISHED, *names])
        return -1
    name = table.get("phase", names[0])
    check_choice("phase", name, names)
    return names.index(name)


def _lay_meld(game: State, meld: Sequence[str]) -> None:
    bits = [regular_bit(card) for card in meld]
    ranks = [bit % NUM_RANKS for bit in bits]
    if len(meld) >= 3 and len(set(ranks)) == 1:
        game.grouped[0] |= word(bits)
    elif len(meld) >= 3 and bits == sequence_cards(bits[0], len(bits)) and KING not in ranks[:-2]:
        game.sequenced[0] |= as_laid(bits)
        game.starts[0] |= word(bits[:1])
    else:
        raise ValueError(f"melds: {' '.join(meld)} is no group and no sequence in ascending order")
