"""Creates small mutants of the product and reports which tests catch them.

    .venv/bin/python benchmarks/mutants.py draw --at COMMIT        # writes mutants.jsonl
    .venv/bin/python benchmarks/mutants.py run --tree FOLDER --suite NAME [--only ID …] [-- PYTEST OPTIONS]
    .venv/bin/python benchmarks/mutants.py table

`draw` only uses lines that are the same at COMMIT and in this tree, so that a mutant fits both. `run` applies mutants
in a clean checkout with its own `.venv`, and appends the results to `.cache/benchmarks/mutants.jsonl`. If started
again, it continues.
"""

import argparse
import ast
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from measure import CACHE, ROOT

LIST: Final = Path(__file__).with_suffix(".jsonl")
RESULTS: Final = CACHE / "mutants.jsonl"
PACKAGES: Final = ("himalaya_core", "ingest", "dashboards")
DRAWN: Final = {**dict.fromkeys(PACKAGES, 20), "sql": 15, "js": 15}
NEAR: Final = 8
"""Number of test files run first for each mutant."""
COMPARED: Final = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
SQL: Final = (
    (r" = ", " <> "),
    (r" <> ", " = "),
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r"\bAND\b", "OR"),
    (r"\bIS NULL\b", "IS NOT NULL"),
    (r"\bIS NOT NULL\b", "IS NULL"),
    (r"\bLEFT JOIN\b", "JOIN"),
    (r"\bSEMI JOIN\b", "ANTI JOIN"),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r"\bmin\(", "max("),
    (r"\bmax\(", "min("),
    (r"(?<![\w$])0\b", "1"),
    (r"(?<![\w$])1\b", "2"),
)
JAVASCRIPT: Final = (
    (r" === ", " !== "),
    (r" !== ", " === "),
    (r" < ", " <= "),
    (r" > ", " >= "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"(?<![\w.#\"'`-])0\b(?![.%])", "1"),
    (r"(?<![\w.#\"'`-])1\b(?![.%])", "2"),
    (r"^(\s+)[\w.]+\([^`]*\);$", r"\1;"),
)


@dataclass(frozen=True)
class Mutant:
    """A changed line; `before` is this line and the one above, and occurs once in the file."""

    id: str
    file: str
    line: int
    before: str
    after: str


# The command `draw`: create mutants


def draw(commit: str, seed: str) -> list[Mutant]:
    """Return mutants, as many of each kind as in `DRAWN`; the same commit, tree and seed give the same mutants."""
    chance, found = random.Random(seed), []
    for kind, number in DRAWN.items():
        sites = [site for file in product_files(kind, commit) for site in sites_of(kind, file, commit)]
        chance.shuffle(sites)
        for nth, (file, line, before, after) in enumerate(sites[:number], start=1):
            found.append(Mutant(f"{kind}-{nth:02}", file, line, before, after))
    return found


def product_files(kind: str, commit: str) -> list[str]:
    """Return the product files of a kind that exist both at a commit and in this tree."""
    listed = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", commit, *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    ending = {"sql": ".sql", "js": ".js"}.get(kind, ".py")
    below = f"{kind}/" if kind in PACKAGES else ""
    return [
        file
        for file in listed
        if file.startswith(below) and file.endswith(ending) and "/vendor/" not in file and (ROOT / file).exists()
    ]


