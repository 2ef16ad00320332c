"""The OpenAPI document, and a check that responses conform to it."""

from functools import cache
from typing import Any

import jsonschema_rs

from ingest.opening import open_warehouse
from ingest.warehouse import IN_MEMORY
from tests.dashboards.client import everything

__all__ = ["conforms", "whole_document"]


@cache
def whole_document() -> dict[str, Any]:
    """Return the OpenAPI document of a server with all routes."""
    with open_warehouse(IN_MEMORY) as warehouse:
        document: dict[str, Any] = everything(warehouse, has_pages=False).get("/api/openapi.json").json
        return document


def conforms(answer: Any, schema: str) -> bool:
    """Check that a response conforms to the OpenAPI document."""
    found = {"$ref": f"#/components/schemas/{schema}", "components": whole_document()["components"]}
    jsonschema_rs.validator_for(found, validate_formats=True).validate(answer)
    return True
