"""Saved policies: how they play, what they play, and how they are written."""

import dataclasses
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env.baselines import resolve
from rummy_env.baselines.layout import action_layout, observation_layout
from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.networks import Mlp
from rummy_env.baselines.saved import MODELS, SavedPolicy
from rummy_env.core.arrays import Int32s, Rows
from rummy_env.core.part import Result, Scoring
from rummy_env.core.state import State
from rummy_env.views.features import HINTS
from tests.accidents import Crash, crash_at
from tests.conftest import few_or_all, side_by_side
from tests.models import KINDS, MLP, SMALL_RULES, asked, untrained
from tests.policies import decisions, many_decisions
from tests.rollout import dealt, fitting

Made = Callable[..., Path]

MATCHES = ("basic", "going_out", "gin", "rummy500")
"""Variants of every way that a hand ends, where matches have hands."""


@pytest.fixture(params=KINDS)
def made(request: pytest.FixtureRequest) -> Made:
    """What writes models that have learned nothing, for each kind of network."""
    network, reads = KINDS[request.param]
    return partial(untrained, network=network, reads=reads)


@pytest.fixture
def model(made: Made, tmp_path: Path) -> Path:
    return made(SMALL_RULES, tmp_path / "small.npz")


@pytest.mark.parametrize("deterministic", [True, False])
def test_a_saved_policy_plays_legally_to_the_end(model: Path, deterministic: bool) -> None:
    agent, engine = SavedPolicy(model, deterministic=deterministic), dealt(SMALL_RULES, 20)
    while (rows := engine.running).size:
        engine.step(decisions(agent, engine, rows), rows)
    assert engine.finished.all()


def test_threads_may_share_a_model_that_plays_by_several_rules() -> None:
    model = SavedPolicy(MODELS / "gin.npz")
    hands, matches = rummy_env.rules("gin"), rummy_env.rules("gin", match="match")
    stop, asked = threading.Event(), [dealt(rules, 8) for rules in (hands, matches)]

    def choices(engine: rummy_env.Engine) -> list[int]:
        view = engine.look(engine.to_move)
        return model.act(view, engine.legal_mask(), engine.random()).tolist()

    def disturb() -> None:
        while not stop.is_set():
            choices(asked[0])

    alone, other = choices(asked[1]), threading.Thread(target=disturb)
    other.start()
    try:
        assert all(choices(asked[1]) == alone for _ in range(200))
    finally:
        stop.set()
        other.join()


def test_drawing_follows_the_probabilities_of_the_network(model: Path) -> None:
    agent = SavedPolicy(model, deterministic=False)
    engine = dealt(SMALL_RULES, 1, steps=1)
    view, rng = engine.look(engine.to_move), engine.random()
    chances = agent.probabilities(view, engine.legal_mask(), rng)[0]
    actions = many_decisions(agent, engine, 4000)
    often = np.bincount(actions, minlength=len(chances)) / 4000
    assert np.abs(often - chances).max() < 5 * np.sqrt(0.25 / 4000)
    assert len(set(actions.tolist())) > 1


def test_a_policy_that_is_not_told_to_draw_plays_its_likeliest_action(model: Path) -> None:
    agent = SavedPolicy(model)
    engine = dealt(SMALL_RULES, 1, steps=1)
    view, rng = engine.look(engine.to_move), engine.random()
    chances = agent.probabilities(view, engine.legal_mask(), rng)[0]
    assert set(many_decisions(agent, engine, 50).tolist()) == {int(chances.argmax())}


@pytest.mark.parametrize("deterministic", [True, False])
def test_a_saved_policy_chooses_alike_in_every_batch(model: Path, deterministic: bool) -> None:
    agent = SavedPolicy(model, deterministic=deterministic)
    engine = dealt(SMALL_RULES, 64, steps=2)
    rows = engine.running
    together = decisions(agent, engine, rows)
    for i in (0, 17, len(rows) - 1):
        assert decisions(agent, engine, rows[[i]]) == together[i]


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_layers_are_products_with_an_activation_between_them(activation: str) -> None:
    network = Mlp((2,), activation)
    arrays = {
        "weight_0": np.array([[1, -1], [2, 0.5], [0, 4]], np.float32),
        "bias_0": np.array([-0.5, 0.25], np.float32),
        "weight_1": np.array([[1, 2], [3, 4]], np.float32),
        "bias_1": np.array([10, 20], np.float32),
    }
    middle = [0.5, -0.75]
    first, second = (max(x, 0) for x in middle) if activation == "relu" else np.tanh(middle)
    assert np.allclose(
        network.forward(arrays, np.array([[1, 0, 0]], np.int8)),
        [[first + 3 * second + 10, 2 * first + 4 * second + 20]],
    )


