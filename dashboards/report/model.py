"""A report before it is written: figures, words, pictures, embedded data, and reproducibility of its players."""

import base64
import gzip
import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any, Final

import polars as pl

from dashboards.catalog.numbers import rounded
from dashboards.charts.theme import Scheme
from dashboards.queries.filters import Filter
from dashboards.queries.provenance import NOBODY_ASKED, Scope
from dashboards.stats.words import Metric
from himalaya_core.errors import HimalayaError
from himalaya_core.tournament.reproducibility import PlayersVerdict
from ingest.jobs import Progress

__all__ = [
    "DATA_ID",
    "FORMAT",
    "SYMMETRIC",
    "Claims",
    "Figure",
    "NothingToReport",
    "Progress",
    "Report",
    "ReportError",
    "Telling",
    "claims_of",
    "contradicted",
    "counts_of",
    "data_of",
    "digest_of",
    "packed",
    "read_report",
    "rows_of",
    "unchecked",
]


class ReportError(HimalayaError):
    """A report that cannot be made; the message is one line with the reason."""


class NothingToReport(ReportError):
    """A filter without any match."""


FORMAT: Final = 1
"""Version of the data in a report; `--check` reads only this one."""
SYMMETRIC: Final = frozenset({"head-to-head", "paired"})
"""Figures of pairs that say the same in both directions."""
Draw = Callable[[Scheme], str]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the catalog under the filter: its data, its columns with their headings, its finding in words.

    `draw` draws it in a scheme; none for a figure with only a table.
    """

    name: str
    title: str
    section: str
    frame: pl.DataFrame
    columns: Mapping[str, str]
    finding: str
    draw: Draw | None = None


@dataclass(frozen=True, slots=True)
class Telling:
    """A notable match: the reason, its players, the moment drawn, the event at that moment, the drawing."""

    match: str
    why: str
    line_up: str
    moment: str
    draw: Draw


@dataclass(frozen=True, slots=True)
class Report:
    """All of a report. `logs` is `match, sha256` by name, `versions` is `player, version, played`.

    `players` is `match, seat, verdict` of the reproducibility checks of players, by match and seat. `coloured` are its
    players in the order in which the database gives out colours, "" for players that are not in the report.
    """

    where: Filter
    scope: Scope
    figures: tuple[Figure, ...]
    telling: tuple[Telling, ...]
    definitions: tuple[Metric, ...]
    versions: pl.DataFrame
    logs: pl.DataFrame
    players: pl.DataFrame
    coloured: tuple[str, ...]
    software: str

    @property
    def digest(self) -> str:
        """Return one digest for all logs: see `digest_of`."""
        return digest_of(self.logs)

    @property
    def title(self) -> str:
        """Return the subject of the report."""
        names = self.scope.tournaments
        return names[0] if len(names) == 1 else f"{len(names)} tournaments" if names else "Matches"

    @property
    def game(self) -> str:
        """Return the game; a filter leaves matches of one game."""
        return next(iter(self.scope.games), "")

    def figure(self, name: str) -> Figure | None:
        """Return a figure by name, if the report has it."""
        return next((figure for figure in self.figures if figure.name == name), None)


def digest_of(logs: pl.DataFrame) -> str:
    """Return the SHA-256 of the lines `sha256, two spaces, match` in the order of the names, as `sha256sum` writes."""
    lines = logs.select(pl.concat_str("sha256", pl.lit("  "), "match", pl.lit("\n")).str.join("")).item() or ""
    return hashlib.sha256(lines.encode()).hexdigest()


def rows_of(figure: Figure) -> list[list[Any]]:
    """Return the rows of a figure as data: all of its columns shown, floats to ten digits."""
    return [[rounded(value) for value in row] for row in figure.frame.select(*figure.columns).iter_rows()]


Claims = Mapping[str, str]
"""The letters of each match."""

LETTERS: Final = {
    PlayersVerdict.REPEATS.value: "r",
    PlayersVerdict.DIFFERS.value: "d",
    PlayersVerdict.NOT_ASKED.value: "n",
    NOBODY_ASKED: "-",
}
VERDICTS: Final = {letter: verdict for verdict, letter in LETTERS.items()}
LEFT_OUT: Final = "."
SAID: Final = {"r": "repeated its choices", "d": "chose differently"}
"""Letters that make a claim about a player's choices."""


