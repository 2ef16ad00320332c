"""Export a match as one HTML file that works from disk; bundle the scripts and styles of pages."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Final

from dashboards.boards.engine import LOADER, MODULES, SPECIFIER, defined, needed, resolved
from dashboards.queries.addresses import url
from dashboards.replay.scenes import pack

__all__ = [
    "PLAYER",
    "RECORDING",
    "SCRIPTS",
    "STYLES",
    "bundles",
    "offline_name",
    "offline_page",
    "offline_study",
    "with_early_player",
]


ASSETS: Final = MODULES.parent
PLAYER_ENTRY: Final = "player/pages.js"
PLAYER: Final = f"/assets/replay/{PLAYER_ENTRY}"
RECORD_ENTRY: Final = "record/pages.js"
RECORDING: Final = f"/assets/replay/{RECORD_ENTRY}"
STYLES: Final = "/assets/pages.css"
SCRIPTS: Final = "/assets/pages.js"
PRINT: Final = "print.css"
ELSEWHERE: Final = ("print/", "record/", "player/offline.js")
"""Prefixes of modules that are not part of the player's bundle."""
OFFERED: Final = re.compile(r"""^export \{([^}]*)\} from "(\./[\w-]+\.js)";""", re.MULTILINE)
Bundle = tuple[str, Callable[[], tuple[str, bytes]], str]
"""Address of a combined file, a function that returns its digest and gzipped text, and its media type."""


def bundles() -> list[Bundle]:
    """Return all bundles: the styles and the scripts of pages, and the modules of the player and of the record page."""
    return [
        (STYLES, lambda: _joined(_stamps(_styles_of_pages())), "text/css"),
        (SCRIPTS, lambda: _joined(_stamps(sorted(ASSETS.glob("*.js")))), "text/javascript"),
        (PLAYER, lambda: _script(PLAYER_ENTRY, _stamps(_of_player())), "text/javascript"),
        (RECORDING, lambda: _script(RECORD_ENTRY, _stamps(_of_recording())), "text/javascript"),
    ]


def _styles_of_pages() -> list[Path]:
    """Return the style sheets, the one for paper last."""
    return sorted(ASSETS.glob("*.css"), key=lambda file: (file.name == PRINT, file.name))


def _of_player() -> list[Path]:
    names = sorted(file.relative_to(MODULES).as_posix() for file in MODULES.rglob("*.js"))
    return [MODULES / name for name in names if name != PLAYER_ENTRY and not name.startswith(ELSEWHERE)]


def _of_recording() -> list[Path]:
    return [MODULES / name for name in needed(RECORD_ENTRY) if name != RECORD_ENTRY]


Stamps = tuple[tuple[Path, int, int], ...]


def _stamps(files: Iterable[Path]) -> Stamps:
    """Return each file with its modification time and size, which are part of the cache key."""
    return tuple((file, (stat := file.stat()).st_mtime_ns, stat.st_size) for file in files)


@cache
def _script(entry: str, stamps: Stamps) -> tuple[str, bytes]:
    """Bundle a module and its imports into one script with the same exports; each module runs when first needed."""
    made = [defined(file.relative_to(MODULES).as_posix(), file.read_text("utf-8")) for file, *_ in stamps]

    def offered(found: re.Match[str]) -> str:
        return f'export const {{{found[1]}}} = $need("{resolved(found[2], entry)}");'

    offer = OFFERED.sub(offered, (MODULES / entry).read_text("utf-8"))
    return pack("\n".join((LOADER, *made, offer)).encode())


@cache
def _joined(stamps: Stamps) -> tuple[str, bytes]:
    return pack("\n".join(f"/* {file.name} */\n{file.read_text('utf-8')}" for file, *_ in stamps).encode())