def test_the_network_without_hidden_layers_is_one_product(tmp_path: Path) -> None:
    path = untrained(SMALL_RULES, tmp_path / "flat.npz", network=Mlp((), "relu"))
    assert asked(SavedPolicy(path), SMALL_RULES).shape == (3,)


# What it plays


@pytest.mark.parametrize("options", [{"max_turns": 90}, {"reward": "points"}, {"match": "games"}])
def test_what_changes_neither_observations_nor_actions_may_differ(
    model: Path, options: dict[str, Any]
) -> None:
    given = {**dict(SMALL_RULES.options), **options}
    rules = SMALL_RULES if "match" in options else rummy_env.rules("basic", **given)
    assert SavedPolicy(model).plays(rules)
    assert asked(SavedPolicy(model), rules).shape == (3,)


@few_or_all(
    "variant, kind",
    few=side_by_side(MATCHES, KINDS)[1:3],
    every=product(MATCHES, KINDS),
)
def test_in_a_match_a_model_of_single_hands_plays_each_hand_as_if_it_were_the_only_one(
    tmp_path: Path, variant: str, kind: str
) -> None:
    hand, match = fitting(variant), fitting(variant, match="match", max_hands=3)
    network, reads = KINDS[kind]
    model = SavedPolicy(untrained(hand, tmp_path / "hand.npz", network=network, reads=reads))
    alone, played, compared = dealt(hand, 4), dealt(match, 4), 0
    while (rows := alone.running).size:
        choices = decisions(model, alone, rows)
        assert np.array_equal(decisions(model, played, rows), choices)
        compared += len(rows)
        for engine in (alone, played):
            engine.step(choices, rows)
    assert compared > 50
    rows = played.running
    assert (played.state.hand_number[rows] == 1).all()
    played.step(decisions(model, played, rows), rows)
    of_matches = untrained(match, tmp_path / "match.npz", network=network, reads=reads)
    with pytest.raises(ValueError, match=r"it has 'score_0' .* where the rules have"):
        SavedPolicy(of_matches).plays(hand)


def test_the_version_that_a_model_was_trained_with_does_not_matter(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rummy_env, "__version__", "99.0")
    assert SavedPolicy(model).plays(SMALL_RULES)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"hand_size": 4},
            r"layout of the observation: it has 'size_0' \(4 .* rules have 'size_0' \(5 ",
        ),
        ({"num_players": 3}, r"it has '\w+' .* where the rules have 'known_2' \(52 entries\)"),
        (
            {"ace": "high_or_low"},
            r"it has 'sequences' .* rules have 'sequences' .*, but for aces",
        ),
    ],
)
def test_another_layout_is_refused_with_the_name_of_the_first_entry_that_differs(
    model: Path, options: dict[str, Any], words: str
) -> None:
    rules = rummy_env.rules("basic", **{**dict(SMALL_RULES.options), **options})
    agent = SavedPolicy(model)
    asked(agent, SMALL_RULES)
    for door in (agent.plays, partial(asked, agent), partial(resolve, model)):
        with pytest.raises(ValueError, match=rf"small\.npz cannot play .*{words}") as refused:
            door(rules)
        (option,) = options
        trained = f"{option}={getattr(SMALL_RULES, option)!r}"
        assert f": it was trained with {trained}; made for another" in str(refused.value)


def test_an_entry_of_another_meaning_is_another_entry(tmp_path: Path) -> None:
    layout = observation_layout(SMALL_RULES, HINTS)
    (name, width, _), *others = layout.parts
    other = dataclasses.replace(layout, parts=((name, width, "it is gone"), *others))
    agent = SavedPolicy(untrained(SMALL_RULES, tmp_path / "other.npz", observation=other))
    with pytest.raises(ValueError, match=r"'hand' .*'it is gone'.* 'the card is in your hand'"):
        asked(agent, SMALL_RULES)


