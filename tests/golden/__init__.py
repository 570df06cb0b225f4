"""Pictures as they should look, and how much a new one may differ from them.

`python -m tests.golden` draws them anew: look at every one before committing it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import rummy_env
from rummy_env import Engine
from rummy_env.envs.rendering import last_trace, last_words
from rummy_env.views.face_up import ALL, FaceUp
from rummy_env.views.picture import Image, picture
from rummy_env.views.sizes import Size
from tests import gin_play
from tests.declared_tables import dealt_out
from tests.rollout import dealt, random_play
from tests.table import lay

FOLDER = Path(__file__).parent
SMALL, MIDDLE, LARGE = (480, 360), (800, 600), (1600, 1000)
TILE = 16
"""Pixels of a side of the squares in which pictures are compared."""
MOST_IN_A_TILE, MOST_IN_ALL = 8.0, 0.5
"""How far colours, from 0 to 255, may be off on average in a square and in the whole."""


@dataclass(frozen=True)
class Golden:
    """One picture.

    Attributes:
        lay: Lays the table, one game.
        size: Width and height in pixels.
        face_up: As for `picture`.
    """

    lay: Callable[[], Engine]
    size: Size
    face_up: FaceUp = ALL

    def draw(self) -> Image:
        """The picture as it is drawn now."""
        return drawn(self.lay(), face_up=self.face_up, size=self.size)


def drawn(engine: Engine, **options: Any) -> Image:
    """The first game of an engine, with the last action in words."""
    views = [engine.look(seat, rows=[0]) for seat in range(engine.rules.num_players)]
    return picture(views, last=last_words(engine), trace=last_trace(engine), **options)


def _played(name: str, steps: int, **options: Any) -> Engine:
    engine = dealt(rummy_env.rules(name, **options), num_envs=1)
    for _ in random_play(engine, steps):
        pass
    return engine


def _melds() -> Engine:
    table = lay(
        "basic", "Kh 2c Tc 4h Th | 3d 9d Qd Ah", discard="8s Kd Qc",
        melds="7c 7d 7h | 4s 5s 6s 7s | Jc Jd Jh Js | 2h 2s 2d | 3c 4c 5c 6c",
        marks={"dealer": 1, "turn_number": 8, "known": [[], ["Qd"]], "scores": [45, 112]},
    )  # fmt: skip
    table.play("draw discard")
    return table.engine


def _knocked() -> Engine:
    hands = f"{gin_play.THREE_MELDS} 3d | {gin_play.FITTING}"
    table = gin_play.lay(hands, stock="Kh 3c 4c", marks={"dealer": 1})
    table.play("draw stock; knock Kh")
    return table.engine


def _specials() -> Engine:
    hands = "WILD 3c RUMMY NO_MELD WILD | CANT_GO_OUT 2h 4h 6h 8h | GROUP 9c 9d SEQUENCE Ts"
    marks = {"known": [[], ["2h", "4h"], ["GROUP"]], "scores": [2, 0, 1], "hand_number": 3}
    return dealt_out("rummy_cards", hands, discard="5s Qd", match="match", marks=marks)


def _spread() -> Engine:
    hands = "2c 9d 4h 6h Js | 2d 9c 4s 6s Jh | 2h Ac As 7d 8c | 3s Kd Ks Th Tc"
    pile = "3c WILD 5h Qd 3d 4c 4d 5c 5d 5s 6c 6d 7c 7h 7s 8d 8h 8s 9h 9s Td GROUP Ah Ad Jc"
    return dealt_out("rummy_cards", hands, discard=pile, spread_out_discards=True)


def _went_out() -> Engine:
    hands = "9c 5h Kd 6h 9d WILD | 2c 4c 6c 8c Tc 2h"
    engine = dealt_out("going_out", hands, discard="9s", hand_size=6)
    for kind in ("draw_discard", "go_out"):
        engine.step([engine.space.index(kind)])
    return engine


GOLDEN: Mapping[str, Golden] = {
    "melds": Golden(_melds, LARGE),
    "four": Golden(lambda: _played("classic", 90, num_players=4), SMALL),
    "ten": Golden(lambda: _played("going_out", 33, num_players=10), SMALL),
    "ten_hidden": Golden(lambda: _played("going_out", 33, num_players=10), MIDDLE, "none"),
    "one_hand": Golden(lambda: _played("bonus", 60, num_players=5), MIDDLE, 2),
    "specials": Golden(_specials, MIDDLE, 0),
    "spread": Golden(_spread, SMALL),
    "knocked": Golden(_knocked, MIDDLE),
    "went_out": Golden(_went_out, SMALL, 1),
}
"""Every picture by its name, which is that of its file."""


def tiles(one: Image, other: Image) -> npt.NDArray[np.float64]:
    """float64[rows, columns], how far the colours are off on average in every square."""
    off = np.abs(one.astype(np.int16) - other).mean(axis=2)
    height, width = (side // TILE * TILE for side in off.shape)
    squares = off[:height, :width].reshape(height // TILE, TILE, width // TILE, TILE)
    return squares.mean(axis=(1, 3))


def alike(one: Image, other: Image) -> bool:
    """Whether two pictures look the same: sizes equal, colours nearly so everywhere."""
    if one.shape != other.shape:
        return False
    off = tiles(one, other)
    return bool(off.max() <= MOST_IN_A_TILE and off.mean() <= MOST_IN_ALL)
