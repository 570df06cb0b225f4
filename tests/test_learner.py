"""The learner's games against the same games played slowly, one at a time, seat by seat."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, IllegalAction, Rules
from rummy_env.baselines import Random
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.keys import game_seeds
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.envs import learner
from rummy_env.envs.learner import LearnerGames
from rummy_env.envs.move_log import MoveLog
from rummy_env.envs.seating import Opponents
from rummy_env.views.features import observer
from tests.conftest import few_or_all, few_variants, side_by_side
from tests.learner_games import Decision, begun, decisions, step
from tests.policies import FICKLE, Again, chosen
from tests.rollout import everything, fitting, seatings

pytestmark = pytest.mark.adapter


def slowly(rules: Rules, seed: Any, seat: int, count: int) -> list[Decision]:
    """The same for one game, without a batch: every seat in its turn, every reward noted."""
    engine, observe = Engine(rules, seed=np.array([seed])), observer(rules)
    met: list[Decision] = []
    while len(met) < count:
        engine.reset()
        first, early = len(met), np.float32(0)
        while not engine.finished[0]:
            if engine.to_move[0] == seat:
                seen = observe(engine.look(seat)).tobytes()
                met.append(Decision(seen, engine.legal_mask().tobytes(), early))
                early = np.float32(0)
            engine.step(chosen(engine))
            if len(met) > first:
                met[-1].reward += engine.rewards[0, seat]
            else:
                early += engine.rewards[0, seat]
        if len(met) > first:
            met[-1].terminated = bool(engine.terminated[0])
            met[-1].truncated = bool(engine.truncated[0])
            met[-1].final_observation = observe(engine.look(seat)).tobytes()
            seat = (seat + 1) % rules.num_players
    return met[:count]


def test_the_learner_meets_what_its_seat_meets_in_a_game_played_seat_by_seat(rules: Rules) -> None:
    seeds = game_seeds(8, 2)
    games = begun(rules, 2, seed=seeds)
    first = games.seats.tolist()
    slow = [slowly(rules, seeds[row], first[row], 25) for row in range(2)]
    assert decisions(games, [0, 1], 25) == slow


SEATED = {name: seatings(name) for name in rummy_env.VARIANTS}
"""How many can play each variant."""

FEWEST_AND_MOST = {name: sorted({some[0], some[-1]}) for name, some in SEATED.items()}
FEW_SEATED = [(name, players) for name, some in FEWEST_AND_MOST.items() for players in some]
EVERY_SEATED = [(name, players) for name, some in SEATED.items() for players in some]

seated = few_or_all("name, players", few=FEW_SEATED, every=EVERY_SEATED)


EPISODES: list[dict[str, Any]] = [{}, {"match": "match", "deals": 3}]


@few_or_all(
    "seating, match",
    few=side_by_side(FEW_SEATED[::3], EPISODES),
    every=product(EVERY_SEATED, EPISODES),
)
def test_the_learner_meets_the_same_from_episode_to_episode(
    seating: tuple[str, int], match: dict[str, Any]
) -> None:
    name, players = seating
    rules = fitting(name, num_players=players, hand_size=3, max_turns=9, **match)
    seeds = game_seeds(4, 3)
    games = begun(rules, 3, seed=seeds)
    first = games.seats.tolist()
    slow = [slowly(rules, seeds[row], first[row], 30) for row in range(3)]
    assert decisions(games, [0, 1, 2], 30) == slow
    assert sum(bool(met.final_observation) for row in slow for met in row) >= 3


def test_every_game_waits_for_the_learner_after_every_step(rules: Rules) -> None:
    games = begun(rules, 32)
    for _ in range(20):
        assert (games.engine.to_move == games.seats).all()
        assert not games.engine.finished.any()
        assert games.masks().any(axis=1).all()
        step(games)


def test_won_or_lost_the_reward_comes_with_the_last_decision(variant: str) -> None:
    rules = fitting(variant, hand_size=3)
    games = begun(rules, 64)
    paid = {True: 0, False: 0}
    for _ in range(100):
        came = step(games)
        going_on = ~(came.terminated | came.truncated)
        assert not came.rewards[going_on].any()
        for row, won, winners in zip(came.ended, came.won, came.winners, strict=True):
            if came.terminated[row] and not (winners.all() and came.rewards[row] == 0):
                nobody = rules.restocking.ends_hand_at >= 0 and came.rewards[row] == 0
                assert came.rewards[row] > 0 if won else came.rewards[row] < 0 or nobody
                paid[bool(won)] += 1
    assert min(paid.values()) > 10


def test_hands_of_a_match_pay_the_decision_before_their_end(variant: str) -> None:
    games = begun(fitting(variant, match="match", deals=4, hand_size=3, reward="zero_sum"), 64)
    amid = 0
    for _ in range(100):
        came = step(games)
        going_on = ~(came.terminated | came.truncated)
        amid += int(np.count_nonzero(came.rewards[going_on]))
    assert amid > 30


@pytest.mark.parametrize("match", [{}, {"match": "match", "deals": 2}], ids=["hand", "match"])
def test_returns_and_lengths_are_sums_over_the_episode(variant: str, match: dict[str, Any]) -> None:
    games = begun(fitting(variant, hand_size=3, max_turns=8, **match), 16)
    returns, lengths, ended = np.zeros(16, np.float32), np.zeros(16, np.int32), 0
    for _ in range(45):
        came = step(games)
        returns += came.rewards
        lengths += 1
        assert np.array_equal(returns[came.ended], came.returns)
        assert np.array_equal(lengths[came.ended], came.lengths)
        returns[came.ended] = lengths[came.ended] = 0
        ended += came.ended.size
    assert ended > 32


def test_finished_games_are_told_of_and_dealt_anew_in_the_same_step(rules: Rules) -> None:
    games, ended = begun(rules, 8), 0
    for _ in range(400):
        dealt_before = games.engine.seeds.copy()
        came = step(games)
        over = came.terminated | came.truncated
        assert np.array_equal(over.nonzero()[0], came.ended)
        assert np.array_equal(over, dealt_before != games.engine.seeds)
        ended += came.ended.size
        if ended >= 4:
            return
    raise AssertionError("the games do not end")


def test_the_learner_moves_on_by_one_seat_every_episode(rules: Rules) -> None:
    games = begun(rules, 16)
    for _ in range(30):
        before = games.seats.copy()
        came = step(games)
        assert np.array_equal(came.seats, before[came.ended])
        before[came.ended] = (before[came.ended] + 1) % rules.num_players
        assert np.array_equal(games.seats, before)


def test_the_learner_begins_in_all_seats_alike_and_moves_on_at_a_reset(variant: str) -> None:
    rules = fitting(variant, num_players=4)
    players = rules.num_players
    games = begun(rules, 4000)
    before = games.seats.copy()
    assert (abs(np.bincount(before, minlength=players) - 4000 / players) < 120).all()
    games.reset()
    assert np.array_equal(games.seats, (before + 1) % players)


def test_games_that_are_dealt_at_first_by_turns_begin_as_if_at_once(variant: str) -> None:
    rules = fitting(variant, num_players=4)
    whole = begun(rules, 40)
    parts = LearnerGames(rules, 40, opponents=FICKLE, seed=3)
    for rows in ([0], np.arange(1, 40)):
        parts.reset(rows=rows)
    assert np.array_equal(parts.seats, whole.seats)
    assert np.array_equal(parts.observations(), whole.observations())


def test_a_fixed_seat_is_the_learner_s_in_every_episode(rules: Rules) -> None:
    seat = rules.num_players - 1
    games = begun(rules, 16, seat=seat)
    for _ in range(20):
        assert (games.seats == seat).all()
        assert (step(games).seats == seat).all()


@pytest.mark.slow
@few_variants
def test_row_3917_of_4096_plays_as_alone(variant: str) -> None:
    rules = fitting(variant, hand_size=4, num_players=3, max_turns=12)
    pool: Opponents = [(Random(), 1.0), (FICKLE, 2.0)]
    seeds = game_seeds(1, 4096)
    many = begun(rules, 4096, seed=seeds, opponents=pool)
    alone = begun(rules, 1, seed=seeds[3917:3918], opponents=pool)
    (same,) = decisions(many, [3917], 30)
    assert [same] == decisions(alone, [0], 30)
    assert sum(decision.terminated or decision.truncated for decision in same) > 1


def test_the_same_seed_plays_the_same_games_and_another_seed_others(rules: Rules) -> None:
    one, same, other = (decisions(begun(rules, 4, seed=seed), [2], 12) for seed in (7, 7, 8))
    assert one == same
    assert one != other


def test_a_reset_with_a_seed_starts_all_over(rules: Rules) -> None:
    games = begun(rules, 4, seed=7)
    first = decisions(games, [1], 12)
    games.reset(seed=7)
    assert decisions(games, [1], 12) == first
    games.reset()
    assert decisions(games, [1], 12) != first


def test_the_learner_plays_the_games_that_the_engine_deals(rules: Rules) -> None:
    engine = Engine(rules, 8, seed=9)
    engine.reset()
    games = LearnerGames(rules, 8, opponents=Random(), seed=9)
    games.reset()
    assert np.isin(games.engine.seeds, engine.seeds).mean() > 0.5
    same = games.engine.seeds == engine.seeds
    assert np.array_equal(games.engine.state.dealer[same], engine.state.dealer[same])


@seated
def test_a_game_that_ends_before_the_learner_s_turn_is_dealt_again(name: str, players: int) -> None:
    rules = fitting(name, num_players=players, max_turns=1)
    games = begun(rules, 64)
    for _ in range(8):
        before, came = games.seats.copy(), step(games)
        assert (games.engine.state.turn_number == 0).all()
        assert (came.lengths >= 1).all()
        before[came.ended] = (before[came.ended] + 1) % rules.num_players
        assert np.array_equal(games.seats, before)


def test_rules_that_never_let_the_learner_play_are_refused(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learner, "_MAX_DEALS", 1)
    rules = rummy_env.rules(variant, max_turns=1)
    with pytest.raises(RuntimeError, match=r"game \d+ ended 1 times before seat \d .* max_turns=1"):
        begun(rules, 64)


def test_what_a_step_returns_is_not_changed_later(variant: str) -> None:
    games = begun(rummy_env.rules(variant, max_turns=6), 16)
    told = games.observations(), games.masks(), *vars(step(games)).values()
    kept = [array.copy() for array in told]
    for _ in range(10):
        step(games)
    assert all(np.array_equal(now, then) for now, then in zip(told, kept, strict=True))


def test_shapes_and_types_are_those_of_the_documentation(rules: Rules) -> None:
    games = begun(rules, 5)
    came = step(games)
    told = {"observations": games.observations(), "masks": games.masks(), **vars(came)}
    ended = came.ended.size
    assert {name: (array.dtype.name, *array.shape) for name, array in told.items()} == {
        "observations": ("int8", 5, games.observer.size),
        "masks": ("bool", 5, games.engine.num_actions),
        "rewards": ("float32", 5),
        "terminated": ("bool", 5),
        "truncated": ("bool", 5),
        "ended": (np.dtype(np.intp).name, ended),
        "won": ("bool", ended),
        "ending": ("object", ended),
        "scores": ("int32", ended, rules.num_players),
        "winners": ("bool", ended, rules.num_players),
        "illegal": (np.dtype(np.intp).name, 0),
        "instead": (np.dtype(np.intp).name, 0),
        "seats": (np.dtype(np.intp).name, ended),
        "returns": ("float32", ended),
        "lengths": ("int32", ended),
        "skipped": ("int32", ended, 2),
        "agents": ("object", ended, rules.num_players),
    }


def test_an_illegal_action_is_named_and_changes_nothing(rules: Rules) -> None:
    games = begun(rules, 6)
    actions = chosen(games.engine)
    actions[4] = int((~games.masks()[4]).nonzero()[0][0])
    name = str(games.engine.describe(int(actions[4])))
    phase = f"phase {rules.turn[games.engine.state.phase[4]].name!r}"
    before = everything(games.engine)
    with pytest.raises(IllegalAction) as caught:
        games.play(actions)
    assert all(
        part in str(caught.value)
        for part in ("game 4", f"seat {games.seats[4]}", phase, f"({name})")
    )
    assert everything(games.engine) == before
    twin = begun(rules, 6)
    assert decisions(games, [4], 10) == decisions(twin, [4], 10)


def test_after_a_reset_that_failed_nobody_plays_for_the_others(rules: Rules) -> None:
    class Late(Random):
        """Fails once."""

        failed = False

        def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
            if not self.failed:
                self.failed = True
                raise TimeoutError
            return super().act(view, mask, rng)

    games = LearnerGames(rules, 8, opponents=Late(), seed=1)
    with pytest.raises(TimeoutError):
        games.reset()
    with pytest.raises(ValueError, match=r"or call reset\(\) if that step was interrupted"):
        games.play(games.masks().argmax(axis=1))
    games.reset()
    assert (games.engine.to_move == games.seats).all()


def test_a_reset_forgets_an_illegal_action(rules: Rules) -> None:
    games = LearnerGames(rules, 2, opponents=Random(), illegal_action="penalise")
    games.reset()
    games.send((~games.masks()).argmax(axis=1))
    games.reset()
    assert not games.play(games.masks().argmax(axis=1)).illegal.any()


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        (np.zeros(3, np.int64), ValueError, r"shape \(3,\).*\(4,\)"),
        (np.zeros((4, 1), np.int64), ValueError, r"shape \(4, 1\).*\(4,\)"),
        (np.zeros(4), TypeError, "float64"),
        (np.zeros(4, bool), TypeError, "bool"),
        (np.full(4, -1), IllegalAction, "action -1"),
        (np.full(4, 10**6), IllegalAction, "action 1000000"),
    ],
)
def test_actions_of_another_kind_are_refused(
    variant: str, actions: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        begun(rummy_env.rules(variant), 4).play(actions)


def test_nothing_can_be_done_before_reset(variant: str) -> None:
    games = LearnerGames(rummy_env.rules(variant), 2, opponents=Random())
    for action in (games.masks, games.observations, lambda: games.play([0, 0])):
        with pytest.raises(ValueError, match="call reset"):
            action()


@pytest.mark.parametrize("seat", [-1, 3, "first", 1.0, None])
def test_a_seat_outside_the_table_is_refused(variant: str, seat: Any) -> None:
    rules = fitting(variant, num_players=3)
    words = f"seat={seat!r}: give 0 to {rules.num_players - 1}, or 'rotate'"
    with pytest.raises(ValueError, match=words):
        begun(rules, 2, seat=seat)


def test_a_move_that_was_refused_is_not_told() -> None:
    games = LearnerGames(rummy_env.rules("basic"), 1, opponents=Again(), seat=0, seed=3)
    with pytest.raises(IllegalAction, match="opponent 'Again' breaks"):  # noqa: PT012
        games.reset()
        while True:
            games.play(games.masks().argmax(axis=1))
    assert (games.others()[:, :, 0] >= 0).sum() == 1  # the draw before it


@pytest.mark.parametrize("door", [Engine, LearnerGames])
def test_a_seed_deals_a_game_the_same_whether_others_are_dealt_or_not(door: Any) -> None:
    more = {"opponents": Random()} if door is LearnerGames else {}
    whole, part = (door(rummy_env.rules("gin"), 4, **more) for _ in range(2))
    for each, rows in ((whole, None), (part, None), (part, [2])):
        reset = each.reset
        if door is LearnerGames:
            reset(7, rows=rows)
        else:
            reset(rows, 7)
    engines = [each.engine if door is LearnerGames else each for each in (whole, part)]
    assert engines[0].snapshot(2) == engines[1].snapshot(2)


def test_an_illegal_action_marks_its_own_step_alone() -> None:
    rules = rummy_env.rules("basic")
    games = LearnerGames(rules, 3, opponents="random", seed=1, illegal_action="random")
    games.reset()
    masks, played = games.masks(), list[int]()
    games.on_move = lambda: played.append(int(games.engine.last_action[1]))
    step = games.play((~masks).argmax(axis=1))
    assert step.illegal.tolist() == [0, 1, 2]
    assert masks[step.illegal, step.instead].all()
    assert step.instead[1] == played[0]
    step = games.play(games.masks().argmax(axis=1))
    assert not step.illegal.size
    assert not step.instead.size


def test_no_move_is_lost_when_the_log_is_tidied_up() -> None:
    rng, log = np.random.default_rng(1), MoveLog(4)
    plain: list[list[list[int]]] = [[] for _ in range(4)]
    for action in range(300):
        ended = np.flatnonzero(rng.random(4) < 0.15)
        log.begin(ended)
        for row in ended:
            plain[row] = []
        rows = np.flatnonzero(rng.random(4) < 0.5)
        log.add(rows, np.full(len(rows), action), rows.astype(np.int8))
        for row in rows:
            plain[row].append([int(row), action])
        assert [[m for m in some if m[0] >= 0] for some in log.moves().tolist()] == plain
