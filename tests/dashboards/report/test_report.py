"""A report: reproducible, its texts contain only numbers of its figures, and hostile names are harmless."""

import json
import re
from collections import Counter
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from itertools import combinations, pairwise
from pathlib import Path

import polars as pl
import pytest

from dashboards.catalog.chances import ESTIMATED, NAMED
from dashboards.catalog.figures import figures_of
from dashboards.catalog.metrics import metric_of
from dashboards.catalog.numbers import rounded, written
from dashboards.charts.chart import Bar, BarPanel, Bars, Column, Columns, Dot, DotPanel, Dots, Series
from dashboards.charts.svg import About
from dashboards.charts.theme import LIGHT
from dashboards.charts.to_svg import svg_chart
from dashboards.queries.filters import Filter
from dashboards.report.build import build, each_pair_once
from dashboards.report.check import differences, shown
from dashboards.report.model import SYMMETRIC, Figure, Report, ReportError, data_of, read_report, rows_of
from dashboards.report.page import FRONT, DarkSheet, page
from dashboards.report.render import Format, file_name
from dashboards.report.words import filter_from, in_words, summary
from himalaya_core.games import GAMES, title_of
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.dashboards.conftest import review
from tests.dashboards.report.fewer import fewer_figures

HOSTILE = ("=cmd|' /C calc'!A0", "<script>alert(1)</script>", "& \"quoted\" 'name'", "x" * 5_000)
FOUR = Filter(tournaments=("four",))


class Tags(HTMLParser):
    """Collects the elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture(scope="session")
def report(warehouse: Warehouse) -> Report:
    return build(warehouse, FOUR)


@pytest.fixture(scope="session")
def again(report: Report, logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The same report from another database: fewer logs, in another order, in two runs, at another time."""
    database = tmp_path_factory.mktemp("again") / "other.duckdb"
    for file in (logs / "other.jsonl", *logs.glob("four-*.jsonl*")):
        ingest([file], database)
        review(database)
    with open_warehouse(database) as other:
        return build(other, FOUR, coloured=report.coloured)


@pytest.fixture(scope="session")
def html(report: Report) -> str:
    return page(report)


@pytest.mark.slow("a second database")
def test_another_database_of_the_same_logs_gives_the_same_bytes(html: str, again: Report):
    """Only a player's colour depends on other matches in a database; a report records the order of colours."""
    assert page(again) == html


def test_the_same_report_is_the_same_workbook(report: Report, again: Report):
    from dashboards.report.workbook import workbook

    assert workbook(report) == workbook(again)


def test_a_report_holds_against_what_is_counted_again(html: str, again: Report):
    found = json.loads(json.dumps(data_of(again)))
    assert len(found["figures"]) == len(figures_of("caravan"))
    assert differences(read_report(html) | {"page": html}, found | {"page": html}) == []


