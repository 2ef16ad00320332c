"""Several games in one database: choosing a game, and the pages of games other than caravan."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Looks, Served, wide

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]


@pytest.fixture(scope="module")
def served(games: Served) -> Served:
    return games


def drawn(page: Page, name: str) -> None:
    card = page.locator(f'.figure-card[data-figure="{name}"]')
    card.scroll_into_view_if_needed()
    expect(card).to_have_attribute("data-state", "drawn")
    expect(card).not_to_have_attribute("aria-busy", "true")


@pytest.mark.slow("another game under a filter")
def test_switching_the_game_keeps_shared_filters(visit: Visit) -> None:
    page = visit("/tournaments?game=caravan&tournament=none&player=greedy&player=trader&result=lost&players=3")
    page.get_by_role("textbox", name="Game").click()
    page.get_by_role("option", name="Himalaya (Piatnik 1998)").click()
    expect(page).to_have_url(re.compile(r"/tournaments\?game=summit&player=greedy&players=3&result=lost$"))
    expect(page.locator(".listing .row-link")).to_have_text(["ropes"])
    page.go_back()
    expect(page.locator(".listing .row-link")).to_have_count(0)
    expect(page).to_have_url(re.compile("game=caravan&tournament=none"))


@pytest.mark.slow("the figures of another game")
def test_figures_are_those_of_the_game(visit: Visit) -> None:
    page = visit(
        "/analysis/why/voids?game=caravan&tournament=none&player=greedy&player=trader&result=lost&from=3&players=3"
    )
    expect(page.locator("#figure-voids")).to_be_attached()
    page.get_by_role("textbox", name="Game").click()
    page.get_by_role("option", name="Himalaya (Piatnik 1998)").click()
    expect(page.locator("#analysis-lead")).to_contain_text(": 4 finished matches")
    expect(page.locator("#figure-outcomes")).to_be_attached()
    expect(page.locator("#figure-voids")).to_have_count(0)
    page.get_by_role("button", name="More filters").click()
    expect(page.get_by_text("Throws, 0 is before the first")).to_be_visible()


def test_a_game_that_draws_who_starts_is_asked_whether_going_first_matters(visit: Visit) -> None:
    page = visit("/analysis/seat?game=climbers")
    expect(page).to_have_title("Does going first matter? · Himalaya")
    expect(page.get_by_role("heading", name="Does going first matter?")).to_be_visible()
    drawn(page, "seat-effect")
    page.goto(page.url.replace("/seat?", "/seat/seat-effect?"))
    expect(page).to_have_title("Turn order advantage · Himalaya")


@pytest.mark.slow("the glossary of another game")
def test_figures_of_summit_lead_to_the_glossary_of_summit(visit: Visit, axe: Axe) -> None:
    page = visit("/analysis/why/dice?game=summit&player=racer")
    drawn(page, "dice")
    card = page.locator("#figure-dice")
    expect(card.locator("figcaption")).to_contain_text("95% CI")
    card.get_by_text("Show data").click()
    assert axe(page, "#figure-dice") == []
    card.get_by_role("link", name="Pips per match").click()
    expect(page).to_have_url(re.compile(r"/glossary\?game=summit#dice_pips$"))
    expect(page.locator("#dice_pips")).to_be_in_viewport()
    expect(page.locator("#voids")).to_have_count(0)
    page.get_by_role("link", name="Himalaya (Tilsit 2004)").click()
    expect(page.locator("#voids")).to_be_attached()
    expect(page.locator("#dice_pips")).to_have_count(0)


@pytest.mark.slow("the traffic of another board")
@pytest.mark.parametrize(("theme", "size"), [("dark", (390, 844))])
def test_traffic_of_summit(visit: Visit, axe: Axe, size: tuple[int, int]) -> None:
    page = visit("/analysis/where?game=summit&tournament=ropes&show=winners")
    drawn(page, "map")
    fields = page.locator(".map svg:visible .field-place circle")
    expect(fields).to_have_count(33)
    expect(fields.locator("..").locator(".count").filter(has_text=re.compile("^[+−]")).first).to_be_visible()
    expect(page.locator(".figure-card[data-figure=map] figcaption")).to_contain_text("winners (6 seats) minus losers")
    page.get_by_text("Sherpas sent back", exact=True).click()
    expect(page.locator("#traffic-places-title")).to_have_text("Sherpas sent back by field")
    assert axe(page, ".figure-card[data-figure=map]") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.slow("the traffic of another board")
def test_traffic_of_climbers(visit: Visit, axe: Axe, size: tuple[int, int]) -> None:
    page = visit("/analysis/where?game=climbers&tournament=walls")
    drawn(page, "levels-stood")
    expect(page.locator(".figure-card")).to_have_count(1)
    assert axe(page, ".figure-card") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.slow("several pages of several games")
@pytest.mark.every_look
def test_home_links_to_turning_points_and_can_hide_winners(visit: Visit, axe: Axe, looks: Looks) -> None:
    page = visit("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Watch board games, and see why they were won")
    pictures = page.locator(".worth-picture img")
    for look in looks(page):
        for picture in pictures.all():
            picture.scroll_into_view_if_needed()
            expect(picture).to_have_attribute("src", re.compile(f"theme={look.theme}"))
            expect(picture).to_have_js_property("complete", True)
            assert picture.evaluate("picture => picture.naturalWidth")
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    assert pictures.count() > 2
    expect(page.locator(".worth-won").first).to_be_visible()
    page.get_by_label("Hide winners").check()
    expect(page.locator(".worth-won:visible, .when-told:visible")).to_have_count(0)
    page = visit("/")  # the choice of a game is remembered
    expect(page.get_by_label("Hide winners")).to_be_checked()
    expect(page.locator(".worth-won:visible, .when-told:visible")).to_have_count(0)
    ply = page.locator(".worth-picture").first.get_attribute("data-ply")
    expect(page.locator(".worth-picture img").first).to_have_attribute("src", re.compile(f"ply={ply}&"))
    page.locator(".worth-link").first.click()
    expect(page).to_have_url(re.compile("ply=0&spoilers=off"))


@pytest.mark.slow("two boards of another game")
def test_two_towers_of_the_same_seed_turn_together(player: Visit) -> None:
    page = player("/replay?match=walls.000000&ply=9")
    page.locator("#replay-compare").click()
    page.locator("#replay-compare-menu .menu-row").first.click()
    towers = page.locator(".board-half:visible .tower-faces")
    expect(towers).to_have_count(2)
    drawn = "all => all.map(each => each.querySelector('.face').getAttribute('d'))"
    before = towers.evaluate_all(drawn)
    page.get_by_role("button", name="Turn left").click()
    expect(page).to_have_url(re.compile(r"ply=9&with=walls\.\d+&angle=73$"))
    assert all(turned != was for turned, was in zip(towers.evaluate_all(drawn), before, strict=True))
    page.get_by_role("button", name="From above").click()
    expect(page.locator(".tower-above:visible")).to_have_count(2)


@pytest.mark.slow("another game in the list")
def test_matches_say_their_game(visit: Visit) -> None:
    page = visit("/matches?game=summit&tournament=ropes")
    expect(page.locator("#matches-count")).to_have_text("6 matches")
    heads = page.locator(".ag-header-cell-text")
    expect(heads).to_have_text(
        [
            *("Match", "Tournament", "Players, by seat", "Winner", "Won by", "Winner's lowest chance", "Throws"),
            *("Events", "Status"),
        ]
    )
    expect(visit("/matches").locator(".page-head .meta")).to_contain_text(
        re.compile(r" matches of Himalaya \(Tilsit 2004\), \d+ of all games; choose .* under Game")
    )
