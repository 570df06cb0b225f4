"""The average of two models: `python -m training.average MODEL OTHER --out FILE`.

MODEL is one that went on from OTHER, so that both networks mean the same by the same numbers; of
networks that learned separately the average is no player at all. OTHER may be a model for fewer
players. The critic, if there is one, is that of MODEL.

At a table of three or four, where a run ends with more noise in it, the average can make more of
heuristics than the model (docs/decisions/0043-between-two-models.md).
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agents.saved import arrays_for, suit_net
from rummy_env import command_line
from rummy_env.baselines.model_file import write_model
from rummy_env.baselines.networks import Arrays
from rummy_env.baselines.saved import SavedPolicy

COMMAND = "python -m training.average"


def average(model: SavedPolicy, other: SavedPolicy) -> Arrays:
    """Return the arrays halfway between two models, but for the critic, which is the first one's.

    Raises:
        ValueError: If the networks are of different kinds or sizes, or the other one cannot go on
            to the rules of the first.
    """
    own, others = suit_net(model), suit_net(other)
    if own != others:
        raise ValueError(
            f"{model.path} is a {own}, and {other.path} a {others}: give the model that the first "
            f"one went on from"
        )
    begun = arrays_for(other, model.card.rules)
    half = np.float32(0.5)
    return {**model.arrays, **{name: half * (model.arrays[name] + begun[name]) for name in begun}}


def main(argv: Sequence[str], command: str = COMMAND) -> int:
    """Run the command; return 0."""
    parser = argparse.ArgumentParser(command, description=(__doc__ or "").strip())
    parser.add_argument("model", type=Path, help="the .npz of a model")
    parser.add_argument("other", type=Path, help="the .npz of the model that it went on from")
    parser.add_argument("--out", type=Path, required=True, help="where the average goes, a .npz")
    given = parser.parse_args(argv)
    with command_line.plain_errors():
        model = SavedPolicy(given.model)
        arrays = average(model, SavedPolicy(given.other))
        given.out.parent.mkdir(parents=True, exist_ok=True)
        write_model(given.out, model.card, arrays)
    print(f"{given.out}: the average of {given.model} and {given.other}")
    return 0


if __name__ == "__main__":
    sys.exit(command_line.run("training.average", COMMAND))
