"""The operations on a warehouse, by name, run in this process or by the server that has the file open.

Arguments, progress reports and results are plain JSON, so an operation can run in either process.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

from ingest.errors import WarehouseError, WarehouseInUse
from ingest.maintenance.lake.tables import is_lake
from ingest.opening import open_as_allowed, open_for_reading
from ingest.owner import Owner
from ingest.people.audit import note_command
from ingest.warehouse import Report, Warehouse, sentences

__all__ = ["OPERATIONS", "Operation", "noted", "run_operation"]

Operation = Callable[[Warehouse, dict[str, Any], Report], dict[str, Any]]

PLACES: Final = {
    "ingest": "ingest.pipeline:ingest_logs",
    "follow": "ingest.follow.follow:follow_logs",
    "list_quarantine": "ingest.quarantine.listing:list_rows",
    "show_quarantine": "ingest.quarantine.listing:show_row",
    "retry_quarantine": "ingest.quarantine.retry:retry_rows",
    "drop_quarantine": "ingest.quarantine.listing:drop_rows",
    "match_log": "ingest.quarantine.preview:match_log",
    "check": "ingest.maintenance.integrity:check_operation",
    "judge": "ingest.load.background:judge_waiting",
    "ask": "ingest.load.reproducibility:ask_players",
    "review": "ingest.load.reviews:review_waiting",
    "backup": "ingest.maintenance.backup:back_up",
    "restore": "ingest.maintenance.restore:restore",
    "vacuum": "ingest.maintenance.backup:vacuum",
    "forget": "ingest.maintenance.forget:forget",
    "allow_again": "ingest.maintenance.forget:allow_again",
    "lake": "ingest.maintenance.lake.write:write_lake",
    "doctor": "ingest.maintenance.doctor:examine",
}
"""Location of each operation.

A command imports only the operation that it runs, which saves most of the start-up time.
"""


class _Operations(Mapping[str, Operation]):
    """The operations of this package, imported on first use."""

    def __getitem__(self, name: str) -> Operation:
        operation: Operation = resolve_name(PLACES[name])
        return operation

    def __iter__(self) -> Iterator[str]:
        return iter(PLACES)

    def __len__(self) -> int:
        return len(PLACES)


OPERATIONS: Final[Mapping[str, Operation]] = _Operations()

OF_QUARANTINE: Final = frozenset({"list_quarantine", "show_quarantine"})
"""Operations refused for a lake, because a lake does not hold the rejected lines."""


def run_operation(
    database: Path,
    name: str,
    arguments: Mapping[str, Any],
    report: Report = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
    *,
    operations: Mapping[str, Operation] = OPERATIONS,
) -> dict[str, Any]:
    """Run an operation and return its result. Raises `WarehouseError`.

    `say` is called if a server does the work. On a read-only file or a lake, only operations that do not write succeed.
    `operations` replaces the default table, for packages that add operations; the server must know them too.
    """
    try:
        warehouse = _of_lake(database, name) if is_lake(database) else open_as_allowed(database, say)
    except WarehouseInUse as error:
        owner = Owner.of(database, error.process)
        if owner is None:
            raise
        say(f"the server at {owner.address} has {database} open and does the work")
        return owner.ask(name, arguments, report)
    with warehouse:
        return noted(name, operations[name], warehouse, dict(arguments), report)


def _of_lake(lake: Path, operation: str) -> Warehouse:
    if operation in OF_QUARANTINE:
        where = "in its database, or, if it was derived from logs, in the lake's table quarantine"
        raise WarehouseError(f"{lake}: this command reads no lake; look {where}")
    from ingest.maintenance.lake.contents import served_file

    warehouse = open_for_reading(served_file(lake))
    warehouse.of_lake = True
    return warehouse


def noted(
    name: str, operation: Operation, warehouse: Warehouse, arguments: dict[str, Any], report: Report
) -> dict[str, Any]:
    """Run an operation, and record it in the audit log if it is among the audited ones.

    DuckDB's errors about the file become a `WarehouseError`.
    """
    with sentences(warehouse.database):
        result = operation(warehouse, arguments, report)
    note_command(warehouse.app, name, arguments)
    return result
