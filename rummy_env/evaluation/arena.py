"""Duplicate deals: the same cards played in several seatings, so that luck cancels out.

Letters of axes: D deals, G games of a deal (its seatings), P seats.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice, permutations
from typing import Any

import numpy as np

from rummy_env.baselines.answers import BadAnswer
from rummy_env.baselines.asking import ask, choices
from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.isolated import Isolated, end_processes
from rummy_env.baselines.policies import Named, name_of, resolve
from rummy_env.core.arrays import Bools, Float64s, Int32s, Ints, Rows, Words
from rummy_env.core.checks import shown
from rummy_env.core.engine import Engine, IllegalAction
from rummy_env.core.rules import Rules
from rummy_env.envs.recording import RecordPath, engine_for, recording

LuckTeller = Callable[[Engine, Rows, Rows], Float64s]
"""Returns the luck of every seat, float64[R, P], in the actions of some games; see `luck.Luck`."""


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
    luck: Float64s
    """float64[D, G, P], the part of the points due to the luck of draws; 0 unless asked for."""
    hand_wins: Float64s
    """float64[D, G, P], hands won; the winners of a hand share it, as do all if nobody won."""
    game_wins: Float64s
    """float64[D, G, P], the same for the game as a whole."""

    @property
    def deals(self) -> int:
        """D."""
        return len(self.hands)


def head_to_head(num_players: int, deals: int) -> Rows:
    """intp[D, G, P], seatings of agents 0 and 1: one alone, in each seat in turn, then the other.

    Both agents thus sit in every seat equally often and meet both kinds of company, and two equal
    agents win half of the hands each at a table of any size. A deal has two games at two seats, and
    2P games at P seats if P is more than two.
    """
    alone = np.eye(num_players, dtype=np.intp)
    seatings = np.unique(np.concatenate([alone, 1 - alone]), axis=0)
    return np.broadcast_to(seatings, (deals, *seatings.shape))


def round_table(num_players: int, deals: int) -> Rows:
    """Return intp[D, P, P], the seatings of as many agents as seats, rotating through the seats.

    Rotation leaves every agent with the same neighbours, so the order around the table changes from
    deal to deal, cycling through all possible orders.
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
    *,
    played: Callable[[int], object] = lambda games: None,
    luck: LuckTeller | None = None,
    record: RecordPath | None = None,
    names: Sequence[str] = (),
) -> Results:
    """Play every deal in each of its seatings, all games side by side.

    A game depends on its seed and its seating, not on the other games or the reward scheme.

    Args:
        rules: The rules.
        agents: The policies.
        seatings: intp[D, G, P], the number of the agent in each seat of each game of a deal.
        seeds: uint64[D], which determine the deals.
        played: Called from time to time with the number of games finished since the last call.
        luck: Called with the actions before they are played; what it returns is added up.
        record: A file to which every game is appended, deal by deal; see `rummy_env.records`.
        names: The agents' names in records and messages; needed for the former.

    Returns:
        The results of all games.

    Raises:
        BadAnswer: If an agent's answer is no action for each game; it names the agent.
        IllegalAction: If an action is not legal; it names the agent.
        ValueError: If games are recorded and not every agent has a name.
    """
    if record is not None and len(names) != len(agents):
        raise ValueError(
            f"names={shown(names)}: {len(agents)} agents are recorded; give each a name"
        )
    called = names or list(map(name_of, agents))
    seated = seatings.reshape(-1, seatings.shape[-1])
    engine = _dealt(rules, np.repeat(seeds, seatings.shape[1]), seated, called, record)
    sheet = _Sheet(engine)
    live = np.arange(engine.num_envs)
    with recording(engine):
        while live.size:
            turns = engine.state.turn_number.take(live) + 1
            with _naming_answers(agents, called):
                actions = choices(engine, agents, seated, live)
            if luck is not None:
                sheet.luck[live] += luck(engine, live, actions)
            with _naming_movers(engine, seated, called):
                engine.step(actions, live)
            finished = engine.finished.take(live)
            sheet.note(live, turns, finished)
            if finished.any():
                played(int(finished.sum()))
                live = live[~finished]
    return sheet.results(seatings)


def _dealt(
    rules: Rules, seeds: Words, seated: Rows, called: Sequence[str], record: RecordPath | None
) -> Engine:
    """Return all games, which are recorded, if at all, in their order."""
    engine = engine_for(
        rules,
        len(seated),
        seeds,
        record=record,
        agents=lambda row: [called[agent] for agent in seated[row]],
        by_row=True,
    )
    engine.reset()
    return engine


