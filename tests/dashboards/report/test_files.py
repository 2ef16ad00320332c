"""A report as an accessible PDF, and as a workbook with typed columns and without formulas."""

import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import polars as pl
import pytest
from pypdf import PdfReader
from pypdf.generic import DictionaryObject
from weasyprint import HTML

from dashboards.catalog.figures import figures_of
from dashboards.catalog.numbers import written as as_text
from dashboards.charts.chart import Dot, DotPanel, Dots
from dashboards.charts.svg import About
from dashboards.charts.theme import LIGHT
from dashboards.charts.to_svg import svg_chart
from dashboards.games.analytics import ANALYTICS
from dashboards.queries.filters import Filter
from dashboards.report import pdf as pdf_module
from dashboards.report.build import build
from dashboards.report.model import SYMMETRIC, Figure, Report, ReportError
from dashboards.report.page import BESIDE_ROWS, page, set_over
from dashboards.report.page import _style as style
from dashboards.report.pdf import pdf
from dashboards.report.workbook import sheet_name, workbook
from himalaya_core.tournament.plan import Plan, Schedule
from himalaya_core.tournament.runner import run_tournament
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.dashboards.report.fewer import fewer_figures

EVIL = ("=cmd|' /C calc'!A0", "+1+1", "-2", "@SUM(A1)", "\t=1", "<b>&", "y" * 40_000)


@pytest.fixture(scope="module")
def report(warehouse: Warehouse) -> Report:
    with fewer_figures("seat-effect", "telling-matches"):  # `make soak` prints all, in test_check.py
        made = build(warehouse, Filter(tournaments=("four",)))
    # Columns of definitions take longest to lay out.
    return replace(made, telling=made.telling[:1], definitions=made.definitions[:2])


@pytest.fixture(scope="module")
def written(report: Report) -> bytes:
    return pdf(report)


@pytest.fixture(scope="module")
def document(written: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(written))


def beyond_the_paper(html: str) -> list[str]:
    """Return the texts of a typeset page that end right of the page's content."""
    found: list[str] = []
    for printed in HTML(string=html).render().pages:
        sheet = printed._page_box
        edge = sheet.margin_left + sheet.width + 1
        texts = [box for box in sheet.descendants() if getattr(box, "text", None)]
        found += [box.text for box in texts if box.position_x + box.width > edge]
    return found


def test_tables_with_long_names_stay_on_the_paper(report: Report):
    html = page(report, on_paper=True)
    standings = report.figure("win-share")
    assert standings is not None
    for name in standings.frame["player"]:
        assert f">{name}<" in html
        html = html.replace(f">{name}<", f">{name * 30}<")
    assert beyond_the_paper(html) == []


@pytest.mark.slow("sets a whole report twice")
def test_the_same_report_is_the_same_pdf(report: Report, written: bytes):
    assert pdf(report) == written


def roles(node: Any) -> list[DictionaryObject]:
    """Return the roles of a PDF's structure tree in order."""
    found = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(found, list):
        return [each for child in found for each in roles(child)]
    if not isinstance(found, DictionaryObject):
        return []
    return [found, *roles(found.get("/K"))]


def test_the_pdf_is_tagged_and_says_so(document: PdfReader, report: Report):
    root: Any = document.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert document.metadata is not None
    assert document.metadata.title == "four: report"
    assert "/CreationDate" not in document.metadata
    elements = roles(root["/StructTreeRoot"])
    kinds = [str(element.get("/S")) for element in elements]
    assert {"/H1", "/H2", "/H3", "/P", "/Table", "/TH", "/TD", "/Caption", "/Figure", "/L"} <= set(kinds)
    figures = [element for element in elements if element.get("/S") == "/Figure"]
    drawn = sum(figure.draw is not None for figure in report.figures) + len(report.telling)
    assert len([each for each in figures if each.get("/Alt")]) == drawn
    assert b"pdfuaid" in root["/Metadata"].get_data()


