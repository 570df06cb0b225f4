"""Search: worlds that a seat may believe in, games played out in them, and moves compared."""

from collections import Counter, defaultdict
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.baselines import Greedy, Random, Strong, resolve
from rummy_env.baselines.asking import decide
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.determinising import determinise
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView, ToldView
from rummy_env.melds.card_worth import counts, nearness, planes
from rummy_env.search import Search, play_on, play_out, worlds
from tests.hiding import dealt_anew, looks, moments
from tests.policies import movers
from tests.rollout import (
    cards_of,
    dealt,
    everything,
    fitting,
    seen,
    tables,
    whole_pack,
)

GIN_OF_TEN = rummy_env.rules("gin", num_ranks=5, num_suits=2, hand_size=3, knock_card=3)
"""Ten cards, so that all that is hidden can be listed."""


def test_in_a_world_the_viewer_sees_what_it_sees(rules: Rules, thorough: bool) -> None:
    for moment, engine, seat in looks(rules, thorough=thorough):
        view = engine.look(seat)
        games = worlds(view, game_seeds(moment, engine.num_envs))
        assert seen(games.look(0)) == seen(view)
        mine = (engine.to_move == seat) & ~engine.finished
        assert np.array_equal(games.finished, engine.finished)
        assert np.array_equal(games.legal_mask()[mine], engine.legal_mask()[mine])


def test_worlds_are_made_of_what_the_view_tells_and_of_nothing_else(rules: Rules) -> None:
    for moment, engine in enumerate(moments(rules)):
        view, seeds = engine.look(moment % rules.num_players), game_seeds(moment, engine.num_envs)
        told = ToldView(rules, view.told())
        theirs = dict(determinise(told, seeds).arrays())
        for name, array in determinise(view, seeds).arrays():
            assert np.array_equal(array, theirs[name]), name


def test_a_world_does_not_depend_on_the_other_worlds(rules: Rules) -> None:
    for moment, engine in enumerate(moments(rules)):
        view, seeds = engine.look(0), game_seeds(moment, engine.num_envs)
        together = dict(determinise(view, seeds).arrays())
        for row in range(engine.num_envs):
            alone = determinise(view.take(np.array([row])), seeds[row : row + 1])
            for name, array in alone.arrays():
                assert np.array_equal(array[0], together[name][row]), name


def test_a_world_is_whole(rules: Rules) -> None:
    for moment, engine in enumerate(moments(rules)):
        games = worlds(engine.look(0), game_seeds(moment, engine.num_envs))
        for table in tables(games):
            assert cards_of(table) == whole_pack(rules)
        other = Engine(rules, 1)
        for table in tables(games):
            other.restore(0, table)  # which refuses tables that are none
            assert other.snapshot(0) == table


def test_the_same_seed_makes_the_same_world_for_every_move(rules: Rules) -> None:
    engine = dealt(rules, 4, steps=9)
    rows = engine.running
    view, items = movers(engine, rows), np.array([0, 0, len(rows) - 1, 0])
    games = worlds(view, np.array([7, 7, 7, 8], np.uint64), items)
    told = tables(games)
    assert told[0] == told[1]
    assert told[0] != told[3]
    alone = worlds(view.take(items[2:3]), np.array([7], np.uint64))
    assert tables(alone)[0] == told[2]


def test_hidden_cards_are_dealt_evenly() -> None:
    engine = Engine(GIN_OF_TEN, 1, seed=3)
    engine.reset()
    view = engine.look(engine.to_move.astype(np.intp))
    count = 20_000
    games = worlds(view, game_seeds(1, count), np.zeros(count, np.intp))
    hidden = int(np.bitwise_count(view.unseen).sum())
    assert hidden == 6
    hands, stocks = games.state.hands[:, 1, 0].tolist(), games.state.stock[:, :2].tolist()
    found = Counter((hand, *stock) for hand, stock in zip(hands, stocks, strict=True))
    # Six cards, three of them in the other hand, and the order of those of the stock.
    expected = count / 120
    assert len(found) == 120
    chi_squared = sum((seen - expected) ** 2 / expected for seen in found.values())
    assert chi_squared < 173  # a chance of one in a thousand, for 119 degrees of freedom


