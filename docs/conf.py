"""Settings of the documentation site; `make docs` builds it."""

import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))

from sphinx.application import Sphinx  # noqa: E402

from docs.generators.pages import write  # noqa: E402
from himalaya_core import __version__  # noqa: E402

project = "Himalaya"
author = "Himalaya contributors"
version = release = __version__
language = "en"

extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist"]
exclude_patterns = ["generators", "recipes", *(page.name for page in DOCS.glob("*.md") if page.name != "index.md")]
nitpicky = True

html_theme = "furo"
html_title = f"Himalaya {__version__}"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_favicon = "../dashboards/assets/favicon.svg"
html_theme_options: dict[str, Any] = {"navigation_with_keys": False}
html_copy_source = False
html_use_index = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_search_language = "en"
pygments_style = "friendly"
pygments_dark_style = "monokai"


def setup(app: Sphinx) -> None:
    """Write the generated pages before Sphinx lists the sources."""
    app.connect("builder-inited", lambda _: write(Path(app.srcdir)))
