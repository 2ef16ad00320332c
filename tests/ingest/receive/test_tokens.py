"""Tokens: shown once, kept as digests, ended at once; made beside a running server too."""

import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Final

import pytest

from himalaya_core.cli.main import main
from ingest.care.backup import vacuum
from ingest.errors import WarehouseError
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import Request, take_in
from ingest.receive.tokens import create_token, digests, list_tokens, name_of, revoke_token
from ingest.warehouse import Warehouse
from tests.ingest.helping import live, write

AT_ONCE: Final = 10.0
A_MOMENT: Final = 0.3


@pytest.fixture
def others() -> Iterator[ThreadPoolExecutor]:
    """Other threads."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


def create(warehouse: Warehouse, name: str = "laptop") -> str:
    return create_token(warehouse, {"name": name}, lambda _: None)["secret"]


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
    assert secret.removeprefix("himalaya_").encode() not in warehouse.database.read_bytes()


def test_a_token_that_was_revoked_is_none(warehouse: Warehouse) -> None:
    secret = create(warehouse)
    assert digests(warehouse)
    revoke_token(warehouse, {"name": "laptop"}, lambda _: None)
    assert name_of(warehouse, secret) is None
    assert not digests(warehouse)


def test_tokens_are_listed_without_what_they_open(warehouse: Warehouse) -> None:
    create(warehouse, "b")
    create(warehouse, "a")
    tokens = list_tokens(warehouse, {}, lambda _: None)["tokens"]
    assert [token["name"] for token in tokens] == ["b", "a"]
    assert {key for token in tokens for key in token} == {"name", "created_at"}


@pytest.mark.parametrize("name", ["", "a b", "a\n", "../x", "ä", "x" * 65])
def test_a_name_that_none_can_have(warehouse: Warehouse, name: str) -> None:
    with pytest.raises(WarehouseError, match="name: expected 1 to 64 of"):
        create(warehouse, name)


def test_a_name_is_given_once(warehouse: Warehouse) -> None:
    secret = create(warehouse)
    with pytest.raises(WarehouseError, match="there is a token laptop already"):
        create(warehouse)
    assert name_of(warehouse, secret) == "laptop"


def test_who_revokes_a_token_that_is_not_there_is_told(warehouse: Warehouse) -> None:
    with pytest.raises(WarehouseError, match="there is no token desk"):
        revoke_token(warehouse, {"name": "desk"}, lambda _: None)


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_token_is_revoked_in_the_middle_of_an_ingest(
    warehouse: Warehouse, tmp_path: Path, others: ThreadPoolExecutor, *, dry_run: bool
) -> None:
    secret = create(warehouse)
    known: list[str | None] = []

    def revoke(_: object) -> None:
        if not known:
            others.submit(revoke_token, warehouse, {"name": "laptop"}, lambda _: None).result(AT_ONCE)
            known.append(others.submit(name_of, warehouse, secret).result(AT_ONCE))

    request = Request((write(tmp_path / "m.jsonl", live()),), dry_run=dry_run, jobs=0)
    assert take_in(warehouse, request, revoke).matches == 1
    assert known == [None]
    assert not digests(warehouse)


def test_a_token_made_while_the_file_is_written_again_is_in_the_new_one(
    warehouse: Warehouse, others: ThreadPoolExecutor
) -> None:
    made: list[Future[str]] = []

    def make(_: object) -> None:
        if not made:
            made.append(others.submit(create, warehouse))
            wait(made, A_MOMENT)  # in which it would be written, if nothing kept it from that

    vacuum(warehouse, {}, make)
    assert name_of(warehouse, made[0].result(AT_ONCE)) == "laptop"


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = str(tmp_path / "w.duckdb")
    assert main(["token", "list", "--db", database]) == 2
    assert not Path(database).exists()
    assert main(["token", "create", "laptop", "--db", database]) == 0
    secret = capsys.readouterr().out.strip()
    assert main(["token", "list", "--db", database]) == 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC  laptop\n", capsys.readouterr().out)
    with open_warehouse(Path(database)) as opened:
        assert name_of(opened, secret) == "laptop"
    assert main(["token", "revoke", "laptop", "--db", database]) == 0
    assert run_operation(Path(database), "list_tokens", {}) == {"tokens": []}
