"""The filter bar of all pages. A page shows what its address selects; the bar reads and writes the address.

A page needs three lines for the bar:

    def layout(**query: Any) -> Component:
        return html.Div([page_head(…), filter_bar(query), …])        # puts dcc.Store(SEARCH) next to the inputs

    @callback(Output(…), Input(SEARCH, "data"))                      # the one input a page computes from
    def show(search: str) -> …:
        where = Filter.read(read_search(search))

assets/filter_bar.js does the rest:

- A change updates the address immediately, and the store SEARCH a moment later.
- The first change of a filter adds a step to the browser history; further changes of the same filter do not.
- Back, Forward, Clear, and removing a chip update the inputs and SEARCH.
- Navigation links keep the filter; keys without an input on the page stay in the address.
- Choosing another game reloads the page with the filters that are valid in that game.

`parts` lists the filters of a page in order; omit only filters without effect on the page. A filter with a single
choice (one board, no options) is offered only if it is in the address. The first few are visible, the rest are under
"More filters"; on a phone all are under "Filters". A page may add inputs made by `pick` and `words`, with their own
address keys: `first` are visible, `last` are under "More filters".

A second selection has a second bar, `filter_bar(query, parts, prefix="b.", label="Second selection")`. It has no input
for the game, because both selections are of one game. Both bars write to the same address and the same SEARCH. Read the
second selection with `Filter.read(query, "b.")`.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import parse_qs, urlencode

import dash_mantine_components as dmc
from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, dcc, html
from dash.development.base_component import Component

from dashboards.games.analytics import terms_of
from dashboards.queries.filters import NO_TOURNAMENT, VERDICTS, Filter
from dashboards.queries.provenance import in_words, sources_under
from dashboards.queries.where import Choices, filter_choices, game_under
from dashboards.stats.compare import short_versions
from dashboards.stats.words import whole
from dashboards.ui.components import aria, current_reader, icon
from himalaya_core.games import title_of
from ingest.validate.after_load import Verdict

__all__ = ["PARTS", "SEARCH", "Option", "filter_bar", "pick", "pick_one", "read_search", "words"]

SEARCH: Final = "filter-search"
"""Id of the store that holds a page's filter as the query of an address."""
WANTED: Final = "filter-wanted"
"""Id of the store with the values to set in the inputs."""
SOURCES: Final = "filter-sources"
"""Id of the note on players with several sources (program versions) that the filter combines."""
SEEN: Final = "filter-seen"
"""Id of an empty store, an output without content: Dash runs a callback for initial inputs only if it has an output."""
PARTS: Final = (
    "game",
    "tournament",
    "player",
    "players",
    "seat",
    "result",
    "rounds",
    "option",
    "version",
    "board",
    "verdict",
)
IN_SIGHT: Final = 4
MOST_OPTIONS: Final = 200  # number of options listed initially; a search finds the rest

Option = str | dict[str, str]


def read_search(search: str | None) -> dict[str, list[str]]:
    """Return the keys and values of an address's query."""
    return parse_qs((search or "").removeprefix("?"))


def filter_bar(
    query: Mapping[str, Any],
    parts: Sequence[str] = PARTS,
    *,
    prefix: str = "",
    label: str = "Filters",
    within: Sequence[str] = (),
    first: Sequence[Component] = (),
    last: Sequence[Component] = (),
    every_game: str = "",
) -> Component:
    """Return the filter bar for the query of an address, as passed to the layout of a page.

    `within` are the tournaments that the page is about; only values that occur in them are offered. `every_game` is the
    meaning of an empty filter for the game; by default, it means the game most played.
    """
    where = Filter.read(query, prefix)
    reader = current_reader()
    of_game = Filter.read(query)
    is_of_all = bool(every_game) and not of_game.game
    found = filter_choices(reader, game_under(reader, of_game), within, is_of_all=is_of_all)
    made = [made for part in parts if (made := _part(part, prefix, where, found, every_game)) is not None]
    shown, folded = [*first, *made[: IN_SIGHT - len(first)]], [*made[IN_SIGHT - len(first) :], *last]
    more = f"filter-more{prefix.rstrip('.')}"
    stores = [] if prefix else [dcc.Store(id=SEARCH, data=_search(query)), dcc.Store(id=WANTED), dcc.Store(id=SEEN)]
    return html.Div(
        [
            html.Div([*shown, _toggle(more), _clear()], className="filter-row"),
            html.Div(folded, id=more, className="filter-more"),
            html.Div(className="filter-chips"),
            *([] if prefix else [*_not_counted(found), _sources(where)]),
            *stores,
        ],
        className="card filter-bar" if folded else "card filter-bar filter-bar-short",
        role="search",
        **aria(label=label),
    )


