"""The pages on the log format document every event, action and key; their examples match the schema."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from himalaya_core.files import read_lines
from himalaya_core.games import GAMES
from himalaya_core.log.codec import MATCH_ENDED, MATCH_STARTED, Envelope
from himalaya_core.log.matches import matches
from himalaya_core.log.schema import line_schema

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "docs" / "reference"
SAMPLE = ROOT / "logs" / "sample" / "sample-four-0001.jsonl.zst"
SECTIONS = dict(part.split("\n", 1) for part in (PAGES / "event-log.md").read_text("utf-8").split("\n## ")[1:])
WHOLE = {name: (PAGES / f"{name}-log.md").read_text("utf-8") for name in GAMES}
GAME_SECTIONS = {name: text.partition("\n## The order of events")[0] for name, text in WHOLE.items()}
POSITIONS = {name: text.partition("\n## The position")[2] for name, text in WHOLE.items()}
SCHEMA = line_schema(GAMES.values())
DEFINITIONS = SCHEMA["$defs"]
CODE = re.compile(r"`([^`]+)`")

Row = tuple[str, str, str]


def rows(text: str) -> list[Row]:
    """Return the table rows of a section: the names in the first cell, the second cell, and the third."""
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line[:2] == "| "]
    return [
        (row[0].strip("| `"), row[1].strip(), row[2].rstrip("| ")) for row in cells if row[0].strip().startswith("`")
    ]


def examples(text: str) -> list[Any]:
    return [json.loads(code) for code in CODE.findall(text) if code.startswith("{")]


def resolved(schema: Any) -> Any:
    """Return a definition; if it is only a reference, the definition that it refers to."""
    return DEFINITIONS[schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema


def assert_fits(example: Any, definition: Any) -> None:
    jsonschema_rs.validator_for({**definition, "$defs": DEFINITIONS}).validate(example)


def words(schema: Any) -> set[str]:
    """Return the words that a schema allows in its own enumerations and in referenced ones."""
    if isinstance(schema, list):
        return set().union(*map(words, schema))
    if not isinstance(schema, dict):
        return set()
    if "$ref" in schema:
        return words(resolved(schema))
    own = {word for word in schema.get("enum", ()) if not word.isdecimal()}
    return own.union(*(words(part) for part in schema.values()))


EVENTS = {(game, row[0]): row for game in GAMES for row in rows(GAME_SECTIONS[game]) if row[1] in ("✓", "–")}
ACTIONS = {(game, row[0]): row for game in GAMES for row in rows(GAME_SECTIONS[game]) if row[1] in ("chance", "seat")}


def test_the_page_names_every_key_of_the_envelope() -> None:
    assert [row[0] for row in rows(SECTIONS["The envelope"])] == [*Envelope.model_fields, "board"]


@pytest.mark.parametrize("name", GAMES)
def test_the_page_names_every_event_and_action_once_and_no_others(name: str) -> None:
    named = [row[0] for row in rows(GAME_SECTIONS[name])]
    assert sorted(named) == sorted([*GAMES[name].event_types, *GAMES[name].action_types])


@pytest.mark.parametrize(("game", "event"), EVENTS, ids=lambda value: value)
def test_the_row_of_an_event_is_right(game: str, event: str) -> None:
    _, seat, text = EVENTS[game, event]
    line = DEFINITIONS[f"{game}.line.{event}"]
    assert seat == ("✓" if "seat" in line["required"] else "–")
    data = resolved(line["properties"]["data"])
    shown = examples(text)
    assert shown, "an example"
    for example in shown:
        assert_fits(example, data)
    assert set().union(*shown) == data["properties"].keys(), "every key is shown"


@pytest.mark.parametrize(("game", "action"), ACTIONS, ids=lambda value: value)
def test_the_row_of_an_action_is_right(game: str, action: str) -> None:
    _, whose, text = ACTIONS[game, action]
    kind = GAMES[game].action_types[action]
    data = DEFINITIONS[f"{game}.{kind.__name__}"]
    assert {"$ref": f"#/$defs/{game}.{kind.__name__}"} in DEFINITIONS[f"{game}.action.{whose}"]["oneOf"]
    shown = examples(text)
    for example in shown:
        assert example["type"] == action
        assert_fits(example, data)
    assert set().union(*shown) == data["properties"].keys(), "every key is shown"


@pytest.mark.parametrize("game", GAMES)
def test_the_page_lists_every_word_that_an_event_can_contain(game: str) -> None:
    lines = [DEFINITIONS[f"{game}.line.{event}"] for event in (MATCH_STARTED, *GAMES[game].event_types, MATCH_ENDED)]
    said = set(re.findall(r"[`\"]([A-Za-z0-9_]+)[`\"]", GAME_SECTIONS[game] + SECTIONS["First and last line"]))
    assert words(lines) - said == set()


def test_the_first_and_the_last_line_are_shown() -> None:
    shown = [
        json.loads(block) for block in re.findall(r"```json\n(.*?)```", SECTIONS["First and last line"], re.DOTALL)
    ]
    assert [line["type"] for line in shown] == [MATCH_STARTED, MATCH_ENDED]
    for line in shown:
        jsonschema_rs.validator_for(SCHEMA).validate(line)
    _, lines = next(matches(read_lines(SAMPLE)))
    assert shown == [json.loads(lines[0]), json.loads(lines[-1])], "of a match that there is"
    for line in shown:
        data = resolved(DEFINITIONS[f"caravan.line.{line['type']}"]["properties"]["data"])
        assert line["data"].keys() == set(data["required"])


@pytest.mark.parametrize("game", GAMES)
def test_the_page_names_every_key_of_a_position_and_no_others(game: str) -> None:
    schema = DEFINITIONS[f"{game}.position"]
    rows_of_it = [line.strip("|").split(" | ", 1) for line in POSITIONS[game].splitlines() if line.startswith("| `")]
    named = [key for cell, _ in rows_of_it for key in CODE.findall(cell)]
    assert sorted(named) == sorted(schema["properties"])
    of_seats = next(text for cell, text in rows_of_it if "seats" in cell)
    assert set(CODE.findall(of_seats)) >= set(schema["properties"]["seats"]["items"]["properties"])
