"""The payload cache: its contents, its limits, and that it does not change the loaded data."""

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from himalaya_core.games import GAMES
from ingest.read.split import chunk_of
from ingest.tables.schema import schema_of
from ingest.validate import payload_cache
from ingest.validate.payload_cache import PayloadCache
from ingest.validate.reader import FEW_BYTES, LineReader, decoded_payloads
from ingest.validate.validation import ValidatedChunk, check
from tests.core.log.damage import resign
from tests.ingest.helping import THREE, climbers_log, log, summit_log

LOGS = {
    "caravan": [log("a"), log("b", THREE)],
    "summit": [summit_log("s.2", ("random",) * 2, "golden-27"), summit_log("s.4", ("random",) * 4, "golden-27")],
    "climbers": [climbers_log("k.3", ("random",) * 3, "luck-1"), climbers_log("k.5", ("random",) * 5, "luck-1")],
}


def checked(lines: Sequence[bytes]) -> ValidatedChunk:
    return check(chunk_of(Path("a.jsonl"), b"".join(lines)), judges=False)


def spaced(lines: Sequence[bytes]) -> list[bytes]:
    """Return a log with added spaces, as another program might write it, so that no line is canonical."""
    return resign([json.dumps(json.loads(line)).encode() + b"\n" for line in lines])


@pytest.mark.parametrize("game", LOGS)
def test_canonical_lines_load_like_lines_read_one_by_one(game: str) -> None:
    for lines in LOGS[game]:
        ours, theirs = checked(lines), checked(spaced(lines))
        assert [len(ours.matches), ours.rejections, theirs.rejections] == [1, [], []]
        assert ours.events.keys() == theirs.events.keys()
        for name, table in ours.events.items():
            columns = [column for column in table.column_names if column != "lines_sha256"]
            assert table.select(columns).equals(theirs.events[name].select(columns))


def test_replacing_a_full_dictionary_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for each in LOGS["caravan"] for line in each]
    whole = checked(lines)
    monkeypatch.setattr(payload_cache, "MOST_KEPT", 10)
    payload_cache._kept.clear()
    first = [checked(lines), payload_cache._kept["caravan"]]
    again = [checked(lines), payload_cache._kept["caravan"]]
    assert first[1] is not again[1]
    for frame in (first[0], again[0]):
        assert isinstance(frame, ValidatedChunk)
        assert all(frame.events[name].equals(events) for name, events in whole.events.items())


def test_first_and_last_lines_and_long_payloads_are_not_cached() -> None:
    schema = schema_of(GAMES["caravan"])
    lines = LOGS["caravan"][0]
    texts = [b'"' + line.split(b'"type":"', 1)[1] for line in (lines[0], lines[-1], lines[1])]
    kept = PayloadCache(schema)
    kinds, rows, own = kept.find(texts)
    assert kinds.tolist()[:2] == [schema.started, schema.ended]
    assert rows.tolist() == [-1, -2, 0]
    assert len(own) == 2
    assert kept.find(texts[2:])[1].tolist() == [0]
    long = texts[2].replace(b'"data":', b" " * FEW_BYTES + b'"data":')
    assert [kept.find([long])[1].tolist(), kept.find([long])[1].tolist()] == [[-1], [-1]]


def test_all_actions_of_caravan_and_summit_players_survive_a_round_trip(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Payloads that fail this are twenty times as slow, as the reference reader must read their lines again."""
    monkeypatch.setattr(LineReader, "__call__", None)
    for game in ("caravan", "summit"):
        for lines in LOGS[game]:
            texts = [b'"' + line.split(b'"type":"', 1)[1] for line in lines]
            assert None not in decoded_payloads(texts, schema_of(GAMES[game]))


def test_payloads_with_an_invalid_one_among_them_are_decoded_as_if_alone() -> None:
    schema = schema_of(GAMES["caravan"])
    texts = [b'"' + line.split(b'"type":"', 1)[1] for line in LOGS["caravan"][0][:9]]
    odd = [b'"moved","data":{\n', *texts[:4], texts[4].replace(b'"data":', b' "data" : '), b"\xff\n", *texts[5:]]
    found = decoded_payloads(odd, schema)
    assert [place for place, payload in enumerate(found) if payload is None] == [0, 6]
    whole = [(payload.data, payload.action) for payload in decoded_payloads(texts, schema)]
    assert [(payload.data, payload.action) for payload in found if payload is not None] == whole


@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.parametrize("twice", [False, True])
def test_lines_that_are_not_one_document_each_are_refused_and_no_other(*, twice: bool, halves: bool) -> None:
    texts = [b'"' + line.split(b'"type":"', 1)[1] for line in LOGS["caravan"][0][:9]]
    two = texts[3].replace(b"\n", b'{"type":' + texts[4])
    half, rest = texts[5].replace(b"}\n", b',"x":[\n'), b"1}]}\n"
    odd = [*texts[:2], *([two] * twice), texts[2], *([half, rest] * halves), *texts[3:]]
    found = decoded_payloads(odd, schema_of(GAMES["caravan"]))
    refused = [*([two] * twice), *([half, rest] * halves)]
    assert [odd[place] for place, payload in enumerate(found) if payload is None] == refused
    whole = [(payload.data, payload.action) for payload in decoded_payloads(texts, schema_of(GAMES["caravan"]))]
    assert [(payload.data, payload.action) for payload in found if payload is not None] == whole


def test_several_threads_that_meet_new_payloads_together_agree() -> None:
    texts = sorted({b'"' + line.split(b'"type":"', 1)[1] for line in log("a")[1:-1]})
    kept = PayloadCache(schema_of(GAMES["caravan"]))
    with ThreadPoolExecutor(2) as threads:
        with kept._lock:  # ensures that both threads have looked before either adds a payload
            asked = [threads.submit(kept.find, each) for each in (texts, texts[::-1])]
            time.sleep(0.1)
        one, other = ([*zip(kinds, rows, strict=True)] for kinds, rows, _ in (each.result() for each in asked))
    assert one == other[::-1]
    assert len(set(one)) == len(texts)
    for kind in {kind for kind, _ in one}:
        kept.spread(kind)
    assert sum(kept.values.heights) <= len(texts)
