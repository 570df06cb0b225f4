"""The built-in policies, and how a policy is named."""

import dataclasses
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.baselines import BASELINES, Greedy, Patient, Random, Strong, Trained, resolve
from rummy_env.baselines.policies import name_of
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.baselines.table import card_points, melding_of
from rummy_env.command_line import load_agents
from rummy_env.core.arrays import Rows
from rummy_env.core.cards import Pack
from rummy_env.core.part import Result, Scoring
from rummy_env.core.rules import END_TURN, Phase, Sight
from rummy_env.core.state import State
from rummy_env.envs.learner import LearnerGames
from rummy_env.envs.sb3 import RummyVecEnv
from rummy_env.envs.single import RummyEnv
from rummy_env.envs.vector import RummyVectorEnv
from rummy_env.evaluation import compare
from rummy_env.parts.discarding import Discard
from rummy_env.search import Lookahead
from tests.models import SMALL_RULES, untrained
from tests.policies import decision, decisions, many_decisions
from tests.rollout import dealt
from tests.table import TABLE_VARIANTS, lay

PLAYING = {"phase": "play"}

table_variants = pytest.mark.parametrize("table_variant", TABLE_VARIANTS)


def test_random_plays_every_legal_action(variant: str) -> None:
    engine = dealt(rummy_env.rules(variant), 1, steps=1)
    legal = engine.legal_mask()[0].nonzero()[0]
    found, times = np.unique(many_decisions(Random(), engine, 2000), return_counts=True)
    assert np.array_equal(found, legal)
    assert times.min() > 0.6 * 2000 / len(legal)


@pytest.mark.slow
def test_every_variant_has_greedy_opponents_and_they_beat_random_ones(variant: str) -> None:
    engine = Engine(rummy_env.rules(variant), 300, seed=1)
    engine.reset()
    while (rows := engine.running).size:
        greedy = engine.to_move[rows] == rows % 2
        engine.step(decisions(Greedy(), engine, rows[greedy]), rows[greedy])
        engine.step(decisions(Random(), engine, rows[~greedy]), rows[~greedy])
    assert engine.state.winners[np.arange(300), np.arange(300) % 2].mean() > 0.8


@table_variants
def test_greedy_takes_a_discard_that_completes_a_meld(table_variant: str) -> None:
    group = lay(table_variant, "7c 7d Kc 2s | Kd Qs", discard="7h")
    sequence = lay(table_variant, "9d Td Kc 2s | Kd Qs", discard="8d")
    pair = lay(table_variant, "7c 9d Kc 2s | Kd Qs", discard="7h")
    assert decision(Greedy(), group) == "draw discard"
    assert decision(Greedy(), sequence) == "draw discard"
    assert decision(Greedy(), pair) == "draw stock"


@table_variants
@pytest.mark.parametrize(("ace", "choice"), [("low", "stock"), ("high_or_low", "discard")])
def test_greedy_knows_the_high_ace(table_variant: str, ace: str, choice: str) -> None:
    hand = lay(table_variant, "Qh Kh 2c 3s | Kd Qs", discard="Ah", ace=ace)
    laid = lay(table_variant, "2c 3s | Kd Qs", discard="Ah", melds="Jh Qh Kh", ace=ace)
    assert decision(Greedy(), hand) == f"draw {choice}"
    assert decision(Greedy(), laid) == f"draw {choice}"


@table_variants
@pytest.mark.parametrize(("lay_off", "choice"), [(True, "discard"), (False, "stock")])
def test_greedy_takes_a_discard_that_can_be_laid_off(
    table_variant: str, lay_off: bool, choice: str
) -> None:
    given: dict[str, Any] = {"melds": "6c 6d 6s | Th Jh Qh", "lay_off": lay_off}
    for card in ("6h", "9h", "Kh"):
        table = lay(table_variant, "7c 9d Kc 2s | Kd Qs", discard=card, **given)
        assert decision(Greedy(), table) == f"draw {choice}", card


@table_variants
def test_a_meld_in_the_hand_is_no_reason_to_take_another_card(
    table_variant: str,
) -> None:
    table = lay(table_variant, "7c 7d 7h Kc 2s | Kd Qs", discard="3d")
    assert decision(Greedy(), table) == "draw stock"


