"""The words for figures, and for what was played."""

from rummy_env.core.rules import Rules
from rummy_env.evaluation.comparison import measure_of
from rummy_env.evaluation.statistics import Estimate

_NARROW = 0.5, 0.05
"""Widths up to which an interval of per cent is shown with one more digit, and with two."""


def percent(share: Estimate) -> str:
    """Return a share as a percentage with its interval."""
    shown = share.times(100)
    digits = 1 + sum(shown.high - shown.low <= width for width in _NARROW)
    value, low, high = (f"{each:.{digits}f}" for each in (shown.value, shown.low, shown.high))
    return f"{value} % [{low}, {high}]"


def points(figure: Estimate) -> str:
    """Points, signed, with their interval."""
    told = [f"{each:+.{figure.digits}f}" for each in (figure.value, figure.low, figure.high)]
    return f"{told[0]} [{told[1]}, {told[2]}]"


def elo(rating: Estimate) -> str:
    """Return a rating with its interval."""
    return f"{rating.value:+.0f} [{rating.low:+.0f}, {rating.high:+.0f}]"


def played(rules: Rules) -> str:
    """Name the game, and what distinguishes reports of a variant: `"gin, 2 players, matches"`."""
    words = {"points": "hands", "hands": "hands for wins", "matches": "matches"}
    episodes = words[measure_of(rules)]
    changed = f", with other {' and '.join(rules.changed)}" if rules.changed else ""
    return f"{rules.name}, {rules.num_players} players, {episodes}{changed}"
