"""The far-sighted baseline for variants with declared hands."""

from dataclasses import dataclass

from rummy_env.baselines.strong_declared import StrongDeclared


@dataclass(frozen=True)
class FarsightedDeclared(StrongDeclared):
    """Weighs draws and discards as `StrongDeclared` does, and keeps cards that have a future.

    A card that saves no draw may make it easier to save one later: a loose six beside a pair that
    waits may become a second pair that waits, where a king has fewer neighbours. Duels over
    duplicate deals found the numbers; see docs/decisions/0037-cards-that-have-a-future.md.
    """

    hazard: float = 0.17
    danger: float = 0.6
    promise: float = 0.005
