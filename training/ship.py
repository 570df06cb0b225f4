"""A trained model made one of the package: `python -m training.ship MODEL NAME`.

NAME is what its two files are called among the models of the package, such as `gin`. Numbers are
rounded to half precision, so that the package stays small; the output says how many choices that
changes, of those of games of the model with itself.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import rummy_env
from rummy_env import command_line
from rummy_env.baselines.model_file import SUFFIX, write_model
from rummy_env.baselines.saved import MODELS, SavedPolicy
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.search.rollouts import decide

GAMES = 1000


class Beside:
    """Plays as a model does, and counts where another one would choose otherwise.

    Attributes:
        tried: Choices made.
        changed: Those in which the other is of another mind.
    """

    def __init__(self, model: SavedPolicy, other: SavedPolicy) -> None:
        self._model, self._other = model, other
        self.tried = self.changed = 0

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `rummy_env.baselines.heuristics.Policy`."""
        choices = self._model.act(view, mask, rng)
        self.tried += len(choices)
        self.changed += int(np.count_nonzero(choices != self._other.act(view, mask, rng)))
        return choices


def ship(model: SavedPolicy, path: Path, games: int = GAMES) -> tuple[int, int]:
    """Write a model to a path in half precision; return the choices tried, and those changed.

    Raises:
        ValueError: If its numbers are too large for half precision.
    """
    write_model(path, model.card, model.arrays, half=True)
    both = Beside(model, SavedPolicy(path))
    rules = rummy_env.rules(model.card.variant, **model.card.options)
    engine = rummy_env.Engine(rules, games, seed=1)
    engine.reset()
    while (rows := (~engine.finished).nonzero()[0]).size:
        engine.step(decide(engine, rows, [both]), rows)
    return both.tried, both.changed


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0."""
    summary = (__doc__ or "").strip()
    parser = argparse.ArgumentParser("python -m training.ship", description=summary)
    parser.add_argument("model", type=Path, help="the .npz of a trained model")
    parser.add_argument("name", help="what it is called in the package")
    given = parser.parse_args(argv)
    with command_line.plain_errors():
        path = MODELS / f"{given.name}{SUFFIX}"
        tried, changed = ship(SavedPolicy(given.model), path)
    print(f"{path}: {changed:,} of {tried:,} choices differ in half precision")
    return 0


if __name__ == "__main__":
    sys.exit(main())