def parted(document: PdfReader, report: Report) -> list[str]:
    """Return the figures and matches whose title, text and short table are not all on one page."""
    pages = ["".join(page.extract_text().split()) for page in document.pages]
    together = {match.match: [match.why, match.moment[:30]] for match in report.telling}
    for figure in report.figures:
        together[figure.name] = [figure.title, figure.finding if figure.name != "telling-matches" else ""]
        if figure.frame.height <= BESIDE_ROWS and figure.name not in SYMMETRIC:
            first = next(iter(figure.columns))
            cells = [as_text(first, value) for value in figure.frame[first]] if first in figure.frame.columns else []
            together[figure.name] += [*(figure.columns.values() if cells else ()), *cells]
    wanted = {name: ["".join(text.split()) for text in texts] for name, texts in together.items()}
    return [name for name, texts in wanted.items() if not any(all(each in page for each in texts) for page in pages)]


@pytest.mark.slow("another document")
def test_nothing_is_parted_from_its_title_on_paper(document: PdfReader, report: Report):
    assert parted(document, report) == []


@pytest.mark.soak("hundreds of pages")
def test_a_report_of_five_players_has_at_most_twenty_pages(tmp_path: Path):
    players = ("random", "greedy", "trader", "pilgrim", "envoy")
    plan = Plan("five", "caravan", players, 40, schedule=Schedule.ALL, seats=4)
    run_tournament(plan, tmp_path / "logs", 1)
    ingest([tmp_path / "logs"], tmp_path / "five.duckdb")
    with open_warehouse(tmp_path / "five.duckdb") as opened:
        report = build(opened, Filter())
    document = PdfReader(io.BytesIO(pdf(report)))
    pages = document.pages
    assert len(pages) <= 20
    assert parted(document, report) == []
    assert "What was checked" in pages[0].extract_text()
    assert "What was checked" not in pages[1].extract_text()


def test_the_pdf_has_the_words_and_our_font(document: PdfReader, report: Report):
    text = " ".join(" ".join(page.extract_text() for page in document.pages).split())
    assert all(" ".join(figure.title.split()) in text for figure in report.figures)
    assert report.digest[:16] in text
    resources: list[Any] = [page["/Resources"] for page in document.pages]
    fonts = {str(font.get_object()["/BaseFont"]) for each in resources for font in each["/Font"].values()}
    assert any("Inter" in font for font in fonts), fonts


def test_without_weasyprint_it_says_what_to_install(report: Report, monkeypatch: pytest.MonkeyPatch):
    without = [sys.executable, "-c", f"import sys; sys.exit({pdf_module.MISSING})"]
    start = subprocess.Popen
    monkeypatch.setattr(pdf_module.subprocess, "Popen", lambda _, **options: start(without, **options))
    with pytest.raises(ReportError, match=r"pip install '\.\[report\]'"):
        pdf(report)


@pytest.mark.slow("every script")
def test_names_in_figures_are_shaped_in_every_script_to_the_same_bytes(report: Report, monkeypatch: pytest.MonkeyPatch):
    names = ("محمد", "李明", "greedy")
    dots = tuple(Dot(name, 0.5, 0.4, 0.6, LIGHT.accent, "circle", "", "") for name in names)
    svg = svg_chart(Dots(names, (DotPanel("", dots),)), About("f", "f", "f"), LIGHT)
    html = f"<title>f</title><style>{style()}</style><div class='drawing'>{set_over(svg)}</div>"
    monkeypatch.setattr(pdf_module, "page", lambda *_, **__: f"<!DOCTYPE html><html lang='en'>{html}</html>")
    made = pdf(report)
    assert pdf(report) == made
    page = PdfReader(io.BytesIO(made)).pages[0]
    places: dict[str, tuple[float, float]] = {}

    def note(text: str, _: Any, at: list[float], *__: Any) -> None:
        places.setdefault(text.strip(), (at[4], at[5]))

    page.extract_text(visitor_text=note)
    (left, first), (other, second) = places["محمد"], places["李明"]
    pixel = 25.4 / 96
    assert left == other == pytest.approx(16 / pixel, abs=0.1)  # the margin of a page
    assert second - first == pytest.approx(26 * 130 / 560 / pixel, abs=1)  # the height of a row


