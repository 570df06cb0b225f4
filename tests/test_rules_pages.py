"""The rule pages say what the code does, and the code points to places that exist."""

import inspect
import re
import runpy
from pathlib import Path

import pytest

import rummy_env

ROOT = Path(__file__).parents[1]
TABLES = runpy.run_path(str(ROOT / "docs" / "tables.py"))
PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))
SECTIONS = {"options", "actions", "observation", "rewards", "decisions", "version-history"}
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


def test_the_tables_of_a_page_are_those_of_the_code(variant: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{variant}.md").read_text(encoding="utf-8")
    assert TABLES["filled"](page, variant) == page, "run: python docs/tables.py"


def test_every_option_is_explained(variant: str) -> None:
    options = inspect.signature(rummy_env.VARIANTS[variant]).parameters
    assert options.keys() <= TABLES["OPTIONS"].keys()


def test_a_page_without_the_place_of_a_table_is_refused(variant: str) -> None:
    with pytest.raises(ValueError, match="<!-- options -->"):
        TABLES["filled"]("# An empty page", variant)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_calls_in_a_page_work(page: Path) -> None:
    calls = re.findall(r"^rules = (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert calls or page.stem not in rummy_env.VARIANTS
    for call in calls:
        assert isinstance(eval(call, {"rummy_env": rummy_env}), rummy_env.Rules)
