"""What agents think: explanations, the mind beside the table, the coach, positions."""

import asyncio
import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine
from rummy_env.baselines import Greedy
from rummy_env.baselines.explanation import Explanation, explanations
from rummy_env.baselines.policies import resolve
from rummy_env.core.naming import action_name
from rummy_env.melds.deadwood import MOST_CARDS
from rummy_env.play.house import House
from rummy_env.play.minds import Thought, coach, think, told_thought
from rummy_env.play.offer import Offer
from rummy_env.play.positions import ask, dealt
from rummy_env.play.seat_socket import SeatSocket, _thoughts
from rummy_env.play.seats import new_token
from rummy_env.search import Search
from tests.play_tables import Page, at_random, client, order, people, play_on, seated, set_up
from tests.recorded import well_played


class Searching:
    """A policy that goes on thinking: legal actions are worth their number, better every time."""

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)

    def explaining(self, view: Any, mask: Any, rng: Any) -> Iterator[Explanation]:
        for worlds in (10, 20):
            values = np.where(mask[0], np.arange(mask.shape[1], dtype=float), np.nan)
            errors = np.where(mask[0], 1 / worlds, np.nan)
            yield Explanation(values=values, errors=errors, value=3.0, worlds=worlds)


def positions(variant: str, count: int = 40, **options: Any) -> Iterator[Engine]:
    """Games as they go on at random."""
    table, rng = people(rummy_env.rules(variant, **options)), np.random.default_rng(5)
    for _ in range(count):
        if table.finished:
            return
        yield table.engine
        table.play(table.mover, at_random(table, rng))


@pytest.mark.parametrize("variant", ["basic", "bonus", "classic"])
def test_the_weights_of_strong_are_of_legal_actions_alone(variant: str) -> None:
    weighed = 0
    for engine in positions(variant):
        (thought,) = think(resolve("strong"), engine)
        mask = engine.legal_mask()[0]
        assert mask[thought.chosen]
        for weight in thought.explanation.weights.values():
            assert np.isnan(weight[~mask]).all()
            weighed += 1
    assert weighed > 40


def test_strong_discards_what_it_weighs_least_where_nothing_can_be_laid() -> None:
    discards = 0
    for engine in positions("basic", 60):
        mask, (thought,) = engine.legal_mask()[0], think(resolve("strong"), engine)
        kinds = {engine.describe(action).kind for action in np.flatnonzero(mask).tolist()}
        if kinds == {"discard"}:
            weights = thought.explanation.weights
            assert np.nanargmin(sum(weights.values())) == thought.chosen
            discards += 1
    assert discards > 3


def at_random_by_kind(variant: str, count: int, **options: Any) -> Iterator[tuple[Any, ...]]:
    """Positions of games at random: the kinds of what is legal, the choice, the weights."""
    table, rng = people(rummy_env.rules(variant, **options)), np.random.default_rng(5)
    for _ in range(count):
        if table.finished:
            table.again()
        engine, mask = table.engine, table.engine.legal_mask()[0]
        kinds = {engine.describe(action).kind for action in np.flatnonzero(mask).tolist()}
        (thought,) = think(resolve("strong"), engine)
        played = int(
            resolve("strong").act(engine.look(engine.to_move), mask[None], engine.random())[0]
        )
        assert thought.chosen == played
        assert all(np.isnan(each[~mask]).all() for each in thought.explanation.weights.values())
        yield kinds, engine.describe(played), played, thought.explanation.weights
        table.play(table.mover, at_random(table, rng))


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"undercut_bonus": 0}, {"lay_off": "manual"}])
def test_in_gin_strong_plays_the_best_by_the_figures_that_it_shows(options: Any) -> None:
    drawn, discarded, knocked = 0, 0, {True: 0, False: 0}
    for kinds, choice, played, weights in at_random_by_kind("gin", 300, **options):
        if "draw_discard" in kinds:
            assert (choice.kind == "draw_discard") == (np.nanmax(weights["deadwood saved"]) > 0)
            drawn += choice.kind == "draw_discard"
        elif "discard" in kinds:
            left = weights["deadwood left"]
            costs = left + weights["outs lost"] + weights["helps the opponent"]
            if "knock" in kinds or "gin" in kinds:
                ends = np.where(np.isnan(costs), left, np.nan)
                most = np.nanmax(weights["knocks with"]) if "knock" in kinds else 0
                assert (choice.kind in ("knock", "gin")) == (np.nanmin(ends) <= most)
                knocked[choice.kind in ("knock", "gin")] += 1
            if choice.kind in ("knock", "gin"):
                assert left[played] == np.nanmin(ends)
            else:
                assert costs[played] == pytest.approx(np.nanmin(costs), abs=1e-4)
                discarded += 1
    assert drawn
    assert discarded > 20
    assert knocked[True]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "options"), [("going_out", {}), ("rummy_cards", {"decks": 2, "num_players": 3})]
)
def test_where_hands_are_declared_strong_plays_the_best_chance_that_it_shows(
    variant: str, options: Any
) -> None:
    drawn, discarded = {True: 0, False: 0}, 0
    for kinds, choice, played, weights in at_random_by_kind(variant, 300, **options):
        if not weights:
            assert choice.kind not in ("discard", "draw_stock")
            continue
        chances = weights["chance to win"]
        assert chances[played] == np.nanmax(chances)
        assert np.nanmin(chances) >= 0
        if "draw_stock" in kinds:
            drawn[choice.kind == "draw_stock"] += 1
        else:
            assert (weights["share given away"][~np.isnan(chances)] <= 0.9).all()
            discarded += 1
    assert min(drawn.values()) > 3
    assert discarded > 50


