"""Comparing agents: what the figures mean, and what they depend on."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from benchmarks.intervals import lost_together
from rummy_env import Rules
from rummy_env.baselines import Greedy, Policy, Random
from rummy_env.baselines.saved import MODELS
from rummy_env.core.keys import game_seeds
from rummy_env.evaluation import arena, chart, compare, comparison, duel, report, statistics
from rummy_env.files import append_lines
from rummy_env.search import Search
from tests.compared import Eager, Stubborn
from tests.conftest import few_or_all, side_by_side
from tests.rollout import fitting, seatings

SEATS = range(2, 7)


@pytest.mark.adapter
@pytest.mark.parametrize("agent", [Eager(), Random()])
def test_an_agent_is_exactly_even_with_itself(rules: Rules, agent: Policy) -> None:
    found = duel(rules, agent, agent, deals=4, seed=1)
    assert found.lead.low < found.lead.value == 0 < found.lead.high
    assert found.sides[0].hand_wins.value == pytest.approx(0.5)
    assert found.sign_test == statistics.SignTest(won=0, lost=0, tied=4, p_value=1.0)
    if found.match_wins is not None:
        assert found.match_wins[0].value == pytest.approx(0.5)


@pytest.mark.parametrize("seats", SEATS)
def test_deals_that_tie_are_counted_as_such_whatever_the_number_of_seats(seats: int) -> None:
    """Means over two to five seats are no whole numbers."""
    rules = rummy_env.rules("basic", num_players=seats, max_turns=60)
    found = duel(rules, Eager(), Eager(), deals=40, seed=1)
    assert found.sign_test == statistics.SignTest(won=0, lost=0, tied=40, p_value=1.0)


FREELY = [
    name for name in rummy_env.VARIANTS if "free_top" not in dict(rummy_env.rules(name).options)
]
"""The variants in which nobody is ever made to lay cards down."""


@pytest.mark.slow
@few_or_all("variant, seats", few=side_by_side(FREELY, SEATS), every=product(FREELY, SEATS))
def test_an_agent_that_never_melds_loses(variant: str, seats: int) -> None:
    rules = fitting(variant, num_players=min(seats, max(seatings(variant))))
    seats = rules.num_players
    found = duel(rules, Stubborn(), "greedy", deals=12, seed=1)
    assert found.lead.high < 0
    assert found.sides[0].hand_wins.high < 0.5 < found.sides[1].hand_wins.low
    assert found.sign_test.lost > found.sign_test.won
    assert found.games == 12 * (2 if seats == 2 else 2 * seats) == found.hands


@few_or_all(
    "variant, seats",
    few=side_by_side(rummy_env.VARIANTS, SEATS),
    every=product(rummy_env.VARIANTS, SEATS),
)
def test_points_are_those_of_one_seat_in_one_hand(variant: str, seats: int) -> None:
    rules = fitting(variant, num_players=min(seats, max(seatings(variant))), max_turns=60)
    seats = rules.num_players
    results = arena.play(rules, [Eager(), Random()], arena.head_to_head(seats, 6), game_seeds(1, 6))
    found = comparison.summed_up(("eager", "random"), results, "points")
    for number, side in enumerate(found.sides):
        played = (each.reshape(-1, seats) for each in (results.seatings, results.points))
        games = zip(*played, strict=True)
        means = [points[seating == number].mean() for seating, points in games]
        assert len(means) == 6 * (2 if seats == 2 else 2 * seats)
        assert side.points.value == pytest.approx(np.mean(means))


def test_an_agent_does_not_gain_by_what_is_paid_where_it_has_most_seats() -> None:
    """In each game all seats score the same, more where the first agent has two of the three."""
    seatings = arena.head_to_head(3, 4)
    (deals, games, seats), mine = seatings.shape, seatings == 0
    points = np.broadcast_to(10 * mine.sum(axis=2, keepdims=True), seatings.shape)
    hands, none = np.ones((deals, games), np.int64), np.zeros(seatings.shape)
    shares = np.full(seatings.shape, 1 / seats)
    results = arena.Results(seatings, hands, hands, 0 * hands, points, none, shares, shares)
    found = comparison.summed_up(("first", "second"), results, "points")
    assert found.lead.value == 0
    assert found.sides[0].points.value == found.sides[1].points.value == points.mean()


@pytest.mark.slow
@pytest.mark.parametrize("variant", FREELY)
def test_matches_are_won_more_surely_than_hands(variant: str) -> None:
    single = duel(variant, "greedy", "random", deals=40, seed=1)
    rules = fitting(variant, match="match", deals=5)
    match = duel(rules, "greedy", "random", deals=40, seed=1)
    assert single.match_wins is None
    assert match.match_wins is not None
    assert match.match_wins[0].value > match.sides[0].hand_wins.value > 0.5
    assert match.hands == 5 * match.games or "deals" not in dict(rules.options)


@pytest.mark.adapter
def test_shares_of_the_two_sides_add_up(rules: Rules) -> None:
    found = duel(rules, Eager(), Random(), deals=4, seed=3)
    first, second = found.sides
    assert first.hand_wins.value + second.hand_wins.value == pytest.approx(1)
    assert found.lead.value == pytest.approx(first.points.value - second.points.value)


@pytest.mark.slow
def test_the_ranking_puts_the_better_agent_first_whatever_the_order() -> None:
    rules = rummy_env.rules("basic")
    agents: dict[str, Policy] = {"stubborn": Stubborn(), "random": Random(), "eager": Eager()}
    found = compare(rules, agents, deals=30, seed=1)
    assert [line.agent for line in found.standings] == ["eager", "random", "stubborn"]
    assert sum(line.rating.value for line in found.standings) == pytest.approx(0, abs=1e-6)
    turned = compare(rules, dict(reversed(agents.items())), deals=30, seed=1)
    for one, other in zip(found.standings, turned.standings, strict=True):
        assert one.rating.value == pytest.approx(other.rating.value)
        assert one.lead.value == pytest.approx(other.lead.value)


@pytest.mark.slow
def test_the_ranking_is_by_points_where_points_are_scored_and_by_matches_in_match_play() -> None:
    """In gin the camper wins fewer hands than greedy, and more points and matches."""
    agents: dict[str, str] = {name: name for name in ("greedy", "strong", "random")}
    found = compare("gin", agents, deals=300, seed=1)
    assert [line.agent for line in found.standings] == ["strong", "greedy", "random"]
    by_hands = sorted(found.standings, key=lambda line: -line.hand_wins.value)
    assert by_hands[0].agent == "greedy"
    leads = [line.lead.value for line in found.standings]
    assert leads == sorted(leads, reverse=True)
    assert found.standings[0].match_wins is None
    match = compare(rummy_env.rules("gin", match="match"), agents, deals=40, seed=1)
    shares = [line.match_wins.value for line in match.standings if line.match_wins]
    assert len(shares) == 3
    assert shares == sorted(shares, reverse=True)
    assert [line.ranked_by for line in match.standings] == [
        line.match_wins for line in match.standings
    ]


def test_agents_can_be_given_by_name_and_must_play_the_rules() -> None:
    by_name = compare("basic", {"a": "greedy", "b": "random"}, deals=4, seed=1)
    given: dict[str, Policy] = {"a": Greedy(), "b": Random()}
    assert by_name == compare(rummy_env.rules("basic"), given, deals=4, seed=1)
    drawn = compare(rummy_env.rules("basic"), given, deals=4)
    assert drawn.seed != compare(rummy_env.rules("basic"), given, deals=4, seed=None).seed
    assert drawn == compare(rummy_env.rules("basic"), given, deals=4, seed=drawn.seed)
    with pytest.raises(ValueError, match=r"camper cannot play .*'basic'"):
        duel("basic", "camper", "random", deals=4, seed=1)
    with pytest.raises(ValueError, match="seed=-1: give a whole number from 0"):
        compare("basic", {"a": "greedy", "b": "random"}, deals=4, seed=-1)


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
def test_as_many_agents_as_seats_also_sit_at_one_table(seats: int) -> None:
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random(), "stubborn": Stubborn()}
    rules = rummy_env.rules("basic", num_players=seats, max_turns=60)
    found = compare(rules, agents, deals=6, seed=1)
    assert len(found.duels) == 3
    assert [side.agent for side in found.round_table] == (list(agents) if seats == 3 else [])
    if seats == 3:
        assert sum(side.hand_wins.value for side in found.round_table) == pytest.approx(1)
        assert found.round_table[0].points.value > found.round_table[2].points.value


@few_or_all(
    "variant, seats",
    few=[("basic", 3), ("gin", 2), ("rummy_cards", 2)],
    every=product(rummy_env.VARIANTS, [2, 3]),
)
def test_results_do_not_depend_on_how_many_games_are_played_at_once(
    variant: str, seats: int, thorough: bool
) -> None:
    rules, deals = fitting(variant, num_players=seats, max_turns=40), 5 if thorough else 2
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random(), "stubborn": Stubborn()}
    whole = compare(rules, agents, deals=deals, seed=4)
    for chunk in (1, 12):
        assert compare(rules, agents, deals=deals, seed=4, chunk=chunk) == whole
    alone = duel(rules, Eager(), Random(), deals=deals, seed=4, chunk=1)
    assert alone.lead == whole.duels[0].lead


def test_numbers_may_be_those_of_numpy() -> None:
    agents = {"greedy": "greedy", "random": "random"}
    found = compare("basic", agents, deals=np.int64(4), seed=np.int64(5))  # type: ignore[arg-type]
    assert found == compare("basic", agents, deals=4, seed=5)
    assert json.loads(json.dumps(found.as_dict()))["deals"] == 4


@pytest.mark.parametrize("flag", ["isolate", "adjust_luck", "until_clear"])
def test_what_is_no_flag_is_refused(flag: str) -> None:
    given: dict[str, Any] = {flag: "no"}
    with pytest.raises(ValueError, match=f"{flag}='no': give True or False"):
        compare("basic", {"a": "greedy", "b": "random"}, deals=4, **given)


def test_baselines_can_be_given_by_their_names_alone() -> None:
    names = ["greedy", "random"]
    given = {name: name for name in names}
    assert compare("basic", names, deals=4, seed=1) == compare("basic", given, deals=4, seed=1)


def test_agents_without_names_are_refused() -> None:
    with pytest.raises(TypeError, match=r"agents=\[.*Random.*\]: give a mapping"):
        compare("basic", ["greedy", Random()], deals=4, seed=1)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="agents='greedy': give a mapping"):
        compare("basic", "greedy", deals=4, seed=1)
    with pytest.raises(ValueError, match="give each once, or a mapping with names of your own"):
        compare("basic", ["greedy", "greedy"], deals=4, seed=1)


def test_where_only_the_first_meets_all_others_ratings_rank() -> None:
    agents = ["random", "greedy", "strong"]
    found = compare("basic", agents, deals=60, seed=1, only_first=True)
    ratings = [line.rating.value for line in found.standings]
    assert ratings == sorted(ratings, reverse=True)
    assert [line.agent for line in found.standings] == ["strong", "greedy", "random"]
    against = compare("basic", ["greedy", "random", "strong"], deals=60, seed=1, only_first=True)
    assert [line.agent for line in against.standings] == ["strong", "greedy", "random"]
    leads = {line.agent: line.lead.value for line in against.standings}
    assert leads["greedy"] > leads["strong"]  # on average over others than strong has met


def test_results_depend_on_the_seed_and_more_deals_go_on_from_the_same_ones() -> None:
    rules = rummy_env.rules("basic")
    one, other = (duel(rules, Eager(), Random(), deals=9, seed=seed) for seed in (1, 2))
    assert one.lead != other.lead
    few, many = (
        arena.play(rules, [Eager(), Random()], arena.head_to_head(2, deals), game_seeds(1, deals))
        for deals in (4, 9)
    )
    assert (many.points[:4] == few.points).all()


def test_the_reward_scheme_matters_to_what_ranks_and_to_nothing_else() -> None:
    schemes = {"points": "points", "zero_sum": "points", "win": "hands"}
    rewards = (rummy_env.rules("basic", reward=scheme) for scheme in schemes)
    found = [duel(rules, Eager(), Random(), deals=5, seed=1) for rules in rewards]
    assert [each.measure for each in found] == [*schemes.values()]
    assert len({replace(each, measure="points") for each in found}) == 1


def test_only_the_pairs_of_the_first_agent_are_played_where_no_others_are_asked_for() -> None:
    rules = rummy_env.rules("basic", num_players=3)
    agents: dict[str, Policy] = {"greedy": Greedy(), "random": Random(), "eager": Eager()}
    whole = compare(rules, agents, deals=4, seed=1)
    found = compare(rules, agents, deals=4, seed=1, only_first=True)
    assert found.complete
    assert found.duels == whole.duels[:2]
    assert [met.agents for met in found.duels] == [("greedy", "random"), ("greedy", "eager")]
    assert {line.agent for line in found.standings} == {*agents}
    assert not found.round_table
    told = report.markdown(found, None)
    assert "one seat against all others and then with all but one" in told


def test_where_winning_alone_is_paid_the_share_of_hands_ranks() -> None:
    rules = rummy_env.rules("basic", reward="win")
    found = compare(rules, {"random": Random(), "eager": Eager()}, deals=20, seed=1)
    (met,) = found.duels
    assert met.ranked_by == met.sides[0].hand_wins
    assert met.match_wins is None
    assert not met.first_leads
    assert met.ranked_by.value < 0.5
    assert [line.agent for line in found.standings] == ["eager", "random"]
    assert [line.ranked_by for line in found.standings] == [
        line.hand_wins for line in found.standings
    ]
    told = report.markdown(found, None)
    assert "| agent | hands won | lead, points per hand | rating |" in told
    assert "By hands won; averages" in told
    assert "matches" not in told


def stop_after(games: int) -> Any:
    def watch(done: int, total: int) -> None:
        if done >= games:
            raise KeyboardInterrupt

    return watch


def test_an_interrupt_leaves_the_deals_that_all_pairs_have_finished() -> None:
    rules = rummy_env.rules("basic", max_turns=40)
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random(), "stubborn": Stubborn()}
    found = compare(rules, agents, deals=50, seed=1, chunk=8, progress=stop_after(108))
    assert not found.complete
    assert [pair.deals for pair in found.duels] == [found.deals] * 3 == [16] * 3
    until_then = compare(rules, agents, deals=found.deals, seed=1)
    assert until_then.complete
    assert until_then.duels == found.duels


def test_an_interrupt_in_the_first_block_leaves_the_pairs_that_were_finished() -> None:
    rules = rummy_env.rules("basic", max_turns=40)
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random(), "stubborn": Stubborn()}
    found = compare(rules, agents, deals=10, seed=1, progress=stop_after(25))
    assert [pair.agents for pair in found.duels] == [("eager", "random")]
    assert not found.complete


@pytest.mark.filterwarnings("ignore:.*could not be recorded yet:UserWarning")
def test_a_comparison_whose_games_cannot_be_recorded_any_more_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = 0

    def full(file: Any, lines: Sequence[str]) -> None:
        if done >= 32:
            raise OSError(28, "No space left on device")
        append_lines(file, lines)

    def watch(games: int, total: int) -> None:
        nonlocal done
        done = games

    monkeypatch.setattr("rummy_env.envs.recording.append_lines", full)
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random()}
    given: dict[str, Any] = {"deals": 40, "seed": 1, "chunk": 8, "progress": watch}
    with pytest.warns(UserWarning, match=r"ends early: .*No space.*games\.jsonl"):
        found = compare("basic", agents, record=tmp_path / "games.jsonl", **given)
    assert not found.complete
    assert 4 <= found.deals < 40
    assert found.duels == compare("basic", agents, deals=found.deals, seed=1).duels


@pytest.mark.parametrize("name", [1, ""])
def test_an_agent_without_a_name_is_refused(name: Any) -> None:
    with pytest.raises(TypeError, match=f"agents: {name!r} is no name"):
        compare("basic", {name: Random(), "random": Random()}, deals=2, seed=1)


def test_an_interrupt_before_anything_is_finished_stays_an_interrupt() -> None:
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random()}
    with pytest.raises(KeyboardInterrupt):
        compare(rummy_env.rules("basic"), agents, deals=10, seed=1, progress=stop_after(1))


def test_progress_is_told_of_every_game() -> None:
    heard: list[tuple[int, int]] = []
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random(), "other": Random()}
    rules = rummy_env.rules("basic", num_players=3, max_turns=40)
    progress = lambda done, total: heard.append((done, total))  # noqa: E731
    compare(rules, agents, deals=4, seed=1, chunk=12, progress=progress)
    games = 4 * (3 * 6 + 3)
    assert heard[-1] == (games, games)
    assert [done for done, _ in heard] == sorted({done for done, _ in heard})


SHORT = rummy_env.rules("basic", hand_size=3, max_turns=40)


def test_a_comparison_stops_as_soon_as_all_pairs_are_told_apart() -> None:
    agents: dict[str, Policy] = {"eager": Eager(), "stubborn": Stubborn()}
    found = compare(SHORT, agents, deals=450, seed=1, until_clear=True)
    assert (found.deals, found.looks, found.complete) == (100, 4, True)
    assert found.duels[0].clear
    whole = compare(SHORT, agents, deals=100, seed=1).duels[0]
    assert found.duels[0].lead.value == whole.lead.value
    assert found.duels[0].lead.low < whole.lead.low
    assert found.duels[0].sides[0].hand_wins.low < whole.sides[0].hand_wins.low
    standing = compare(SHORT, agents, deals=100, seed=1).standings[0]
    assert found.standings[0].hand_wins.low < standing.hand_wins.low


@pytest.mark.parametrize("chunk", [90, 16_384])
def test_a_pair_of_equals_is_played_to_the_end(chunk: int) -> None:
    agents: dict[str, Policy] = {"eager": Eager(), "same": Eager(), "stubborn": Stubborn()}
    found = compare(SHORT, agents, deals=250, seed=1, until_clear=True, chunk=chunk)
    assert (found.deals, found.looks, found.complete) == (250, 3, True)
    assert [duel.clear for duel in found.duels] == [False, True, True]


def test_in_match_play_matches_tell_apart() -> None:
    agents: dict[str, Policy] = {"eager": Eager(), "stubborn": Stubborn()}
    rules = rummy_env.rules("basic", hand_size=3, max_turns=40, match="match", deals=3)
    found = compare(rules, agents, deals=2, seed=1).duels[0]
    assert found.match_wins is not None
    assert found.match_wins[0].low <= 0.5
    assert not found.clear
    surely = compare(rules, agents, deals=300, seed=1, until_clear=True)
    assert (surely.deals, surely.duels[0].clear) == (100, True)


def test_the_interval_of_a_lead_allows_for_twice_what_a_side_can_gain() -> None:
    rules = rummy_env.rules("basic")
    agents: list[Policy] = [Greedy(), Random()]
    results = arena.play(rules, agents, arena.head_to_head(2, 4), game_seeds(1, 4))
    first, second = (comparison.Deals(results, agent) for agent in range(2))
    lead = statistics.mean(first.points - second.points, 2 * first.reach)
    assert comparison.summed_up(("a", "b"), results, "points").lead == lead
    (best, _) = comparison.standings({("a", "b"): results}, 1, "points", 1)
    assert (best.agent, best.lead) == ("a", lead)


@pytest.mark.parametrize("seats", SEATS)
def test_the_interval_allows_for_deals_that_go_the_same_way_in_all_games(seats: int) -> None:
    """Nineteen deals that tie do not exclude that one in twenty is lost in all seats."""
    deals = lost_together(seats, few=20, deals=40)
    everything, _ = deals.figures(np.arange(40))["lead"]
    tied, estimate = deals.figures(np.arange(1, 20))["lead"]
    assert not tied.any()
    assert estimate.low < everything.mean() < 0


def test_a_chart_shows_a_duel_from_the_side_that_leads() -> None:
    found = duel("basic", "random", "greedy", deals=20, seed=1)
    assert found.lead.value < 0
    shown = chart._leader_first(found)
    assert shown.agents == found.agents[::-1]
    assert shown.lead == found.lead.opposite()
    assert chart._leader_first(shown) is shown


def test_where_winning_ranks_the_side_that_wins_leads_a_chart() -> None:
    """In gin, `simple` wins more hands against `camper`, which makes more points."""
    rules = rummy_env.rules("gin", reward="win")
    found = duel(rules, "camper", "simple", deals=200, seed=1)
    assert found.lead.value > 0
    assert chart._leader_first(found).agents == found.agents[::-1]


def test_who_stops_early_is_told_how_many_deals_were_asked_for() -> None:
    found = compare("basic", ["strong", "random"], deals=300, seed=3, until_clear=True)
    assert (found.deals, found.most_deals, found.as_dict()["most_deals"]) == (100, 300, 300)
    assert "told apart, 300 deals at most, with 3 looks" in report.markdown(found, None)


def test_equal_agents_that_have_not_met_stand_in_the_order_given() -> None:
    agents = {"a": "strong", "b": "strong", "c": "greedy"}
    found = compare("basic", agents, deals=60, seed=3, only_first=True)
    order = [line.agent for line in found.standings]
    assert order.index("a") < order.index("b")
    assert "By rating, since not all have met each other; averages" in report.markdown(found, None)


def test_the_ranking_of_who_beats_the_weak_by_much_is_as_sure_as_its_pairs() -> None:
    """A lead on average may be off by the mean of what its parts may be off, not by the most."""
    found = compare("gin", ["strong", "simple", "careful", "random"], deals=30, seed=2)
    best = found.standings[0]
    widths = [d.lead.high - d.lead.low for d in found.duels if best.agent in d.agents]
    assert best.lead.high - best.lead.low < np.mean(widths)
    assert best.rating.high - best.rating.low < np.mean(widths) * 3 / 4


def test_long_names_leave_room_in_a_chart() -> None:
    assert chart._short("n" * 50) == "n" * 50
    assert chart._short("n" * 51) == "n" * 47 + "..."


def test_a_report_tells_which_models_played_and_how_searches_were_set(tmp_path: Path) -> None:
    rules = rummy_env.rules("gin", preset="rlcard")
    agents: dict[str, Any] = {
        "trained": "trained",
        "quick": Search("greedy", worlds=4),
        "plain": "greedy",
    }
    found = compare(rules, agents, deals=2, seed=1)
    trained, quick, plain = found.described
    digest = hashlib.sha256((MODELS / "gin.npz").read_bytes()).hexdigest()
    assert trained.startswith(f"gin.npz of the package, SHA-256 {digest[:16]}; it was trained with")
    assert quick.startswith("search, worlds 4, ")
    assert quick.endswith("heuristics:Greedy")
    assert plain == "rummy_env.baselines.heuristics:Greedy"
    report.write(found, tmp_path)
    assert f"- `trained`: {trained}" in (tmp_path / "compare.md").read_text()
    assert json.loads((tmp_path / "compare.json").read_text())["described"]["quick"] == quick