def _not_counted(found: Choices) -> list[Component]:
    """Return notes on the number of matches excluded from figures, and with dice that differ from their seed."""
    waiting, unjudged = (found.verdicts.get(verdict, 0) for verdict in (Verdict.WAITING, Verdict.UNJUDGED))
    parts = [
        *([f"{whole(waiting, 'match is', 'matches are')} not yet verified"] if waiting else []),
        *([f"{whole(unjudged, 'match', 'matches')} could not be verified here"] if unjudged else []),
    ]
    said = []
    if parts:
        said.append(
            f"Unless Verdict is set, figures and reports count only what follows from the rules: {', '.join(parts)}."
        )
    if found.other_dice:
        other, chance = whole(found.other_dice, "match", "matches"), terms_of(found.game).chance
        said.append(f"In {other} the {chance} do not match the seed in the log.")
    return [html.P(" ".join(said), className="filter-note")] if said else []


def _sources(where: Filter) -> Component:
    """Return a note on players that the filter combines from several sources."""
    return html.P(_of_sources(where), id=SOURCES, className="filter-note")


def _of_sources(where: Filter) -> str:
    said = in_words(sources_under(current_reader(), where))
    return f"{said}." if said else ""


@callback(Output(SOURCES, "children"), Input(SEARCH, "data"), prevent_initial_call=True)
def show_sources(search: str | None) -> str:
    """Return the updated note on sources after a change of the filter."""
    return _of_sources(Filter.read(read_search(search)))


def pick(key: str, label: str, options: Sequence[Option], chosen: Sequence[str], *, hint: str = "") -> Component:
    """Return an input for any number of values; unknown values from the address remain selected and visible."""
    control: Component = dmc.MultiSelect(
        id={"filter": key},
        data=_data(options, chosen),
        value=list(chosen),
        placeholder=label,
        searchable=True,
        limit=MOST_OPTIONS,
        nothingFoundMessage="Nothing found",
        comboboxProps={"width": "max-content", "position": "bottom-start"},
        size="sm",
        **aria(label=hint or label),
    )
    return _place(key, "many", label, control, said=_said(options))


def pick_one(
    key: str, label: str, options: Sequence[Option], chosen: str, *, hint: str = "", usual: str = ""
) -> Component:
    """Return an input for at most one value; `usual` is the meaning of an empty input."""
    control: Component = dmc.Select(
        id={"filter": key},
        data=_data(options, [chosen] if chosen else []),
        value=chosen or None,
        placeholder=f"{label}: {usual}" if usual else label,
        comboboxProps={"width": "max-content", "position": "bottom-start"},
        size="sm",
        **aria(label=hint or label),
    )
    return _place(key, "one", label, control, said=_said(options))


def words(key: str, label: str, value: str, *, hint: str = "") -> Component:
    """Return an input for text."""
    control: Component = dmc.TextInput(
        id={"filter": key}, value=value, placeholder=hint or label, debounce=250, size="sm", **aria(label=label)
    )
    return _place(key, "text", label, control)


def _part(part: str, prefix: str, where: Filter, found: Choices, every_game: str) -> Component | None:
    """Return the input for a part of the filter; `None` for a single choice that is not in the address."""
    key = prefix + part
    if part == "rounds":
        return _rounds(key, where, found.game)
    if part == "game":
        several = not prefix and (len(found.games) > 1 or where.game)
        games: list[Option] = [{"value": game, "label": title_of(game)} for game in found.games]
        return pick_one(key, "Game", games, where.game, usual=every_game or title_of(found.game)) if several else None
    if part == "board":
        several = len(found.boards) > 1 or where.board
        return pick_one(key, "Board", found.boards, where.board) if several else None
    label, options, chosen = _several(part, where, found)
    return pick(key, label, options, chosen) if len(options) > 1 or chosen else None


