"""The home page: its statements about matches are true; old addresses of the list of matches still work."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from dash import Dash

from dashboards.app import create_app
from dashboards.catalog import notable as home
from dashboards.catalog.figures import tournaments_now
from dashboards.catalog.notable import WINNER, Worth, about, story, telling_matches, worth_seeing
from dashboards.games.analytics import ANALYTICS, analytics_of
from dashboards.queries.filters import Filter
from dashboards.queries.notable import turned_late
from dashboards.queries.reader import Reader
from himalaya_core.caravan.events import RoundEnded
from himalaya_core.caravan.scoring import final
from himalaya_core.games import title_of
from himalaya_core.replay import Replay
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client
from tests.dashboards.pages.test_pages import page

DOCS = Path(__file__).parents[3] / "docs"


def by_reason(reader: Reader) -> dict[str, Worth]:
    return {each.reason: each for each in worth_seeing(reader)}


def test_each_reason_has_its_own_match_and_every_game_appears(of_both: Reader) -> None:
    found = by_reason(of_both)
    assert list(found) == ["Comeback", "Close finish", "Upset", "Latest"]
    assert len({each.match for each in found.values()}) == 4
    assert {each.game for each in found.values()} == {"caravan", "summit"}
    for each in found.values():
        assert 0 <= each.ply <= each.last_ply
        assert each.winner == ", ".join(each.seats[seat][0] for seat in sorted(each.winners))


def test_the_stated_length_of_a_lead_is_right(reader: Reader, finished: list[Replay]) -> None:
    replays = {replay.entries[0].match: replay for replay in finished}
    for number, led, counted, since in turned_late(reader, "caravan", 5):
        ((match,),) = reader.rows("select match from dim_matches where match_id = $number", {"number": number})
        replay = replays[match]
        assert replay.ended
        (winner,) = replay.ended.ranking[0]
        ends = [
            final(state)
            for state, entry in zip(replay.states, replay.entries, strict=True)
            if isinstance(entry.event, RoundEnded)
        ]
        would = [  # hidden while no player has any such match
            winner in end.outcome.ranking[0]
            and any((*end.scores.religious, *end.scores.political, *end.scores.economic))
            for end in ends
        ]
        assert (led, counted) == (sum(would), len(would))
        assert all(would[since - 1 :])
        assert not would[since - 2]


def test_a_comeback_says_when_the_lead_was_taken_for_good(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Being ahead after 2 of 17 rounds makes 16 and 17 comebacks; after 4, the winner had led before."""
    late = [(1, 2, 17, 16), (2, 4, 17, 16)]
    monkeypatch.setattr(home, "turned_late", lambda *_: late)
    assert [(found.number, found.told) for found in home._comebacks(reader, {"caravan": 2})] == [
        (1, f"{WINNER} took the lead for good at round 16 of 17"),
        (2, f"{WINNER} took the lead for good at round 16 of 17; ahead after only 4 of 17 rounds"),
    ]


@pytest.mark.parametrize(("chance", "said"), [(0.032, "about 3%"), (0.01, "about 1%"), (0.004, "below 1%")])
def test_a_chance_by_ratings_is_rounded_to_its_precision(chance: float, said: str) -> None:
    assert about(chance) == said


def test_sentences_have_a_place_for_the_winner_and_no_name(of_both: Reader) -> None:
    for each in worth_seeing(of_both):
        assert (WINNER in each.told) == (each.reason != "Latest")
        assert not [name for name, _ in each.seats if name in each.told.replace(WINNER, "")]


def test_an_upset_says_what_chance_the_ratings_gave(of_both: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "UNLIKELY", 9)  # lowered, as the least likely win of so few matches is not that unlikely
    found = next(home._upset_cards(of_both, {"summit": 21, "caravan": 12}))
    ((told, match_id),) = [
        (row["telling"], row["match"])
        for row in telling_matches(of_both, Filter(game="summit")).filter(what="upset").head(1).to_dicts()
    ]
    assert found.told == f"the ratings gave {WINNER} a chance of about {told:.0%}"
    assert home.won_matches(of_both, [found.number])[found.number]["match"] == match_id


def test_a_favourite_that_wins_is_no_upset(of_both: Reader) -> None:
    chances = [chance for _, chance in home.unlikely_wins(of_both, Filter(game="summit"), 1_000)]
    assert chances
    assert max(chances) < 0.5


def test_the_winner_is_named_only_in_text_that_can_be_hidden(of_both: Reader) -> None:
    made = page(create_app(of_both.warehouse), "/")
    untold = {part.children for part in made._traverse() if getattr(part, "className", "") == "when-hidden"}
    found = worth_seeing(of_both)
    assert untold == {story(each, "the winner")[0] for each in found}
    for each in found:
        assert story(each, "the winner") == story(replace(each, winner="nobody"), "the winner")


def test_a_title_tells_the_story_of_the_match() -> None:
    told = f"{WINNER} took the lead for good at round 9 of 12; ahead after only 5 of 12 rounds"
    worth = Worth("Comeback", "x.1", "toy", (("ann", ""), ("ben", "")), "ann", frozenset({0}), told, 7, 9)
    fact = "ahead after only 5 of 12 rounds"
    assert story(worth) == ("ann took the lead for good at round 9 of 12", fact)
    assert story(worth, "the winner") == ("The winner took the lead for good at round 9 of 12", fact)
    latest = replace(worth, told="loaded today", title="A plan of ann's turned it in round 3")
    assert story(latest) == ("A plan of ann's turned it in round 3", "Loaded today")
    assert story(latest, "the winner") == story(replace(latest, title="")) == ("ann and ben", "Loaded today")


