"""How Sphinx builds the site: `make site`, offline, into `build/site`.

The sources are the Markdown files as they lie in the repository, and its root is the root of the
site, so that one relative link leads to the same place here and on a code host.
"""

import sys
from pathlib import Path

import rummy_env

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for docs.signatures

project = "rummy_env"
author = "the authors of rummy_env"
version = release = rummy_env.__version__
html_title = f"rummy_env {release}"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "docs.signatures"]
root_doc = "docs/index"
include_patterns = [
    *("docs/**", "CHANGELOG.md", "CONTRIBUTING.md"),
    *("notebooks/README.md", "notebooks/*.ipynb"),
]
exclude_patterns = [  # the report of a run has its comparison in it, or a link to it
    str(report.relative_to(ROOT).with_name("compare.md"))
    for report in (ROOT / "docs" / "results").rglob("report.md")
    if "(compare.md)" not in report.read_text(encoding="utf-8")
]
nitpicky = False  # the signatures name NumPy's types, whose pages are not at hand offline

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "off"  # the notebooks come with their outputs
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # nothing from the network
highlight_language = "text"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "no-value": True}
python_maximum_signature_line_length = 88
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_attr_annotations = False  # the docstrings say what the arrays are
default_role = "code"  # docstrings write code as Markdown does, between single backticks

html_theme = "furo"
html_theme_options = {
    "source_repository": "https://github.com/rummy-env/rummy-env",
    "source_branch": "HEAD",
    "source_directory": "",
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["tables.js"]
html_extra_path = ["_root"]
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
