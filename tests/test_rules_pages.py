"""The rule pages say what the code does, and the code points to places that exist."""

import inspect
import re
from pathlib import Path

import pytest

import rummy_env
from docs.tables import pages
from docs.tables.results import CALLED, RESULTS, comparison, duels_table
from rummy_env.variants.options import OPTIONS
from tests.documents import ROOT

PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))
SECTIONS = {
    "environment-ids",
    "options",
    "actions",
    "observation",
    "rewards",
    "baselines",
    "decisions",
    "version-history",
}
SOURCE = re.compile(r"docs/[\w/]+\.md(?:#[\w-]+)?")


def anchors(page: Path) -> set[str]:
    """The places of a page that a link can name."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).strip().lower().replace(" ", "-") for head in heads}


def exists(link: str, beside: Path) -> bool:
    """Whether a link of a page, or a path from the root, leads somewhere."""
    path, _, anchor = link.partition("#")
    page = beside / path if path else beside
    return page.is_file() and (not anchor or anchor in anchors(page))


def sources() -> list[tuple[str, str]]:
    """Every place in the documentation that code names, with the file that names it."""
    files = [f for top in ("rummy_env", "agents", "training") for f in (ROOT / top).rglob("*.py")]
    return [
        (str(file.relative_to(ROOT)), link)
        for file in files
        for link in SOURCE.findall(file.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("link", sorted({link for _, link in sources()}))
def test_every_source_that_code_names_exists(link: str) -> None:
    named_in = {file for file, other in sources() if other == link}
    assert exists(link, ROOT), f"{link} is named in {named_in}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^):]+)\)", page.read_text(encoding="utf-8"))
    lost = [link for link in links if not exists(link, page if link[0] == "#" else page.parent)]
    assert not lost


def test_every_variant_has_a_page_with_all_sections(variant: str) -> None:
    page = ROOT / "docs" / "rules" / f"{variant}.md"
    assert anchors(page) >= SECTIONS
    assert f"[`{variant}`]({variant}.md)" in (page.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", pages.tables())
def test_the_tables_of_a_page_are_those_of_the_code(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert pages.filled(text, page) == text, "run: python -m docs.tables"


@pytest.mark.parametrize("page", pages.tables())
def test_a_page_without_the_place_of_a_table_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match=f"{page} has no <!-- "):
        pages.filled("# An empty page", page)


@pytest.mark.parametrize("path", sorted(RESULTS.rglob("compare.json")), ids=lambda p: p.parent.name)
def test_every_duel_is_told_from_the_side_of_who_leads(path: Path) -> None:
    kept = comparison(path.parent.relative_to(RESULTS).as_posix())
    rows = duels_table(kept).splitlines()[2:]
    met = [{side["agent"] for side in duel["sides"]} for duel in kept.facts["duels"]]
    assert len(rows) == sum(not kept.start_again & agents for agents in met)
    called = {"its start": "clone", **{told: name for name, told in CALLED.items()}}
    wins_rank = kept.facts["options"]["reward"] == "win"
    for row in rows:
        one, other, lead, *won = (cell.strip() for cell in row.split("|")[1:-1])
        first, second = called.get(one, one), called.get(other, other)
        assert float(won[-1].split()[0]) >= 50 if wins_rank else lead.startswith("+")
        assert kept.duel(second, first)[0].startswith(("-", "+0.00") if lead[0] == "+" else "+")


def test_the_model_that_a_run_began_with_is_told_once() -> None:
    kept = comparison("rummy500/trained")
    assert kept.start_again == {"points"}
    table = duels_table(kept)
    assert "| trained | its start | " in table
    assert "clone" not in table
    assert "points |" not in table.partition("\n")[2]


def test_a_duel_that_was_not_played_is_refused() -> None:
    with pytest.raises(ValueError, match=r"basic: no duel of greedy and nobody"):
        comparison("basic").duel("greedy", "nobody")


def test_every_option_is_explained(variant: str) -> None:
    options = inspect.signature(rummy_env.VARIANTS[variant]).parameters
    assert options.keys() <= OPTIONS.keys()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_calls_in_a_page_work(page: Path) -> None:
    calls = re.findall(r"^rules = (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert calls or page.stem not in rummy_env.VARIANTS
    for call in calls:
        assert isinstance(eval(call, {"rummy_env": rummy_env}), rummy_env.Rules)
