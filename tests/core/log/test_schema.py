"""The JSON Schema and the reference reader accept the same lines; an independent library evaluates the schema."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from himalaya_core.caravan.view import OF_OPTIONS
from himalaya_core.cli.main import main
from himalaya_core.files import log_files, read_lines
from himalaya_core.games import GAMES
from himalaya_core.log.codec import MATCH_ENDED, MATCH_STARTED, LogError, canonical, decode_line
from himalaya_core.log.schema import line_schema
from tests.conformance.playing import EVERY, Variant, decisions, recorded

ROOT = Path(__file__).parents[3]
SCHEMA = line_schema(GAMES.values())
LINE = jsonschema_rs.validator_for(SCHEMA)
OF_ONE = {name: jsonschema_rs.validator_for(line_schema([game])) for name, game in GAMES.items()}
CARAVAN = "caravan"
ENVELOPE = {"match", "seq", "ply", "round", "type", "data"}
COMMON, ENDS = {"match", "seq", "ply", "round"}, {MATCH_STARTED, MATCH_ENDED}
TYPES = {MATCH_STARTED, MATCH_ENDED}.union(*(game.event_types for game in GAMES.values()))
GOLDEN = [
    (path.name.partition("-")[0], json.loads(line))
    for path in log_files([ROOT / "tests/golden"])
    for line in read_lines(path)
]
SHAPES = {
    f"{game} {line['type']} {' '.join(sorted({**line, **line['data']}.keys() - ENVELOPE))}": (game, line)
    for game, line in GOLDEN
}
"""One line of the golden logs for each type and set of keys, with its game."""
ENVELOPED = {
    name: next(line for game, line in SHAPES.values() if game == name and line["type"] != MATCH_STARTED)
    for name in GAMES
}
"""One event of each game in which the common fields are altered, too."""
FIRST = 2
"""Number of list items that are altered; further items are similar."""


def fits(line: Any, game: str = CARAVAN) -> bool:
    return OF_ONE[game].is_valid(line)


def is_read(line: bytes, game: str = CARAVAN) -> bool:
    try:
        decode_line(line, GAMES[game])
    except LogError:
        return False
    return True


def test_the_schema_is_valid() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMA["$id"].startswith("urn:")


def test_every_type_of_event_and_action_is_defined() -> None:
    for game in GAMES.values():
        lines = [ref["$ref"].removeprefix("#/$defs/") for ref in SCHEMA["$defs"][f"{game.name}.line"]["oneOf"]]
        assert lines == [f"{game.name}.line.{name}" for name in (MATCH_STARTED, *game.event_types, MATCH_ENDED)]
        names = {
            SCHEMA["$defs"][ref["$ref"].removeprefix("#/$defs/")]["properties"]["type"]["const"]
            for who in ("seat", "chance")
            for ref in SCHEMA["$defs"][f"{game.name}.action.{who}"]["oneOf"]
        }
        assert names == set(game.action_types)


def test_extra_keys_are_allowed_in_the_envelope_but_not_in_data() -> None:
    for name, definition in SCHEMA["$defs"].items():
        if "properties" in definition:
            assert definition.get("additionalProperties", True) is (".line." in name), name


@pytest.mark.parametrize("folder", ["tests/golden", pytest.param("logs/sample", marks=pytest.mark.slow("more lines"))])
def test_every_recorded_line_fits_the_schema(folder: str) -> None:
    seen = set()
    for path in log_files([ROOT / folder]):
        for line in read_lines(path):
            whole = json.loads(line)
            LINE.validate(whole)
            seen.add(whole["type"])
    assert seen == TYPES if folder == "tests/golden" else seen <= TYPES


# --- Altered lines


NUMBERS = (-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 18, 19, 20, 21, 60, 61, 99, 100, 999, 1000, 2**31 - 1, 2**31, 2.5)
OTHERS = (None, True, False, "", "1", "salt", "soil", "yeti", "offering", "moved", "collect", "é", [], [1], [1, 2], {})
TEXTS = ("x" * 64, "x" * 65, "a\n", "a b", "0" * 64, "2026-01-01T00:00:00Z", "2026-01-01")
MAPS: tuple[Any, ...] = ({"1": 1}, {"01": 1}, {" 1": 1}, {"9": 1}, {"-1": 1}, {"salt": 1}, {"salt": 0}, {"1": None})
ODD = (*NUMBERS, *OTHERS, *TEXTS, *MAPS)
TIMES = (
    "2026-01-01t00:00:00.5+05:45",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00Z",
    "1767225600",
    "2026-13-01T00:00:00Z",
)
ADDED = (
    *(("at", time) for time in (*TIMES, 5, None, {})),
    *(("seat", seat) for seat in (0, 5, 6, None, "0")),
    *(("action", action) for action in (None, 1, {}, {"type": "pass_token"}, {"type": "roll_order"}, {"type": "nap"})),
    ("action", {"type": "roll_order", "die": 1, "order": "o1"}),
    ("recorder", {"a": [1]}),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value within a line."""
    inside: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value[:FIRST])
    for key, inner in inside:
        yield (*path, key)
        yield from places(inner, (*path, key))


Bend = Callable[[Any, Any, Any], None]


def replaced(inner: Any, key: Any, odd: Any) -> None:
    inner[key] = odd


def removed(inner: Any, key: Any, _: Any) -> None:
    del inner[key]


