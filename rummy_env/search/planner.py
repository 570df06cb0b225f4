"""Search: tries moves out in worlds that the seat may believe in."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np

from rummy_env.baselines.asking import Values, answer, chances_of, values_of
from rummy_env.baselines.explanation import Explanation, Lead, weighed
from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.policies import (
    STRONGEST_FIRST,
    Named,
    check_plays,
    described,
    playing,
    resolve,
)
from rummy_env.core.actions import as_mask
from rummy_env.core.arrays import Bools, Float64s, Floats, Rows, Words
from rummy_env.core.checks import check_choice, check_flag, check_number, check_range
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules, check_rules
from rummy_env.core.shuffle import GameRandom, stream
from rummy_env.core.visibility import SeatView
from rummy_env.search.race import MOST_WORLDS, Race
from rummy_env.search.rollouts import play_on, play_out
from rummy_env.search.world import worlds

Leaf = Literal["end", "value"]


@dataclass(frozen=True)
class Thoughts:
    """What was found out about the moves in N positions.

    Attributes:
        choice: intp[N], the action to play.
        actions: intp[N, K], the actions weighed, the base policy's first; -1 where there are fewer.
        gains: float[N, K], by how much each puts the viewer ahead of the others, on average: in
            points, or in hands won where the rules pay for these alone.
        ahead: float[N, K], by how much each leads the base policy's, in the same worlds.
        error: float[N, K], the standard error of that.
        leading: intp[N], the place in these arrays of the action that leads, which is played if it
            leads by enough.
        worlds: Worlds in which the actions still in question were tried out.
    """

    choice: Rows
    actions: Rows
    gains: Floats
    ahead: Floats
    error: Floats
    leading: Rows
    worlds: int


@dataclass(frozen=True)
class _Players:
    """Whose move is to beat, who plays hands out, and the values of positions if asked for."""

    base: Any
    rollouts: Policy
    values: Values | None


class Search:
    """Tries moves out, and replaces the base policy's move with a better one.

    The hidden cards are dealt at random as often as the budget allows. In each of these worlds,
    every move that is weighed is played, and then one policy plays the hand in all seats: to its
    end, or to the viewer's next choice, for which the base policy then gives a value. The base
    policy's move is kept unless another is ahead by `gate` standard errors and by `least`. What
    counts are points, or hands won where the rules pay for these alone.
    """

    def __init__(
        self,
        base: Named | None = None,
        *,
        rollouts: Named | None = None,
        worlds: int = 128,
        milliseconds: float | None = None,
        candidates: int = 8,
        min_probability: float = 0.0,
        gate: float = 1.0,
        least: float = 0.0,
        drop: float = 2.0,
        beliefs: bool = True,
        leaf: Leaf = "end",
        batch: int = 4096,
    ) -> None:
        """Make a player.

        Args:
            base: The policy whose move is the one to beat; by default, the trained model of the
                package, or the strongest heuristic where there is none for the rules.
            rollouts: The policy that plays hands out; by default, the base policy.
            worlds: The most worlds in which a move is tried out.
            milliseconds: The time after which no round begins, shared by all games asked at once.
            candidates: The most moves that are weighed, the likeliest first, if the base policy has
                probabilities; otherwise all legal moves are weighed.
            min_probability: The least probability of a move that is weighed, if the base policy has
                probabilities; above 0, nothing is weighed where the base policy is sure.
            gate: Standard errors of the difference by which a move must be ahead.
            least: By how much it must be ahead as well, since critics err in all worlds alike.
            drop: Standard errors behind the leading move at which a move is tried no more; infinite
                for figures to learn from, since moves that drop out were mostly unlucky ones.
            beliefs: True for worlds in which the others hold what they are likely to hold, judging
                by what they did; False for worlds that are all equally likely.
            leaf: How far moves are tried out: to the "end" of the hand, right on average but mostly
                luck, or to the viewer's next choice and the "value" of the base policy's critic.
            batch: Games played out side by side.

        Raises:
            ValueError: If a number makes no sense.
            TypeError: If the base is no policy.
        """
        check_range("worlds", worlds, 2, MOST_WORLDS)
        check_range("candidates", candidates, 2, MOST_WORLDS)
        check_range("batch", batch, 1, 1 << 20)
        if milliseconds is not None:
            check_number("milliseconds", milliseconds, "a time above 0, or None", lambda t: t > 0)
        share, errors = "a number from 0 to 1, 1 excluded", "a number of standard errors"
        check_number("min_probability", min_probability, share, lambda p: 0 <= p < 1)
        check_number("gate", gate, f"{errors}, 0 or more", lambda g: 0 <= g < np.inf)
        check_number("least", least, "a lead of 0 or more", lambda lead: 0 <= lead < np.inf)
        check_number("drop", drop, f"{errors} above 0", lambda d: d > 0)
        check_choice("leaf", leaf, get_args(Leaf))
        check_flag("beliefs", beliefs)
        self.worlds, self.milliseconds, self.candidates = worlds, milliseconds, candidates
        self.min_probability, self.beliefs, self.batch = min_probability, beliefs, batch
        self.gate, self.least, self.drop, self.leaf = gate, least, drop, leaf
        self._base = None if base is None else resolve(base)
        self._rollouts = None if rollouts is None else resolve(rollouts)
        self._found: dict[Rules, _Players] = {}

    def describe(self, rules: Rules) -> str:
        """Return its settings, and who its policies are; a ValueError if one cannot play."""
        names = [name for name in vars(self) if not name.startswith("_")]
        settings = ", ".join(f"{name} {getattr(self, name)}" for name in names)
        players = self._players(rules)
        base, rollouts = (described(each, rules) for each in (players.base, players.rollouts))
        return f"search, {settings}; base: {base}; rollouts: {rollouts}"

    def plays(self, rules: Rules) -> bool:
        """Return True if its policies play the rules, and the base has values if these are needed.

        Raises:
            ValueError: If they do not, saying why.
        """
        self._players(rules)
        return True

    def base(self, rules: Rules) -> Policy:
        """Return the policy whose move is the one to beat; a ValueError if there is none."""
        return self._players(rules).base

    def _players(self, rules: Rules) -> _Players:
        """Return who plays these rules, found once; a ValueError if somebody cannot."""
        check_rules(rules)
        if rules not in self._found:
            for given in (self._base, self._rollouts):
                if given is not None:
                    check_plays(given, rules)
            base = _usual_base(rules) if self._base is None else self._base
            rollouts = base if self._rollouts is None else self._rollouts
            values = _critic(base, rules) if self.leaf == "value" else None
            self._found[rules] = _Players(base, rollouts, values)
        return self._found[rules]

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `rummy_env.baselines.heuristics.Policy`."""
        mask = as_mask(mask, len(view))
        actions: Rows = mask.argmax(axis=1)
        items = (mask.sum(axis=1) > 1).nonzero()[0]
        if items.size:
            some = view.take(items)
            actions[items] = self.think(some, mask[items], rng.take(items)).choice
        return actions

    def think(self, view: SeatView, mask: Bools, rng: GameRandom) -> Thoughts:
        """Weigh the moves in N positions."""
        *_, last = self.thinking(view, mask, rng)
        return last

    def thinking(self, view: SeatView, mask: Bools, rng: GameRandom) -> Iterator[Thoughts]:
        """Weigh the moves in N positions, yielding what is known after every round.

        Raises:
            ValueError: If there is a position without a legal action.
        """
        mask = as_mask(mask, len(view))
        if not mask.any(axis=1).all():
            over = int(mask.any(axis=1).argmin())
            raise ValueError(f"position {over} has no legal action: leave out games that are over")
        began, base = time.perf_counter(), self.base(view.rules)
        actions = self._candidates(base, view, mask, rng)
        keys = (rng.random() * 2.0**53).astype(np.uint64)
        race = Race(actions >= 0, self.worlds, drop=self.drop)
        yield self._thoughts(actions, race)
        while not (race.over or self._is_late(began)):
            games = race.next_round()
            race.note(*games, self._try_out(view, actions, keys, *games))
            yield self._thoughts(actions, race)

    def _is_late(self, began: float) -> bool:
        """Return True if the time for a choice is over."""
        most = self.milliseconds
        return most is not None and 1000 * (time.perf_counter() - began) > most

    def _thoughts(self, actions: Rows, race: Race) -> Thoughts:
        """Return what is known; the base policy's move is kept unless another is surely ahead."""
        best = race.leaders()
        ahead, error = race.ahead(np.zeros_like(best))
        rows = np.arange(len(best))
        better = ahead[rows, best] > np.maximum(self.gate * error[rows, best], self.least)
        choice = actions[rows, np.where(better, best, 0)]
        return Thoughts(choice, actions, race.means(), ahead, error, best, race.played)

    def explaining(self, view: SeatView, mask: Bools, rng: GameRandom) -> Iterator[Explanation]:
        """Yield what is known of one position after every round; see `baselines.explanation`."""
        for thoughts in self.thinking(view, mask, rng):
            if (thoughts.actions[0] >= 0).sum() == 1:
                yield self._untried(thoughts, view, mask, rng)
            else:
                yield _explained(thoughts, mask[0])

    def _untried(
        self, thoughts: Thoughts, view: SeatView, mask: Bools, rng: GameRandom
    ) -> Explanation:
        """Explain a position in which a single move was to be weighed: nothing was tried out."""
        base: Any = self.base(view.rules)
        known = hasattr(base, "probabilities")
        others = mask[0].sum() > 1
        return Explanation(
            choice=int(thoughts.choice[0]),
            probabilities=chances_of(base, view, mask, rng)[0] if known else None,
            note="sure of this move: nothing was tried out" if others else "there is no other move",
        )

    def _candidates(self, base: Any, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """intp[N, K], the actions to weigh, the base policy's first; -1 where there are fewer."""
        rows = np.arange(len(mask))
        if hasattr(base, "probabilities"):
            worth = np.where(mask, chances_of(base, view, mask, rng), -1)  # legal ones come first
            mask = mask & (worth >= np.minimum(worth.max(axis=1), self.min_probability)[:, None])
            most = self.candidates
        else:
            worth = mask / 2.0
            worth[rows, answer(base, view, mask, rng)] = 1.0
            most = mask.shape[1]
        count = int(min(most, mask.sum(axis=1).max(initial=1)))
        order = np.argsort(-worth, axis=1, kind="stable")[:, :count]
        return np.where(mask[rows[:, None], order], order, -1)

    def _try_out(
        self,
        view: SeatView,
        actions: Rows,
        keys: Words,
        race: Rows,
        move: Rows,
        world: Rows,
    ) -> Floats:
        """Return float32[M], what the viewer gains by playing each of M moves in its world."""
        gains = np.zeros(len(race), np.float32)
        for start in range(0, len(race), self.batch):
            some = slice(start, start + self.batch)
            seeds = stream(keys[race[some]], world[some])
            games = worlds(view, seeds, race[some], beliefs=self.beliefs)
            moves = actions[race[some], move[some]]
            gains[some] = self._gains(games, moves)
        return gains

    def _gains(self, games: Engine, moves: Rows) -> Floats:
        """Return float32[M], what moves gain for the viewer, who has seat 0 in each game."""
        players = self._players(games.rules)
        if players.values is not None:
            return play_on(games, players.rollouts, players.values, moves)
        return play_out(games, players.rollouts, moves)[:, 0]


def _explained(thoughts: Thoughts, legal: Bools) -> Explanation:
    """Explain what was found out about one position; without worlds, that is only the choice."""
    choice = int(thoughts.choice[0])
    if not thoughts.worlds:
        return Explanation(choice=choice, worlds=0)
    tried = thoughts.actions[0] >= 0
    actions = thoughts.actions[0][tried]

    def of_actions(numbers: Floats) -> Float64s:
        return weighed(legal, actions, numbers[0][tried])

    values = of_actions(thoughts.gains)
    return Explanation(
        choice=choice,
        values=values,
        lead=Lead(int(actions[0]), of_actions(thoughts.ahead), of_actions(thoughts.error)),
        value=float(values[choice]),
        worlds=thoughts.worlds,
    )


class Lookahead(Search):
    """A trained model, with its critic one choice ahead: some milliseconds per move.

    Its gain over the models that ship was measured: it leads in gin, and in `classic` it does harm;
    elsewhere neither has been shown. See docs/search.md.
    """

    def __init__(self, model: Named = "trained") -> None:
        """Make a player of the package's model, or of one of your own with a critic."""
        super().__init__(model, candidates=4, min_probability=0.03, gate=1.5, leaf="value")


class Thorough(Search):
    """Tries out every move, to the end of the hand: about a second per move.

    The trained model's move stands unless another is surely ahead. `patient` plays the hands out:
    it is nearly as strong, and many times as quick. So it plays where melds lie on the table; for
    what that gains, see docs/search.md.
    """

    def __init__(self, base: Named | None = None) -> None:
        """Make a player; `base` is as for `Search`."""
        super().__init__(base, rollouts="patient", worlds=256, candidates=64, gate=2.0)


def _critic(base: Policy, rules: Rules) -> Values:
    """Return the values by which moves are weighed; a ValueError if the base policy has none."""
    try:
        return values_of(base, rules)
    except ValueError as error:
        raise ValueError(f"{error}; or try moves out to the end, with leaf 'end'") from None


@lru_cache(maxsize=64)
def _usual_base(rules: Rules) -> Policy:
    """Return the trained model of the package, or the strongest heuristic where there is none."""
    return resolve(playing(rules, ("trained", *STRONGEST_FIRST))[0], rules)
