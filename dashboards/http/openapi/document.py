"""The OpenAPI document of a server: made from what it serves and the records it answers with, so that they agree."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any, Final, Literal

from flask import Flask
from pydantic import TypeAdapter

from dashboards.http.openapi.described import API, Refusal, adapter_of, operations_of, records_of

__all__ = ["API", "LOGS", "Refusal", "as_json", "document"]

LOGS: Final = f"{API}/logs"


def as_json(record: Any) -> Any:
    """Return a record as the API answers with it."""
    return adapter_of(type(record)).dump_python(record, mode="json")  # type: ignore[arg-type]  # a class has a hash


def document(server: Flask) -> dict[str, Any]:
    """Return the document, OpenAPI 3.1, of all that a server serves with a description."""
    paths: dict[str, dict[str, Any]] = {}
    operations = operations_of(server)
    for (path, method), (rule, operation) in operations.items():
        paths.setdefault(path, {})[method.lower()] = operation.described(rule)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Himalaya",
            "version": version("himalaya"),
            "description": "Send logs of matches, ask what became of them, and read what is stored.",
        },
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": _schemas(records_of(operation for _, operation in operations.values())),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "`himalaya token create NAME` makes one, for some of the roles viewer, editor, "
                    "operator and sender. On the server's own machine nothing needs one, unless it was started with "
                    "`--require-token`. From other machines and through a proxy everything needs one, but "
                    "reading where it was started with `--public-read`: 401 without, 403 if its role may not.",
                }
            },
        },
    }


def _schemas(records: Iterable[type]) -> dict[str, Any]:
    """Return the schemas of records, and of the records in those."""
    adapters: list[tuple[str, Literal["serialization"], TypeAdapter[Any]]] = [
        (record.__name__, "serialization", TypeAdapter(record)) for record in records
    ]
    _, schemas = TypeAdapter.json_schemas(adapters, ref_template="#/components/schemas/{model}")
    found: dict[str, Any] = schemas["$defs"]
    return found