def test_it_has_every_figure_with_its_metrics(report: Report, html: str):
    assert [figure.name for figure in report.figures] == list(figures_of("caravan"))
    defined = {metric.name for metric in report.definitions}
    for figure in report.figures:
        assert f'id="figure-{figure.name}"' in html
        metrics = {metric.name for column in figure.columns if (metric := metric_of(column))}
        assert metrics <= defined
    tags = Tags(html)
    ids = [attributes["id"] for _, attributes in tags.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {link["href"] for link in tags.named("a")} <= {f"#{name}" for name in ids}


def test_no_number_of_the_summary_is_missing_from_the_figures(report: Report):
    sentences = summary(report)
    assert len(sentences) > 8
    strange = {
        sentence: missing
        for sentence in sentences
        for figure in report.figures
        if figure.finding == sentence and (missing := set(numbers_in(sentence, figure.frame)) - numbers_of(figure))
    }
    assert set(sentences) <= {figure.finding for figure in report.figures}
    assert strange == {}


def test_page_one_shows_the_winner_the_certainty_and_the_checks(report: Report, html: str):
    front = html.partition('<section class="front"')[2].partition("</section>")[0]
    heads = ("Who won", "Share of matches won", "Head to head", "How sure this is", "What was checked")
    places = [front.index(f">{head}</h") for head in heads]
    assert places == sorted(places)
    standings, cross_table = (report.figure(name) for name in FRONT)
    assert standings
    assert cross_table
    assert escape(standings.finding, quote=False) in front
    assert "With 2 seeds, no difference could be significant: at least 9 are needed." in front
    assert "<dt>Rules</dt><dd>all 8 obey the rules</dd>" in front
    method, definitions, data = (html.index(f'<h2 id="{name}">') for name in ("method", "definitions", "data"))
    assert html.rindex("</article>", 0, method) < method < definitions < data


def test_no_sentence_is_repeated(report: Report, html: str):
    line_ups = {match.line_up for match in report.telling}
    said = {place: texts for (place, kind), texts in shown(html).items() if kind == "sentence"}
    sentences = [text for texts in said.values() for text in texts if text not in line_ups]
    assert len(sentences) > 20
    assert [text for text, times in Counter(sentences).items() if times > 1] == []
    order = report.figures[0].frame["player"].to_list()
    for name in SYMMETRIC:
        figure = report.figure(name)
        assert figure
        pairs = list(figure.frame.select("player", "other").iter_rows())
        assert pairs == list(combinations(order, 2))


def test_a_pair_known_in_one_order_only_stays():
    frame = pl.DataFrame({"player": ["b", "a", "c"], "other": ["a", "b", "b"], "x": [1, 2, 3]})
    assert each_pair_once(frame, ["b"]).rows() == [("b", "a", 1), ("c", "b", 3)]


def test_zero_has_no_minus_sign(report: Report, html: str):
    assert re.findall(r">[-\N{MINUS SIGN}]0(?:\.0*)?%?<", html) == []
    assert "-0.0" not in [str(value) for figure in report.figures for row in rows_of(figure) for value in row]
    assert (written("points", -0.0), written("win_share", -0.00001), str(rounded(-0.0))) == ("0", "0.0%", "0.0")


def without_data(html: str) -> str:
    """Return a page without its font and data, since base64 may contain any short word by chance."""
    return re.sub(r"<(style|template)\b.*?</\1>", "", html, flags=re.DOTALL)


def numbers_in(sentence: str, frame: pl.DataFrame) -> list[str]:
    """Return the numbers in a sentence, except those of its method and in names."""
    for text in ("95% CI", "Holm", ", 5%", "(5%"):
        sentence = sentence.replace(text, " ")
    for column in ("match", "tournament", "version"):
        if column in frame.columns:
            for name in frame[column].unique():
                sentence = sentence.replace(str(name), " ")
    for game in GAMES:
        sentence = sentence.replace(title_of(game), " ")
    return re.findall(r"[+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?", sentence)


def numbers_of(figure: Figure) -> set[str]:
    """Return each number of a figure in all possible forms: as in its table, rounded, counted or summed."""
    found = {"6"} if "comeback" in figure.finding or "back" in figure.finding else set()  # a round that counts
    for name, column in figure.frame.to_dict(as_series=False).items():
        values = [value for value in column if isinstance(value, int | float) and not isinstance(value, bool)]
        for value in [*values, sum(values)]:
            found.update(spelled(name, value))
        for text in (value for value in column if isinstance(value, str)):
            found.update(re.findall(r"[+−]?\d[\d,.]*%?", text) + re.findall(r"\d[\d,.]*%?", text))
    counts = [name for name, kind in figure.frame.schema.items() if kind.is_integer()]
    for key in (name for name, kind in figure.frame.schema.items() if kind == pl.String):
        for part in figure.frame.partition_by(key):  # counts of one kind and of all others
            for name in counts:
                of_it, of_all = int(part[name].sum()), int(figure.frame[name].sum())
                found.update((f"{of_it:,}", f"{of_all - of_it:,}"))
    found.update(f"{count:,}" for count in range(figure.frame.height + 1))  # a sentence may count rows
    return found


def spelled(name: str, value: float) -> set[str]:
    value = value if value == value and abs(value) != float("inf") else 0  # noqa: PLR0124
    texts = {written(name, value), f"{value:,}", f"{value:g}", f"{value:.2f}", f"{value:.1f}", f"{value:.1%}"}
    texts |= {f"{value:.0f}", f"{value:+.0f}", f"{value:+.1f}", f"{100 * value:+.1f}", f"{100 * value:.1f}"}
    return {text.replace("-", "−") for text in texts} | {text.removeprefix("+") for text in texts}


def test_the_page_has_no_script_and_loads_nothing(html: str):
    tags = Tags(html)
    assert not {"script", "link", "img", "iframe", "object", "embed", "video", "base", "form"} & {
        tag for tag, _ in tags.found
    }
    for _, attributes in tags.found:
        assert not any(name.startswith("on") for name in attributes)
        assert not {"src", "srcset", "data", "action"} & set(attributes)
    assert set(re.findall(r"url\(\"?([a-z]+:)", html)) == {"data:"}
    assert "@import" not in html
    assert "default-src 'none'" in html


def test_headings_tables_and_drawings_work_with_screen_readers(html: str):
    tags = Tags(html)
    levels = [int(tag[1]) for tag, _ in tags.found if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    named = {attributes.get("id") for level in ("h2", "h3") for attributes in tags.named(level)}
    assert {attributes.get("aria-labelledby") for attributes in tags.named("table")} <= named
    assert len(tags.named("table")) > 5
    assert all(cell.get("scope") in {"col", "row"} for cell in tags.named("th"))
    drawings = [each for each in tags.named("svg") if each.get("role") == "img"]  # excludes the layers of a board
    assert len(drawings) == html.count('aria-labelledby="drawing-') + html.count('<div class="drawing board"') > 20
    assert len(tags.named("title")) >= len(drawings) == len(tags.named("desc"))
    assert not re.search(r"\.(drawing|board) svg", html)  # the layers of a board keep their sizes in print


def test_the_embedded_data_describes_the_report(report: Report, html: str, again: Report):
    data = read_report(html)
    assert data["filter"] == [["tournament", "four"]]
    assert data["digest"] == report.digest
    assert len(data["logs"]) == data["matches"] == 8
    assert [match for match, _ in data["logs"]] == sorted(match for match, _ in data["logs"])
    assert data["figures"]["win-share"]["rows"][0][0] == report.figures[0].frame["player"][0]
    assert data_of(again)["digest"] == data["digest"]
    assert data_of(again)["figures"].keys() == data["figures"].keys()


@pytest.mark.parametrize("text", ["", "<p>no report</p>", '<template id="himalaya-report">!!</template>'])
def test_a_file_that_is_no_report_is_refused(text: str):
    with pytest.raises(ReportError, match="report"):
        read_report(text)


def test_a_filter_that_leaves_nothing_makes_no_report(warehouse: Warehouse):
    with pytest.raises(ReportError, match="no finished match fits the filter \\(tournament nobody\\)"):
        build(warehouse, Filter(tournaments=("nobody",)))


def test_an_empty_figure_says_that_it_is_empty(warehouse: Warehouse):
    with fewer_figures("eliminations"):
        three = build(warehouse, Filter(tournaments=("three",)))
    eliminations = three.figure("eliminations")
    assert eliminations is not None
    assert eliminations.frame.is_empty()
    assert eliminations.finding
    assert page(three).count("<article") == len(three.figures) + len(three.telling)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("tournment", "cup")], "expected one of game, tournament"),
        ([("seat", "0")], "seat cannot be '0'"),
        ([("seat", "x")], "seat cannot be 'x'"),
        ([("players", "four")], "players cannot be 'four'"),
        ([("from", "5"), ("to", "99")], "to cannot be '99'"),
        ([("game", "caravan"), ("to", "13")], "to cannot be '13'"),
        ([("option", "tokens")], "option cannot be 'tokens'"),
    ],
)
def test_a_mistake_in_a_filter_is_reported(pairs: list[tuple[str, str]], message: str):
    with pytest.raises(ReportError, match=re.escape(message)):
        filter_from(pairs)


