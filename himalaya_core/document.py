"""JSON documents: the fields of a board, each checked for its type, its digest, and the schema of an object."""

import hashlib
import json
from collections.abc import Collection, Mapping
from typing import Any

from himalaya_core.errors import BoardError

__all__ = ["digest", "field_of", "object_schema"]


def field_of(data: Any, where: str, key: str, kind: type) -> Any:
    """Return a field of an object in a document; `BoardError` names the place if it is of another type."""
    if not isinstance(data, Mapping):
        raise BoardError(f"{where}: expected an object, found {data!r}")
    if key not in data:
        raise BoardError(f"{where}: {key!r} is missing")
    value = data[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BoardError(f"{where}.{key}: expected {kind.__name__}, found {value!r}")
    return value


def digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a document's canonical JSON; `BoardError` if it is not valid JSON."""
    try:
        text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()
    except ValueError as error:
        raise BoardError(f"board: expected text and finite numbers that a log can carry: {error}") from None


def object_schema(properties: Mapping[str, Any], *, optional: Collection[str] = ()) -> dict[str, Any]:
    """Return the JSON Schema of an object that has these keys, all but the optional ones always, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }
