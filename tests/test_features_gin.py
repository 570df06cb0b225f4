"""The observation where hands end by knocking: deadwood, discards, knocks, the last discards."""

from typing import Any

import numpy as np
import pytest

from rummy_env import Engine, Rules
from rummy_env.parts.knocking_features import DEADWOOD_LEVELS, GAIN_LEVELS, NEARLY_LEAST
from rummy_env.parts.upper_discards import LAST_DISCARDS
from rummy_env.views.features import observer
from tests.conftest import few_or_all
from tests.gin_play import OPTIONS, dealt_games, gin_rules, lay, play
from tests.hiding import dealt_anew
from tests.observations import Told, check, told_of
from tests.reference import deadwood as reference
from tests.reference.cards import RANKS
from tests.reference.deadwood import GROUPS, MELDS, POINTS
from tests.rollout import tables

LOOSE = "Ac 2d 3h 4d 6c 8d 9h Jd Qh Kd"
"""63 points; no meld."""
MELDED = "7c 7d 7h 4s 5s 6s Tc Jc Qc"
"""Three melds."""


EVERY = [gin_rules(**options) for options in OPTIONS]
pytestmark = few_or_all("rules", few=EVERY[::2], every=EVERY)


def reached(levels: tuple[int, ...], value: int) -> int:
    """How many of the thresholds a value reaches."""
    return sum(value >= level for level in levels)


# What lies on the table


