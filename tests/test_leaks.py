"""No seat learns what it may not know: hidden cards are moved about, and nothing it sees changes.

Two ways of moving them: `determinise`, which search uses, and swaps made by hand on a snapshot,
which know nothing of the code under test but the names of the places.
"""

import copy
import pickle
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.core.arrays import Words
from rummy_env.core.determinising import determinise
from rummy_env.core.keys import game_seeds
from rummy_env.core.notation import snapshot
from rummy_env.core.state import State
from rummy_env.core.visibility import SeatView, look
from tests.conftest import label
from tests.hiding import (
    GAMES,
    MOMENTS,
    covered_pile,
    dealt_anew,
    hidden_hands,
    looks,
    masks_of_movers,
    moments,
    redealt,
    swapped,
)
from tests.rollout import cards_of, choices, dealt, fitting, random_play, seen, tables, whole_pack
from tests.table import TABLE_VARIANTS


def test_a_redeal_of_hidden_cards_changes_nothing_that_a_seat_sees(
    rules: Rules, thorough: bool
) -> None:
    for moment, engine, seat in looks(rules, thorough=thorough):
        games = redealt(rules, engine.state, seat, seed=moment)
        view = look(rules, games, np.arange(GAMES), np.full(GAMES, seat))
        assert seen(view) == seen(engine.look(seat))
        before = masks_of_movers(rules, engine.state, seat)
        assert masks_of_movers(rules, games, seat) == before


def test_hidden_cards_swapped_by_hand_change_nothing_that_a_seat_sees(
    rules: Rules, thorough: bool
) -> None:
    rng, other = np.random.default_rng(4), Engine(rules, GAMES)
    changed = 0
    for _, engine, seat in looks(rules, thorough=thorough):
        for row, table in enumerate(tables(engine)):
            moved = swapped(rules, table, seat, rng)
            changed += moved["hands"] != table["hands"]
            other.restore(row, moved)
        assert seen(other.look(seat)) == seen(engine.look(seat))
        before = masks_of_movers(rules, engine.state, seat)
        assert masks_of_movers(rules, other.state, seat) == before
    assert changed > GAMES * MOMENTS // 3


SHOWN_TO_ALL = ("knock", "gin", "pass", "go_out", "lay_down_rummy", "four_sevens")
"""Actions that may show a whole hand."""


def test_of_a_hand_the_others_know_what_was_taken_in_their_sight_and_is_still_there(
    rules: Rules, thorough: bool
) -> None:
    engine = dealt(rules, GAMES)
    before, learnt = tables(engine), 0
    for actions in random_play(engine, 200 if thorough else 80):
        after = tables(engine)
        for old, new, action in zip(before, after, actions.tolist(), strict=True):
            goes_on = old["hand_number"] == new["hand_number"] and not new["finished"]
            goes_on &= not old["finished"]  # it has been dealt anew
            kind, mover = engine.describe(action).kind, old["to_move"]
            if goes_on and kind not in SHOWN_TO_ALL:
                gained = Counter(new["hands"][mover]) - Counter(old["hands"][mover])
                lost = Counter(old["hands"][mover]) - Counter(new["hands"][mover])
                if not new["stock_open"]:
                    gained &= Counter(old["discard"]) - Counter(new["discard"])
                old["known"][mover] = sorted(
                    (Counter(old["known"][mover]) + gained - lost).elements()
                )
                assert new["known"] == old["known"]
                learnt += bool(gained)
        before = after
    assert learnt > GAMES


def test_a_view_stays_that_of_its_seat_whatever_becomes_of_the_arrays_given(rules: Rules) -> None:
    engine = dealt(rules, 3)
    seats, rows = np.zeros(2, np.intp), np.array([2, 1])
    view, own = engine.look(seats, rows), engine.look(0, [2, 1]).hand
    seats[:], rows[:] = 1, 0
    assert np.array_equal(view.hand, own)
    for each in (engine, copy.copy(engine), pickle.loads(pickle.dumps(engine))):
        with pytest.raises(ValueError, match="read-only"):
            each.as_rows(None)[0] = 2


