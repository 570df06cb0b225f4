"""Whoever looks at a comparison several times, to stop when it is clear, widens every interval."""

from typing import Any

import pytest

import rummy_env
from rummy_env.baselines import Greedy, Random
from rummy_env.evaluation import compare
from rummy_env.evaluation.comparison import Comparison


def figures(found: Comparison) -> list[Any]:
    """All intervals of a comparison, the standings by name."""
    sides = [side for duel in found.duels for side in duel.sides] + [*found.round_table]
    some: list[Any] = [e for s in sides for e in (s.points, s.hand_wins, s.match_wins)]
    some += [duel.lead for duel in found.duels]
    for line in sorted(found.standings, key=lambda line: line.agent):
        some += [line.lead, line.hand_wins, line.match_wins, line.rating]
    return [each for each in some if each is not None]


@pytest.mark.parametrize("options", [{}, {"reward": "win"}, {"match": "match", "deals": 2}])
def test_every_figure_allows_for_the_looks(options: dict[str, Any]) -> None:
    rules = rummy_env.rules("basic", hand_size=3, max_turns=40, num_players=3, **options)
    agents: dict[str, Any] = {"greedy": Greedy(), "again": Greedy(), "random": Random()}
    one = compare(rules, agents, deals=250, seed=1)
    many = compare(rules, agents, deals=250, seed=1, until_clear=True)
    assert (many.deals, many.looks) == (250, 3)
    for narrow, wide in zip(figures(one), figures(many), strict=True):
        assert wide.low < narrow.low or narrow.low == 0
        assert wide.high > narrow.high or narrow.high == 1
    for narrow, wide in zip(one.duels, many.duels, strict=True):
        expected = min(1, 3 * narrow.sign_test.p_value)
        assert wide.sign_test.p_value == pytest.approx(expected)
