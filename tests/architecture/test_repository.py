"""Properties of all files in the repository."""

import os
import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from himalaya_core import __version__

ROOT = Path(__file__).parents[2]
LONGEST = 450
LOCKS = ("requirements.lock", "requirements-lowest.lock", "requirements-spark.lock")
ROOMS = ("himalaya_core", "ingest", "dashboards")
OTHERS = "vendor"
"""Folders with third-party files."""
BUILT = "documentation"
"""Folder of the built documentation."""
SOURCES = sorted(
    path
    for room in ROOMS
    for kind in ("*.py", "*.js")
    for path in (ROOT / room).rglob(kind)
    if OTHERS not in path.parts and BUILT not in path.parts
)
MADE = {
    BUILT,
    ".git",
    ".venv",
    ".cache",
    ".hypothesis",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "__pycache__",
    "build",
    "dist",
}
TEXT = {".py", ".toml", ".md", ".lock", ".in", ".txt", ".json", ".js", ".css", ".sql", ".yml", ".yaml", ".cfg", ""}
REGISTRIES = ("pypi.org", "pythonhosted.org", "npmjs.org", "npmjs.com", "yarnpkg.com")
OPTIONS = tuple(name + end for name in ("index-url", "find-links") for end in " =")
THIS = Path(__file__)


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def kept() -> list[Path]:
    found: list[Path] = []
    for folder, inside, files in os.walk(ROOT):
        inside[:] = set(inside) - MADE
        found += (Path(folder, name) for name in files if name not in MADE)
    return sorted(path for path in found if path.suffix in TEXT and path != THIS)


def test_files_are_short_enough_to_read() -> None:
    assert [place(path) for path in SOURCES if len(path.read_text("utf-8").splitlines()) > LONGEST] == []


def test_the_first_line_of_a_file_says_what_it_is() -> None:
    described = [path for path in SOURCES if path.name != "__init__.py"]
    first_lines = {place(path): path.read_text("utf-8").lstrip().partition("\n")[0] for path in described}
    assert [where for where, line in first_lines.items() if not line.startswith(('"""', "//", "/*"))] == []


def test_no_file_names_a_registry() -> None:
    texts = ((path, path.read_text("utf-8").lower()) for path in kept())
    assert [place(path) for path, text in texts if any(named in text for named in (*REGISTRIES, *OPTIONS))] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_has_only_versions_and_hashes(lock: str) -> None:
    line = re.compile(r"[a-z0-9.-]+==\S+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    strange = [text for text in (ROOT / lock).read_text("ascii").splitlines() if not line.fullmatch(text)]
    assert not strange


def test_lowest_versions_match_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = map(Requirement, chain(project["dependencies"], *project["optional-dependencies"].values()))
    bounds = [(canonicalize_name(each.name), bound) for each in wanted for bound in each.specifier]
    locks = (ROOT / name for name in ("requirements-lowest.lock", "requirements-spark.lock"))
    pins = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", "".join(lock.read_text("ascii") for lock in locks), re.MULTILINE))
    assert {bound.operator for _, bound in bounds} == {">="}
    assert [name for name, bound in bounds if Version(pins[name]) not in SpecifierSet(f"=={bound.version}.*")] == []


def test_the_changelog_has_the_current_version() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    released = [re.fullmatch(r"(\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)", each) for each in headings if each != "Unreleased"]
    versions = [(Version(each[1]), each[2]) for each in released if each]
    assert len(versions) == len(released)
    assert versions == sorted(versions, reverse=True)
    assert versions[0][0] == Version(__version__)


def test_programs_are_started_without_a_shell() -> None:
    """A shell would interpret the name of a file or match as a command."""
    shells = re.compile(r"shell\s*=\s*True|os\.(system|popen)\(|create_subprocess_shell|getoutput\(")
    assert [place(path) for path in SOURCES if path.suffix == ".py" and shells.search(path.read_text("utf-8"))] == []