def _several(part: str, where: Filter, found: Choices) -> tuple[str, Sequence[Option], Sequence[str]]:
    """Return the label, options and chosen values of a filter that accepts several values."""
    match part:
        case "tournament":
            return "Tournament", _or_none(found.tournaments), where.tournaments
        case "option":
            return "Option", found.options, where.options
        case "players":
            sizes: list[Option] = [{"value": str(size), "label": f"{size} players"} for size in found.sizes]
            return "Table size", sizes, [str(size) for size in where.sizes]
        case "player":
            return "Player", found.players, where.players
        case "version":
            names = short_versions(found.versions)
            return "Version", [{"value": name, "label": names[name]} for name in found.versions], where.versions
        case "verdict":
            verdicts: list[Option] = [
                {"value": name, "label": text} for name, text in VERDICTS.items() if name in found.verdicts
            ]
            return "Verdict", verdicts, where.verdicts
        case "seat":
            seats: list[Option] = [{"value": str(n), "label": f"Seat {n}"} for n in range(1, found.seats + 1)]
            return "Seat", seats, [str(seat + 1) for seat in where.seats]
        case "result":
            ends: list[Option] = [{"value": end, "label": f"out: {end}"} for end in found.eliminations]
            stayed: list[Option] = [{"value": "outlasted", "label": "stayed in, lost"}] if ends else []
            return "Result", ["won", "lost", *ends, *stayed], where.results
        case _:
            raise ValueError(f"no filter is called {part}")


def _or_none(tournaments: Sequence[str]) -> list[Option]:
    return [{"value": name, "label": "none"} if name == NO_TOURNAMENT else name for name in tournaments]


def _rounds(key: str, where: Filter, game: str) -> Component:
    """Return the input for rounds, in the game's words; it is the only input with a label above."""
    words = terms_of(game)
    called = words.rounds.capitalize()
    control = [
        html.Span(f"{called}, {words.first}", className="label"),
        dmc.RangeSlider(
            id={"filter": key},
            min=0,
            max=words.last,
            step=1,
            minRange=0,
            value=[min(where.first, words.last), min(where.last, words.last)],
            marks=[{"value": value, "label": str(value)} for value in words.steps],
            thumbFromLabel=f"First {words.round}",
            thumbToLabel=f"Last {words.round}",
            size="sm",
        ),
    ]
    return _place(key, "rounds", called, html.Div(control), bounds=[0, words.last])


def _place(key: str, kind: str, label: str, control: Component, **more: Any) -> Component:
    """Return an input in its container, with the data that the script needs for chips and for the address."""
    facts: dict[str, Any] = {"data-filter": key, "data-kind": kind, "data-label": label}
    facts |= {f"data-{name}": json.dumps(value) for name, value in more.items() if value}
    return html.Div(control, className=f"filter filter-{kind}", **facts)


def _toggle(controls: str) -> Component:
    wide = html.Span(["More filters", html.Span(className="filter-count")], className="when-wide")
    narrow = html.Span(["Filters", html.Span(className="filter-count")], className="when-narrow")
    return html.Button(
        [icon("adjustments"), wide, narrow],
        type="button",
        className="button filter-toggle",
        **aria(expanded="false", controls=controls),
    )


def _clear() -> Component:
    return html.Button([icon("filter-off"), "Clear"], type="button", className="button filter-clear", hidden=True)


def _data(options: Sequence[Option], chosen: Sequence[str]) -> list[Option]:
    known = {option["value"] if isinstance(option, dict) else option for option in options}
    return [*options, *(value for value in chosen if value not in known)]


def _said(options: Sequence[Option]) -> dict[str, str]:
    """Return the labels of options, as far as they differ from the values."""
    return {option["value"]: option["label"] for option in options if isinstance(option, dict)}


def _search(query: Mapping[str, Any]) -> str:
    return "?" + urlencode(query, doseq=True) if query else ""


clientside_callback(
    ClientsideFunction("filters", "changed"),
    Output(SEEN, "data"),
    Input({"filter": ALL}, "value"),
    State({"filter": ALL}, "id"),
)
clientside_callback(
    ClientsideFunction("filters", "filled"),
    Output({"filter": ALL}, "value"),
    Input(WANTED, "data"),
    State({"filter": ALL}, "id"),
    prevent_initial_call=True,
)