def test_home_says_how_each_game_in_the_data_is_won(of_both: Reader) -> None:
    said = str(page(create_app(of_both.warehouse), "/"))
    for game, is_there in (("caravan", True), ("summit", True), ("climbers", False)):
        known = analytics_of(game)
        assert [text in said for text in (title_of(game), known.aim, known.guide)] == [is_there] * 3
        assert len(re.findall(r"\.(?: |$)", known.aim)) == 2
        assert (DOCS / known.guide).with_suffix(".md").is_file()


def test_home_leads_to_the_beginning_of_the_most_notable_match(of_both: Reader) -> None:
    made = page(create_app(of_both.warehouse), "/")
    (link,) = [part for part in made._traverse() if getattr(part, "children", "") == "Watch a match"]
    best = worth_seeing(of_both)[0]
    assert getattr(link, "href", "") == f"/replay?match={best.match}&ply=0"


def test_an_empty_home_says_what_can_be_played_and_what_to_do_first(empty: Warehouse) -> None:
    said = str(page(create_app(empty), "/"))
    for text in (*(analytics_of(game).aim for game in ANALYTICS), "Record a match", "Open a log", "himalaya demo"):
        assert text in said


def test_players_have_the_marks_of_their_seats_on_the_board(of_both: Reader) -> None:
    made = page(create_app(of_both.warehouse), "/")
    (rows, *_) = [part for part in made._traverse() if getattr(part, "className", "") == "worth-players"]
    marks = [part for part in rows._traverse() if getattr(part, "className", "") == "player-mark"]
    colours = [getattr(mark, "style", {})["background"] for mark in marks]
    assert colours == [f"var(--seat-{seat})" for seat in range(len(colours))]
    assert len(colours) > 1


def test_players_of_a_tournament_have_a_mark_each_without_a_game_in_the_address(of_both: Reader) -> None:
    made = page(create_app(of_both.warehouse), "/tournament", tournament="four")
    marks = [part for part in made._traverse() if getattr(part, "className", "") == "player-mark"]
    assert len({getattr(mark, "style", {})["background"] for mark in marks}) == len(marks) > 1


def test_comebacks_and_upsets_follow_the_chances_and_open_at_their_moment(of_both: Reader) -> None:
    sql = """select m.match, m.game, m.players, f.seat, s.won, v.ply, f.chance from fct_values f
        join dim_matches m using (match_id) join dim_seats s using (match_id, seat)
        join events v on v.match_id = f.match_id and v.seq = f.seq where m.match = $match order by f.seq"""
    found = by_reason(of_both)
    for reason in ("Comeback", "Upset"):
        each = found[reason]
        rows = [row for row in of_both.rows(sql, {"match": each.match}) if row[4] == (reason == "Comeback")]
        late = rows[len(rows) // 2 :]
        chances = {chance for *_, ply, chance in rows if ply == each.ply}
        extreme = min(row[6] for row in late) if reason == "Comeback" else max(row[6] for row in late)
        assert any(abs(chance - extreme) < 0.0001 for chance in chances), reason
        shown = "under 1%" if extreme < 0.005 else "over 99%" if extreme > 0.995 else f"{extreme:.0%}"
        assert re.search(rf"the model gave (it )?{re.escape(shown)} in ", each.told)


@pytest.mark.slow("every figure")
def test_without_valued_matches_comebacks_follow_the_interim_leader(summit_logs: Path, tmp_path: Path) -> None:
    ingest([summit_logs], tmp_path / "w.duckdb", processes=0)
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        found = by_reason(Reader(opened))
    assert found["Comeback"].told.startswith(f"{WINNER} took the lead for good at throw")
    assert not any("the model gave" in each.told for each in found.values())


def test_few_matches_have_no_ratings_and_shared_places_no_comeback(of_climbers: Reader) -> None:
    assert list(home._upset_cards(of_climbers, {"climbers": 15})) == []
    found = by_reason(of_climbers)
    assert {each.game for each in found.values()} == {"climbers"}


def test_tournaments_have_their_leader(of_both: Reader) -> None:
    found = {row["tournament"]: row for row in tournaments_now(of_both, 9).to_dicts()}
    sql = """select player, sum(case when won then 1 / len(winner_seats) else 0 end) / count(*) as share
        from dim_seats join dim_matches using (match_id) where tournament = 'pairs' group by 1 order by 2 desc"""
    (leader, share), *_ = of_both.rows(sql, {})
    assert (found["pairs"]["leader"], found["pairs"]["share"]) == (leader, pytest.approx(share))
    assert {row["status"] for row in found.values()} == {"finished"}


def test_a_database_without_an_ended_match(empty: Warehouse) -> None:
    assert worth_seeing(Reader(empty)) == []


def test_an_address_with_a_filter_leads_to_the_list(app: Dash, client: Client) -> None:
    answer = client.get("/?game=caravan&player=trader&player=greedy&sort=-margin")
    assert (answer.status_code, answer.location) == (
        302,
        "/matches?game=caravan&player=trader&player=greedy&sort=-margin",
    )
    assert "Notable matches" in str(page(app, "/"))