def test_a_trained_model_tells_its_probabilities_and_plays_the_likeliest() -> None:
    for engine in positions("gin", 20):
        (thought,) = think(resolve("trained"), engine)
        chances = thought.explanation.probabilities
        assert chances is not None
        assert chances.sum() == pytest.approx(1)
        assert (chances[~engine.legal_mask()[0]] == 0).all()
        assert thought.chosen == chances.argmax()
        assert thought.probability(thought.chosen) == chances.max()


def test_a_policy_that_tells_nothing_is_asked_what_it_plays() -> None:
    engine = next(positions("basic"))
    (thought,) = think(resolve("random"), engine)
    assert engine.legal_mask()[0][thought.chosen]
    assert thought.explanation == Explanation()
    assert (thought.cost(thought.chosen), thought.probability(thought.chosen)) == (None, None)


def test_a_search_is_told_live_and_its_best_value_is_its_choice() -> None:
    engine = next(positions("basic"))
    thoughts = [*think(Searching(), engine)]
    told = [told_thought(thought, engine) for thought in thoughts]
    assert [each["worlds"] for each in told] == [10, 20]
    best = max(told[1]["moves"], key=lambda move: move["value"])
    assert (told[1]["chosen"], best["error"]) == (best["action"], 0.05)
    worst = min(move["action"] for move in told[1]["moves"])
    assert thoughts[1].cost(worst) == best["action"] - worst


class Gated(Searching):
    """A policy that keeps to the first legal action, though the values of all others are higher."""

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        return mask.argmax(axis=1)

    def explaining(self, view: Any, mask: Any, rng: Any) -> Iterator[Explanation]:
        for each in super().explaining(view, mask, rng):
            yield replace(each, choice=int(mask[0].argmax()))


class Valuing(Greedy):
    """Plays as greedy does, and tells values that say otherwise, without a choice."""

    def explain(self, view: Any, mask: Any, rng: Any) -> Explanation:
        return Explanation(values=np.where(mask[0], np.arange(mask.shape[1], dtype=float), np.nan))


def test_an_agent_that_tells_no_choice_is_asked_what_it_plays() -> None:
    for engine in positions("basic"):
        (thought,) = think(Valuing(), engine)
        (usual,) = think(Greedy(), engine)
        assert thought.chosen == usual.chosen


def test_a_move_is_priced_against_the_one_that_the_agent_chose() -> None:
    engine = next(positions("basic"))
    (*_, thought) = think(Gated(), engine)
    legal = np.flatnonzero(engine.legal_mask()[0])
    assert thought.chosen == legal[0]
    assert [thought.cost(action) for action in legal.tolist()] == [0.0] * len(legal)
    (*_, other) = think(Searching(), engine)
    assert [other.cost(action) for action in legal.tolist()] == [
        float(legal[-1] - a) for a in legal
    ]


def test_a_page_is_told_over_which_move_the_others_lead() -> None:
    engine = next(positions("basic"))
    (*_, thought) = think(Search("greedy", worlds=8), engine)
    lead, told = thought.explanation.lead, told_thought(thought, engine)
    assert lead is not None
    assert told["over"] == action_name(engine.describe(lead.over))
    for move in told["moves"]:
        assert move["error"] is None
        assert move["ahead"] == pytest.approx(lead.values[move["action"]], abs=1e-4)
        assert move["ahead_error"] == pytest.approx(lead.errors[move["action"]], abs=1e-4)


@pytest.mark.parametrize(("reward", "unit"), [("zero_sum", "points"), ("win", "hands")])
def test_a_page_is_told_what_values_are_of(reward: str, unit: str) -> None:
    engine = next(positions("basic", reward=reward))
    (*_, thought) = think(Search("greedy", worlds=2), engine)
    assert told_thought(thought, engine)["unit"] == unit
    assert thought.explanation.value is not None
    assert (abs(thought.explanation.value) <= 1) == (unit == "hands")