def test_a_pile_with_a_card_that_may_not_be_discarded_is_refused() -> None:
    engine = dealt(rummy_env.rules("rummy_cards"), 1)
    table = engine.snapshot(0)
    table["stock"].remove("NO_MELD")
    table["discard"].append("NO_MELD")
    with pytest.raises(ValueError, match="discard: NO_MELD may never be discarded; leave it out"):
        engine.restore(0, table)


def test_hidden_cards_are_dealt_by_their_odds() -> None:
    """Each next card of the hand in proportion to its odds, and the stock is as random as ever."""
    engine = Engine(GIN_OF_TEN, 1, seed=3)
    engine.reset()
    view, count = engine.look(engine.to_move.astype(np.intp)), 20_000
    hidden = [i for i in range(52) if int(view.unseen[0, 0]) >> i & 1]
    odds = dict(zip(hidden, (1.0, 2.0, 0.5, 4.0, 1.0, 0.25), strict=True))
    given = np.array([odds.get(i, 7.0) for i in range(52)])[:, None]
    games = determinise(view, game_seeds(1, count), np.zeros(count, np.intp), given)
    hands, stocks = games.hands[:, 1, 0].tolist(), games.stock[:, 0].tolist()
    found = Counter(zip(hands, stocks, strict=True))
    expected: dict[tuple[int, int], float] = defaultdict(float)
    for cards in permutations(hidden, 4):
        left, chance = sum(odds.values()), 1.0
        for card in cards[:3]:
            chance *= odds[card] / left
            left -= odds[card]
        hand = sum(1 << card for card in cards[:3])
        expected[hand, cards[3]] += count * chance / 3
    assert len(expected) == 60
    chi_squared = sum((found[key] - mean) ** 2 / mean for key, mean in expected.items())
    assert chi_squared < 98.4  # a chance of one in a thousand, for 59 degrees of freedom


@pytest.mark.parametrize("name", ["basic", "gin", "going_out"])
def test_by_belief_the_others_seldom_hold_what_lies_near_their_discards(name: str) -> None:
    engine = dealt(rummy_env.rules(name), 200, steps=24)
    rows = engine.running
    view, items = movers(engine, rows), np.arange(len(rows)).repeat(20)
    seeds = game_seeds(5, len(items))
    near = []
    for beliefs in (False, True):
        games = worlds(view, seeds, items, beliefs=beliefs)
        assert seen(games.look(0)) == seen(view.take(items))
        held = planes(games.state.hands[:, 1, 0] & view.unseen[items, 0])
        shunned = view.known[:, 1, 0]
        if view.rules.sight.pile_known:
            shunned = view.discarded[:, 1]
        near.append((held * nearness(counts(shunned))[:, items] / 2).sum() / held.sum())
    if view.rules.sight.pile_known:
        assert near[1] < 0.7 * near[0]
    else:
        assert near[1] > 1.05 * near[0]


def test_hands_are_played_out_as_by_hand(rules: Rules) -> None:
    policy, engine = Random(), dealt(rules, 6, steps=20)
    games = worlds(engine.look(0), game_seeds(2, 6))
    before, hands = games.state.scores.copy(), games.state.hand_number.copy()
    slow = worlds(engine.look(0), game_seeds(2, 6))
    gains = play_out(games, policy)
    for row in range(6):
        while not slow.finished[row] and slow.state.hand_number[row] == hands[row]:
            some = np.array([row])
            view, mask = movers(slow, some), slow.legal_mask(some)
            slow.step(policy.act(view, mask, slow.random(some)), some)
    assert _tables(slow) == _tables(games)
    scored = (slow.state.scores - before).tolist()
    for row, points in enumerate(scored):
        others = [sum(points) - own for own in points]
        expected = [
            own - rest / (len(points) - 1) for own, rest in zip(points, others, strict=True)
        ]
        assert gains[row] == pytest.approx(expected)


