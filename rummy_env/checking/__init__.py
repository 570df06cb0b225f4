"""Whether rules work: games are played at random, and looked at from all sides.

Rules of one's own may be made of parts that fit, and yet be stuck at some table, lose a card, or
tell a seat what it cannot know. `check_variant` finds that, as far as chance leads there.
"""

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from rummy_env.core.arrays import Int32s, Rows
from rummy_env.core.checks import check_range
from rummy_env.core.determinising import determinise
from rummy_env.core.engine import Engine
from rummy_env.core.keys import game_seeds
from rummy_env.core.rules import Rules
from rummy_env.core.visibility import SeatView
from rummy_env.envs.aec import raw_env
from rummy_env.variants import rules as rules_of
from rummy_env.variants import rules_with
from rummy_env.views.features import OUTS, observer

MOST_GAMES = 1 << 16
EVERY, TABLES = 5, 8
"""After so many actions, so many tables are looked at; as many games are played alone."""
LONGEST_TURN = 1000
"""Actions after which a turn is held to be endless."""


@dataclass(frozen=True)
class Findings:
    """What was found of rules that work.

    Attributes:
        rules: The rules.
        games: Games played at random.
        won: The share of them whose last hand somebody won.
        cut_off: The share of them that were cut off, by `max_turns` or a limit of hands.
        actions: Actions of a game, on average.
        tables: Tables that were looked at.
    """

    rules: Rules
    games: int
    won: float
    cut_off: float
    actions: float
    tables: int


def check_variant(rules: str | Rules, *, games: int = 256, seed: int = 1) -> Findings:
    """Play games at random, and check what must hold whatever the rules are.

    - Rules with a name are made again by it and their options.
    - Play is never stuck, and no turn is endless.
    - A table laid again from its snapshot is the same: neither a card is lost nor anything else.
    - Hidden cards dealt anew change neither what the seat to move observes nor what it may do.
    - A game plays alone as it does in a batch.
    - The environment of PettingZoo plays a game, and shows it in text.

    Args:
        rules: Complete rules, or the name or import string of a variant.
        games: Games to play; tables that are rare need many.
        seed: The seed of the games.

    Returns:
        What was found, where all of this holds.

    Raises:
        ValueError: If something does not hold, naming the game by its seed.
    """
    check_range("games", games, 1, MOST_GAMES)
    made = rules_of(rules)
    _check_named(made)
    trial = _Trial(made, games, seed)
    trial.play()
    trial.play_alone()
    _show(trial.engine.rules, seed)
    return trial.findings()


def _check_named(rules: Rules) -> None:
    """Refuse rules whose name and options make other rules now."""
    if not rules.changed and rules_with(rules.name, dict(rules.options)) != rules:
        raise ValueError(
            f"{rules.name} makes other rules when it is called again, so its name does not stand "
            f"for them, as in records: let them depend on its options alone, without lambdas"
        )


class _Trial:
    """Games that are played at random."""

    def __init__(self, rules: Rules, games: int, seed: int) -> None:
        self.engine = Engine(rules, games, seed)
        self.engine.reset()
        self._observer = observer(rules, OUTS)
        self._actions, self._in_turn = (np.zeros(games, np.int32) for _ in range(2))
        self._tables = 0

    def play(self) -> None:
        """Play all games to their end, and look at some tables on the way."""
        engine, step = self.engine, 0
        while (rows := engine.running).size:
            if step % EVERY == 0:
                self._look(np.roll(rows, -step)[:TABLES])
            turns = self._turns(rows)
            engine.step(engine.random_actions()[rows], rows)
            self._actions[rows] += 1
            same = (self._turns(rows) == turns).all(axis=0)
            self._in_turn[rows] = np.where(same, self._in_turn[rows] + 1, 0)
            if self._in_turn.max() > LONGEST_TURN:
                self._refuse(int(self._in_turn.argmax()), "the turn does not come to an end")
            step += 1

    def play_alone(self) -> None:
        """Play some of the games again, each alone."""
        for row in range(min(TABLES, self.engine.num_envs)):
            alone = Engine(self.engine.rules, seed=self.engine.seeds[row : row + 1])
            alone.reset()
            while alone.running.size:
                alone.step(alone.random_actions())
            if alone.snapshot(0) != self.engine.snapshot(row):
                self._refuse(row, "played alone it comes out otherwise than in a batch")

    def findings(self) -> Findings:
        """Return what was found."""
        engine = self.engine
        return Findings(
            engine.rules,
            engine.num_envs,
            won=float(engine.hand_winners.any(axis=1).mean()),
            cut_off=float(engine.truncated.mean()),
            actions=float(self._actions.mean()),
            tables=self._tables,
        )

    def _turns(self, rows: Rows) -> Int32s:
        """int32[2, R], the hand and the turn that games are in."""
        state = self.engine.state
        return np.stack([state.hand_number[rows], state.turn_number[rows]]).astype(np.int32)

    def _refuse(self, row: int, why: str, error: Exception | None = None) -> NoReturn:
        """Raise the error of a game."""
        seed, actions = self.engine.seeds[row], self._actions[row]
        raise ValueError(f"game of seed {seed}, after {actions} actions: {why}") from error

    def _look(self, rows: Rows) -> None:
        """Compare tables with others that the seat to move must not tell apart from them."""
        engine, count = self.engine, len(rows)
        seen = engine.look(engine.to_move[rows], rows)
        again, anew = (Engine(engine.rules, count) for _ in range(2))
        for item, row in enumerate(rows.tolist()):
            self._lay_again(again, item, row)
        anew.lay(determinise(seen, game_seeds(self._tables, count)))
        self._compare(rows, seen, again, again.look(again.to_move), "laid from its snapshot")
        self._compare(rows, seen, anew, anew.look(0), "with hidden cards dealt anew")
        self._tables += count

    def _lay_again(self, again: Engine, item: int, row: int) -> None:
        """Lay a table from its snapshot."""
        table = self.engine.snapshot(row)
        try:
            again.restore(item, table)
        except ValueError as error:
            self._refuse(row, f"the table is refused: {error}; it is {table}", error)
        told = again.snapshot(item)
        if others := [name for name, value in table.items() if told.get(name) != value]:
            self._refuse(row, f"laid from its snapshot, it differs in {', '.join(others)}: {table}")

    def _compare(self, rows: Rows, seen: SeatView, other: Engine, view: SeatView, how: str) -> None:
        """Refuse games in which the seat to move observes something else, or may do so."""
        allowed = self.engine.legal_mask(rows) != other.legal_mask()
        for item in allowed.any(axis=1).nonzero()[0][:1]:
            action = self.engine.describe(int(allowed[item].argmax()))
            self._refuse(int(rows[item]), f"{how}, {action} is legal in one table, not in both")
        observed = self._observer(seen) != self._observer(view)
        for item in observed.any(axis=1).nonzero()[0][:1]:
            entry = int(observed[item].argmax())
            layout = self._observer.layout()
            name = next(name for name, start, width, _ in layout if entry < start + width)
            self._refuse(int(rows[item]), f"{how}, it is observed otherwise: {name!r} differs")


def _show(rules: Rules, seed: int) -> None:
    """Play a game through PettingZoo, and show every table in text."""
    env = raw_env(rules, render_mode="ansi")
    env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        env.render()
        over = terminated or truncated
        legal = observation["action_mask"].nonzero()[0]
        env.step(None if over else int(chance.choice(legal)))
