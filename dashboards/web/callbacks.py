"""Check requests to Dash's callbacks before Dash reads them, since a client may send anything.

Dash expects what its own script sends, and answers anything else with a traceback. A request passes if it names an
existing callback, its outputs, and a value of the right type for each of its inputs.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from http import HTTPStatus
from typing import Any, Final

from dash import Dash
from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from dashboards.catalog.figures import all_figures
from dashboards.ui.figure_card import kinds
from dashboards.web.refusals import CALLBACKS, Refusal, Refused

__all__ = ["check_callbacks"]

WANTED: Final = {"kind", "figure", "search"}
"""Required keys of a request for a figure; other keys say how to draw it."""


def check_callbacks(app: Dash) -> None:
    """Check each request to the callbacks before Dash answers it."""
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
"""By property, the check of a value that a page sends."""


def _refusal(expected: str, found: Any) -> Refused:
    shown = json.dumps(found)[:60]
    return Refused(HTTPStatus.BAD_REQUEST, f"body: expected {expected}, found {shown}")
