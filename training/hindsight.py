"""What a teacher's discards were worth, by hindsight: with the next player's cards on the table.

A heuristic guesses what a discard gives away, where who deals the cards can look. So demonstrations
may tell what every discard was worth, with what it really gave away. A network that learns these
values by least squares learns their mean for all that its seat can see, and so comes to guess
better than its teacher. Luck is not among them: nothing is played out.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from rummy_env.baselines.asking import answer
from rummy_env.baselines.heuristics import ByFamily, Policy
from rummy_env.baselines.strong_declared import DeclaredPlay, StrongDeclared
from rummy_env.core.arrays import Bools, Float64s, Int8s, Rows
from rummy_env.core.cards import NUM_REGULAR, card_flags
from rummy_env.core.engine import Engine
from rummy_env.core.rules import Rules

GAMES = 8192
"""Games from which it is measured what the use of a discard costs whoever discards it."""
_LEAST = 100
"""With fewer discards of a kind nothing is concluded."""
SHARPNESS = 20.0
"""By how much logits are to differ where chances to win differ by 1."""
UNWEIGHED = 2.0
"""How far the logits of discards that the teacher does not weigh are to stay below the others."""
_WEIGHT = 0.05
"""What a squared error counts beside the log-probability of an action that is cloned."""


def judge(rules: Rules, teacher: Policy | None) -> DeclaredPlay | None:
    """Return the play of a teacher whose discards can be judged; None if it is no such teacher."""
    found = teacher
    if isinstance(teacher, ByFamily) and teacher.plays(rules):
        found = teacher.heuristic(rules)
    single = rules.episode.single
    return found.play(rules) if single and isinstance(found, StrongDeclared) else None


class Hindsight:
    """Values of discards that know the next player's hand.

    Attributes:
        costs: float64[K], the part of the chance to win that is lost by a discard that saves the
            next player a draw, by how many draws that player is short.
    """

    def __init__(self, rules: Rules, teacher: Policy, seed: int) -> None:
        """Measure the costs in games that the teacher plays; `judge` tells for which this works."""
        play = judge(rules, teacher)
        if play is None:
            raise ValueError(f"{teacher!r} weighs no discards that could be judged by hindsight")
        self._play = play
        self.costs = self._measure(teacher, Engine(rules, GAMES, seed))

    def values(self, engine: Engine, rows: Rows, mask: Bools, actions: Rows) -> Float64s:
        """float64[R, A], the chances to win after discards, where the teacher discards.

        NaN for all other actions, and where the teacher does something else; -inf for discards that
        it does not weigh.
        """
        moves = self._play.moves
        found = np.full(mask.shape, np.nan)
        items = self._discarding(actions).nonzero()[0]
        if items.size:
            short, helps = self._next(engine, rows[items])
            given_away = card_flags(helps) * self.costs[short][:, None]
            view = engine.look(engine.to_move[rows[items]], rows[items])
            found[items, moves.discards] = self._play.chances(view, mask[items], given_away)
        found[~mask] = np.nan
        return found

    def _discarding(self, actions: Rows) -> Bools:
        moves = self._play.moves
        return (actions >= moves.discards.start) & (actions < moves.discards.stop)

    def _next(self, engine: Engine, rows: Rows) -> tuple[Int8s, Any]:
        """Return by how many draws the next players are short, and the cards that save them one."""
        seats = engine.state.next_seat(rows, engine.to_move[rows])
        return self._play.moves.helped(self._play.moves.hands(engine.look(seats, rows)))

    def _measure(self, teacher: Policy, engine: Engine) -> Float64s:
        """Return the costs: by how much less often those win whose discard was of use."""
        seen: list[Rows] = []
        engine.reset()
        while (rows := engine.running).size:
            seats = engine.to_move[rows]
            mask = engine.legal_mask(rows)
            actions = answer(teacher, engine.look(seats, rows), mask, engine.random(rows))
            cards = actions - self._play.moves.discards.start
            some = (self._discarding(actions) & (cards < NUM_REGULAR)).nonzero()[0]
            short, helps = self._next(engine, rows[some])
            used = helps >> cards[some].astype(np.uint64) & np.uint64(1)
            seen.append(np.stack([rows[some], seats[some], short, used.astype(np.intp)]))
            engine.step(actions, rows)
        game, seat, short, used = np.concatenate(seen, axis=1)
        won = engine.state.winners[game, seat]
        costs = np.zeros(np.iinfo(np.int8).max + 1)
        for distance in range(1, int(short.max()) + 1):
            fed, spared = (won[(short == distance) & (used == flag)] for flag in (1, 0))
            if min(len(fed), len(spared)) >= _LEAST and spared.any():
                costs[distance] = max(0.0, 1 - fed.mean() / spared.mean())
        return costs


def misjudged(logits: Tensor, values: Tensor) -> Tensor:
    """Return float32[N], what is lost by logits that do not tell values, both [N, A], apart.

    That is the squared error of their differences within a position. Discards that the teacher does
    not weigh, of a value of -inf, lose something where they come too near to the least of others.
    """
    weighed, other = values.isfinite(), values == -torch.inf
    count = weighed.sum(dim=1, keepdim=True).clamp(min=1)

    def centred(numbers: Tensor) -> Tensor:
        mean = torch.where(weighed, numbers, 0.0).sum(dim=1, keepdim=True) / count
        return numbers - mean

    found, wanted = centred(logits), centred(SHARPNESS * values)
    least = torch.where(weighed, wanted, torch.inf).amin(dim=1, keepdim=True)
    missed = torch.where(weighed, found - wanted, 0.0)
    above = torch.where(other, (found - least + UNWEIGHED).clamp(min=0), 0.0)
    return _WEIGHT * (missed.square() + above.square()).sum(dim=1)
