"""Makes a model of a zip of Stable-Baselines3, or of a model whose observation had another order.

    python -m training.convert gin their_model.zip --trust
    python -m training.convert gin rummy_env/baselines/models/gin.npz

The first opens the zip, which can run code. The second rearranges the weights of the first layer by
the names of the entries, and writes the card anew.
"""

import dataclasses
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tyro

from agents.saved import export
from rummy_env import command_line
from rummy_env.baselines.model_card import Layout, ModelCard, observation_layout
from rummy_env.baselines.saved import SUFFIX, SavedPolicy, write_model
from rummy_env.core.bits import Rows
from rummy_env.core.rules import Rules

COMMAND = "python -m training.convert"


@dataclass(frozen=True)
class Settings:
    """Makes a model, arrays and a card, of a zip of MaskablePPO or of an older model.

    Attributes:
        model: The zip, or the .npz of an older model.
        out: The .npz to write; beside what is given, unless given.
        trust: Open the zip, even though that can run any code its maker put into it.
    """

    model: tyro.conf.Positional[Path]
    out: Path | None = None
    trust: bool = False


def convert(rules: Rules, settings: Settings) -> Path:
    """Writes the model.

    Args:
        rules: What it was trained on.
        settings: From what and to where.

    Returns:
        The path of the arrays.

    Raises:
        ValueError: If the zip is not trusted, is no model of MaskablePPO, or fits other rules.
    """
    out = settings.out or settings.model.with_suffix(SUFFIX)
    if settings.model.suffix == SUFFIX:
        _rearrange(SavedPolicy(settings.model), rules, out)
        return out
    if not settings.trust:
        raise ValueError(
            f"{settings.model}: opening a zip of Stable-Baselines3 can run any code that its maker "
            f"put into it; add --trust if you know where it comes from"
        )
    policy = _open(settings.model)
    try:
        export(policy, rules, out)
    except ValueError as error:
        raise ValueError(f"{settings.model}: {error}") from error
    return out


def _open(path: Path) -> Any:
    from sb3_contrib import MaskablePPO

    try:
        return MaskablePPO.load(path, device="cpu").policy
    except Exception as error:  # unpickling can raise whatever it likes
        raise ValueError(f"{path} is no model saved by MaskablePPO: {error}") from error


def _rearrange(old: SavedPolicy, rules: Rules, out: Path) -> None:
    """Writes a model for the order in which the rules now have the entries of an observation."""
    order = rearrangement(old.card.observation, observation_layout(rules))
    card = dataclasses.replace(ModelCard.of(rules, old.card.network, old.card.notes))
    first = next(iter(card.shapes))
    write_model(out, card, {**old.arrays, first: old.arrays[first][order]})


def rearrangement(before: Layout, now: Layout) -> Rows:
    """Where each entry of a layout was in another with the same parts; intp[F].

    Raises:
        ValueError: Naming the parts that only one of them has, or that have another size.
    """
    sizes, asked = ({name: width for name, width, _ in layout.parts} for layout in (before, now))
    if odd := {name for name, _ in sizes.items() ^ asked.items()}:
        raise ValueError(f"more than the order has changed: {', '.join(sorted(odd))}")
    ends = np.cumsum([*sizes.values()])
    places = {
        name: np.arange(end - sizes[name], end) for name, end in zip(sizes, ends, strict=True)
    }
    return np.concatenate([places[name] for name in asked])


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command.

    Args:
        argv: What came after the name of the command; as called where None.

    Raises:
        SystemExit: With 2 on bad input.
    """
    given = sys.argv[1:] if argv is None else argv
    with command_line.plain_errors():
        rules, settings = command_line.parse(Settings, COMMAND, given)
        out = convert(rules, settings)
    print(f"wrote {out} and {ModelCard.path(out).name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