def test_thinking_leaves_the_game_alone() -> None:
    for engine in positions("gin", 10):
        before = engine.snapshot(0)
        assert [*think(resolve("strong"), engine)]
        assert engine.snapshot(0) == before


def test_what_an_agent_thinks_hangs_on_what_the_seat_knows_alone() -> None:
    engine = next(positions("basic"))
    moved = copy.copy(engine)
    table = engine.snapshot(0)
    stock, other = table["stock"], 1 - table["to_move"]
    hands = [*table["hands"]]
    hands[other], table["stock"] = stock[: len(hands[other])], [*hands[other], *stock[10:]]
    moved.restore(0, {**table, "hands": hands})
    one, two = (
        told_thought(next(think(resolve("strong"), each)), each) for each in (engine, moved)
    )
    assert one == two


def test_the_coach_finds_no_fault_with_itself(tmp_path: Path) -> None:
    (record,) = well_played(rummy_env.rules("basic"), tmp_path / "games.jsonl")
    lines = [*coach(Greedy(), record, 0)]
    assert lines
    assert all(line["same"] for line in lines)
    priced = [*coach(Searching(), record, 0)]
    assert all(line["cost"] >= 0 for line in priced)
    assert any(line["cost"] > 0 and not line["same"] for line in priced)
    assert all(line["cost"] == 0 for line in coach(Gated(), record, 0))


def test_explanations_prefer_thinking_on() -> None:
    engine = next(positions("basic"))
    asked = engine.look(engine.to_move), engine.legal_mask(), engine.random()
    assert [each.worlds for each in explanations(Searching(), *asked)] == [10, 20]


def test_mind_and_coach_are_told_to_a_page() -> None:
    house = House(Offer({"searching": Searching}), pace=0)
    with client(house) as server:
        token = seated(server, order("gin", "random"))
        with server.websocket_connect("/socket") as socket:
            page = Page(socket, token)
            page.until_mine()
            for agent in ("strong", "trained", "searching"):
                page.send(type="mind", agent=agent)
                mind = page.until("mind")
                assert mind["version"] == page.state["version"]
                legal = {each["action"] for each in page.state["legal"]}
                assert {move["action"] for move in mind["moves"]} == legal
            play_on(page, np.random.default_rng(2))
            page.send(type="mind", agent="strong")
            assert "not your turn" in page.until("refused")["why"]
            page.send(type="coach", agent="searching")
            lines = []
            while not (told := page.until("coach"))["done"]:
                lines += told["lines"]
            mine = [place for place, _ in page.state["log"]["lines"] if place == 0]
            assert len(lines) >= len(mine)
            assert all(line["cost"] is not None for line in lines)


