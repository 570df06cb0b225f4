"""Recorded games summed up: how long they were, how their hands ended, who won.

Shares of wins are of those hands and games that somebody won; the winners of one share it. The unit
of intervals is the deal: games of the same seed, as comparisons play them, count together.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from rummy_env.core.arrays import Bools, Float64s, Int8s, Int32s, Rows
from rummy_env.core.engine import Engine
from rummy_env.core.part import Episode
from rummy_env.core.rules import Rules
from rummy_env.core.state import State
from rummy_env.evaluation.arena import shares_of
from rummy_env.evaluation.statistics import MIN_DEALS, Estimate, mean, rate, ratio
from rummy_env.parts.match import SingleHand
from rummy_env.records import KNOWN, Record, Variants
from rummy_env.records.playing import BATCH, Batch, Records, batches


@dataclass(frozen=True)
class AgentStats:
    """An agent in the recorded games of some rules.

    Attributes:
        agent: Its name.
        games: The games that it played, in one seat or several, and that have ended.
        wins: Its share of the wins of these; None if nobody won any.
        points: Points per seat; each game counts the same, however many seats the agent has in it.
    """

    agent: str
    games: int
    wins: Estimate | None
    points: Estimate


@dataclass(frozen=True)
class RulesStats:
    """The recorded games of some rules.

    Attributes:
        rules: The rules.
        games: The number of games.
        unfinished: Of these, those that were left before their end.
        deals: Different seeds.
        hands: Hands that have ended.
        decisions: Decisions per game.
        turns: Turns per hand; None if no hand has ended.
        endings: The share of the hands that ended in each way, as `Engine.how_ended` says it, the
            most frequent first.
        first_mover: The share of the wins of the first hands of games that went to the seat that
            moved first; None if nobody won any.
        agents: The agents in games that have ended, in the order of their first seats.
    """

    rules: Rules
    games: int
    unfinished: int
    deals: int
    hands: int
    decisions: float
    turns: float | None
    endings: Mapping[str, float]
    first_mover: Estimate | None
    agents: tuple[AgentStats, ...]


def stats(records: Records, *, batch: int = BATCH, variants: Variants = KNOWN) -> list[RulesStats]:
    """Play recorded games again, and sum them up.

    Args:
        records: A path, as for `read`; or records in any number, which are taken as needed.
        batch: The most games played at once; changes speed and memory, not the results.
        variants: The variants that a file may name, as for `read`.

    Returns:
        The figures for all rules that occur, in the order in which they do.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If a line of it is no record, a game departs from what was recorded (naming the
            record), or `batch` is out of range.
        TypeError: If these are no records.
    """
    sheets: dict[Rules, _Sheet] = {}
    for some in batches(records, batch, variants=variants):
        sheet = sheets.setdefault(some.rules, _Sheet(some.rules))
        for hands in _hands(some):
            sheet.note_hands(hands)
        for record in some.records:
            sheet.note_game(record)
    return [sheet.stats() for sheet in sheets.values()]


@dataclass(frozen=True)
class _Hands:
    """R hands that have just ended.

    Attributes:
        seeds: int[R], of their games.
        first: int8[R], the seats that moved first.
        number: int32[R], hands of the same games before them.
        winners: bool[R, P], the seats that won.
        turns: int32[R], turns, the last included.
        endings: How each ended.
    """

    seeds: list[int]
    first: Int8s
    number: Int32s
    winners: Bools
    turns: Int32s
    endings: list[str]


@dataclass(frozen=True)
class _Before:
    """R games before a step.

    Attributes:
        rows: intp[R], their rows.
        actions: intp[R], what is to be played.
        hands: int32[R], the numbers of their hands.
        turns: int32[R], the numbers of their turns.
        tables: The games; None if each is a single hand.
    """

    rows: Rows
    actions: Rows
    hands: Int32s
    turns: Int32s
    tables: State | None

    @classmethod
    def of(cls, engine: Engine, rows: Rows, actions: Rows) -> "_Before":
        state, single = engine.state, engine.rules.episode.single
        hands, turns = state.hand_number.take(rows), state.turn_number.take(rows)
        return cls(rows, actions, hands, turns, None if single else state.take(rows))

    def endings(self, engine: Engine, items: Rows) -> list[str]:
        """Say how the hands of some of the games ended, which the engine has played on."""
        if self.tables is None:
            return engine.how_ended(self.rows[items])
        match = engine.rules.episode
        rules = replace(engine.rules, episode=_OneOf(match, match.sends_out))
        hand = Engine(rules, len(items))
        hand.lay(self.tables.take(items))
        hand.step(self.actions[items])
        return hand.how_ended()


@dataclass(frozen=True)
class _OneOf(SingleHand):
    """One hand of a match: it stays on the table when it ends, instead of the next being dealt."""

    match: Episode
    sends_out: bool


def _hands(batch: Batch) -> Iterator[_Hands]:
    """Play the games of a batch and yield their hands as they end."""
    before: _Before | None = None
    for engine, rows, actions in batch.play():
        if before is None:
            first = engine.to_move.copy()
        else:
            over = engine.finished[before.rows]
            items = (over | (engine.state.hand_number[before.rows] != before.hands)).nonzero()[0]
            if items.size:
                ended = before.rows[items]
                yield _Hands(
                    seeds=engine.seeds[ended].tolist(),
                    first=first[ended],
                    number=before.hands[items],
                    winners=engine.hand_winners[ended],
                    turns=before.turns[items] + 1,
                    endings=before.endings(engine, items),
                )
                first[ended] = engine.to_move[ended]
        before = _Before.of(engine, rows, actions)


class _ByDeal:
    """What one side has made in the hands or games of each deal."""

    def __init__(self) -> None:
        self._totals: dict[int, list[float]] = {}

    def note(self, seed: int, made: float) -> None:
        """Note what it has made of a deal: points per seat, or the share that it has in a win."""
        deal = self._totals.setdefault(seed, [0.0, 0.0])
        deal[0] += made
        deal[1] += 1

    @property
    def deals(self) -> int:
        """Deals in which it has made something."""
        return len(self._totals)

    def share(self) -> Estimate | None:
        """Return its share of all wins; None if there are none."""
        if not self._totals:
            return None
        values = self._values()
        return rate(values) if len(values) >= MIN_DEALS else Estimate(float(values[0]), 0.0, 1.0)

    def average(self, worth: float) -> Estimate:
        """Return what it has made on average; of a single deal, without an interval to speak of.

        `worth` is how far a deal may differ from the others, as `reach` of `comparison.Deals`.
        """
        values = self._values()
        if len(values) < MIN_DEALS:
            return Estimate(float(values[0]), -np.inf, np.inf)
        return mean(values, worth)

    def _values(self) -> Float64s:
        """Return float64[D], values of deals whose mean is the average over all."""
        return ratio(*np.array([*self._totals.values()]).T)


@dataclass
class _Agent:
    """What an agent has done."""

    games: int = 0
    most: float = 1.0
    """The largest lead of a seat over another in one of its games, and at least 1."""
    points: _ByDeal = field(default_factory=_ByDeal)
    wins: _ByDeal = field(default_factory=_ByDeal)

    def average(self) -> Estimate:
        """Return its points per seat, with the interval that a comparison would give, or wider."""
        return self.points.average(self.most * max(self.points.deals / self.games, 0.5))


class _Sheet:
    """The score sheet of some rules."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._seeds: set[int] = set()
        self._games = self._unfinished = self._decisions = self._turns = 0
        self._endings: Counter[str] = Counter()
        self._first = _ByDeal()
        self._agents: dict[str, _Agent] = {}

    def note_hands(self, hands: _Hands) -> None:
        """Count hands."""
        self._endings.update(hands.endings)
        self._turns += int(hands.turns.sum())
        shares = shares_of(hands.winners)[np.arange(len(hands.first)), hands.first]
        # Later hands of a match may be begun by who won the one before, and so by the better one.
        for item in np.flatnonzero(hands.winners.any(axis=1) & (hands.number == 0)).tolist():
            self._first.note(hands.seeds[item], float(shares[item]))

    def note_game(self, record: Record) -> None:
        """Count a game."""
        self._seeds.add(record.seed)
        self._games += 1
        self._decisions += len(record.actions)
        if record.outcome.end == "unfinished":
            self._unfinished += 1
            return
        winners = record.outcome.winners
        for name in dict.fromkeys(record.agents):
            agent = self._agents.setdefault(name, _Agent())
            seats = [seat for seat, other in enumerate(record.agents) if other == name]
            agent.games += 1
            agent.most = max(agent.most, np.ptp(record.outcome.scores))
            scores = [record.outcome.scores[seat] for seat in seats]
            agent.points.note(record.seed, sum(scores) / len(seats))
            if winners:
                agent.wins.note(record.seed, len({*seats} & {*winners}) / len(winners))

    def stats(self) -> RulesStats:
        """Return what the sheet says."""
        hands = self._endings.total()
        return RulesStats(
            rules=self._rules,
            games=self._games,
            unfinished=self._unfinished,
            deals=len(self._seeds),
            hands=hands,
            decisions=self._decisions / self._games,
            turns=self._turns / hands if hands else None,
            endings={how: number / hands for how, number in self._endings.most_common()},
            first_mover=self._first.share(),
            agents=tuple(
                AgentStats(name, agent.games, agent.wins.share(), agent.average())
                for name, agent in self._agents.items()
            ),
        )