def claims_of(players: pl.DataFrame) -> dict[str, str]:
    """Return the letters of `match, seat, verdict`, which is in order."""
    seats: dict[str, str] = {}
    for match, seat, verdict in players.select("match", "seat", "verdict").iter_rows():
        seats[match] = seats.get(match, "").ljust(seat, LEFT_OUT) + LETTERS[verdict]
    return {match: letters for match, letters in seats.items() if set(letters) - {LEFT_OUT, LETTERS[NOBODY_ASKED]}}


def counts_of(claims: Claims, players: pl.DataFrame) -> dict[str, int]:
    """Return the number of seats of each verdict if claims hold; seats that they leave out count as unchecked."""
    found = Counter[str]()
    for match, seat in players.select("match", "seat").iter_rows():
        found[VERDICTS.get(claims.get(match, "")[seat : seat + 1], NOBODY_ASKED)] += 1
    return dict(found)


def contradicted(reported: Claims, found: Claims) -> Iterator[str]:
    """Yield a sentence for each seat for which a report and a new check of the player disagree."""
    for match, seat, letter, other in _pairs(reported, found):
        if letter in SAID and other in SAID and letter != other:
            yield f"{match}, seat {seat + 1}: the player {SAID[letter]} in the report, it {SAID[other]} in the data"


def unchecked(reported: Claims, found: Claims) -> int:
    """Return the number of seats with a claim on the player's choices that could not be checked here."""
    return sum(letter in SAID and other not in SAID for _, _, letter, other in _pairs(reported, found))


def _pairs(reported: Claims, found: Claims) -> Iterator[tuple[Any, ...]]:
    """Yield match, seat, and its letters in both claims."""
    for match, letters in reported.items():
        others = found.get(match, "").ljust(len(letters), LETTERS[NOBODY_ASKED])
        for seat, pair in enumerate(zip(letters, others, strict=False)):
            yield match, seat, *pair


DATA_ID: Final = "himalaya-report"
SHORT: Final = 16
"""Hexadecimal digits of each log's digest, enough to identify a log that differs; one whole digest covers all logs."""
MOST_BYTES: Final = 1 << 28


def data_of(report: Report) -> dict[str, Any]:
    """Return the data of a report: plain JSON, in a fixed order."""
    return {
        "format": FORMAT,
        "software": report.software,
        "filter": report.where.pairs(),
        "matches": report.scope.matches,
        "digest": report.digest,
        "logs": _short(report.logs),
        "versions": report.versions.rows(),
        "players": claims_of(report.players),
        "coloured": report.coloured,
        "valued": [report.scope.reviewing.valued, [model for model, _ in report.scope.reviewing.models]],
        "figures": {
            figure.name: {"columns": list(figure.columns), "rows": rows_of(figure)} for figure in report.figures
        },
        "telling": [[match.match, match.moment] for match in report.telling],
    }


def packed(data: Mapping[str, Any]) -> str:
    """Return data as the text embedded in a page."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=9, mtime=0)).decode()


def read_report(page: str) -> dict[str, Any]:
    """Return the data of a page; `ReportError` for a page without any, or with an unknown format."""
    reader = _Reader()
    reader.feed(page)
    if not reader.found:
        raise ReportError("expected a report that `himalaya report` wrote as HTML, found none")
    try:
        with gzip.GzipFile(fileobj=_as_file("".join(reader.found))) as file:
            data = json.loads(file.read(MOST_BYTES))
        version = data["format"]
        data["players"] = {str(match): str(letters) for match, letters in data.get("players", {}).items()}
        data["coloured"] = [str(player) for player in data.get("coloured", [])]
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ReportError(f"the data inside the report is damaged ({type(error).__name__})") from None
    if version != FORMAT:
        raise ReportError(f"the report is of format {version}, this himalaya reads {FORMAT}")
    found: dict[str, Any] = data
    return found


def _as_file(text: str) -> Any:
    return io.BytesIO(base64.b64decode(text.strip(), validate=True))


def _short(logs: pl.DataFrame) -> list[list[str]]:
    return [[match, sha256[:SHORT]] for match, sha256 in logs.select("match", "sha256").iter_rows()]


class _Reader(HTMLParser):
    """Extract the text of the template from a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notice where the template begins."""
        self._inside = tag == "template" and dict(attrs).get("id") == DATA_ID

    def handle_endtag(self, tag: str) -> None:
        """Notice where it ends."""
        self._inside = self._inside and tag != "template"

    def handle_data(self, data: str) -> None:
        """Keep what is inside."""
        if self._inside:
            self.found.append(data)
