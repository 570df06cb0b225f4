"""Observations are chosen at every entry point, and infos tell what happened."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box

import rummy_env
from rummy_env import Rules
from rummy_env.baselines.heuristics import Greedy
from rummy_env.core.arrays import Array
from rummy_env.core.visibility import SeatView
from rummy_env.envs.sb3 import RummyVecEnv
from rummy_env.envs.single import RummyEnv
from rummy_env.envs.vector import RummyVectorEnv
from rummy_env.views.features import OBSERVATIONS, Observer, observer
from rummy_env.views.observing import observer_for
from tests.rollout import dealt

HINTS = {
    *("meldable", "wanted", "fits", "close", "paired", "joining", "least", "distance"),
    *("top_helps", "deadwood", "gain", "gin", "knock", "least_3", "least_6", "feeding"),
}
GRADED = {"completes", "after", "outs_after", "saves", "live", "outs", "danger"}
GRADED |= {"likely", "feared"}
OUTS = GRADED | {f"{name}_{seat}" for name in ("discarded", "passed") for seat in range(1, 10)}


class Sizes:
    """Cards of the seats, as shares of ten."""

    dtype, low, high = np.float32, 0.0, 6.0

    def __init__(self, rules: Rules) -> None:
        self.size = rules.num_players

    def layout(self) -> list[tuple[str, int, int, str]]:
        return [("sizes", 0, self.size, "cards of each seat, in tens")]

    def __call__(self, view: SeatView) -> np.ndarray:
        return (view.hand_sizes / 10).astype(np.float32)


class Lying(Sizes):
    """Answers with another shape than it says."""

    def __call__(self, view: SeatView) -> np.ndarray:
        return super().__call__(view)[:, 1:]


class Shapeless:
    """Has neither layout nor answers."""

    def __init__(self, rules: Rules) -> None:
        self.size = rules.num_players


OWN = "tests.test_observations_chosen:Sizes"


def names_of(made: Any) -> list[str]:
    """The parts of an observation."""
    return [name for name, *_ in made.layout()]


def test_each_observation_is_the_next_one_without_what_that_adds(variant: str) -> None:
    rules = rummy_env.rules(variant)
    plain, hints, outs = (observer_for(rules, name) for name in ("plain", "hints", "outs"))
    engine = dealt(rules, 8)
    for fewer, more, added in ((plain, hints, HINTS), (hints, outs, OUTS), (plain, outs, None)):
        told = names_of(fewer)
        assert [name for name in names_of(more) if name in told] == told
        more_told = {*names_of(more)} - {*told}
        assert more_told
        assert more_told <= (HINTS | OUTS if added is None else added)
        assert not added or not {*told} & added
        for seat in range(rules.num_players):
            view = engine.look(seat)
            all_seen = more(view)
            for name, start, width, _ in fewer.layout():
                (place,) = [place for other, place, *_ in more.layout() if other == name]
                assert np.array_equal(
                    fewer(view)[:, start : start + width], all_seen[:, place : place + width]
                )


def test_what_each_card_is_worth_stands_behind_all_else_up_to_127(variant: str) -> None:
    rules = rummy_env.rules(variant)
    hints, outs = observer(rules, "hints"), observer(rules, "outs")
    engine = dealt(rules, 64, steps=10)
    seen = outs(engine.look(engine.to_move))
    worth = outs.layout()[-len(outs.graded) :]
    others = outs.size - 52 * len(worth)
    assert [name for name, *_ in worth] == [graded.name for graded in outs.graded]
    assert {name for name, *_ in worth} <= GRADED
    assert not {name for name, *_ in hints.layout()} & GRADED
    assert all(width == 52 for _, _, width, _ in worth)
    assert seen.dtype == np.int8
    assert seen.shape == (64, outs.size)
    assert set(np.unique(seen[:, :others])) == {0, 1}
    assert seen[:, others:].min() == 0
    assert 1 < seen.max() <= outs.high == 127
    assert (hints.high, hints.graded) == (1, ())


@pytest.mark.parametrize("observation", [*OBSERVATIONS, OWN, Sizes])
def test_every_entry_point_takes_the_observation_that_it_is_given(observation: Any) -> None:
    rules = rummy_env.rules("basic")
    wanted: Any = observer_for(rules, observation)
    aec = rummy_env.env("basic", observation=observation)
    aec.reset(seed=1)
    single = RummyEnv("basic", observation=observation)
    made = gymnasium.make("rummy_env/Basic-v0", observation=observation)
    batch = RummyVectorEnv("basic", 3, observation=observation)
    games = RummyVecEnv("basic", 3, observation=observation)
    spaces = [
        aec.observation_space("player_0")["observation"],
        single.observation_space,
        made.observation_space,
        batch.single_observation_space,
        games.observation_space,
    ]
    assert {space.shape for space in spaces} == {(wanted.size,)}
    assert len({space.dtype for space in spaces}) == 1
    assert {space.high.max() for space in spaces} == {np.max(wanted.high)}
    for space, seen in zip(
        spaces,
        [
            aec.observe("player_0")["observation"],
            single.reset(seed=1)[0],
            made.reset(seed=1)[0],
            batch.reset(seed=1)[0][0],
            games.reset()[0],
        ],
        strict=True,
    ):
        assert space.contains(seen)


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_the_layout_names_every_entry(rules: Rules, name: str) -> None:
    made = observer(rules, name)
    entries = [i for _, start, width, _ in made.layout() for i in range(start, start + width)]
    assert entries == list(range(made.size))
    assert len(set(names_of(made))) == len(names_of(made))


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_an_observer_survives_pickling_and_stays_the_one_that_all_share(name: str) -> None:
    made = observer(rummy_env.rules("basic"), name)
    assert pickle.loads(pickle.dumps(made)) is made
    assert copy.deepcopy(made) is made
    assert made.name == name


class Planes:
    """An observer that is made without arguments."""

    size = 1

    def __call__(self, view: SeatView) -> Array:
        return np.zeros((len(view), 1), np.int8)

    def layout(self) -> list[tuple[str, int, int, str]]:
        return [("nothing", 0, 1, "nothing at all")]


def test_observations_that_are_none_are_refused_with_a_remedy() -> None:
    rules = rummy_env.rules("basic")
    with pytest.raises(
        ValueError, match=r"observation='full': give one of plain, hints, outs, an observer, or an"
    ):
        observer_for(rules, "full")
    for makes in (observer, Observer):
        with pytest.raises(ValueError, match="observation='full': give one of 'plain', 'hints'"):
            makes(rules, "full")
    with pytest.raises(TypeError, match="has no layout"):
        observer_for(rules, Shapeless)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"Planes.* does not take them .*: give an observer"):
        observer_for(rules, Planes)  # type: ignore[arg-type]
    with pytest.raises(AttributeError) as raised:
        observer_for(rules, lambda view: view.hand_sizes)
    assert "called with the rules, not with a view" in raised.value.__notes__[0]
    with pytest.raises(ValueError, match=r"Lying.* answers float32\[1, 1\]: give float32\[1, 2\]"):
        RummyEnv("basic", observation=Lying).reset(seed=1)


def test_a_layout_without_all_four_items_is_refused_with_the_part() -> None:
    class Short:
        size = 2

        def layout(self) -> Any:
            return [("sizes", 0, 2)]

        def __call__(self, view: SeatView) -> Any:
            return view.hand_sizes

    with pytest.raises(TypeError, match=r"\('sizes', 0, 2\); give the name, first entry, width"):
        RummyEnv("basic", observation=Short())


def with_own(**declared: Any) -> Any:
    """An observer that declares something else than `Sizes`."""
    return type("Own", (Sizes,), declared)


@pytest.mark.parametrize(
    ("declared", "error", "words"),
    [
        ({"size": 2.7, "__init__": lambda self, rules: None}, ValueError, "size=2.7: give a whole"),
        ({"layout": lambda self: 3}, TypeError, r"layout\(\) is 3; give a list"),
        ({"layout": lambda self: [("a", 9, 2, "x")]}, ValueError, "'a' begins at entry 9"),
        ({"layout": lambda self: [("a", 0, 1, "x")]}, ValueError, "has 1 entries, size=2"),
        ({"dtype": "int7"}, TypeError, "dtype='int7'; give one of numbers"),
        ({"dtype": object}, TypeError, "give one of numbers"),
        ({"dtype": np.dtype(np.float32).newbyteorder()}, TypeError, "in this machine's order of"),
        ({"layout": None}, TypeError, "has no layout"),
        ({"low": "a"}, TypeError, "low='a'; give a number"),
        ({"low": 7.0}, ValueError, "low=7.0 is above high=6.0"),
        ({"low": [0.0, 7.0]}, ValueError, "low=7.0 is above high=6.0"),
        (
            {"low": [0.0] * 3},
            ValueError,
            r"low=\[0.0, 0.0, 0.0\]; give one number, or one for each",
        ),
        ({"dtype": np.int8, "high": 1000}, ValueError, "high=1000; give what int8 can be"),
        ({"dtype": np.uint8, "low": -1}, ValueError, "low=-1; give what uint8 can be"),
        ({"high": 0.5}, ValueError, "answers numbers from .*: declare `low` and"),
    ],
)
def test_what_an_observer_declares_is_checked(
    declared: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        RummyEnv("basic", observation=with_own(**declared)).reset(seed=1)


@pytest.mark.parametrize("dtype", [np.bool_, np.int16, np.float32, np.float64])
def test_bounds_may_be_numbers_or_lists_of_any_dtype(dtype: Any) -> None:
    env = RummyEnv("basic", observation=with_own(dtype=dtype, low=[0, 0], high=True))
    assert env.observation_space == Box(np.zeros(2, dtype), np.ones(2, dtype), (2,), dtype)


def test_entries_that_are_no_numbers_are_refused() -> None:
    def nothing(self: Any, view: SeatView) -> np.ndarray:
        return np.full((len(view), 2), np.nan, np.float32)

    with pytest.raises(ValueError, match="answers entries that are no numbers"):
        RummyEnv("basic", observation=with_own(__call__=nothing)).reset(seed=1)


def test_an_observer_may_fill_the_same_array_again() -> None:
    array = np.zeros((1, 2), np.float32)

    def again(self: Any, view: SeatView) -> np.ndarray:
        array[:] = view.hand_sizes / 10
        return array

    env = RummyEnv("basic", observation=with_own(__call__=again), opponents="random", seat=0)
    seen, _ = env.reset(seed=1)
    array[:] = 5
    assert seen.tolist() == [1.0, 1.0]


def test_infos_tell_scores_winners_and_how_a_game_ended(variant: str) -> None:
    env, endings = RummyEnv(variant, opponents="random", seat=0, max_turns=40), set()
    for seed in range(6):
        env.reset(seed=seed)
        over = False
        while not over:
            action = int(env.action_masks().nonzero()[0][-1])
            _, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        state = env.games.engine.state
        assert info["scores"].tolist() == state.scores[0].tolist()
        assert info["winners"].tolist() == state.winners[0].tolist()
        assert (info["ending"] == "cut off") == truncated
        endings.add(info["ending"])
    assert "" not in endings


@pytest.mark.parametrize("preset", ["standard", "openspiel"])
def test_gin_tells_knock_gin_undercut_and_void(preset: str) -> None:
    rules = rummy_env.rules("gin", preset=preset)
    engine, met = dealt(rules, 400), set()
    while not engine.finished.all():
        view, mask, numbers = engine.look(engine.to_move), engine.legal_mask(), engine.random()
        live = (~engine.finished).nonzero()[0]
        some = live[live % 8 > 0] if len(live) else live
        actions = engine.random_actions()
        if some.size:
            actions[some] = Greedy().act(view.take(some), mask[some], numbers.take(some))
        engine.step(actions)
    for row, ending in enumerate(engine.how_ended()):
        scores = engine.state.scores[row]
        met.add(ending)
        knocker = int(engine.state.claimant[row])
        assert (ending == "void") == (knocker < 0)
        if ending in ("gin", "undercut") or (ending == "knock" and scores.any()):
            assert engine.state.winners[row, knocker] == (ending != "undercut")
    assert met >= {"knock", "gin", "undercut", "void"}


def test_infos_tell_what_the_others_did_since_the_last_decision() -> None:
    env = RummyEnv("basic", opponents="greedy", num_players=3, seat=1)
    _, info = env.reset(seed=4)
    while not (others := info["others"]):  # where the learner is the first to move
        _, info = env.reset()
    assert others[0].startswith("player_")
    for _ in range(6):
        played = env.games.engine.state.decisions[0]
        _, _, terminated, _, info = env.step(int(env.action_masks().nonzero()[0][0]))
        if terminated:
            return
        made = env.games.engine.state.decisions[0] - played - 1
        assert len(info["others"]) == made
        assert not any(line.startswith("player_1:") for line in info["others"])


def test_the_others_of_a_batch_are_told_as_numbers() -> None:
    batch = RummyVectorEnv("basic", 5, opponents="greedy", seat=0)
    _, infos = batch.reset(seed=[4, 5, 6, 7, 8])
    singles = [RummyEnv("basic", opponents="greedy", seat=0) for _ in range(5)]
    for i, env in enumerate(singles):
        _, info = env.reset(seed=4 + i)
        assert batch.games.described(batch.games.others()[i]) == info["others"]
    assert "others" not in infos


def test_a_deep_copy_of_a_game_in_play_is_that_game() -> None:
    env = rummy_env.raw_env("basic")
    env.reset(seed=2)
    env.step(int(env.infos[env.agent_selection]["action_mask"].nonzero()[0][0]))
    twin = copy.deepcopy(env)
    assert twin.engine.snapshot(0) == env.engine.snapshot(0)
    for one in (env, twin):
        one.step(int(one.infos[one.agent_selection]["action_mask"].nonzero()[0][-1]))
    assert twin.engine.snapshot(0) == env.engine.snapshot(0)
    twin.step(int(twin.infos[twin.agent_selection]["action_mask"].nonzero()[0][0]))
    assert twin.engine.snapshot(0) != env.engine.snapshot(0)


def test_numbers_are_not_cut_short() -> None:
    with pytest.raises(ValueError, match=r"observation_dtype='int8': .* are float32 and would be"):
        RummyEnv("basic", observation=Sizes, observation_dtype="int8")
    seen, _ = RummyEnv("basic", observation=Sizes, observation_dtype="float32").reset(seed=1)
    assert seen.dtype == np.float32


def test_an_observer_for_rules_with_other_entries_is_refused() -> None:
    made = observer(rummy_env.rules("basic"))
    assert observer_for(rummy_env.rules("basic", reward="win"), made).size == made.size
    with pytest.raises(ValueError, match=r"it is for .*basic.* give the name 'hints'"):
        observer_for(rummy_env.rules("gin"), made)


def test_an_observer_of_other_limits_is_made_anew() -> None:
    """Both lay their entries out alike, and mean other deadwood by `knock`."""
    lax, strict = (rummy_env.rules("gin", knock_card=limit) for limit in (60, 3))
    made = observer_for(strict, observer_for(lax, "hints"))
    engine = dealt(strict, 64, steps=9)
    view = engine.look(engine.to_move)
    assert np.array_equal(made(view), observer_for(strict, "hints")(view))
    assert not np.array_equal(made(view), observer_for(lax, "hints")(view))


class Blind(Observer):
    """Sees what the package's own observer does, and tells nothing of it."""

    def __call__(self, view: SeatView) -> Array:
        return super().__call__(view) * 0


def test_an_observer_made_of_that_of_the_package_is_the_one_that_observes() -> None:
    rules = rummy_env.rules("basic")
    view = dealt(rules, 4).look(0)
    own = Blind(rules, "plain")
    for given in (Blind, own, pickle.loads(pickle.dumps(own))):
        assert not observer_for(rules, given)(view).any()