def test_an_observation_says_what_a_seat_may_know_in_every_phase(
    rules: Rules, thorough: bool
) -> None:
    engine, met, often = dealt_games(rules, num_envs=4), set(), 4 if thorough else 11
    for step, _ in enumerate(play(engine, 220)):
        if step % often:
            continue
        for row, table in enumerate(tables(engine)):
            seat = (step // often + row) % 2
            told = Told(engine, seat, row)
            check(told, table, seat, rules)
            check_claims(told, table, seat)
            met.add(table["phase"])
    assert met >= {phase.name for phase in rules.turn} - {"wall", "lay_off", "defend"}


def check_claims(told: Told, table: dict[str, Any], seat: int) -> None:
    """What is told of the knock, of the first upcard and of passes."""
    assert told.cards("upcard") == {table["upcard"]}
    assert told.count("passes") == min(table["passes"], 2)
    knocked = None if not table["claim"] else (table["claimant"] - seat) % 2
    assert told.choice("knocked") == knocked
    depths = [set(table["discard"][-depth:]) for depth in LAST_DISCARDS]
    assert [told.cards(f"upper_{depth}") for depth in LAST_DISCARDS] == depths


def test_what_a_seat_cannot_know_changes_no_observation(rules: Rules) -> None:
    engine, other = dealt_games(rules, num_envs=16), Engine(rules, 16)
    other.reset()
    rows = np.arange(16)
    for step, _ in enumerate(play(engine, 90)):
        if step % 15 == 0:
            seats = rows % 2
            seeds = (rows + step).astype(np.uint64)
            other.state.put(rows, dealt_anew(rules, engine.state, rows, seats, seeds))
            told = [observer(rules, "outs")(games.look(seats)) for games in (engine, other)]
            assert (told[0] == told[1]).all()
            assert (engine.state.hands != other.state.hands).any()


def test_the_planes_of_melds_on_the_table_are_there_where_melds_are_laid_down() -> None:
    laid = {"groups", "sequences", "fits"}
    for lay_off, expected in (("manual", laid), ("auto", set()), ("none", set())):
        names = {name for name, *_ in observer(gin_rules(lay_off=lay_off)).layout()}
        assert names & laid == expected
        assert "recycled" not in names


def test_what_can_be_laid_off_is_told() -> None:
    table = lay(f"{MELDED} Kh | {LOOSE}", stock="2c 3c 4c", lay_off="manual")
    table.play("draw stock; knock Kh; meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc; pass")
    assert told_of(table, 1).cards("fits") == {"7s", "3s", "9c", "Kc"}
    assert told_of(table, 1).choice("knocked") == 1
    assert told_of(table, 0).choice("knocked") == 0
    assert told_of(table, 1).set_of("known_1") == {"2c": 1}


@pytest.mark.parametrize(("upcard", "limit"), [("As", 0), ("2s", 2), ("9s", 9), ("Ks", 10)])
def test_the_limit_is_told_where_the_upcard_decides_it(upcard: str, limit: int) -> None:
    given: dict[str, Any] = {"marks": {"upcard": upcard}, "discard": upcard}
    table = lay(f"{MELDED} Kh | {LOOSE}", stock="2c 3c 4c", oklahoma=True, **given)
    assert told_of(table).count("limit") == limit
    table = lay(f"{MELDED} Kh | {LOOSE}", stock="2c 3c 4c", **given)
    assert "limit" not in told_of(table).entries


def test_a_card_put_back_on_the_pile_is_told_where_that_may_end_the_hand() -> None:
    given: dict[str, Any] = {"stock": "2c 3c 4c", "discard": "5d"}
    table = lay(f"{MELDED} Kh | {LOOSE}", discard_taken_upcard=True, **given)
    assert told_of(table).entries["put_back"] == [0]
    table.play("draw discard; discard 5d")
    assert told_of(table, 0).entries["put_back"] == told_of(table, 1).entries["put_back"] == [1]
    assert "put_back" not in told_of(lay(f"{MELDED} Kh | {LOOSE}", **given)).entries


def test_the_scores_of_a_match_are_told() -> None:
    marks = {"scores": [35, 90]}
    told = told_of(lay(f"{MELDED} Kh | {LOOSE}", stock="2c 3c 4c", match="match", marks=marks))
    assert (told.count("score_0"), told.count("score_1")) == (3, 9)


# What follows from the hand


def test_the_deadwood_now_and_what_the_top_discard_takes_off_it_are_told() -> None:
    table = lay(f"7c 7d 4s 5s Tc Jc 2h Kc Kh 9d | {LOOSE}", stock="2c 3c 4c", discard="7h")
    told = told_of(table)
    points = 7 + 7 + 4 + 5 + 10 + 10 + 2 + 10 + 10 + 9
    assert told.count("deadwood") == reached(DEADWOOD_LEVELS, points)
    assert told.count("gain") == reached(GAIN_LEVELS, 14 + 10)
    table.play("draw discard")
    assert told_of(table).count("deadwood") == reached(DEADWOOD_LEVELS, points - 14 - 10)
    assert told_of(table).count("gain") == 0


def test_a_top_discard_of_no_use_gains_nothing() -> None:
    table = lay(f"{MELDED} As | {LOOSE}", stock="2c 3c 4c", discard="Kh")
    told = told_of(table)
    assert (told.count("deadwood"), told.count("gain")) == (1, 0)
    assert told.cards("least") == {"As"}


def test_discards_that_leave_gin_little_or_the_least_deadwood_are_told() -> None:
    table = lay(f"{MELDED} 3d | {LOOSE}", stock="9c 3c 4c")
    table.play("draw stock")
    told = told_of(table)
    assert told.cards("gin") == {"3d"}
    assert told.cards("knock") == {"3d", "9c", "Qc"}
    assert told.cards("least") == {"3d"}
    assert told.cards("least_3") == {"3d", "9c", "Qc"}


def test_the_card_just_taken_is_no_discard_unless_it_may_be_thrown_back() -> None:
    for allowed in (False, True):
        table = lay(
            f"{MELDED} 3d | {LOOSE}", stock="2c 3c 4c", discard="Kh", discard_taken_upcard=allowed
        )
        table.play("draw discard")
        assert ("Kh" in told_of(table).cards("least")) is allowed
        assert ("Kh" in told_of(table).cards("knock")) is allowed


@pytest.mark.parametrize("returned", [False, True])
def test_before_a_draw_the_top_card_is_a_discard_if_it_may_be_thrown_back(returned: bool) -> None:
    """Three melds and an ace, Kh on top: with Kh thrown back, the ace is left; without it, ten."""
    table = lay(
        f"{MELDED} As | {LOOSE}", stock="2c 3c 4c", discard="Kh", discard_taken_upcard=returned
    )
    told = told_of(table)
    assert told.cards("knock") == ({"As", "Kh"} if returned else {"As"})
    assert told.cards("least") == ({"Kh"} if returned else {"As"})


def test_at_the_wall_the_knocks_told_are_the_legal_ones() -> None:
    rules = gin_rules(preset="openspiel", knock_card=40)
    engine, met = dealt_games(rules, num_envs=64), 0
    for _ in play(engine, 90):
        mask = engine.legal_mask()
        for row in np.flatnonzero(
            engine.state.phase == [phase.name for phase in rules.turn].index("wall")
        ):
            kinds = [engine.describe(action) for action in mask[row].nonzero()[0]]
            legal = {action.cards[0] for action in kinds if action.kind == "knock"}
            assert Told(engine, int(engine.to_move[row]), int(row)).cards("knock") == legal
            met += bool(legal)
    assert met > 10


def test_nothing_is_told_of_discards_after_a_knock() -> None:
    table = lay(f"{MELDED} 3d | {LOOSE}", stock="Kh 3c 4c", lay_off="manual")
    table.play("draw stock; knock Kh; meld 7c 7d 7h")
    for seat, points in ((0, 3), (1, 63)):
        told = told_of(table, seat)
        assert not any(told.cards(plane) for plane in ("gin", "knock", "least", "least_3"))
        assert (told.count("deadwood"), told.count("gain")) == (
            reached(DEADWOOD_LEVELS, points),
            0,
        )


def check_hand(told: Told, table: dict[str, Any], seat: int, rules: Rules) -> None:
    """Compares what is told of the hand with trying everything."""
    hand, top = frozenset(table["hands"][seat]), frozenset(table["discard"][-1:])
    drawn = len(hand) > rules.hand_size
    cards, barred = (hand, {table["taken"]}) if drawn else (hand | top, top)
    if rules.discard_taken_upcard:
        barred = set()
    after = {card: reference.deadwood(cards - {card}) for card in cards if card not in barred}
    if table["claim"] or not (drawn or top):
        after = {}
    least = min(after.values(), default=0)
    now = reference.deadwood(hand)
    own = least if drawn and after else now
    assert told.count("deadwood") == reached(DEADWOOD_LEVELS, own)
    assert told.count("gain") == (0 if drawn or not after else reached(GAIN_LEVELS, now - least))
    limit = knock_limit(table["upcard"], rules)
    for plane, most in (("gin", 0), ("knock", limit), ("least", least)):
        assert told.cards(plane) == {card for card in after if after[card] <= most}
    for more in NEARLY_LEAST:
        assert told.cards(f"least_{more}") == {c for c in after if after[c] <= least + more}


def knock_limit(upcard: str, rules: Rules) -> int:
    """The most deadwood with which one may knock."""
    if not rules.oklahoma:
        return int(rules.knock_card)
    return 0 if upcard[0] == "A" else POINTS[upcard[0]]


def near(one: str, other: str) -> bool:
    """Whether two cards are at most two away in their suit, the ace low."""
    return (
        one != other
        and one[1] == other[1]
        and abs(RANKS.index(one[0]) - RANKS.index(other[0])) <= 2
    )


def check_hints(told: Told, table: dict[str, Any], seat: int) -> None:
    """Compares what can be made of the hand with a list of all melds."""
    hand = frozenset(table["hands"][seat])
    melds = [meld for meld in MELDS if len(meld) == 3]
    assert told.cards("meldable") == {c for meld in MELDS if meld <= hand for c in meld}
    assert told.cards("wanted") == {c for m in melds if len(m & hand) == 2 for c in m - hand}
    assert told.cards("close") == {c for c in hand if any(near(c, other) for other in hand)}
    alike = {c for c in hand if sum(c[0] == other[0] for other in hand) > 1}
    assert told.cards("paired") == alike
    known = set(table["known"][1 - seat])
    groups = {card for group in GROUPS if group & known for card in group}
    beside = {card for meld in melds for card in meld if any(near(card, one) for one in known)}
    assert told.cards("feeding") == (groups | beside) - known


def test_what_is_told_of_the_hand_is_what_trying_everything_finds(rules: Rules) -> None:
    engine, drawn = dealt_games(rules, num_envs=8), set()
    for step, _ in enumerate(play(engine, 120)):
        if step % 12:
            continue
        for row, table in enumerate(tables(engine)):
            seat = (step // 12 + row) % 2
            told = Told(engine, seat, row)
            check_hand(told, table, seat, rules)
            check_hints(told, table, seat)
            drawn.add(len(table["hands"][seat]) > rules.hand_size)
    assert drawn == {True, False}


def test_a_batch_of_mixed_moments_is_told_as_each_alone(rules: Rules) -> None:
    engine = dealt_games(rules, num_envs=32)
    seats, tell = np.arange(32) % 2, observer(rules, "outs")
    for step, _ in enumerate(play(engine, 60)):
        if step % 20 == 0:
            together = tell(engine.look(seats))
            for row in range(32):
                alone = tell(engine.look(seats[[row]], rows=[row]))
                assert alone.tobytes() == together[row].tobytes()
