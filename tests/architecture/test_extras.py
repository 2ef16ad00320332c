"""Each package's third-party imports are declared; a command without them names the extra to install."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dashboards.cli.commands import COMMANDS as DASHBOARDS
from himalaya_core.cli import command as commands
from himalaya_core.cli.commands import COMMANDS as CORE
from ingest.cli.commands import COMMANDS as INGEST
from tests.core.cli.commands import Command

ROOT = Path(__file__).parents[2]
EXTRAS = {
    "himalaya_core": ("train",),
    "ingest": ("ingest", "spark"),
    "dashboards": ("ingest", "serve", "report"),
}
NAMED = {
    "markdown_it": "markdown-it-py",
    "quickjs": "quickjs-ng",
    "pydantic_core": "pydantic",
    "flask": "dash",
    "werkzeug": "dash",
}
"""Distribution names of packages whose modules are named differently."""
IMPORT = re.compile(r"^ *(?:from (\w+)[\w.]* import |import (\w+))", re.MULTILINE)


def imported(room: str) -> set[str]:
    """Return the third-party packages that the modules of a package import anywhere."""
    texts = [path.read_text("utf-8") for path in (ROOT / room).rglob("*.py")]
    names = {name for text in texts for pair in IMPORT.findall(text) for name in pair}
    return names - {"", *sys.stdlib_module_names, *EXTRAS}


def declared(*extras: str) -> set[str]:
    """Return the project's dependencies, including those of some extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"]]
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    return {canonicalize_name(Requirement(line).name) for line in lines}


@pytest.mark.parametrize("room", EXTRAS)
def test_every_imported_package_is_declared(room: str) -> None:
    names = {NAMED.get(name, canonicalize_name(name)) for name in imported(room)}
    assert names
    assert names - declared(*EXTRAS[room]) == set()


@pytest.mark.parametrize("name", [command.name for command in (*CORE, *INGEST, *DASHBOARDS) if command.extra])
def test_a_command_names_its_missing_extra(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking(_: str) -> None:
        raise ModuleNotFoundError(name="duckdb")

    (extra,) = (command.extra for command in (*CORE, *INGEST, *DASHBOARDS) if command.name == name)
    monkeypatch.setattr(commands, "import_module", lacking)
    answer = Command(capsys)(name, "a")
    needs = f"{name!r} needs the extra {extra!r}, which is not installed"
    error = f"himalaya: {needs}: run pip install '.[{extra}]' in the folder of Himalaya's sources\n"
    assert (answer.code, answer.out, answer.err) == (2, "", error)