def with_early_player(page: str, match: str, scripts: str) -> str:
    """Insert the player of `match` into a page's HTML, so that the first board is drawn before the app starts.

    Everything in the body from the text `scripts` on moves into a template, and early.js runs its scripts later. If
    they ran immediately, Dash would delay the first board by a third of a second.
    """
    name = escape(match)
    player = f"""<main class="replay-early"><div id="replay" class="replay" data-match="{name}">\
<p class="replay-none meta">Loading {name} …</p></div></main>
<script type="module" async src="{url(PLAYER)}"></script>"""
    page = page.replace("<body>", f"<body>{player}", 1)
    return page.replace(scripts, '<template id="dash-scripts">', 1).replace("</body>", "</template></body>", 1)


ASSETS_FOLDER: Final = Path(__file__).parent.parent / "assets"
ENTRY: Final = "player/offline.js"
PREFIX: Final = "replay/"
ADDRESS: Final = re.compile(r"""url\("([\w./-]+)"\)""")
TYPES: Final = {".svg": "image/svg+xml", ".woff2": "font/woff2"}
POLICY: Final = (
    "default-src 'none'",
    "img-src data: blob:",
    "font-src data:",
    "style-src 'unsafe-inline'",  # the drawing positions its parts with style attributes
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


def offline_page(scene: bytes, review: bytes, log: bytes | None, playouts: bytes | None = None) -> bytes:
    """Return the HTML file of a match from the JSON of its scene, review and playouts; equal input gives equal bytes.

    `log` is `None` in the view of one seat, because the log reveals more. `playouts` is `None` if none are stored.
    """
    parts = {"scene": scene, "review": review, "playouts": playouts, "log": log}
    return _page(str(json.loads(scene)["match"]), parts)


def offline_study(reading: bytes, matches: bytes, branches: bytes, title: str) -> bytes:
    """Return the HTML file of a study, with its matches and branches.

    `matches` is JSON with the scene, review and playouts of each match, by name. `branches` is JSON with the API's
    response for each branch, by id. To show a chapter on another match, the page opens the same file again.
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
        icon=_data(ASSETS_FOLDER / "favicon.svg"),
        scheme=SCHEME,
        styles=_styles(),
        modules=modules,
        parts="".join(scripts),
        start=START,
    )
    return page.encode()


def offline_name(match: str, view: str | None) -> str:
    """Return the name of the file; `view` is the number of the viewing seat, from 1."""
    return f"{match}-seat-{view}.html" if view else f"{match}.html"


def _packed(text: bytes) -> str:
    """Gzip a text and encode it as Base64: a tenth of its size, and it cannot contain `</script>`."""
    return base64.b64encode(gzip.compress(text, mtime=0)).decode()


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


@cache
def _modules() -> dict[str, str]:
    """Return the import map of the player: a data address for each module, by import specifier."""
    found: dict[str, str] = {}
    for name in needed(ENTRY):
        text = SPECIFIER.sub(partial(_mapped, name), (MODULES / name).read_text("utf-8"))
        found[PREFIX + name] = f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"
    return found


def _mapped(module: str, found: re.Match[str]) -> str:
    """Return an import in `module`, with its specifier replaced by the one in the import map."""
    how, quote, specifier = found.groups()
    return f"{how}{quote}{PREFIX}{resolved(specifier, module)}{quote}"


@cache
def _styles() -> str:
    """Return the styles of the page, with the files they refer to embedded."""
    sheets = [ASSETS_FOLDER / "app.css", *sorted(ASSETS_FOLDER.glob("replay*.css"))]
    files = [*sheets, MODULES / "player" / "offline.css", ASSETS_FOLDER / PRINT]
    text = "\n".join(file.read_text("utf-8") for file in files)
    return ADDRESS.sub(lambda found: f'url("{_data(ASSETS_FOLDER / found[1])}")', text).replace("</", "<\\/")


def _data(file: Path) -> str:
    return f"data:{TYPES[file.suffix]};base64,{base64.b64encode(file.read_bytes()).decode()}"
