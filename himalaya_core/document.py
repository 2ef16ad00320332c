"""JSON documents: parsing, type checks of board fields, digests, and JSON Schemas of objects."""

import hashlib
import json
from collections.abc import Collection, Mapping
from typing import Any, Final

from himalaya_core.errors import BoardError

__all__ = ["as_json", "digest", "field_of", "from_json", "object_schema"]

KINDS: Final = {
    str: "text",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
    Mapping: "an object",
}


def from_json(data: bytes) -> Any:
    """Return the value in a UTF-8 JSON text. `ValueError` names the place of a syntax error."""
    try:
        return json.loads(data.decode())
    except UnicodeDecodeError as error:
        raise ValueError(f"expected text in UTF-8, found byte {data[error.start]:#x} at {error.start + 1:,}") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"expected JSON, found something else at {place}") from None
    except RecursionError:
        raise ValueError("expected JSON, found too many levels of it") from None


def as_json(value: object) -> str:
    """Return a value as JSON text, for use in a message."""
    return repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def as_seat(value: object) -> str:
    """Return a seat number for use in a message, counted from 1."""
    return str(value + 1) if type(value) is int else as_json(value)


def field_of(data: Any, where: str, key: str, kind: type) -> Any:
    """Return one field of an object. `BoardError` names the field if it has another type than `kind`."""
    if not isinstance(data, Mapping):
        raise BoardError(f"{where}: expected an object, found {as_json(data)}")
    if key not in data:
        raise BoardError(f"{where}: {key!r} is missing")
    value = data[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BoardError(f"{where}.{key}: expected {KINDS.get(kind, kind.__name__)}, found {as_json(value)}")
    return value


def digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a document's canonical JSON; `BoardError` if it is not valid JSON."""
    try:
        text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()
    except ValueError as error:
        raise BoardError(f"board: expected text and finite numbers that a log can carry: {error}") from None


def object_schema(properties: Mapping[str, Any], *, optional: Collection[str] = ()) -> dict[str, Any]:
    """Return the JSON Schema of an object with exactly these keys; all are required except the `optional` ones."""
    return {
        "type": "object",
        "properties": properties,
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }
