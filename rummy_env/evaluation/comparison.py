"""The findings of a comparison: turns score sheets of the arena into figures with intervals."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from rummy_env.core.arrays import Bools, Float64s
from rummy_env.core.rules import Rules
from rummy_env.evaluation.arena import Results
from rummy_env.evaluation.statistics import (
    CONFIDENCE,
    Estimate,
    SignTest,
    less_luck,
    mean,
    point_ratings,
    rate,
    ratings,
    ratio,
    sign_test,
)
from rummy_env.parts.rewards import counted
from rummy_env.variants import named

Measure = Literal["points", "hands", "matches"]
"""What ranks agents: the lead in points per hand, or the share of the hands or matches won."""
Meetings = Mapping[tuple[str, str], Results]
"""The games of every pair that has met, all on the same deals, in the order of a round robin."""


def measure_of(rules: Rules) -> Measure:
    """Return what the rules pay for: matches, or hands where winning alone is paid, else points."""
    return counted(rules) if rules.episode.single else "matches"


@dataclass(frozen=True)
class Side:
    """The results of one agent."""

    agent: str
    points: Estimate
    """Points per hand, of one seat."""
    hand_wins: Estimate
    """Share of the hands won, 0 to 1; a hand that nobody won counts equally for all its seats."""
    match_wins: Estimate | None
    """The same for matches; None if an episode is a single hand."""


@dataclass(frozen=True)
class Duel:
    """The results of two agents against each other, half of the seats each."""

    sides: tuple[Side, Side]
    """The two agents; their shares of wins add up to 1, and are 0.5 between equals."""
    lead: Estimate
    """Points per hand by which a seat of the first leads one of the second; 0 between equals."""
    sign_test: SignTest
    deals: int
    """Deals played; the unit of all intervals."""
    games: int
    """Episodes played: the deals in all their seatings."""
    hands: int
    turns: float
    """Turns per hand."""
    unwon: float
    """Share of hands that nobody won: cut off after too many turns, or void by the rules."""
    measure: Measure
    """What ranks the two."""
    deal_leads: tuple[float, ...] = field(default=(), repr=False)
    """The leads on each deal, in their order, whose mean `lead` is: to pool several duels."""

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain values that JSON can hold, without those of each deal."""
        return {name: told for name, told in asdict(self).items() if name != "deal_leads"}

    @property
    def agents(self) -> tuple[str, str]:
        """The names of the two."""
        return self.sides[0].agent, self.sides[1].agent

    @property
    def match_wins(self) -> tuple[Estimate, Estimate] | None:
        """The shares of matches that the two won; None if an episode is a single hand."""
        first, second = (side.match_wins for side in self.sides)
        return None if first is None or second is None else (first, second)

    @property
    def ranked_by(self) -> Estimate:
        """The figure by which the first is ranked, as in `Standing`."""
        own = self.sides[0]
        return _ranking(self.measure, self.lead, own.hand_wins, own.match_wins)

    @property
    def first_leads(self) -> bool:
        """True if `ranked_by` is better than between equals, be it by chance."""
        return self.ranked_by.value > self._equal

    @property
    def clear(self) -> bool:
        """True if one of the two is ahead: the interval of `ranked_by` is all on its side."""
        return not self.ranked_by.low <= self._equal <= self.ranked_by.high

    @property
    def _equal(self) -> float:
        """What `ranked_by` is between equals."""
        return 0.0 if self.measure == "points" else 0.5


@dataclass(frozen=True)
class Standing:
    """The results of one agent against all others, each of which counts equally."""

    agent: str
    lead: Estimate
    """Points per hand by which it leads the opponent."""
    hand_wins: Estimate
    """As in `Side`; so is `match_wins`."""
    match_wins: Estimate | None
    rating: Estimate
    """Relative to the average: Elo points by wins, or points per hand; see `statistics`."""
    measure: Measure

    @property
    def ranked_by(self) -> Estimate:
        """The figure that ranks, by the `measure`.

        The share of hands would be misleading wherever hands are worth points: in gin, an agent
        that waits for the undercut wins fewer hands than its opponent, but more points.
        """
        return _ranking(self.measure, self.lead, self.hand_wins, self.match_wins)


def _ranking(
    measure: Measure, lead: Estimate, hand_wins: Estimate, match_wins: Estimate | None
) -> Estimate:
    """Return the figure that ranks."""
    return lead if measure == "points" else match_wins or hand_wins


@dataclass(frozen=True)
class Comparison:
    """The findings of a comparison, with the agents in the order given."""

    rules: Rules
    agents: tuple[str, ...]
    described: tuple[str, ...]
    """What each agent is: of a model its file, for instance."""
    seed: int
    deals: int
    """Deals that every pair listed here has played."""
    most_deals: int
    """Deals that were asked for; fewer are enough where every pair is told apart earlier."""
    complete: bool
    """False if the comparison ended early, by Ctrl-C or by some `trouble`."""
    looks: int
    """Number of looks at which the comparison could stop; all intervals hold at all of them."""
    luck_adjusted: bool
    """True if the luck of draws was subtracted from the points; wins and sign tests keep it."""
    standings: tuple[Standing, ...]
    """The ranking, the best first."""
    duels: tuple[Duel, ...]
    """The results of every pair that has met."""
    round_table: tuple[Side, ...]
    """The results of all agents at one table if there are as many as seats; otherwise empty."""
    trouble: str = ""
    """What ended it early, if it was not Ctrl-C: why games could not be recorded any more."""

    @property
    def all_have_met(self) -> bool:
        """True if every two agents have met; if not, averages are over different opponents."""
        return _all_met(len(self.standings), len(self.duels))

    def as_dict(self) -> dict[str, Any]:
        """Return the findings as plain values that JSON can hold."""
        return {
            **json.loads(json.dumps(named(self.rules), default=str)),
            "agents": list(self.agents),
            "described": dict(zip(self.agents, self.described, strict=True)),
            "seed": self.seed,
            "deals": self.deals,
            "most_deals": self.most_deals,
            "complete": self.complete,
            "trouble": self.trouble,
            "confidence": CONFIDENCE,
            "looks": self.looks,
            "luck_adjusted": self.luck_adjusted,
            "standings": [asdict(standing) for standing in self.standings],
            "duels": [duel.as_dict() for duel in self.duels],
            "round_table": [asdict(side) for side in self.round_table],
        }


