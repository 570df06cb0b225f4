"""What makes no sense is refused with a clear message, and the games stay as they were."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, IllegalAction
from rummy_env.search import worlds
from tests.rollout import choices, dealt, everything, finish
from tests.table import Table, lay


def engine_of(num_envs: int = 3) -> Engine:
    return dealt(rummy_env.rules("basic"), num_envs)


# Making an engine


@pytest.mark.parametrize("num_envs", [0, -3, 2.5, "4", None])
def test_an_impossible_number_of_games_is_refused(num_envs: Any) -> None:
    with pytest.raises(ValueError, match=f"num_envs={num_envs!r}"):
        Engine(rummy_env.rules("basic"), num_envs)


@pytest.mark.parametrize(
    "seed", [[1, 2], [[1, 2, 3]], [1.0, 2.0, 3.0], 0.5, "abc", np.zeros(4, np.uint64)]
)
def test_seeds_of_another_shape_or_kind_are_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"one for each of 3 games|seed=1\.0: give a whole number"):
        Engine(rummy_env.rules("basic"), 3, seed=seed)
    engine = engine_of()
    before = everything(engine)
    with pytest.raises(ValueError, match=r"one for each of 3 games|seed=1\.0: give a whole number"):
        engine.reset(seeds=seed)
    assert everything(engine) == before


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (-1, "seed=-1: "),
        (2**64, "seed=18446744073709551616: "),
        ([3, -2, 1], "seed=-2: "),
        (np.array([3, -2, 1]), "seeds from -2: "),
    ],
)
def test_seeds_outside_64_bits_are_refused(seed: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words + "give .*whole number.* from 0 to 1844674407"):
        Engine(rummy_env.rules("basic"), 3, seed=seed)
    with pytest.raises(ValueError, match=words):
        engine_of().reset(seeds=seed)


def test_as_many_seeds_as_rows_are_needed() -> None:
    engine = engine_of()
    with pytest.raises(ValueError, match="one for each of 2 games"):
        engine.reset([0, 2], seeds=[1, 2, 3])


@pytest.mark.parametrize(
    "seed", [7, np.int64(7), np.uint64(7), [7, 8, 9], [5, 2**63, 2**64 - 1], np.arange(3)]
)
def test_numbers_of_every_kind_are_seeds(seed: Any) -> None:
    engine = Engine(rummy_env.rules("basic"), 3, seed=seed)
    engine.reset()
    first = everything(engine)
    engine.reset(seeds=seed)
    assert everything(engine) == first


def test_no_games_are_given_no_actions() -> None:
    engine = engine_of()
    before = everything(engine)
    assert engine.is_legal([], []).shape == (0,)
    engine.step([], rows=[])
    assert everything(engine) == before


# Before the first deal


@pytest.mark.parametrize(
    "use",
    [
        lambda engine: engine.step([0, 0]),
        lambda engine: engine.step([0], rows=[1]),
        lambda engine: engine.legal_mask(),
        lambda engine: engine.snapshot(1),
        lambda engine: engine.look(0),
        lambda engine: engine.random(),
        lambda engine: engine.how_ended(),
    ],
)
def test_nothing_can_be_done_before_the_deal(use: Callable[[Engine], Any]) -> None:
    engine = Engine(rummy_env.rules("basic"), 2)
    with pytest.raises(ValueError, match="reset"):
        use(engine)
    engine.reset([0])
    with pytest.raises(ValueError, match="reset"):
        use(engine)
    engine.reset([1])
    use(engine)


# Actions of a wrong form


@pytest.mark.parametrize("actions", [[0, 0], [0, 0, 0, 0], [[0, 0, 0]], 0])
def test_actions_of_another_shape_are_refused(actions: Any) -> None:
    engine = engine_of()
    before = everything(engine)
    with pytest.raises(ValueError, match=r"actions of shape .* \(3,\)"):
        engine.step(actions)
    with pytest.raises(ValueError, match=r"actions of shape .* \(1,\)"):
        engine.step([0, 0], rows=[2])
    assert everything(engine) == before


@pytest.mark.parametrize("actions", [[0.0] * 3, [True] * 3, ["0"] * 3, [None] * 3])
def test_actions_of_another_type_are_refused(actions: Any) -> None:
    engine = engine_of()
    before = everything(engine)
    with pytest.raises(TypeError, match="whole numbers"):
        engine.step(actions)
    assert everything(engine) == before


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("actions", lambda engine, ragged: engine.step(ragged)),
        ("rows", lambda engine, ragged: engine.legal_mask(ragged)),
        ("seats", lambda engine, ragged: engine.look(ragged)),
    ],
)
def test_lists_of_unequal_lists_are_refused(name: str, use: Callable[[Engine, Any], Any]) -> None:
    with pytest.raises(ValueError, match=rf"{name}=\[\[0\], \[0, 1\]\]: give an array, or a list"):
        use(engine_of(), [[0], [0, 1]])


def test_a_snapshot_is_restored_not_laid() -> None:
    engine = engine_of()
    with pytest.raises(TypeError, match="give a State; restore lays a snapshot"):
        engine.lay(engine.snapshot(0))  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.intp])
def test_actions_of_every_whole_type_are_taken(dtype: Any) -> None:
    engine = engine_of()
    engine.step(np.zeros(3, dtype))
    assert (engine.state.decisions == 1).all()


@pytest.mark.parametrize("rows", [[3], [-1], [0.0], [[0]], [True]])
def test_rows_that_are_no_games_are_refused(rows: Any) -> None:
    engine = engine_of()
    before = everything(engine)
    with pytest.raises(ValueError, match="rows"):
        engine.step([0], rows=rows)
    with pytest.raises(ValueError, match="rows"):
        engine.reset(rows)
    with pytest.raises(ValueError, match="rows"):
        engine.legal_mask(rows)
    assert everything(engine) == before


def test_a_game_is_stepped_once_at_a_time() -> None:
    engine = engine_of()
    before = everything(engine)
    with pytest.raises(ValueError, match="rows"):
        engine.step([0, 0], rows=[1, 1])
    assert everything(engine) == before


def test_no_rows_are_no_step() -> None:
    engine = engine_of()
    before = everything(engine)
    engine.step(np.zeros(0, np.int64), rows=[])
    assert everything(engine) == before


# Illegal actions


def test_an_illegal_action_is_named_with_game_seat_phase_and_what_is_legal() -> None:
    engine = engine_of()
    table = lay("basic", "2c 5d | Kc", discard="7s")
    table.play("draw discard")
    engine.restore(1, table.engine.snapshot(0))
    actions = choices(engine)
    actions[1] = engine.space.index("discard", "7s")
    with pytest.raises(IllegalAction) as refused:
        engine.step(actions)
    message = str(refused.value)
    for word in ("game 1", "seat 0", "'play'", str(actions[1]), "discard 7s"):
        assert word in message
    assert "discard 2c, discard 5d" in message


def test_an_illegal_action_is_a_value_error() -> None:
    assert issubclass(IllegalAction, ValueError)


@pytest.mark.parametrize("action", [-1, 10**6, -(10**12)])
def test_an_action_that_does_not_exist_is_illegal_and_named(action: int) -> None:
    engine = engine_of()
    before = everything(engine)
    with pytest.raises(IllegalAction, match=f"action {action} .*none of 0 to"):
        engine.step([0, action, 0])
    assert everything(engine) == before


def test_one_illegal_action_stops_the_whole_step() -> None:
    engine = engine_of()
    engine.step([0, 0, 0])
    before, actions = everything(engine), choices(engine)
    actions[2] = 0
    with pytest.raises(IllegalAction, match="game 2"):
        engine.step(actions)
    assert everything(engine) == before


def test_a_refused_step_does_not_take_the_rewards_of_the_last_one_away() -> None:
    table = lay("basic", "9c | Kd", stock="8s", melds="9d 9h 9s", match="match", deals=3)
    paid = table.play("draw stock; lay off 9c on group; discard 8s")
    with pytest.raises(IllegalAction):
        table.play("discard 8s")
    assert paid == [0.1, -0.1]
    assert table.engine.rewards[0].tolist() == pytest.approx(paid)


@pytest.mark.parametrize("action", [-1, 10**6])
def test_only_actions_that_exist_are_described(action: int) -> None:
    with pytest.raises(ValueError, match=f"action={action}"):
        engine_of().describe(action)


@pytest.mark.parametrize(
    "words", [("fold",), ("discard",), ("discard", "10h"), ("meld_group", "7c")]
)
def test_only_actions_that_exist_have_a_number(words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=f"no action '{words[0].replace('_', ' ')}"):
        engine_of().space.index(*words)


@pytest.mark.parametrize("words", [(5,), ([],), ("discard", 5)])
def test_actions_are_named_by_text(words: Any) -> None:
    with pytest.raises(TypeError, match=r"action (5|\[\]): give text, as in index"):
        engine_of().space.index(*words)


# Views of a moment that has passed


@pytest.mark.parametrize(
    "move_on",
    [
        lambda engine: engine.step(choices(engine)),
        lambda engine: engine.reset([0]),
        lambda engine: engine.restore(0, engine.snapshot(1)),
    ],
)
def test_a_view_is_of_one_moment(move_on: Callable[[Engine], Any]) -> None:
    engine = engine_of()
    view = engine.look(0)
    hand = view.hand
    move_on(engine)
    assert view.hand is hand
    with pytest.raises(RuntimeError, match="look again"):
        _ = view.known


# Tables that cannot be


def with_meld(table: dict[str, Any], meld: str) -> dict[str, Any]:
    """The table with these cards of the stock laid down."""
    cards = meld.split()
    return {**table, "stock": [c for c in table["stock"] if c not in cards], "melds": [cards]}


def without(table: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name != key}


Spoil = Callable[[dict[str, Any]], dict[str, Any]]
IMPOSSIBLE: dict[str, tuple[Spoil, str]] = {
    "no hands": (lambda t: without(t, "hands"), "hands"),
    "no stock": (lambda t: without(t, "stock"), "stock"),
    "a hand too few": (
        lambda t: {**t, "hands": t["hands"][:1], "stock": t["stock"] + t["hands"][1]},
        "hands=.* 2 seats",
    ),
    "a hand too many": (lambda t: {**t, "hands": [*t["hands"], []]}, "hands=.* 2 seats"),
    "a card missing": (lambda t: {**t, "stock": t["stock"][1:]}, "missing"),
    "a card twice": (lambda t: {**t, "discard": t["discard"] + t["stock"][:1]}, "too many"),
    "no card": (lambda t: {**t, "stock": ["10h", *t["stock"][1:]]}, "10h"),
    "an unknown phase": (lambda t: {**t, "phase": "bidding"}, "phase='bidding'"),
    "a seat that is none": (lambda t: {**t, "to_move": 2}, "to_move=2"),
    "a seat below none": (lambda t: {**t, "to_move": -1}, "to_move=-1"),
    "a dealer that is none": (lambda t: {**t, "dealer": 5}, "dealer=5"),
    "a winner that is none": (lambda t: {**t, "winners": [4], "finished": True}, "winners"),
    "a winner of a game that goes on": (lambda t: {**t, "winners": [0]}, r"winners=\[0\]: a game"),
    "a turn before the first": (lambda t: {**t, "turn_number": -1}, "turn_number=-1: give"),
    "scores of too many seats": (lambda t: {**t, "scores": [1, 2, 3]}, "scores"),
    "known cards of too few seats": (lambda t: {**t, "known": [[]]}, "known"),
    "a known card not held": (lambda t: {**t, "known": [t["stock"][:1], []]}, "known"),
    "a taken card that is none": (lambda t: {**t, "taken": "1h"}, "1h"),
    "a meld of two": (lambda t: with_meld(t, "3c 3d"), "3c"),
    "a meld of strangers": (lambda t: with_meld(t, "3c 6d Kh"), "3c"),
    "a sequence out of order": (lambda t: with_meld(t, "5c 3c 4c"), "5c"),
    "a sequence above the king": (lambda t: with_meld(t, "Qc Kc Ac"), "melds: queen, king, ace"),
    "a sequence round the corner": (lambda t: with_meld(t, "Kc Ac 2c"), "Kc"),
}
"""Ways to spoil a table, and what the message must name."""


def position() -> Table:
    return lay("basic", "2h 5d | Kd", discard="7s", stock="8d")


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_an_impossible_table_is_refused_and_the_game_stays(what: str) -> None:
    spoil, named = IMPOSSIBLE[what]
    table = position()
    table.play("draw stock")
    before, snapshot = everything(table.engine), table.engine.snapshot(0)
    with pytest.raises(ValueError, match=named):
        table.engine.restore(0, spoil(snapshot))
    assert everything(table.engine) == before
    table.play("discard 8d")


@pytest.mark.parametrize(("variant", "left"), [("gin", 2), ("rummy_cards", 0), ("rummy500", 0)])
def test_nobody_draws_from_a_stock_that_has_ended_the_hand(variant: str, left: int) -> None:
    engine = Engine(rummy_env.rules(variant), seed=1)
    engine.reset()
    while (table := engine.snapshot(0))["phase"] != "draw":
        engine.step(engine.random_actions())
    stock, pile = table["stock"], table["discard"]
    late = {**table, "discard": [*pile, *stock[left:]], "stock": stock[:left]}
    with pytest.raises(ValueError, match=f"stock: {left} cards; the hand ends with a turn that"):
        engine.restore(0, late)
    if variant != "rummy_cards":  # whose pile may not hold all cards
        least = left + 1
        engine.restore(0, {**table, "discard": [*pile, *stock[least:]], "stock": stock[:least]})
        assert engine.legal_mask()[0, engine.space.index("draw_stock")]


def test_a_row_that_is_no_game_is_not_restored() -> None:
    table = position()
    with pytest.raises(ValueError, match="rows"):
        table.engine.restore(1, table.engine.snapshot(0))


def test_a_finished_game_that_is_laid_anew_goes_on() -> None:
    engine = engine_of()
    begun = engine.snapshot(1)
    finish(engine)
    engine.restore(1, begun)
    assert engine.snapshot(1) == begun
    assert engine.finished.tolist() == [True, False, True]
    assert engine.legal_mask([1]).any()
    engine.step(choices(engine))
    assert engine.snapshot(1) != begun


@pytest.mark.parametrize("seats", [-1, 2, 9, 1.7, True, "a", None, [0, 1], [[0]]])
def test_a_view_of_a_seat_that_is_none_of_the_table_is_refused(seats: Any) -> None:
    engine = dealt(rummy_env.rules("basic"), 4)
    with pytest.raises(ValueError, match=r"give 0 to 1|give a whole number, or one for each of 1"):
        engine.look(seats, rows=[1])


def test_of_no_games_a_view_is_empty() -> None:
    engine = dealt(rummy_env.rules("basic"), 4)
    assert len(engine.look([], rows=[])) == len(engine.look(0, rows=[])) == 0


@pytest.mark.parametrize("rng", [0, "a", np.random])
def test_what_draws_no_numbers_is_refused(rng: Any) -> None:
    with pytest.raises(TypeError, match=r"rng=.*: give a Generator, as np\.random\.default_rng"):
        engine_of().random_actions(rng)


@pytest.mark.parametrize("row", [-1, 4])
def test_a_game_that_there_is_not_is_refused(row: int) -> None:
    engine = dealt(rummy_env.rules("basic"), 4)
    for ask in (
        engine.snapshot,
        lambda row: engine.random([row]),
        lambda row: engine.look(0, [row]),
    ):
        with pytest.raises(ValueError, match="games are 0 to 3"):
            ask(row)


def test_numbers_of_numpy_are_numbers() -> None:
    two: Any = np.int64(2)
    given = {"num_players": np.int64(3), "lay_off": np.bool_(False), "max_turns": np.uint8(50)}
    rules = rummy_env.rules("basic", **given)
    assert repr(rules) == repr(rummy_env.rules("basic", num_players=3, lay_off=False, max_turns=50))
    assert Engine(rules, two).num_envs == 2
    made: Any = rummy_env.VARIANTS["gin"]  # by its own function, too
    assert repr(made(knock_card=np.int64(5))) == repr(rummy_env.rules("gin", knock_card=5))


@pytest.mark.parametrize(
    ("seeds", "items", "says"),
    [
        (range(8), None, r"seeds of shape \(8,\) for 4 worlds"),
        (range(-1, 3), None, "seed=-1: give a whole number from 0 to 18446744073709551615"),
        ([], [], "no worlds: give a seed for each, one at least"),
    ],
)
def test_every_world_has_a_seed(seeds: Any, items: Any, says: str) -> None:
    view = dealt(rummy_env.rules("basic"), 4).look(0)
    some: Any = range(4)
    assert worlds(view, some).num_envs == 4
    assert worlds(view, [2**64 - 1, 2**63, 1, 0]).num_envs == 4
    with pytest.raises(ValueError, match=says):
        worlds(view, seeds, items)
