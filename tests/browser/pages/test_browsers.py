"""Pages in browsers that forbid storage or limit changes of the address, and pages that hide winners."""

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Served, run

Visit = Callable[[str], Page]
WITHOUT_STORAGE = """for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
}"""
WITH_A_LIMIT = """for (const way of ["pushState", "replaceState"]) {
    const change = history[way].bind(history);
    let left = MOST;
    history[way] = (...given) => {
        if (!left) throw new DOMException("The operation is insecure.", "SecurityError");
        left -= 1;
        change(...given);
    };
}"""


@pytest.fixture
def served(games: Served) -> Served:
    return games


def test_every_page_works_without_storage(browser: Browser, served: Served) -> None:
    context = browser.new_context(base_url=served.url)
    context.add_init_script(WITHOUT_STORAGE)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto("/")
    page.get_by_label("Hide winners").check(force=True)
    expect(page.locator(".worth-won").first).to_be_hidden()
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    for name in page.locator("#navigation a").all_inner_texts()[1:]:
        page.locator("#navigation").get_by_role("link", name=name, exact=True).click()
        expect(page.locator("#menu-page")).to_have_text(name)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto("/replay?match=ropes.000000&ply=3")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".transport .count b")).not_to_have_text("0")
    context.close()
    assert not problems


def test_navigation_works_when_the_browser_refuses_another_address(browser: Browser, served: Served) -> None:
    context = browser.new_context(base_url=served.url)
    context.add_init_script(WITH_A_LIMIT.replace("MOST", "0"))
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto("/tournaments")
    page.locator("#navigation").get_by_role("link", name="Matches").click()
    expect(page).to_have_url(re.compile("/matches"))
    page.goto("/tournaments")
    page.get_by_role("link", name="cup", exact=True).click()  # a link of Dash
    expect(page.get_by_role("heading", level=1)).to_have_text("cup")
    page.goto("/replay?match=ropes.000000&ply=3")
    page.get_by_role("button", name="Next event").click()
    page.get_by_role("button", name="Traffic").click()
    expect(page.get_by_role("button", name="Traffic")).to_have_attribute("aria-pressed", "true")
    context.close()
    assert not problems


def test_moving_through_a_match_changes_the_address_at_most_100_times_in_30_seconds(visit: Visit) -> None:
    page = visit("/replay?match=ropes.000000&ply=0")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    changes = page.evaluate("""async () => {
        let changes = 0;
        const change = history.replaceState.bind(history);
        history.replaceState = (...given) => { changes += 1; change(...given); };
        const next = document.querySelector("#replay-next");
        for (let nth = 0; nth < 12; nth += 1) {
            next.click();
            await new Promise((done) => setTimeout(done, 170));
        }
        return changes;
    }""")
    assert 2 <= changes <= 7  # within 2 s
    page.get_by_role("button", name="Previous event").click()
    expect(page).to_have_url(re.compile(r"ply=\d"))


WHERE = ("/", "/matches", "/tournament?game=caravan&tournament=cup")


def test_hidden_winners_are_hidden_on_every_page_of_the_session(visit: Visit) -> None:
    page = visit("/")
    page.get_by_label("Hide winners").check(force=True)
    expect(page.locator(".worth-link").first).to_have_attribute("href", re.compile(r"&ply=0$"))
    for address in WHERE:
        page = visit(address)
        expect(page.get_by_label("Hide winners")).to_be_checked()
        told = page.locator(".when-told, .ag-header-cell[col-id=winner], .ag-header-cell[col-id=margin]")
        expect(told.locator("visible=true")).to_have_count(0)
    page = visit("/replay?match=cup.000000&ply=9")
    expect(page).to_have_url(re.compile("spoilers=off"))
    expect(page.locator(".transport .count")).not_to_contain_text("/")


