"""Draws the pictures of the documentation anew: `python -m docs.pictures`."""

import argparse
from pathlib import Path
from typing import Any

from PIL import Image

import rummy_env
from docs.worked import AGENT, TURNS, chosen
from rummy_env.core.engine import Engine
from rummy_env.envs.recording import RecordedEngine
from rummy_env.envs.rendering import last_trace, last_words
from rummy_env.records import read
from rummy_env.replay import Replay
from rummy_env.replay.export import export
from rummy_env.views.face_up import ALL, FaceUp
from rummy_env.views.picture import picture
from rummy_env.views.scene import seat_views
from rummy_env.views.sizes import Size

FOLDER = Path(__file__).parent
USUAL, SMALL, MOVING = (800, 600), (640, 420), (560, 400)
COLOURS = 96
"""So few that no file is large."""
GAMES: dict[str, tuple[str, int, dict[str, Any], FaceUp]] = {
    "table": ("classic", 31, {"num_players": 4}, ALL),
    "hand": ("rummy_cards", 12, {"num_players": 3}, 0),
}
"""Of every picture the variant, the moves played before it, the options and the open hands."""
FILM = ("gin", 1)
"""The variant and the seed of the game in the moving picture."""


def main() -> None:
    """Play up to each moment, and draw it; then a whole game that moves."""
    argparse.ArgumentParser(prog="python -m docs.pictures", description=__doc__).parse_args()
    for name, (variant, moves, options, face_up) in GAMES.items():
        engine = Engine(rummy_env.rules(variant, **options), seed=6)
        engine.reset()
        for _ in range(moves):
            engine.step([chosen(engine)])
        draw(name, engine, face_up, USUAL)
    for name, worked in TURNS.items():
        mover = -1
        for engine, _ in worked.played():
            mover = int(engine.to_move[0]) if mover < 0 else mover
        draw(name, engine, ALL if engine.finished[0] else mover, SMALL)
    film(*FILM)


def draw(name: str, engine: Engine, face_up: FaceUp, size: Size) -> None:
    """Draw the first game of an engine."""
    views = seat_views(engine)
    last, trace = last_words(engine), last_trace(engine)
    drawn = Image.fromarray(picture(views, face_up=face_up, last=last, size=size, trace=trace))
    small = drawn.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.save(FOLDER / f"{name}.png", optimize=True)


def film(variant: str, seed: int) -> None:
    """Write a whole game as a GIF, through a record."""
    rules, path = rummy_env.rules(variant), FOLDER / "game.jsonl"
    agents = [AGENT] * rules.num_players
    engine = RecordedEngine(rules, seed=seed, path=path, agents=agents)
    engine.reset()
    while not engine.finished[0]:
        engine.step([chosen(engine)])
    engine.close()
    replay = Replay(read(path)[0])
    path.unlink()
    export(replay, FOLDER / "game.gif", range(replay.steps + 1), fps=1, size=MOVING)


main()
