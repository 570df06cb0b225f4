"""Draws the pictures of the documentation anew: `python -m docs.pictures`."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import rummy_env
from rummy_env.baselines import resolve

FOLDER = Path(__file__).parent
SMALL = (640, 420)
COLOURS = 96
"""So few that no file is large."""
GAMES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "table": ("classic", 31, {"num_players": 4}),
    "hand": ("rummy_cards", 12, {"num_players": 3, "face_up": 0}),
    "basic": ("basic", 40, {"num_players": 3, "face_up": 0, "render_size": SMALL}),
    "bonus": ("bonus", 30, {"num_players": 3, "face_up": 0, "render_size": SMALL}),
    "classic": ("classic", 36, {"face_up": 0, "render_size": SMALL}),
    "going_out": ("going_out", 10, {"num_players": 5, "face_up": 0, "render_size": SMALL}),
    "rummy_cards": ("rummy_cards", 9, {"num_players": 4, "render_size": SMALL}),
    "gin": ("gin", 1000, {"render_size": SMALL}),
    "rummy500": ("rummy500", 30, {"num_players": 3, "face_up": 0, "render_size": SMALL}),
}
"""Of every picture the variant, the moves played before it at most, and the options."""


def main() -> None:
    """Plays greedily up to each moment, and draws it."""
    argparse.ArgumentParser(prog="python -m docs.pictures", description=__doc__).parse_args()
    greedy = resolve("greedy")
    for name, (variant, moves, options) in GAMES.items():
        env = rummy_env.raw_env(variant, "rgb_array", **options)
        env.reset(seed=6)
        engine = env.engine
        for _ in range(moves):
            if engine.finished[0]:
                break
            view = engine.look(engine.to_move)
            actions = greedy.act(view, engine.legal_mask(), engine.random(np.array([0])))
            env.step(int(actions[0]))
        drawn = Image.fromarray(np.asarray(env.render()))
        small = drawn.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        small.save(FOLDER / f"{name}.png", optimize=True)


main()
