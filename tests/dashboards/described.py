"""A server with all its routes, and the document that describes them."""

from functools import cache
from typing import Any, Final

import jsonschema_rs
from flask import Flask

from dashboards.app import create_app
from dashboards.http.access import Policy
from dashboards.http.logs import register_intake
from dashboards.http.openapi.document import document
from dashboards.http.playouts import register_playouts
from dashboards.report.routes import register_reports
from ingest.opening import open_warehouse
from ingest.receive.receive import Intake
from ingest.warehouse import IN_MEMORY, Warehouse

__all__ = ["conforms", "everything", "whole_document"]

LOCAL: Final = Policy()


def everything(warehouse: Warehouse, intake: Intake | None = None, policy: Policy = LOCAL) -> Flask:
    """Return a server with all its routes; nothing that is asked of it runs in the background but what is asked for."""
    server = create_app(warehouse).server
    register_intake(server, warehouse, intake or Intake(warehouse), policy)
    register_reports(server, warehouse)
    register_playouts(server, warehouse)
    return server


@cache
def whole_document() -> dict[str, Any]:
    """Return the document of such a server."""
    with open_warehouse(IN_MEMORY) as warehouse:
        return document(everything(warehouse))


def conforms(answer: Any, schema: str) -> bool:
    """Say whether an answer is as the document says; an error otherwise."""
    found = {"$ref": f"#/components/schemas/{schema}", "components": whole_document()["components"]}
    jsonschema_rs.validator_for(found, validate_formats=True).validate(answer)
    return True
