"""What all tests share: rules of every variant as a fixture, so that no variant goes untested.

A test with the argument `rules` runs over some ten rule sets: one of each variant, and every third
of the others in which the options of all variants meet (`tests/dozen.py`), so that a few tests have
them all. Under `pytest --all-rules` it runs over the whole catalogue. `over_rules` is for tests
that are not for all rules, `few_or_all` and `thorough` are for what else an everyday run cuts
short: cases in which every value occurs, but not every two of them together (`side_by_side`); fewer
games, fewer looks at them. Tests marked `adapter` concern how games are carried, not how they are
played: every second variant does, which half hangs on the test's name.

Tests marked `slow` train, start whole programs (clusters, browsers, the site), or play until one
agent is surely stronger than another. `make test` leaves them out, `make test-slow` runs them,
`make test-all` and CI run everything.
"""

import gc
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import cycle, islice
from typing import Any

import pytest
from hypothesis import settings

import rummy_env
from rummy_env import Rules
from tests.dozen import dozen
from tests.play_browser import chromium

pytest.register_assert_rewrite("tests.observations")  # its checks tell what they compared

settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

OPTION_SETS: tuple[dict[str, Any], ...] = (
    *({"num_players": players} for players in range(2, 7)),
    {"ace": "high_or_low", "final_discard": True, "hand_size": 4},
    {"lay_off": False, "num_players": 3},
    {"restock": "shuffle_all", "hand_size": 20, "max_turns": 60},
    {"restock": "turn_over", "hand_size": 7, "num_players": 6, "going_rummy": True},
    {"match": "match", "deals": 2, "hand_size": 3, "max_turns": 50, "reward": "win"},
    {"match": "match", "target": 40, "max_hands": 2, "melds_per_turn": 2, "max_turns": 15},
    {"stock_estimate": "exact", "pile_recall": True, "four_sevens": True},
    {"num_players": 10, "wildcards": 0},
    {"sequences_rummy": True, "wildcards": 5, "hand_size": 6, "leftover": "none"},
    {"leftover": "exactly_one", "match": "match", "max_turns": 30, "hand_size": 3, "wildcards": 2},
    {"match": "match", "max_hands": 2, "max_turns": 50},
    {"going_out_variation": True, "num_players": 7, "pile_recall": True, "group_card": False},
    {"three_card_draw": True, "decks": 2, "match": "match", "max_hands": 2, "num_players": 3},
    {"spread_out_discards": True, "three_card_draw": True, "num_players": 4, "max_turns": 60},
    {"spread_out_discards": True, "decks": 2, "stock_estimate": "exact", "reward": "zero_sum"},
)
"""What every variant is tried with, as far as it has these options."""

GIN_SETS: tuple[dict[str, Any], ...] = (
    {},
    *({"preset": preset} for preset in ("openspiel", "eaai", "rlcard")),
    {"oklahoma": True, "big_gin": True, "discard_taken_upcard": True, "max_turns": 60},
    {"lay_off": "manual", "num_ranks": 7, "num_suits": 3, "hand_size": 6, "reward": "points"},
    {"match": "match", "target": 40, "max_hands": 2, "knock_card": 30, "reward": "win"},
)
"""The same where hands end by knocking; there are always two seats."""

RUMMY500_SETS: tuple[dict[str, Any], ...] = (
    *({"num_players": players} for players in range(2, 6)),
    {"ace": "low", "final_discard": True, "hand_size": 4},
    {"free_top": False, "hand_size": 7, "num_players": 3, "reward": "points"},
    {"free_top": False, "final_discard": True, "hand_size": 3, "max_turns": 15},
    {"match": "match", "deals": 2, "hand_size": 3, "max_turns": 50, "reward": "win"},
    {"match": "match", "target": 40, "max_hands": 2, "max_turns": 15},
)
"""The same where the deepest card taken from an open pile must be used."""


PROGRAMS = {"browser", "core", "site", "two_nodes"}
"""Fixtures that start one."""

MOST_HANDS = 2
"""Of a match in the dozen."""

FEW = 12
"""Rule sets that are not worth thinning out."""


def option_sets(name: str) -> list[dict[str, Any]]:
    """The sets of options that a variant knows."""
    known = inspect.signature(rummy_env.VARIANTS[name]).parameters
    some = GIN_SETS if "knock_card" in known else OPTION_SETS
    some = RUMMY500_SETS if "free_top" in known else some
    return [options for options in some if known.keys() >= options.keys()]


def quick(rules: Rules) -> bool:
    """Whether an episode is over after few hands."""
    options = dict(rules.options)
    return (options.get("deals") or options.get("max_hands") or 1) <= MOST_HANDS


@cache
def rule_sets(*, whole: bool) -> tuple[Rules, ...]:
    """The dozen and, if `whole`, every variant with every set of options that it knows."""
    every = [make(**o) for name, make in rummy_env.VARIANTS.items() for o in option_sets(name)]
    few = dozen(rummy_env.VARIANTS, {name: option_sets(name) for name in rummy_env.VARIANTS}, quick)
    return tuple(dict.fromkeys([*every, *few] if whole else few))


