"""How Sphinx makes the site: `python -m sphinx -W -b html docs build/site`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import bridge_arena

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Bridge Arena"
author = "the Bridge Arena maintainers"
project_copyright = author
release = version = bridge_arena.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["generators", "**/node_modules"]
source_suffix = {".md": "markdown"}

# Headings have the anchors that they have on a forge.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
# `--option` is no dash.
smartquotes = False
# PBN's tables, and the like, are no language that a highlighter knows.
highlight_language = "text"

# What stands in `backquotes` in a docstring.
default_role = "code"
# All are imported from bridge_arena itself, wherever they are made.
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
# Attributes are listed with their class, and described once.
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"Bridge Arena {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
# Summaries are fetched, which browsers refuse to pages that are opened from a folder.
html_show_search_summary = False


_TO_MEASUREMENTS = re.compile(r"\[([^\]\[]+)\]\((?:\.\./)+(?:benchmarks|research)/[^)]*\)")


def _unlink_measurements(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Replace links out of the folder `docs`, which is all that the site has, by their texts."""
    source[0] = _TO_MEASUREMENTS.sub(r"\1", source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect what changes pages on their way."""
    app.connect("source-read", _unlink_measurements)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
