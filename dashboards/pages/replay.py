"""Replay page: a match stepped through event by event, drawn by assets/replay; without a match, a log of your own."""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import parse_qsl

from dash import ctx, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.queries.addresses import shown_path, url
from dashboards.queries.filters import BookmarkFilter
from dashboards.queries.imports import match_count
from dashboards.queries.logs import QuarantinedLine, has_match, quarantined_lines, sound_lines
from dashboards.queries.reader import Reader, listed_studies
from dashboards.replay.scenes import problem
from dashboards.replay.studies import bookmark_list
from dashboards.stats.words import whole
from dashboards.ui.components import card, current_reader, first_steps, page_head
from ingest.people.branches import KeptBranch, branches_of
from ingest.people.studies import ListedStudy

SUGGESTED: Final = 8
MOST_PROBLEMS: Final = 6
OPEN: Final = "Open a log"
LEAD: Final = "Watch a log of your own, or return to a study, a what-if or a bookmark."


def title(**_: Any) -> str:
    """Return the window's title, which must equal the title that assets/replay sets, because either may run last."""
    search = str(ctx.inputs.get("_pages_location.search") or "")
    match = dict(parse_qsl(search.lstrip("?"))).get("match")
    return f"{match} · Himalaya" if match and has_match(current_reader(), match) else f"{OPEN} · Himalaya"


register_page(__name__, path="/replay", title=title)


def layout(match: str | None = None, **query: Any) -> Component:
    """Return the container for assets/replay; if the address names no existing match, a choice of logs."""
    reader = current_reader()
    if match:
        quarantined = quarantined_lines(reader, match, MOST_PROBLEMS)
        if has_match(reader, match):
            return _player(match, quarantined)
        if quarantined and (lines := sound_lines(reader, match)):
            return _player(match, quarantined, up_to=len(lines))
        if quarantined:
            return _landing(_quarantined(match, quarantined))
    if not match_count(reader):
        return _landing(page_head(OPEN, lead=LEAD), first_steps(shown_path(reader.database)))
    lead = f"There is no match {match} in this database." if match else LEAD
    every = dcc.Link(f"All {match_count(reader):,} matches", href=url("/matches"), className="button")
    return _landing(
        page_head(OPEN, every, lead=lead),
        study_list(reader),
        branch_list(reader),
        bookmark_list(reader, BookmarkFilter.read(query)),
    )


def _player(match: str, quarantined: Sequence[QuarantinedLine], up_to: int = 0) -> Component:
    """Return the container for assets/replay, followed by other lines found under the name of the match.

    For a quarantined match with `up_to` playable events, a note above states why the match ends there.
    """
    which: dict[str, Any] = {"data-match": match}
    loading = html.P(f"Loading {match} …", className="replay-none meta")
    place = html.Div(html.Div(loading, className="replay"), id="replay-place", key=match, **which)
    if not quarantined:
        return place
    if up_to:
        return html.Div([_banner(quarantined[0], up_to), place])
    where = f"{quarantined[0].file}:{quarantined[0].line}"
    also: list[Any] = ["Another log under this name is in quarantine (", html.Code(where), "): see ", _intake(), "."]
    return html.Div([place, html.P(also, className="replay-note meta")])


def _banner(why: QuarantinedLine, events: int) -> Component:
    """Return a note on a quarantined match: it counts in no figure, and why its replay ends at this event."""
    parts: list[Any] = [
        html.Strong("This match is in quarantine and counts in no figure. "),
        f"It plays up to event {events:,}, just before line {why.line:,} of ",
        html.Code(why.file),
        f": {why.message}. See ",
        _intake(),
        ".",
    ]
    return html.P(parts, className="replay-banner", role="status")


