"""Check callback requests of pages before Dash handles them, and serve smaller builds of two Dash scripts."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from dash import Dash
from flask import Flask, Response, request, send_from_directory
from flask.typing import ResponseReturnValue
from plotly.offline import get_plotlyjs_version
from werkzeug.exceptions import HTTPException

from dashboards.boards.engine import MODULES
from dashboards.catalog.figures import all_figures
from dashboards.queries.addresses import url
from dashboards.ui.figure_card import kinds
from dashboards.web.refusals import CALLBACKS, Refusal, Refused

__all__ = ["AT_ONCE", "GENERATORS", "PLOTLY", "VERSION", "check_callbacks", "register", "with_preloads"]


VENDOR: Final = MODULES.parent / "vendor"
PLOTLY: Final = VENDOR / "plotly-cartesian.min.js"
"""Copy of `package/plotly-cartesian.min.js` from `npm pack plotly.js-cartesian-dist-min@VERSION`."""
VERSION: Final = "4.1.1"
GENERATORS: Final = VENDOR / "regenerator-runtime.js"
"""Copy of `package/runtime.js` from `npm pack regenerator-runtime@0.14.1`."""
SUITES: Final = "/_dash-component-suites"
A_YEAR: Final = 365 * 24 * 3600  # cache lifetime in seconds, for addresses that contain a version
AT_ONCE: Final = b"//# allFunctionsCalledOnLoad\n"
"""Comment that makes V8 compile a whole script on a background thread while it is loading.

Nearly all functions of plotly.js are called when it starts. The hint halves its start time on the main thread.
https://v8.dev/blog/explicit-compile-hints
"""
GRID: Final = re.compile(rf'<script src="([^"]*{SUITES}/dash_ag_grid/[^"]+)"></script>')
LATER: Final = '<meta name="grid-script" content="{}">'
"""HTML element from which assets/grid.js reads the address of the grid's script."""


def register(server: Flask) -> None:
    """Serve our smaller builds of two scripts at the addresses that Dash uses for them."""

    @server.get(f"{SUITES}/dash/deps/polyfill@<version>")
    def generators(version: str) -> Response:  # noqa: ARG001
        return _sent(GENERATORS)

    if get_plotlyjs_version() == VERSION:

        @server.get(f"{SUITES}/plotly/package_data/<name>")
        def plotly(name: str) -> Response:  # noqa: ARG001
            return _with_hint(PLOTLY)


def with_preloads(page: str, *, has_grid: bool, has_figures: bool) -> str:
    """Add preload links to the HTML of a page, for files that Dash would otherwise request late."""
    ahead = [("fetch", f"/_dash-{part}") for part in ("layout", "dependencies")]
    if has_grid:
        ahead.append(("script", f"{SUITES}/dash_ag_grid/async-community.js"))
    elif found := GRID.search(page):
        page = page.replace(found[0], "", 1).replace("</head>", f"{LATER.format(found[1])}</head>", 1)
    if has_figures:
        ahead += [
            ("script", f"{SUITES}/{name}") for name in ("dash/dcc/async-graph.js", "plotly/package_data/plotly.min.js")
        ]
    links = [f'<link rel="preload" as="{kind}" href="{url(path)}"{_of(kind)}>' for kind, path in ahead]
    return page.replace("</head>", f"{''.join(links)}</head>", 1)


def _of(kind: str) -> str:
    return " crossorigin" if kind == "fetch" else ""


def _sent(file: Path) -> Response:
    return send_from_directory(file.parent, file.name, max_age=A_YEAR)


def _with_hint(file: Path) -> Response:
    """Answer with plotly.js after the hint `AT_ONCE`. Browsers revalidate it each time: its address has no version."""
    text, tag = _hinted(file)
    answer = Response(text, mimetype="text/javascript")
    answer.cache_control.public, answer.cache_control.no_cache = True, True
    answer.set_etag(tag)
    answer.make_conditional(request)
    return answer


@cache
def _hinted(file: Path) -> tuple[bytes, str]:
    """Return a script with the hint `AT_ONCE` before it, and its digest."""
    text = AT_ONCE + file.read_bytes()
    return text, sha256(text).hexdigest()[:32]