class Deals:
    """Values of one agent, float64[D], whose means over the deals are the figures sought.

    Attributes:
        reach: How far the points of a deal may differ from those of others: by half as much as its
            lead over the opponents, which is at most what it would be if every game went as far as
            any game did in which the agent had as many seats, and at least a point. All are in
            points per hand of a usual game.
        points: Points per hand of one of the agent's seats, less luck if that was computed;
            `within`, those of each deal on its own, luck included. Each game counts the same,
            whether the agent has one seat in it or all but one: otherwise it would gain by hands
            that pay more wherever it has more seats, whoever wins them.
        hand_wins: The share of hands won.
        games_won: The number of episodes won; `match_wins`, their share.
    """

    def __init__(self, results: Results, agent: int) -> None:
        mine = results.seatings == agent
        seats = mine.sum(axis=2, keepdims=True)
        self.reach = _farthest(results, mine) / 2
        # Summed up in whole numbers, since deals with the same points must tie.
        common = np.lcm.reduce(seats.ravel())
        weights = mine * (common // seats)
        totals = ((weights * each).sum((1, 2)) for each in (results.points, results.luck))
        points, luck = (total / common for total in totals)
        hands = results.hands.sum(1)
        self.points = less_luck(ratio(points, hands), luck)
        self.within: Float64s = points / hands
        hands_won = np.where(mine, results.hand_wins, 0.0).sum((1, 2))
        self.hand_wins = ratio(hands_won, hands)
        self.games_won: Float64s = np.where(mine, results.game_wins, 0.0).sum((1, 2))
        self.match_wins: Float64s = self.games_won / results.hands.shape[1]

    def side(self, agent: str, measure: Measure, looks: int) -> Side:
        """Return the figures of the agent of this name; `looks` as for `statistics.mean`."""
        match_wins = rate(self.match_wins, looks) if measure == "matches" else None
        points = mean(self.points, self.reach, looks)
        return Side(agent, points, rate(self.hand_wins, looks), match_wins)


def _farthest(results: Results, mine: Bools) -> float:
    """Return the greatest lead that a deal may have, either way; see `Deals.reach`.

    `mine`, bool[D, G, P], has the agent's seats.
    """
    seats = mine.sum(axis=2)
    own = np.where(mine, results.points, 0).sum(axis=2) / seats
    others = np.where(mine, 0, results.points).sum(axis=2) / (mine.shape[2] - seats)
    leads = (own - others) / results.hands.mean()
    alike = [leads[seats == number] for number in seats[0]]
    upper, lower = np.mean([(some.max(), some.min()) for some in alike], axis=0)
    return max(float(upper), -float(lower), 1.0)


def summed_up(
    names: tuple[str, str], results: Results, measure: Measure, *, looks: int = 1
) -> Duel:
    """Sum up the games of `arena.head_to_head`."""
    first, second = (Deals(results, agent) for agent in range(2))
    leads = first.points - second.points
    hands = int(results.hands.sum())
    return Duel(
        sides=(first.side(names[0], measure, looks), second.side(names[1], measure, looks)),
        lead=mean(leads, 2 * first.reach, looks),
        sign_test=sign_test(first.within - second.within, looks),
        deals=results.deals,
        games=results.hands.size,
        hands=hands,
        turns=float(results.turns.sum() / hands),
        unwon=float(results.unwon.sum() / hands),
        measure=measure,
        deal_leads=tuple(leads.tolist()),
    )


def table_of_all(
    names: Sequence[str], results: Results | None, measure: Measure, looks: int
) -> tuple[Side, ...]:
    """Sum up the games of `arena.round_table`; empty if there were none."""
    if results is None:
        return ()
    sides = (Deals(results, agent) for agent in range(len(names)))
    return tuple(side.side(name, measure, looks) for side, name in zip(sides, names, strict=True))


def standings(meetings: Meetings, seed: int, measure: Measure, looks: int) -> tuple[Standing, ...]:
    """Rank all agents that have met another; the seed is for `statistics.ratings`."""
    met: dict[str, list[tuple[Deals, Deals]]] = {name: [] for pair in meetings for name in pair}
    won, leads, reaches = [], [], []
    for (one, other), results in meetings.items():
        first, second = (Deals(results, agent) for agent in range(2))
        met[one].append((first, second))
        met[other].append((second, first))
        won.append((first.games_won, second.games_won))
        leads.append(first.points - second.points)
        reaches.append(2 * first.reach)
    names = list(met)
    pairs = np.array([[names.index(name) for name in pair] for pair in meetings])
    if measure != "points":
        rated = ratings(np.array(won).transpose(2, 0, 1), pairs, seed, looks)
    else:
        rated = point_ratings(np.stack(leads, axis=1), pairs, np.array(reaches), looks)
    lines = [
        _standing(name, met[name], rating, measure, looks)
        for name, rating in zip(names, rated, strict=True)
    ]
    # Averages over other opponents cannot be compared; ratings take account of who has met whom.
    averages = _all_met(len(names), len(pairs))

    def rank(line: Standing) -> float:
        return -round((line.ranked_by if averages else line.rating).value, 9)  # equals stay equal

    return tuple(sorted(lines, key=rank))


def _all_met(agents: int, pairs: int) -> bool:
    """Return True if so many pairs are all that so many agents can form."""
    return pairs == agents * (agents - 1) // 2


def _standing(
    name: str,
    met: Sequence[tuple[Deals, Deals]],
    rating: Estimate,
    measure: Measure,
    looks: int,
) -> Standing:
    """Return one agent's line; `met` holds its own deals and the opponent's, for each opponent."""
    lead = np.mean([own.points - others.points for own, others in met], axis=0)
    match_wins = np.mean([own.match_wins for own, _ in met], axis=0)
    return Standing(
        agent=name,
        lead=mean(lead, 2 * float(np.mean([own.reach for own, _ in met])), looks),
        hand_wins=rate(np.mean([own.hand_wins for own, _ in met], axis=0), looks),
        match_wins=rate(match_wins, looks) if measure == "matches" else None,
        rating=rating,
        measure=measure,
    )