def _landing(head: Component, *parts: Component) -> Component:
    """Return the page without a match; a dropped log replaces its content."""
    shown: dict[str, Any] = {"data-dropped": ""}
    return html.Div(
        [
            html.Div([head, drop_zone(), *parts], id="replay-landing", className="page"),
            html.Div(id="replay-uploaded", className="replay", hidden=True, **shown),
            html.P(
                [
                    "This log is replayed from your disk; it is not stored here. ",
                    html.A("Choose another", href=url("/replay")),
                ],
                className="replay-note meta",
            ),
        ]
    )


def drop_zone() -> Component:
    """Return the area for dropping or choosing a log; assets/replay-upload.mjs adds the file input and handles it."""
    return card(
        "A log from your disk",
        html.P(
            [
                "Drop a log on this page, or ",
                html.Label("choose one", htmlFor="replay-file"),
                ": ",
                html.Span(id="replay-file-place"),
            ]
        ),
        html.P(
            [
                html.Code(".jsonl"),
                ", plain or compressed (",
                html.Code(".gz"),
                ", ",
                html.Code(".zst"),
                "), at most 16 MiB. It is checked as strictly as on loading, but not stored.",
            ],
            className="meta",
        ),
        html.Div(id="replay-told", role="status"),
        name="replay-drop",
        class_name="prose replay-upload",
    )


def _quarantined(match: str, quarantined: Sequence[QuarantinedLine]) -> Component:
    """Return the reason why a match cannot be replayed, and the place of the fault."""
    more = f" (the first {len(quarantined)})" if len(quarantined) == MOST_PROBLEMS else ""
    why = "Its log is not valid, so all its lines were quarantined, to be repaired or dropped"
    return html.Div(
        [
            page_head(match, lead="This match cannot be replayed."),
            card(
                f"{match} is in quarantine",
                html.P([f"{why}{more}. See ", _intake(), "."]),
                *(_problem(each) for each in quarantined),
                class_name="prose replay-quarantined",
            ),
        ],
        className="stack",
    )


def _problem(quarantined: QuarantinedLine) -> Component:
    """Return one problem: its place, the expected text and the text found."""
    found = problem(quarantined.line, quarantined.match, quarantined.reason, quarantined.message, quarantined.file)
    where = html.H3(["Line ", f"{found.line:,}", " of ", html.Code(found.file)])
    if found.field is None:
        return html.Div([where, html.P(found.message)])
    parts = (("Field", html.Code(found.field)), ("Expected", found.expected), ("Found", found.found))
    return html.Div([where, html.Dl([html.Div([html.Dt(name), html.Dd(part)]) for name, part in parts])])


def _intake() -> Component:
    return dcc.Link("Imports", href=url("/intake"))


def study_list(reader: Reader) -> Component:
    """Return links to the studies, each at its first chapter."""
    links = [html.Li(_study(each)) for each in listed_studies(reader)[:SUGGESTED]]
    none = "No study yet: open a match, and begin one under Study."
    return card(
        "Studies", html.Ul(links, className="plain-list") if links else html.P(none), class_name="prose", name="studies"
    )


def _study(study: ListedStudy) -> list[Any]:
    chapters = whole(study.chapters, "chapter", "chapters")
    said = f" ({chapters}, by {study.made_by})"
    if study.match is None:
        return [study.title, said]
    place = [
        ("match", study.match),
        ("ply", study.ply or "0"),
        ("study", study.id),
        ("chapter", "1"),
        ("panel", "study"),
    ]
    return [html.A(study.title, href=url("/replay", place)), said]


def branch_list(reader: Reader) -> Component:
    """Return links to the stored branches, each with its match."""
    with reader.app() as store:
        kept = branches_of(store, "")[:SUGGESTED]
    links = [html.Li(_branch(each)) for each in kept]
    none = "No what-if is kept yet: open a match, and try something else."
    return card("What if", html.Ul(links, className="plain-list") if links else html.P(none), class_name="prose")


def _branch(branch: KeptBranch) -> list[Any]:
    place = url("/replay", [("match", branch.match), ("branch", branch.id)])
    return [html.A(branch.title, href=place), f" (from {branch.match}, kept by {branch.by})"]