WANTED: Final = {"kind", "figure", "search"}
"""Required keys of a request for a figure. Its other keys control how the figure is drawn."""


def check_callbacks(app: Dash) -> None:
    """Make the app validate each callback request before Dash answers it."""
    answer: Callable[[], ResponseReturnValue] = app.server.view_functions[CALLBACKS]

    def answer_checked() -> ResponseReturnValue:
        body = _body()
        if not isinstance(body, dict):
            raise _refusal("a JSON object", body)
        output = body.get("output")
        callback = app.callback_map.get(output) if isinstance(output, str) else None
        if callback is None or "callback" not in callback or not isinstance(output, str):
            raise _refusal("an output of a page", output)
        _check_outputs(output, body.get("outputs"), is_optional=bool(callback.get("no_output")))
        for name, declared in (("inputs", callback["inputs"]), ("state", callback["state"])):
            _check_values(name, declared, body.get(name, []))
        changed = body.get("changedPropIds", [])
        if not (isinstance(changed, list) and all(isinstance(each, str) for each in changed)):
            raise _refusal("names as changedPropIds", changed)
        return answer()

    app.server.view_functions[CALLBACKS] = answer_checked

    @app.server.errorhandler(Refused)
    def refused(error: Refused) -> ResponseReturnValue:
        return asdict(Refusal(str(error), error.limit, error.found)), error.status, dict(error.headers)

    @app.server.errorhandler(HTTPException)
    def failed(error: HTTPException) -> ResponseReturnValue:
        if request.path != CALLBACKS:
            return error
        return asdict(Refusal(error.description or error.name)), error.code or HTTPStatus.INTERNAL_SERVER_ERROR


def _body() -> Any:
    if not request.is_json:
        raise Refused(HTTPStatus.BAD_REQUEST, f"Content-Type: expected JSON, found {request.mimetype or 'none'}")
    try:
        return json.loads(request.get_data())
    except (ValueError, RecursionError):
        raise Refused(HTTPStatus.BAD_REQUEST, "body: expected a JSON object, found no JSON") from None


def _check_outputs(output: str, found: Any, *, is_optional: bool) -> None:
    if is_optional:
        return
    names = output.strip(".").split("...")
    listed = found if output.startswith("..") else [found]
    if not (isinstance(listed, list) and len(listed) == len(names) and all(map(_is_part, listed))):
        raise _refusal("outputs with id and property", found)


def _check_values(name: str, declared: list[Mapping[str, str]], found: Any) -> None:
    if not (isinstance(found, list) and len(found) == len(declared)):
        raise _refusal(f"{name} of the callback", found)
    for wanted, given in zip(declared, found, strict=True):
        is_pattern = wanted["id"].startswith("{")
        for each in given if is_pattern and isinstance(given, list) else [given]:
            is_known = _is_part(each) and each["property"] == wanted["property"]
            if not is_known or (isinstance(each["id"], str) and each["id"] != wanted["id"]):
                raise _refusal(f"{name} of the callback", each)
            if not CHECKS.get(wanted["property"], _is_any)(each.get("value")):
                raise _refusal(f"another value of {wanted['property']}", each.get("value"))


def _is_part(found: Any) -> bool:
    return (
        isinstance(found, dict) and isinstance(found.get("id"), str | dict) and isinstance(found.get("property"), str)
    )


def _is_any(_: Any) -> bool:
    return True


def _is_text(found: Any) -> bool:
    return found is None or isinstance(found, str)


def _is_path(found: Any) -> bool:
    return found is None or (isinstance(found, str) and found.startswith("/"))


def _is_wanted(found: Any) -> bool:
    if not (isinstance(found, dict) and set(found) >= WANTED and all(isinstance(each, str) for each in found.values())):
        return False
    return found["kind"] in kinds and (found["kind"] != "catalog" or found["figure"] in all_figures())


CHECKS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "pathname": _is_path,
    "search": _is_text,
    "data": _is_text,
    "wanted": _is_wanted,
    "dataWanted": _is_wanted,
}
"""Functions that validate the values sent by a page, by property name."""


def _refusal(expected: str, found: Any) -> Refused:
    shown = json.dumps(found)[:60]
    return Refused(HTTPStatus.BAD_REQUEST, f"body: expected {expected}, found {shown}")
