"""The operations on a warehouse, by name, run in this process or by the server that has the file open.

Arguments, reports of progress and results are plain JSON, so it makes no difference where an operation runs.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from ingest.audit import list_audit, note_operation
from ingest.care.backup import back_up, vacuum
from ingest.care.doctor import examine
from ingest.care.forget import allow_again, forget
from ingest.care.integrity import check_operation
from ingest.care.lake.served import is_lake, served_file
from ingest.care.lake.write import write_lake
from ingest.care.restore import restore
from ingest.errors import WarehouseError, WarehouseInUse
from ingest.follow.follow import follow_logs
from ingest.load.asking import ask_players
from ingest.load.judging import judge_waiting
from ingest.load.reviewing import review_waiting
from ingest.opening import open_as_allowed, open_for_reading
from ingest.owner import Owner
from ingest.pipeline import ingest_logs
from ingest.quarantine.listing import drop_rows, list_rows, show_row
from ingest.quarantine.preview import match_log
from ingest.quarantine.retry import retry_rows
from ingest.receive.tokens import create_token, list_tokens, revoke_token, rotate_token
from ingest.warehouse import Report, Warehouse

__all__ = ["OPERATIONS", "Operation", "noted", "run_operation"]

Operation = Callable[[Warehouse, dict[str, Any], Report], dict[str, Any]]

OPERATIONS: Final[Mapping[str, Operation]] = {
    "ingest": ingest_logs,
    "follow": follow_logs,
    "list_quarantine": list_rows,
    "show_quarantine": show_row,
    "retry_quarantine": retry_rows,
    "drop_quarantine": drop_rows,
    "match_log": match_log,
    "check": check_operation,
    "judge": judge_waiting,
    "ask": ask_players,
    "review": review_waiting,
    "create_token": create_token,
    "list_tokens": list_tokens,
    "rotate_token": rotate_token,
    "revoke_token": revoke_token,
    "list_audit": list_audit,
    "backup": back_up,
    "restore": restore,
    "vacuum": vacuum,
    "forget": forget,
    "allow_again": allow_again,
    "lake": write_lake,
    "doctor": examine,
}


OF_QUARANTINE: Final = frozenset({"list_quarantine", "show_quarantine"})
"""Operations that have nothing to tell of a lake."""


def run_operation(
    database: Path,
    name: str,
    arguments: Mapping[str, Any],
    report: Report = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
    *,
    operations: Mapping[str, Operation] = OPERATIONS,
) -> dict[str, Any]:
    """Run an operation and return its result; `say` is told if a server does the work. Raises `WarehouseError`.

    Where the file may not be written to, and for a lake, only operations that read work. `operations` replaces those of
    ingest, for packages with operations of their own; the server must know them too.
    """
    try:
        warehouse = _of_lake(database, name) if is_lake(database) else open_as_allowed(database, say)
    except WarehouseInUse as error:
        owner = Owner.of(database, error.process)
        if owner is None:
            raise
        say(f"{database} is open in the server at {owner.address}, which does the work")
        return owner.ask(name, arguments, report)
    with warehouse:
        return noted(name, operations[name], warehouse, dict(arguments), report)


def _of_lake(lake: Path, operation: str) -> Warehouse:
    if operation in OF_QUARANTINE:
        where = "in the database that it was written from, or, if it was derived from logs, in its table quarantine"
        raise WarehouseError(f"{lake}: is a lake; what was not taken is {where}")
    warehouse = open_for_reading(served_file(lake))
    warehouse.of_lake = True
    return warehouse


def noted(
    name: str, operation: Operation, warehouse: Warehouse, arguments: dict[str, Any], report: Report
) -> dict[str, Any]:
    """Run an operation, and have the audit say so if it is one of those that it names."""
    result = operation(warehouse, arguments, report)
    note_operation(warehouse, name, arguments)
    return result