def test_an_abandoned_pdf_is_not_finished(report: Report, monkeypatch: pytest.MonkeyPatch):
    started: list[subprocess.Popen[bytes]] = []
    forever = [sys.executable, "-c", "import threading; threading.Event().wait()"]
    start = subprocess.Popen

    def remembered(_: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(start(forever, **options))  # type: ignore[call-overload]
        return started[-1]

    def stop(*_: object) -> None:
        raise InterruptedError

    monkeypatch.setattr(pdf_module.subprocess, "Popen", remembered)
    with pytest.raises(InterruptedError):
        pdf(report, stop)
    assert started[0].returncode is not None


@pytest.fixture(scope="module")
def book(report: Report) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(workbook(report)))


def test_the_workbook_has_a_sheet_for_each_table(book: openpyxl.Workbook, report: Report):
    titles = [sheet_name(figure.title, set()) for figure in report.figures]
    assert set(titles) <= set(book.sheetnames)
    assert {"Report", "Summary", "Method", "Definitions", "Columns", "Players", "Logs"} <= set(book.sheetnames)
    assert all(sheet.freeze_panes == "A2" for sheet in book)
    assert book.properties.created is not None
    assert book.properties.created.year == 2000


def test_values_have_types(book: openpyxl.Workbook, report: Report):
    sheet, figure = book["Share of matches won"], report.figures[0]
    heads = [cell.value for cell in sheet[1]]
    assert heads == list(figure.columns.values())
    first = dict(zip(heads, sheet[2], strict=True))
    assert first["Player"].value == figure.frame["player"][0]
    assert first["Matches"].value == figure.frame["played"][0]
    assert first["Share won"].value == pytest.approx(figure.frame["win_share"][0], rel=1e-9)
    assert first["Share won"].data_type == "n"
    assert first["Share won"].number_format == "0.0%"
    assert sheet.max_row == figure.frame.height + 1
    assert [row[0].value for row in book["Logs"].iter_rows(min_row=2)] == report.logs["match"].to_list()
    seats = next(figure for figure in report.figures if figure.name == "seat-effect")
    sheet = book["Seat advantage"]
    assert {cell.value for cell in sheet["B"][1:]} == {1, 2, 3, 4}
    effect = list(seats.columns).index("seat_effect")
    assert sheet[1][effect].value == f"{seats.columns['seat_effect']} (points)"
    assert sheet[2][effect].value == pytest.approx(100 * seats.frame["seat_effect"][0], rel=1e-9)
    assert sheet[2][effect].number_format == "+0.0;-0.0;0.0"


def test_no_cell_is_a_formula_whatever_players_are_called(report: Report):
    frame = pl.DataFrame({"player": list(EVIL), "win_share": [0.5] * len(EVIL)})
    evil = Figure("win-share", "=1+1", "strength", frame, {"player": "=Player", "win_share": "Share"}, "=1")
    made = workbook(replace(report, figures=(evil,), versions=frame.select("player", v="player", n="win_share")))
    sheets = openpyxl.load_workbook(io.BytesIO(made))
    cells = [cell for sheet in sheets for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    texts = [str(cell.value) for cell in cells if cell.data_type == "s"]
    assert not [text for text in texts if text.startswith(("=", "+", "-", "@", "\t"))]
    assert "'=cmd|' /C calc'!A0" in texts


def test_sheets_have_valid_names():
    taken: set[str] = set()
    names = [sheet_name(name, taken) for name in ("a/b*c", "A B C", "z" * 50, "z" * 60, "''", "[x]")]
    assert names == ["a b c", "A B C 2", "z" * 31, f"{'z' * 27} 2", "Sheet", "x"]


@pytest.mark.parametrize("game", ANALYTICS)
def test_every_figure_of_the_catalog_fits_a_sheet_name(game: str):
    assert len({sheet_name(table.title, set()) for table in figures_of(game).values()}) == len(figures_of(game))