@table_variants
def test_greedy_lays_down_what_scores_most_then_lays_off_then_discards(table_variant: str) -> None:
    table = lay(
        table_variant,
        "Kc Kd Kh 4s 5s 6s 8h 9c Qd | 2d 3d",
        melds="8c 8d 8s",
        marks=PLAYING,
        melds_per_turn=None,
    )
    for move in ("meld Kc Kd Kh", "meld 4s 5s 6s", "lay off 8h on group", "discard Qd"):
        kind, *cards = move.replace(" on ", "_").split()
        words = decision(Greedy(), table)
        assert words.split()[0] == kind, words
        assert set(cards) & set(words.split()[1:]), words
        table.engine.step(decisions(Greedy(), table.engine, np.zeros(1, np.intp)))


@pytest.mark.parametrize(
    ("variant_name", "card"), [("basic", "Ac"), ("bonus", "Kd"), ("classic", "Kd")]
)
def test_greedy_discards_what_scores_most_if_caught(variant_name: str, card: str) -> None:
    table = lay(variant_name, "Ac 5d 9h Kd 2s | 2d 3d", marks=PLAYING)
    assert decision(Greedy(), table) == f"discard {card}"


@table_variants
def test_greedy_keeps_a_meld_that_has_to_wait_for_the_next_turn(table_variant: str) -> None:
    waiting = {**PLAYING, "melds_made": 1}
    table = lay(table_variant, "Kc Kd Kh 5c 4d | 2d 3d", marks=waiting, melds_per_turn=1)
    assert not any("meld" in kind for kind in table.kinds)
    assert decision(Greedy(), table) in ("discard 5c", "discard 4d")


@table_variants
def test_greedy_breaks_a_waiting_meld_where_nothing_else_is_left(table_variant: str) -> None:
    waiting = {**PLAYING, "melds_made": 1}
    table = lay(table_variant, "Kc Kd Kh | 2d 3d", marks=waiting, melds_per_turn=1)
    assert decision(Greedy(), table).startswith("discard K")


@table_variants
def test_greedy_does_not_hoard_once_the_stock_has_been_renewed(table_variant: str) -> None:
    def choices(**marks: Any) -> set[str]:
        engine = lay(table_variant, "2c 4d 7h Js | 2d 3d", marks={**PLAYING, **marks}).engine
        return {str(engine.describe(int(a))) for a in many_decisions(Greedy(), engine, 200)}

    assert choices() == {"discard Js"}
    every = {"discard 2c", "discard 4d", "discard 7h", "discard Js"}
    assert choices(shuffles=2) == every
    assert choices(stock_open=True) == every


def test_greedy_sees_that_the_stock_was_renewed_from_a_covered_pile() -> None:
    rules = rummy_env.rules("basic")
    for sight in (Sight(), Sight(pile_known=False)):
        engine = Engine(dataclasses.replace(rules, sight=sight), 300, seed=1)
        engine.reset()
        while not engine.finished.all():
            engine.step(decisions(Greedy(), engine, engine.running), engine.running)
        assert engine.truncated.sum() < 15  # every sixteenth, if they go on to hoard


@dataclasses.dataclass(frozen=True)
class _Nothing(Scoring):
    """A hand scores nothing."""

    zero_sum_scale: float = 1.0

    def score(self, state: State, rows: Rows) -> Result:
        raise NotImplementedError


@table_variants
def test_greedy_refuses_rules_that_it_cannot_play(table_variant: str) -> None:
    strange = dataclasses.replace(rummy_env.rules(table_variant), scoring=_Nothing())
    engine = dealt(strange, 1)
    words = r"greedy cannot play .*, since _Nothing has no method caught\(\) .*: give 'random'"
    with pytest.raises(ValueError, match=words):
        decisions(Greedy(), engine, np.zeros(1, np.intp))
    with pytest.raises(ValueError, match="cost nothing"):
        card_points(strange)


@table_variants
def test_rules_without_melds_on_the_table_are_named(table_variant: str) -> None:
    rules = rummy_env.rules(table_variant, going_rummy=False)
    draw = dataclasses.replace(rules, turn=rules.turn[:1] + _only_discards(rules))
    with pytest.raises(ValueError, match="has no melds on the table"):
        melding_of(draw)


@table_variants
def test_rules_that_lack_a_move_are_refused_by_who_needs_it(table_variant: str) -> None:
    rules = rummy_env.rules(table_variant)
    draw, play = rules.turn
    groups = {move: then for move, then in play.moves if "Sequence" not in type(move).__name__}
    sets = dataclasses.replace(rules, turn=(draw, Phase("play", groups)))
    blind = dataclasses.replace(rules, turn=(Phase("draw", dict(draw.moves[:1])), play))
    first = np.zeros(1, np.intp)
    assert len(decisions(Greedy(), dealt(sets, 1), first))
    assert len(decisions(Greedy(), dealt(blind, 1), first))
    for agent, strange in ((Strong(), blind), (Strong(), sets)):
        with pytest.raises(ValueError, match=r"strong cannot play"):
            decisions(agent, dealt(strange, 1), first)


