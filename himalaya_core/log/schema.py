"""The JSON Schema of a log line, generated from the pydantic models that `decode_line` uses.

A schema cannot express some checks, which only the reader makes: no repeated keys, 1.0 is not a whole number, the
length of a line, the days of a month, and how a line follows from earlier ones.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from himalaya_core.game import Game
from himalaya_core.log.codec import MATCH_ENDED, MATCH_STARTED, Ended, Envelope, Header

__all__ = ["NAME", "line_schema"]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
NAME: Final = "urn:himalaya:log:1"
DESCRIPTION: Final = "One line of an event log. Readers ignore unknown keys next to `data`."
SHARED: Final = ("match", "seq", "ply", "round", "at")
"""Envelope keys with the same schema on every line."""
BOARD: Final = {
    "description": "The whole board, if it is not one that ships with the game; its digest is in `data.board`.",
    "type": "object",
}

Schema = dict[str, Any]


class _Generator(GenerateJsonSchema):
    """Generator that keeps the field order, omits redundant titles and describes maps with numeric keys."""

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:  # noqa: ARG002
        return value

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        made = super().dict_schema(schema)
        keys: Mapping[str, Any] = {**schema.get("keys_schema", {})}
        if keys.get("type") == "int":
            made["propertyNames"] = _numbers(keys.get("ge"), keys.get("le"))
        return made


def _numbers(least: int | None, most: int | None) -> Schema:
    if least is None or most is None:
        return {"pattern": "^(0|-?[1-9][0-9]*)$"}
    return {"enum": [str(number) for number in range(least, most + 1)]}


def line_schema(games: Iterable[Game[Any, Any, Any]], name: str = NAME) -> Schema:
    """Return the JSON Schema (draft 2020-12) of a log line for these games; `name` becomes its `$id`.

    `$defs` contains `GAME.line.TYPE` for each type of event, the possible data and actions, and `GAME.position`. The
    digest of a `GAME.position` value is `state_sha256` on the last line.
    """
    named = {game.name: game for game in games}
    envelope = Envelope.model_json_schema(schema_generator=_Generator)["properties"]
    definitions: Schema = {key: envelope[key] for key in SHARED}
    for game in named.values():
        definitions |= _definitions(game, envelope)
    return {
        "$schema": DIALECT,
        "$id": name,
        "title": "The event log, format 1",
        "description": DESCRIPTION,
        "anyOf": [_ref(f"{game}.line") for game in named],
        "$defs": definitions,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _definitions(game: Game[Any, Any, Any], envelope: Schema) -> Schema:
    """Return the `$defs` of one game: `GAME.line`, one line per event type, the actions and the data."""
    events: dict[str, type[Any]] = {MATCH_STARTED: Header, **game.event_types, MATCH_ENDED: Ended}
    data = _models(game.name, [*events.values(), *game.action_types.values()])
    seats = {kind: _take_seat(data[f"{game.name}.{kind.__name__}"]) for kind in events.values()}
    data[f"{game.name}.{Header.__name__}"]["properties"]["game"] = {"const": game.name}
    actions = _actions(game, data)
    lines = {
        f"{game.name}.line.{name}": _line(game.name, name, kind, seats[kind], envelope) for name, kind in events.items()
    }
    position = {} if game.position_schema is None else {f"{game.name}.position": dict(game.position_schema)}
    return {f"{game.name}.line": {"oneOf": [_ref(name) for name in lines]}, **lines, **actions, **data, **position}


def _models(game: str, kinds: Iterable[type[Any]]) -> Schema:
    adapters: list[tuple[Any, Any, TypeAdapter[Any]]] = [(kind, "validation", TypeAdapter(kind)) for kind in kinds]
    template = f"#/$defs/{game}.{{model}}"
    _, made = TypeAdapter.json_schemas(adapters, ref_template=template, schema_generator=_Generator)
    return {f"{game}.{name}": schema for name, schema in made["$defs"].items()}


def _take_seat(data: Schema) -> Schema | None:
    """Remove the seat from the schema of an event or action and return it: on a log line, it is an envelope key."""
    seat: Schema | None = data["properties"].pop("seat", None)
    if seat is not None:
        data["required"].remove("seat")
    return seat


def _actions(game: Game[Any, Any, Any], data: Schema) -> Schema:
    """Return the schema of the possible actions, each with its `type`: seats' actions and chance actions."""
    choices: dict[str, list[Schema]] = {"seat": [], "chance": []}
    for name, kind in game.action_types.items():
        model = f"{game.name}.{kind.__name__}"
        action = data[model]
        who = "chance" if _take_seat(action) is None else "seat"
        action["properties"] = {"type": {"const": name}, **action["properties"]}
        action["required"] = ["type", *action.get("required", [])]
        choices[who].append(_ref(model))
    return {f"{game.name}.action.{who}": {"oneOf": actions} for who, actions in choices.items()}


def _line(game: str, name: str, kind: type[Any], seat: Schema | None, envelope: Schema) -> Schema:
    actions = [] if kind in (Header, Ended) else [_ref(f"{game}.action.{'chance' if seat is None else 'seat'}")]
    said = {key: {"description": envelope[key]["description"]} for key in ("type", "seat", "action")}
    properties: Schema = {
        **{key: _ref(key) for key in SHARED[:-1]},
        "type": {**said["type"], "const": name},
        "seat": {"type": "null"} if seat is None else {**said["seat"], **seat},
        "data": _ref(f"{game}.{kind.__name__}"),
        "action": {**said["action"], "anyOf": [*actions, {"type": "null"}]},
        "at": _ref("at"),
    }
    if kind is Header:
        properties["board"] = BOARD
    required = ["match", "seq", "ply", "round", "type", *(() if seat is None else ("seat",)), "data"]
    return {"title": name, "type": "object", "properties": properties, "required": required}
