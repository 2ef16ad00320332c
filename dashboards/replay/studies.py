"""Studies and bookmarks for readers: safe HTML from Markdown, and the card that lists bookmarks."""

import gzip
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component
from markdown_it import MarkdownIt

from dashboards.queries.addresses import url
from dashboards.queries.filters import BookmarkFilter
from dashboards.queries.logs import has_match, match_lines
from dashboards.queries.reader import Reader, kept_study, listed_bookmarks
from dashboards.replay.offline import offline_study
from dashboards.replay.reviews import packed_review, played_out
from dashboards.replay.scenes import as_bytes, packed_scene
from dashboards.ui.components import aria, card, icon
from ingest.people.bookmarks import Bookmark
from ingest.people.studies import Arrow, Circle, KeptStudy, Study, digest_of, study_of

__all__ = ["Drawn", "ReadChapter", "ReadStudy", "bookmark_list", "read", "reading_of", "study_file"]


MARKDOWN: Final = MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")
"""Markdown renderer. It shows HTML as plain text, ignores links that would run a script, and loads no files."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A circle around the target `start` on the board, or an arrow from there to the target `end` if there is one."""

    start: str
    end: str | None = None
    colour: str | None = None


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
            parts = {name: json.loads(gzip.decompress(part)) for name, (_, part) in packed.items()}
            played = played_out(reader, match)
            matches[match] = parts | {"playouts": None if played is None else asdict(played)}
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
    if isinstance(shape, Arrow):
        return Drawn(shape.start, shape.end, shape.colour)
    return Drawn(shape.around, None, shape.colour)


PAGE: Final = "/replay"
MOST: Final = 50
MOST_TAGS: Final = 24


def bookmark_list(reader: Reader, where: BookmarkFilter) -> Component:
    """Return the card with the bookmarks that match a filter, and its search field."""
    found = listed_bookmarks(reader, find=where.find, tag=where.tag, most=MOST)
    if not found.tags and not found.total and where == BookmarkFilter():
        return card("Bookmarks", _empty(), class_name="prose bookmarks-card")
    head = _counted(len(found.bookmarks), found.total, where)
    rows = [html.Li(_row(bookmark), className="bookmarks-row") for bookmark in found.bookmarks]
    listed = html.Ul(rows, className="bookmarks-list") if rows else html.P(_nothing(where))
    return card("Bookmarks", _search(where), _tags(found.tags, where), head, listed, class_name="prose bookmarks-card")


def _search(where: BookmarkFilter) -> Component:
    """Return the search form. Its address holds the search, so that Back and links show the same bookmarks."""
    field = dmc.TextInput(
        id="bookmarks-find",
        name="q",
        label="Find bookmarks",
        placeholder="words of a label, a tag, a match or a player",
        value=where.find,
        className="filter",
    )
    hidden = [dcc.Input(type="hidden", name="tag", value=where.tag)] if where.tag else []
    submit = html.Button("Search", type="submit", className="button")
    return html.Form([field, *hidden, submit], action=PAGE, method="GET", className="bookmarks-search", role="search")


def _tags(tags: list[str], where: BookmarkFilter) -> Component:
    links = [_tag(tag, BookmarkFilter(where.find, tag), current=where) for tag in tags[:MOST_TAGS]]
    return html.Div(links, className="bookmarks-tags", role="group", **aria(label="Tags in use"))


def _tag(tag: str, where: BookmarkFilter, current: BookmarkFilter | None = None) -> Component:
    """Return a link that searches for a tag; the link of the current tag removes it."""
    if current and tag.casefold() == current.tag.casefold():
        without = url(PAGE, BookmarkFilter(current.find).pairs())
        return html.A(tag, href=without, className="tag", title="Show all tags", **aria(current="true"))
    return html.A(tag, href=url(PAGE, where.pairs()), className="tag")


def _counted(shown: int, total: int, where: BookmarkFilter) -> Component:
    count = f"{total:,} bookmark" + ("" if total == 1 else "s")
    words = [count if shown == total else f"The newest {shown} of {count}"]
    words += [f"with “{where.find}”"] if where.find else []
    words += [f"tagged {where.tag}"] if where.tag else []
    back: list[Any] = [" · ", html.A("Show all", href=url(PAGE))] if where != BookmarkFilter() else []
    return html.P([" ".join(words), *back], className="meta", role="status")


def _row(bookmark: Bookmark) -> list[Component]:
    ply = [("ply", bookmark.ply)] if bookmark.ply is not None else []
    link = dcc.Link(bookmark.label, href=url(PAGE, [("match", bookmark.match)], ply), className="bookmarks-label")
    place = "the whole match" if bookmark.ply is None else f"ply {bookmark.ply}"
    facts = filter(None, (bookmark.match, place, bookmark.line_up, bookmark.tournament))
    tags = [_tag(tag, BookmarkFilter(tag=tag)) for tag in bookmark.tags]
    return [
        link,
        html.Span(" · ".join(facts), className="meta"),
        *([html.Span(tags, className="bookmarks-tags")] if tags else []),
    ]


def _nothing(where: BookmarkFilter) -> str:
    return (
        "No bookmark fits both." if where.find and where.tag else "No bookmark fits. Try fewer words, or a tag above."
    )


def _empty() -> Component:
    words: list[Any] = [
        "No bookmarks yet. Open a match, go to a moment worth coming back to, and press ",
        html.Kbd("B"),
        ".",
    ]
    more = "Bookmarks can be searched here by words and tags, and the list of matches can be filtered by tag."
    return html.Div([icon("bookmark"), html.P(words), html.P(more, className="meta")], className="bookmarks-empty")