def _only_discards(rules: Rules) -> tuple[Any, ...]:
    move, then = rules.turn[1].moves[-1]
    return (type(rules.turn[1])("play", {move: then}),)


def a_new_mechanic() -> Rules:
    """Basic rummy in which a card can be given away instead of being discarded."""
    rules = rummy_env.rules("basic")
    draw, play = rules.turn
    giving = Phase("play", {**dict(play.moves), GiveAway(Pack()): END_TURN})
    return dataclasses.replace(rules, turn=(draw, giving))


class GiveAway(Discard):
    """Discards by another name, without a word of when to prefer it."""

    preference = None  # type: ignore[assignment]

    kind = "give_away"


@pytest.mark.parametrize("name", [name for name in BASELINES if name not in ("random", "trained")])
def test_a_baseline_is_refused_before_the_game_where_it_does_not_know_a_mechanic(name: str) -> None:
    rules = a_new_mechanic()
    words = rf"{name} cannot play .*'basic'.*, not knowing .*give_away.*: give 'random'"
    for makes in (
        lambda: resolve(name, rules),
        lambda: RummyEnv(rules, opponents=name),
        lambda: RummyVectorEnv(rules, 2, opponents=[name]),
        lambda: LearnerGames(rules, 2, opponents=[("random", 1), (name, 1)]),
        lambda: RummyVecEnv(rules, 2, opponents="random").set_opponents(name),
        lambda: compare(rules, {"it": resolve(name), "random": Random()}, deals=2, seed=1),
    ):
        with pytest.raises(ValueError, match=words):
            makes()
    assert RummyEnv(rules, opponents="random").reset(seed=1)


def test_a_policy_that_does_not_say_what_it_plays_plays_everything(rules: Rules) -> None:
    assert resolve(Random, rules)


def test_some_heuristics_play_every_variant(rules: Rules) -> None:
    for baseline in (Greedy, Strong):
        assert resolve(baseline, rules)


def test_patient_plays_the_rules_that_it_says_it_plays_and_no_others(rules: Rules) -> None:
    if Patient.plays(rules):
        assert len(decisions(Patient(), dealt(rules, 1), np.zeros(1, np.intp)))
    else:
        with pytest.raises(ValueError, match=r"patient cannot play .*, (not knowing|by its)"):
            resolve(Patient, rules)


def test_the_players_of_gin_play_gin_alone(variant: str) -> None:
    rules = rummy_env.rules(variant)
    for name in ("simple", "careful", "camper"):
        if variant == "gin":
            assert resolve(name, rules)
        else:
            with pytest.raises(ValueError, match=f"{name} cannot play .*'{variant}'"):
                resolve(name, rules)


def test_a_name_in_place_of_rules_is_refused() -> None:
    with pytest.raises(TypeError, match=r"'gin': give complete rules, as rummy_env.rules"):
        resolve("greedy", "gin")  # type: ignore[arg-type]


def test_those_who_can_play_are_named_where_one_cannot() -> None:
    with pytest.raises(ValueError, match=r"take_pile: give 'random', 'greedy', 'strong', or"):
        resolve("patient", rummy_env.rules("rummy500"))


def test_every_baseline_is_found_by_its_name_and_bears_it() -> None:
    untrained = (
        "random",
        "greedy",
        "strong",
        "patient",
        "farsighted",
        "simple",
        "careful",
        "camper",
    )
    assert tuple(BASELINES) == (*untrained, "trained")
    for name, baseline in BASELINES.items():
        assert type(resolve(name)) is baseline
        assert name_of(resolve(name)) == name


def test_the_model_of_the_package_plays_by_the_name_trained() -> None:
    rules = rummy_env.rules("gin")
    named, model = resolve("trained", rules), SavedPolicy.for_rules(rules)
    engine = dealt(rules, 64, steps=9)
    rows = engine.running
    assert (decisions(named, engine, rows) == decisions(model, engine, rows)).all()
    drawing = resolve(load_agents(["trained"], sample=True)["trained"])
    model.deterministic = False
    assert (decisions(drawing, engine, rows) == decisions(model, engine, rows)).all()
    assert (decisions(drawing, engine, rows) != decisions(named, engine, rows)).any()
    env = RummyEnv(rules, opponents="trained")
    _, info = env.reset(seed=1)
    assert info["action_mask"].any()
    assert compare(rules, {"trained": "trained", "random": "random"}, deals=2, seed=1).duels


