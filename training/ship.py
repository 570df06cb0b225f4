"""A trained model made one of the package: `python -m training.ship MODEL NAME`.

NAME is what its two files are called among the models of the package, such as `gin`. Numbers are
rounded to half precision, so that the package stays small; the output says how many choices that
changes, of those of games of the model with itself.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import rummy_env
from rummy_env import command_line
from rummy_env.baselines.asking import answer, decide
from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.model_file import SUFFIX, write_model
from rummy_env.baselines.saved import MODELS, SavedPolicy
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.checks import check_choice
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.variants import VARIANTS

COMMAND = "python -m training.ship"
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
        choices = answer(self._model, view, mask, rng)
        self.tried += len(choices)
        self.changed += int(np.count_nonzero(choices != answer(self._other, view, mask, rng)))
        return choices


def ship(model: SavedPolicy, path: Path, games: int = GAMES) -> tuple[int, int]:
    """Write a model to a path in half precision; return the choices tried, and those changed.

    The path has the model, what it had before, or nothing, whatever happens in between.

    Raises:
        ValueError: If its numbers are too large for half precision.
    """
    with TemporaryDirectory() as folder:
        rounded = Path(folder) / path.name
        write_model(rounded, model.card, model.arrays, half=True)
        counted = _differences(model, SavedPolicy(rounded), games)
    write_model(path, model.card, model.arrays, half=True)
    return counted


def _differences(model: SavedPolicy, other: SavedPolicy, games: int) -> tuple[int, int]:
    """Return the choices in games of a model with itself, and those in which another differs."""
    both = Beside(model, other)
    engine = rummy_env.Engine(model.card.rules, games, seed=1)
    engine.reset()
    while (rows := engine.running).size:
        engine.step(decide(engine, [both], rows), rows)
    return both.tried, both.changed


def place(model: SavedPolicy, name: str, *, replaces: bool) -> Path:
    """Return where a model goes in the package.

    Raises:
        ValueError: If that is no plain name, or the name of a model of another variant, or of one
            that is not to be replaced; or if another model of the package plays the same rules.
    """
    if not name.isidentifier():
        raise ValueError(f"name={name!r}: give letters, digits and underscores, as in 'basic_four'")
    check_choice("variant of the model", model.card.variant, tuple(VARIANTS))
    path = MODELS / f"{name}{SUFFIX}"
    if path.exists():
        before, now = SavedPolicy(path).card, model.card
        if before.variant != now.variant:
            told = f"{before.variant}, not of {now.variant}"
            raise ValueError(f"{path} is a model of {told}: give another name")
        if other := sorted(set(before.options.items()) ^ set(now.options.items()), key=str):
            told = ", ".join(f"{name}={value!r}" for name, value in other)
            raise ValueError(f"{path} is a model of other rules ({told}): give another name")
        if not replaces:
            raise ValueError(f"{path} is in the package: give --replace, or another name")
    _check_alone(model, path)
    return path


def _check_alone(model: SavedPolicy, path: Path) -> None:
    """Refuse a second model of the same rules: of two, one would never be chosen."""
    for other in sorted(MODELS.glob(f"*{SUFFIX}")):
        card = ModelCard.load(other)
        same = card.variant == model.card.variant and card.options == model.card.options
        if same and other != path:
            raise ValueError(f"{other} plays the same rules: give its name, and --replace")


def main(argv: Sequence[str], command: str = COMMAND) -> int:
    """Run the command; return 0."""
    summary = (__doc__ or "").strip()
    parser = argparse.ArgumentParser(command, description=summary)
    parser.add_argument("model", type=Path, help="the .npz of a trained model")
    parser.add_argument("name", help="what it is called in the package")
    parser.add_argument("--replace", action="store_true", help="replace the model of that name")
    given = parser.parse_args(argv)
    with command_line.plain_errors():
        model = SavedPolicy(given.model)
        path = place(model, given.name, replaces=given.replace)
        tried, changed = ship(model, path)
    print(f"{path}: {changed:,} of {tried:,} choices differ in half precision")
    return 0


if __name__ == "__main__":
    sys.exit(command_line.run("training.ship", COMMAND))
