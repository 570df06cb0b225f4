"""What the package index and citation tools are told: the links lead somewhere, the facts agree."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import rummy_env
from tests.documents import FENCE, ROOT

REPOSITORY = "https://github.com/rummy-env/rummy-env"
RAW = "https://raw.githubusercontent.com/rummy-env/rummy-env/HEAD/"
LINK = re.compile(r"(!?)\[[^]]*\]\(([^)]+)\)")


@pytest.fixture(scope="module")
def settings() -> dict[str, Any]:
    """What pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def on_the_index(settings: dict[str, Any]) -> str:
    """The README as the package index shows it."""
    shown = (ROOT / "README.md").read_text(encoding="utf-8")
    for change in settings["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"][
        "substitutions"
    ]:
        shown = re.sub(change["pattern"], change["replacement"], shown)
    return shown


def test_links_and_pictures_of_the_index_lead_to_files_of_the_repository(
    settings: dict[str, Any],
) -> None:
    text = FENCE.sub("", on_the_index(settings))
    places = {"!": RAW, "": f"{REPOSITORY}/blob/HEAD/"}
    found = LINK.findall(text)
    assert {kind for kind, _ in found} == {"!", ""}
    for kind, address in found:
        if address.startswith(f"{REPOSITORY}#"):
            heads = re.findall(r"^## (.+)$", text, re.MULTILINE)
            assert address.partition("#")[2] in {head.lower().replace(" ", "-") for head in heads}
        elif kind or address.startswith(REPOSITORY):
            assert address.startswith(places[kind])
            assert (ROOT / address.removeprefix(places[kind]).partition("#")[0]).exists(), address
        else:
            assert address.startswith("https://"), address


def test_code_on_the_index_is_that_of_the_readme(settings: dict[str, Any]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert FENCE.findall(on_the_index(settings)) == FENCE.findall(readme)


def test_the_first_screen_has_a_small_moving_picture_and_what_a_fresh_machine_needs() -> None:
    first = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    for needed in (
        "docs/pictures/game.gif",
        "pip install .",
        "make demo",
        "make test",
        "steps a second",
    ):
        assert needed in first
    assert (ROOT / "docs" / "pictures" / "game.gif").stat().st_size < 300_000


def test_the_citation_is_of_this_version_and_repository(settings: dict[str, Any]) -> None:
    citation = Path(ROOT / "CITATION.cff").read_text(encoding="utf-8")
    facts = dict(re.findall(r"^([\w-]+): \"?(.*?)\"?$", citation, re.MULTILINE))
    assert facts["version"] == rummy_env.__version__
    assert facts["repository-code"] == settings["project"]["urls"]["Homepage"] == REPOSITORY
    assert facts["url"] == settings["project"]["urls"]["Documentation"]
    assert facts["license"] == settings["project"]["license"]
