"""Policies compared on duplicate deals: matches, statistics, records, reports and charts.

All of it needs the extra `compare`.
"""

from rummy_env.evaluation.chart import draw
from rummy_env.evaluation.comparison import Comparison, Duel, Side, Standing
from rummy_env.evaluation.recorded import AgentStats, RulesStats, stats
from rummy_env.evaluation.report import show, write
from rummy_env.evaluation.statistics import Estimate, SignTest
from rummy_env.evaluation.tournament import compare, duel

__all__ = [
    "AgentStats",
    "Comparison",
    "Duel",
    "Estimate",
    "RulesStats",
    "Side",
    "SignTest",
    "Standing",
    "compare",
    "draw",
    "duel",
    "show",
    "stats",
    "write",
]
