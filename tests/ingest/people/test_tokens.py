"""Tokens: shown once, stored as digests, revoked immediately; also while a server is running."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from ingest.app_store import as_text, store_file
from ingest.errors import WarehouseError
from ingest.opening import open_warehouse
from ingest.people.tokens import (
    Scope,
    Token,
    all_tokens,
    create_token,
    digest,
    revoke_token,
    rotate_token,
)
from ingest.pipeline import Request, take_in
from ingest.warehouse import Warehouse
from tests.core.cli.commands import Command
from tests.ingest.helping import begun, write

AT_ONCE: Final = 10.0
DAY: Final = 24 * 3600
HOLD: Final = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"


@pytest.fixture
def others() -> Iterator[ThreadPoolExecutor]:
    """A pool of other threads."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


def create(warehouse: Warehouse, name: str = "laptop", **arguments: Any) -> str:
    return create_token(warehouse.app, name, **arguments)


def name_of(warehouse: Warehouse, secret: str) -> str | None:
    found = token_of(warehouse, secret)
    return found.name if found and found.is_live else None


def token_of(warehouse: Warehouse, secret: str) -> Token | None:
    return next((token for token in all_tokens(warehouse.app) if token.sha256 == digest(secret)), None)


def expire(warehouse: Warehouse, name: str = "laptop") -> None:
    """Advance the time until a token has expired."""
    long_ago = as_text(datetime(2026, 1, 1, tzinfo=UTC))
    with warehouse.app.writing() as connection:
        connection.execute("UPDATE tokens SET expires_at = ? WHERE name = ?", (long_ago, name))


def test_a_token_is_known_by_its_secret_alone(warehouse: Warehouse) -> None:
    first, second = create(warehouse), create(warehouse, "desk")
    assert (name_of(warehouse, first), name_of(warehouse, second)) == ("laptop", "desk")
    for wrong in (first[:-1], first + "A", first.lower(), "himalaya_", "", "\udcff", "laptop"):
        assert name_of(warehouse, wrong) is None


def test_a_secret_has_256_bits_and_is_kept_nowhere(warehouse: Warehouse) -> None:
    secret = create(warehouse)
    assert re.fullmatch(r"himalaya_[A-Za-z0-9_-]{43}", secret)
    assert secret != create(warehouse, "desk")
    warehouse.close()
    for file in (warehouse.database, store_file(warehouse.database)):
        assert secret.removeprefix("himalaya_").encode() not in file.read_bytes()


def test_a_revoked_token_is_invalid(warehouse: Warehouse) -> None:
    secret = create(warehouse)
    assert all_tokens(warehouse.app)
    revoke_token(warehouse.app, "laptop")
    assert name_of(warehouse, secret) is None
    assert not all_tokens(warehouse.app)


def test_tokens_are_listed_without_their_secrets(tmp_path: Path, himalaya: Command) -> None:
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        create(warehouse, "b")
        create(warehouse, "a", expires=-1)
        create(warehouse, "laptop")
        rotate(warehouse)
    tokens = json.loads(himalaya("token", "list", "--json", "--db", str(tmp_path / "w.duckdb")).out)
    assert [(token["name"], token["state"]) for token in tokens] == [
        ("b", ""),
        ("a", "expired"),
        ("laptop", "replaced"),
        ("laptop", ""),
    ]
    expected = {"name", "roles", "scopes", "created_at", "expires_at", "used_at", "state"}
    assert {key for token in tokens for key in token} == expected
    assert (tokens[0]["scopes"], tokens[0]["expires_at"]) == (["read", "send", "write", "run"], None)
    assert tokens[0]["roles"] == ["editor", "sender"]


@pytest.mark.parametrize("name", ["", "a b", "a\n", "../x", "ä", "x" * 65, "local", "operator", "nobody"])
def test_an_invalid_name_is_refused(warehouse: Warehouse, name: str) -> None:
    with pytest.raises(WarehouseError, match=r"cannot name a token|is reserved"):
        create(warehouse, name)


def test_a_token_expires_on_time(warehouse: Warehouse) -> None:
    secret = create(warehouse, scopes=[Scope.SEND], expires=3600)
    found = token_of(warehouse, secret)
    assert found is not None
    assert (found.scopes, found.expires_at) == ({Scope.SEND}, found.created_at + timedelta(hours=1))
    expire(warehouse)
    assert name_of(warehouse, secret) is None


def rotate(warehouse: Warehouse, **arguments: Any) -> str:
    return rotate_token(warehouse.app, "laptop", **arguments)


