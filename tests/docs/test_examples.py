"""Commands and doctests of the documentation give the output that its pages show.

A `console` block has commands after `$ `, continued after `> `, and their output. `...` in a line alone is any lines,
`…` in a line any text. A `python` block with `>>>` is a doctest. A block with the caption `bots.py` is written to that
file. All of a page run from top to bottom in one folder, which has copies of `docs/examples`.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import pytest

from docs.generators import python_api

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PYTHON = "reference/python.md"
FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<kind>\S*)[^\n]*\n(?P<text>.*?)^(?P=ticks)\s*$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r":caption: (\S+)\n\n")
LONGEST = 120
"""Seconds for a command."""


def examples(text: str) -> list[tuple[int, str, str]]:
    """Return the line, kind and text of each block of a page that is run."""
    found = [(text.count("\n", 0, block.start()) + 2, block["kind"], block["text"]) for block in FENCE.finditer(text)]
    return [each for each in found if each[1] == "console" or CAPTION.match(each[2]) or ">>> " in each[2]]


def pages() -> dict[str, str]:
    """Return the pages with examples, those of former documentation left out."""
    paths = [DOCS / "index.md", *DOCS.glob("*/**/*.md")]
    found = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in paths}
    found[PYTHON] = python_api.page()
    return {name: text for name, text in sorted(found.items()) if examples(text)}


PAGES = pages()


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a block and the output under it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        more = next((at for at, line in enumerate(lines[1:], 1) if not line.startswith("> ")), len(lines))
        command = "\n".join([lines[0], *(line[2:] for line in lines[1:more])])
        yield command, "\n".join(lines[more:]).strip("\n")


def fits(expected: str, found: str) -> bool:
    """Say whether an output is the expected one."""
    lines = (re.escape(line.rstrip()).replace("…", ".*") for line in expected.splitlines())
    pattern = "".join("(?:.*\n)*?" if line == re.escape("...") else f"{line}\n" for line in lines)
    printed = (line.rstrip() for line in found.lstrip("\n").rstrip().splitlines())
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def output_of(command: str, folder: Path) -> str:
    """Run a command in a folder with the `himalaya` of this checkout. Return its output, and its errors if it fails."""
    programs = folder.parent / "bin"
    himalaya = programs / "himalaya"
    if not himalaya.exists():
        programs.mkdir()
        himalaya.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m himalaya_core.cli.main "$@"\n')
        himalaya.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HIMALAYA", "COLUMNS", "PYTEST"))}
    path = f"{programs}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**kept, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(folder.parent)}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
    )
    return done.stdout + (done.stderr if done.returncode else "")


def differences(name: str, line: int, kind: str, text: str, folder: Path, known: dict[str, object]) -> Iterator[str]:
    """Yield a description of each example of a block that gives something else."""
    if kind == "console":
        for command, expected in commands(text):
            found = output_of(command, folder)
            if not fits(expected, found):
                lines = (expected.splitlines(), found.strip("\n").splitlines())
                diff = unified_diff(*lines, "shown on the page", "printed now", lineterm="", n=2)
                yield "\n".join([f"docs/{name}, block at line {line}: $ {command}", *diff])
        return
    if caption := CAPTION.match(text):
        (folder / caption[1]).write_text(text[caption.end() :], "utf-8")
        return
    printed = list[str]()
    test = doctest.DocTestParser().get_doctest(text, known, name, f"docs/{name}", line - 1)
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=printed.append, clear_globs=False)
    known.update(test.globs)
    yield from printed


@pytest.mark.slow("starts commands; `make docs` runs it")
@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_a_page_give_what_it_shows(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "page"
    shutil.copytree(DOCS / "examples", folder)
    monkeypatch.chdir(folder)
    known: dict[str, object] = {"__name__": "__main__"}
    wrong = [each for block in examples(PAGES[name]) for each in differences(name, *block, folder, known)]
    assert not wrong, "\n\n".join(wrong)


def test_an_example_that_prints_something_else_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "page"
    folder.mkdir()
    page = "# Page\n\n```console\n$ echo one; echo two\none\n2\n$ printf '%s\\n' a \\\n> b c\na\n...\nc\n```\n"
    ((line, kind, text),) = examples(page)
    (wrong,) = differences("page.md", line, kind, text, folder, {})
    assert wrong.startswith("docs/page.md, block at line 4: $ echo one; echo two\n")
    assert wrong.endswith("-2\n+two")


def test_dots_stand_for_lines_and_an_ellipsis_for_text() -> None:
    assert fits("a\n...\nz", "a\nb\nc\nz\n")
    assert fits("...", "")
    assert fits("took … s", "took 1.5 s")
    assert not fits("a", "a\nb")