@contextmanager
def _naming_answers(agents: Sequence[Policy], called: Sequence[str]) -> Iterator[None]:
    """Name the agent whose answer is none; one that an agent asked itself is named already."""
    try:
        yield
    except BadAnswer as error:
        names = (n for agent, n in zip(agents, called, strict=True) if agent is error.policy)
        if (name := next(names, None)) is None:
            raise
        raise BadAnswer(name, error.what, error.policy) from None


@contextmanager
def _naming_movers(engine: Engine, seated: Rows, called: Sequence[str]) -> Iterator[None]:
    """Name the agent whose action is illegal, and the game in which it is."""
    try:
        yield
    except IllegalAction as error:
        row = error.row
        agent = called[seated[row, engine.to_move[row]]]
        what = f"breaks the rules in the game of seed {engine.seeds[row]}"
        raise IllegalAction(f"agent {agent!r} {what}: {error}", row) from None


def play_isolated(
    rules: Rules,
    agents: Sequence[Named],
    seatings: Rows,
    seeds: Words,
    *,
    names: Sequence[str] = (),
    **watching: Any,
) -> Results:
    """Like `play`, for untrusted agents: each is `Isolated`, one for every seat of a deal.

    A deal is played several times, and a process that saw two of its seats, or one of them twice,
    would know cards that it must not. So each process takes one seat in one game of every deal.
    """
    places = np.arange(seatings[0].size).reshape(seatings.shape[1:])
    used, sitting = np.unique(places * len(agents) + seatings, return_inverse=True)
    who = used % len(agents)
    processes: list[Isolated] = []
    try:
        processes += (Isolated(agents[agent], rules) for agent in who)
        sat = sitting.reshape(seatings.shape)
        called = [names[agent] for agent in who] if names else ()
        results = play(rules, processes, sat, seeds, names=called, **watching)
    finally:
        end_processes(processes)
    return replace(results, seatings=seatings)


def try_out(rules: Rules, name: str, agent: Named, *, isolate: bool = False) -> None:
    """Let an agent, called by some name, make one decision.

    Raises:
        ValueError: If it cannot, or its action is illegal.
    """
    policy: Policy = Isolated(agent, rules) if isolate else resolve(agent, rules)
    engine = Engine(rules)
    engine.reset()
    try:
        engine.step(ask(engine, policy, np.arange(1)))
    except IllegalAction as error:
        raise IllegalAction(f"agent {name!r} breaks the rules: {error}", error.row) from None
    finally:
        if isolate:
            end_processes([policy])


class _Sheet:
    """The score sheet of all games, which adds up hands as they end.

    Attributes:
        luck: float64[N, P], added to by the caller.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine, self._state = engine, engine.state
        shape = engine.state.scores.shape
        self._hands, self._turns, self._unwon = np.zeros((3, shape[0]), np.int64)
        self._points = np.zeros(shape, np.int64)
        self.luck, self._hand_wins = np.zeros((2, *shape))

    def note(self, rows: Rows, turns: Int32s, finished: Bools) -> None:
        """Add up the hands that the last step ended in some games.

        `rows` is intp[R]; `turns`, of the hand up to the step, int32[R]; `finished`, bool[R].
        """
        ended = finished | (self._state.hand_number.take(rows) != self._hands.take(rows))
        rows = rows[ended]
        points = self._state.scores[rows] - self._points[rows]
        won = self._engine.hand_winners[rows]
        self._hands[rows] += 1
        self._turns[rows] += turns[ended]
        self._unwon[rows] += ~won.any(axis=1)
        self._points[rows] += points
        self._hand_wins[rows] += shares_of(won)

    def results(self, seatings: Rows) -> Results:
        """Return the sheet by deal, once all games are over."""
        by_game: tuple[Any, ...] = (self._hands, self._turns, self._unwon)
        won = shares_of(self._state.winners)
        by_seat: tuple[Any, ...] = (self._points, self.luck, self._hand_wins, won)
        return Results(
            seatings,
            *(array.reshape(seatings.shape[:2]) for array in by_game),
            *(array.reshape(seatings.shape) for array in by_seat),
        )


def shares_of(winners: Bools) -> Float64s:
    """float64[N, P], each seat's share of a win, split among the winners, or all if none won."""
    sharing = winners | ~winners.any(axis=1, keepdims=True)
    return sharing / sharing.sum(axis=1, keepdims=True)
