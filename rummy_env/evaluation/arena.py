"""Duplicate deals: the same cards played in several seatings, so that luck cancels out.

Letters of axes: D deals, G games of a deal (its seatings), P seats.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice, permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.isolated import Isolated
from rummy_env.baselines.policies import Named, resolve
from rummy_env.core.bits import Bools, Ints, Rows, Words
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules
from rummy_env.envs.recording import engine_for
from rummy_env.envs.seating import choices, end_processes

Floats = npt.NDArray[np.float64]
LuckTeller = Callable[[Engine, Rows, Rows], Floats]
"""Tells the luck of every seat, float64[R, P], from the actions of some games; see `luck.Luck`."""


@dataclass(frozen=True)
class Results:
    """The results of games. A game is an episode of the rules: a hand, or a match of hands."""

    seatings: Rows
    """intp[D, G, P], the agent in each seat."""
    hands: Ints
    """int64[D, G], hands played."""
    turns: Ints
    """int64[D, G], turns of all hands together, the last included."""
    unwon: Ints
    """int64[D, G], hands that nobody won: cut off after too many turns, or void by the rules."""
    points: Ints
    """int64[D, G, P], points of all hands together."""
    luck: Floats
    """float64[D, G, P], what of them is the luck of draws; 0 unless that was asked for."""
    hand_wins: Floats
    """float64[D, G, P], hands won; winners of one hand share it, and so do all if nobody won."""
    game_wins: Floats
    """float64[D, G, P], the same for the game as a whole."""

    @property
    def deals(self) -> int:
        """D."""
        return len(self.hands)

    def until(self, deals: int) -> "Results":
        """The first deals alone."""
        return Results(*(array[:deals] for array in vars(self).values()))


def join(blocks: Sequence[Results]) -> Results:
    """The results of several blocks of deals, one after the other."""
    arrays = zip(*(vars(block).values() for block in blocks), strict=True)
    return Results(*map(np.concatenate, arrays))


def pairing(num_players: int, deals: int) -> Rows:
    """intp[D, G, P], seatings of agents 0 and 1: one alone, in each seat in turn, then the other.

    So both sit in every seat equally often, both meet both kinds of company, and of two equal
    agents each wins half of the hands at a table of any size. Two seats make two games of a deal;
    P seats, if more than two, make 2P.
    """
    alone = np.eye(num_players, dtype=np.intp)
    seatings = np.unique(np.concatenate([alone, 1 - alone]), axis=0)
    return np.broadcast_to(seatings, (deals, *seatings.shape))


def round_table(num_players: int, deals: int) -> Rows:
    """intp[D, P, P], the seatings of as many agents as seats, rotating through the seats.

    Rotations leave everybody the same neighbours, so from one deal to the next the order around the
    table changes, through all the orders there are.
    """
    orders = islice(cycle(permutations(range(1, num_players))), deals)
    around = np.array([(0, *others) for others in orders], dtype=np.intp)
    seats = np.arange(num_players)
    return around[:, (seats - seats[:, None]) % num_players]


def play(
    rules: Rules,
    agents: Sequence[Policy],
    seatings: Rows,
    seeds: Words,
    played: Callable[[int], object] = lambda games: None,
    *,
    luck: LuckTeller | None = None,
    record: Path | None = None,
    names: Sequence[str] = (),
) -> Results:
    """Plays every deal in every one of its seatings, all games side by side.

    The seatings, intp[D, G, P], number the agents; the seeds, uint64[D], make the deals. A game
    depends on its seed and its seating, not on the other games, nor on the reward scheme. `played`
    is called from time to time with the number of games finished since; `luck`, where it is given,
    with the actions before they are played. Every game is appended to the file `record`, under the
    names of the agents; see `rummy_env.records`.
    """
    seated = seatings.reshape(-1, seatings.shape[-1])
    engine = engine_for(
        rules,
        len(seated),
        np.repeat(seeds, seatings.shape[1]),
        record=record,
        agents=lambda row: [names[agent] for agent in seated[row]],
    )
    engine.reset()
    sheet = _Sheet(engine)
    live = np.arange(engine.num_envs)
    while live.size:
        turns = engine.state.turn_number.take(live) + 1
        actions = choices(engine, agents, seated, live)
        if luck is not None:
            sheet.luck[live] += luck(engine, live, actions)
        engine.step(actions, live)
        finished = engine.finished.take(live)
        sheet.note(live, turns, finished)
        if finished.any():
            played(int(finished.sum()))
            live = live[~finished]
    return sheet.results(seatings)


def play_isolated(
    rules: Rules,
    agents: Sequence[Named],
    seatings: Rows,
    seeds: Words,
    played: Callable[[int], object] = lambda games: None,
    *,
    luck: LuckTeller | None = None,
    record: Path | None = None,
    names: Sequence[str] = (),
) -> Results:
    """As `play`, with agents that may not be trusted: as `Isolated`, one for every seat of a deal.

    A deal is played several times. A process that saw two of its seats, or one of them twice, would
    know cards that it may not: so each sits in one seat of one of the games of every deal.
    """
    places = np.arange(seatings[0].size).reshape(seatings.shape[1:])
    used, sitting = np.unique(places * len(agents) + seatings, return_inverse=True)
    who = used % len(agents)
    processes: list[Isolated] = []
    try:
        processes += (Isolated(agents[agent], rules) for agent in who)
        sat = sitting.reshape(seatings.shape)
        called = [names[agent] for agent in who] if names else ()
        told: dict[str, Any] = {"luck": luck, "record": record, "names": called}
        results = play(rules, processes, sat, seeds, played, **told)
    finally:
        end_processes(processes)
    return replace(results, seatings=seatings)


def try_out(rules: Rules, agent: Named, *, isolate: bool = False) -> None:
    """Lets an agent make one decision: a ValueError if it cannot, or chooses an illegal action."""
    policy: Policy = Isolated(agent, rules) if isolate else resolve(agent, rules)
    engine = Engine(rules)
    engine.reset()
    everywhere = np.zeros((1, rules.num_players), np.intp)
    try:
        engine.step(choices(engine, [policy], everywhere, np.arange(1)))
    finally:
        end_processes([policy])


class _Sheet:
    """The score sheet of all games: adds up hands as they end.

    Attributes:
        luck: float64[N, P], added to from outside.
    """

    def __init__(self, engine: Engine) -> None:
        self._state = engine.state
        shape = engine.state.scores.shape
        self._hands, self._turns, self._unwon = np.zeros((3, shape[0]), np.int64)
        self._points = np.zeros(shape, np.int64)
        self.luck, self._hand_wins = np.zeros((2, *shape))

    def note(self, rows: Rows, turns: npt.NDArray[np.int32], finished: Bools) -> None:
        """Adds up the hands that the last step ended in some games.

        Rows are intp[R]; turns of the hand up to the step int32[R]; finished games bool[R].
        """
        ended = finished | (self._state.hand_number.take(rows) != self._hands.take(rows))
        rows = rows[ended]
        points = self._state.scores[rows] - self._points[rows]
        scored = (points != 0).any(axis=1, keepdims=True)
        won = scored & (points == points.max(axis=1, keepdims=True))
        self._hands[rows] += 1
        self._turns[rows] += turns[ended]
        self._unwon[rows] += ~won.any(axis=1)
        self._points[rows] += points
        self._hand_wins[rows] += _shares(won)

    def results(self, seatings: Rows) -> Results:
        """The sheet when all games are over, by deals."""
        by_game: tuple[Any, ...] = (self._hands, self._turns, self._unwon)
        won = _shares(self._state.winners)
        by_seat: tuple[Any, ...] = (self._points, self.luck, self._hand_wins, won)
        return Results(
            seatings,
            *(array.reshape(seatings.shape[:2]) for array in by_game),
            *(array.reshape(seatings.shape) for array in by_seat),
        )


def _shares(winners: Bools) -> Floats:
    """float64[N, P], each seat's part of a win: shared by its winners, by all where nobody won."""
    sharing = winners | ~winners.any(axis=1, keepdims=True)
    return sharing / sharing.sum(axis=1, keepdims=True)
