"""The documentation as a site: it builds without warnings or network, and nothing is left out."""

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import rummy_env
from tests.documents import ROOT

API = sorted((ROOT / "docs" / "api").glob("*.md"))
DOCUMENTED = re.compile(r"^\.\. auto\w+:: (\S+)$", re.MULTILINE)

INNER = (
    "rummy_env.__main__",
    "rummy_env.baselines",
    "rummy_env.checking.command",
    "rummy_env.command_line",
    "rummy_env.core",
    "rummy_env.evaluation.command",
    "rummy_env.evaluation.console",
    "rummy_env.evaluation.stats_command",
    "rummy_env.files",
    "rummy_env.importing",
    "rummy_env.melds",
    "rummy_env.play",
    "rummy_env.replay",
    "rummy_env.version",
    "rummy_env.views",
)
"""Of these the reference has a choice; of all others it has every module."""


class Loaded(HTMLParser):
    """What a page of the site makes a browser load.

    Attributes:
        addresses: Of scripts, style sheets, pictures, frames, fonts.
    """

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = {"link": "href", "object": "data"}.get(tag, "src")
        self.addresses += [value for key, value in attrs if key == name and value and tag != "a"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew with warnings as errors."""
    pytest.importorskip("furo", reason="the site needs the extra: pip install 'rummy-env[site]'")
    built = tmp_path_factory.mktemp("site")
    flags = ["--fail-on-warning", "--keep-going", "--quiet", "-c", "docs"]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *flags, ".", str(built)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return built


def test_the_site_builds_and_has_every_page(site: Path, variant_pages: list[str]) -> None:
    assert (site / "index.html").exists()
    for page in (*variant_pages, "docs/index", "docs/benchmark", "CHANGELOG", "CONTRIBUTING"):
        assert (site / f"{page}.html").exists(), page


def test_no_two_entries_of_the_sidebar_have_the_same_name(site: Path) -> None:
    index = (site / "docs" / "index.html").read_text(encoding="utf-8")
    tree = index.partition('class="sidebar-tree"')[2].partition("</aside>")[0]
    names = re.findall(r'<a class="[^"]*reference internal" href="[^"]*">(.*?)</a>', tree)
    assert len(names) > 50
    assert sorted(set(names)) == sorted(names)


def test_options_are_blocks_on_narrow_screens(site: Path) -> None:
    sheet = (site / "_static" / "site.css").read_text(encoding="utf-8")
    narrow = sheet.partition("@media (max-width: 46em)")[2]
    assert "#options td { border: 0; display: block;" in narrow
    for name in rummy_env.VARIANTS:
        page = (site / "docs" / "rules" / f"{name}.html").read_text(encoding="utf-8")
        assert '<section id="options">' in page


def test_wide_tables_are_blocks_where_there_is_no_room(
    site: Path, variant_pages: list[str]
) -> None:
    sheet = (site / "_static" / "site.css").read_text(encoding="utf-8")
    assert ".blocks tbody td:not(:first-child)::before" in sheet
    assert "dataset.label" in (site / "_static" / "tables.js").read_text(encoding="utf-8")
    for page in variant_pages:
        assert "tables.js" in (site / f"{page}.html").read_text(encoding="utf-8")


def test_every_notebook_is_in_the_site_with_its_outputs_and_opens_in_colab(site: Path) -> None:
    names = [path.stem for path in (ROOT / "notebooks").glob("*.ipynb")]
    assert names
    for name in names:
        page = (site / "notebooks" / f"{name}.html").read_text(encoding="utf-8")
        assert len(re.findall(r'<img alt="[^"]*" src="\.\./_images/', page)) >= 2
        assert (
            f"colab.research.google.com/github/rummy-env/rummy-env/blob/HEAD/notebooks/{name}.ipynb"
            in page
        )


@pytest.mark.parametrize("name", rummy_env.VARIANTS)
def test_the_page_of_a_variant_has_a_small_picture_that_words_stand_for(name: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    assert re.search(rf"!\[[^]]{{40,}}\]\(\.\./pictures/{name}\.png\)", page)
    assert (ROOT / "docs" / "pictures" / f"{name}.png").stat().st_size < 60_000


def test_the_site_loads_nothing_from_the_network(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert pages
    for page in pages:
        loaded = Loaded()
        loaded.feed(page.read_text(encoding="utf-8"))
        assert [a for a in loaded.addresses if re.match(r"(https?:)?//", a)] == [], page
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"url\(\s*['\"]?(https?:)?//|@import\s+['\"]http", text), sheet


@pytest.fixture
def variant_pages() -> list[str]:
    """The page of every variant."""
    return [f"docs/rules/{name}" for name in rummy_env.VARIANTS]


def documented() -> list[str]:
    """Everything that the reference documents, modules and names."""
    return [name for page in API for name in DOCUMENTED.findall(page.read_text(encoding="utf-8"))]


def modules() -> list[str]:
    """Every public module of the package that is not inner."""
    found = pkgutil.walk_packages(rummy_env.__path__, "rummy_env.")
    return [
        module.name
        for module in found
        if not module.ispkg
        and not module.name.startswith(INNER)
        and not any(part.startswith("_") for part in module.name.split("."))
    ]


@pytest.mark.parametrize("name", rummy_env.__all__)
def test_the_reference_has_everything_at_the_door(name: str) -> None:
    assert f"rummy_env.{name}" in documented(), "add it to docs/api/package.md"


@pytest.mark.parametrize("module", modules())
def test_the_reference_has_every_public_module(module: str) -> None:
    assert module in documented(), "add it to a page of docs/api"


@pytest.mark.parametrize("name", documented())
def test_what_the_reference_has_exists_and_has_a_docstring(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    if module == "rummy_env" and attribute in rummy_env.__all__:
        assert hasattr(rummy_env, attribute)
    else:
        assert inspect.getdoc(importlib.import_module(name))
