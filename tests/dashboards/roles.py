"""The page `docs/roles.md`: what each role may ask of the API, made from the routes themselves.

Made anew with `python -m tests.dashboards.roles > docs/roles.md`.
"""

import re
import sys
from collections.abc import Iterator
from typing import Any, Final

from flask import Flask

from dashboards.http.openapi.document import document
from ingest.opening import open_warehouse
from ingest.people.tokens import ROLES, Role, Scope
from ingest.warehouse import IN_MEMORY
from tests.dashboards.described import everything

__all__ = ["COLUMNS", "page", "roles_by_route"]

COLUMNS: Final = (Role.VIEWER, Role.EDITOR, Role.OPERATOR, Role.SENDER)
PARAMETER: Final = re.compile(r"<(?:[^<>:]+:)?(\w+)>")
BEGINS: Final = """\
# Who may what

A [token](operator.md#who-may-what) has one or more roles. Whoever is on the server's own machine may do everything,
unless it was started with `--require-token`; with `--public-read` everybody is a viewer. Pages are for viewers; an
operator also sees everybody's reports, and `/metrics`. This page is made by `python -m tests.dashboards.roles`.

| request | what it does | viewer | editor | operator | sender |
|---|---|---|---|---|---|
"""


def roles_by_route(server: Flask) -> Iterator[tuple[str, str, str, list[Role]]]:
    """Yield method, path, what it does, and which roles may ask for it, of each route that the document describes."""
    described: dict[str, dict[str, Any]] = document(server)["paths"]
    views = {
        (method, PARAMETER.sub(r"{\1}", rule.rule)): server.view_functions[rule.endpoint]
        for rule in server.url_map.iter_rules()
        for method in rule.methods or ()
    }
    for path, methods in described.items():
        for method, operation in methods.items():
            needed = getattr(views[method.upper(), path], "needs", frozenset({Scope.READ}))
            may = [role for role in COLUMNS if not needed or needed & ROLES[role]]
            yield method.upper(), path, operation["summary"], may


def page() -> str:
    """Return the text of the page."""
    with open_warehouse(IN_MEMORY) as warehouse:
        rows = sorted(roles_by_route(everything(warehouse)), key=lambda row: (row[1], row[0]))
    lines = (
        f"| `{method} {path}` | {summary} | {' | '.join('yes' if role in may else '' for role in COLUMNS)} |\n"
        for method, path, summary, may in rows
    )
    return BEGINS + "".join(lines)


if __name__ == "__main__":
    sys.stdout.write(page())