def test_trained_is_refused_by_name_where_no_model_fits() -> None:
    rules = rummy_env.rules("basic", hand_size=7)
    words = (
        r"no trained model .* only for .*gin.*give the path of .*'greedy', or 'random' .*'basic'"
    )
    for makes in (
        lambda: resolve("trained", rules),
        lambda: RummyEnv(rules, opponents="trained"),
        lambda: RummyVectorEnv(rules, 2, opponents=["trained"]),
        lambda: compare(rules, {"trained": "trained", "random": "random"}, deals=2, seed=1),
        lambda: decisions(Trained(), dealt(rules, 1), np.zeros(1, np.intp)),
    ):
        with pytest.raises(ValueError, match=words):
            makes()


def test_policies_are_found_by_import_string() -> None:
    assert isinstance(resolve("rummy_env.baselines:Greedy"), Greedy)
    greedy = Greedy()
    assert resolve(greedy) is greedy
    assert isinstance(resolve(Greedy), Greedy)


@pytest.mark.parametrize("kind", [str, Path])
def test_the_path_of_a_model_names_it_wherever_an_opponent_is_asked_for(
    tmp_path: Path, kind: type
) -> None:
    (tmp_path / "x").mkdir()
    path = kind(untrained(SMALL_RULES, tmp_path / "x" / "best.npz"))
    loaded = resolve(path, SMALL_RULES)
    assert isinstance(loaded, SavedPolicy)
    assert loaded.path == Path(path)
    assert name_of(path) == name_of(loaded) == "x/best"
    games = LearnerGames(SMALL_RULES, 2, opponents=[path])
    games.reset(1)
    assert games.agents(0)[1 - games.seats[0]] == "x/best"
    with pytest.raises(ValueError, match=r"best\.npz cannot play .*; made for another layout"):
        LearnerGames(rummy_env.rules("basic"), 2, opponents=[path])


@pytest.mark.parametrize("path", ["runs/x/best.zip", Path("runs/x/best.zip")])
def test_a_zip_is_not_opened_and_the_message_says_how_to_make_a_model_of_it(
    path: str | Path,
) -> None:
    words = r"best\.zip: .*can run code.*docs/adding_an_agent\.md#a-trained-agent"
    with pytest.raises(ValueError, match=words):
        resolve(path)


def test_an_instance_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("mine")
    module.policy = Greedy()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mine", module)
    assert resolve("mine:policy") is module.policy


@pytest.mark.parametrize(
    "name",
    [
        "",
        "gredy",
        "Greedy",
        "rummy_env.baselines",
        "rummy_env.baselines:",
        ":Greedy",
    ],
)
def test_an_unknown_name_is_refused_with_what_would_be_right(name: str) -> None:
    with pytest.raises(ValueError, match=r"give one of 'random', .*, the path .*module:attribute"):
        resolve(name)


def test_the_models_in_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"as in 'my_agents:Eager'$"):
        resolve(str(tmp_path))
    for name in ("best.npz", "clone.npz", "report.md"):
        (tmp_path / name).touch()
    models = rf"; in that folder are {tmp_path}/best\.npz, {tmp_path}/clone\.npz$"
    with pytest.raises(ValueError, match=models):
        resolve(str(tmp_path))


@pytest.mark.parametrize("name", ["no_such_module:Greedy", "rummy_env.baselines:Gredy"])
def test_an_import_string_that_leads_nowhere_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=f"agent '{name}' cannot be imported"):
        resolve(name)


@pytest.mark.parametrize("thing", [3, None, object(), "rummy_env:rules", "math:pi"])
def test_what_cannot_act_is_no_policy(thing: Any) -> None:
    words = r"has no method act.*give a policy, or one of random|is a function: give a class with"
    with pytest.raises(TypeError, match=words):
        resolve(thing)


def test_a_class_that_needs_arguments_is_named() -> None:
    with pytest.raises(TypeError, match=r"module.*cannot be made without arguments"):
        resolve("types:ModuleType")


def test_a_search_has_a_name_at_every_door() -> None:
    rules = rummy_env.rules("basic")
    assert isinstance(resolve("lookahead", rules), Lookahead)
    assert name_of("lookahead") == "lookahead"
    env = RummyEnv(rules, opponents="lookahead")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="critic"):
        resolve("lookahead", rummy_env.rules("going_out"))


def test_a_weight_beyond_all_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match=r"weight of 'greedy'=10+.*: give a positive number"):
        LearnerGames(rummy_env.rules("basic"), 2, opponents=[("greedy", 10**400)])
