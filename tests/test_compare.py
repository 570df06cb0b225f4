"""Comparing agents: duplicate deals, what is counted, what the figures mean, and the command."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rummy_env
from rummy_env import Engine, Rules
from rummy_env.baselines import Greedy, Policy, Random
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.shuffle import GameRandom, game_seeds
from rummy_env.core.visibility import SeatView
from rummy_env.evaluation import arena, compare, comparison, duel, report, statistics
from rummy_env.evaluation.command import main
from rummy_env.records import play, read
from tests.rollout import fitting, seatings

SEATS = range(2, 7)
HERE = "tests.test_compare"


class Eager:
    """Draws from the stock, melds before it discards: takes the legal action of lowest number."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        return mask.argmax(axis=1)


class Stubborn:
    """Never melds while it can discard: takes the legal action of highest number."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


class Stranger:
    """Does not know the game."""

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        raise ValueError(f"made for whist, not {view.rules.name}")


def run(*arguments: str) -> int:
    """The command on the first variant of the catalogue, with few deals."""
    variant = next(iter(rummy_env.VARIANTS))
    return main([variant, "--deals", "8", "--max-turns", "40", *arguments], "rummy-env compare")


def play_alone(rules: Rules, agents: list[Policy], seating: list[int], seed: int) -> dict[str, Any]:
    """One game by itself, watched through snapshots."""
    engine = Engine(rules, seed=np.array([seed], np.uint64))
    engine.reset()
    tally: dict[str, Any] = {"hands": 0, "turns": 0, "unwon": 0}
    while not engine.finished[0]:
        before = engine.snapshot(0)
        agent = agents[seating[before["to_move"]]]
        rng = engine.random(np.array([0]))
        engine.step(agent.act(engine.look(before["to_move"]), engine.legal_mask(), rng))
        after = engine.snapshot(0)
        if after["finished"] or after["hand_number"] > before["hand_number"]:
            tally["hands"] += 1
            tally["turns"] += before["turn_number"] + 1
            tally["unwon"] += after["scores"] == before["scores"]
    winners = after["winners"] or range(rules.num_players)
    shares = [(seat in winners) / len(winners) for seat in range(rules.num_players)]
    return {**tally, "points": after["scores"], "game_wins": shares}


# Seatings


@pytest.mark.parametrize("seats", SEATS)
def test_a_pair_sits_in_every_seat_equally_often_and_alone_in_each_once(seats: int) -> None:
    (seatings,) = arena.pairing(seats, 1)
    assert len(np.unique(seatings, axis=0)) == len(seatings) == (2 if seats == 2 else 2 * seats)
    assert (seatings.mean(axis=0) == 0.5).all()
    assert set(seatings.sum(axis=1)) == {1, seats - 1}


@pytest.mark.parametrize("seats", SEATS)
def test_a_round_table_seats_everybody_everywhere(seats: int) -> None:
    seatings = arena.round_table(seats, 3)
    for deal in seatings:
        assert (np.sort(deal, axis=0) == np.arange(seats)[:, None]).all()
        assert (np.sort(deal, axis=1) == np.arange(seats)).all()


def test_a_round_table_goes_through_all_orders() -> None:
    neighbours = {tuple(np.roll(deal[0], -deal[0].argmin())) for deal in arena.round_table(4, 6)}
    assert len(neighbours) == 6


# What is counted


def test_the_score_sheet_is_that_of_each_game_played_alone(rules: Rules) -> None:
    agents: list[Policy] = [Greedy(), Random()]
    seeds = game_seeds(5, 2)
    results = arena.play(rules, agents, arena.pairing(rules.num_players, 2), seeds)
    for deal, game in ((0, 0), (0, 1), (1, 1)):
        seating = results.seatings[deal, game].tolist()
        expected = play_alone(rules, agents, seating, int(seeds[deal]))
        for name, value in expected.items():
            assert getattr(results, name)[deal, game].tolist() == value, name


def test_every_hand_is_won_once(rules: Rules) -> None:
    agents: list[Policy] = [Eager(), Random()]
    results = arena.play(rules, agents, arena.pairing(rules.num_players, 3), game_seeds(2, 3))
    assert results.hand_wins.sum(axis=2) == pytest.approx(results.hands)
    assert results.game_wins.sum(axis=2) == pytest.approx(1)
    assert (results.turns >= results.hands).all()
    assert (results.turns <= results.hands * rules.max_turns).all()


# Known outcomes


@pytest.mark.parametrize("agent", [Eager(), Random()])
def test_an_agent_is_exactly_even_with_itself(rules: Rules, agent: Policy) -> None:
    found = duel(rules, agent, agent, deals=4, seed=1)
    assert found.lead.low < found.lead.value == 0 < found.lead.high
    assert found.sides[0].hand_wins.value == pytest.approx(0.5)
    assert found.sign_test == statistics.SignTest(won=0, lost=0, tied=4, p_value=1.0)
    if found.match_wins is not None:
        assert found.match_wins[0].value == pytest.approx(0.5)


FREELY = [
    name for name in rummy_env.VARIANTS if "free_top" not in dict(rummy_env.rules(name).options)
]
"""The variants in which nobody is ever made to lay cards down."""


@pytest.mark.parametrize("variant", FREELY)
@pytest.mark.parametrize("seats", SEATS)
def test_an_agent_that_never_melds_loses(variant: str, seats: int) -> None:
    rules = fitting(variant, num_players=min(seats, max(seatings(variant))))
    seats = rules.num_players
    found = duel(rules, Stubborn(), "greedy", deals=12, seed=1)
    assert found.lead.high < 0
    assert found.sides[0].hand_wins.high < 0.5 < found.sides[1].hand_wins.low
    assert found.sign_test.lost > found.sign_test.won
    assert found.games == 12 * (2 if seats == 2 else 2 * seats) == found.hands


@pytest.mark.parametrize("seats", SEATS)
def test_points_are_those_of_one_seat_in_one_hand(variant: str, seats: int) -> None:
    rules = fitting(variant, num_players=min(seats, max(seatings(variant))), max_turns=60)
    seats = rules.num_players
    results = arena.play(rules, [Eager(), Random()], arena.pairing(seats, 6), game_seeds(1, 6))
    found = comparison.duel(("eager", "random"), results, matches=False)
    for number, side in enumerate(found.sides):
        points = results.points[results.seatings == number]
        assert len(points) == 6 * (2 if seats == 2 else seats**2)
        assert side.points.value == pytest.approx(points.mean())


@pytest.mark.parametrize("variant", FREELY)
def test_matches_are_won_more_surely_than_hands(variant: str) -> None:
    single = duel(variant, "greedy", "random", deals=40, seed=1)
    rules = fitting(variant, match="match", deals=5)
    match = duel(rules, "greedy", "random", deals=40, seed=1)
    assert single.match_wins is None
    assert match.match_wins is not None
    assert match.match_wins[0].value > match.sides[0].hand_wins.value > 0.5
    assert match.hands == 5 * match.games or "deals" not in dict(rules.options)


def test_shares_of_the_two_sides_add_up(rules: Rules) -> None:
    found = duel(rules, Eager(), Random(), deals=4, seed=3)
    first, second = found.sides
    assert first.hand_wins.value + second.hand_wins.value == pytest.approx(1)
    assert found.lead.value == pytest.approx(first.points.value - second.points.value)


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
    by_name = compare("basic", {"a": "greedy", "b": "random"}, deals=4)
    given: dict[str, Policy] = {"a": Greedy(), "b": Random()}
    assert by_name == compare(rummy_env.rules("basic"), given, deals=4)
    with pytest.raises(ValueError, match=r"camper cannot play .*'basic'"):
        duel("basic", "camper", "random", deals=4, seed=1)
    with pytest.raises(ValueError, match="seed=-1: give a whole number from 0"):
        compare("basic", {"a": "greedy", "b": "random"}, deals=4, seed=-1)


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


# The same again


@pytest.mark.parametrize("seats", [2, 3])
def test_results_do_not_depend_on_how_many_games_are_played_at_once(
    variant: str, seats: int
) -> None:
    rules = fitting(variant, num_players=seats, max_turns=40)
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random(), "stubborn": Stubborn()}
    whole = compare(rules, agents, deals=5, seed=4)
    for chunk in (1, 12):
        assert compare(rules, agents, deals=5, seed=4, chunk=chunk) == whole
    assert duel(rules, Eager(), Random(), deals=5, seed=4, chunk=1).lead == whole.duels[0].lead


def test_results_depend_on_the_seed_and_more_deals_go_on_from_the_same_ones() -> None:
    rules = rummy_env.rules("basic")
    one, other = (duel(rules, Eager(), Random(), deals=9, seed=seed) for seed in (1, 2))
    assert one.lead != other.lead
    few, many = (
        arena.play(rules, [Eager(), Random()], arena.pairing(2, deals), game_seeds(1, deals))
        for deals in (4, 9)
    )
    assert (many.until(4).points == few.points).all()


def test_the_reward_scheme_does_not_matter() -> None:
    rewards = (rummy_env.rules("basic", reward=scheme) for scheme in ("points", "zero_sum", "win"))
    assert len({duel(rules, Eager(), Random(), deals=5, seed=1) for rules in rewards}) == 1


# Stopping early


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


# The command


def test_the_command_writes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agents = ["random", f"eager={HERE}:Eager", f"{HERE}:Stubborn"]
    assert run("--agents", *agents, "--num-players", "3", "--out", str(tmp_path)) == 0
    facts = json.loads((tmp_path / "compare.json").read_text())
    assert facts["agents"] == ["random", "eager", "Stubborn"]
    assert facts["options"]["num_players"] == 3
    assert facts["complete"]
    assert (facts["deals"], facts["seed"]) == (8, 1)
    assert len(facts["duels"]) == len(facts["round_table"]) == len(facts["standings"]) == 3
    assert facts["command"].startswith("rummy-env compare basic --deals 8")
    page = (tmp_path / "compare.md").read_text()
    assert facts["command"] in page
    assert (tmp_path / "compare.png").read_bytes().startswith(b"\x89PNG")
    shown = capsys.readouterr().out
    for title in ("Ranking", "Points per hand", "Hands won", "Pairs", "Round table"):
        assert title in shown
        assert title in page


def test_the_same_command_writes_the_same_report(tmp_path: Path) -> None:
    def written(chunk: str) -> list[bytes]:
        run("--agents", "random", f"{HERE}:Eager", "--out", str(tmp_path), "--chunk", chunk)
        return [path.read_bytes() for path in sorted(tmp_path.iterdir())]

    assert written("100") == written("100")
    json_of = [json.loads(written(chunk)[0]) for chunk in ("3", "100")]
    for facts in json_of:
        del facts["command"]
    assert json_of[0] == json_of[1]


def test_the_command_plays_matches(tmp_path: Path) -> None:
    match = ("--match", "match", "--rules-deals", "2")
    assert run("--agents", "random", f"{HERE}:Eager", *match, "--out", str(tmp_path)) == 0
    facts = json.loads((tmp_path / "compare.json").read_text())
    assert facts["duels"][0]["hands"] == 2 * facts["duels"][0]["games"] == 2 * 2 * 8
    assert facts["duels"][0]["sides"][1]["match_wins"]["value"] > 0.5
    assert "Matches won" in (tmp_path / "compare.md").read_text()


def test_an_interrupted_command_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play, blocks = arena.play, iter(range(3))

    def play_three_blocks(*given: Any, **named: Any) -> arena.Results:
        if next(blocks, None) is None:
            raise KeyboardInterrupt
        return play(*given, **named)

    monkeypatch.setattr(arena, "play", play_three_blocks)
    arguments = ("--agents", "random", f"{HERE}:Eager", "--chunk", "4", "--out", str(tmp_path))
    assert run(*arguments) == 130
    assert "INCOMPLETE" in capsys.readouterr().out
    facts = json.loads((tmp_path / "compare.json").read_text())
    assert (facts["deals"], facts["complete"]) == (6, False)
    assert run(*arguments) == 130
    assert "interrupted before" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agents", "random"], "two or more"),
        (["--agents", "random", "random"], "two agents are called 'random'"),
        (["--agents", "random", "nobody"], "'nobody'"),
        (["--agents", "random", f"{HERE}:Nobody"], "Nobody"),
        (["--agents", "random", f"{HERE}:Stranger"], "made for whist"),
        (["--agents", "random", "x=random", "--num-players", "9"], "num_players=9"),
        (["--agents", "random", "x=random", "--match", "game"], "match='game'"),
        (["--agents", "random", "x=random", "--deals", "1"], "deals=1"),
        (["--agents", "random", "x=random", "--deals", "-5"], "deals=-5: give a whole number"),
        (["--agents", "random", "x=random", "--deals", "9" * 12], "from 2 to 1000000"),
        (["--agents", "random", "x=random", "--chunk", "0"], "chunk=0"),
        (["--agents", "random", "x=random", "--seed", "-1"], "seed=-1: give a whole number from 0"),
        (["--agents", "random", "camper"], "camper cannot play rummy_env.rules('basic'"),
        (
            ["--agents", "random", "runs/x/best.zip"],
            "python -m training.convert VARIANT runs/x/best.zip",
        ),
        (["--agents", "random", "x=random", "--num-playrs", "3"], "--num-playrs"),
        (["--agents", "random", "x=random", "--out", __file__], "test_compare.py"),
        ([], "--agents"),
    ],
)
def test_bad_input_is_told_in_words(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(*arguments)
    assert stopped.value.code == 2
    told = capsys.readouterr().err
    assert message in told
    assert "Traceback" not in told


def test_few_deals_are_reported_as_rough(tmp_path: Path) -> None:
    agents: dict[str, Policy] = {"eager": Eager(), "random": Random()}
    rules = rummy_env.rules("basic", max_turns=40)
    for deals, rough in ((2, True), (statistics.FEW_DEALS, False)):
        report.write(compare(rules, agents, deals=deals), tmp_path)
        assert ("rough" in (tmp_path / "compare.md").read_text()) == rough


# Statistics


def test_the_interval_of_a_mean_is_that_of_the_t_test() -> None:
    values = np.array([3.0, -1.0, 4.0, 1.0, 5.0, 9.0])
    found = statistics.mean(values)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.value == pytest.approx(3.5)


@pytest.mark.parametrize("deals", [statistics.FEW_DEALS, 200])
def test_intervals_hold_the_truth_19_times_out_of_20(deals: int) -> None:
    rng = np.random.default_rng(0)
    points = [statistics.mean(rng.gamma(2.0, 5.0, deals) - 10) for _ in range(1000)]
    assert 0.93 < np.mean([e.low <= 0 <= e.high for e in points]) < 0.97
    rates = [statistics.rate(rng.binomial(2, 0.8, deals) / 2) for _ in range(1000)]
    assert 0.94 < np.mean([e.low <= 0.8 <= e.high for e in rates]) < 0.99


def test_the_interval_of_a_rate_is_the_exact_binomial_one_for_independent_trials() -> None:
    wins, trials = 700, 1000
    values = np.repeat([1.0, 0.0], [wins, trials - wins])
    exact = stats.binomtest(wins, trials).proportion_ci(0.95, method="exact")
    found = statistics.rate(values)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=2e-4)


def test_the_interval_of_a_rate_stays_open_when_all_deals_went_one_way() -> None:
    won, lost = statistics.rate(np.ones(100)), statistics.rate(np.zeros(100))
    assert (won.value, won.high) == (1, 1)
    assert 0.96 < won.low < 0.97
    assert lost.high == pytest.approx(1 - won.low)


@pytest.mark.parametrize("deals", [2, 20, 1000])
def test_the_intervals_have_a_width_where_all_deals_drawn_tie(deals: int) -> None:
    even = statistics.rate(np.full(deals, 0.5))
    lead = statistics.mean(np.zeros(deals), reach=60.0)
    third = statistics.rate(np.full(deals, 1 / 3))
    assert 0 <= even.low < even.value == 0.5 < even.high <= 1
    assert lead.low < lead.value == 0 < lead.high
    assert lead.high == pytest.approx(-lead.low)
    assert third.low < third.value < third.high
    unlike = 1 - 0.025 ** (1 / deals)  # so many deals may be unlike all that were drawn
    assert 60 * unlike * 0.9 < lead.high < 60 * unlike * 1.7


@pytest.mark.parametrize("share", [0.005, 0.02, 0.05, 0.2])
@pytest.mark.parametrize("deals", [100, 400])
def test_the_intervals_hold_the_truth_where_few_deals_pay(deals: int, share: float) -> None:
    rng, paid = np.random.default_rng(3), {"always": 50.0, "evenly": 25.0}
    for scheme, worth in paid.items():
        held = 0
        for _ in range(600):
            points = 50.0 * (rng.random(deals) if scheme == "evenly" else np.ones(deals))
            paying = rng.random(deals) < share
            found = statistics.mean(np.where(paying, points, 0.0), reach=50.0)
            held += found.low <= share * worth <= found.high
        assert held >= 0.92 * 600, scheme
    won = [np.where(rng.random(deals) < share, 1.0, 0.5) for _ in range(600)]
    rates = list(map(statistics.rate, won))
    assert sum(r.low <= 0.5 + share / 2 <= r.high for r in rates) >= 0.92 * 600


def test_the_interval_is_that_of_the_t_test_again_where_enough_deals_pay() -> None:
    values = np.where(np.arange(1000) < statistics.FEW_DEALS, 50.0, 0.0)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert statistics.mean(values, reach=50.0).low == pytest.approx(expected.low)
    assert statistics.mean(values[1:], reach=50.0).low != pytest.approx(expected.low, abs=0.01)


def test_the_sign_test_is_exact_and_leaves_ties_out() -> None:
    found = statistics.sign_test(np.array([1.5, 2, 3, 0, 4, 5, 6, -2, 7, 0, 0]))
    assert (found.won, found.lost, found.tied) == (7, 1, 3)
    assert found.p_value == pytest.approx(2 * (1 + 8) / 2**8)
    assert found.p_value == pytest.approx(stats.binomtest(7, 8).pvalue)


def test_a_ratio_is_total_by_total_and_its_scatter_is_right() -> None:
    rng = np.random.default_rng(1)
    hands = rng.integers(1, 9, 4000).astype(float)
    points = rng.normal(3 * hands, 2)
    values = statistics.ratio(points, hands)
    assert values.mean() == pytest.approx(points.sum() / hands.sum())
    drawn = rng.integers(4000, size=(500, 4000))
    ratios = points[drawn].sum(axis=1) / hands[drawn].sum(axis=1)
    assert stats.sem(values) == pytest.approx(ratios.std(), rel=0.15)
    assert statistics.ratio(points, np.full(4000, 2.0)) == pytest.approx(points / 2)


def test_ratings_fit_the_shares_and_hold_the_elo_scale() -> None:
    shares = 1 / (1 + 10 ** (-np.array([100.0, 300.0, 200.0]) / 400))
    wins = np.tile(np.stack([shares, 1 - shares], axis=1), (50_000, 1, 1))
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    strong, middle, weak = statistics.ratings(wins[:2000] * 1000, pairs, seed=1)
    assert strong.value - middle.value == pytest.approx(100, abs=0.01)
    assert middle.value - weak.value == pytest.approx(200, abs=0.01)
    assert shares[0] == pytest.approx(0.64, abs=0.001)


def test_the_interval_of_a_rating_holds_the_truth() -> None:
    rng = np.random.default_rng(2)
    held = 0
    for seed in range(25):
        first = rng.binomial(2, 0.7, 200).astype(float)
        wins = np.stack([first, 2 - first], axis=1)[:, None]
        rating, _ = statistics.ratings(wins, np.array([[0, 1]]), seed)
        held += rating.low <= 200 * np.log10(0.7 / 0.3) <= rating.high
    assert held >= 21


def test_whoever_wins_everything_has_a_finite_rating() -> None:
    wins = np.tile([[2.0, 0.0]], (50, 1, 1))
    best, worst = statistics.ratings(wins, np.array([[0, 1]]), seed=1)
    assert best.value == -worst.value == pytest.approx(200 * np.log10(100.5 / 0.5))
    assert best.low < best.value - 100


def test_ratings_of_agents_that_tie_in_all_deals_have_intervals_with_a_width() -> None:
    wins = np.ones((50, 3, 2))
    for rating in statistics.ratings(wins, np.array([[0, 1], [0, 2], [1, 2]]), seed=1):
        assert rating.low < -1
        assert rating.value == pytest.approx(0)
        assert rating.high > 1


@pytest.mark.parametrize("figure", [statistics.mean, statistics.rate])
def test_one_deal_makes_no_interval(figure: Any) -> None:
    with pytest.raises(ValueError, match="deals=1: give a whole number from 2"):
        figure(np.ones(1))


# Records


def test_a_recorded_comparison_has_every_game_by_the_names_of_the_agents(tmp_path: Path) -> None:
    path, out = tmp_path / "games.jsonl", tmp_path / "out"
    agents = ["--agents", "random", f"{HERE}:Eager", "me=greedy", "--out", str(out)]
    assert run(*agents, "--record", str(path), "--chunk", "6") == 0
    records = read(path)
    pairs = Counter(frozenset(record.agents) for record in records)
    names = ("random", "Eager", "me")
    assert pairs == dict.fromkeys(map(frozenset, combinations(names, 2)), 2 * 8)
    seatings = Counter((record.seed, *record.agents) for record in records)
    assert set(seatings.values()) == {1}
    assert len({record.seed for record in records}) == 8
    for record in records[::7]:
        assert sum(1 for _ in play(record)) == len(record.actions) + 1
    (told,) = [
        duel
        for duel in json.loads((out / "compare.json").read_text())["duels"]
        if {side["agent"] for side in duel["sides"]} == {"random", "me"}
    ]
    for side in told["sides"]:
        points = [
            record.outcome.scores[record.agents.index(side["agent"])]
            for record in records
            if set(record.agents) == {"random", "me"}
        ]
        assert side["points"]["value"] == pytest.approx(np.mean(points))


def test_a_file_that_cannot_be_written_is_refused_before_the_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = tmp_path / "no" / "where.jsonl"
    with pytest.raises(SystemExit, match="2"):
        run("--agents", "random", "greedy", "--record", str(nowhere))
    assert "where.jsonl" in capsys.readouterr().err
