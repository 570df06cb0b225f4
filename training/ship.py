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
from rummy_env.baselines.saved import MODELS, SUFFIX, SavedPolicy, write_model

GAMES = 1000


def ship(model: SavedPolicy, path: Path, games: int = GAMES) -> tuple[int, int]:
    """Writes a model to a path in half precision; returns the choices tried, and those changed.

    Raises:
        ValueError: If its numbers are too large for half precision.
    """
    write_model(path, model.card, model.arrays, half=True)
    shipped = SavedPolicy(path)
    rules = rummy_env.rules(model.card.variant, **model.card.options)
    engine = rummy_env.Engine(rules, games, seed=1)
    engine.reset()
    tried = changed = 0
    while (rows := (~engine.finished).nonzero()[0]).size:
        view, mask = engine.look(engine.to_move[rows], rows), engine.legal_mask(rows)
        rng = engine.random(rows)
        choices = model.act(view, mask, rng)
        tried += int(np.count_nonzero(mask.sum(axis=1) > 1))
        changed += int(np.count_nonzero(choices != shipped.act(view, mask, rng)))
        engine.step(choices, rows)
    return tried, changed


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns 0."""
    summary = (__doc__ or "").strip()
    parser = argparse.ArgumentParser("python -m training.ship", description=summary)
    parser.add_argument("model", type=Path, help="the .npz of a trained model")
    parser.add_argument("name", help="what it is called in the package")
    given = parser.parse_args(argv)
    with command_line.plain_errors():
        path = MODELS / f"{given.name}{SUFFIX}"
        tried, changed = ship(SavedPolicy(given.model), path)
    print(f"{path}: of {tried:,} choices {changed:,} are others in half precision")
    return 0


if __name__ == "__main__":
    sys.exit(main())
