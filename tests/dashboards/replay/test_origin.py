"""Origin of a match, in the page's words: from the entries of its log and its database."""

from dataclasses import replace
from datetime import UTC, datetime

from dashboards.queries.logs import match_lines
from dashboards.queries.reader import Reader
from dashboards.replay.origin import InList, origin_of
from dashboards.replay.scenes import folded
from himalaya_core.log.codec import Header


def header_of(reader: Reader, match: str) -> Header:
    return folded(b"".join(match_lines(reader, match) or [])).header


def test_a_match_says_where_it_comes_from(reader: Reader) -> None:
    header = header_of(reader, "three.000001")
    origin = origin_of(reader, "three.000001", header, None)
    assert (origin.tournament, origin.seed, origin.board) == ("three", header.luck, header.board.id)
    assert origin.options == []
    assert origin.came_in is not None
    assert abs((datetime.now(UTC).date() - datetime.fromisoformat(origin.came_in).date()).days) <= 1
    assert origin.checked == "follows the rules and its dice match the seed"
    assert origin.listed is None


def test_the_seed_check_names_what_a_seed_decides_in_the_game(of_climbers: Reader) -> None:
    (match,) = of_climbers.rows("select min(match) from dim_matches", {})[0]
    origin = origin_of(of_climbers, match, header_of(of_climbers, match), None)
    assert origin.checked == "follows the rules and its opening draws match the seed"


def test_unusual_options_are_shown(reader: Reader) -> None:
    header = replace(
        header_of(reader, "three.000001"), options={"players": 3, "tokens": True, "full_inventory": False, "first": 2}
    )
    assert origin_of(reader, "three.000001", header, None).options == ["tokens", "first 2"]


def test_a_match_in_quarantine_shows_the_origin_in_its_log(reader: Reader) -> None:
    origin = origin_of(reader, "nowhere", header_of(reader, "three.000001"), None)
    assert (origin.tournament, origin.came_in, origin.checked) == ("three", None, "in quarantine")


def test_a_list_is_read_as_its_page_reads_it(reader: Reader) -> None:
    query = "tournament=three&sort=match"
    names = [f"three.00000{number}" for number in range(3)]
    for row, (before, match, after) in enumerate(zip([None, *names], names, [*names[1:], None], strict=False)):
        found = origin_of(reader, match, header_of(reader, match), query).listed
        assert found == InList("/matches?tournament=three", query, row, 3, before, after)
