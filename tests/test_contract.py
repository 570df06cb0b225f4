"""What everybody may rely on, whatever is played: the contract, over the whole catalogue."""

import copy

import numpy as np
import pytest

from rummy_env import Action, Engine, IllegalAction, Rules
from rummy_env.core.cards import NO_CARD, NUM_REGULAR, regular_text
from rummy_env.core.keys import game_seeds, table_keys
from rummy_env.parts.gin_points import GinPoints
from tests.rollout import (
    COPIES,
    cards_of,
    choices,
    dealt,
    everything,
    finish,
    fitting,
    random_play,
    tables,
    whole_pack,
)

KINDS = {
    "draw_stock",
    "draw_discard",
    "take_pile",
    "extra_draw",
    "pass",
    "meld_group",
    "meld_sequence",
    "lay_off_group",
    "lay_off_sequence",
    "go_out",
    "lay_down_rummy",
    "four_sevens",
    "discard",
    "knock",
    "gin",
}
KEYS = {
    "hands",
    "stock",
    "discard",
    "melds",
    "to_move",
    "phase",
    "taken",
    "scores",
    "dealer",
    "hand_number",
    "turn_number",
    "winners",
    "finished",
}


def test_every_card_of_the_pack_is_on_the_table_once_after_every_step(
    rules: Rules, thorough: bool
) -> None:
    engine = dealt(rules, num_envs=6)
    for _ in random_play(engine, 150 if thorough else 60):
        assert all(cards_of(table) == whole_pack(rules) for table in tables(engine))


def test_no_card_lies_above_the_top_of_the_pile(rules: Rules) -> None:
    engine = dealt(rules, num_envs=6)
    for _ in random_play(engine, 150):
        pile, size = engine.state.pile, engine.state.pile_size[:, None]
        assert ((pile == NO_CARD) == (np.arange(pile.shape[1]) >= size)).all()


def test_what_is_masked_in_is_accepted(rules: Rules, thorough: bool) -> None:
    engine = dealt(rules, num_envs=1)
    for step, _ in enumerate(random_play(engine, 60)):
        if step % 3 and not thorough:
            continue
        legal = engine.legal_mask()[0].nonzero()[0]
        many = Engine(rules, max(len(legal), 1))
        for row in range(len(legal)):
            many.restore(row, engine.snapshot(0))
        if legal.size:
            many.step(legal)
            assert (many.state.decisions == engine.state.decisions[0] + 1).all()


def test_what_is_masked_out_is_refused_and_changes_nothing(rules: Rules) -> None:
    engine = dealt(rules, num_envs=3)
    for step, _ in enumerate(random_play(engine, 48)):
        row = step // 6 % 3
        if step % 6 or engine.finished[row]:
            continue
        before, actions = everything(engine), choices(engine)
        for illegal in (~engine.legal_mask([row])[0]).nonzero()[0]:
            actions[row] = illegal
            with pytest.raises(IllegalAction):
                engine.step(actions)
        assert everything(engine) == before


def test_a_game_has_a_legal_action_until_it_is_finished_and_then_none(rules: Rules) -> None:
    engine = dealt(rules, num_envs=64)
    for _ in random_play(engine, 150):
        assert (engine.legal_mask().any(axis=1) == ~engine.finished).all()
        assert not (engine.terminated & engine.truncated).any()


def test_a_finished_game_stays_as_it_is(rules: Rules) -> None:
    engine = dealt(rules, num_envs=4)
    finish(engine)
    ended = tables(engine)
    for action in (0, engine.num_actions - 1, -1, engine.num_actions):
        engine.step([action] * 4)
        assert tables(engine) == ended
        assert not engine.rewards.any()
        assert not engine.legal_mask().any()


def test_a_finished_game_says_so(rules: Rules) -> None:
    engine = dealt(rules, num_envs=4)
    finish(engine)
    for row, table in enumerate(tables(engine)):
        assert table["finished"]
        assert table["phase"] == "finished"
        assert engine.terminated[row] != engine.truncated[row]
        assert not (table["winners"] and engine.truncated[row])
        exhausted = len(table["stock"]) <= rules.restocking.ends_hand_at
        void = isinstance(rules.scoring, GinPoints) and not any(table["scores"])
        assert table["winners"] or engine.truncated[row] or exhausted or void


