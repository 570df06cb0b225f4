"""Labels from search: as a slow plain reference finds them, however they are divided."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from agents.labels import BLOCK, GAMES, Labelling, Labels, label, positions, soft_targets
from rummy_env import Engine
from rummy_env.baselines import Greedy
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.keys import Purpose, one_way
from rummy_env.core.shuffle import stream, uniform
from rummy_env.core.state import State
from rummy_env.search import Search, play_out, worlds
from rummy_env.workers import Crew
from tests.clusters import Mortal, two_nodes
from tests.models import KINDS, SMALL_RULES, untrained

__all__ = ["two_nodes"]

GIN = rummy_env.rules("gin", num_ranks=5, num_suits=2, hand_size=3, knock_card=3)
WORLDS = 8
"""Worlds of a search's first round, before any action drops out."""


def same(one: State, other: State) -> bool:
    theirs = dict(other.arrays())
    return all(np.array_equal(array, theirs[name]) for name, array in one.arrays())


def laid(games: State) -> Engine:
    engine = Engine(GIN, len(games.seed))
    engine.lay(games)
    return engine


def some(count: int, seed: int = 7) -> State:
    return positions(GIN, Greedy(), count, every=4, seed=seed)


def given(ahead: list[float], error: list[float]) -> Labels:
    """The labels of one position."""
    return Labels(np.array([ahead], np.float32), np.array([error], np.float32))


@pytest.mark.parametrize("seed", [0, 7])
def test_positions_are_those_choices_of_games_that_their_own_numbers_draw(seed: int) -> None:
    games, policy = some(30, seed=seed), Greedy()
    words = one_way(Purpose.LABELS, np.uint64(seed), np.arange(GAMES, dtype=np.uint64), count=2)
    found: list[State] = []
    for game_seed, key in words:
        engine = Engine(GIN, 1, np.array([game_seed]))
        engine.reset()
        while not engine.finished[0] and len(found) < 30:
            mask, decision = engine.legal_mask(), engine.state.decisions[0]
            draw = uniform(stream(np.array([key]), decision))[0]
            if mask.sum() > 1 and draw < 1 / 4:
                found.append(engine.state.copy())
            engine.step(policy.act(engine.look(engine.to_move), mask, engine.random()))
    assert same(games, State.join(found[:30]))
    assert same(some(11, seed=seed), games.take(np.arange(11)))


def test_where_the_policy_has_made_up_its_mind_nothing_is_drawn(tmp_path: Path) -> None:
    network, reads = KINDS["suits"]
    model = SavedPolicy(untrained(GIN, tmp_path / "model.npz", network=network, reads=reads))
    found = []
    for surest in (1.0, 0.6):
        engine = laid(positions(GIN, model, 60, every=2, surest=surest, seed=1))
        view, mask = engine.look(engine.to_move), engine.legal_mask()
        found.append(model.probabilities(view, mask, engine.random()).max(axis=1).max())
    assert found[0] > 0.6 >= found[1]


def test_labels_are_those_of_worlds_played_one_by_one() -> None:
    games, base = some(5), Greedy()
    found = label(Search(base, worlds=WORLDS), GIN, games)
    for item in range(5):
        engine = laid(games.take(np.array([item])))
        view, mask = engine.look(engine.to_move), engine.legal_mask()
        key = (engine.random().random() * 2.0**53).astype(np.uint64)
        own = base.act(view, mask, engine.random())[0]
        gains = {}
        for action in mask[0].nonzero()[0]:
            laid_out = (worlds(view, stream(key, w), beliefs=True) for w in range(WORLDS))
            gains[action] = [play_out(w, base, np.array([action]))[0, 0] for w in laid_out]
        for action in range(engine.num_actions):
            ahead, error = 0.0, math.inf
            if action in gains:
                pairs = zip(gains[action], gains[own], strict=True)
                leads = [float(mine - theirs) for mine, theirs in pairs]
                ahead = sum(leads) / WORLDS
                error = math.sqrt(sum((x - ahead) ** 2 for x in leads) / (WORLDS - 1) / WORLDS)
            assert found.ahead[item, action] == pytest.approx(ahead, abs=1e-5)
            assert found.error[item, action] == pytest.approx(error, abs=1e-5)


def test_labels_do_not_depend_on_how_many_are_asked_for() -> None:
    games, search = some(BLOCK + 3), Search("greedy", worlds=WORLDS)
    told: list[float] = []
    whole = label(search, GIN, games, report=told.append)
    assert told == [0.5, 1.0]
    one = label(search, GIN, games.take(np.array([BLOCK + 1])))
    for name, array in vars(whole).items():
        assert np.array_equal(array[BLOCK + 1 : BLOCK + 2], vars(one)[name])