@pytest.mark.parametrize("variant", ["bonus", "rummy_cards"])
def test_where_winning_alone_is_paid_hands_won_count(variant: str) -> None:
    games = Engine(rummy_env.rules(variant, num_players=3, reward="win"), 200, seed=1)
    games.reset()
    for _ in range(40):
        rows = games.running
        games.step(decide(games, [Greedy()], rows), rows)
    over, won_before = games.finished.copy(), games.hand_winners.copy()
    gains = play_out(games, "greedy")
    won = games.hand_winners.astype(float)
    expected = won - (won.sum(axis=1, keepdims=True) - won) / 2
    expected[over] = 0
    assert np.allclose(gains, expected)
    assert won_before[over].any()
    assert won[~over].any()


def test_in_matches_hands_count_by_their_points() -> None:
    games = dealt(rummy_env.rules("gin", match="match", reward="win"), 50)
    assert np.abs(play_out(games, "greedy")).max() > 1


def _tables(engine: Engine) -> dict[str, bytes]:
    """All arrays of the games, but for what the last step paid."""
    return {name: array for name, array in everything(engine).items() if name != "rewards"}


def test_in_a_match_the_next_hand_is_not_played() -> None:
    rules = rummy_env.rules("gin", match="match", target=200)
    engine = dealt(rules, 16)
    games = worlds(engine.look(0), game_seeds(2, 16))
    play_out(games, Greedy())
    assert (games.state.hand_number[~games.finished] == 1).all()
    assert (games.state.turn_number[~games.finished] == 0).all()


def test_policies_are_named_or_given_and_fit_the_seats() -> None:
    rules = rummy_env.rules("basic", num_players=3)
    alone, thrice = (play_out(dealt(rules, 4), given) for given in ("greedy", ["greedy"] * 3))
    assert np.array_equal(alone, thrice)
    with pytest.raises(ValueError, match="2 policies for 3 seats: give one, or one for each"):
        play_out(dealt(rules, 4), ["greedy", "random"])
    with pytest.raises(ValueError, match="cannot play"):
        play_out(dealt(rules, 4), "camper")


def test_hands_begin_with_the_actions_given_one_for_each() -> None:
    rules = rummy_env.rules("basic")
    first = dealt(rules, 3).legal_mask().argmax(axis=1)
    gains = play_out(dealt(rules, 3), "greedy", [int(action) for action in first])
    assert np.array_equal(gains, play_out(dealt(rules, 3), "greedy", first))
    with pytest.raises(ValueError, match=r"actions of shape \(2,\): give one per game, \(3,\)"):
        play_out(dealt(rules, 3), "greedy", first[:2])


def test_every_seat_may_have_a_policy_of_its_own() -> None:
    engine = dealt(fitting("basic", num_players=3), 300)
    games = worlds(engine.look(0), game_seeds(2, 300))
    gains = play_out(games, [Strong(), Random(), Random()]).mean(axis=0)
    assert gains[0] > 10 > 0 > gains[1]
    assert gains.sum() == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("name", ["basic", "gin", "going_out"])
def test_search_does_not_see_what_is_hidden(name: str) -> None:
    rules = rummy_env.rules(name)
    engine, other = dealt(rules, 4, steps=30), Engine(rules, 4)
    search = Search("greedy", worlds=8)
    rows = engine.running
    seats = engine.to_move[rows]
    other.lay(engine.state.copy())
    other.state.put(rows, dealt_anew(rules, engine.state, rows, seats, game_seeds(9, len(rows))))
    masks, rng = engine.legal_mask(rows), engine.random(rows)
    mine, theirs = (
        search.think(movers(game, rows), masks, rng.take(np.arange(len(rows))))
        for game in (engine, other)
    )
    for name in ("choice", "actions", "ahead", "error"):
        assert np.array_equal(getattr(mine, name), getattr(theirs, name)), name