def test_rounds_in_the_wrong_order_are_swapped():
    assert filter_from([("from", "5"), ("to", "3")]) == Filter(first=3, last=5)


def test_a_filter_in_words():
    where = filter_from([("tournament", "a"), ("tournament", "b"), ("seat", "1"), ("from", "2"), ("players", "4")])
    assert in_words(where) == "tournaments a and b; table of 4 players; seat 1; rounds from 2 on"
    assert in_words(Filter(last=3), "summit") == "throws 0 to 3"
    assert in_words(Filter()) == "all matches"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_harmless(report: Report, name: str):
    frame = pl.DataFrame({"player": [name], "win_share": [0.5], "win_share_low": [0.2], "win_share_high": [0.8]})
    columns = {"player": "Player", "win_share": "Share"}
    evil = Figure("win-share", name, "strength", frame, columns, f"{name} wins.", lambda _: drawn(name))
    text = page(
        replace(
            report, figures=(evil,), telling=(), versions=frame.select("player", version="player", played=pl.lit(1))
        )
    )
    tags = {tag for tag, _ in Tags(text).found}
    assert "script" not in tags
    assert all(tag.islower() for tag in tags)
    row = next(row for row in re.findall(r"<tr>.*?</tr>", text) if "50.0%" in row)
    assert len(row) < 500


