"""Comparing kinds of matches: with and without an option, on two boards, with matched opponents."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.catalog.compare import APART, STRENGTH, frame_of, said_of_alike, sides_of, verdict_of
from dashboards.queries.reader import Reader
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from tests.core.log.damage import resign, rewrite
from tests.ingest.helping import FOUR, THREE, log, summit_log, write

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """Matches with the same line-up and seeds, two with tokens and two without; and one of another line-up."""
    folder = tmp_path_factory.mktemp("kinds")
    alike = [log(f"{kind}.{seed}", FOUR, f"s{seed}", options) for kind, options in OPTIONS.items() for seed in (1, 2)]
    ingest([write(folder / "a.jsonl", *alike, log("odd.1", THREE))], folder / "w.duckdb", processes=0)
    with open_warehouse(folder / "w.duckdb") as warehouse:
        yield Reader(warehouse)


OPTIONS: dict[str, tuple[str, ...]] = {"plain": (), "tokens": ("tokens",)}


@pytest.mark.slow("another comparison")
def test_with_an_option_and_without_players_are_compared_with_themselves(reader: Reader) -> None:
    sides = sides_of(reader, {"by": "option"})
    assert (sides.names, sides.chosen) == (("tokens=false", "tokens=true"), False)
    assert sides.behind("trader · tokens=true") == [("player", "trader"), ("option", "tokens=true")]
    frame = frame_of(reader, "apart", sides)
    assert sorted({player.partition(" · ")[0] for player in frame["player"]}) == sorted(FOUR)
    assert set(frame["ground"]) == {"luck"}, "the seeds that both met"
    assert set(frame["groups"]) == {2}
    shown = frame_of(reader, "win-share", sides)
    assert "random · tokens=false" in shown["player"].to_list(), "figures show all matches of each side"
    assert shown.filter(player="random · tokens=false")["played"].to_list() == [3]
    assert shown.filter(player="random · tokens=true")["played"].to_list() == [2]


@pytest.mark.slow("another comparison")
def test_values_of_several_options_are_no_sides_of_one_another(reader: Reader) -> None:
    asked = ["tokens=true", "full_inventory=true", "tokens=false"]
    assert sides_of(reader, {"by": "option", "side": asked}).names == ("tokens=true", "tokens=false")


def test_boards_are_sides_and_one_alone_is_compared_with_none(reader: Reader) -> None:
    sides = sides_of(reader, {"by": "board"})
    assert len(sides.names) == 1
    assert frame_of(reader, "apart", sides).is_empty()


def test_excluded_matches_are_counted(reader: Reader) -> None:
    assert said_of_alike(reader, sides_of(reader, {"by": "option"})) == [
        "Compares 4 matches with the same opponents, seats, board and all other options.",
        f"Left out: 1 of tokens=false ({', '.join(sorted(THREE))}).",
    ]
    assert said_of_alike(reader, sides_of(reader, {"by": "board"})) == [], "one board alone"


def test_board_and_options_are_named_if_tournaments_differ_in_them(tmp_path: Path) -> None:
    kinds: dict[str, tuple[str, ...]] = {"spring": (), "autumn": ("tokens",)}
    played = [(name, FOUR, kinds[name], number) for name in kinds for number in (1, 2)]
    played += [("autumn", FOUR, (), 3), ("autumn", FOUR, (), 4)]
    logs = [
        resign(rewrite(log(f"{name}.{number}", players, f"s{number}", options), 0, data__tournament=name))
        for name, players, options, number in played
    ]
    ingest([write(tmp_path / "a.jsonl", *logs)], tmp_path / "w.duckdb", processes=0)
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        reader = Reader(warehouse)
        sides = sides_of(reader, {"by": ["tournament"], "side": ["spring", "autumn"]})
        assert said_of_alike(reader, sides) == [
            "Compares 4 matches with the same opponents, seats, board and options.",
            "Left out: 2 of autumn (tilsit-reconstructed, tokens=true).",
        ]
        assert set(frame_of(reader, "apart", sides)["groups"]) == {4}
        third = sides_of(reader, {"by": ["tournament"], "side": ["spring", "autumn", "winter"]})
        assert frame_of(reader, "apart", third).equals(frame_of(reader, "apart", sides)), "one more changes nothing"
        by_option = sides_of(reader, {"by": ["option"]})
        assert said_of_alike(reader, by_option) == []
        assert set(frame_of(reader, "apart", by_option)["ground"]) == {"luck"}


@pytest.mark.slow("another comparison")
def test_kinds_of_matches_without_a_line_up_in_common_say_so_on_the_page_and_under_the_figure(tmp_path: Path) -> None:
    from dashboards.pages.compare import of_sides

    played = {"spring": ("greedy", "random"), "autumn": ("greedy", "porter")}
    logs = [
        resign(rewrite(summit_log(f"{name}.1", players), 0, data__tournament=name)) for name, players in played.items()
    ]
    ingest([write(tmp_path / "a.jsonl", *logs)], tmp_path / "w.duckdb", processes=0)
    query = {"by": ["tournament"], "side": ["spring", "autumn"]}
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        reader = Reader(warehouse)
        assert verdict_of(reader, sides_of(reader, query)) == [
            (
                "These tournaments have no matches with the same opponents, seats, board and options, so there is"
                " nothing to compare."
            ),
            "Left out: 1 of autumn (greedy, porter), 1 of spring (greedy, random).",
        ]
        assert of_sides(reader, "apart", query).finding == verdict_of(reader, sides_of(reader, query))[0]
        nobody = sides_of(reader, {**query, "side": ["winter", "summer"]})
        assert verdict_of(reader, nobody) == ["There is nothing to compare: choose two sides that have played."]


@pytest.mark.slow("another comparison")
def test_a_game_without_options_is_compared_with_nothing(tmp_path: Path) -> None:
    ingest([write(tmp_path / "a.jsonl", summit_log("one"))], tmp_path / "w.duckdb", processes=0)
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        reader = Reader(warehouse)
        sides = sides_of(reader, {"by": "option", "game": "summit"})
        assert sides.names == ()
        assert all(frame_of(reader, name, sides).is_empty() for name in (APART, *STRENGTH))