def sent(view: SeatView) -> SeatView:
    """A view as another process gets it."""
    made: SeatView = pickle.loads(pickle.dumps(view))
    return made


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, sent])
def test_the_copy_of_a_view_is_what_its_seat_knew(
    copied: Callable[[SeatView], SeatView], rules: Rules
) -> None:
    engine = dealt(rules, 3, steps=5)
    whole = engine.look(1)
    for view in (whole, whole.one()):
        made = copied(view)
        assert not hasattr(made, "_state")
        for name in view.fields(rules):
            was, now = getattr(view, name), getattr(made, name)
            assert np.array_equal(was, now), name
            assert np.shape(was) == np.shape(now), name


def test_a_seat_sees_every_change_of_its_own_hand(rules: Rules) -> None:
    engine, other = dealt(rules, GAMES, steps=1), Engine(rules, GAMES)
    for row, table in enumerate(tables(engine)):
        hand, stock = table["hands"][0], table["stock"]
        other_card = next(i for i, card in enumerate(stock) if card not in hand)
        table["hands"][0] = [*hand[1:], stock[other_card]]
        table["stock"] = [*stock[:other_card], hand[0], *stock[other_card + 1 :]]
        other.restore(row, {**table, "known": [[]] * rules.num_players, "taken": None})
    assert seen(other.look(0))["hand"] != seen(engine.look(0))["hand"]
    assert seen(other.look(0))["features"] != seen(engine.look(0))["features"]


@pytest.mark.parametrize("variant", TABLE_VARIANTS)
def test_the_moments_include_every_phase_renewed_stocks_and_finished_games(variant: str) -> None:
    rules = rummy_env.rules(variant, hand_size=20, max_turns=60)
    met = [table for engine in moments(rules) for table in tables(engine)]
    phases = {phase.name for phase in rules.turn}
    assert {table["phase"] for table in met} == {*phases, "finished"}
    assert {table["shuffles"] > 1 or table["stock_open"] for table in met} == {True, False}
    assert any(table["known"][1] for table in met)
    assert any(table["melds"] for table in met)


def test_the_moments_include_every_phase_of_declared_hands_and_equal_cards() -> None:
    rules = rummy_env.rules(
        "rummy_cards", num_players=7, going_out_variation=True, three_card_draw=True, max_turns=90
    )
    met = [table for engine in moments(rules) for table in tables(engine)]
    assert {table["phase"] for table in met} == {"draw", "extra_draw", "play", "finished"}
    assert {table["shuffles"] > 1 for table in met} == {True, False}
    assert any(len(covered_pile(rules, table)[0]) > 9 for table in met)
    assert any("WILD" in known for table in met for known in table["known"])
    assert any(len(set(hand)) < len(hand) for table in met for hand in table["hands"])


def test_a_redeal_keeps_the_pack_whole_and_moves_what_is_hidden(
    rules: Rules, thorough: bool
) -> None:
    same, secret = 0, 0
    for moment, engine, seat in looks(rules, thorough=thorough):
        games = redealt(rules, engine.state, seat, seed=moment)
        for row, table in enumerate(tables(engine)):
            new = snapshot(rules, games, row)
            assert cards_of(new) == whole_pack(rules)
            assert new["hands"][seat] == table["hands"][seat]
            for hand, known in zip(new["hands"], table["known"], strict=True):
                assert Counter(known) <= Counter(hand)
            secret_cards = sum(map(len, hidden_hands(table, seat)))
            if secret_cards > 3 and table["shuffles"] == 1 < len(table["stock"]):
                secret += 1
                same += new["hands"] == table["hands"]
    assert same < secret / 10


def test_redealing_leaves_the_game_itself_alone(rules: Rules) -> None:
    engine = dealt(rules, GAMES, steps=40)
    before = tables(engine)
    redealt(rules, engine.state, 0, seed=1)
    assert tables(engine) == before


