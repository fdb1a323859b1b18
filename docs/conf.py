"""The site: MyST pages, docstrings in numpydoc, the PyData theme. Built offline by `make docs`."""

import re
from importlib.metadata import version as installed
from typing import Any

project = "pathveil"
author = "The pathveil developers"
version = release = installed("pathveil")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
autosummary_generate = False
numpydoc_show_class_members = False
autodoc_typehints = "none"
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

html_theme = "pydata_sphinx_theme"
html_title = "pathveil"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_sidebars: dict[str, list[str]] = {
    "tutorial/*": [],
    "gallery/*": [],
    "studio/*": [],
}  # single pages
html_theme_options = {
    "show_prev_next": False,
    "navbar_align": "left",
    "secondary_sidebar_items": ["page-toc"],
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
}


def offer_files_outside(app: Any, name: str, source: list[str]) -> None:
    """Make links to Markdown files beside the site downloads; elsewhere they are plain links."""
    del app, name
    source[0] = re.sub(r"\]\((\.\./\.\./[^)#]+\.md)", r"](path:\1", source[0])


def setup(app: Any) -> None:
    """Connect what this page defines."""
    app.connect("source-read", offer_files_outside)