def test_a_choice_depends_neither_on_the_batch_nor_on_how_many_games_are_side_by_side(
    thorough: bool,
) -> None:
    number, games = (12, 5) if thorough else (4, 3)
    engine = dealt(rummy_env.rules("basic"), games, steps=40)
    rows = engine.running
    masks = engine.legal_mask(rows)
    together = Search("greedy", worlds=number).act(movers(engine, rows), masks, engine.random(rows))
    narrow = Search("greedy", worlds=number, batch=7)
    assert np.array_equal(narrow.act(movers(engine, rows), masks, engine.random(rows)), together)
    for item, row in enumerate(rows):
        some = np.array([row])
        alone = narrow.act(movers(engine, some), masks[item : item + 1], engine.random(some))
        assert alone == together[item]


def test_what_search_finds_of_a_move_goes_to_its_exact_worth() -> None:
    """All hidden cards of a pack of ten are listed; greedy plays both seats, without any luck."""
    engine = Engine(GIN_OF_TEN, 1, seed=11)
    engine.reset()
    table = engine.snapshot(0)
    view, mask = engine.look(engine.to_move.astype(np.intp)), engine.legal_mask()
    legal = mask[0].nonzero()[0]
    seat, base = int(engine.to_move[0]), Greedy()
    hidden = table["hands"][1 - seat] + table["stock"]
    worth = {int(action): np.mean(_gains(table, seat, hidden, action, base)) for action in legal}
    assert len(set(worth.values())) > 1
    search = Search(base, worlds=2048, gate=0.0, beliefs=False)
    thoughts = search.think(view, mask, GameRandom(game_seeds(5, 1)))
    first = int(thoughts.actions[0, 0])
    for action, ahead, error in zip(
        thoughts.actions[0].tolist(), thoughts.ahead[0], thoughts.error[0], strict=True
    ):
        assert abs(ahead - (worth[action] - worth[first])) <= 4 * error + 1e-6
    assert worth[int(thoughts.choice[0])] == max(worth.values())


def _gains(table: dict[str, Any], seat: int, hidden: list[str], action: int, base: Any) -> Any:
    """What a move brings in every world there is, each of them laid by hand."""
    count = len(table["hands"][1 - seat])
    dealings = [[*order] for order in permutations(hidden)]
    games = Engine(GIN_OF_TEN, len(dealings))
    for row, cards in enumerate(dealings):
        hands: list[list[str]] = [[], []]
        hands[seat], hands[1 - seat] = table["hands"][seat], cards[:count]
        games.restore(row, {**table, "hands": hands, "stock": cards[count:]})
    return play_out(games, base, np.full(len(dealings), action))[:, seat]


def test_moves_that_the_base_policy_would_hardly_play_are_not_weighed() -> None:
    rules = rummy_env.rules("gin")
    engine, base = dealt(rules, 64, steps=30), resolve("trained", rules)
    rows = engine.running
    view, mask, rng = movers(engine, rows), engine.legal_mask(rows), engine.random(rows)
    chances = base.probabilities(view, mask, rng)  # type: ignore[attr-defined]
    search = Search(base, worlds=2, candidates=99, min_probability=0.2)
    weighed = search.think(view, mask, rng).actions
    for row, some in enumerate(weighed):
        likely = {*(chances[row] >= 0.2).nonzero()[0].tolist(), int(chances[row].argmax())}
        assert {*some[some >= 0].tolist()} == likely
    assert (weighed >= 0).sum(axis=1).max() > 1


class Sure:
    """Plays the last legal action, and says that all others are impossible."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`."""
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)

    def probabilities(self, view: SeatView, mask: Bools, rng: GameRandom) -> Any:
        """One action has them all."""
        return np.eye(mask.shape[1])[self.act(view, mask, rng)]


def test_moves_that_the_base_policy_says_are_impossible_are_weighed_as_well() -> None:
    engine = dealt(rummy_env.rules("gin"), 16, steps=12)
    rows = engine.running
    view, mask, rng = movers(engine, rows), engine.legal_mask(rows), engine.random(rows)
    search = Search(Sure(), rollouts="greedy", worlds=2, candidates=mask.shape[1])
    for weighed, legal in zip(search.think(view, mask, rng).actions, mask, strict=True):
        assert sorted(weighed[weighed >= 0]) == legal.nonzero()[0].tolist()


