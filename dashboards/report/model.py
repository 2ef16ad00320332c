"""Content of a report before it is written: figures, drawings, embedded data, and checks of its players."""

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
    """Raised if a report cannot be made; the message is one line with the reason."""


class NothingToReport(ReportError):
    """Raised if a filter selects no match."""


FORMAT: Final = 1
"""Version of the data format in a report; `--check` accepts only this version."""
SYMMETRIC: Final = frozenset({"head-to-head", "paired"})
"""Figures of player pairs that list each pair in both directions, with the same information."""
Draw = Callable[[Scheme], str]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the catalog under the filter: its data, its columns with headings, and its finding.

    `draw` returns its drawing in a colour scheme; `None` for a figure that is only a table.
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
    """A notable match: the reason, its players, the moment drawn, the event at that moment, and the drawing."""

    match: str
    why: str
    line_up: str
    moment: str
    draw: Draw


@dataclass(frozen=True, slots=True)
class Report:
    """The content of a report. `logs` has `match, sha256`, sorted by name; `versions` has `player, version, played`.

    `players` has `match, seat, verdict`: the reproducibility checks of players, sorted by match and seat. `coloured`
    lists players in the order in which the database assigns colours, with "" for players not in the report.
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
        """Return one digest of all logs (see `digest_of`)."""
        return digest_of(self.logs)

    @property
    def title(self) -> str:
        """Return the subject of the report."""
        names = self.scope.tournaments
        return names[0] if len(names) == 1 else f"{len(names)} tournaments" if names else "Matches"

    @property
    def game(self) -> str:
        """Return the game of all matches in the report."""
        return next(iter(self.scope.games), "")

    def figure(self, name: str) -> Figure | None:
        """Return a figure by name; `None` if the report lacks it."""
        return next((figure for figure in self.figures if figure.name == name), None)


def digest_of(logs: pl.DataFrame) -> str:
    """Return the SHA-256 of the lines `sha256, two spaces, match`, sorted by name, as `sha256sum` would write them."""
    lines = logs.select(pl.concat_str("sha256", pl.lit("  "), "match", pl.lit("\n")).str.join("")).item() or ""
    return hashlib.sha256(lines.encode()).hexdigest()


def rows_of(figure: Figure) -> list[list[Any]]:
    """Return the rows of a figure as data: all shown columns, floats rounded to ten digits."""
    return [[rounded(value) for value in row] for row in figure.frame.select(*figure.columns).iter_rows()]


Claims = Mapping[str, str]
"""For each match, a string with one letter per seat: the result of its player's reproducibility check."""

LETTERS: Final = {
    PlayersVerdict.REPEATS.value: "r",
    PlayersVerdict.DIFFERS.value: "d",
    PlayersVerdict.NOT_ASKED.value: "n",
    NOBODY_ASKED: "-",
}
VERDICTS: Final = {letter: verdict for verdict, letter in LETTERS.items()}
LEFT_OUT: Final = "."
SAID: Final = {"r": "repeated its choices", "d": "chose differently"}
"""Letters of reproducibility results that claim something about a player's choices, with their text."""


def claims_of(players: pl.DataFrame) -> dict[str, str]:
    """Return the claims from a frame of `match, seat, verdict`, sorted by match and seat."""
    seats: dict[str, str] = {}
    for match, seat, verdict in players.select("match", "seat", "verdict").iter_rows():
        seats[match] = seats.get(match, "").ljust(seat, LEFT_OUT) + LETTERS[verdict]
    return {match: letters for match, letters in seats.items() if set(letters) - {LEFT_OUT, LETTERS[NOBODY_ASKED]}}


def counts_of(claims: Claims, players: pl.DataFrame) -> dict[str, int]:
    """Return the number of seats by verdict according to `claims`; seats without a claim count as unchecked."""
    found = Counter[str]()
    for match, seat in players.select("match", "seat").iter_rows():
        found[VERDICTS.get(claims.get(match, "")[seat : seat + 1], NOBODY_ASKED)] += 1
    return dict(found)


def contradicted(reported: Claims, found: Claims) -> Iterator[str]:
    """Yield a sentence for each seat with different reproducibility results in a report and in a new check."""
    for match, seat, letter, other in _pairs(reported, found):
        if letter in SAID and other in SAID and letter != other:
            yield f"{match}, seat {seat + 1}: the player {SAID[letter]} in the report, it {SAID[other]} in the data"


def unchecked(reported: Claims, found: Claims) -> int:
    """Return the number of seats with a claim on the player's choices that could not be checked here."""
    return sum(letter in SAID and other not in SAID for _, _, letter, other in _pairs(reported, found))


def _pairs(reported: Claims, found: Claims) -> Iterator[tuple[Any, ...]]:
    """Yield match, seat, and the seat's letter in each of the two claims."""
    for match, letters in reported.items():
        others = found.get(match, "").ljust(len(letters), LETTERS[NOBODY_ASKED])
        for seat, pair in enumerate(zip(letters, others, strict=False)):
            yield match, seat, *pair


DATA_ID: Final = "himalaya-report"
SHORT: Final = 16
"""Number of hexadecimal digits kept of each log's digest; one full digest covers all logs of the report."""
MOST_BYTES: Final = 1 << 28


def data_of(report: Report) -> dict[str, Any]:
    """Return the data of a report as plain JSON values in a fixed order."""
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
    """Return data as the text to embed in a page."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=9, mtime=0)).decode()


def read_report(page: str) -> dict[str, Any]:
    """Return the data embedded in a page. Raises `ReportError` for a page without data, or in an unknown format."""
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
    """HTML parser that extracts the text of a page's `template` element."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "template" and dict(attrs).get("id") == DATA_ID

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "template"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found.append(data)
