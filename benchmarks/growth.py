"""How speed and memory change with players and decks: `python -m benchmarks.growth`."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import rich
import rich.table

import rummy_env
from benchmarks import kept, rates
from benchmarks.flags import asked
from rummy_env import Rules
from rummy_env.command_line import plain_errors

PLAYERS = (2, 3, 4, 6, 8, 10)
DECKS = (1, 2)


@dataclass(frozen=True)
class Settings:
    """Measures steps a second with masks, without and with observations, by players and decks.

    Every figure is held against that of two players and one deck, timed beside it.

    Attributes:
        variants: Which variants.
        batch: Games at once.
        seconds: Length of each of five stretches, one of two players beside each.
        out: Folder for growth.json.
    """

    variants: tuple[str, ...] = ("basic", "going_out", "rummy_cards", "rummy500")
    batch: int = 4096
    seconds: float = 0.4
    out: Path | None = None


@dataclass(frozen=True)
class Growth:
    """One line of the table.

    Attributes:
        variant: The game.
        players: How many.
        decks: Of 52 cards.
        rates: Steps a second, without and with observations.
        ratios: The same as times those of two players and one deck.
        num_bytes: Memory of the state of a game.
    """

    variant: str
    players: int
    decks: int
    rates: tuple[float, float]
    ratios: tuple[float, float]
    num_bytes: float


def sizes(variant: str) -> Iterator[tuple[int, int, Rules]]:
    """Players, decks and rules of every size that the variant has."""
    for decks in DECKS:
        for players in PLAYERS:
            options = {"num_players": players} | ({"decks": decks} if decks > 1 else {})
            try:
                yield players, decks, rummy_env.rules(variant, **options)
            except (TypeError, ValueError):
                continue  # the variant has no such size


def measure(settings: Settings) -> Iterator[Growth]:
    """Measure every size of every variant."""
    for variant in settings.variants:
        two = rummy_env.rules(variant)
        for players, decks, rules in sizes(variant):
            found = [
                rates.beside(
                    rates.engine_steps(rules, settings.batch, observation=observation),
                    rates.engine_steps(two, settings.batch, observation=observation),
                    settings.seconds,
                )
                for observation in (False, True)
            ]
            (plain, plain_ratios), (seen, seen_ratios) = found
            middle = len(plain_ratios) // 2
            ratios = plain_ratios[middle], seen_ratios[middle]
            size = rates.bytes_per_game(rules)
            yield Growth(variant, players, decks, (plain, seen), ratios, size)


HEADINGS = ("game", "players", "decks", "steps", "times", "observed", "times", "bytes")
"""Steps a second, times those of two players, both with observations too, bytes a game."""


def row(found: Growth) -> tuple[str, ...]:
    """Return a line of the table as text."""
    (plain, seen), (ratio, seen_ratio) = found.rates, found.ratios
    shown = f"{plain:,.0f}", f"{ratio:.2f}", f"{seen:,.0f}", f"{seen_ratio:.2f}"
    return found.variant, str(found.players), str(found.decks), *shown, f"{found.num_bytes:,.0f}"


@plain_errors()
def main() -> None:
    """Run the command."""
    settings = asked(Settings, "benchmarks.growth")
    table = rich.table.Table(title=f"{settings.batch:,} games, one core, random legal play")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "game" else "right")
    found = list(measure(settings))
    for each in found:
        table.add_row(*row(each))
    rich.print(table)
    if settings.out is not None:
        kept.write(settings.out / "growth.json", "benchmarks.growth", found)


if __name__ == "__main__":
    main()
