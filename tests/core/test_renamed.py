"""Modules can still be imported by their former names."""

import re
import subprocess
import sys
import warnings
from importlib import import_module
from pathlib import Path

import pytest

from himalaya_core.renamed import MODULES, PACKAGES, present_name

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "about" / "renamed.md"


@pytest.mark.parametrize("former", [*MODULES, *PACKAGES, "dashboards.warehouse.filters"])
def test_a_former_name_gives_the_present_module(former: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        found = import_module(former)
    present = present_name(former)
    assert present is not None
    assert found is import_module(present)
    assert found.__name__ == present


def test_a_former_name_warns_with_both_names() -> None:
    program = "import himalaya_core.registry"
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert answer.returncode == 1
    assert "himalaya_core.registry is now himalaya_core.games" in answer.stderr


def test_the_document_lists_every_former_name() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \| `([\w.]+)` \|$", DOCUMENT.read_text(), re.MULTILINE)
    assert dict(rows) == {**PACKAGES, **MODULES}
