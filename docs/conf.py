"""How Sphinx builds the site from the pages in this folder: `scripts/docs` calls it."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
HOME = HERE.parent
sys.path[:0] = [str(HERE), str(HOME), str(HOME / "scripts")]

from sudoku_encode import __version__  # noqa: E402

project = "sudoku_encode"
author = "the authors of sudoku_encode"
project_copyright = author
version = release = __version__

# `site_parts` is beside this file: files outside this folder, and the reference of Python names.
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "site_parts"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["notebooks/*.ipynb"]
# A link to a name that is nowhere is a warning, and `scripts/docs` makes each an error.
nitpicky = False

# Links to headings are written as code hosts make them, `page.md#some-heading`.
myst_heading_anchors = 4
# `source:` is what `site_parts` makes of links to files that are not in this folder.
myst_url_schemes = ["http", "https", "mailto", "source"]

html_theme = "furo"
html_title = "sudoku_encode"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_theme_options = {
    # The colours of the pages that the program itself makes, see sudoku_encode/render/assets/page.css.
    "light_css_variables": {"color-brand-primary": "#0b5fa5", "color-brand-content": "#0b5fa5"},
    "dark_css_variables": {"color-brand-primary": "#7cc0ff", "color-brand-content": "#7cc0ff"},
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
# Fields are said once, in the docstring.
autodoc_default_options = {"members": True, "exclude-members": "count, index"}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
python_use_unqualified_type_names = True
# `word` in a docstring is code.
default_role = "code"
