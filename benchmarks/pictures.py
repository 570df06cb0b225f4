"""Measures how long a picture takes: `python -m benchmarks.pictures`.

Random legal play, a picture after every action. The first of each table, which paints the cards of
its size, is left out.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from statistics import median

from rich.console import Console
from rich.table import Table

import rummy_env
from benchmarks.flags import asked
from rummy_env import Rules
from rummy_env.command_line import plain_errors
from rummy_env.envs.aec import RummyAEC
from rummy_env.views.sizes import USUAL_SIZE, Size


@dataclass(frozen=True)
class Settings:
    """Measures the median time of a picture, with few players and with many.

    Attributes:
        size: Width and height in pixels.
        frames: Pictures of each table.
    """

    size: tuple[int, int] = USUAL_SIZE
    frames: int = 200


def seconds(rules: Rules, size: Size) -> Iterator[float]:
    """How long each picture of games played at random takes."""
    env = RummyAEC(rules, "rgb_array", render_size=size)
    env.reset(seed=1)
    env.render()
    while True:
        if env.engine.finished[0]:
            env.reset()
        env.step(int(env.engine.random_actions()[0]))
        start = time.perf_counter()
        env.render()
        yield time.perf_counter() - start


def tables() -> Iterator[Rules]:
    """Every variant, with six players too where there may be so many."""
    for name in rummy_env.VARIANTS:
        yield rummy_env.rules(name)
        with suppress(ValueError):
            yield rummy_env.rules(name, num_players=6)


@plain_errors()
def main() -> None:
    """Run the command."""
    settings = asked(Settings, "benchmarks.pictures")
    width, height = settings.size
    shown = Table(title=f"A picture of {width} by {height} pixels")
    for heading in ("game", "players", "median, milliseconds"):
        shown.add_column(heading, justify="left" if heading == "game" else "right")
    for rules in tables():
        took = median(islice(seconds(rules, settings.size), settings.frames))
        shown.add_row(rules.name, str(rules.num_players), f"{1000 * took:.1f}")
    Console().print(shown)


if __name__ == "__main__":
    main()