def test_a_game_is_the_same_in_every_batch_and_row(rules: Rules, thorough: bool) -> None:
    many, row = Engine(rules, 4096, seed=11), 3917
    one = Engine(rules, 1, seed=table_keys(11, 4096)[[row]])
    many.reset()
    one.reset()
    for _ in range(60 if thorough else 25):
        assert one.snapshot(0) == many.snapshot(row)
        assert one.legal_mask().tobytes() == many.legal_mask([row]).tobytes()
        assert one.random(np.array([0])).random() == many.random(np.array([row])).random()
        one.step(choices(one))
        many.step(choices(many))
        assert (one.rewards[0] == many.rewards[row]).all()
        one.reset(one.finished.nonzero()[0])
        many.reset(many.finished.nonzero()[0])


def test_a_batch_plays_the_games_of_its_seeds_in_any_order(rules: Rules) -> None:
    seeds = game_seeds(3, 32)
    order = np.random.default_rng(0).permutation(32)
    there, here = Engine(rules, 32, seed=seeds), Engine(rules, 32, seed=seeds[order])
    there.reset()
    here.reset()
    for _ in zip(random_play(there, 60), random_play(here, 60), strict=True):
        assert (there.rewards[order] == here.rewards).all()
    for row in range(0, 32, 4):
        assert here.snapshot(row) == there.snapshot(order[row])


def test_a_step_touches_the_given_rows_alone(rules: Rules) -> None:
    engine = dealt(rules, num_envs=8, steps=30)
    everyone = copy.deepcopy(engine)
    rows, before = np.array([6, 1, 4]), tables(engine)
    engine.step(choices(engine, rows), rows=rows)
    everyone.step(choices(everyone))
    for row, table in enumerate(tables(engine)):
        assert table == (everyone.snapshot(row) if row in rows else before[row])
        paid = everyone.rewards[row] if row in rows else np.zeros(rules.num_players)
        assert (engine.rewards[row] == paid).all()


def test_the_order_of_rows_does_not_matter(rules: Rules) -> None:
    engine = dealt(rules, num_envs=8)
    mirrored = copy.deepcopy(engine)
    rows = np.arange(8)
    for _ in range(60):
        engine.step(choices(engine, rows), rows=rows)
        mirrored.step(choices(mirrored, rows[::-1]), rows=rows[::-1])
    assert everything(engine) == everything(mirrored)


def test_a_reset_touches_the_given_rows_alone(rules: Rules) -> None:
    engine = dealt(rules, num_envs=4, steps=20)
    before = tables(engine)
    engine.reset([2])
    after = tables(engine)
    assert [after[i] == before[i] for i in range(4)] == [True, True, False, True]
    assert (after[2]["turn_number"], after[2]["hand_number"], after[2]["melds"]) == (0, 0, [])
    assert after[2]["seed"] != before[2]["seed"]


@pytest.mark.adapter
@pytest.mark.parametrize("way", COPIES)
def test_a_copied_engine_has_the_same_future_and_a_life_of_its_own(rules: Rules, way: str) -> None:
    engine = dealt(rules, num_envs=3, steps=25)
    twin, before = COPIES[way](engine), everything(engine)
    assert everything(twin) == before
    future = [everything(twin) for _ in random_play(twin, 40)]
    assert everything(engine) == before
    assert [everything(engine) for _ in random_play(engine, 40)] == future


@pytest.mark.parametrize("way", COPIES)
def test_a_state_can_be_copied(rules: Rules, way: str) -> None:
    state = dealt(rules, num_envs=3, steps=25).state
    twin = COPIES[way](state)
    assert all((array == getattr(twin, name)).all() for name, array in state.arrays())


def test_a_state_copied_by_its_own_method_is_independent(rules: Rules) -> None:
    engine = dealt(rules, num_envs=3)
    twin, before = engine.state.copy(), everything(engine)
    for _, array in twin.arrays():
        array[:] = 1
    assert everything(engine) == before