def test_other_cards_of_an_action_make_other_actions(tmp_path: Path) -> None:
    layout = action_layout(SMALL_RULES)
    *others, (kind, width, cards) = layout.parts
    other = dataclasses.replace(layout, parts=(*others, (kind, width, cards.replace("K", "Q"))))
    agent = SavedPolicy(untrained(SMALL_RULES, tmp_path / "other.npz", actions=other))
    with pytest.raises(ValueError, match=r"another layout of the actions: .*'discard' .*Qs'.*Ks'"):
        asked(agent, SMALL_RULES)


# What the package brings


def test_the_model_of_the_package_is_found_by_its_rules_and_plays_them() -> None:
    agent = SavedPolicy.for_rules(rummy_env.rules("gin", reward="points"), deterministic=False)
    assert (agent.path, agent.deterministic) == (MODELS / "gin.npz", False)
    assert asked(agent, rummy_env.rules("gin")).shape == (3,)


def test_rules_without_a_model_are_told_so() -> None:
    with pytest.raises(ValueError, match=r"no trained model .* only for .*gin.*rules\('basic'"):
        SavedPolicy.for_rules(SMALL_RULES)


def test_a_name_in_place_of_rules_is_refused() -> None:
    with pytest.raises(TypeError, match=r"'gin': give complete rules, as rummy_env.rules"):
        SavedPolicy.for_rules("gin")  # type: ignore[arg-type]


@dataclass(frozen=True)
class OnePoint(Scoring):
    """A hand pays one point, which no critic of the package has learned."""

    def caught(self) -> Int32s:
        return np.ones(52, np.int32)

    def score(self, state: State, rows: Rows) -> Result:
        raise NotImplementedError


def test_of_rules_with_another_scoring_a_model_tells_so_and_gives_no_values() -> None:
    usual = rummy_env.rules("basic")
    rules = replace(usual, scoring=OnePoint(), max_turns=50)
    model = SavedPolicy.for_rules(rules)
    otherwise = "it was trained with max_turns=200, another scoring"
    assert model.describe(rules) == f"{model.describe(usual)}; {otherwise}"
    wins = rummy_env.rules("basic", num_players=3, reward="win")
    told = SavedPolicy.for_rules(wins).describe(wins)
    assert told.endswith("; it was trained with reward='zero_sum'")
    assert model.values(dealt(usual, 2).look(0)).shape == (2,)
    with pytest.raises(ValueError, match=r"critic values points of basic, and .*OnePoint"):
        model.values(dealt(rules, 2).look(0))
    with pytest.raises(ValueError, match="or try moves out to the end, with leaf 'end'"):
        resolve("lookahead", rules)


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.npz")), ids=lambda path: path.stem)
def test_every_model_of_the_package_plays_what_it_was_trained_on(path: Path) -> None:
    card = SavedPolicy(path).card
    rules = card.rules
    assert np.array_equal(card.places(rules), np.arange(card.observation.size))
    assert SavedPolicy.for_rules(rules).path == path


def test_of_several_models_that_fit_the_one_of_most_options_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rummy_env.baselines.saved.MODELS", tmp_path)
    points = rummy_env.rules("gin", reward="points")
    untrained(rummy_env.rules("gin", reward="win"), tmp_path / "a.npz")
    untrained(points, tmp_path / "b.npz")
    assert SavedPolicy.for_rules(points).path.name == "b.npz"
    assert SavedPolicy.for_rules(rummy_env.rules("gin", reward="win")).path.name == "a.npz"


def test_in_a_match_of_gin_its_own_model_plays_and_the_critic_of_hands_values() -> None:
    rules = rummy_env.rules("gin", match="match")
    trained: Any = resolve("trained", rules)
    hands = SavedPolicy(MODELS / "gin.npz")
    assert SavedPolicy.for_rules(rules).path == MODELS / "gin_match.npz"
    engine = dealt(rules, 8, steps=400)
    rows = engine.running
    asked = engine.look(engine.to_move[rows], rows), engine.legal_mask(rows), engine.random(rows)
    assert np.array_equal(trained.values(asked[0]), hands.values(asked[0]))
    assert not np.allclose(trained.probabilities(*asked), hands.probabilities(*asked))
    other = rummy_env.rules("gin", match="match", target=50)
    assert SavedPolicy.for_rules(other).path == MODELS / "gin.npz"