def sites_of(kind: str, file: str, commit: str) -> Iterator[tuple[str, int, str, str]]:
    """Yield each possible change: file, line number, and the text of this line and the one above, before and after."""
    old = subprocess.run(
        ["git", "show", f"{commit}:{file}"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    new = (ROOT / file).read_text("utf-8")
    lines = old.splitlines()
    changes = python_changes(old) if kind in PACKAGES else text_changes(kind, lines)
    for line, changed in changes:
        above = f"{lines[line - 2]}\n" if line > 1 else ""
        before = f"{above}{lines[line - 1]}\n"
        if changed.strip() != lines[line - 1].strip() and old.count(before) == 1 and new.count(before) == 1:
            yield file, line, before, f"{above}{changed}\n"


def text_changes(kind: str, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield changed lines of JavaScript, or of SQL that fills tables; comments are not changed."""
    filling, comment = kind == "js", "//" if kind == "js" else "--"
    for number, line in enumerate(lines, start=1):
        filling = filling or line.startswith("INSERT")
        filling = filling and not line.startswith("CREATE")
        if not filling or line.lstrip().startswith((comment, "*", "/*", "import ", "export {")):
            continue
        code = line.partition(f" {comment}")[0]
        for pattern, other in SQL if kind == "sql" else JAVASCRIPT:
            for found in re.finditer(pattern, code):
                yield number, line[: found.start()] + found.expand(other) + line[found.end() :]


def python_changes(text: str) -> Iterator[tuple[int, str]]:
    """Yield changed lines: an altered comparison, constant, `and`, `not` or `+`, or a removed statement."""
    lines, tree = text.splitlines(), ast.parse(text)
    for node in walk(tree):
        if node.lineno != node.end_lineno or not lines[node.lineno - 1].isascii():
            continue
        line, start, end = lines[node.lineno - 1], node.col_offset, node.end_col_offset or 0
        for changed in changes(node, line):
            yield node.lineno, line[:start] + changed + line[end:]


def walk(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield the nodes that may be changed; texts, errors, annotations, decorators and imports are excluded."""
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Assert):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "bases"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from walk(child)


def changes(node: ast.expr | ast.stmt, line: str) -> Iterator[str]:
    """Yield possible replacements of a node, as source text."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARED:
            yield f"{ast.unparse(left)} {COMPARED[type(op)]} {ast.unparse(right)}"
        case ast.BoolOp(op=op, values=values):
            yield f" {'or' if isinstance(op, ast.And) else 'and'} ".join(f"({ast.unparse(each)})" for each in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"({ast.unparse(operand)})"
        case ast.Constant(value=bool(value)):
            yield str(not value)
        case ast.Constant(value=int(value)):
            yield str(value + 1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right) if "'" not in line and '"' not in line:
            yield f"{ast.unparse(left)} {'-' if isinstance(op, ast.Add) else '+'} {ast.unparse(right)}"
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
            yield "pass"
        case _:
            return


# The command `run`: run tests against mutants


def run(tree: Path, suite: str, mutants: list[Mutant], options: list[str]) -> None:
    """Run the tests of a tree against mutants, and record which test caught each mutant.

    The nearest test files run first, for each mutant alone. All mutants that survive are applied together for one full
    run. Then each is tested alone with the tests that failed in that run.
    """
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    for mutant in mutants:
        if outcome(suite, mutant.id) is None:
            apply(tree, [mutant])
            near = [*options, *nearest(tree, mutant)[:NEAR]]
            note(suite, mutant, first_failure(tree, near), whole=False)
    known = {each.id: outcome(suite, each.id) or {} for each in mutants}
    left = [each for each in mutants if not (known[each.id]["caught_by"] or known[each.id]["whole"])]
    if left:
        apply(tree, left)
        failed = failures(tree, ["-n", "2", "--dist", "worksteal", *options])
        for mutant in left:
            apply(tree, [mutant])
            note(suite, mutant, first_failure(tree, failed) if failed else None, whole=True)
    apply(tree, [])


def apply(tree: Path, mutants: list[Mutant]) -> None:
    """Apply these mutants, and no others, to a tree."""
    subprocess.run(["git", "checkout", "--quiet", "--", *PACKAGES], cwd=tree, check=True)
    for mutant in mutants:
        file = tree / mutant.file
        text = file.read_text("utf-8")
        if text.count(mutant.before) != 1:
            raise SystemExit(f"{mutant.id}: {mutant.file}:{mutant.line}: the line is not there")
        file.write_text(text.replace(mutant.before, mutant.after), "utf-8")


def note(suite: str, mutant: Mutant, caught_by: str | None, *, whole: bool) -> None:
    """Record the result of a mutant."""
    result = json.dumps({"suite": suite, "mutant": mutant.id, "caught_by": caught_by, "whole": whole})
    with RESULTS.open("a", encoding="utf-8") as results:
        results.write(f"{result}\n")
    print(result, flush=True)


def first_failure(tree: Path, arguments: list[str]) -> str | None:
    """Return the first of these tests that fails twice, the second time alone; `None` if all pass."""
    deselected: list[str] = []
    while failed := failures(tree, ["-x", "-n", "2", "--dist", "worksteal", *deselected, *arguments]):
        if "::" not in failed[0] or failures(tree, ["-n", "0", "-m", "", failed[0]]):
            return failed[0]
        deselected.append(f"--deselect={failed[0]}")  # the test is flaky, so it caught nothing
    return None


def failures(tree: Path, arguments: list[str]) -> list[str]:
    """Return the failed tests, or another reason for a failed run."""
    command = [".venv/bin/pytest", "-q", "--timeout=200", "--no-header", *arguments]
    environment = {**os.environ, "CI": "", "PATIENCE": "15_000", "TMPDIR": "/dev/shm"}  # in memory, like `make test`
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode in {0, 5}:  # 5: no tests collected from these files
        return []
    failed = re.findall(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return failed or [f"exit code {done.returncode}"]


def nearest(tree: Path, mutant: Mutant) -> list[str]:
    """Return the test files of a tree; files whose path or text mentions the changed code come first."""
    place = Path(mutant.file).with_suffix("")
    module, words = ".".join(place.parts), {*place.parts, *place.stem.split("_")} - {"dashboards", "assets"}
    stem = place.stem.lstrip("0123456789_")

    def score(file: Path) -> int:
        own = file.relative_to(tree / "tests").with_suffix("")
        shared = len(words & {*own.parts, *own.stem.split("_")})
        text = file.read_text("utf-8")
        return 3 * shared + 6 * (module in text) + 4 * (stem in text) + 4 * (own.stem == f"test_{place.stem}")

    files = sorted((tree / "tests").rglob("test_*.py"))
    files = [file for file in files if "soak" not in file.parts and "toy" not in file.parts]
    if mutant.file.endswith(".js"):
        files.sort(key=lambda file: "browser" not in file.parts)
    return [str(file.relative_to(tree)) for file in sorted(files, key=score, reverse=True)]


def results() -> list[dict[str, object]]:
    """Return all results so far."""
    return [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()] if RESULTS.exists() else []


def outcome(suite: str, mutant: str) -> dict[str, object] | None:
    """Return the last result of a suite for a mutant."""
    found = [each for each in results() if each["suite"] == suite and each["mutant"] == mutant]
    return found[-1] if found else None


def table(mutants: Iterable[Mutant]) -> None:
    """Print what each suite caught by kind, and the mutants caught by the first suite only."""
    known = {(each["suite"], each["mutant"]): each for each in results()}
    suites = list(dict.fromkeys(suite for suite, _ in known))
    for kind in DRAWN:
        row = []
        for suite in suites:
            own = [known[suite, each.id] for each in mutants if each.id.startswith(kind) and (suite, each.id) in known]
            row.append(f"{suite} {sum(bool(each['caught_by']) for each in own)}/{len(own)}")
        print(f"{kind:14} {'  '.join(row)}")
    for mutant in mutants:
        caught = {suite: known[suite, mutant.id]["caught_by"] for suite in suites if (suite, mutant.id) in known}
        if len({bool(by) for by in caught.values()}) > 1:
            print(json.dumps({**asdict(mutant), **caught}))


def main() -> None:
    """Draw or run mutants, or print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--at", required=True, metavar="COMMIT")
    drawing.add_argument("--seed", default="mutants")
    running = commands.add_parser("run")
    running.add_argument("--tree", required=True, type=Path)
    running.add_argument("--suite", required=True)
    running.add_argument("--only", nargs="*", metavar="ID")
    commands.add_parser("table")
    own = sys.argv[1 : sys.argv.index("--")] if "--" in sys.argv else sys.argv[1:]
    asked, options = parser.parse_args(own), sys.argv[len(own) + 2 :]
    if asked.command == "draw":
        LIST.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in draw(asked.at, asked.seed)), "utf-8")
        return
    mutants = [Mutant(**json.loads(line)) for line in LIST.read_text("utf-8").splitlines()]
    if asked.command == "table":
        table(mutants)
    else:
        chosen = [each for each in mutants if not asked.only or each.id in asked.only]
        run(asked.tree.absolute(), asked.suite, chosen, options)


if __name__ == "__main__":
    main()
