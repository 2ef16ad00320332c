"""Finds all data to forget about matches and people: rows, logs, quarantine, branches, notes, recordings."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Self

import duckdb
import polars as pl

from himalaya_core.games import GAMES
from himalaya_core.names import normalize_name, visible
from himalaya_core.players import players_of
from ingest.app_store import AppStore
from ingest.errors import WarehouseError
from ingest.load.rejected import first_line_of, tombstoned
from ingest.maintenance.mentions import Found, Mentions, QuarantinedText, find_notes, matches_of_notes, people_in_notes
from ingest.values import unpack
from ingest.warehouse import Report

__all__ = ["Wanted", "find", "first_lines", "frame", "header_of", "marked", "matches_in", "registered"]

NAMES: Final = re.compile(rb'"match"\s*:\s*"([^"\\]{1,64})"')
MATCHES: Final = """
SELECT match_id, events, file, about.tournament, match FROM raw_matches SEMI JOIN gone_names USING (match)
LEFT JOIN (SELECT match_id, tournament FROM dim_matches) AS about USING (match_id) ORDER BY match_id
"""
PLAYERS: Final = """
SELECT DISTINCT player FROM dim_seats SEMI JOIN (FROM raw_matches SEMI JOIN gone_names USING (match)) USING (match_id)
ORDER BY player
"""
COPIES: Final = """
SELECT match FROM dim_matches WHERE contents IN (SELECT contents FROM dim_matches SEMI JOIN gone_names USING (match))
AND match NOT IN (SELECT match FROM gone_names) ORDER BY match
"""
"""Finds the same matches, loaded under other names."""
OF_TOURNAMENTS: Final = "SELECT match, tournament FROM dim_matches WHERE list_contains($tournaments, tournament)"
OF_SEATS: Final = """
SELECT DISTINCT match FROM dim_matches JOIN dim_seats USING (match_id)
WHERE list_contains($players, player) OR list_contains($labels, label)
"""
BRANCHES: Final = """
SELECT match, branch_match FROM raw_matches JOIN stg_match_started USING (match_id) WHERE branch_match IS NOT NULL
"""
ONLY_NAMED: Final = """
SELECT match FROM (SELECT match FROM quarantine UNION SELECT unnest($noted))
ANTI JOIN raw_matches USING (match) WHERE match IS NOT NULL
"""
"""Finds matches that are named in notes or in quarantine but not loaded."""
LOGS: Final = """
SELECT match_id, match, bytes_sha256, lines FROM raw_matches WHERE match_id BETWEEN $first AND $last ORDER BY match_id
"""
SOME_LOGS: Final = """
SELECT bytes_sha256, lines FROM raw_matches
WHERE match_id BETWEEN $first AND $last AND list_contains($ids, match_id)
"""
SLICE: Final = 100
"""Maximum number of texts searched together."""
QUARANTINED: Final = """
SELECT quarantine_id, match, sha256, size, file, text FROM quarantine
WHERE quarantine_id > $after ORDER BY quarantine_id LIMIT $most
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to forget: matches and tournaments by name, people by normalized name."""

    matches: Sequence[str]
    tournaments: Sequence[str] = ()
    people: frozenset[str] = frozenset()

    @classmethod
    def read(cls, arguments: Mapping[str, Any]) -> Self:
        """Parse the arguments of the operation. Raises `WarehouseError` for a name that cannot be a person's."""
        people = frozenset(map(normalize_name, arguments.get("players", ())))
        for name in people:
            if not re.search(r"\w", name):
                raise WarehouseError(f"{name!r} is not the name of a person; nothing was forgotten")
            if game := _game_with_player(name):
                raise WarehouseError(f"{name} is a player of {game}, not a person; nothing was forgotten")
        return cls(arguments.get("matches", ()), arguments.get("tournaments", ()), people)