def test_the_list_of_matches_does_not_tell_hidden_winners_by_its_order_filters_or_csv(visit: Visit) -> None:
    page = visit("/matches?game=caravan&sort=-margin")
    expect(page.get_by_role("columnheader", name="Won by")).to_have_attribute("aria-sort", "descending")
    page.get_by_label("Hide winners").check(force=True)
    expect(page).to_have_url(re.compile(r"/matches\?game=caravan$"))
    expect(page.locator("#matches-csv")).to_be_hidden()
    expect(page.locator(".ag-row[row-index='0']").first).to_be_in_viewport()
    page.get_by_role("button", name="More filters").click()
    expect(page.locator("[data-filter=status]")).to_be_visible()
    expect(page.locator("[data-filter=result]")).to_be_hidden()


def test_winners_shown_again_are_on_the_list_of_matches(visit: Visit) -> None:
    page = visit("/matches")
    page.get_by_label("Hide winners").check(force=True)
    expect(page.locator(".ag-header-cell[col-id=winner]")).to_have_count(0)
    expect(page.get_by_text("While winners are hidden")).to_be_visible()
    page.get_by_label("Hide winners").uncheck(force=True)
    expect(page.locator(".ag-header-cell[col-id=winner]")).to_be_visible()
    expect(page.locator(".ag-row [col-id=winner]").first).not_to_be_empty()
    page = visit("/replay?match=cup.000000&ply=9")
    expect(page).not_to_have_url(re.compile("spoilers"))


NAMES = {"trader": "constructor", "greedy": "__proto__", "envoy": "toString"}


@pytest.fixture
def odd(serve: Callable[..., Served], browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page of an app with one match, whose players have such names."""
    log, database = tmp_path / "odd.jsonl", tmp_path / "odd.duckdb"
    run("play", "caravan", "--players", "trader,greedy,envoy", "--seed", "odd", "--out", log)
    *lines, end = log.read_bytes().splitlines(keepends=True)
    before = sha256(b"".join(lines)).hexdigest()
    for name, odd in NAMES.items():
        lines[0] = lines[0].replace(f'"player":"{name}"'.encode(), f'"player":"{odd}"'.encode())
    after = sha256(b"".join(lines)).hexdigest()
    log.write_bytes(b"".join(lines) + end.replace(before.encode(), after.encode()))
    run("ingest", log, "--db", database)
    page = browser.new_page(base_url=serve(database).url)
    yield page
    page.close()


def test_players_may_be_called_like_properties_of_javascript(odd: Page) -> None:
    odd.goto("/matches?" + "&".join(f"player={name}" for name in NAMES.values()))
    expect(odd.locator(".chip-text")).to_have_text([*NAMES.values()])
    expect(odd.locator("#matches-count")).to_have_text("1 match")


MIDDLES = """marks => marks.map((mark) => {
    const { top, bottom } = mark.getBoundingClientRect();
    return (top + bottom) / 2;
})"""


@pytest.mark.parametrize(("name", "marks"), [("win-share", ".points path"), ("placement", ".bars .point path")])
def test_such_players_have_their_rows_in_figures(odd: Page, name: str, marks: str) -> None:
    odd.goto(f"/analysis/who/{name}")
    graph = odd.locator(f'.figure-card[data-figure="{name}"] .js-plotly-plot')
    expect(graph.locator(".ytick")).to_have_count(3)
    assert sorted(graph.locator(".ytick").all_text_contents()) == sorted(NAMES.values())
    rows = graph.locator(".ytick").evaluate_all(MIDDLES)
    for middle in graph.locator(marks).locator("visible=true").evaluate_all(MIDDLES):
        assert min(abs(middle - row) for row in rows) < 4
    assert "NaN" not in graph.inner_html()


def test_such_players_have_their_cells_in_a_matrix(odd: Page) -> None:
    odd.goto("/analysis/who/head-to-head")
    card = odd.locator('.figure-card[data-figure="head-to-head"]')
    expect(card.locator(".xtick")).to_have_count(3)
    expect(card.locator(".hm image")).to_have_attribute("width", re.compile(r"^\d+$"))
    assert "NaN" not in card.locator(".js-plotly-plot").inner_html()
