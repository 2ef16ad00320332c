"""Titles of matches are true: what they say turned a match did, and their links open in the round that they name."""

import json
import re

import pytest
from dash import Dash

from dashboards.catalog.notable import match_titles, worth_seeing
from dashboards.queries.logs import match_lines
from dashboards.queries.reader import Reader
from dashboards.queries.reviews import is_turning, moments_of

TURNED = re.compile(r"(.+) turned it in round (\d+)")


@pytest.mark.parametrize(
    ("seat", "swing", "before", "after", "turned"),
    [
        (1, -0.19, (0.64, 0.26, 0.10), (0.75, 0.07, 0.18), False),  # the winner was the favourite all along
        (0, 0.3, (0.3, 0.5, 0.2), (0.6, 0.3, 0.1), True),  # the favourite changed
        (1, -0.2, (0.3, 0.5, 0.2), (0.6, 0.3, 0.1), True),  # the former favourite lost by it
        (2, -0.1, (0.3, 0.5, 0.2), (0.6, 0.3, 0.1), False),  # another seat lost by it
        (1, 0.1, (0.3, 0.5, 0.2), (0.6, 0.3, 0.1), False),  # it helped the former favourite
        (0, 0.2, (0.45, 0.3, 0.25), (0.65, 0.2, 0.15), True),  # the winner's chance crossed one half
        (0, 0.2, (None, None, None), (0.65, 0.2, 0.15), False),  # nothing is known from before
    ],
)
def test_a_moment_turns_a_match_if_its_seat_becomes_or_ceases_to_be_favourite(
    seat: int, swing: float, before: tuple[float | None, ...], after: tuple[float, ...], *, turned: bool
) -> None:
    assert is_turning(seat, swing, [0], before, after) is turned


def chances(reader: Reader, match: str, seq: int) -> list[float]:
    sql = """select chance from fct_values join dim_matches using (match_id) where match = $match and seq =
        (select max(v.seq) from fct_values v where v.match_id = fct_values.match_id and v.seq <= $seq) order by seat"""
    return [chance for (chance,) in reader.rows(sql, {"match": match, "seq": seq})]


def test_who_is_said_to_have_turned_a_match_changed_the_favourite(reader: Reader) -> None:
    matches = [match for (match,) in reader.rows("select match from dim_reviews join dim_matches using (match_id)", {})]
    titles = match_titles(reader, matches)
    assert titles.keys() == set(matches)
    sql = "select match, text, since, seq, winner_seats from fct_moments join dim_matches using (match_id)"
    told = [row for row in reader.rows(sql, {}) if row[0] in titles]
    turned = dict[str, bool]()
    for match, text, since, seq, winners in told:
        found = TURNED.fullmatch(titles[match].text)
        if found and text.startswith(f"Round {found[2]}, ") and found[1].lower() in text.lower():
            before, after = chances(reader, match, since), chances(reader, match, seq)
            half = [(found[winners[0]] < 0.5) for found in (before, after)]
            turned[match] = before.index(max(before)) != after.index(max(after)) or half[0] != half[1]
    assert turned
    assert turned.keys() == {match for match, title in titles.items() if TURNED.fullmatch(title.text)}
    assert all(turned.values())
    largest = {match: found[0] for match, found in moments_of(reader, matches).items()}
    assert any(not each.turned for each in largest.values())


def test_a_card_with_a_title_opens_where_its_title_says(of_climbers: Reader) -> None:
    (card,) = [worth for worth in worth_seeing(of_climbers) if worth.reason == "Latest"]
    title = match_titles(of_climbers, [card.match])[card.match]
    assert card.title == title.text != ""
    assert card.ply == title.ply


def test_a_title_s_ply_is_in_the_round_that_it_names(reader: Reader, of_climbers: Reader) -> None:
    for games, word in ((reader, "round"), (of_climbers, "turn")):
        titles = match_titles(games, [match for (match,) in games.rows("select match from dim_matches", {})])
        assert titles
        assert "three.000000" not in titles  # it has no review
        for match, title in titles.items():
            lines = [json.loads(line) for line in match_lines(games, match) or ()]
            shown = [line["round"] for line in lines if line["ply"] == title.ply][-1]
            assert f"{word} {shown}" in title.text or word not in title.text


def test_matches_listed_for_the_same_reasons_have_titles_that_differ(
    app: Dash, of_climbers: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dashboards.pages.tournament import show_telling

    monkeypatch.setitem(app.server.config, "READER", of_climbers)
    for tournament in ("ropes", "walls"):
        with app.server.test_request_context():
            listed = show_telling(f"?tournament={tournament}").children
        said = [(item.children[0].children, item.children[0].href, item.children[1].children) for item in listed]
        assert len({text for _, _, text in said}) == len(said)
        titles = match_titles(of_climbers, [match for match, _, _ in said])
        titled = [row for row in said if row[2].startswith(f"{titles[row[0]].text}; ")]
        assert titled
        assert all(href.endswith(f"ply={titles[match].ply}") for match, href, _ in titled)
