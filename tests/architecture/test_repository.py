"""What holds for the files of the repository as such."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 450
ROOMS = ("himalaya_core", "ingest", "dashboards")
SOURCES = sorted(path for room in ROOMS for kind in ("*.py", "*.js") for path in (ROOT / room).rglob(kind))
MADE = {
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
REGISTRIES = re.compile(
    r"pypi\.org|pythonhosted\.org|npmjs\.(org|com)|yarnpkg\.com|(index-url|find-links)[ =]", re.IGNORECASE
)
THIS = Path(__file__)


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def kept() -> list[Path]:
    return [
        path
        for path in sorted(ROOT.rglob("*"))
        if path.is_file() and path.suffix in TEXT and path != THIS and not MADE & set(path.relative_to(ROOT).parts)
    ]


def test_a_file_fits_in_a_reader_s_head() -> None:
    assert [place(path) for path in SOURCES if len(path.read_text("utf-8").splitlines()) > LONGEST] == []


def test_a_file_says_what_it_is_in_its_first_line() -> None:
    described = [path for path in SOURCES if path.name != "__init__.py"]
    first_lines = {place(path): path.read_text("utf-8").lstrip().partition("\n")[0] for path in described}
    assert [where for where, line in first_lines.items() if not line.startswith(('"""', "//", "/*"))] == []


def test_no_file_names_a_registry() -> None:
    named = [place(path) for path in kept() if REGISTRIES.search(path.read_text("utf-8"))]
    assert not named


def test_the_lock_holds_versions_and_hashes_and_nothing_else() -> None:
    line = re.compile(r"[a-z0-9.-]+==\S+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    strange = [
        text for text in (ROOT / "requirements.lock").read_text("ascii").splitlines() if not line.fullmatch(text)
    ]
    assert not strange
