"""Backup drill: restores the newest backup in a folder to a temporary file, checks it, and compares its contents.

    python restore_drill.py /var/backups/himalaya --max-age-hours 26

The live database is not touched. Exits with 1 and prints the reason on standard error if there is no recent backup, or
if it cannot be restored. It also does so if a table check fails, or if the numbers of matches and events differ from
those in the backup.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def himalaya(*arguments: str) -> str:
    """Run a `himalaya` command in this Python environment and return its output. Exit if it fails."""
    # `doctor` exits with 1 for any finding, including the disk; `check` reports damage in the tables.
    done = subprocess.run(
        [sys.executable, "-m", "himalaya_core.cli.main", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode and arguments[0] != "doctor":
        sys.exit(f"drill failed: himalaya {' '.join(arguments)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def counts(database: Path) -> dict[str, Any]:
    """Return the numbers of matches, events and quarantine entries in a database."""
    found = json.loads(himalaya("doctor", "--json", "--db", str(database))).get("counts")
    if not found:
        sys.exit(f"drill failed: {database} cannot be read")
    return {name: found[name] for name in ("matches", "events", "quarantine")}


def main() -> None:
    """Restore and check the newest backup."""
    parser = argparse.ArgumentParser(description="Restore the newest backup of a folder on the side, and check it.")
    parser.add_argument("folder", type=Path, help="where the backups are")
    parser.add_argument("--max-age-hours", type=float, default=26, help="how old the newest may be (default: 26)")
    options = parser.parse_args()
    backups = sorted(options.folder.glob("*.duckdb"), key=lambda path: path.stat().st_mtime)
    if not backups:
        sys.exit(f"drill failed: there is no backup in {options.folder}")
    newest = backups[-1]
    hours = (time.time() - newest.stat().st_mtime) / 3600
    if hours > options.max_age_hours:
        sys.exit(f"drill failed: {newest} is {hours:.1f} hours old")
    with tempfile.TemporaryDirectory(prefix="himalaya-drill-") as folder:
        copy, restored = Path(folder, "copy.duckdb"), Path(folder, "restored.duckdb")
        shutil.copyfile(newest, copy)  # opening a database may write to it, and the backup must not change
        copy.chmod(0o600)
        himalaya("restore", str(copy), "--db", str(restored))
        himalaya("check", "--db", str(restored))
        expected, found = counts(copy), counts(restored)
    if expected != found:
        sys.exit(f"drill failed: {newest} holds {expected}, restored it holds {found}")
    print(f"{newest.name}, {hours:.1f} hours old: restored and sound, {found}")


if __name__ == "__main__":
    main()
