"""A match as one HTML file that works from disk, with scene, review, log, player, styles and font inside.

It sends no requests. Scene, review and log are gzipped and in base 64, which makes the file a third of the size.

The player's modules are unchanged except for their specifiers: in `player/page.js`, `../drawing/dom.js` becomes
`replay/drawing/dom.js`, which an import map leads to a `data:` address. The policy in the file allows these, the inline
scripts by their digests, and no network.
"""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Final

from dashboards.boards.modules import MODULES, SPECIFIER, needed, resolved

__all__ = ["offline_name", "offline_page", "offline_study"]

ASSETS: Final = Path(__file__).parent.parent / "assets"
ENTRY: Final = "player/offline.js"
PREFIX: Final = "replay/"
ADDRESS: Final = re.compile(r"""url\("([\w./-]+)"\)""")
TYPES: Final = {".svg": "image/svg+xml", ".woff2": "font/woff2"}
POLICY: Final = (
    "default-src 'none'",
    "img-src data: blob:",
    "font-src data:",
    "style-src 'unsafe-inline'",  # parts of the drawing are placed by style attributes
    "base-uri 'none'",
    "form-action 'none'",
)
SCHEME: Final = (
    "(()=>{let s=new URLSearchParams(location.search).get('theme');"
    "try{s=s||localStorage.getItem('mantine-color-scheme-value')}catch{}"
    "if(s!=='light'&&s!=='dark')s=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';"
    "document.documentElement.setAttribute('data-mantine-color-scheme',s)})()"
)
START: Final = f'import "{PREFIX}{ENTRY}";'
PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="icon" type="image/svg+xml" href="{icon}">
<script>{scheme}</script>
<style>{styles}</style>
<script type="importmap">{modules}</script>
</head>
<body>
<a class="skip-link" href="#main">Skip to the page</a>
<header class="header">
<span class="brand"><span class="brand-mark"></span><span class="brand-name">Himalaya</span></span>
<button type="button" class="button" id="offline-scheme" aria-label="Switch between light and dark">\
<span class="icon" aria-hidden="true"></span></button>
</header>
<main id="main" tabindex="-1"><div id="replay" class="replay" data-match="{title}">\
<p class="replay-none meta">Loading {title} …</p></div></main>
<noscript><p class="notice">This file plays a match by JavaScript, which is switched off here.</p></noscript>
{parts}<script type="module">{start}</script>
</body>
</html>
"""


def offline_page(scene: bytes, review: bytes, log: bytes | None) -> bytes:
    """Return the file of a scene and a review (their JSON) and the log; the same match gives the same bytes.

    A scene in the view of one seat has no log, because the log reveals more.
    """
    return _page(str(json.loads(scene)["match"]), {"scene": scene, "review": review, "log": log})


def offline_study(reading: bytes, matches: bytes, branches: bytes, title: str) -> bytes:
    """Return the file of a study, with its matches and its branches.

    Matches are JSON of their scene and review by name; branches are the responses for pages, by id.

    The same file, opened again, shows chapters of another match.
    """
    return _page(title, {"study": reading, "matches": matches, "branches": branches})


def _page(title: str, parts: Mapping[str, bytes | None]) -> bytes:
    scripts = [
        f'<script type="application/gzip" id="replay-{name}">{_packed(text)}</script>\n'
        for name, text in parts.items()
        if text is not None
    ]
    modules = json.dumps({"imports": _modules()}, separators=(",", ":"))
    digests = " ".join(f"'sha256-{_digest(script)}'" for script in (SCHEME, modules, START))
    page = PAGE.format(
        policy=escape("; ".join((*POLICY, f"script-src data: {digests}")), quote=False),
        title=escape(title),
        icon=_data(ASSETS / "favicon.svg"),
        scheme=SCHEME,
        styles=_styles(),
        modules=modules,
        parts="".join(scripts),
        start=START,
    )
    return page.encode()


def offline_name(match: str, view: str | None) -> str:
    """Return the name of the file; `view` is the seat, from 1, whose knowledge it shows."""
    return f"{match}-seat-{view}.html" if view else f"{match}.html"


def _packed(text: bytes) -> str:
    """Return a text in the form of the page: a tenth of its size, and without anything that ends a script."""
    return base64.b64encode(gzip.compress(text, mtime=0)).decode()


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


@cache
def _modules() -> dict[str, str]:
    """Return the addresses of the modules that the first one needs, directly or not, by their specifiers."""
    found: dict[str, str] = {}
    for name in needed(ENTRY):
        text = SPECIFIER.sub(partial(_mapped, name), (MODULES / name).read_text("utf-8"))
        found[PREFIX + name] = f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"
    return found


def _mapped(module: str, found: re.Match[str]) -> str:
    """Return an import of `module` with the specifier that the import map has."""
    how, quote, specifier = found.groups()
    return f"{how}{quote}{PREFIX}{resolved(specifier, module)}{quote}"


@cache
def _styles() -> str:
    """Return the styles of the page, with the files they refer to inside."""
    files = [ASSETS / "app.css", *sorted(ASSETS.glob("replay*.css")), MODULES / "player" / "offline.css"]
    text = "\n".join(file.read_text("utf-8") for file in files)
    return ADDRESS.sub(lambda found: f'url("{_data(ASSETS / found[1])}")', text).replace("</", "<\\/")


def _data(file: Path) -> str:
    return f"data:{TYPES[file.suffix]};base64,{base64.b64encode(file.read_bytes()).decode()}"
