"""What SQL derives is what folding the log gives; and every documented grain holds."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard

from himalaya_core.caravan import events
from himalaya_core.caravan.scoring import influences
from himalaya_core.replay import Replay
from ingest.pipeline import ingest
from ingest.tables.definitions import event_tables, refill_tables, sql_tables
from tests.core.log.damage import rewrite
from tests.ingest.helping import FIVE, FOUR, SIX, THREE, VARIANTS, climbers_log, contents, log, rows, summit_log, write
from tests.ingest.sql.caravan.folding import nearest

PLAYED = [(f"p.{number}", FOUR if number % 3 else THREE) for number in range(12)]
STORMY = (("v.4.1", ("random",) * 4), ("v.5", FIVE), ("v.6", SIX), ("v.6.1", ("random",) * 6))
GRAINS = [("events", ("match_id", "seq")), *((table.name, table.grain) for table in sql_tables())]
GRAINS += [(table.name, ("match_id", "seq")) for table in event_tables()]
REVIEWED = {table.name for table in sql_tables() if not (table.fill or table.is_view or table.is_raw)}
NOT_BY_A_RUN = {
    "audit",
    "bookmarks",
    "branches",
    "draft_changes",
    "drafts",
    "forgotten_matches",
    "receipts",
    "studies",
    "tokens",
    "watched_files",
}


@cache
def caravan_logs() -> dict[str, tuple[bytes, ...]]:
    stormy = {name: log(name, line_up, options=VARIANTS) for name, line_up in STORMY}
    return {name: log(name, line_up) for name, line_up in PLAYED} | stormy


@cache
def all_logs() -> dict[str, tuple[bytes, ...]]:
    """Return those logs and matches of the other games, with every type of event."""
    summit = {f"s.{size}": summit_log(f"s.{size}", ("random",) * size, "golden-27") for size in (2, 3, 4, 5)}
    climbers = {f"k.{size}": climbers_log(f"k.{size}", ("random",) * size, "luck-1") for size in (2, 5)}
    return caravan_logs() | summit | climbers


@cache
def replays() -> list[Replay]:
    return [Replay.read(lines) for lines in caravan_logs().values()]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    folder: Path = tmp_path_factory.mktemp("marts")
    bad = log("bad")[3:]
    ingest([write(folder / "a.jsonl", *all_logs().values(), log("unfinished")[:250], bad)], folder / "w.duckdb")
    with duckdb.connect(str(folder / "w.duckdb"), read_only=True) as connection:
        yield connection


def by_match(
    warehouse: duckdb.DuckDBPyConnection, table: str, columns: str, order: str
) -> Iterator[tuple[Replay, Any]]:
    """Yield each played match as it folds, with its rows of a table."""
    sql = f"SELECT m.match, {columns} FROM {table} AS t JOIN raw_matches AS m USING (match_id) ORDER BY {order}"
    found = warehouse.execute(sql).fetchall()
    for name, replay in zip(caravan_logs(), replays(), strict=True):
        yield replay, [tuple(row) for match, *row in found if match == name]


def happened(replay: Replay, *kinds: type[Any]) -> list[tuple[int, Any]]:
    """Return where events of some kinds stand in a match, and the events."""
    return [(seq, entry) for seq, entry in enumerate(replay.entries) if isinstance(entry.event, kinds)]


def test_influence_per_round_is_that_of_the_fold(warehouse: duckdb.DuckDBPyConnection) -> None:
    columns = "t.round, seat, religious, political, economic"
    for replay, found in by_match(warehouse, "fct_caravan_influence", columns, "t.round, seat"):
        folded = [(entry.round, influences(replay.states[seq])) for seq, entry in happened(replay, events.RoundEnded)]
        assert len(folded) == 12
        assert found == [
            (number, seat, scores.religious[seat], scores.political[seat], scores.economic[seat])
            for number, scores in folded
            for seat in replay.states[0].seats
        ]


def test_seats_have_the_scores_and_places_of_the_outcome(warehouse: duckdb.DuckDBPyConnection) -> None:
    columns = "seat, player, label, place, won, ending, eliminated_by, tie_break, religious, political, economic"
    table = "(FROM dim_seats JOIN fct_caravan_seats USING (match_id, seat))"
    for replay, found in by_match(warehouse, table, columns, "seat"):
        assert replay.ended
        out = {gone.seat: (gone.influence, gone.influence, gone.tie_break) for gone in replay.states[-1].eliminated}
        places = {
            seat: 1 + sum(map(len, replay.ended.ranking[:n])) for n, g in enumerate(replay.ended.ranking) for seat in g
        }
        assert found == [
            (
                info.seat,
                info.player,
                info.label,
                places[info.seat],
                info.seat in replay.ended.ranking[0],
                *out.get(info.seat, (None, None, None)),
                *scores.values(),
            )
            for info, scores in zip(replay.header.seats, replay.ended.scores, strict=True)
        ]


def test_eliminations_are_those_of_the_fold(warehouse: duckdb.DuckDBPyConnection) -> None:
    for replay, found in by_match(
        warehouse, "fct_caravan_eliminations", "step, seat, influence, value, tie_break", "step"
    ):
        gone = replay.states[-1].eliminated
        assert found == [(n, out.seat, out.influence, out.value, out.tie_break) for n, out in enumerate(gone, 1)]
        assert len(gone) == {3: 0, 4: 2, 5: 2, 6: 3}[len(replay.states[0].seats)]


def test_matches_have_their_winner_and_margin(warehouse: duckdb.DuckDBPyConnection) -> None:
    columns = "status, players, line_up, winner, winner_seats, margin, margin_unit, t.rounds, t.plies, t.events"
    for replay, found in by_match(warehouse, "dim_matches", columns, "1"):
        assert replay.ended
        players = [info.player for info in replay.header.seats]
        winners = list(replay.ended.ranking[0])
        out = {gone.seat for gone in replay.states[-1].eliminated} | {winners[0]}
        yaks = [scores["economic"] for scores in replay.ended.scores]
        margin = yaks[winners[0]] - max(yaks[seat] for seat in range(len(players)) if seat not in out)
        won = ", ".join(players[seat] for seat in winners)
        last = replay.entries[-1]
        size = (last.round, last.ply, len(replay.entries))
        assert found == [("finished", len(players), ", ".join(players), won, winners, margin, "yaks", *size)]


def test_matches_say_what_had_to_go_otherwise(warehouse: duckdb.DuckDBPyConnection) -> None:
    kinds = set()
    for replay, found in by_match(warehouse, "dim_matches", "nearest, gap_unit, gap", "1"):
        assert found == [nearest(replay)]
        kinds.add(found[0][:2])
    assert len(kinds) == 4
    assert not warehouse.execute(
        "FROM dim_matches WHERE closeness < 0 OR (closeness IS NULL) <> (gap IS NULL)"
    ).fetchall()


def test_a_shared_win_is_the_win_of_both(tmp_path: Path) -> None:
    lines = rewrite(log("shared"), len(log("shared")) - 1, data__ranking=[[0, 2], [1], [3]])
    ingest([write(tmp_path / "a.jsonl", lines)], tmp_path / "w.duckdb", judge="later")
    assert rows(tmp_path / "w.duckdb", "SELECT place, won FROM dim_seats ORDER BY seat") == [
        (1, True),
        (3, False),
        (1, True),
        (4, False),
    ]
    won = rows(tmp_path / "w.duckdb", "SELECT winner, winner_seats, margin, gap, closeness FROM dim_matches")
    assert won == [("trader, greedy", [0, 2], 0, 0, 0.0)]


def test_visits_follow_the_caravans(warehouse: duckdb.DuckDBPyConnection) -> None:
    villages = by_match(warehouse, "fct_caravan_village_visits", "seq, seat, village", "seq")
    roads = by_match(warehouse, "fct_caravan_road_visits", "seq, village_a, village_b, road", "seq")
    for (replay, arrivals), (_, journeys) in zip(villages, roads, strict=True):
        moves = happened(replay, events.CaravanPlaced, events.Moved)
        assert arrivals == [(seq, e.seat, replay.states[seq].caravans[e.seat]) for seq, e in moves]
        assert journeys == [
            (seq, *sorted((e.event.from_, e.event.to)), e.event.road) for seq, e in happened(replay, events.Moved)
        ]


def test_a_road_is_travelled_once_when_its_snowstorm_is_left(warehouse: duckdb.DuckDBPyConnection) -> None:
    crossed = 0
    for replay, found in by_match(warehouse, "fct_caravan_road_visits", "seq, seat, village_a, village_b", "seq"):
        journeys = {seq: (seat, between) for seq, seat, *between in found}
        for seq, entry in happened(replay, events.StormEntered):
            assert seq not in journeys
            left = min(at for at in journeys if at > seq and journeys[at][0] == entry.seat)
            assert replay.entries[left].event.storm
            assert journeys[left][1] == sorted((entry.event.from_, entry.event.toward))
            crossed += 1
    assert crossed


def test_tokens_are_placed_where_the_fold_has_them(warehouse: duckdb.DuckDBPyConnection) -> None:
    for replay, found in by_match(warehouse, "stg_caravan_token_placed", "seq, seat, token, road, village", "seq"):
        for (seq, _), row in zip(happened(replay, events.TokenPlaced), found, strict=True):
            placed = replay.states[seq].tokens[-1]
            assert row == (seq, placed.seat, placed.token, placed.road and list(placed.road), placed.village)


def test_every_programmed_trade_is_one_row_where_the_caravan_stood(warehouse: duckdb.DuckDBPyConnection) -> None:
    for replay, found in by_match(
        warehouse, "fct_caravan_trades", "seq, t.round, step, seat, village, result, resource, reason", "seq"
    ):
        expected = []
        for seq, entry in happened(replay, events.Collected, events.Delivered, events.ActionVoided):
            event = entry.event
            village = replay.states[seq].caravans[entry.seat]
            if not isinstance(event, events.ActionVoided):
                what = (
                    ("collected", event.resource, None)
                    if isinstance(event, events.Collected)
                    else ("delivered", None, None)
                )
            elif event.action == "trade":
                what = ("voided", None, event.reason)
            else:
                continue
            expected.append((seq, entry.round, event.step, entry.seat, village, *what))
        planned = sum(entry.event.plan.count("trade") for _, entry in happened(replay, events.PlanCommitted))
        assert found == expected
        assert len(found) == planned


def test_deliveries_have_their_rewards(warehouse: duckdb.DuckDBPyConnection) -> None:
    columns = "seq, seat, village, order_id, yaks, goods, barter, offering, delegation, delegations"
    for replay, found in by_match(warehouse, "fct_caravan_deliveries", columns, "seq"):
        for (seq, entry), row in zip(happened(replay, events.Delivered), found, strict=True):
            event, ply = entry.event, [e.event for e in replay.entries[seq:] if e.ply == entry.ply]
            sent = sum(sum(e.regions.values()) for e in ply if isinstance(e, events.DelegationsSent))
            goods = sum(event.spent.values())
            rewards = [reward in event.rewards for reward in ("barter", "offering", "delegation")]
            assert row == (seq, event.seat, event.village, event.order.id, event.order.yaks, goods, *rewards, sent)


def test_events_say_what_the_log_says(warehouse: duckdb.DuckDBPyConnection) -> None:
    keys = ("seq", "ply", "round", "type", "seat", "data")
    columns = f"match, {', '.join(keys)}"
    every = warehouse.execute(f"SELECT {columns} FROM events JOIN raw_matches USING (match_id) ORDER BY seq").fetchall()
    for name, lines in all_logs().items():
        found = [(*row, json.loads(data)) for match, *row, data in every if match == name]
        assert found == [tuple(event.get(key) for key in keys) for event in map(json.loads, lines)]


def test_the_original_lines_of_a_match_are_kept(warehouse: duckdb.DuckDBPyConnection) -> None:
    kept = dict(warehouse.execute("SELECT match, lines FROM raw_matches").fetchall())
    for name, lines in all_logs().items():
        assert zstandard.decompress(kept[name]) == b"".join(lines)


def test_every_grain_names_one_row(warehouse: duckdb.DuckDBPyConnection) -> None:
    filled = set()
    for table, grain in GRAINS:
        keys = ", ".join(grain)
        missing = " OR ".join(f"{key} IS NULL" for key in grain)
        twice = warehouse.execute(f"SELECT {keys}, count(*) FROM {table} GROUP BY {keys} HAVING count(*) > 1")
        assert (table, twice.fetchall()) == (table, [])
        without, rows = warehouse.execute(f"SELECT count(*) FILTER ({missing}), count(*) FROM {table}").fetchall()[0]
        assert (table, without) == (table, 0)
        filled |= {table} if rows else set()
    assert filled == {table for table, _ in GRAINS} - NOT_BY_A_RUN - REVIEWED


def test_every_row_belongs_to_a_match_that_was_taken(warehouse: duckdb.DuckDBPyConnection) -> None:
    for table in (table for table, grain in GRAINS if grain[0] == "match_id"):
        lost = warehouse.execute(f"SELECT count(*) FROM {table} ANTI JOIN raw_matches USING (match_id)")
        assert (table, lost.fetchall()) == (table, [(0,)])


def test_events_lie_in_the_order_of_match_and_seq(warehouse: duckdb.DuckDBPyConnection) -> None:
    for table in event_tables():
        lying = warehouse.execute(f"SELECT match_id, seq FROM {table.name} ORDER BY rowid").fetchall()
        assert lying == sorted(lying), table.name


def test_what_is_derived_can_be_emptied_and_derived_again(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    ((file,),) = warehouse.execute("SELECT path FROM duckdb_databases() WHERE path IS NOT NULL").fetchall()
    again = tmp_path / "w.duckdb"
    again.write_bytes(Path(file).read_bytes())
    derived = [table.name for table in sql_tables() if table.fill]
    with duckdb.connect(str(again)) as connection:
        for name in derived:
            connection.execute(f"DELETE FROM {name}")
        for part in (1, 0):
            batch = f"SELECT match_id FROM raw_matches WHERE match_id % 2 = {part}"
            connection.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {batch}")
            refill_tables(connection)
            refill_tables(connection)
    before, after = contents(Path(file)), contents(again)
    assert len(derived) > 7
    assert [table for table in before if after[table] != before[table]] == []
