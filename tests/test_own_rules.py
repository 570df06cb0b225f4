"""Rules of a user's own, put together otherwise: heuristics play them as well, or refuse them."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, IllegalAction, Rules
from rummy_env.baselines import resolve
from rummy_env.baselines.asking import ask
from rummy_env.core.arrays import Rows
from rummy_env.core.cards import Pack
from rummy_env.core.determinising import determinise
from rummy_env.core.part import Move, Result, Scoring
from rummy_env.core.rules import END_TURN, Phase, Sight
from rummy_env.core.state import State
from rummy_env.envs.self_play import SelfPlayEnv
from rummy_env.evaluation import words
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawDiscard
from rummy_env.parts.endings import EmptiedHand
from rummy_env.parts.melding import Play
from rummy_env.parts.table_melds import Melding
from tests.rollout import random_play

MELDS, LAY_OFFS = ["meld_group", "meld_sequence"], ["lay_off_group", "lay_off_sequence"]


def listed(rules: Rules, kinds: Sequence[str]) -> Rules:
    """The same rules, with these moves listed in this order, after all others."""

    def ordered(phase: Phase) -> Phase:
        last = sorted(
            phase.moves, key=lambda pair: kinds.index(pair[0].kind) if pair[0].kind in kinds else -1
        )
        return replace(phase, moves=tuple(last))

    return replace(rules, turn=tuple(map(ordered, rules.turn)))


def play(rules: Rules, name: str, steps: int = 80) -> Engine:
    """Games that an agent has played."""
    engine, policy = Engine(rules, 64, seed=1), resolve(name, rules)
    engine.reset()
    for _ in range(steps):
        engine.reset(engine.finished.nonzero()[0])
        engine.step(ask(engine, policy, np.arange(64)))
    return engine


@pytest.mark.parametrize(
    "kinds",
    [
        [*LAY_OFFS, *MELDS, "discard"],
        ["discard", *MELDS, *LAY_OFFS],
        [*MELDS, "discard", *LAY_OFFS],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["strong", "patient"])
def test_the_order_in_which_rules_list_their_plays_is_of_no_account(
    name: str, kinds: list[str]
) -> None:
    usual = rummy_env.rules("basic")
    other = listed(usual, kinds)
    assert Engine(other, 1).space.actions != Engine(usual, 1).space.actions
    assert play(other, name).snapshot(5) == play(usual, name).snapshot(5)


def test_nor_is_that_of_the_plays_after_a_knock() -> None:
    usual = rummy_env.rules("gin", lay_off="manual")
    other = listed(usual, ["pass", LAY_OFFS[1], MELDS[1], *LAY_OFFS[:1], *MELDS[:1]])
    assert Engine(other, 1).space.actions != Engine(usual, 1).space.actions
    assert play(other, "greedy").snapshot(5) == play(usual, "greedy").snapshot(5)


@pytest.mark.parametrize("name", ["greedy", "strong", "patient"])
@pytest.mark.parametrize("pile_known", [True, False])
def test_agents_play_where_the_stock_may_not_be_counted(name: str, *, pile_known: bool) -> None:
    sight = Sight(stock_counted=False, pile_known=pile_known)
    engine = play(replace(rummy_env.rules("basic"), sight=sight), name)
    assert engine.state.turn_number.max() > 1


def test_a_hand_of_gin_is_shown_where_the_stock_may_not_be_counted() -> None:
    engine = Engine(replace(rummy_env.rules("gin"), sight=Sight(stock_counted=False)), 1, seed=1)
    engine.reset()
    assert engine.rules.scoring.notes(engine.look(0)) == ()


def test_the_stock_that_is_there_is_among_those_that_are_believed() -> None:
    """The deal turns up a card, which then lies below the discards as well."""
    sight = Sight(stock_counted=False, pile_known=False)
    engine = Engine(replace(rummy_env.rules("basic"), sight=sight), 64, seed=1)
    engine.reset()
    games, worlds = np.arange(64), np.arange(64 * 150)
    for _ in random_play(engine, 12):
        tables = determinise(engine.look(0), worlds.astype(np.uint64), worlds % 64)
        believed = tables.stock_left(worlds).reshape(-1, 64)
        assert (believed == engine.state.stock_left(games)).any(axis=0).all()


def test_rules_that_leave_a_seat_without_a_move_are_said_to_be_stuck() -> None:
    rules = rummy_env.rules("basic")
    draw, turn = rules.turn
    plays = tuple((move, END_TURN) for move, _ in turn.moves if move.kind != "discard")
    engine = Engine(replace(rules, turn=(draw, replace(turn, moves=plays))), 20, seed=1)
    engine.reset()
    engine.step([engine.space.index("draw_stock")] * 20)
    with pytest.raises(ValueError, match="phase 'play': the rules are stuck, since no") as caught:
        engine.step(engine.random_actions())
    assert not isinstance(caught.value, IllegalAction)  # which would be laid at an agent's door


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"name": 3}, "name=3: give a str"),
        ({"scoring": None}, "scoring=None: give a Scoring"),
        ({"restocking": "none"}, "restocking='none': give a Restock"),
        ({"endings": EmptiedHand()}, r"endings=EmptiedHand\(\): give a tuple, each an Ending"),
        (
            {"endings": [EmptiedHand()]},
            r"endings=\[EmptiedHand\(\)\]: give a tuple, each an Ending",
        ),
        ({"turn": "draw"}, "turn='draw': give a tuple, each a Phase"),
        (
            {"turn": (Phase("draw", {DrawDiscard: END_TURN}),)},  # type: ignore[dict-item]
            "phase 'draw' has .*DrawDiscard.* for a move: give one; DrawDiscard is a class",
        ),
    ],
)
def test_rules_of_other_things_than_parts_are_refused(changed: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        replace(rummy_env.rules("basic"), **changed)


@pytest.mark.parametrize(
    ("variant", "changed", "words"),
    [
        ("gin", {"hand_size": 7}, "hand_size=7: knock was made for hands of 10 cards; make the"),
        ("gin", {"num_players": 3}, "num_players=3: the points of gin are those of two players"),
        ("gin", {"pack": Pack(decks=2)}, "deadwood is counted in one pack of regular cards"),
        ("basic", {"pack": Pack(decks=2)}, "melds on the table is worked out for one pack"),
        ("basic", {"pack": Pack(specials=("WILD",))}, "discard was made for Pack"),
        ("going_out", {"pack": Pack()}, "go_out was made for Pack"),
        ("rummy500", {"pack": Pack(specials=("WILD",))}, "take_pile was made for Pack"),
    ],
)
def test_rules_that_a_part_was_not_made_for_are_refused(
    variant: str, changed: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        replace(rummy_env.rules(variant), **changed)


def returning(*specials: str, **options: Any) -> Rules:
    """Basic rummy in which the card taken may be discarded again, with cards that fit nothing."""
    rules, pack = rummy_env.rules("basic", **options), Pack(specials=specials)
    draw, turn = rules.turn
    (melding,) = rules.parts_of(Melding)
    own = replace(melding, return_taken=True)
    moves: dict[Move, str] = {
        replace(move, melding=own): to for move, to in turn.moves if isinstance(move, Play)
    }
    moves[Discard(pack, return_taken=True)] = END_TURN
    return replace(rules, pack=pack, turn=(draw, Phase(turn.name, moves)))


def with_joker() -> Rules:
    return returning("JOKER")


@pytest.mark.parametrize("specials", [(), ("JOKER", "JOKER")])
@pytest.mark.parametrize("final_discard", [False, True])
def test_a_card_that_may_be_discarded_again_is_no_dead_end(
    specials: tuple[str, ...], final_discard: bool
) -> None:
    rules = returning(*specials, hand_size=4, final_discard=final_discard)
    kings, taken = ["Kc", "Kd", "Kh", "Ks"], "6s"
    others = [card for card in rules.pack.cards if card not in [*kings, taken]]
    engine = Engine(rules)
    table = {"hands": [kings, others[:4]], "discard": [taken], "stock": others[4:], "to_move": 0}
    engine.restore(0, table)
    for action in ("draw discard", f"meld group {' '.join(kings)}", f"discard {taken}"):
        assert engine.legal_mask()[0, engine.space.index(action)]
        engine.step([engine.space.index(action)])
    assert engine.hand_winners.tolist() == [[True, False]]


def test_melds_and_discards_have_to_agree_on_the_card_taken() -> None:
    rules = returning()
    draw, turn = rules.turn
    moves: dict[Move, str] = {move: to for move, to in turn.moves if isinstance(move, Play)}
    moves[Discard(Pack())] = END_TURN
    with pytest.raises(ValueError, match=r"return_taken=True.*: give both the same return_taken"):
        replace(rules, turn=(draw, Phase(turn.name, moves)))


@pytest.mark.parametrize("name", ["greedy", "strong", "patient"])
def test_a_pack_with_special_cards_is_refused_by_who_knows_none(name: str) -> None:
    with pytest.raises(
        ValueError, match=f"{name} cannot play .* by its cards, melds, turn or scoring"
    ):
        resolve(name, with_joker())
    assert play(with_joker(), "random", steps=20).state.turn_number.max() > 1


@dataclass(frozen=True)
class Cards(Scoring):
    """Whoever holds the fewest cards wins, as `spoil` leaves it."""

    spoil: Callable[[Result], object] = lambda result: result

    def score(self, state: State, rows: Rows) -> Any:
        held = np.bitwise_count(state.hands[rows]).sum(axis=2, dtype=np.int32)
        gains = (held.mean(axis=1, keepdims=True) - held).astype(np.float64)
        return self.spoil(Result(held == held.min(axis=1, keepdims=True), held, gains))


def by_cards(spoil: Callable[[Result], object]) -> Rules:
    return replace(rummy_env.rules("basic", hand_size=3), scoring=Cards(spoil))


def test_every_seat_learns_where_no_heuristic_plays() -> None:
    games = SelfPlayEnv(by_cards(lambda result: result), 8)
    turn = games.reset(seed=1)
    games.step(turn.masks.argmax(axis=1))
    with pytest.raises(ValueError, match="greedy cannot play"):
        SelfPlayEnv(games.rules, 8, share=0.5)


def test_a_scoring_needs_no_more_than_to_score() -> None:
    engine = Engine(by_cards(lambda result: result), 8, seed=1)
    engine.reset()
    while engine.running.size:
        engine.step(engine.random_actions()[engine.running], engine.running)
    assert engine.hand_winners.any()


@pytest.mark.parametrize(
    ("spoil", "error", "words"),
    [
        (
            lambda r: replace(r, winners=r.winners[:, :1]),
            ValueError,
            r"winners answers bool\[\d+, 1\]",
        ),
        (lambda r: replace(r, points=r.points[0]), ValueError, r"points answers int32\[2\]"),
        (lambda r: replace(r, gains=r.gains + 1), ValueError, "gains that sum to 2"),
        (lambda r: replace(r, gains=r.gains + np.nan), ValueError, "gains that sum to nan"),
        (lambda r: replace(r, gains=r.gains.tolist()), TypeError, r"gains=\[.*give float64"),
        (
            lambda r: replace(r, points=r.points / 2),
            ValueError,
            r"points answers float64\[.*: give int32",
        ),
        (lambda r: replace(r, winners=r.winners * 1), ValueError, "winners .* give bool"),
        (lambda r: (r.winners, r.points, r.gains), TypeError, "give a Result"),
    ],
)
def test_what_a_scoring_returns_is_checked(spoil: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=rf"Cards\.score.*{words}"):
        play(by_cards(spoil), "random")


def test_a_scoring_that_says_no_cost_of_cards_is_named() -> None:
    with pytest.raises(ValueError, match=r"since Cards has no method caught\(\)"):
        resolve("greedy", by_cards(lambda result: result))
    for name in ("greedy", "camper"):  # what keeps them from gin is something else
        with pytest.raises(
            ValueError, match=f"{name} cannot play .* by its cards, melds, turn or scoring"
        ):
            resolve(name, replace(rummy_env.rules("gin"), scoring=Cards()))


def test_rules_that_were_changed_say_so() -> None:
    rules = rummy_env.rules("basic", num_players=3)
    assert eval(repr(rules), {"rummy_env": rummy_env}) == rules
    changed = replace(rules, max_turns=9, scoring=rummy_env.rules("classic").scoring)
    assert changed.changed == ("scoring", "max_turns")
    assert repr(changed).startswith("replace(rummy_env.rules('basic', num_players=3,")
    assert repr(changed).endswith("max_turns=9)")
    assert words.played(changed).endswith(", with other scoring and max_turns")
    assert repr(pickle.loads(pickle.dumps(changed))) == repr(changed)
    assert replace(changed, max_turns=200, scoring=rules.scoring).changed == ()


def without(variant: str, kinds: Sequence[str]) -> Rules:
    """The rules without some moves."""
    rules = rummy_env.rules(variant)
    phases = (
        replace(phase, moves=tuple(pair for pair in phase.moves if pair[0].kind not in kinds))
        for phase in rules.turn
    )
    return replace(rules, turn=tuple(phases))


@pytest.mark.parametrize("kind", LAY_OFFS)
def test_a_meld_without_its_lay_off_would_leave_dead_ends(kind: str) -> None:
    with pytest.raises(ValueError, match=f"the turn lacks {kind}"):
        without("basic", [kind])
    meld = MELDS[LAY_OFFS.index(kind)]
    played = play(without("basic", [meld, kind]), "random").state
    assert (played.grouped | played.sequenced).any()
    with pytest.raises(ValueError, match="UsingMelding counts on all ways"):
        without("rummy500", [meld, kind])


def test_a_scoring_is_refused_where_no_move_records_what_it_counts() -> None:
    basic, gin = rummy_env.rules("basic"), rummy_env.rules("gin")
    scorings: tuple[Any, ...] = basic.scoring, gin.scoring
    with pytest.raises(ValueError, match="going_rummy=True: the moves do not record"):
        replace(basic, scoring=replace(scorings[0], going_rummy=True))
    with pytest.raises(ValueError, match="LaidPoints: no move lays cards down for points"):
        replace(basic, scoring=rummy_env.rules("rummy500").scoring)
    with pytest.raises(ValueError, match="lay_off='manual' beside a knock with manual=False"):
        replace(gin, scoring=replace(scorings[1], lay_off="manual"))


def test_changed_rules_say_so_however_they_were_made() -> None:
    """A variant's own function makes the same rules as its name does, and both remember them."""
    sight = Sight(stock_counted=False)
    made = [rummy_env.VARIANTS["basic"](), rummy_env.rules("basic")]
    assert repr(made[0]) == repr(made[1])
    changed = {repr(replace(rules, sight=sight)) for rules in made}
    assert len(changed) == 1
    assert changed.pop().startswith("replace(rummy_env.rules('basic', num_players=2, ")
    assert replace(replace(made[0], sight=sight), sight=made[0].sight).changed == ()
