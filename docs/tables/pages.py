"""Which tables stand on which page, and where on it.

A page has a place for each of its tables, marked `<!-- options -->` to `<!-- /options -->`; what
stands between the marks is replaced.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import rummy_env
from docs.tables import benchmark, parts, results, rules, turns

ROOT = Path(__file__).parents[2]

Table = Callable[[], str]

VARIANT: Mapping[str, Callable[[str], str]] = {
    "ids": rules.ids_table,
    "options": rules.options_table,
    "actions": rules.actions_table,
    "observation": rules.observation_table,
    "sizes": rules.sizes_table,
    "baselines": results.baselines,
    "turn": turns.turn,
}
"""The tables on the page of each variant."""

OTHERS: Mapping[str, Mapping[str, Table]] = {
    "README.md": {
        "duels": lambda: results.duels_table(results.comparison("gin/trained")),
        "trained": partial(results.trained_table, "docs/results", usual=True),
        "sentence": benchmark.speed_sentence,
        "speed": benchmark.telling_speed_table,
    },
    "docs/index.md": {"variants": partial(rules.variants_table, "rules")},
    "docs/adding_a_variant.md": {"parts": parts.parts_table},
    "docs/adding_an_agent.md": {"view": rules.view_table},
    "docs/agents.md": {
        "ladder": results.ladder_table,
        "models": partial(results.models_table, "results"),
    },
    "docs/search.md": {"ceiling": benchmark.ceiling_table, "search": benchmark.search_table},
    "docs/comparing.md": {"luck": benchmark.luck_table},
    "docs/decisions/0030-a-patient-heuristic.md": {
        "patient": partial(benchmark.rules_of, "patient")
    },
    "docs/decisions/0039-bait.md": {"rules": partial(benchmark.rules_of, "strong_open_pile")},
    "docs/training.md": {"trained": partial(results.trained_table, "results")},
    "docs/benchmark.md": {
        "command": benchmark.command,
        "speed": benchmark.speed_table,
        "memory": benchmark.memory_table,
        "growth": benchmark.growth_table,
    },
}
"""The tables on all other pages."""


def tables() -> dict[str, Mapping[str, Table]]:
    """Every page that has tables, by its path from the root, with its tables by their marks."""
    of_variants = {
        f"docs/rules/{name}.md": {mark: partial(make, name) for mark, make in VARIANT.items()}
        for name in rummy_env.VARIANTS
    }
    return {**of_variants, **OTHERS}


def filled(text: str, page: str) -> str:
    """Return a page with all its tables as they are now.

    Args:
        text: The page as it stands.
        page: Its path from the root.

    Raises:
        ValueError: If the page lacks the place of a table.
    """
    for mark, make in tables()[page].items():
        place = re.compile(f"(<!-- {mark} -->).*(<!-- /{mark} -->)", re.DOTALL)
        if not place.search(text):
            raise ValueError(f"{page} has no <!-- {mark} --> … <!-- /{mark} -->")
        text = place.sub(partial(_between, make()), text)
    return text


def _between(new: str, marks: re.Match[str]) -> str:
    return f"{marks[1]}\n\n{new}\n\n{marks[2]}"


def rewrite() -> Iterator[str]:
    """Fill all pages, and yield those that changed."""
    for page in tables():
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        new = filled(text, page)
        if new != text:
            path.write_text(new, encoding="utf-8")
            yield page
