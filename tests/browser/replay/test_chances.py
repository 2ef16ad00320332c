"""Win probabilities in the replay: as bands and in text, with causes, and better decisions."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from dashboards.boards.scene import ply_names
from tests.browser.conftest import Looks, Served, wide
from tests.browser.replay.reviewed import MATCH, ON, Reviewed, chances_at

Visit = Callable[[str], Page]
SCRUBBER = "#replay-scrubber"
BANDS = ".timeline-still .chances"
TOP, HEIGHT = 25, 46
NOT_VALUED = {"not_valued": "7 players were not checked", "model": None} | {
    part: [] for part in ("chances", "moments", "split", "judgements", "changes", "story")
}
NOT_ASKED = {"state": "not asked", "reason": None, "is_confirmed": False, "pairs": 0, "gain": None, "text": None}
INSIDE = """([frame, last, heights]) => {
    const width = document.querySelector(".timeline-still").clientWidth;
    const point = document.querySelector(".timeline-still").createSVGPoint();
    point.x = 7 + (frame / last) * (width - 14) + 0.2;
    return heights.map(y => {
        point.y = y;
        return [...document.querySelectorAll(".chance-band")].map(band => band.isPointInFill(point));
    });
}"""


@pytest.fixture
def reviewed(page: Page, served: Served, player: Visit) -> Reviewed:
    return Reviewed(page, served.url, player)


def at(page: Page) -> int:
    return int(page.locator(SCRUBBER).input_value())


def last(page: Page) -> int:
    """Maximum of the slider; if the future is hidden, the slider extends beyond the known frames."""
    return int(page.locator(SCRUBBER).get_attribute("max") or 0)


def percent(chance: float) -> str:
    if 0 < chance < 0.005:
        return "<1"
    return ">99" if 0.995 <= chance < 1 else str(int(100 * chance + 0.5))


def middles(chances: list[float]) -> list[float]:
    return [TOP + HEIGHT * (sum(chances[:seat]) + each / 2) for seat, each in enumerate(chances)]


def heights(page: Page) -> dict[int, float]:
    """Return the heights of the bands of the visible seats at the playhead."""
    dots = page.locator(".timeline-moving path").all()
    shown = {seat: dot for seat, dot in enumerate(dots) if dot.get_attribute("display") != "none"}
    return {seat: float((dot.get_attribute("transform") or "").split()[1].rstrip(")")) for seat, dot in shown.items()}


def points(text: str) -> float:
    return float(text.replace("−", "-"))


def expect_told(page: Page, moments: list[int]) -> None:
    """Expect exactly these key moments; the page lists them a little after the board."""
    rows = page.locator(".moments [data-seq]:visible")
    expect(rows).to_have_count(len(moments))
    assert rows.evaluate_all("rows => rows.map(row => Number(row.dataset.seq))") == moments


def test_chances_are_drawn_and_written_in_step_with_the_slider(reviewed: Reviewed) -> None:
    page = reviewed.open("&ply=100")
    check_bands(page, reviewed)
    check_lead(page, reviewed)
    check_text(page, reviewed)


def check_bands(page: Page, reviewed: Reviewed) -> None:
    """Bands of win probability are ordered like the standings and fill the height."""
    for frame in (at(page), last(page) // 2, last(page) // 4):
        chances = chances_at(reviewed.review, frame)
        # Each band extends to the bottom; bands lower in the order are drawn over it.
        inside = page.evaluate(INSIDE, [frame, last(page), middles(chances)])
        for seat, chance in enumerate(chances):
            if HEIGHT * chance > 2:
                assert inside[seat] == [below <= seat for below in range(len(chances))]
    assert page.locator(f"{BANDS} .chance-band").count() == len(reviewed.scene["seats"])
    chances = chances_at(reviewed.review, at(page))
    expected = {seat: y for seat, y in enumerate(middles(chances)) if HEIGHT * chances[seat] >= 5}
    assert heights(page) == pytest.approx(expected, abs=0.06)
    expect(page.locator(".lead-label")).to_have_text("Chances")
    expect(page.locator(".lead").first).not_to_be_visible()


def check_lead(page: Page, reviewed: Reviewed) -> None:
    """The display can be switched to the lead."""
    before = heights(page)
    page.get_by_label("Curve").select_option("Lead: economic")
    expect(page.locator(".lead").first).to_be_visible()
    expect(page.locator(BANDS)).not_to_be_visible()
    expect(page.locator(".lead-label")).to_have_text("Lead over mean")
    assert len(heights(page)) == len(reviewed.scene["seats"])
    page.get_by_label("Curve").select_option("Chances")
    expect(page.locator(BANDS)).to_be_visible()
    assert heights(page) == before


def check_text(page: Page, reviewed: Reviewed) -> None:
    """Win probabilities in text follow the slider."""
    page.get_by_role("button", name="As text").click()
    for key in ("Shift+ArrowRight", "End", "Home"):
        page.keyboard.press(key)
        told = [percent(each) for each in chances_at(reviewed.review, at(page))]
        assert page.locator(".seat-chances [data-chance]").all_inner_texts() == told
        seats = reviewed.scene["seats"]
        words = ", ".join(
            f"{seat['player']} ({seat['name']}) {chance} %" for seat, chance in zip(seats, told, strict=True)
        )
        expect(page.locator(SCRUBBER)).to_have_attribute("aria-valuetext", re.compile(re.escape(f". Chances: {words}")))
        table = page.locator("#replay-words table").filter(has_text="Chances of winning")
        expect(table.locator("td")).to_have_text(told)
    error = f"{100 * reviewed.review['model']['quality']['calibration_error']:.1f}"
    said = f"By the model, off by {error} points on average."
    expect(page.locator(".seat-chances .meta")).to_contain_text("by the model")
    expect(page.locator(".seat-chances")).to_have_attribute("title", said)
    expect(page.locator("#replay-words")).to_contain_text(said)


@pytest.mark.slow("every part of the panel")
def test_the_board_comes_first_then_the_chances_then_what_changed_them(reviewed: Reviewed) -> None:
    page, waiting = reviewed.page, list[Route]()

    def keep(route: Route) -> None:
        waiting.append(route)

    reviewed.route(chances=keep, review=keep)
    page.goto(f"/replay?match={MATCH}&ply=100&panel=moments&standings=causes")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    expect(page.locator(".chances-note")).to_have_text("Chances are being worked out …")
    expect(page.locator(".lead").first).to_be_visible()
    expect(page.locator(".seat-chances [data-chance='0']")).to_have_text("–")
    before = at(page)
    with page.expect_request(f"**/{MATCH}/review"):
        waiting.pop().fulfill(json=reviewed.alone())
    expect(page.locator(BANDS)).to_be_visible()
    expect(page.locator(".chances-note")).not_to_be_visible()
    for place in (".moments > .meta >> nth=0", ".seat-causes >> nth=0"):
        expect(page.locator(place)).to_have_text("Key moments are being worked out …")
    page.keyboard.press("n")
    key_events = {each["at"] for each in reviewed.scene["moments"] if each.get("key")}
    assert at(page) > before
    assert any(event <= at(page) for event in key_events)
    waiting.pop().fulfill(json=reviewed.review)
    expect(page.locator(".moments [data-seq]")).to_have_count(len(reviewed.listed))


@pytest.mark.slow("every part of the panel")
def test_a_match_that_is_not_valued_says_why_and_shows_the_lead(reviewed: Reviewed) -> None:
    reviewed.review = NOT_VALUED
    page = reviewed.open("&ply=40&panel=moments")
    said = "Chances not valued: 7 players were not checked."
    for place in (".chances-note", ".moments > .meta >> nth=0"):
        expect(page.locator(place)).to_have_text(said)
    expect(page.locator(".lead-label")).to_have_text("Lead over mean")
    expect(page.locator(".lead").first).to_be_visible()
    expect(page.locator(SCRUBBER)).not_to_have_attribute("aria-valuetext", re.compile("Chances"))
    assert set(page.locator(".seat-chances [data-chance]").all_inner_texts()) == {"–"}
    page.get_by_role("tab", name="Causes").click()
    expect(page.locator(".causes")).to_contain_text(said)
    expect(page.locator(".causes-table")).to_have_count(0)


@pytest.mark.slow("every part of the panel")
@pytest.mark.parametrize(
    ("part", "place", "said"),
    [
        ("chances", ".chances-note", "No chances: Later."),
        ("review", ".moments > .meta >> nth=0", "No key moments: Later."),
    ],
)
def test_unavailable_chances_are_reported(
    reviewed: Reviewed, refusals: list[str], part: str, place: str, said: str
) -> None:
    refusals.append("status of 503")

    def refuse(route: Route) -> None:
        route.fulfill(status=503, json={"message": "Later."})

    reviewed.route(**{part: refuse})
    page = reviewed.visit(f"/replay?match={MATCH}&panel=moments")
    expect(page.locator(place)).to_have_text(said)
    expect(page.locator(BANDS)).to_be_visible(visible=part == "review")


@pytest.mark.slow("every part of the panel")
@pytest.mark.every_look
def test_key_moments_and_causes_are_listed_linked_and_accessible(
    reviewed: Reviewed, looks: Looks, axe: Callable[..., list[str]]
) -> None:
    page = reviewed.open("&ply=1&panel=moments")
    check_moments(page, reviewed)
    check_jumps(page, reviewed)
    page.locator(".better summary").click()
    assert axe(page, ".moments") == []
    check_standings(page, reviewed)
    check_causes(page, reviewed)
    page.get_by_role("button", name="As text").click()
    for look in looks(page):
        for part in (".replay-panels", ".replay-standings", "#replay-words"):
            assert axe(page, part) == [], look
        assert wide(page) <= look.size[0], look
        assert page.locator(".replay-panels").evaluate("card => card.scrollWidth <= card.clientWidth"), look


def check_moments(page: Page, reviewed: Reviewed) -> None:
    """Each key moment is listed, has a mark on the timeline, and is a link."""
    moments = reviewed.listed
    assert reviewed.review["changes"], "a change that is no key moment"
    rows = page.locator(".moments [data-seq]")
    assert [row.split("\n")[0] for row in rows.all_inner_texts()] == [each["text"] for each in moments]
    changes = [f"{100 * each['swing']:+.0f}".replace("-", "−") for each in moments]
    assert page.locator(".moments [data-seq] > b").all_inner_texts() == changes
    marks = page.locator(".timeline-still .mark").evaluate_all(
        "paths => paths.slice(0, 5).map(path => path.getAttribute('d'))"
    )
    assert sum((path or "").count("M") for path in marks) == len(moments)
    for row, moment in zip(rows.all(), moments, strict=True):
        row.click()
        assert at(page) == (moment["seq"] if moment["by"] < 0 else moment["since"])
        expect(row).to_have_attribute("aria-current", "true")
    error = f"{100 * reviewed.review['model']['quality']['calibration_error']:.1f}"
    trust = page.locator(".moments-trust:visible")
    expect(trust).to_contain_text(f"off by {error} points on average; not what perfect play would give")


def check_jumps(page: Page, reviewed: Reviewed) -> None:
    """N and P jump between key moments."""
    stops = sorted({each["seq"] if each["by"] < 0 else each["since"] for each in reviewed.listed})
    page.keyboard.press("Home")
    for key, expected in (("n", stops), ("p", stops[-2::-1])):
        for stop in expected:
            page.keyboard.press(key)
            assert at(page) == stop
    page.keyboard.press("p")
    assert at(page) == stops[0]
    page.keyboard.press("?")
    expect(page.locator("dialog dd").filter(has_text="next, previous key moment")).to_be_visible()
    page.get_by_role("button", name="Close").click()


def check_better(reviewed: Reviewed, page: Page) -> None:
    """A better decision is described on demand and shown on the board."""
    moment = reviewed.review["moments"][0]
    better, by = moment["alternative"], reviewed.scene["seats"][1]
    details = page.locator(".better")
    expect(details).to_have_count(1)  # of the other two, one plan was already the best found, and the third was dice
    expect(details.locator("p").first).not_to_be_visible()
    details.locator("summary").click()
    expect(details.locator("p")).to_have_text(
        [f"{by['player']} ({by['name']}): {better['words']}", "The model's guess, not confirmed: +12 points."]
    )
    show = details.get_by_role("button", name="Show on the board")
    show.click()
    expect(show).to_have_attribute("aria-pressed", "true")
    assert at(page) == moment["since"]
    picked = page.locator(".replay-map [data-picked]")
    assert set(picked.evaluate_all("all => all.map(each => each.dataset.thing)")) == set(ON)
    name = f"{better['seq']}.{better['seat'] + 1}"
    expect(page).to_have_url(re.compile(rf"[?&]better={re.escape(name)}(&|$)"))
    page.keyboard.press("Escape")
    expect(picked).to_have_count(0)
    expect(show).to_have_attribute("aria-pressed", "false")


def test_the_story_links_its_sentences_and_tells_nothing_ahead(
    reviewed: Reviewed, axe: Callable[..., list[str]]
) -> None:
    story = reviewed.review["story"]
    page = reviewed.open("&ply=1&panel=story")
    rows = page.locator(".story [data-at]")
    assert [row.strip() for row in rows.all_inner_texts()] == [each["text"] for each in story]
    assert axe(page, ".replay-panels") == []
    for row, line in zip(rows.all(), story, strict=True):
        row.click()
        assert at(page) == line["at"]
        expect(row).to_have_attribute("aria-current", "true")
    page = reviewed.open("&ply=1&spoilers=off&panel=story")
    expect(page.locator(".story .meta")).to_have_text("Nothing to tell so far.")
    names = ply_names(reviewed.scene["plies"])
    for line in story[1:]:
        page = reviewed.open(f"&ply={names[line['at'] - 1]}&spoilers=off&panel=story")
        told = [each["text"] for each in story if each["at"] < line["at"]]
        expect(page.locator(".story [data-at]:visible")).to_have_text(told)


@pytest.mark.slow("plays out")
def test_a_better_decision_is_shown_and_played_out_on_demand(reviewed: Reviewed) -> None:
    text = "Confirmed: +9 points (95% CI 4 to 14), 400 pairs. greedy played for Anna (seat 1)."
    answers = [
        NOT_ASKED,
        NOT_ASKED | {"state": "waiting"},
        NOT_ASKED | {"state": "done", "is_confirmed": True, "text": text},
    ]
    methods: list[str] = []

    def answer(route: Route) -> None:
        methods.append(route.request.method)
        route.fulfill(json=answers.pop(0))

    reviewed.route(**{"confirmations/*": answer})
    page = reviewed.open("&ply=9999&panel=moments")
    check_better(reviewed, page)
    details = page.locator(".better")
    details.get_by_role("button", name="Check this").click()
    expect(details.get_by_role("status")).to_contain_text("The players of the match play it out …")
    expect(details.get_by_role("status")).to_have_text(text)
    expect(details.locator("summary")).to_have_text("A better decision, confirmed")
    expect(details.get_by_role("button", name="Check this")).to_be_hidden()
    assert methods == ["GET", "POST", "GET"]


def check_causes(page: Page, reviewed: Reviewed) -> None:
    """Causes add up to the outcome; the expected cost is shown next to them."""
    page.keyboard.press("End")
    page.get_by_role("tab", name="Causes").click()
    review, rounds = reviewed.review, len(reviewed.scene["summaries"])
    rows = page.locator(".causes-table tbody tr")
    for seat, end in enumerate(review["chances"][-1]["chances"]):
        page.locator("#causes-seat").select_option(str(seat))
        expect(rows).to_have_count(rounds + 2)
        sums = [points(row.locator("td").nth(5).inner_text()) for row in rows.all()]
        assert sum(sums[:-1]) == pytest.approx(100 * end, abs=0.05 * len(sums))
        assert sums[-1] == pytest.approx(100 * end, abs=0.06)
        per_cause = [points(text) for text in rows.last.locator("td").all_inner_texts()[:5]]
        assert sum(per_cause) + sums[0] == pytest.approx(100 * end, abs=0.3)
        line = page.locator(".seat-causes").nth(seat).inner_text()
        assert [points(part.split()[-1]) for part in line.split(" · ")] == per_cause
        expect(rows.nth(1).locator("td").last).to_have_text("12" if seat == 1 else "−2")


def check_standings(page: Page, reviewed: Reviewed) -> None:
    """The standings show causes up to the last completed round."""
    page.keyboard.press("Home")
    expect(page.locator(".seat-causes").first).not_to_be_visible()
    page.locator("#standings-causes").click()
    expect(page.locator(".seat-causes").first).to_have_text("No round is over yet.")
    third = reviewed.scene["summaries"][2]
    page.locator(SCRUBBER).fill(str(third["end"]))
    shares = [
        each["causes"] for each in reviewed.review["split"] if each["round"] <= third["round"] and not each["seat"]
    ]
    own = f"{100 * sum(each['own plan'] for each in shares):+.1f}".replace("-", "−")
    expect(page.locator(".seat-causes").first).to_contain_text(f"own {own} · rivals ")
    expect(page).to_have_url(re.compile("standings=causes"))


@pytest.mark.slow("without spoilers, panel by panel")
def test_without_spoilers_chances_reveal_nothing_later(reviewed: Reviewed) -> None:
    middle = reviewed.listed[2]["seq"]
    ply = reviewed.scene["plies"][middle]
    page = reviewed.open(f"&ply={ply}&spoilers=off&panel=moments")
    page.locator(SCRUBBER).fill(str(middle - 1))
    complete = [each["seq"] for each in reviewed.listed]
    expect_told(page, [seq for seq in complete if seq < middle])
    page.keyboard.press("ArrowRight")
    assert at(page) == middle
    expect_told(page, [seq for seq in complete if seq <= middle])
    width = page.locator(".timeline-plot").evaluate("plot => plot.clientWidth")
    clipped = page.locator(".timeline-still").evaluate("still => parseFloat(still.style.clipPath.split(' ')[1])")
    playhead = 7 + middle / last(page) * (width - 14)
    assert clipped == pytest.approx(width - playhead, abs=0.2)
    page.get_by_role("tab", name="Causes").click()
    over = [each for each in reviewed.scene["summaries"] if each["end"] <= at(page)]
    expect(page.locator(".causes-table tbody tr")).to_have_count(len(over) + 2)
    expect(page.locator(".causes-table tbody tr").last.locator("th")).to_have_text("so far")
    page.get_by_role("tab", name="Moments").click()
    page.locator(SCRUBBER).fill("0")
    expect_told(page, [])
    expect(page.locator(".moments > .meta").first).to_have_text("No key moment so far.")
    for each in sorted(set(complete))[:2]:
        page.keyboard.press("n")  # goes to the position where the moment is complete and may be shown
        assert at(page) == each


@pytest.mark.slow("a better decision that the address asks for")
def test_without_spoilers_a_better_decision_is_not_drawn_ahead(reviewed: Reviewed) -> None:
    better = reviewed.review["moments"][0]["alternative"]
    page = reviewed.open(f"&ply=1&spoilers=off&better={better['seq']}.{better['seat'] + 1}")
    expect(page.locator(".replay-map [data-picked]")).to_have_count(0)


@pytest.mark.slow("the view of a seat")
def test_a_seats_view_has_the_review_of_that_view(page: Page, player: Visit, requested: list[str]) -> None:
    player(f"/replay?match={MATCH}&view=2&ply=100&panel=moments")
    expect(page.locator(BANDS)).to_be_visible()
    assert [address for address in requested if address.endswith(f"/{MATCH}/review?view=2")]
    expect(page.locator(".moments [data-seq]").first).to_be_visible()