def test_a_rotated_token_has_two_secrets_for_a_while(warehouse: Warehouse) -> None:
    former = create(warehouse, scopes=[Scope.SEND], expires=90 * DAY)
    secret = rotate(warehouse)
    assert name_of(warehouse, former) == name_of(warehouse, secret) == "laptop"
    before, now = all_tokens(warehouse.app)
    assert before.replaced_at is not None
    assert before.expires_at == before.replaced_at + timedelta(days=1)
    assert now.expires_at == now.created_at + timedelta(days=90), "it lasts as long as the former was to"
    assert (now.scopes, now.replaced_at) == ({Scope.SEND}, None)
    revoke_token(warehouse.app, "laptop")
    assert name_of(warehouse, former) is name_of(warehouse, secret) is None


def test_a_leaked_secret_can_be_ended_immediately(warehouse: Warehouse) -> None:
    former = create(warehouse)
    secret = rotate(warehouse, grace=0)
    assert (name_of(warehouse, former), name_of(warehouse, secret)) == (None, "laptop")
    rotate(warehouse)
    assert len(all_tokens(warehouse.app)) == 2, "the first is not even listed any more"


def test_rotating_a_missing_token_is_reported(warehouse: Warehouse) -> None:
    with pytest.raises(WarehouseError, match="there is no token laptop"):
        rotate(warehouse)


def test_a_name_is_given_once(warehouse: Warehouse) -> None:
    secret = create(warehouse)
    with pytest.raises(WarehouseError, match="there is a token laptop already"):
        create(warehouse)
    assert name_of(warehouse, secret) == "laptop"


def test_revoking_a_missing_token_is_reported(warehouse: Warehouse) -> None:
    with pytest.raises(WarehouseError, match="there is no token desk"):
        revoke_token(warehouse.app, "desk")


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_token_is_revoked_in_the_middle_of_an_ingest(
    warehouse: Warehouse, tmp_path: Path, others: ThreadPoolExecutor, *, dry_run: bool
) -> None:
    secret = create(warehouse)
    known: list[str | None] = []

    def revoke(_: object) -> None:
        if not known:
            others.submit(revoke_token, warehouse.app, "laptop").result(AT_ONCE)
            known.append(others.submit(name_of, warehouse, secret).result(AT_ONCE))

    request = Request((write(tmp_path / "m.jsonl", begun()),), dry_run=dry_run, jobs=0)
    assert take_in(warehouse, request, revoke).matches == 1
    assert known == [None]
    assert not all_tokens(warehouse.app)


def test_tokens_are_made_and_revoked_while_another_process_has_the_database_open(
    tmp_path: Path, himalaya: Command
) -> None:
    database = tmp_path / "w.duckdb"
    open_warehouse(database).close()
    holder = [sys.executable, "-c", HOLD, str(database)]
    with subprocess.Popen(holder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        made = himalaya("token", "create", "laptop", "--db", str(database))
        assert (made.code, himalaya("token", "revoke", "laptop", "--db", str(database)).code) == (0, 0)


def test_the_commands(tmp_path: Path, himalaya: Command) -> None:
    database = ("--db", str(tmp_path / "w.duckdb"))
    for line in (["create", "laptop"], ["list"], ["rotate", "laptop"], ["revoke", "laptop"]):
        answer = himalaya("token", *line, *database)
        assert (answer.code, "no such database" in answer.err) == (2, True)
    assert not (tmp_path / "w.duckdb").exists()
    open_warehouse(tmp_path / "w.duckdb").close()
    first = himalaya("token", "create", "laptop", "--role", "sender,viewer", "--expires", "90d", *database).out.strip()
    second = himalaya("token", "rotate", "laptop", *database).out.strip()
    listed = himalaya("token", "list", *database).out
    assert re.search(r"laptop +viewer,sender +\d{4}-\d\d-\d\d .* never +replaced", listed)
    assert not any(secret in listed for secret in (first, second))
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        assert name_of(opened, first) == name_of(opened, second) == "laptop"
    himalaya("token", "revoke", "laptop", *database)
    assert json.loads(himalaya("token", "list", "--json", *database).out) == []
    assert himalaya("token", "revoke", "laptop", *database).code == 2
    entries = json.loads(himalaya("audit", "--json", *database).out)
    assert [(entry["who"], entry["how"], entry["action"], entry["what"], entry["outcome"]) for entry in entries] == [
        ("operator", "command", "revoke_token", "laptop", "done"),
        ("operator", "command", "rotate_token", "laptop", "done"),
        ("operator", "command", "create_token", "laptop", "done"),
    ]
    assert not any(secret in str(entries) for secret in (first, second))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--role", "reader"),
        ("--role", ""),
        ("--scopes", "reed"),
        ("--scopes", ""),
        ("--expires", "0d"),
        ("--expires", "90"),
        ("--expires", "-1d"),
    ],
)
def test_an_impossible_option_is_refused(tmp_path: Path, himalaya: Command, option: str, value: str) -> None:
    answer = himalaya("token", "create", "laptop", f"{option}={value}", "--db", str(tmp_path / "w.duckdb"))
    assert (answer.code, " is not " in answer.err) == (2, True)