@pytest.mark.parametrize("variant", ["basic", "gin"])
def test_hands_are_played_on_until_the_viewer_chooses_and_the_rest_is_told(variant: str) -> None:
    policy, engine = Random(), dealt(fitting(variant, hand_size=3), 40, steps=12)
    first = worlds(engine.look(0), game_seeds(3, 40))
    moves = policy.act(first.look(first.to_move), first.legal_mask(), first.random())
    gains, due = play_on(first, policy, lambda view: 1000.0 + np.arange(len(view)), moves), 0
    slow = worlds(engine.look(0), game_seeds(3, 40))
    before = slow.state.scores.copy()
    for row in slow.running.tolist():
        some, chooses = np.array([row]), False
        slow.step(moves[some], some)
        while not slow.finished[row] and not chooses:
            view, mask = movers(slow, some), slow.legal_mask(some)
            chooses = int(slow.to_move[row]) == 0 and mask.sum() > 1
            if not chooses:
                slow.step(policy.act(view, mask, slow.random(some)), some)
        won = slow.state.scores[row] - before[row]
        told = gains[row] - (won[0] - won[1])
        assert (told >= 1000) if chooses else (told == 0)
        due += chooses
    assert _tables(slow) == _tables(first)
    assert due


def test_a_search_by_values_takes_the_move_of_which_the_critic_says_most() -> None:
    rules = rummy_env.rules("gin")
    engine, base = dealt(rules, 64, steps=31), resolve("trained", rules)
    rows = engine.running[:12]
    view, mask, rng = movers(engine, rows), engine.legal_mask(rows), engine.random(rows)
    search = Search(base, worlds=16, candidates=3, gate=0.0, drop=np.inf, leaf="value")
    assert search.plays(rules)
    thoughts = search.think(view, mask, rng)
    best = np.where(thoughts.actions >= 0, thoughts.gains, -np.inf).argmax(axis=1)
    assert np.array_equal(thoughts.actions[np.arange(len(best)), best], thoughts.choice)
    ends = Search(base, worlds=16, candidates=3, drop=np.inf).think(view, mask, rng)
    assert thoughts.error.mean() < ends.error.mean()


def test_a_move_that_is_hardly_ahead_is_not_played() -> None:
    rules = rummy_env.rules("gin")
    engine, base = dealt(rules, 64, steps=31), resolve("trained", rules)
    rows = engine.running
    asked = movers(engine, rows), engine.legal_mask(rows)
    given: dict[str, Any] = {"worlds": 16, "candidates": 3, "leaf": "value", "drop": np.inf}
    all_leads = Search(base, gate=0.0, **given).think(*asked, engine.random(rows))
    usual, best = all_leads.actions[:, 0], all_leads.ahead.max(axis=1)
    least = float(np.median(best[best > 0]))
    found = Search(base, gate=0.0, least=least, **given).think(*asked, engine.random(rows)).choice
    assert np.array_equal(found, np.where(best > least, all_leads.choice, usual))
    assert (found != usual).any()
    assert (found != all_leads.choice).any()


