"""The dependency audit reports `passed` only for packages that it looked up, and fails for known vulnerabilities."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SOUND = {"name": "flask", "version": "3.1.3", "vulns": []}
KNOWN = {"name": "flask", "version": "3.1.3", "vulns": [{"id": "GHSA-1", "fix_versions": ["3.1.4"]}]}
STRANGE = {"name": "flask", "skip_reason": "no such version"}
STANDING_IN = """#!/bin/sh
while [ "$1" != --output ]; do shift; done
[ -z "$SAYS" ] && { echo "cannot be reached"; exit 1; }
printf %s "$SAYS" >"$2"
exit "$ENDS"
"""


def audited(folder: Path, says: Any, ends: int) -> subprocess.CompletedProcess[str]:
    """Run the audit with a fake pip-audit that prints the given output."""
    script = folder / ".ci" / "audit"
    tool = folder / ".cache" / "audit" / "bin" / "pip-audit"
    for path in (script, tool, folder / ".venv" / "bin" / "python"):
        path.parent.mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "audit", script)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    version = re.search(r"^version=(\S+)", script.read_text(), re.MULTILINE)
    assert version
    (folder / ".cache" / "audit" / "version").write_text(version[1])
    tool.write_text(STANDING_IN)
    tool.chmod(0o755)
    said = json.dumps({"dependencies": says}) if says is not None else ""
    environment = {**os.environ, "SAYS": said, "ENDS": str(ends)}
    return subprocess.run([script], capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize(
    ("says", "ends", "code", "last"),
    [
        ([SOUND], 0, 0, "audit: passed: 1 packages, 0 known vulnerabilities"),
        ([SOUND, KNOWN], 1, 1, "audit: failed: 2 packages, 1 known vulnerabilities"),
        ([SOUND, STRANGE], 0, 1, "audit: failed: 2 packages, 0 known vulnerabilities"),
        ([SOUND], 1, 1, "audit: failed: 1 packages, 0 known vulnerabilities"),
    ],
    ids=["sound", "known", "not looked up", "failed"],
)
def test_the_audit_reports_what_the_lookup_found(tmp_path: Path, says: Any, ends: int, code: int, last: str) -> None:
    done = audited(tmp_path, says, ends)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (code, last), done.stderr


def test_an_audit_without_a_lookup_does_not_claim_to_pass(tmp_path: Path) -> None:
    done = audited(tmp_path, None, 1)
    assert done.returncode == 0
    assert "audit: NOT DONE: no answer from the advisories of osv.dev: cannot be reached" in done.stdout
    assert "passed" not in done.stdout