def drawn(name: str) -> str:
    about = About("evil", name, name)
    dot = Dot(name, 0.5, 0.2, 0.8, "#ffffff", "circle", name, "", name)
    bars = Bars((name,), (BarPanel(name, (Series(name, (Bar(name, 1, "#ffffff", name, name, ""),)),)),), is_share=True)
    charts = (Dots((name,), (DotPanel(name, (dot,)),)), bars)
    return "".join(svg_chart(chart, about, LIGHT) for chart in charts)


def test_a_column_without_an_interval_is_drawn():
    chart = Columns((Column(12, (1.0,), "one match", ""),), (("", LIGHT.accent),), "rounds", ",")
    assert svg_chart(chart, About("lengths", "Lengths", "one match"), LIGHT).count("<rect") == 1


def test_a_drawing_follows_the_scheme_of_the_reader():
    sheet = DarkSheet()
    light = '<svg fill="#ffffff"><rect class="x" fill="#111111" stroke="#222222"/><path fill="#333333"/></svg>'
    dark = '<svg fill="#000000"><rect class="x" fill="#eeeeee" stroke="#222222"/><path fill="#333333"/></svg>'
    both = sheet.both(lambda scheme: light if scheme == "light" else dark)
    assert both == (
        '<svg class="d0" fill="#ffffff"><rect class="d1" fill="#111111" stroke="#222222"/><path fill="#333333"/></svg>'
    )
    assert sheet.text() == ("@media screen and (prefers-color-scheme:dark){.d0{fill:#000000}.d1{fill:#eeeeee}}")


@pytest.mark.parametrize(
    ("column", "value", "text"),
    [
        ("win_share", 0.4708, "47.1%"),
        ("seat_effect", -0.0416, "−4.2"),
        ("rating", -12.4, "−12"),
        ("better_share_p", 0.00001, "< 0.001"),
        ("better_share_holm", 0.0312, "0.031"),
        ("narrowing", 1.2345, "1.23"),
        ("seat", 0, "1"),
        ("played", 12_345, "12,345"),
        ("rating_low", None, "–"),
        ("paired_difference_high", float("inf"), "∞"),
        ("paired_difference_low", float("-inf"), "−∞"),
    ],
)
def test_how_a_number_is_written(column: str, value: float | None, text: str):
    assert written(column, value) == text


@pytest.mark.parametrize(
    ("tournaments", "name"),
    [
        (("cup",), "himalaya-cup.pdf"),
        (("a", "b"), "himalaya-report.pdf"),
        ((), "himalaya-report.pdf"),
        (("(none)",), "himalaya-none.pdf"),
        (('a"b\r\nX: y/../é',), "himalaya-a-b-X-y.pdf"),
        (("…",), "himalaya-report.pdf"),
        (("z" * 500,), f"himalaya-{'z' * 60}.pdf"),
    ],
)
def test_a_report_gets_a_valid_file_name(tournaments: tuple[str, ...], name: str):
    assert file_name(Filter(tournaments=tournaments), Format.PDF) == name


def test_a_report_says_what_chances_are_estimated_from_and_by_which_model(report: Report) -> None:
    reviewing = report.scope.reviewing
    ((model, error),) = reviewing.models
    said = shown(page(report))["chances", "sentence"]
    assert said[:4] == [
        "Valued: all 8 matches.",
        ESTIMATED,
        f"Model {model}, off by {100 * error:.1f} points on average where it was checked.",
        NAMED,
    ]
    names = [figure.name for figure in report.figures if figure.section == "chances"]
    assert names == ["plan-costs", "decided-by-chances", "largest-swings", "moment-causes", "calibration"]
    assert data_of(report)["valued"] == [8, [model]]


@pytest.mark.slow("a report of its own")
def test_a_report_without_a_valued_match_says_that_and_shows_no_figure_of_chances(logs: Path, tmp_path: Path) -> None:
    ingest([logs], tmp_path / "w.duckdb", processes=0)
    with open_warehouse(tmp_path / "w.duckdb") as warehouse, fewer_figures("win-share", "decided-by-chances"):
        text = page(build(warehouse, FOUR))
    assert shown(text)["chances", "sentence"] == ["Valued: 0 of 8 matches; 8 wait to be reviewed."]
    assert "figure-decided-by-chances" not in text