class Flood:
    """A socket on which all messages wait at once."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.waiting = [json.dumps(message) for message in messages]

    async def receive(self) -> dict[str, Any]:
        if self.waiting:
            return {"type": "websocket.receive", "text": self.waiting.pop(0)}
        return {"type": "websocket.disconnect"}

    async def done(self, *_: object) -> None:
        """Takes anything."""

    accept = close = send_text = send_json = done


def test_a_page_that_asks_without_end_keeps_nobody_waiting_and_has_one_question_kept() -> None:
    house = House(Offer({"searching": Searching}), pace=0)
    seats = [{"person": "Ann"}, {"person": "Bob"}]
    links = set_up(house, {"variant": "gin", "seats": seats, "seed": 3})
    token = links[house.rooms[0].table.mover]["token"]
    minds = [{"type": "mind", "agent": "searching"}] * 50

    async def most_tasks() -> tuple[int, int]:
        socket: Any = Flood({"type": "sit", "token": token, "own": new_token()}, *minds)
        serving = asyncio.create_task(SeatSocket(socket, house, None).serve())
        most, turns = 0, 0
        while not serving.done():
            most, turns = max(most, len(asyncio.all_tasks())), turns + 1
            await asyncio.sleep(0)
        return most, turns

    most, turns = asyncio.run(most_tasks())
    assert most <= 5
    assert turns > len(minds)


def test_melds_in_the_hand_are_told_on_request() -> None:
    with client() as server:
        token = seated(server, order("gin", "random"))
        with server.websocket_connect("/socket") as socket:
            page = Page(socket, token)
            page.send(type="melds")
            melds = page.until("melds")["melds"]
            shown = page.state["scene"]["seats"][0]["hand"]["melds"]
            assert melds == shown


def test_a_snapshot_is_shown_and_asked_about() -> None:
    engine = Engine(rummy_env.rules("gin"), seed=3)
    engine.reset()
    values = {"variant": "gin", "table": engine.snapshot(0), "agent": "strong"}
    told = ask(values, Offer())
    assert told["mind"]["words"]
    assert len(told["scene"]["seats"]) == 2
    with client() as server:
        assert server.post("/api/positions", json=values).json() == json.loads(json.dumps(told))


@pytest.mark.parametrize("variant", rummy_env.VARIANTS)
def test_a_deal_is_a_position_of_which_the_page_is_told_phases_and_agents(variant: str) -> None:
    rules = rummy_env.rules(variant)
    told = dealt({"variant": variant}, Offer())
    assert "seed" not in told["table"]
    about = ask(told, Offer())
    assert about["phases"] == [phase.name for phase in rules.turn]
    assert about["agents"] == Offer().for_rules(rules)
    assert about["mind"] is None


class Lost:
    """A policy that fails."""

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        raise IndexError("a hand of no size that I know")


def test_an_agent_that_cannot_play_a_position_is_named() -> None:
    told = dealt({"variant": "gin"}, Offer())
    with pytest.raises(ValueError, match="lost cannot play this position: a hand of no size"):
        ask({**told, "agent": "lost"}, Offer({"lost": Lost}))


def test_an_error_without_words_is_told_by_its_name() -> None:
    class Mute(Lost):
        def act(self, view: Any, mask: Any, rng: Any) -> Any:
            raise AssertionError

    with pytest.raises(ValueError, match="mute cannot play this position: AssertionError"):
        ask({**dealt({"variant": "gin"}, Offer()), "agent": "mute"}, Offer({"mute": Mute}))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"table": None}, "give a snapshot"),
        ({"table": {"hands": []}}, "lacks"),
        ({"variant": "whist"}, "give one of"),
        ({"options": []}, "give a mapping"),
        ({"agent": 3}, "give a name"),
        ({"agent": "nobody"}, "offered are"),
    ],
)
def test_a_position_that_is_none_is_refused(change: dict[str, Any], said: str) -> None:
    engine = Engine(rummy_env.rules("gin"), seed=3)
    engine.reset()
    values = {"variant": "gin", "table": engine.snapshot(0), **change}
    with client() as server:
        answer = server.post("/api/positions", json=values)
        assert answer.status_code == 400
        assert said in answer.json()["error"]


def test_the_chosen_move_gives_nothing_away_even_where_its_value_is_not_told() -> None:
    thought = Thought(1, Explanation(values=np.array([2.0, np.nan])))
    assert (thought.cost(1), thought.cost(0)) == (0.0, None)


def test_a_hand_of_gin_that_nobody_could_meld_in_time_is_refused() -> None:
    told = dealt({"variant": "gin"}, Offer())
    table = told["table"]
    for _ in range(MOST_CARDS - 10):
        table["hands"][1].append(table["stock"].pop())
    assert ask(told, Offer())["scene"]
    table["hands"][1].append(table["stock"].pop())
    with pytest.raises(ValueError, match="hands: 22 cards in one; give at most 21"):
        ask(told, Offer())


def test_a_first_upcard_of_which_nothing_is_told_is_no_error() -> None:
    told = dealt({"variant": "gin"}, Offer())
    table = {**told["table"], "phase": "first_upcard", "upcard": None}
    asked = ask({**told, "table": table, "agent": "strong"}, Offer())
    assert asked["mind"] is not None
    assert "upcard" not in dict(asked["scene"]["notes"])


class Pondering:
    """Would play the first legal action at first, and the last one after it has thought."""

    def act(self, view: Any, mask: Any, rng: Any) -> Any:
        return mask.argmax(axis=1)

    def explaining(self, view: Any, mask: Any, rng: Any) -> Iterator[Explanation]:
        legal = mask[0].nonzero()[0]
        yield Explanation(choice=int(legal[0]), worlds=0)
        yield Explanation(choice=int(legal[-1]), worlds=8)


class Wavering(Pondering):
    """The same, without a word about how long it has thought."""

    def explaining(self, view: Any, mask: Any, rng: Any) -> Iterator[Explanation]:
        for thought in super().explaining(view, mask, rng):
            yield Explanation(choice=thought.choice)


def test_a_coach_that_thinks_on_is_asked_for_its_last_word() -> None:
    table = people(rummy_env.rules("basic"))
    for _ in range(12):
        table.play(table.mover, int(table.engine.legal_mask()[0].nonzero()[0][-1]))
    for agent in (Pondering(), Wavering()):
        lines = [*coach(agent, table.record(), 0)]
        assert len(lines) > 2
        assert all(line["same"] for line in lines)


def test_thoughts_end_when_the_table_moves_on() -> None:
    table = people(rummy_env.rules("basic"))
    told = _thoughts(table, "pondering", Pondering())
    assert next(told)["worlds"] == 0
    table.play(table.mover, int(table.engine.legal_mask()[0].argmax()))
    assert next(told, None) is None
