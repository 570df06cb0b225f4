"""The notebooks are what their texts say, and were run. `pytest --nbmake` runs them anew."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

jupytext = pytest.importorskip("jupytext", reason="needs the extra notebooks")
nbformat = pytest.importorskip("nbformat", reason="needs the extra notebooks")
pytest.importorskip("nbclient", reason="needs the extra notebooks")
pytest.importorskip("ipykernel", reason="needs the extra notebooks")

from notebooks.renew import FOLDER, renew, texts  # noqa: E402

LARGEST = 600_000
"""Bytes; what a code host still shows, and a repository can bear."""
OWN_PATH = re.compile(r"""(?<![\w/.:<])/(?:\w[\w.-]*/)+\w|\b[A-Z]:\\|\bfile:/""")
"""The path of a file on somebody's machine."""
HEADING = re.compile(r"# \S.*\n\n\S[^\n]*[.]\Z")


def title(text: Path) -> str:
    """What a test on a notebook is called."""
    return text.stem


def of(text: Path) -> Any:
    """The notebook beside a text."""
    return nbformat.read(text.with_suffix(".ipynb"), as_version=4)


def shown(output: Any) -> str:
    """What an output says in words; pictures are left out."""
    data = {kind: value for kind, value in output.get("data", {}).items() if "image/" not in kind}
    return json.dumps([output.get("text", ""), data], ensure_ascii=False)


def outputs(text: Path) -> list[Any]:
    """All outputs of a notebook."""
    return [output for cell in of(text).cells for output in cell.get("outputs", [])]


def test_every_notebook_has_a_text_and_every_text_a_notebook() -> None:
    assert texts()
    assert {text.stem for text in texts()} == {path.stem for path in FOLDER.glob("*.ipynb")}


def test_the_page_of_the_notebooks_lists_them_all_and_no_others() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((\w+)\.ipynb\)", page)) == {text.stem for text in texts()}


@pytest.mark.parametrize("text", texts(), ids=title)
def test_a_notebook_is_its_text_cell_by_cell(text: Path) -> None:
    written = [(cell.cell_type, cell.source) for cell in jupytext.read(text).cells]
    assert [(cell.cell_type, cell.source) for cell in of(text).cells] == written


@pytest.mark.parametrize("text", texts(), ids=title)
def test_a_notebook_was_run_from_its_first_cell_to_its_last(text: Path) -> None:
    counts = [cell.execution_count for cell in of(text).cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize("text", texts(), ids=title)
def test_a_notebook_has_pictures_and_neither_errors_nor_warnings(text: Path) -> None:
    found = outputs(text)
    assert sum("image/png" in output.get("data", {}) for output in found) >= 2
    assert not [output for output in found if output.output_type == "error"]
    assert not [output.text for output in found if output.get("name") == "stderr"]


@pytest.mark.parametrize("text", texts(), ids=title)
def test_no_output_tells_where_it_was_run(text: Path) -> None:
    assert not [found for output in outputs(text) for found in OWN_PATH.findall(shown(output))]


@pytest.mark.parametrize("path", ["/home/me/games.jsonl", "/tmp/run", r"C:\games", "file:/games"])
def test_a_path_of_a_machine_would_be_found(path: str) -> None:
    assert OWN_PATH.search(f"report: {path}")
    assert not OWN_PATH.search("50 % / 2, ../docs/results/basic, https://a.b/c/d, knock / gin")


@pytest.mark.parametrize("text", texts(), ids=title)
def test_a_notebook_is_small_enough_to_be_looked_at(text: Path) -> None:
    assert text.with_suffix(".ipynb").stat().st_size < LARGEST


@pytest.mark.parametrize("text", texts(), ids=title)
def test_a_notebook_opens_with_one_sentence_and_ends_with_what_must_hold(text: Path) -> None:
    cells = of(text).cells
    assert HEADING.fullmatch(cells[0].source)
    assert re.search(r"^    assert |^assert ", cells[-1].source, re.MULTILINE)


@pytest.mark.parametrize("text", texts(), ids=title)
def test_a_notebook_opens_in_colab_and_fetches_the_suite_there(text: Path) -> None:
    cells = of(text).cells
    address = "https://colab.research.google.com/github/rummy-env/rummy-env/blob/HEAD/notebooks"
    assert cells[1].source == f"[Open in Colab]({address}/{text.stem}.ipynb)"
    assert 'if "google.colab" in sys.modules:' in cells[2].source
    assert "https://github.com/rummy-env/rummy-env" in cells[2].source


def test_renewing_a_notebook_twice_writes_the_same(tmp_path: Path) -> None:
    text = tmp_path / "sum.py"
    text.write_text("# %% [markdown]\n# # Sum\n\n# %%\nprint(1 + 1)\n", encoding="utf-8")
    renew(text)
    first = text.with_suffix(".ipynb").read_bytes()
    renew(text)
    assert text.with_suffix(".ipynb").read_bytes() == first
    assert [output.text for output in outputs(text)] == ["2\n"]


@pytest.mark.slow
def test_a_notebook_that_fails_is_not_written(tmp_path: Path) -> None:
    text = tmp_path / "wrong.py"
    text.write_text("# %%\nassert 1 + 1 == 3\n", encoding="utf-8")
    with pytest.raises(Exception, match="AssertionError"):
        renew(text)
    assert not text.with_suffix(".ipynb").exists()