@pytest.mark.parametrize(
    ("base", "variant", "says"),
    [
        ("strong", "basic", r"strong has no method `values`, .*leaf 'end'"),
        ("trained", "going_out", "it came without a critic, so it cannot say what"),
    ],
)
def test_values_are_asked_of_a_base_that_has_some(base: str, variant: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Search(base, leaf="value").plays(rummy_env.rules(variant))


def test_a_base_without_values_is_refused_where_a_search_thinks() -> None:
    engine = dealt(rummy_env.rules("basic"), 2)
    with pytest.raises(ValueError, match=r"greedy has no method `values`.*leaf 'end'"):
        Search("greedy", leaf="value").think(engine.look(0), engine.legal_mask(), engine.random())


def test_search_explains_itself_round_by_round() -> None:
    engine = dealt(rummy_env.rules("basic"), 1, steps=9)
    view, mask, rng = movers(engine, np.zeros(1, np.intp)), engine.legal_mask(), engine.random()
    search = Search("greedy", worlds=24)
    said = list(search.explaining(view, mask, rng))
    assert [each.worlds for each in said] == [0, 8, 16, 24][: len(said)]
    assert said[0].choice == Greedy().act(view, mask, engine.random())[0]
    last = said[-1]
    assert last.choice == search.act(view, mask, engine.random())[0]
    values, lead = last.values, last.lead
    assert values is not None
    assert lead is not None
    assert (said[0].values, said[0].lead, said[0].value) == (None, None, None)
    assert np.array_equal(np.isfinite(values), mask[0])
    assert last.value == values[last.choice]
    assert last.errors is None
    assert lead.over == said[0].choice
    assert (lead.values[lead.over], lead.errors[lead.over]) == (0, 0)
    assert (lead.errors[mask[0]] >= 0).all()
    assert np.array_equal(np.isfinite(lead.values), mask[0])


def test_a_search_says_where_nothing_had_to_be_tried_out() -> None:
    engine = dealt(rummy_env.rules("gin"), 1, steps=9)
    view, mask, rng = movers(engine, np.zeros(1, np.intp)), engine.legal_mask(), engine.random()
    assert mask.sum() > 1
    (said,) = Search("trained", min_probability=0.999).explaining(view, mask, rng)
    trained: Any = resolve("trained", engine.rules)
    assert said.note == "sure of this move: nothing was tried out"
    assert said.worlds is None
    assert said.probabilities is not None
    assert np.array_equal(said.probabilities, trained.probabilities(view, mask, rng)[0])
    only = mask & (np.arange(mask.shape[1]) == mask.argmax())
    (said,) = Search("greedy").explaining(view, only, rng)
    assert (said.note, said.probabilities) == ("there is no other move", None)


def test_what_is_no_view_no_engine_and_no_game_is_refused() -> None:
    engine = dealt(rummy_env.rules("gin"), 2)
    view, seeds = engine.look(0), np.arange(2, dtype=np.uint64)
    with pytest.raises(TypeError, match="give a view"):
        worlds(engine, seeds)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="give an Engine"):
        play_out(view, "greedy")  # type: ignore[arg-type]
    for items in ([0, 2], [-1, 0]):
        with pytest.raises(ValueError, match="games are 0 to 1"):
            worlds(view, seeds, np.array(items))
    for no_games in ([True, False], [0.0, 1.0], [[0, 1]], "ab"):
        with pytest.raises(ValueError, match="give the number of a game for each world"):
            worlds(view, seeds, no_games)
    with pytest.raises(ValueError, match="beliefs='x': give True or False"):
        worlds(view, seeds, beliefs="x")  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match=r"no 'integers', but random\(\)"):
        engine.random().integers(3)


@pytest.mark.parametrize("told", [None, 1.0, np.zeros(3), np.full(2, np.nan), ["a", "b"]])
def test_values_that_are_no_numbers_are_refused(told: Any) -> None:
    engine = dealt(rummy_env.rules("gin"), 2)
    games = worlds(engine.look(engine.to_move), np.arange(2, dtype=np.uint64))
    with pytest.raises(ValueError, match=r"values returned .* games: return a finite number"):
        play_on(games, "greedy", lambda view: told)


def test_a_search_thinks_about_no_games() -> None:
    engine = dealt(rummy_env.rules("gin"), 2)
    none = np.zeros(0, np.intp)
    view, mask, rng = engine.look(0, none), engine.legal_mask(none), engine.random(none)
    assert Search("greedy").think(view, mask, rng).choice.tolist() == []


def test_a_search_does_not_think_about_games_that_are_over() -> None:
    engine = dealt(rummy_env.rules("gin"), 2)
    view, mask, rng = engine.look(engine.to_move), engine.legal_mask(), engine.random()
    mask[1] = False
    with pytest.raises(ValueError, match="position 1 has no legal action: leave out games that"):
        Search("greedy").think(view, mask, rng)
