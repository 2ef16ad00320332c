"""Finding the packages that extend the command; listing it imports almost nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from himalaya_core import __version__
from himalaya_core.cli.main import parser
from tests.core.cli.commands import Command
from tests.toy.installing import distribution, installed

GOLDEN = min(Path("tests/golden").rglob("*.jsonl"))
LIGHT = {"himalaya_core", "ingest", "dashboards"}
HELP = """
import sys
from himalaya_core.cli.main import main
before = set(sys.modules)
try:
    main(["--help"])
except SystemExit:
    print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""
EXTRA = """
from himalaya_core.cli.command import Command, command

COMMANDS = (
    Command("greet", "say hello to somebody", "extra:add_greet"),
    Command("lost", "lack a module", "extra:lose"),
    Command("play", "take the place of another", "extra:lose"),
)

def add_greet(parser):
    command(parser, greet, "himalaya greet Tenzing")
    parser.add_argument("name")

def greet(options):
    print(f"hello {options.name}")
    return 7

def lose(parser):
    import nowhere
"""


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def test_listing_the_commands_imports_only_their_lists() -> None:
    listed = subprocess.run([sys.executable, "-c", HELP], check=True, capture_output=True, text=True)
    assert "load logs into the database" in listed.stdout
    imported = listed.stderr.split()
    own = {name for name in imported if name.partition(".")[0] in LIGHT}
    assert {name.rpartition(".")[2] for name in own} <= {*LIGHT, "cli", "commands"}
    assert {name.partition(".")[0] for name in imported} <= LIGHT | set(sys.stdlib_module_names)


def test_the_command_itself_imports_only_the_standard_library() -> None:
    script = "import sys, himalaya_core.cli.main; print(*{name.partition('.')[0] for name in sys.modules})"
    started = subprocess.run([sys.executable, "-S", "-c", script], check=True, capture_output=True, text=True)
    assert set(started.stdout.split()) - set(sys.stdlib_module_names) <= {"himalaya_core", "__main__"}


def test_a_command_from_another_package_is_listed_last_and_runs(tmp_path: Path, himalaya: Command) -> None:
    entries = "[himalaya.commands]\nextra = extra:COMMANDS\n"
    with installed(distribution(tmp_path / "extra", "extra", entries, extra=EXTRA)):
        listed = himalaya("--help").out
        other = listed.partition("\nOther:\n")[2].splitlines()
        assert other[0].split() == ["greet", "say", "hello", "to", "somebody"]
        assert listed.endswith("\nnot there: there is a second command 'play', extra:lose\n")
        assert himalaya("greet", "--help").out.startswith("usage: himalaya greet [-h] name\n\nSay hello to somebody.\n")
        assert (himalaya("greet", "Tenzing").out, himalaya("greet", "Tenzing").code) == ("hello Tenzing\n", 7)
        assert "greet: the following arguments are required: name" in himalaya("greet").err
        with pytest.raises(ModuleNotFoundError, match="nowhere"):  # the package's own bug: the traceback is shown
            himalaya("lost")
    assert "greet" not in himalaya("--help").out


def test_commands_that_fail_to_load_are_listed_below_the_others(tmp_path: Path, himalaya: Command) -> None:
    with installed(distribution(tmp_path / "bad", "bad", "[himalaya.commands]\nbad = nowhere:COMMANDS\n")):
        listed = " ".join(himalaya("--help").out.split())
        assert "play one match" in listed
        assert listed.endswith("cannot be loaded: No module named 'nowhere'")


def test_every_command_shows_its_usage(himalaya: Command) -> None:
    (commands,) = (action for action in parser()._actions if action.metavar == "COMMAND")
    for name in list(commands.choices or ()):
        assert himalaya(name, "--help").out.startswith(f"usage: himalaya {name} [-h]")


def test_the_help_lists_the_commands_in_groups_a_line_each(himalaya: Command) -> None:
    *groups, _ = himalaya("--help").out.split("\n\n")[3:]
    listed = {title: lines for title, *lines in map(str.splitlines, groups)}
    assert list(listed) == ["Play:", "Logs:", "Data:", "Serve:"]
    assert all(line.startswith("  ") and len(line) <= 80 for lines in listed.values() for line in lines)
    assert {"play", "tournament", "players"} <= {line.split()[0] for line in listed["Play:"]}


def test_the_version_is_printed(himalaya: Command) -> None:
    assert himalaya("--version").out == f"himalaya {__version__}\n"


@pytest.mark.parametrize("log", [GOLDEN, Path("none.jsonl")])
def test_the_process_flushes_its_output_and_returns_the_exit_code(himalaya: Command, log: Path) -> None:
    command = [sys.executable, "-m", "himalaya_core.cli.main", "verify", str(log)]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    found = subprocess.run(command, capture_output=True, text=True, check=False, env=buffered)
    answer = himalaya("verify", str(log))
    assert (found.returncode, found.stdout, found.stderr) == (answer.code, answer.out, answer.err)
    assert found.stdout or found.stderr


@pytest.mark.slow("another way to say it by command")
def test_a_closed_output_pipe_prints_no_error() -> None:
    command = [sys.executable, "-m", "himalaya_core.cli.main", "schema", "caravan"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
