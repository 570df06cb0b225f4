"""A variant of a user's own: every door that takes a name takes its import string."""

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import rummy_env
from rummy_env import Engine, Rules, command_line, records
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.arrays import Bools
from rummy_env.core.movers import Movers
from rummy_env.core.part import Condition
from rummy_env.core.rules import Phase
from rummy_env.envs.sb3 import RummyVecEnv
from rummy_env.evaluation import compare, write
from rummy_env.play.offer import Offer
from rummy_env.play.orders import checked_rules
from rummy_env.variants.options import describe
from tests.models import untrained
from tests.own_variants import OWN, Deck, five_cards

HERE = __name__


def no_rules() -> str:
    """Makes something else."""
    return "rules"


nothing = 5


@dataclass(frozen=True)
class Settings:
    """Does something.

    Attributes:
        deals: How many deals.
    """

    deals: int = 20


def test_rules_of_an_own_variant_are_found_again_by_their_name() -> None:
    rules = rummy_env.rules(OWN, num_players=3)
    assert (rules.name, rules.num_players, rules.hand_size) == (OWN, 3, 5)
    assert eval(repr(five_cards(num_players=3))) == five_cards(num_players=3)
    assert rummy_env.rules(rules.name, num_players=3) == rules


@pytest.mark.parametrize(
    "door",
    [
        lambda: Engine(rummy_env.rules(OWN, num_players=3)).rules,
        lambda: rummy_env.raw_env(OWN, num_players=3).engine.rules,
        lambda: RummyVecEnv(OWN, 2, num_players=3).games.engine.rules,
        lambda: command_line.parse(Settings, "python -m x", [OWN, "--num-players", "3"])[0],
    ],
    ids=["engine", "PettingZoo", "Stable-Baselines3", "command"],
)
def test_doors_that_take_a_name_take_an_import_string(door: Callable[[], Rules]) -> None:
    assert door() == rummy_env.rules(OWN, num_players=3)


def test_a_command_helps_with_the_options_of_an_own_variant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        command_line.parse(Settings, "python -m x", [OWN, "--help"])
    told = capsys.readouterr().out
    assert "--num-players" in told
    assert "--hand-size" not in told
    assert describe(OWN, "num_players") == ("", "")  # only its author knows


@pytest.mark.parametrize(
    ("name", "options", "error", "message"),
    [
        ("nowhere:game", {}, ValueError, r"variant 'nowhere:game' cannot be imported: .*nowhere"),
        (
            f"{HERE}:absent",
            {},
            ValueError,
            rf"variant '{HERE}:absent' cannot be imported: .*absent",
        ),
        (f"{HERE}:nothing", {}, TypeError, "is 5: give a function that returns Rules"),
        (f"{HERE}:no_rules", {}, TypeError, "made 'rules': give a function that returns Rules"),
        (OWN, {"ace": "low"}, ValueError, "no option ace='low'; it has num_players, max_turns"),
        (OWN, {"num_players": 9}, ValueError, "num_players=9: give a whole number from 2 to 6"),
        ("json:dumps", {}, TypeError, "'json:dumps': .*'obj'; give every option a default"),
        (":five_cards", {}, ValueError, "variant=':five_cards': give one of 'basic'"),
        (f"{HERE}:", {}, ValueError, "give one of 'basic'"),
        (five_cards, {}, ValueError, "five_cards.*: give the rules that it returns, or name it by"),
    ],
)
def test_what_is_no_variant_is_refused(
    name: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        rummy_env.rules(name, **options)


def house(*, knock: int = 5) -> Rules:
    """Gin with another name for an option."""
    return rummy_env.rules("gin", knock_card=knock)


def anything(**options: Any) -> Rules:
    """Gin."""
    return rummy_env.rules("gin", **options)


def test_a_module_that_fails_is_named_with_what_it_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_done.py").write_text("raise RuntimeError('not yet')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="'half_done:game' cannot be imported: RuntimeError: not"):
        rummy_env.rules("half_done:game")


def test_options_are_those_of_the_own_function(tmp_path: Path) -> None:
    rules = rummy_env.rules(f"{HERE}:house", knock=3)
    assert rules.knock == 3
    assert dict(rules.options) == {"knock": 3}
    assert dict(rummy_env.rules(f"{HERE}:house").options) == {"knock": 5}
    assert rummy_env.rules(rules.name, **dict(rules.options)) == rules
    assert rummy_env.rules(f"{HERE}:anything", oklahoma=True).oklahoma
    path = tmp_path / "games.jsonl"
    with_record = RummyVecEnv(rules, 1, opponents="random", record=path)
    with_record.reset()
    while not with_record.step(with_record.action_masks().argmax(axis=1))[2].any():
        pass
    variants = {**records.KNOWN, rules.name: house}
    assert records.read(path, variants=variants)[0].rules == rules


