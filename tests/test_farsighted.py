"""The far-sighted heuristic: what it weighs, card by card, and where it decides otherwise."""

import numpy as np
import pytest

import rummy_env
from rummy_env import Engine
from rummy_env.baselines import Farsighted, Greedy, Strong
from rummy_env.baselines.farsighted import FarsightedDeclared
from rummy_env.baselines.strong_declared import DeclaredPlay, LiveCards, StrongDeclared
from rummy_env.core.actions import action_space
from rummy_env.evaluation import duel
from rummy_env.melds.hands import Hands
from tests.declared_tables import five, seven
from tests.policies import decision
from tests.table import Table

PLAYING = {"phase": "play"}
CALM, CALM_FARSIGHTED = StrongDeclared(danger=0), FarsightedDeclared(danger=0)
"""Nothing is given away, so that chances are those of the hand alone."""

HANDS = [
    seven("5h 6h 7h 9c 9d 2c Qs 6c", marks=PLAYING),
    seven("5h 6h WILD 9c 9d 2c Qs 6c", marks=PLAYING),
    seven("2c 4d 6h 8s Tc Qd 3h 9s", marks=PLAYING),
    five("GROUP 2c 7d Ts Kh 4s", marks=PLAYING),
    five("SEQUENCE 2c 7d Ts Kh Ah", marks=PLAYING),
]


def one(table: Table) -> tuple[DeclaredPlay, Hands, LiveCards]:
    """The usual play for a table, the hand of the seat to move, and the cards that may come."""
    view = table.engine.look(0)
    play = DeclaredPlay(table.engine.rules, CALM)
    return play, play.moves.hands(view), LiveCards.of(play.moves, view)


def place(engine: Engine, move: str) -> int:
    """The number of an action."""
    return action_space(engine.rules).index(move)


def worth(play: DeclaredPlay, hand: Hands, live: LiveCards, from_pile: float = 0) -> float:
    """The chance to win of a hand that is to draw, card by card; some may come from the pile."""
    pack = play.moves.rules.pack
    coming = {**dict.fromkeys(range(52), 0)}
    for deck in live.cards.naturals[:, 0].tolist():
        for card in range(52):
            coming[card] += deck >> card & 1
    for kind in dict.fromkeys(pack.specials):
        coming[pack.code(kind)] = int(getattr(live.cards, kind.lower())[0])
    assert sum(coming.values()) == live.total[0]
    stays = play.before_draw(hand, live, np.zeros(1, np.intp))[0] * (1 - StrongDeclared().hazard)
    mean = 0.0
    for code, copies in coming.items():
        if not copies:
            continue
        drawn = hand.plus(pack, np.array([code], np.uint8))
        discards = play.moves.weigh(drawn)
        wins = discards.finished[0] or pack.text(code) == "RUMMY"
        chance = 1.0 if wins else play.holding(drawn, discards, live)[0]
        chance += from_pile * max(chance - stays, 0)
        mean += chance * copies / live.total[0]
    return mean


@pytest.mark.parametrize("table", HANDS)
def test_a_discard_is_worth_the_mean_over_the_cards_that_may_come(table: Table) -> None:
    play, hand, live = one(table)
    engine = table.engine
    told = CALM_FARSIGHTED.explain(engine.look(0), engine.legal_mask(), engine.random())
    chances = told.weights["chance to win"]
    weighed = np.flatnonzero(~np.isnan(chances))
    assert len(weighed) > 1
    for action in weighed.tolist():
        card = str(engine.describe(action)).split()[1]
        if len(card) > 2:  # a special card
            left = hand.without(card, np.ones(1, np.bool_))
        else:
            left = hand.without_regular(np.array([play.moves.rules.pack.code(card)]))
        expected = worth(play, left, live, StrongDeclared().from_pile)
        assert chances[action] == pytest.approx(expected)
    assert told.choice == np.nanargmax(chances)


def test_the_stock_is_worth_the_mean_over_the_cards_that_may_come() -> None:
    table = seven("5h 6h 7h 9c 9d 2c Qs", discard="6c")
    play, hand, live = one(table)
    engine = table.engine
    told = FarsightedDeclared().explain(engine.look(0), engine.legal_mask(), engine.random())
    stock = told.weights["chance to win"][place(engine, "draw stock")]
    assert stock == pytest.approx(worth(play, hand, live))


def test_it_keeps_the_card_that_more_cards_make_useful() -> None:
    """Two nines wait for the same cards, whatever else is kept; a six may wait beside them."""
    table = seven("Ah 2h 3h 9c 9d 6s Kd Js", marks=PLAYING)
    engine = table.engine
    weighed = [
        policy.explain(engine.look(0), engine.legal_mask(), engine.random()).weights[
            "chance to win"
        ]
        for policy in (CALM, CALM_FARSIGHTED)
    ]
    six, king = (place(engine, f"discard {card}") for card in ("6s", "Kd"))
    by_outs, by_draws = weighed
    assert by_outs[six] == by_outs[king]
    assert by_draws[six] < by_draws[king]
    assert decision(Farsighted(), table) == "discard Kd"


def test_a_hand_without_a_copy_of_a_card_has_lost_the_second_first() -> None:
    rules = rummy_env.rules("rummy_cards", decks=2)
    seven_clubs = rules.pack.code("7c")
    play = DeclaredPlay(rules, StrongDeclared())
    codes = np.array([seven_clubs], np.uint8)
    none = play.moves.declaration.hands(np.zeros((1, rules.pack.decks), np.uint64))
    once = none.plus(rules.pack, codes)
    twice = once.plus(rules.pack, codes)
    for more, less in ((twice, once), (once, none)):
        left = more.without_regular(codes.astype(np.intp))
        assert np.array_equal(left.naturals, less.naturals)


def test_it_beats_greedy_and_wins_when_it_can() -> None:
    assert decision(Farsighted(), seven("7c 7d 7h 4s 5s 6s 7s Kd", marks=PLAYING)) == "go out"
    found = duel(rummy_env.rules("going_out"), Farsighted(), Greedy(), deals=200, seed=9)
    assert found.lead.low > 0


def test_it_plays_where_hands_are_declared_and_nowhere_else(variant: str) -> None:
    rules = rummy_env.rules(variant)
    assert Farsighted.plays(rules) == (variant in ("going_out", "rummy_cards"))
    if not Farsighted.plays(rules):
        engine = Engine(rules)
        engine.reset()
        with pytest.raises(ValueError, match="farsighted cannot play"):
            Farsighted().act(engine.look(0), engine.legal_mask(), engine.random())
    else:
        assert Strong.plays(rules)
