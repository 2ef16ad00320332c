"""Messages of `himalaya serve` when it starts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dashboards import server
from tests.core.cli.commands import Command

ADDRESS = "http://127.0.0.1:8050/"


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    def serve(database: Path, _host: str, _port: int, ready: Callable[[str], None], *_: object, **__: object) -> None:
        database.touch()
        ready(ADDRESS)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(server, "serve", serve)
    return Command(capsys)


def test_serving_reports_once_that_it_created_an_empty_database(himalaya: Command, tmp_path: Path) -> None:
    first, again = (himalaya("serve", "--db", "typo.duckdb") for _ in range(2))
    assert first.out == again.out == f"Himalaya is at {ADDRESS} (Ctrl-C stops it)\n"
    created = f"created an empty database, {tmp_path / 'typo.duckdb'}; `himalaya ingest` loads logs"
    assert (first.err, again.err) == (f"himalaya: {created}\n", "")


def test_a_replica_is_never_created(himalaya: Command) -> None:
    assert himalaya("serve", "--replica", "backup.duckdb").err == ""
