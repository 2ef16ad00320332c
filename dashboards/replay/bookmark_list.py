"""Card with all bookmarks, searched by the words and the tag in the address."""

from typing import Any, Final

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from dashboards.ui.components import aria, card, icon
from dashboards.warehouse.addresses import url
from dashboards.warehouse.bookmarks import listed_bookmarks
from dashboards.warehouse.filters import BookmarkFilter
from dashboards.warehouse.reader import Reader
from ingest.people.bookmarks import Bookmark

__all__ = ["bookmark_list"]

PAGE: Final = "/replay"
MOST: Final = 50
MOST_TAGS: Final = 24


def bookmark_list(reader: Reader, where: BookmarkFilter) -> Component:
    """Return the card with the bookmarks under a filter, and its search field."""
    found = listed_bookmarks(reader, find=where.find, tag=where.tag, most=MOST)
    if not found.tags and not found.total and where == BookmarkFilter():
        return card("Bookmarks", _empty(), class_name="prose bookmarks-card")
    head = _counted(len(found.bookmarks), found.total, where)
    rows = [html.Li(_row(bookmark), className="bookmarks-row") for bookmark in found.bookmarks]
    listed = html.Ul(rows, className="bookmarks-list") if rows else html.P(_nothing(where))
    return card("Bookmarks", _search(where), _tags(found.tags, where), head, listed, class_name="prose bookmarks-card")


def _search(where: BookmarkFilter) -> Component:
    """Return the form; it is sent as an address, so that Back and a link show the same bookmarks."""
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
