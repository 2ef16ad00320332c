"""Generates the HTTP API page from the application's OpenAPI document."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dashboards.queries.filters import FILTER_KEYS
from docs.generators.roles import roles_by_route, web

__all__ = ["page"]

BEGINS: Final = """\
# HTTP API

Every request that a server answers. Your server describes the same API as an OpenAPI document at `/api/openapi.json`,
with the schemas of all bodies and answers.

A refusal is JSON: `message` is one sentence; `limit` and `found` are set if a limit was exceeded. A request from
another machine needs a token with one of the named [roles](../operate/roles.md), as the header
`Authorization: Bearer himalaya_…`.

## Filter

Requests with a *filter* accept these query keys. All but `game`, `from` and `to` may be repeated.

| key | meaning |
|---|---|
"""
COMMON: Final = ("401", "403", "422", "429", "503")
"""Status codes that mean the same for every request, described once for all routes."""
UNNAMED: Final = "Successful Response"
"""FastAPI's default description of a response."""
STATUSES: Final = """
## Answers of every request

| status | meaning |
|---|---|
| 304 | unchanged since the tag in `If-None-Match` |
| 401 | a token is required, or the one sent is unknown |
| 403 | the role does not allow the request, or the request came from another site without a token |
| 422 | a parameter or the body does not fit |
| 429 | too many requests within a minute; `Retry-After` has the seconds to wait |
| 503 | the database cannot be read or written now |

"""


def page() -> str:
    """Return the page as Markdown."""
    app = web()
    document = app.openapi()
    roles = {(method, path): may for method, path, _, may in roles_by_route(app)}
    parts, group = [BEGINS], ""
    filters = {each["name"]: each for each in document["paths"]["/api/figures"]["get"]["parameters"]}
    parts += (f"| `{key}` | {_text(filters[key].get('description', ''))} |\n" for key in FILTER_KEYS)
    parts.append(STATUSES)
    for path, operations in document["paths"].items():
        resource = path.removeprefix("/api/").partition("/")[0].partition(".")[0]
        if resource != group:
            group = resource
            parts.append(f"## {group.capitalize() if group != 'openapi' else 'OpenAPI document'}\n\n")
        for method, operation in operations.items():
            may = roles.get((method.upper(), path), ())
            parts += _operation(method.upper(), path, operation, ", ".join(may), document["components"]["schemas"])
    return "".join(parts).rstrip() + "\n"


def _operation(
    method: str, path: str, operation: Mapping[str, Any], roles: str, schemas: Mapping[str, Any]
) -> Iterator[str]:
    yield f"### `{method} {path}`\n\n{operation['summary']}.{f' Roles: {roles}.' if roles else ''}\n\n"
    if text := operation.get("description"):
        yield f"{text.strip()}\n\n"
    rows = list(_parameters(operation.get("parameters", ())))
    if rows:
        yield "| parameter | in | meaning |\n|---|---|---|\n" + "".join(rows) + "\n"
    if content := operation.get("requestBody", {}).get("content", {}):
        kinds = " or ".join(f"`{kind}`" for kind in content)
        yield f"Body: {kinds}{_fields(next(iter(content.values())).get('schema', {}), schemas)}\n\n"
    yield "| answer | meaning |\n|---|---|\n"
    for status, answer in operation["responses"].items():
        if status in COMMON or status == "304":
            continue
        kinds = ", ".join(f"`{kind}`" for kind in answer.get("content", {}) if not status.startswith("4"))
        text = "" if answer["description"] == UNNAMED else _text(answer["description"])
        yield f"| {status} | {f'{text} ({kinds})' if text and kinds else text or kinds} |\n"
    yield "\n"


def _parameters(parameters: Any) -> Iterator[str]:
    names = {each["name"] for each in parameters}
    has_filter = set(FILTER_KEYS) <= names
    for each in parameters:
        if not (has_filter and each["name"] in FILTER_KEYS):
            need = ", required" if each.get("required") and each["in"] != "path" else ""
            yield f"| `{each['name']}` | {each['in']}{need} | {_text(each.get('description', ''))} |\n"
    if has_filter:
        yield "| [filter](#filter) | query | the matches, seats and rounds that count |\n"


def _fields(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return the fields of a JSON object with their types, without nested fields."""
    found = schemas.get(str(schema.get("$ref", "")).rpartition("/")[2], schema)
    needed = found.get("required", ())
    fields = [
        f"`{name}` {_type(kind)}{'' if name in needed else ', optional'}"
        for name, kind in found.get("properties", {}).items()
    ]
    return f" with {'; '.join(fields)}." if fields else "."


def _type(schema: Mapping[str, Any]) -> str:
    if options := schema.get("anyOf"):
        return " or ".join(dict.fromkeys(map(_type, options)))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return " or ".join(f'"{value}"' for value in schema["enum"])
    if isinstance(kinds := schema.get("type"), list):
        return " or ".join(kinds)
    return str(kinds or schema.get("$ref", "any").rpartition("/")[2])


def _text(text: str) -> str:
    """Return a text on one line, for a table cell."""
    return " ".join(text.split()).replace("|", "\\|")
