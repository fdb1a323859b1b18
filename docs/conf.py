"""The site: MyST pages, docstrings in numpydoc, the PyData theme. Built offline by `make docs`."""

from importlib.metadata import version as installed

project = "pathveil"
author = "The pathveil developers"
version = release = installed("pathveil")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # links are checked by tests/docs, README and code too
autosummary_generate = True
numpydoc_show_class_members = False
autodoc_typehints = "none"
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

html_theme = "pydata_sphinx_theme"
html_title = "pathveil"
html_static_path: list[str] = []
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": False,
    "navbar_align": "left",
    "secondary_sidebar_items": ["page-toc"],
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
}
