"""The words for figures, and for what was played."""

from rummy_env.core.rules import Rules
from rummy_env.evaluation.comparison import Measure, measure_of
from rummy_env.evaluation.statistics import Estimate

_NARROW_PERCENT = 0.5, 0.05
_NARROW_POINTS = 0.1, 0.003
"""Widths up to which an interval is shown with one more digit, and with two."""


def percent(share: Estimate) -> str:
    """Return a share as a percentage with its interval."""
    shown = share.times(100)
    digits = 1 + _more_digits(shown, _NARROW_PERCENT)
    value, low, high = (f"{each:.{digits}f}" for each in (shown.value, shown.low, shown.high))
    return f"{value} % [{low}, {high}]"


def points(figure: Estimate) -> str:
    """Points, signed, with their interval."""
    digits = 2 + _more_digits(figure, _NARROW_POINTS)
    value, low, high = (f"{each:+.{digits}f}" for each in (figure.value, figure.low, figure.high))
    return f"{value} [{low}, {high}]"


def _more_digits(figure: Estimate, narrow: tuple[float, ...]) -> int:
    return sum(figure.high - figure.low <= width for width in narrow)


def in_words(measure: Measure, figure: Estimate) -> str:
    """Return a figure that ranks: points, or a share of what was won."""
    return points(figure) if measure == "points" else percent(figure)


def elo(rating: Estimate) -> str:
    """Return a rating with its interval."""
    return f"{rating.value:+.0f} [{rating.low:+.0f}, {rating.high:+.0f}]"


def played(rules: Rules) -> str:
    """Name the game, and what distinguishes reports of a variant: `"gin, 2 players, matches"`."""
    words = {"points": "hands", "hands": "hands for wins", "matches": "matches"}
    episodes = words[measure_of(rules)]
    changed = f", with other {' and '.join(rules.changed)}" if rules.changed else ""
    return f"{rules.name}, {rules.num_players} players, {episodes}{changed}"
