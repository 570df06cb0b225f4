"""What a training run does where no flag says."""

import re
from typing import Any

import pytest

import rummy_env
from rummy_env.baselines import resolve
from training.settings import Settings
from training.usual import summary_of, with_usual


@pytest.mark.parametrize("variant", rummy_env.VARIANTS)
def test_without_flags_teacher_opponents_and_rivals_play_the_rules(variant: str) -> None:
    rules = rummy_env.rules(variant)
    found = with_usual(rules, Settings())
    assert found.teacher in ("patient", "farsighted", "strong")
    for name in (found.teacher, *found.rivals, *(text.split("=")[0] for text in found.opponents)):
        resolve(name, rules)
    begins = f"teacher: {found.teacher}; adviser: {found.teacher}\nopponents: random=0.3 "
    assert summary_of(found).startswith(begins)


@pytest.mark.parametrize(
    ("variant", "players", "teacher"),
    [
        ("basic", 2, "patient"),
        ("basic", 4, "strong"),
        ("going_out", 2, "farsighted"),
        ("rummy_cards", 4, "farsighted"),
        ("gin", 2, "strong"),
        ("rummy500", 2, "strong"),
    ],
)
def test_the_strongest_baseline_teaches(variant: str, players: int, teacher: str) -> None:
    rules = rummy_env.rules(variant, num_players=players)
    assert with_usual(rules, Settings()).teacher == teacher


@pytest.mark.parametrize(
    ("variant", "teacher", "given", "temperature"),
    [
        ("gin", None, None, 2.4),
        ("basic", None, None, 1.2),
        ("basic", "strong", None, 2.4),
        ("gin", "none", None, 1.0),
        ("gin", "none", 3.0, 3.0),
        ("gin", "greedy", 1.0, 1.0),
    ],
)
def test_a_clone_is_softened(
    variant: str, teacher: str | None, given: float | None, temperature: float
) -> None:
    settings = Settings(teacher=teacher, temperature=given)
    assert with_usual(rummy_env.rules(variant), settings).temperature == temperature


@pytest.mark.parametrize(
    ("limits", "decisions"),
    [
        ({}, 500_000),
        ({"minutes": 60.0}, 500_000),
        ({"minutes": 1.0}, 50_000),
        ({"minutes": 1.0, "total_timesteps": 200_000}, 20_000),
        ({"minutes": 0.01}, 5000),
        ({"minutes": 1.0, "teacher_decisions": 7}, 7),
    ],
)
def test_in_a_short_run_less_is_cloned(limits: dict[str, Any], decisions: int) -> None:
    found = with_usual(rummy_env.rules("gin"), Settings(**limits))
    assert found.teacher_decisions == decisions


@pytest.mark.parametrize(
    ("limits", "evaluated", "compared"),
    [
        ({}, 500, 2000),
        ({"minutes": 60.0}, 500, 2000),
        ({"minutes": 3.0}, 300, 1200),
        ({"minutes": 3.0, "total_timesteps": 1_000_000}, 200, 800),
        ({"minutes": 0.2}, 100, 200),
        ({"minutes": 0.2, "eval_deals": 7, "compare_deals": 9}, 7, 9),
    ],
)
def test_what_is_measured_does_not_outlast_a_short_run(
    limits: dict[str, Any], evaluated: int, compared: int
) -> None:
    found = with_usual(rummy_env.rules("gin"), Settings(**limits))
    assert (found.eval_deals, found.compare_deals) == (evaluated, compared)


def test_with_more_than_two_players_patient_does_not_teach() -> None:
    found = with_usual(rummy_env.rules("basic", num_players=4), Settings())
    assert (found.teacher, found.adviser, found.gae_lambda) == ("strong", "strong", 0.8)
    assert found.rivals == ("random", "greedy", "strong", "patient")


@pytest.mark.parametrize(
    ("variant", "flags", "usual"),
    [
        ("basic", {}, (1.0, 2048, 96, 0.95)),
        ("gin", {}, (0.5, 1024, 48, 0.8)),
        ("going_out", {}, (0.5, 1024, 48, 0.8)),
        ("rummy500", {}, (0.5, 1024, 48, 0.8)),
        ("basic", {"teacher": "none"}, (0.5, 2048, 96, 0.95)),
        ("basic", {"minutes": 5.0}, (1.0, 2048, 96, 0.95)),
        ("basic", {"minutes": 4.9}, (1.0, 1024, 48, 0.95)),
        ("basic", {"minutes": 4.9, "num_envs": 64}, (1.0, 64, 48, 0.95)),
        ("basic", {"minutes": 60.0, "total_timesteps": 2_000_000}, (1.0, 1024, 48, 0.95)),
        ("gin", {"share": 0.25, "num_steps": 8}, (0.25, 1024, 8, 0.8)),
        ("basic", {"share": 0.0, "num_envs": 16, "gae_lambda": 0.0}, (0.0, 16, 96, 0.0)),
    ],
)
def test_rollouts_are_those_of_the_family_unless_they_are_given(
    variant: str, flags: dict[str, Any], usual: tuple[float, int, int, float]
) -> None:
    found = with_usual(rummy_env.rules(variant), Settings(**flags))
    assert (found.share, found.num_envs, found.num_steps, found.gae_lambda) == usual


@pytest.mark.parametrize(
    ("teacher", "adviser"),
    [
        ("strong", "strong"),
        ("camper", "camper"),
        ("greedy", "none"),
        ("random", "none"),
        ("trained", "none"),
    ],
)
def test_a_teacher_advises_where_it_is_a_good_heuristic(teacher: str, adviser: str) -> None:
    assert with_usual(rummy_env.rules("gin"), Settings(teacher=teacher)).adviser == adviser


@pytest.mark.parametrize(
    ("flag", "value", "beside", "message"),
    [
        ("opponents", ("random",), {"share": 0.0}, "with --share 0 no game has opponents"),
        ("past_share", 0.5, {"share": 0.0}, "with --share 0 no game has opponents"),
        ("past_kept", 2, {}, "with --past-share 0 no past version plays"),
        ("teacher_decisions", 9, {"teacher": "none"}, "nobody teaches"),
        ("hindsight", True, {"teacher": "none"}, "it is for a teacher who is the adviser, too"),
        ("hindsight", True, {"adviser": "none"}, "it is for a teacher who is the adviser, too"),
        ("trust", True, {}, "it is for the run that --resume names"),
        ("advice", 3.0, {"adviser": "none"}, "it is for an adviser whom the actor has not met"),
        ("kl_coef", 0.1, {"teacher": "none"}, "there is nothing to stay near"),
        ("workers", 5, {"num_envs": 4}, "each plays games of its own; give 4 at most"),
        ("workers", 2049, {}, "each plays games of its own; give 2048 at most"),
    ],
)
def test_a_flag_that_would_do_nothing_is_refused(
    flag: str, value: Any, beside: dict[str, Any], message: str
) -> None:
    rules = rummy_env.rules("basic")
    with pytest.raises(ValueError, match=re.escape(f"{flag}={value!r}: {message}")):
        with_usual(rules, Settings(**{flag: value, **beside}))
    with_usual(rules, Settings(**beside))