def joined(inner: Any, key: Any, odd: Any) -> None:
    if isinstance(inner, dict):
        inner[f"{key}_"] = odd
    else:
        inner.append(odd)


BENDS: tuple[Bend, ...] = (replaced, removed, joined)


def bent(line: Any, path: tuple[Any, ...], bend: Bend, odd: Any) -> Any:
    """Return the line with the value at a path altered."""
    whole = deepcopy(line)
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    bend(inner, path[-1], deepcopy(odd))
    return whole


def assert_agreed(line: Any, game: str) -> None:
    text = json.dumps(line)
    assert fits(line, game) == is_read(text.encode(), game), text


def is_told_elsewhere(path: tuple[Any, ...]) -> bool:
    """Return whether a value, the name of the game, is checked when reading a match instead of a line."""
    return path == ("data", "game")


@pytest.mark.slow("every place of a line")
@pytest.mark.parametrize(("game", "line"), SHAPES.values(), ids=SHAPES)
def test_schema_and_reader_agree_on_a_line_with_one_change(game: str, line: Any) -> None:
    assert_agreed(line, game)
    for path in places(line):
        if not is_told_elsewhere(path) and (path[0] not in COMMON or line["type"] in ENDS or line is ENVELOPED[game]):
            for odd in ODD:
                assert_agreed(bent(line, path, replaced, odd), game)
            assert_agreed(bent(line, path, removed, None), game)
        for odd in (0, None, "salt", {}):
            assert_agreed(bent(line, path, joined, odd), game)
    for key, value in ADDED:
        assert_agreed({**line, key: value}, game)


@given(st.sampled_from(list(SHAPES.values())), st.data())
def test_schema_and_reader_agree_on_a_line_with_several_changes(shape: tuple[str, Any], data: st.DataObject) -> None:
    game, line = shape
    for _ in range(data.draw(st.integers(1, 4))):
        there = [path for path in places(line) if not is_told_elsewhere(path)]
        path, bend, odd = data.draw(st.tuples(st.sampled_from(there), st.sampled_from(BENDS), st.sampled_from(ODD)))
        line = bent(line, path, bend, odd)
    assert_agreed(line, game)


STARTED, MOVED = (
    next(json.dumps(line).encode() for game, line in GOLDEN if (game, line["type"]) == (CARAVAN, kind))
    for kind in (MATCH_STARTED, "moved")
)
NOT_IN_A_SCHEMA = {
    "a key twice": MOVED.replace(b'"step": ', b'"step": 1, "step": '),
    "a whole number with a point": re.sub(rb'"step": .', b'"step": 1.0', MOVED),
    "a whole number with an exponent": MOVED.replace(b'"seq": ', b'"seq": 1e0, "x": '),
    "a line of more than a MiB": MOVED[:-1] + b',"x":"' + b"x" * (1 << 20) + b'"}',
    "a nesting of more than 200 levels": MOVED[:-1] + b',"x":' + b"[" * 201 + b"]" * 201 + b"}",
    "a number that no double holds": MOVED[:-1] + b',"x":1e999}',
    "a day that its month has not": MOVED[:-1] + b',"at":"2026-02-30T00:00:00Z"}',
}
NOT_ON_A_LINE = {
    "a game that is none": STARTED.replace(b'"caravan"', b'"chess"'),
    "a board that is no document": STARTED[:-1] + b',"board":5}',
}


@pytest.mark.parametrize("line", NOT_IN_A_SCHEMA.values(), ids=NOT_IN_A_SCHEMA)
def test_the_reader_refuses_faults_that_no_schema_can_express(line: bytes) -> None:
    assert fits(json.loads(line))
    assert not is_read(line)


@pytest.mark.parametrize("line", NOT_ON_A_LINE.values(), ids=NOT_ON_A_LINE)
def test_the_schema_refuses_faults_that_a_single_line_does_not_show(line: bytes) -> None:
    assert is_read(line)
    assert not fits(json.loads(line))


# --- The command that prints the schema


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA
    assert main(["schema", "caravan"]) == 0
    of_one = json.loads(capsys.readouterr().out)
    assert of_one["$id"] == "urn:himalaya:log:1:caravan"
    assert of_one["anyOf"] == [{"$ref": "#/$defs/caravan.line"}]


@pytest.mark.slow("a process of its own")
def test_the_same_text_is_printed_every_time(capsys: pytest.CaptureFixture[str]) -> None:
    main(["schema"])
    command = [sys.executable, "-m", "himalaya_core.cli.main", "schema"]
    again = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "7"}, capture_output=True, check=True)
    assert again.stdout.decode() == capsys.readouterr().out


@pytest.mark.parametrize("variant", EVERY, ids=str)
def test_the_schema_describes_positions(variant: Variant) -> None:
    match, _ = recorded(variant, "logging")
    schema = line_schema([variant.game])["$defs"][f"{variant.name}.position"]
    fits_it = jsonschema_rs.validator_for(schema).is_valid
    stops = [*decisions(match), match.state]
    found = [json.loads(canonical(variant.game.position(state))) for state in stops]
    assert all(fits_it(position) for position in found)
    assert set().union(*found) == set(schema["required"]) | (set(schema["properties"]) & found[0].keys())
    for key in found[-1]:
        assert not fits_it({name: value for name, value in found[-1].items() if name != key}) or key in OF_OPTIONS
    assert not fits_it({**found[-1], "more": 1})