@dataclass(frozen=True)
class Never(Condition):
    """Holds in no game."""

    def holds(self, movers: Movers) -> Bools:
        return movers.seat < 0


def test_a_first_phase_that_does_not_hold_is_passed_over_from_the_deal_on() -> None:
    rules = rummy_env.rules("basic")
    first = rules.turn[0]
    never = Phase("never", dict(first.moves), when=Never(), otherwise=first.name)
    engine = Engine(replace(rules, turn=(never, *rules.turn)), 3, seed=1)
    engine.reset()
    for _ in range(40):
        assert (engine.state.phase != 0).all()
        engine.step(engine.random_actions())


def untyped(*, num_players=2) -> Rules:  # type: ignore[no-untyped-def]
    return rummy_env.rules("basic", num_players=num_players)


def test_an_option_without_a_type_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit), command_line.plain_errors():
        command_line.parse(Settings, "command", [f"{HERE}:untyped"])
    assert "its option 'num_players' lacks its type" in capsys.readouterr().err


partly = functools.partial(five_cards, num_players=3)


def test_flags_are_made_of_functions_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert rummy_env.rules(f"{HERE}:partly").num_players == 3
    with pytest.raises(SystemExit), command_line.plain_errors():
        command_line.parse(Settings, "command", [f"{HERE}:partly"])
    assert f"{HERE}:partly: flags are made from the parameters of a f" in capsys.readouterr().err


def test_a_phase_can_be_changed_like_other_parts() -> None:
    first = rummy_env.rules("gin").turn[0]
    assert replace(first) == first
    assert replace(first, name="other").moves == first.moves


def test_an_option_that_cannot_be_hashed_is_named() -> None:
    with pytest.raises(TypeError, match=r"listed': limits=\[1\]: give a value that can be hashed"):
        rummy_env.rules("tests.own_variants:listed")
    with pytest.raises(TypeError, match="its option 'scoring' has the name of something else"):
        rummy_env.rules("tests.own_variants:hiding")

    with pytest.raises(TypeError, match="its option 'moves' has the name of something else"):
        rummy_env.rules("tests.own_variants:shadowing")
    with pytest.raises(TypeError, match="its option 'num_players' is positional only"):
        rummy_env.rules("tests.own_variants:positional")


def test_a_plain_decorator_takes_the_options_by_their_names() -> None:
    rules = rummy_env.rules("tests.own_variants:decorated", num_players=3)
    assert rummy_env.rules(rules.name, **dict(rules.options)) == rules


def test_a_table_may_be_ordered_with_any_number() -> None:
    order = {"variant": "tests.own_variants:chosen", "options": {"share": 0.25}}
    assert dict(checked_rules(order, Offer(allow_code=True)).options)["share"] == 0.25


def test_an_option_with_several_values_comes_back_from_json() -> None:
    rules = rummy_env.rules("tests.own_variants:several", marks=((5,), (6, 7)))
    told = json.loads(json.dumps({"variant": rules.name, "options": dict(rules.options)}))
    assert rummy_env.rules(told["variant"], **told["options"]) == rules
    told["options"] = {"marks": [5, 6]}
    assert dict(checked_rules(told, Offer(allow_code=True)).options)["marks"] == (5, 6)


def test_a_model_of_rules_whose_option_has_several_values_was_trained_on_these(
    tmp_path: Path,
) -> None:
    rules = rummy_env.rules("tests.own_variants:several", marks=((5,), (6, 7)))
    model = SavedPolicy(untrained(rules, tmp_path / "model.npz"))
    assert model.card.rules == rules
    assert "trained with" not in model.describe(rules)


def test_a_comparison_is_written_whatever_the_options_are(tmp_path: Path) -> None:
    rules = rummy_env.rules("tests.own_variants:chosen", deck=Deck.SHORT)
    write(compare(rules, ["greedy", "random"], deals=3, seed=1), tmp_path)
    told = json.loads((tmp_path / "compare.json").read_text())
    assert told["options"]["deck"] == "Deck.SHORT"