@pytest.mark.parametrize("least", [0.0, 2.0])
def test_targets_are_the_prior_moved_by_what_is_left_of_leads_beside_their_errors(
    least: float,
) -> None:
    rng = np.random.default_rng(1)
    ahead, error = rng.normal(0, 3, (20, 6)), rng.uniform(0, 4, (20, 6))
    prior = rng.uniform(0, 1, (20, 6)) * (rng.random((20, 6)) < 0.7)
    prior[:, 0], ahead[:, 0], error[:, 0] = 1, 0, 0  # the base policy's own
    ahead[:, 1], error[:, 1] = 0, np.inf  # not weighed
    prior /= prior.sum(axis=1, keepdims=True)
    labels = Labels(ahead.astype(np.float32), error.astype(np.float32))
    found = soft_targets(prior, labels, spread=2.0, scale=0.5, least=least)
    for row in range(20):
        weights = [
            p * math.exp((abs(x) >= least) * x * 4 / (4 + e**2) / 0.5)
            for p, x, e in zip(prior[row], labels.ahead[row], labels.error[row], strict=True)
        ]
        expected = [weight / sum(weights) for weight in weights]
        assert found[row].tolist() == pytest.approx(expected, abs=1e-6)
    assert found.dtype == np.float32


def test_leads_of_no_certainty_change_nothing_and_great_ones_do_not_overflow() -> None:
    prior = np.array([[0.5, 0.25, 0.25, 0.0]])
    unsure = given([0, 9, -9, 0], [0, np.inf, np.inf, np.inf])
    assert soft_targets(prior, unsure).tolist() == prior.tolist()
    great = given([0, 9000, 0, 9999], [0, 0, 0, 0])
    assert soft_targets(prior, great, scale=0.01).tolist() == [[0, 1, 0, 0]]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"count": 0}, "count=0: give a whole number"),
        ({"every": 0}, "every=0: give a whole number"),
        ({"seed": -1}, "seed=-1: give a whole number"),
        ({"surest": 0.0}, "surest=0.0: give a probability above 0"),
        ({"surest": 0.9}, r"surest=0\.9: .*Greedy.* has no probabilities; give 1"),
        ({"every": 1 << 24}, r"every=16777216.*: 0 positions in 2048 games; give a smaller every"),
    ],
)
def test_positions_that_make_no_sense_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        positions(GIN, Greedy(), **{"count": 5, "seed": 1, **changed})


def test_labels_that_make_no_sense_are_refused() -> None:
    games = some(1)
    with pytest.raises(ValueError, match="milliseconds=5: labels would depend on the clock"):
        label(Search("greedy", milliseconds=5), GIN, games)
    with pytest.raises(ValueError, match="patient cannot play"):
        label(Search("patient"), rummy_env.rules("rummy500"), games)
    for name in ("spread", "scale"):
        with pytest.raises(ValueError, match=f"{name}=0: give a number of points above 0"):
            soft_targets(np.ones((1, 2)), given([0, 0], [0, 0]), **{name: 0})
    with pytest.raises(ValueError, match="least=-1: give a number of points, 0 for every lead"):
        soft_targets(np.ones((1, 2)), given([0, 0], [0, 0]), least=-1)


@pytest.mark.usefixtures("two_nodes")
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_workers_find_the_same_labels_in_any_order_and_though_one_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a network, whose sums depend on what is computed at once; the last piece comes first."""
    network, reads = KINDS["suits"]
    model = untrained(SMALL_RULES, tmp_path / "model.npz", network=network, reads=reads)
    games = positions(SMALL_RULES, SavedPolicy(model), 2 * BLOCK + 5, every=3, seed=4)
    alone = label(Search(SavedPolicy(model), worlds=WORLDS), SMALL_RULES, games)
    assign = Crew._assign

    def backwards(crew: Crew, work: Any) -> None:
        work.waiting.reverse()
        assign(crew, work)
        work.waiting.reverse()

    monkeypatch.setattr(Crew, "_assign", backwards)
    with Crew(Labelling(), 2) as crew:
        divided = label(Search(SavedPolicy(model), worlds=WORLDS), SMALL_RULES, games, crew)
        mortal = Search(Mortal(tmp_path / "mark", 9), worlds=WORLDS)
        killed = label(mortal, SMALL_RULES, games, crew)
        assert crew.replaced == 1
    undisturbed = label(mortal, SMALL_RULES, games)
    for found, expected in ((divided, alone), (killed, undisturbed)):
        for name, array in vars(found).items():
            assert np.array_equal(array, vars(expected)[name]), name


def test_targets_need_a_prior_of_their_shape() -> None:
    nothing = Labels(np.zeros((1, 3), np.float32), np.ones((1, 3), np.float32))
    with pytest.raises(ValueError, match="no action of position 0 has a probability"):
        soft_targets(np.zeros((1, 3)), nothing)
    with pytest.raises(ValueError, match="give all as"):
        soft_targets(np.ones((2, 3)), nothing)