def find(connection: duckdb.DuckDBPyConnection, store: AppStore, wanted: Wanted, report: Report) -> Found:
    """Find everything to forget, with all data derived from it or written about it."""
    found = Found(set(wanted.matches), Mentions.of(wanted.people))
    for match, tournament in connection.execute(OF_TOURNAMENTS, {"tournaments": wanted.tournaments}).fetchall():
        found.names.add(match)
        found.seen.add(tournament)
    if wanted.people:
        _find_people(connection, found, wanted.people, matches_of_notes(store))
        people_in_notes(store, found, wanted.people)
    texts = list(_quarantined(connection, found, wanted.tournaments, report))
    _add_branches(connection, found, texts)
    for text_row in texts:
        found.take(text_row)
    with registered(connection, {"gone_names": frame("match", sorted(found.names), pl.String)}):
        for match_id, events, file, tournament, match in connection.execute(MATCHES).fetchall():
            found.matches.append(match_id)
            found.events += events
            found.files.add(file)
            found.seen.add(match)
            found.tournaments[tournament] = found.tournaments.get(tournament, 0) + 1
        players = [name for (name,) in connection.execute(PLAYERS).fetchall()]
        found.same = [name for (name,) in connection.execute(COPIES).fetchall()]
    found.others = [
        name for name in players if normalize_name(name) not in wanted.people and not _game_with_player(name)
    ]
    found.mentions = found.mentions.and_matches(found.names)
    _find_marks(connection, found)
    find_notes(store, found)
    if wanted.people:
        _find_remaining(connection, found, report)
    return found


def _find_people(connection: duckdb.DuckDBPyConnection, found: Found, people: frozenset[str], noted: set[str]) -> None:
    """Find matches in which these people played, by player name and by seat label.

    Also find matches named after them that are not loaded: matches in quarantine, and matches in `noted`, which are
    named in texts of the app store.
    """
    given = {label for game in GAMES.values() for label in game.seat_labels}
    shown = {visible(name): name for name in people}  # in the spelling that `dim_seats` uses
    sat: dict[str, list[str]] = {}
    for column in ("player", "label"):
        names = [name for (name,) in connection.execute(f"SELECT DISTINCT {column} FROM dim_seats").fetchall()]
        but = given if column == "label" else set[str]()
        sat[f"{column}s"] = [name for name in names if normalize_name(name) in shown and name not in but]
        found.seen.update(shown[normalize_name(name)] for name in sat[f"{column}s"])
    found.names.update(match for (match,) in connection.execute(OF_SEATS, sat).fetchall())
    only_named = connection.execute(ONLY_NAMED, {"noted": sorted(noted)}).fetchall()
    found.names.update(match for (match,) in only_named if found.mentions.names_person(match))


def _game_with_player(name: str) -> str | None:
    """Return the name of a game that has a built-in player of this name, in any case."""
    name = normalize_name(name)
    either = (name, name.casefold())
    return next((game.name for game in GAMES.values() if any(each in players_of(game) for each in either)), None)


def _quarantined(
    connection: duckdb.DuckDBPyConnection, found: Found, tournaments: Sequence[str], report: Report
) -> Iterator[QuarantinedText]:
    """Yield the texts in quarantine.

    Matches of the tournaments, and matches with texts that mention people, are added to the matches to forget.
    """
    headers = {name: header_of(name) for name in tournaments}

    def is_wanted(text: bytes) -> bool:
        return any(header.search(text) for header in headers.values()) or found.mentions.names_person(text)

    ((total,),) = connection.execute("SELECT count(*) FROM quarantine").fetchall()
    done = after = 0
    while texts := connection.execute(QUARANTINED, {"after": after, "most": SLICE}).fetchall():
        for number, match, digest, size, file, packed in texts:
            text = unpack(packed, max_output_size=size)
            first_line = text.partition(b"\n")[0]
            named = matches_in(text) | ({match} if match else set())
            found.seen |= {name for name, header in headers.items() if header.search(text)}
            if wanted := is_wanted(text):
                found.names |= named - _loaded(connection, named)
            yield QuarantinedText(
                number,
                match,
                digest,
                file,
                named,
                matches_in(first_line),
                first_line_of(text),
                wanted,
                wanted and is_wanted(first_line),
            )
            after = number
        done += len(texts)
        report({"what": "searching", "done": done, "total": total})


def _loaded(connection: duckdb.DuckDBPyConnection, names: Iterable[str]) -> set[str]:
    """Return those of the given matches that are loaded."""
    sql = "SELECT match FROM raw_matches WHERE list_contains($names, match)"
    return {match for (match,) in connection.execute(sql, {"names": sorted(names)}).fetchall()}


def matches_in(text: bytes) -> set[str]:
    """Return the names of matches in lines of logs."""
    return {name.decode(errors="replace") for name in NAMES.findall(text)}


