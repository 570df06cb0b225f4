"""Knocks of gin settled by the engine, and by best play through OpenSpiel's own tree."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from rummy_env import Engine
from tests.fuzz_deadwood import few_cards, near_cards
from tests.gin_peer import PASS, UPCARD, Peer, peer_game
from tests.gin_play import KNOCKS, Policy, gin_rules, of_kinds
from tests.reference import deadwood as reference
from tests.reference.cards import PACK
from tests.reference.deadwood import Hand

AGREED, ELEVEN = "agreed", "no knock by the deadwood of eleven cards"
LIMITS = (10, 10, 10, 5)
"""What may be left on a knock, in deals made up for it; OpenSpiel has no limit above ten."""

OPTIONS = {"preset": "openspiel", "lay_off": "auto", "reward": "points"}


class Knock(NamedTuple):
    """A hand that somebody has ended.

    Attributes:
        knocker: The cards after the discard.
        defender: The other hand.
        card: The discard.
        limit: The most deadwood with which one may knock.
        won: What the engine gave the knocker; negative where it gave it to the defender.
    """

    knocker: Hand
    defender: Hand
    card: str
    limit: int
    won: float


def knocks_of_play(policy: Policy, count: int, seed: int, **options: Any) -> Iterator[Knock]:
    """So many knocks of games that are played out."""
    engine = Engine(gin_rules(**OPTIONS, **options), 32, seed=seed)
    rng, found = np.random.default_rng(seed), 0
    engine.reset()
    while found < count:
        before = engine.legal_mask()
        actions = policy(engine, before, rng)
        engine.step(actions)
        ended = of_kinds(engine.space, KNOCKS)[actions].nonzero()[0][: count - found]
        found += len(ended)
        yield from (settled(engine, row) for row in ended.tolist())
        engine.reset(engine.finished.nonzero()[0])


def settled(engine: Engine, row: int) -> Knock:
    """The knock with which a hand has ended."""
    table = engine.snapshot(row)
    seat = table["claimant"]
    mine, theirs = (frozenset(table["hands"][s]) for s in (seat, 1 - seat))
    won = float(engine.rewards[row, seat] - engine.rewards[row, 1 - seat])
    return Knock(mine, theirs, table["discard"][-1], engine.rules.knock_card, won)


def knocks_made_up(count: int, rng: random.Random) -> Iterator[Knock]:
    """So many knocks with hands that have much to do with each other: see `fuzz_deadwood`."""
    found = 0
    while found < count:
        knocker, defender = rng.choice((few_cards, near_cards))(rng)
        limit = rng.choice(LIMITS)
        if not 3 <= len(knocker) <= 10 or reference.deadwood(frozenset(knocker)) > limit:
            continue
        yield knock_with(knocker, defender, rng, limit)
        found += 1


def knock_with(knocker: list[str], defender: list[str], rng: random.Random, limit: int) -> Knock:
    """Lets seat 0 take the first upcard and knock with it."""
    engine = Engine(gin_rules(**OPTIONS, hand_size=len(knocker), knock_card=limit))
    others = sorted(set(PACK).difference(knocker, defender))
    rng.shuffle(others)
    card, *stock = others
    hands = [knocker, defender]
    engine.restore(0, {"hands": hands, "stock": stock, "discard": [card], "upcard": card})
    engine.step([engine.space.index("draw_discard")])
    number = engine.space.index("knock", card)
    legal = bool(engine.legal_mask()[0, number])
    engine.step([number if legal else engine.space.index("gin")])
    return settled(engine, 0)


def best_play(knock: Knock) -> float | None:
    """What the knocker wins in OpenSpiel's tree, both sides knowing all cards.

    Returns:
        None where OpenSpiel, which errs about the deadwood of eleven cards, allows no knock.
    """
    game = peer_game(hand_size=len(knock.knocker), knock_card=knock.limit)
    hands = [sorted(knock.knocker), sorted(knock.defender)]
    table = {"hands": hands, "discard": [knock.card], "to_move": 0}
    peer = Peer(game.new_initial_state(), table)
    peer.state.apply_action(UPCARD)
    word = ("knock", frozenset([knock.card]))
    if word not in peer.legal():
        return None
    for action in peer.legal()[word]:
        peer.state.apply_action(action)
    return _value(peer.state, {}, frozenset(), 0)


def _value(state: Any, known: dict[Any, float], done: frozenset[int], passes: int) -> float:
    """What player 0, who has knocked, wins under best play of both.

    Args:
        state: What follows a knock.
        known: The values found so far.
        done: What has been done since the knock; its order does not matter.
        passes: How often somebody has passed since.
    """
    if state.is_terminal():
        return float(state.returns()[0])
    if (done, passes) not in known:
        best = min if state.current_player() else max
        known[done, passes] = best(
            _value(state.child(action), known, done | {action}, passes + (action == PASS))
            for action in state.legal_actions()
        )
    return known[done, passes]


def compare(knock: Knock) -> str:
    """Demands that the engine settles a knock as best play in OpenSpiel's tree does.

    Returns:
        `AGREED`, or `ELEVEN` where OpenSpiel allows no knock.
    """
    best = best_play(knock)
    assert best in (None, knock.won), (knock, best)
    return ELEVEN if best is None else AGREED
