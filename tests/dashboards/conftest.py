"""Small warehouses for the tests of the app: two tournaments, another board, an unfinished match; other games."""

import pickle
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from dash import Dash, _callback

from dashboards.app import create_app
from dashboards.queries.reader import Reader
from himalaya_core.boards import shipped_board
from himalaya_core.caravan import CARAVAN
from himalaya_core.files import log_files, read_lines
from himalaya_core.replay import Replay, matches
from himalaya_core.tournament.plan import Pairing, play
from himalaya_core.tournament.runner import Plan, run_tournament
from ingest.load import reviews
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.read.split import Chunk
from ingest.validate.after_load import Reviewed, reviewed
from ingest.warehouse import Warehouse
from tests.copies import copied as copy_of
from tests.dashboards.client import Client, everything
from tests.once import once, once_written
from tests.reviewing_once import reviewing_once

OTHER_BOARD = "other-map"
CUT_OFF_AFTER = 90
DATABASE = "himalaya.duckdb"
REVIEWED = """
SELECT match_id FROM dim_matches ANTI JOIN dim_reviews USING (match_id)
WHERE status = 'finished' AND verdict = 'clean' AND (game <> 'caravan' OR starts_with(match, 'four.')) ORDER BY match_id
"""


def play_caravan(folder: Path) -> None:
    run_tournament(Plan("four", "caravan", ("trader", "pilgrim", "envoy", "greedy"), 8), folder, 1)
    run_tournament(Plan("three", "caravan", ("trader", "greedy", "random"), 3), folder, 1)
    board = CARAVAN.parse_board({**shipped_board("caravan").document, "id": OTHER_BOARD})
    players = ("trader", "greedy", "trader", "greedy")
    _, other = play(CARAVAN, board, {}, Pairing("other", players, "other"))
    (folder / "other.jsonl").write_bytes(other)
    _, whole = play(CARAVAN, shipped_board("caravan"), {}, Pairing("cut-off", players, "cut-off"))
    (folder / "cut-off.jsonl").write_bytes(b"".join(whole.splitlines(keepends=True)[:CUT_OFF_AFTER]))


def play_summit(folder: Path) -> None:
    run_tournament(Plan("ropes", "summit", ("racer", "porter", "greedy"), 6), folder, 1)
    run_tournament(Plan("pairs", "summit", ("racer", "porter"), 8), folder, 1)


def play_climbers(folder: Path) -> None:
    run_tournament(Plan("walls", "climbers", ("greedy", "random", "blocker"), 9), folder, 1)
    run_tournament(Plan("ropes", "climbers", ("greedy", "random"), 6), folder, 1)


def made(factory: pytest.TempPathFactory, name: str, logs: Path, before: Path | None = None) -> Path:
    """Return a database made once per run by adding logs to `before`; do not open it, copy it."""

    def make(folder: Path) -> None:
        if before:
            copy_of(before, folder / DATABASE)
        ingest([logs], folder / DATABASE)
        review(folder / DATABASE)

    return once(factory, f"{name}-warehouse", make) / DATABASE


def review(database: Path) -> None:
    """Review waiting matches of a database, for caravan those of one tournament: a match takes a second."""

    def reviewed_once(chunk: Chunk) -> Reviewed:
        name = f"rows of the review of {sha256(chunk.data).hexdigest()}"
        rows: Reviewed = pickle.loads(once_written(name, lambda: pickle.dumps(reviewed(chunk))))
        return rows

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reviews, "reviewed", reviewed_once)
        with open_warehouse(database) as opened:
            with opened.reading() as connection:
                ids = [number for (number,) in connection.execute(REVIEWED).fetchall()]
            reviews._review(opened, ids, 0, lambda _: None)


def copied(factory: pytest.TempPathFactory, name: str, logs: Path) -> Path:
    """Return this process's copy of a database of some logs; they are loaded and reviewed once per run."""
    return copy_of(made(factory, name, logs), factory.mktemp(name))


@pytest.fixture(scope="session", autouse=True)
def callbacks_for_every_app() -> Iterator[None]:
    """Let every app answer the callbacks of pages; Dash registers them only with the first app of a process."""
    known: dict[str, Any] = {}
    set_up = Dash._setup_server

    def with_all(app: Dash) -> None:
        known.update(_callback.GLOBAL_CALLBACK_MAP)
        _callback.GLOBAL_CALLBACK_MAP.update(known)
        set_up(app)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dash, "_setup_server", with_all)
        yield


@pytest.fixture
def reviews_once() -> Iterator[None]:
    with reviewing_once():
        yield


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return once(tmp_path_factory, "caravan-logs", play_caravan)


@pytest.fixture(scope="session")
def database(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory, "caravan", logs)


@pytest.fixture(scope="session")
def finished(logs: Path) -> list[Replay]:
    """The finished matches of the logs, replayed by the rules."""
    read = [Replay.read(lines) for path in log_files([logs]) for _, lines in matches(read_lines(path))]
    return [replay for replay in read if replay.ended]


@pytest.fixture(scope="session")
def summit_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return once(tmp_path_factory, "summit-logs", play_summit)


@pytest.fixture(scope="session")
def of_summit(summit_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A database with matches of summit only."""
    with open_warehouse(copied(tmp_path_factory, "summit", summit_logs)) as opened:
        yield Reader(opened)


@pytest.fixture(scope="session")
def both(logs: Path, summit_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """A database with two games; more of its matches are of summit."""
    caravan = made(tmp_path_factory, "caravan", logs)
    shared = made(tmp_path_factory, "both", summit_logs, before=caravan)
    with open_warehouse(copy_of(shared, tmp_path_factory.mktemp("both"))) as opened:
        yield opened


@pytest.fixture(scope="session")
def of_both(both: Warehouse) -> Reader:
    return Reader(both)


@pytest.fixture(scope="session")
def summit_finished(summit_logs: Path) -> list[Replay]:
    """The matches of summit, replayed by the rules."""
    return [Replay.read(lines) for path in log_files([summit_logs]) for _, lines in matches(read_lines(path))]


@pytest.fixture(scope="session")
def climbers_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return once(tmp_path_factory, "climbers-logs", play_climbers)


@pytest.fixture(scope="session")
def of_climbers(climbers_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A database with matches of climbers only."""
    with open_warehouse(copied(tmp_path_factory, "climbers", climbers_logs)) as opened:
        yield Reader(opened)


@pytest.fixture(scope="session")
def climbers_finished(climbers_logs: Path) -> list[Replay]:
    """The matches of climbers, replayed by the rules."""
    return [Replay.read(lines) for path in log_files([climbers_logs]) for _, lines in matches(read_lines(path))]


@pytest.fixture(scope="session")
def of_game(of_both: Reader, of_climbers: Reader) -> dict[str, Reader]:
    """A database for each game that has its own figures."""
    return {"caravan": of_both, "summit": of_both, "climbers": of_climbers}


@pytest.fixture(scope="session")
def warehouse(database: Path) -> Iterator[Warehouse]:
    with open_warehouse(database) as opened:
        yield opened


@pytest.fixture(scope="session")
def reader(warehouse: Warehouse) -> Reader:
    return Reader(warehouse)


@pytest.fixture(scope="session")
def app(warehouse: Warehouse) -> Dash:
    return create_app(warehouse)


@pytest.fixture(scope="session")
def served(app: Dash, warehouse: Warehouse) -> Client:
    return everything(warehouse, pages=app)


@pytest.fixture
def client(served: Client) -> Client:
    return served.another()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "empty.duckdb") as opened:
        yield opened
