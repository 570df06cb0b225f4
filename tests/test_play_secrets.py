"""A page is told what its seat may know: hidden cards are moved about, and no message changes."""

import json
from collections import Counter

import numpy as np

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.play.melds_found import melds_in_hand
from rummy_env.play.seats import Person
from rummy_env.play.table import Table
from rummy_env.play.telling import told_table
from tests.conftest import few_or_all, over_rules
from tests.hiding import swapped
from tests.play_tables import at_random, people

STEPS, BETWEEN = 600, 5
"""Steps of a game at most, and between two looks."""
BETWEEN_EVERY_DAY = 40
"""Steps between two looks every day."""

SPECIAL = [
    rummy_env.rules("basic", num_players=4),
    rummy_env.rules("rummy_cards", num_players=4, decks=2, spread_out_discards=True),
    rummy_env.rules("rummy_cards", num_players=4, three_card_draw=True),
    rummy_env.rules("gin", lay_off="manual", match="match", max_hands=3, max_turns=40),
    rummy_env.rules("rummy500", num_players=4),
]
EVERY = [*(rummy_env.rules(name) for name in rummy_env.VARIANTS), *SPECIAL]

every_game = few_or_all("rules", few=EVERY[::2], every=EVERY)


def messages(table: Table, seat: int) -> str:
    """All that a page is told at one moment."""
    told = [told_table(table, seat, whole=whole) for whole in (False, True)]
    return json.dumps([*told, melds_in_hand(table.engine.look(seat))])


def with_other_cards(table: Table, seat: int, rng: np.random.Generator, other: Engine) -> Table:
    """The same table, all cards moved about that a seat does not see."""
    moved = people(table.rules)
    moved.seats, moved.number, moved.version = table.seats, table.number, table.version
    moved.wins = table.wins
    other.restore(0, swapped(table.rules, table.engine.snapshot(0), seat, rng))
    moved._game = table._game.kept()
    moved._game.engine = other
    moved._kept = table._kept
    return moved


@every_game
def test_no_message_changes_when_hidden_cards_do(rules: Rules, thorough: bool) -> None:
    between = BETWEEN if thorough else BETWEEN_EVERY_DAY
    rng, table, other, looks = np.random.default_rng(7), people(rules), Engine(rules), 0
    for step in range(STEPS):
        if step % between == 0 or table.finished:
            for seat in range(rules.num_players):
                moved = with_other_cards(table, seat, rng, other)
                assert messages(moved, seat) == messages(table, seat)
                looks += 1
        if table.finished:
            break
        table.play(table.mover, at_random(table, rng))
    assert looks >= 2


def hidden_cards(table: Table, seat: int) -> set[str]:
    """Cards of which no copy lies open to a seat, nor is in its hand."""
    told = table.engine.snapshot(0)
    open_cards = Counter(told["hands"][seat])
    for known in told["known"]:
        open_cards.update(known)
    for meld in told["melds"]:
        open_cards.update(meld)
    covered = not table.rules.sight.pile_known
    open_cards.update(told["discard"][-1:] if covered else told["discard"])
    if told["stock_open"]:
        open_cards.update(told["stock"])
    return {*table.rules.pack.faces} - {*open_cards}


def cards_in(told: object) -> set[str]:
    """Every text anywhere in a message that may be a card."""
    if isinstance(told, dict):
        return set().union(*(cards_in(value) for value in told.values()), set())
    if isinstance(told, list | tuple):
        return set().union(*(cards_in(value) for value in told), set())
    return {told} if isinstance(told, str) else set()


@every_game
def test_no_message_names_a_hidden_card_a_seed_or_a_token(rules: Rules, thorough: bool) -> None:
    rng, table = np.random.default_rng(8), people(rules, seed=None)
    tokens = [seat.token for seat in table.seats if isinstance(seat, Person)]
    for step in range(STEPS):
        if table.finished:
            break
        turn = [step % rules.num_players]
        for seat in range(rules.num_players) if thorough else turn:
            told = told_table(table, seat, whole=True)
            open_to_it = {key: value for key, value in told["scene"].items() if key != "notes"}
            named = cards_in([open_to_it, told["legal"]])
            assert not named & hidden_cards(table, seat)
            text = json.dumps(told)
            assert str(table.game_seed) not in text
            assert not any(token in text for token in tokens)
        table.play(table.mover, at_random(table, rng))


def test_only_the_seat_to_move_is_told_what_is_legal() -> None:
    table = people(rummy_env.rules("basic", num_players=3))
    rng = np.random.default_rng(1)
    for _ in range(60):
        for seat in range(3):
            legal = {each["action"] for each in told_table(table, seat)["legal"]}
            mine = {*np.flatnonzero(table.engine.legal_mask()[0]).tolist()}
            assert legal == (mine if seat == table.mover else set())
        if table.finished:
            break
        table.play(table.mover, at_random(table, rng))


@over_rules(where=lambda rules: rules.num_players > 2)
def test_a_seat_is_told_of_the_places_from_its_own(rules: Rules) -> None:
    table = people(rules)
    for seat in range(rules.num_players):
        labels = [each["label"] for each in told_table(table, seat)["scene"]["seats"]]
        assert labels == [f"Person {(seat + i) % rules.num_players}" for i in range(len(labels))]
