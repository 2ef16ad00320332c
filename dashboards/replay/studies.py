"""Studies for readers: each chapter's Markdown as safe HTML, and whether its match still exists."""

import gzip
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

from markdown_it import MarkdownIt

from dashboards.replay.offline import offline_study
from dashboards.replay.reviews import packed_review
from dashboards.replay.scenes import as_bytes, packed_scene
from dashboards.warehouse.logs import has_match, match_lines
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.studies import kept_study
from ingest.people.studies import Arrow, Circle, KeptStudy, Study, digest_of, study_of

__all__ = ["Drawn", "ReadChapter", "ReadStudy", "read", "reading_of", "study_file"]

MARKDOWN: Final = MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")
"""HTML in a text is shown as plain text, links that would run a script are ignored, and no file is loaded."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A circle around a target on the board, or an arrow from it to another one if it has an `end`."""

    start: str
    end: str | None = None


@dataclass(frozen=True, slots=True)
class ReadChapter:
    """A chapter: its text as safe HTML (`html`) and as written; `is_there` is true if its match exists."""

    title: str
    match: str
    ply: str | None
    branch: str | None
    html: str
    text: str
    shapes: list[Drawn]
    hidden: bool
    is_there: bool


@dataclass(frozen=True, slots=True)
class ReadStudy:
    """A study for readers; `digest` changes with its contents."""

    id: str
    title: str
    made_by: str
    digest: str
    chapters: list[ReadChapter]


def read(reader: Reader, number: str) -> ReadStudy:
    """Return a study of a warehouse; `NoStudy` if there is none with that id."""
    return reading_of(reader, kept_study(reader, number))


def reading_of(reader: Reader, stored: KeptStudy) -> ReadStudy:
    """Return a study in the form for readers."""
    study = study_of(stored.document)
    there = {match: has_match(reader, match) for match in {chapter.match for chapter in study.chapters}}
    return ReadStudy(stored.id, study.title, stored.made_by, digest_of(stored.document), _chapters(study, there))


def study_file(reader: Reader, study: ReadStudy, branch_of: Callable[[str], dict[str, Any] | None]) -> bytes | None:
    """Return a study, its matches and its branches as one HTML file; `None` if none of the matches is here.

    `branch_of` carries out a branch and returns the response for a page, `None` if that is impossible.
    """
    matches = dict[str, Any]()
    for match in dict.fromkeys(chapter.match for chapter in study.chapters if chapter.is_there):
        lines = match_lines(reader, match)
        if lines is not None:
            log = b"".join(lines)
            packed = {"scene": packed_scene(log, None), "review": packed_review(log, None)}
            matches[match] = {name: json.loads(gzip.decompress(part)) for name, (_, part) in packed.items()}
    if not matches:
        return None
    tried = {each.branch for each in study.chapters if each.branch is not None and each.match in matches}
    branches = {number: answer for number in sorted(tried) if (answer := branch_of(number)) is not None}
    return offline_study(as_bytes(asdict(study)), as_bytes(matches), as_bytes(branches), study.title)


def _chapters(study: Study, there: dict[str, bool]) -> list[ReadChapter]:
    return [
        ReadChapter(
            each.title,
            each.match,
            each.ply,
            each.branch,
            MARKDOWN.render(each.text),
            each.text,
            [_drawn(shape) for shape in each.shapes],
            each.hidden,
            there[each.match],
        )
        for each in study.chapters
    ]


def _drawn(shape: Circle | Arrow) -> Drawn:
    return Drawn(shape.start, shape.end) if isinstance(shape, Arrow) else Drawn(shape.around)
