"""Replay: a match stepped through event by event; assets/replay draws it, this page says which match."""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import parse_qsl

from dash import ctx, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.games.analytics import terms_of
from dashboards.replay.bookmark_list import bookmark_list
from dashboards.replay.problems import problem
from dashboards.stats.words import whole
from dashboards.ui.components import card, current_reader, empty_warehouse, page_head
from dashboards.warehouse.addresses import url
from dashboards.warehouse.filters import BookmarkFilter
from dashboards.warehouse.intake import match_count
from dashboards.warehouse.logs import QuarantinedLine, has_match, quarantined_lines, sound_lines
from dashboards.warehouse.paths import shown_path
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.studies import listed_studies
from dashboards.warehouse.worth_seeing import closest_matches
from ingest.people.branches import KeptBranch, branches_of
from ingest.people.studies import ListedStudy

SUGGESTED: Final = 8
MOST_PROBLEMS: Final = 6
STEPS: Final = "Step through a match event by event: the board, the standings, what each seat holds."


def title(**_: Any) -> str:
    """Return what the window is called: the match, as the player calls it, which may be there before Dash is."""
    search = str(ctx.inputs.get("_pages_location.search") or "")
    match = dict(parse_qsl(search.lstrip("?"))).get("match")
    return f"{match} · Himalaya" if match and has_match(current_reader(), match) else "Replay · Himalaya"


register_page(__name__, path="/replay", title=title)


def layout(match: str | None = None, **query: Any) -> Component:
    """Return the place that assets/replay fills, or a choice of matches where the address names none that exists."""
    reader = current_reader()
    if match:
        quarantined = quarantined_lines(reader, match, MOST_PROBLEMS)
        if has_match(reader, match):
            return _player(match, quarantined)
        if quarantined and (lines := sound_lines(reader, match)):
            return _player(match, quarantined, up_to=len(lines))
        if quarantined:
            return _landing(_quarantined(match, quarantined), choice_of_matches())
    if not match_count(reader):
        return _landing(empty_warehouse("Replay", shown_path(reader.database)))
    lead = f"There is no match {match} in this database." if match else STEPS
    return _landing(
        page_head("Replay", dcc.Link("Record a match", href=url("/record"), className="button"), lead=lead),
        choice_of_matches(),
        study_list(reader),
        branch_list(reader),
        bookmark_list(reader, BookmarkFilter.read(query)),
    )


def _player(match: str, quarantined: Sequence[QuarantinedLine], up_to: int = 0) -> Component:
    """Return the place of the player, and below it what else there is under the name of the match.

    Of a match in quarantine that plays `up_to` so many events it is said above it why it plays no further.
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
    """Say that a match in quarantine counts nowhere, up to which event it plays, and what was expected after it."""
    parts: list[Any] = [
        html.Strong("This match is in quarantine and counts in no figure. "),
        f"It plays up to event {events:,}, just before line {why.line:,} of ",
        html.Code(why.file),
        f": {why.message}. See ",
        _intake(),
        ".",
    ]
    return html.P(parts, className="replay-banner", role="status")


def _landing(*parts: Component) -> Component:
    """Return the page as it is without a match; a log can be dropped on it, and is shown in its place."""
    shown: dict[str, Any] = {"data-dropped": ""}
    return html.Div(
        [
            html.Div([*parts, drop_zone()], id="replay-landing", className="page"),
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
    """Return where a log can be dropped or chosen; assets/replay-upload.mjs puts the file input into it and listens."""
    return card(
        "Replay a log of your own",
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
    """Return why a match cannot be replayed, and where that shows."""
    more = f" (the first {len(quarantined)})" if len(quarantined) == MOST_PROBLEMS else ""
    why = "Its log is not valid, so all its lines were quarantined, to be repaired or dropped"
    return html.Div(
        [
            page_head("Replay", lead=f"{match} cannot be replayed."),
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
    """Return one problem: its place, and what was expected and found there."""
    found = problem(quarantined.line, quarantined.match, quarantined.reason, quarantined.message, quarantined.file)
    where = html.H3(["Line ", f"{found.line:,}", " of ", html.Code(found.file)])
    if found.field is None:
        return html.Div([where, html.P(found.message)])
    parts = (("Field", html.Code(found.field)), ("Expected", found.expected), ("Found", found.found))
    return html.Div([where, html.Dl([html.Div([html.Dt(name), html.Dd(part)]) for name, part in parts])])


def _intake() -> Component:
    return dcc.Link("Intake", href=url("/intake"))


def choice_of_matches() -> Component:
    """Return links to the list of matches and to those of all games that were closest."""
    reader = current_reader()
    frame = closest_matches(reader, SUGGESTED)
    every = dcc.Link(f"All {match_count(reader):,} matches", href=url("/matches"))
    return card(
        "Choose a match",
        html.P([every, *([", or one of the closest finishes:"] if len(frame) else [])]),
        html.Ul([html.Li(_suggestion(row)) for row in frame.iter_rows(named=True)]),
        class_name="prose",
    )


def study_list(reader: Reader) -> Component:
    """Return links to the studies, at their first chapter."""
    links = [html.Li(_study(each)) for each in listed_studies(reader)[:SUGGESTED]]
    none = "None yet: open a match, and begin one under Study."
    return card("Studies", html.Ul(links, className="plain-list") if links else html.P(none), class_name="prose")


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
    """Return links to the branches that are kept, each beside its match."""
    with reader.app() as store:
        kept = branches_of(store, "")[:SUGGESTED]
    links = [html.Li(_branch(each)) for each in kept]
    none = "None is kept yet: open a match, and try something else."
    return card("What if", html.Ul(links, className="plain-list") if links else html.P(none), class_name="prose")


def _branch(branch: KeptBranch) -> list[Any]:
    place = url("/replay", [("match", branch.match), ("branch", branch.id)])
    return [html.A(branch.title, href=place), f" (from {branch.match}, kept by {branch.by})"]


def _suggestion(row: dict[str, Any]) -> list[Any]:
    link = dcc.Link(row["match"], href=url("/replay", [("match", row["match"])]))
    close = terms_of(row["game"]).how_close(row["nearest"], row["gap"], row["gap_unit"], row["winner"])
    return [link, f" ({row['line_up']}): {close}"]