def label(rules: Rules) -> str:
    """What a test on these rules is called: the variant and what is not its default."""
    usual = dict(rummy_env.rules(rules.name).options)
    changed = [f"{key}={value}" for key, value in rules.options if value != usual[key]]
    return "-".join([rules.name, *changed])


def over_rules(
    name: str = "rules", where: Callable[[Rules], bool] = lambda rules: True
) -> pytest.MarkDecorator:
    """Marks a test that runs over the rules for which something holds."""
    return pytest.mark.over_rules(name, where)


def few_or_all(
    names: str, few: Iterable[Any], every: Iterable[Any] | Callable[[], Iterable[Any]]
) -> pytest.MarkDecorator:
    """Marks a test with parameters of which a few do every day.

    Args:
        names: Of the parameters.
        few: What every day does.
        every: All there is, or what makes it, where that takes long.
    """
    return pytest.mark.few_or_all(names, list(few), every if callable(every) else list(every))


def side_by_side(*choices: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Few cases in which each entry occurs: the longest choice, the others in turn beside it."""
    some: list[Sequence[Any]] = [list(entries) for entries in choices]
    most = max(map(len, some))
    return list(zip(*(islice(cycle(entries), most) for entries in some), strict=True))


few_variants = few_or_all(
    "variant", few=("basic", "gin", "rummy_cards"), every=lambda: rummy_env.VARIANTS
)
"""Marks a test of what is the same in all variants: one of each way that a hand ends does."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """How much is tried."""
    parser.addoption(
        "--all-rules", action="store_true", help="over the whole catalogue, not a dozen rule sets"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marks known."""
    for mark in ("over_rules(name, where)", "few_or_all(names, few, every)", "adapter", "slow"):
        config.addinivalue_line("markers", f"{mark}: see tests/conftest.py")


def pytest_collection_finish() -> None:
    """Leaves what has been collected out of every search for garbage: a sixth of the time."""
    gc.freeze()
    gc.set_threshold(50_000)


@pytest.hookimpl(tryfirst=True)  # before tests are selected by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests that wait for a whole program as slow."""
    for item in items:
        if PROGRAMS & {*getattr(item, "fixturenames", ())}:
            item.add_marker(pytest.mark.slow)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Gives tests their rules or variants, and a few parameters or all of them."""
    whole = metafunc.config.getoption("all_rules")
    for mark in metafunc.definition.iter_markers("few_or_all"):
        names, few, every = mark.args
        if names not in metafunc.fixturenames and "," not in names:
            continue  # a mark of the whole file, and a test without the argument
        every = every() if whole and callable(every) else every
        metafunc.parametrize(names, list(every) if whole else few, ids=_short)
    adapter = metafunc.definition.get_closest_marker("adapter") is not None and not whole
    variants = list(rummy_env.VARIANTS)
    variants = _one_in(2, variants, metafunc) if adapter else variants
    if "variant" in metafunc.fixturenames and not _has_own(metafunc, "variant"):
        metafunc.parametrize("variant", variants)
    for name, where in _wanted_rules(metafunc):
        some = [rules for rules in rule_sets(whole=whole) if where(rules)]
        if adapter or (len(some) > FEW and not whole):
            first = {rules.name: rules for rules in reversed(some)}
            others = [rules for rules in some if rules not in first.values()]
            others = [] if adapter else _one_in(3, others, metafunc)
            chosen = [first[name] for name in variants if name in first]
            some = (chosen or [*first.values()]) + others
        metafunc.parametrize(name, some, ids=label)


def _one_in(number: int, every: list[Any], metafunc: pytest.Metafunc) -> list[Any]:
    """One of so many; which ones differs from test to test."""
    return every[len(metafunc.function.__name__) % number :: number]


def _wanted_rules(metafunc: pytest.Metafunc) -> Iterator[tuple[str, Callable[[Rules], bool]]]:
    """The arguments that are rules, and which; `rules` too, where the test has no other."""
    marks = list(metafunc.definition.iter_markers("over_rules"))
    yield from (mark.args for mark in marks)
    own = marks or _has_own(metafunc, "rules")
    if "rules" in metafunc.fixturenames and not own:
        yield over_rules().args


def _short(value: Any) -> str | None:
    """What rules are called; pytest has names for everything else."""
    return label(value) if isinstance(value, Rules) else None


def _has_own(metafunc: pytest.Metafunc, argument: str) -> bool:
    """Whether a test or its file says itself what an argument is."""
    kinds = ("parametrize", "few_or_all")
    marks = [mark for kind in kinds for mark in metafunc.definition.iter_markers(kind)]
    names = [mark.args[0] for mark in marks]
    lists = [some.split(",") if isinstance(some, str) else some for some in names]
    given = {name.strip() for some in lists for name in some}
    return argument in given or hasattr(metafunc.module, argument)


@pytest.fixture(scope="session", autouse=True)
def _logs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Stable-Baselines3 makes a folder for every model that is told no other; they go here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SB3_LOGDIR", str(tmp_path_factory.mktemp("logs")))
        yield


@pytest.fixture(scope="session")
def thorough(pytestconfig: pytest.Config) -> bool:
    """Whether everything is tried, at whatever length."""
    return bool(pytestconfig.getoption("all_rules"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser; tests that ask for it are skipped where there is none."""
    with chromium() as opened:
        yield opened