def test_every_hidden_card_is_as_likely_in_a_hand_as_its_size_says(variant: str) -> None:
    rules = fitting(variant, num_players=3)
    engine, count = dealt(rules, 1), 4000
    rows, seats = np.zeros(count, np.intp), np.ones(count, np.intp)
    games = dealt_anew(rules, engine.state, rows, seats, game_seeds(8, count))
    hidden = whole_pack(rules) - cards_of(
        {**engine.snapshot(0), "hands": [[], [], []], "stock": []}
    )
    hidden.subtract(engine.snapshot(0)["hands"][1])
    share = rules.hand_size / hidden.total()
    for seat in {*range(rules.num_players)} - {1}:
        for card, copies in hidden.items():
            held = mean_held(rules, games, seat, card)
            assert abs(held - copies * share) <= 5 * (copies * share * (1 - share) / count) ** 0.5


def mean_held(rules: Rules, games: State, seat: int, card: str) -> float:
    """How many of a card a seat holds on average."""
    codes = [code for code in rules.pack.codes.tolist() if rules.pack.text(code) == card]
    return sum(float(_holds(games, seat, code).mean()) for code in codes)


def _holds(games: State, seat: int, code: int) -> Words:
    return games.hands[:, seat, code // 64] >> np.uint64(code % 64) & np.uint64(1)


def test_a_card_that_is_kept_is_as_likely_with_the_other_seat_of_a_tie_break_game() -> None:
    """Seats that sit out were dealt nothing: what others were dealt, the one that plays has."""
    rules = rummy_env.rules("rummy_cards", num_players=6, match="match")
    engine, count = dealt(rules, 1), 4000
    table = engine.snapshot(0)
    card = rules.pack.words(["NO_MELD"])[0]
    assert "NO_MELD" not in table["hands"][0]
    table["stock"] += [card for hand in table["hands"][2:] for card in hand]
    table["hands"][2:] = [[], [], [], []]
    table |= {"sits_out": [False, False, True, True, True, True], "to_move": 0}
    engine.restore(0, table)
    seeds, items = np.arange(count, dtype=np.uint64), np.zeros(count, np.intp)
    share = (determinise(engine.look(0), seeds, items).hands[:, 1, 0] & card != 0).mean()
    assert share == pytest.approx(5 / (rules.pack.num_cards - 5), abs=0.015)


RENEWED = [
    rummy_env.rules("basic", hand_size=20),
    rummy_env.rules("basic", hand_size=20, restock="shuffle_all"),
    rummy_env.rules("going_out", num_players=3, hand_size=10, leftover="none", pile_recall=True),
]


@pytest.mark.parametrize("rules", RENEWED, ids=label)
def test_a_card_that_did_not_go_back_into_the_stock_is_not_redealt_there(rules: Rules) -> None:
    engine = dealt(rules, GAMES)
    renewed: list[Counter[str] | None] = [None] * GAMES
    checked = 0
    before = tables(engine)
    for step, _ in enumerate(random_play(engine, 260)):
        now = tables(engine)
        for row, table in enumerate(now):
            if table["turn_number"] == 0:
                renewed[row] = None
            elif len(table["stock"]) > len(before[row]["stock"]):
                renewed[row] = Counter(table["stock"])
        games = redealt(rules, engine.state, step % 2, seed=step)
        for row, cards in enumerate(renewed):
            if cards is not None:
                assert Counter(snapshot(rules, games, row)["stock"]) <= cards
                checked += 1
        before = now
    assert checked > 100


def test_redealt_games_can_be_played_to_their_end(rules: Rules) -> None:
    engine = dealt(rules, GAMES, steps=33)
    games = redealt(rules, engine.state, seat=1, seed=9)
    other = Engine(rules, GAMES)
    for row in range(GAMES):
        other.restore(row, snapshot(rules, games, row))
    for _ in range(150):
        other.step(choices(other))
    assert all(cards_of(table) == whole_pack(rules) for table in tables(other))


def test_what_comes_after_a_redeal_does_not_tell_the_coming_cards(variant: str) -> None:
    rules = rummy_env.rules(variant)
    engine = dealt(rules, 1)
    rows, seats = np.zeros(200, np.intp), np.zeros(200, np.intp)
    games = dealt_anew(rules, engine.state, rows, seats, game_seeds(2, 200))
    next_cards = {snapshot(rules, games, row)["stock"][0] for row in range(200)}
    assert len(next_cards) > 30
    assert (games.seed != engine.seeds[0]).all()
