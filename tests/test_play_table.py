"""A table: turns, undo, the log, one game after the other."""

import numpy as np
import pytest

import rummy_env
from rummy_env.core.actions import action_space
from rummy_env.play.moves import told_action
from rummy_env.play.seats import Person, check_name, labels
from rummy_env.play.table import NOBODY, Refused, Table
from rummy_env.records import Record
from rummy_env.records import play as play_record
from tests.play_tables import against, at_random, people


def number(table: Table, text: str) -> int:
    kind, *cards = text.split()
    return table.engine.space.index(kind, *cards)


def played_out(table: Table, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    while not table.finished:
        table.play(table.mover, at_random(table, rng))
    return table


def some(table: Table, kind: str) -> int:
    """A legal action of a kind."""
    legal = np.flatnonzero(table.engine.legal_mask()[0]).tolist()
    return next(a for a in legal if table.engine.describe(a).kind == kind)


def test_a_seat_out_of_turn_is_refused_and_nothing_changes() -> None:
    table = people(rummy_env.rules("basic"))
    before = table.engine.snapshot(0)
    with pytest.raises(Refused, match="it is the turn of Person"):
        table.play(1 - table.mover, some(table, "draw_stock"))
    assert (table.engine.snapshot(0), table.version) == (before, 0)


def test_an_action_that_is_not_legal_is_named() -> None:
    table = people(rummy_env.rules("basic"))
    action = table.engine.space.index("discard", "7h")
    with pytest.raises(Refused, match="'discard 7h' is not legal now"):
        table.play(table.mover, action)


@pytest.mark.parametrize("action", [-1, 10**6, 200])
def test_an_action_that_is_not_legal_is_refused_and_nothing_changes(action: int) -> None:
    table = people(rummy_env.rules("basic"))
    before = table.engine.snapshot(0)
    with pytest.raises(Refused, match="is not legal now"):
        table.play(table.mover, action)
    assert (table.engine.snapshot(0), table.version, table.actions) == (before, 0, [])


def test_a_drawn_card_cannot_be_put_back() -> None:
    table = people(rummy_env.rules("basic"))
    mover = table.mover
    table.play(mover, some(table, "draw_stock"))
    assert not table.can_undo(mover)
    with pytest.raises(Refused, match="nothing to undo"):
        table.undo(mover)


def test_what_was_taken_from_an_open_pile_can_be_put_back() -> None:
    table = people(rummy_env.rules("basic"))
    mover, before = table.mover, table.engine.snapshot(0)
    table.play(mover, some(table, "draw_discard"))
    table.undo(mover)
    assert table.engine.snapshot(0) == before
    assert table.actions == []


def test_what_was_taken_from_a_covered_pile_cannot_be_put_back() -> None:
    table = people(rummy_env.rules("rummy_cards"))
    mover = table.mover
    for kind in ("draw_stock", "discard"):
        table.play(mover, some(table, kind))
    other = table.mover
    table.play(other, some(table, "draw_stock"))
    table.play(other, some(table, "discard"))
    table.play(table.mover, some(table, "draw_discard"))  # which uncovers the one below
    assert not table.can_undo(mover)


def test_a_discard_can_be_taken_back_until_the_next_player_acts() -> None:
    table = people(rummy_env.rules("basic"))
    mover = table.mover
    table.play(mover, some(table, "draw_stock"))
    before = table.engine.snapshot(0)
    table.play(mover, some(table, "discard"))
    assert (table.can_undo(mover), table.can_undo(table.mover)) == (True, False)
    table.undo(mover)
    assert table.engine.snapshot(0) == before
    table.play(mover, some(table, "discard"))
    table.play(table.mover, some(table, "draw_stock"))
    assert not table.can_undo(mover)


def test_several_actions_can_be_taken_back_one_by_one() -> None:
    table = people(rummy_env.rules("basic"))
    mover, before = table.mover, table.engine.snapshot(0)
    table.play(mover, some(table, "draw_discard"))
    discards = np.flatnonzero(table.engine.legal_mask()[0]).tolist()
    table.play(mover, discards[-1])
    table.undo(mover)
    table.undo(mover)
    assert table.engine.snapshot(0) == before
    assert [entry.words for entry in table.log] == ["game 1 is dealt"]


@pytest.mark.parametrize("variant", ["going_out", "rummy_cards"])
def test_a_discard_that_covers_another_can_be_taken_back(variant: str) -> None:
    table = people(rummy_env.rules(variant))
    for _ in range(3):
        mover = table.mover
        table.play(mover, some(table, "draw_stock"))
        before = table.engine.snapshot(0)
        table.play(mover, some(table, "discard"))
        table.undo(mover)
        assert table.engine.snapshot(0) == before
        table.play(mover, some(table, "discard"))


def test_nobody_can_undo_where_there_is_nothing_to_undo() -> None:
    table = people(rummy_env.rules("basic"))
    with pytest.raises(Refused, match="nothing to undo"):
        table.undo(NOBODY)


def test_what_a_shuffle_turned_up_is_not_seen_and_taken_back() -> None:
    """In `bonus` the whole pile is shuffled, and its first card begins the new one."""
    rng, shuffled = np.random.default_rng(5), 0
    for seed in range(20):
        table = people(rummy_env.rules("bonus"), seed)
        while not table.finished:
            seat, before = table.mover, table.engine.state.recycled[0].copy()
            table.play(seat, at_random(table, rng))
            if (table.engine.state.recycled[0] != before).any() and not table.finished:
                shuffled += 1
                assert not table.can_undo(seat)
    assert shuffled


def test_a_finished_game_cannot_be_undone() -> None:
    table = played_out(people(rummy_env.rules("going_out", max_turns=4)))
    assert not any(table.can_undo(seat) for seat in range(2))


@pytest.mark.parametrize("variant", rummy_env.VARIANTS)
def test_undone_games_are_recorded_as_they_came_out(variant: str) -> None:
    rng, undone = np.random.default_rng(2), 0
    while not undone:  # a hand may be over before anything can be undone
        table = people(rummy_env.rules(variant), seed=None)
        while not table.finished:
            seat = table.mover
            table.play(seat, at_random(table, rng))
            if table.can_undo(seat) and rng.random() < 0.4:
                table.undo(seat)
                undone += 1
    line = table.record().to_line()
    (*_, last) = play_record(Record.from_line(line))
    assert last.finished[0]


def test_the_log_names_the_end_and_wins_are_counted() -> None:
    table = played_out(people(rummy_env.rules("basic", match="match", deals=2)))
    words = [entry.words for entry in table.log if entry.seat == NOBODY]
    assert words[0] == "game 1 is dealt"
    assert words[1].startswith("hand 1 is over: ")
    assert words[-1].startswith("the game is over (")
    assert sum(table.wins) == table.engine.state.winners[0].sum()


def test_the_next_game_waits_for_the_end_of_this_one() -> None:
    table = people(rummy_env.rules("basic"))
    with pytest.raises(Refused, match="not over yet"):
        table.again()
    played_out(table).again()
    assert (table.number, table.finished, table.actions) == (2, False, [])


def test_a_seed_deals_the_games_that_an_engine_deals_from_it() -> None:
    rules = rummy_env.rules("gin")
    table, engine = people(rules, seed=5), rummy_env.Engine(rules, seed=5)
    engine.reset()
    assert table.engine.snapshot(0) == engine.snapshot(0)
    played_out(table).again()
    engine.reset()
    assert table.engine.snapshot(0) == engine.snapshot(0)


def test_without_a_seed_no_two_tables_are_alike() -> None:
    rules = rummy_env.rules("gin")
    assert people(rules, None).game_seed != people(rules, None).game_seed


def test_agents_play_what_the_engine_allows() -> None:
    table = against("greedy", "gin")
    rng = np.random.default_rng(1)
    while not table.finished:
        agent = table.agent_to_move
        action = at_random(table, rng) if agent is None else table.choice(agent)
        table.play(table.mover, action)
    assert {entry.seat for entry in table.log} == {0, 1, NOBODY}


def test_every_kind_of_action_that_moves_cards_has_its_places() -> None:
    spaces = [action_space(rummy_env.rules(name)) for name in rummy_env.VARIANTS]
    told = [told_action(space, number) for space in spaces for number in range(len(space))]
    words = {action["words"] for action in told if not action["from"]}
    assert words == {"gin", "go out", "lay down rummy", "pass"}
    zones = {"stock", "discards", "hand", "table"}
    assert {action[end] for action in told for end in ("from", "to")} == {"", *zones}


def test_equal_names_are_told_apart() -> None:
    assert labels(["greedy", "Ann", "greedy"]) == ["greedy 1", "Ann", "greedy 2"]
    assert labels(["Ann", "Ann", "Ann 1"]) == ["Ann 2", "Ann 3", "Ann 1"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, 3, None])
def test_a_name_that_is_none_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match="give 1 to 24 characters"):
        check_name(name)


def test_a_table_needs_as_many_seats_as_its_rules() -> None:
    with pytest.raises(ValueError, match="1 seats: basic has 2"):
        Table(rummy_env.rules("basic"), [Person("Ann")])
