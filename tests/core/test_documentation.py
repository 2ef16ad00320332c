"""Commands shown in the README and the pages next to it work as shown."""

import re
import shlex
from pathlib import Path

import pytest

from docs.generators.pages import generated
from himalaya_core.cli.main import parser

ROOT = Path(__file__).parents[2]
FRONT = [ROOT / "README.md", ROOT / "logs" / "README.md"]
WRITTEN = set((ROOT / "docs").rglob("*.md")) - {ROOT / "docs" / name for name in generated()}
PAGES = [*FRONT, *sorted(WRITTEN)]
MISSING = "mygame"
"""The game that a reader is to add."""
COMMAND = re.compile(r"(?:^ {4,6}(?:\$ )?|^\$ |`)(himalaya [a-z]+ ?[^`\n#>|]*)", re.MULTILINE)


def shown() -> list[tuple[str, str]]:
    """Return every command shown with arguments, with its page; examples with a placeholder are left out."""
    commands = [(page.name, command.strip()) for page in PAGES for command in COMMAND.findall(page.read_text())]
    return [
        (page, command)
        for page, command in commands
        if len(command.split()) > 2 and not {"…", "--help", MISSING} & {*command, *command.split()}
    ]


def test_the_pages_show_commands():
    assert {"play", "tournament", "verify", "ingest", "serve"} <= {command.split()[1] for _, command in shown()}


def test_every_command_is_valid():
    understands = parser()
    for page, command in shown():
        try:
            options = understands.parse_args(shlex.split(command.removesuffix("."))[1:])
        except SystemExit:
            pytest.fail(f"{page}: {command}")
        assert callable(options.run), page


def test_the_example_in_python_runs(capsys: pytest.CaptureFixture[str]):
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("((")


def test_every_link_of_a_front_page_has_a_target():
    links = [(page, link) for page in FRONT for link in re.findall(r"\]\(([^)#]+)\)", page.read_text())]
    lost = [(page.name, link) for page, link in links if "://" not in link and not (page.parent / link).exists()]
    assert lost == []