def header_of(tournament: str) -> re.Pattern[bytes]:
    """Return the pattern of a first line that names this tournament, with or without JSON escapes."""
    written = {json.dumps(tournament).encode(), json.dumps(tournament, ensure_ascii=False).encode()}
    return re.compile(rb'"tournament"\s*:\s*(?:' + b"|".join(map(re.escape, sorted(written))) + rb")")


def _add_branches(connection: duckdb.DuckDBPyConnection, found: Found, texts: Iterable[QuarantinedText]) -> None:
    """Add the branches of the matches, loaded or in quarantine, and the branches of those branches."""
    origins = connection.execute(BRANCHES).fetchall()
    origins += [(text.match, origin) for text in texts if text.match for origin in text.first_names - {text.match}]
    while more := {match for match, origin in origins if origin in found.names} - found.names:
        found.names |= more


def _find_marks(connection: duckdb.DuckDBPyConnection, found: Found) -> None:
    """Find receipts that name the matches, and matches that are still being written."""
    for receipt, result in connection.execute("SELECT receipt, CAST(result AS VARCHAR) FROM receipts").fetchall():
        if found.names & matches_in(result.encode()):
            found.receipts.append(receipt)
    live = connection.execute("SELECT live FROM watched_files WHERE live IS NOT NULL").fetchall()
    found.live = sorted(name for (name,) in live if name in found.names)
    found.seen.update(found.live)


def _find_remaining(connection: duckdb.DuckDBPyConnection, found: Found, report: Report) -> None:
    """Find matches that are kept although their logs mention a person, because a log cannot be changed."""
    gone = set(found.matches)
    for match_id, match, _, lines in _logs(connection, report):
        if match_id not in gone and found.mentions.names_person(unpack(lines)):
            found.remaining.append(match)


def _logs(connection: duckdb.DuckDBPyConnection, report: Report) -> Iterator[tuple[int, str, str, bytes]]:
    """Yield the id, name, digest and compressed lines of each match."""
    ((last,),) = connection.execute("SELECT coalesce(max(match_id), 0) FROM raw_matches").fetchall()
    for first in range(1, last + 1, SLICE):
        report({"what": "searching", "done": first - 1, "total": last})
        yield from connection.execute(LOGS, {"first": first, "last": first + SLICE - 1}).fetchall()


def marked(connection: duckdb.DuckDBPyConnection, report: Report) -> tuple[set[str], set[int]]:
    """Return the matches that tombstones cover, and the ids of quarantined texts without a match that they cover."""
    names, nameless = set[str](), set[int]()
    ((marks,),) = connection.execute("SELECT count(*) FROM forgotten_matches").fetchall()
    logs = _logs(connection, report) if marks else iter(())
    while some := list(islice(logs, SLICE)):
        out = tombstoned(connection, ((digest, unpack(lines)) for _, _, digest, lines in some))
        names.update(match for _, match, digest, _ in some if digest in out)
    after = 0
    while marks and (rows := connection.execute(QUARANTINED, {"after": after, "most": SLICE}).fetchall()):
        texts = ((digest, unpack(text, max_output_size=size)) for _, _, digest, size, _, text in rows)
        out = tombstoned(connection, texts)
        names.update(match for _, match, digest, *_ in rows if match and digest in out)
        nameless.update(number for number, match, digest, *_ in rows if not match and digest in out)
        after = rows[-1][0]
    return names, nameless


def first_lines(connection: duckdb.DuckDBPyConnection, found: Found) -> dict[str, str]:
    """Return the digests of the matches' logs, each with the digest of its first line."""
    logs = dict[str, str]()
    for start in range(0, len(found.matches), SLICE):
        ids = found.matches[start : start + SLICE]
        values = {"first": ids[0], "last": ids[-1], "ids": ids}
        for digest, lines in connection.execute(SOME_LOGS, values).fetchall():
            logs[digest] = first_line_of(unpack(lines))
    return logs


@contextmanager
def registered(connection: duckdb.DuckDBPyConnection, frames: Mapping[str, pl.DataFrame]) -> Iterator[None]:
    """Register frames with a connection, under their names, during the block."""
    for name, frame in frames.items():
        connection.register(name, frame)
    try:
        yield
    finally:
        for name in frames:
            connection.unregister(name)


def frame(name: str, values: Sequence[Any], kind: Any) -> pl.DataFrame:
    """Return a frame with one column."""
    return pl.DataFrame({name: values}, schema={name: kind})