def test_a_snapshot_restored_is_the_same_game_with_the_same_future(
    rules: Rules, thorough: bool
) -> None:
    engine = dealt(rules, num_envs=5)
    for _ in range(8 if thorough else 4):
        for _ in random_play(engine, 9):
            pass
        twin = Engine(rules, 5)
        for row, table in enumerate(tables(engine)):
            twin.restore(row, table)
        assert tables(twin) == tables(engine)
        assert (twin.terminated == engine.terminated).all()
        assert (twin.legal_mask() == engine.legal_mask()).all()
        for _ in range(25):
            actions = choices(twin)
            assert (choices(engine) == actions).all()
            engine.step(actions)
            twin.step(actions)
        assert tables(twin) == tables(engine)


def test_a_snapshot_holds_what_the_contract_names_as_plain_lists_and_text(rules: Rules) -> None:
    def plain(value: object) -> bool:
        if isinstance(value, list):
            return all(map(plain, value))
        return type(value) in (str, int, bool, type(None))

    engine = dealt(rules, num_envs=4, steps=37)
    for table in tables(engine):
        assert table.keys() >= KEYS
        assert all(map(plain, table.values()))
        assert len(table["hands"]) == len(table["scores"]) == rules.num_players


def test_every_action_is_described_in_words_of_the_contract_and_found_by_them(rules: Rules) -> None:
    engine = Engine(rules)
    cards = {*whole_pack(rules), *map(regular_text, range(NUM_REGULAR))}  # also of smaller packs
    for number in range(engine.num_actions):
        action = engine.describe(number)
        assert isinstance(action, Action)
        assert action.kind in KINDS
        assert set(action.cards) <= cards
        assert engine.space.index(action.kind, *action.cards) == number


def test_shapes_and_types_are_those_of_the_contract(rules: Rules) -> None:
    engine = dealt(rules, num_envs=3, steps=7)
    expected = {
        "to_move": (np.int8, (3,)),
        "rewards": (np.float32, (3, rules.num_players)),
        "terminated": (np.bool_, (3,)),
        "truncated": (np.bool_, (3,)),
        "seeds": (np.uint64, (3,)),
    }
    for name, (dtype, shape) in expected.items():
        assert (getattr(engine, name).dtype, getattr(engine, name).shape) == (dtype, shape), name
    assert engine.legal_mask().dtype == np.bool_
    assert engine.legal_mask().shape == (3, engine.num_actions)
    assert engine.legal_mask(rows=[2, 0]).tolist() == engine.legal_mask()[[2, 0]].tolist()


def test_what_one_seat_wins_the_others_lose(variant: str) -> None:
    rules = fitting(variant, num_players=3, hand_size=3, reward="zero_sum")
    engine, paid = dealt(rules, num_envs=256), 0
    for _ in random_play(engine, 150):
        assert np.allclose(engine.rewards.sum(axis=1), 0, atol=1e-6)
        paid += int(engine.rewards.any(axis=1).sum())
    assert paid > 20


def test_rewards_come_only_when_a_hand_ends(rules: Rules, thorough: bool) -> None:
    engine = dealt(rules, num_envs=32 if thorough else 12)
    for _ in random_play(engine, 150):
        new_hand = (engine.state.turn_number == 0) & (engine.state.phase == 0)
        assert not engine.rewards[~(engine.finished | new_hand)].any()


def test_the_same_seed_deals_the_same_games_and_another_seed_others(rules: Rules) -> None:
    first, again, other = (dealt(rules, 4, seed=seed, steps=30) for seed in (1, 1, 2))
    assert everything(first) == everything(again)
    assert everything(first)["hands"] != everything(other)["hands"]
    assert len({str(table["hands"]) for table in tables(first)}) == 4


def test_a_game_can_be_dealt_again_from_its_seed(rules: Rules) -> None:
    engine = dealt(rules, num_envs=3, steps=60)
    seeds = engine.seeds.copy()
    engine.reset()
    assert (engine.seeds != seeds).all()
    engine.reset(seeds=seeds)
    assert tables(engine) == tables(dealt(rules, 3, seed=seeds))


def test_a_game_takes_at_most_a_kibibyte(rules: Rules) -> None:
    assert Engine(rules, num_envs=100).state.num_bytes <= 1024 * 100