@pytest.mark.parametrize("variant", ["basic", "bonus", "classic"])
def test_where_winning_alone_is_paid_its_own_model_plays_hands_but_no_matches(variant: str) -> None:
    def plays(**options: Any) -> str:
        return SavedPolicy.for_rules(rummy_env.rules(variant, **options)).path.name

    usual = f"{variant}.npz"
    assert plays(reward="win") == f"{variant}_win.npz"
    assert plays() == plays(reward="points") == plays(match="match", reward="win") == usual


@pytest.mark.parametrize("valued", [False, True])
def test_a_model_for_rules_of_ones_own_was_trained_for_what_counts_there(valued: bool) -> None:
    wins = rummy_env.rules("basic", reward="win").rewards
    own = dataclasses.replace(rummy_env.rules("basic"), rewards=wins)
    assert SavedPolicy.for_rules(own, valued=valued).path.name == "basic_win.npz"


# Writing


def test_a_model_in_half_precision_is_half_as_large_and_its_numbers_are_near(model: Path) -> None:
    whole, path = SavedPolicy(model), model.with_name("half.npz")
    write_model(path, whole.card, whole.arrays, half=True)
    read = SavedPolicy(path).arrays
    for name, numbers in whole.arrays.items():
        assert read[name].dtype == np.float32
        assert np.array_equal(read[name], numbers.astype(np.float16))
        assert np.abs(read[name] - numbers).max() <= 2**-11 * np.abs(numbers).max()
    count = sum(array.size for array in read.values())
    assert model.stat().st_size - path.stat().st_size == 2 * count


def test_numbers_beyond_half_precision_are_not_rounded(model: Path) -> None:
    whole = SavedPolicy(model)
    name, *_ = whole.arrays
    huge = {**whole.arrays, name: whole.arrays[name] + np.float32(1e5)}
    before = model.read_bytes()
    with pytest.raises(
        ValueError, match=rf"small\.npz: '{name}' has numbers up to 1e\+05, and half"
    ):
        write_model(model, whole.card, huge, half=True)
    assert model.read_bytes() == before


def test_arrays_that_are_not_those_of_the_card_are_not_written(tmp_path: Path) -> None:
    card = ModelCard.of(SMALL_RULES, MLP, HINTS)
    with pytest.raises(ValueError, match="'weight_0' is missing; give weight_0, bias_0"):
        write_model(tmp_path / "small.npz", card, {"bias_0": np.zeros(16, np.float32)})
    with pytest.raises(ValueError, match=r"give a path that ends in \.npz"):
        write_model(tmp_path / "small.zip", card, {})
    assert not [*tmp_path.iterdir()]


def crashes(patch: pytest.MonkeyPatch, write: Callable[[], object]) -> Iterator[int]:
    """Writes a model as often as there are steps to it, each time dying in another of them."""
    for moment in range(4):
        with patch.context() as some:
            crash_at(moment, some)
            with pytest.raises(Crash):
                write()
        yield moment


def test_a_process_that_dies_writing_leaves_the_model_before_or_the_new_one(
    made: Made, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = SavedPolicy(model).arrays
    new = SavedPolicy(made(SMALL_RULES, tmp_path / "new.npz", seed=2)).arrays
    for moment in crashes(monkeypatch, lambda: made(SMALL_RULES, model, seed=2)):
        left, expected = SavedPolicy(model).arrays, old if moment < 2 else new
        assert left.keys() == expected.keys()
        assert all((left[name] == expected[name]).all() for name in expected)


def test_a_process_that_dies_writing_leaves_no_card_of_another_model(
    made: Made, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = rummy_env.rules("basic", hand_size=3, max_turns=40, reward="points")
    for _ in crashes(monkeypatch, lambda: made(other, model, seed=2)):
        with pytest.raises(ValueError, match="is missing, the card"):
            SavedPolicy(model)
    assert SavedPolicy(made(other, model)).plays(other)
