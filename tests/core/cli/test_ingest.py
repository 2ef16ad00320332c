"""`himalaya ingest` and `himalaya quarantine` as typed by a user: output and exit codes."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard

from himalaya_core.cli.main import main
from ingest import pipeline
from ingest.cli import ingest as cli_ingest
from ingest.cli import loading, operations
from ingest.load import load
from ingest.operations import OPERATIONS
from tests.core.cli.commands import Command
from tests.core.log.damage import at, resign, rewrite
from tests.core.tournament.test_asking import first, reseated
from tests.dashboards.server.test_owner import serving
from tests.ingest.helping import contents, each_alone, live, log, rows, summit_log, write

A, B = live("a"), live("b")
BAD = live("bad")[1:]
VERSIONS = Path(__file__).parents[2] / "ingest" / "versions"
DATABASE = Path("himalaya.duckdb")


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HIMALAYA_DB", raising=False)
    return Command(capsys)


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put these bytes on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def with_operations(**others: Any) -> dict[str, Any]:
    """Return the list of operations with some of them replaced."""
    return {name: others.get(name) or OPERATIONS[name] for name in ("ingest", "judge", "ask", "review", "check")}


@pytest.fixture
def unlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip all table assertions of `check`."""
    monkeypatch.setattr(operations, "OPERATIONS", with_operations(check=lambda *_: {"findings": []}))


# --- Input and output


@pytest.mark.usefixtures("unlooked")
def test_departures_are_reported_on_loading_or_on_later_judging(himalaya: Command) -> None:
    wrong = rewrite(A, at("moved", A), data__to=19)
    place = f"a.jsonl:{at('moved', A) + 1}: rules: expected moved by seat "
    write(Path("a.jsonl"), wrong)
    write(Path("b.jsonl"), B)
    now = himalaya("ingest", ".", "--db", "now.duckdb")
    assert (now.code, now.out.splitlines()[1]) == (3, "1 quarantined:")
    assert now.out.splitlines()[2].startswith(f"  {place}")
    assert himalaya("ingest", ".", "--judge", "later").code == 0
    judged, again = himalaya("check", "--rules"), himalaya("check", "--rules")
    assert (judged.code, judged.out.splitlines()[:2]) == (
        1,
        ["1 match verified by the rules", "1 match quarantined, diverging from the rules:"],
    )
    assert place in judged.out
    assert (again.code, again.out) == (
        0,
        "0 matches verified by the rules\nall checks passed\n",
    )
    assert json.loads(himalaya("check", "--rules", "--json").out)["rules"]["departed"] == 0
    refused = himalaya("ingest", "--watch", ".", "--judge", "later")
    assert (refused.code, "cannot be combined with --judge later" in refused.err) == (2, True)


@pytest.mark.slow("reviews matches")
@pytest.mark.usefixtures("unlooked")
def test_matches_can_be_reviewed_before_a_check(himalaya: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = ("greedy", "random")
    write(Path("a.jsonl"), summit_log("r", pair))
    assert himalaya("ingest", "a.jsonl").code == 0
    kept = "all checks passed\n"
    asked, again = (himalaya("check", "--review", "--jobs", "1") for _ in range(2))
    assert (asked.code, asked.out) == (0, f"1 match reviewed\n{kept}")
    assert (again.code, again.out) == (0, f"0 matches reviewed\n{kept}")
    told = {
        "valued": 0,
        "failed": 2,
        "problems": ["t: reviewing it fails: 3"],
        "reasons": [{"game": "summit", "reason": "2 players were not checked", "matches": 1}],
    }
    sound = with_operations(review=lambda *_: told, check=lambda *_: {"findings": []})
    monkeypatch.setattr(operations, "OPERATIONS", sound)
    failed = himalaya("check", "--review")
    assert (failed.code, failed.out.splitlines()) == (
        1,
        [
            "not reviewed: 1 match of summit: 2 players were not checked",
            "t: reviewing it fails: 3",
            "and 1 more match: see not_valued in dim_reviews",
            kept.strip(),
        ],
    )
    assert json.loads(himalaya("check", "--review", "--json").out)["review"] == told


@pytest.mark.slow("asks players again")
@pytest.mark.usefixtures("unlooked")
def test_a_check_reports_players_that_choose_differently(himalaya: Command) -> None:
    pair = ("greedy", "random")
    swapped, strange = reseated([*summit_log("s", pair)], 1, 0), first([*summit_log("t", pair)], player="careful")
    write(Path("a.jsonl"), summit_log("r", pair), swapped, strange)
    assert himalaya("ingest", "a.jsonl").code == 0
    asked, again = (himalaya("check", "--players", "--jobs", "1") for _ in range(2))
    same, otherwise, one, other, not_asked, kept = asked.out.splitlines()
    assert (asked.code, same) == (1, "in 3 seats the player repeated its choices")
    assert otherwise == "in 2 seats the player made another choice:"
    assert all(re.fullmatch(r".*a\.jsonl:\d+: expected .*, the choice of .*, found .*", line) for line in (one, other))
    assert not_asked == "not asked: careful 2 in 1 seat: it is not installed"
    assert again.out.splitlines() == [
        "in 1 seat the player repeated its choices",
        not_asked,
        "in 2 seats asked before, the player made another choice: see dim_seats",
        kept,
    ]
    assert again.code == 1


@pytest.mark.slow("a further case of players that are asked")
def test_a_check_reports_repeated_choices_and_replays_each_player_once(himalaya: Command) -> None:
    write(Path("a.jsonl"), summit_log("r", ("greedy", "random")))
    himalaya("ingest", "a.jsonl")
    asked, again = (himalaya("check", "--players", "--jobs", "1") for _ in range(2))
    kept = "all checks passed"
    assert (asked.code, asked.out) == (0, f"in 2 seats the player repeated its choices\n{kept}\n")
    assert (again.code, again.out) == (0, f"there are no players left to ask\n{kept}\n")


@pytest.mark.slow("another way to say it by command")
def test_exit_codes_distinguish_a_full_load_from_quarantine(himalaya: Command) -> None:
    write(Path("a.jsonl"), A)
    write(Path("bad.jsonl"), BAD)
    good, both, again = himalaya("ingest", "a.jsonl"), himalaya("ingest", "."), himalaya("ingest", "bad.jsonl")
    assert (good.code, good.out) == (0, f"1 match, {len(A)} events loaded from 1 file\n")
    assert (both.code, both.out.splitlines()) == (
        3,
        [
            "0 matches, 0 events loaded from 2 files",
            "1 match skipped: already loaded, byte for byte the same",
            "1 quarantined:",
            "  bad.jsonl:1: type: expected match_started in the first line, found refill_rolled (match bad)",
        ],
    )
    assert (again.code, again.out.splitlines()[1]) == (
        3,
        "1 quarantined before, still in quarantine; `himalaya quarantine list` shows all",
    )


def test_json_output_is_complete_and_printed_alone(himalaya: Command) -> None:
    write(Path("a.jsonl"), A, BAD)
    answer = himalaya("ingest", "a.jsonl", "--json")
    result = json.loads(answer.out)
    assert answer.code == 3
    assert (result["matches"], result["events"], result["files"], result["put_aside"]) == (1, len(A), 1, 1)
    assert result["quarantined"][0]["file"] == str(Path("a.jsonl").absolute())


def test_paths_are_stored_absolute_and_shown_relative_to_the_current_folder(
    himalaya: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("inside").mkdir()
    write(Path("bad.jsonl"), BAD)
    monkeypatch.chdir("inside")
    assert f"  {tmp_path}/bad.jsonl:1: " in himalaya("ingest", "../bad.jsonl").out
    assert rows(DATABASE, "SELECT file FROM quarantine") == [str(tmp_path / "bad.jsonl")]


def test_progress_shows_bytes_time_left_and_counts(himalaya: Command) -> None:
    write(Path("a.jsonl"), A, B, BAD)
    shown = himalaya("ingest", "a.jsonl").err
    assert "loading" in shown
    assert "2 matches, 1 quarantined" in shown


@pytest.mark.slow("another way to say it by command")
@pytest.mark.parametrize(
    "pattern",
    ["logs/**/*.jsonl", "l*", "logs/**", "logs/*", "{}/logs/*/*.jsonl", "lo[gx]s/x/*"],
)
def test_a_pattern_expands_to_matching_logs(himalaya: Command, tmp_path: Path, pattern: str) -> None:
    (tmp_path / "logs" / "x").mkdir(parents=True)
    (tmp_path / "logs" / "empty").mkdir()
    write(Path("logs/x/a.jsonl"), A)
    Path("logs/notes.txt").write_text("no log")
    answer = himalaya("ingest", pattern.format(tmp_path))
    assert (answer.code, answer.out) == (0, f"1 match, {len(A)} events loaded from 1 file\n")


def test_a_file_name_that_looks_like_a_pattern_is_read_literally(himalaya: Command) -> None:
    write(Path("a[1].jsonl"), A)
    write(Path("a1.jsonl"), B)
    assert himalaya("ingest", "a[1].jsonl").code == 0
    assert rows(DATABASE, "SELECT match FROM raw_matches") == ["a"]


NOTHING = {
    "nowhere.jsonl": "cannot read nowhere.jsonl: no such file or folder",
    "nowhere/*.jsonl": "nowhere/*.jsonl: no log matches this pattern",
    "*.txt": "*.txt: no log matches this pattern",
    "empty": "empty: no logs in this folder; their names end in .jsonl or",
    "-": "standard input is empty; send the lines of a log",
}


@pytest.mark.parametrize(("word", "message"), NOTHING.items())
def test_an_empty_load_fails_without_creating_a_database(
    himalaya: Command, monkeypatch: pytest.MonkeyPatch, word: str, message: str
) -> None:
    Path("empty").mkdir()
    Path("notes.txt").touch()
    typed(monkeypatch, b"")
    answer = himalaya("ingest", word)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(f"himalaya: {message}")
    assert answer.err.count("\n") == 1
    assert not DATABASE.exists()


@pytest.mark.parametrize("wrong", [["--jobs", "65"], ["--jobs", "x"], ["--tournament", "a b"], ["--speed"], []])
def test_a_usage_error_has_a_different_exit_code_from_a_failure(himalaya: Command, wrong: list[str]) -> None:
    assert himalaya("ingest", *(["a.jsonl", *wrong] if wrong else [])).code == 2


def test_an_unreadable_file_fails_while_the_others_are_loaded(himalaya: Command) -> None:
    Path("logs").mkdir()
    write(Path("logs/a.jsonl"), A)
    Path("logs/b.jsonl").symlink_to("nowhere")
    answer = himalaya("ingest", "logs")
    assert answer.code == 3
    assert answer.out.splitlines()[1] == "cannot read logs/b.jsonl: no such file or folder"
    assert rows(DATABASE, "SELECT match FROM raw_matches") == ["a"]


@pytest.mark.parametrize("pack", [pytest.param(bytes, marks=pytest.mark.slow("as it is")), zstandard.compress])
def test_logs_are_read_from_standard_input_compressed_or_not(
    himalaya: Command, monkeypatch: pytest.MonkeyPatch, pack: Any
) -> None:
    typed(monkeypatch, pack(b"".join([*A, *BAD])))
    write(Path("b.jsonl"), B)
    answer = himalaya("ingest", "-", "b.jsonl")
    assert answer.code == 3
    assert answer.out.startswith("2 matches, ")
    assert "  standard input:" in answer.out
    assert rows(DATABASE, "SELECT file FROM raw_matches WHERE match = 'a'") == ["standard input"]
    assert rows(DATABASE, "SELECT count(*) FROM ingested_files WHERE file = 'standard input'") == [1]


@pytest.mark.slow("another way to say it by command")
def test_matches_without_a_tournament_are_given_one(himalaya: Command) -> None:
    named = resign(rewrite(log("b"), 0, data__tournament="winter"))
    write(Path("a.jsonl"), A, named)
    assert himalaya("ingest", "a.jsonl", "--tournament", "autumn").code == 0
    assert rows(DATABASE, "SELECT match, tournament FROM dim_matches ORDER BY 1") == [("a", "autumn"), ("b", "winter")]


def test_the_number_of_processes_is_passed_to_the_load(himalaya: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    made = loading.ValidationPool
    monkeypatch.setattr(loading, "ValidationPool", lambda jobs, **how: seen.append(jobs) or made(jobs, **how))
    write(Path("a.jsonl"), A)
    assert [himalaya("ingest", "a.jsonl", "--jobs", jobs).code for jobs in "03"] == [0, 0]
    assert seen == [0, 3]


def test_the_fork_server_starts_before_the_loader_is_imported(
    himalaya: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    load = loading.load
    monkeypatch.setattr(cli_ingest, "start_fork_server", lambda module: said.append(f"start {module}"))
    monkeypatch.setattr(loading, "load", lambda options: said.append("load") or load(options))
    Path("logs").mkdir()
    size = write(Path("logs", "a.jsonl"), A).stat().st_size
    Path("logs", "of.something.else").write_bytes(bytes(size))
    for number, (least, jobs) in enumerate(((size + 1, "1"), (size, "1"), (size, "0"))):
        monkeypatch.setattr(cli_ingest, "WORTHWHILE", least)
        assert himalaya("ingest", "logs", "--jobs", jobs, "--db", f"{number}.duckdb").code == 0
    assert himalaya("ingest", "logs", "--jobs", "1", "--db", "0.duckdb").code == 0  # it finds nothing new to load
    assert said == ["load", "start ingest.validate.validation", "load", "load", "load"]


@pytest.mark.slow("a process of its own")
@pytest.mark.usefixtures("himalaya")
def test_a_load_imports_no_other_operation_or_unneeded_library() -> None:
    write(Path("a.jsonl"), A)
    others = (
        "{'ingest.maintenance.backup', 'ingest.maintenance.doctor', 'ingest.maintenance.lake.write',"
        " 'ingest.follow.follow', 'pandas', 'polars', 'pyarrow.compute', 'urllib.request'}"
    )
    code = (
        f"import sys; from himalaya_core.cli.main import main; main(sys.argv[1:]); print({others} & set(sys.modules))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code, "ingest", "a.jsonl"], check=False, capture_output=True, text=True
    )
    assert loaded.stdout.splitlines() == [f"1 match, {len(A)} events loaded from 1 file", "set()"]


@pytest.mark.slow("a process of its own")
@pytest.mark.usefixtures("himalaya")
def test_validating_a_log_imports_only_its_own_game() -> None:
    write(Path("a.jsonl"), A)
    code = """
import sys
from pathlib import Path
from ingest.read.split import SmallFiles
from ingest.validate.validation import validate_any
log = Path("a.jsonl")
((_, checked),) = validate_any(SmallFiles(((log, log),), 1), judges=False).chunks
print([match.match for match in checked.matches], [game for game in ("caravan", "summit", "climbers")
      if f"himalaya_core.{game}.events" in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("['a'] ['caravan']\n", "")


@pytest.mark.parametrize("chosen", [None, "7"])
def test_a_load_uses_one_matrix_thread_unless_configured(
    himalaya: Command, monkeypatch: pytest.MonkeyPatch, chosen: str | None
) -> None:
    write(Path("a.jsonl"), A)
    if chosen is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    else:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", chosen)
    assert himalaya("ingest", "a.jsonl").code == 0
    assert os.environ["OPENBLAS_NUM_THREADS"] == (chosen or "1")


def test_the_command_line_is_parsed_without_slow_imports() -> None:
    large = "{'duckdb', 'numpy', 'polars', 'pydantic', 'rich'}"
    code = f"import sys, himalaya_core.cli.main, ingest.cli.ingest; sys.exit(str({large} & set(sys.modules) or ''))"
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).stderr.strip() == b""


# --- A dry run of `ingest`


def test_a_dry_run_reports_the_effect_and_changes_nothing(himalaya: Command) -> None:
    write(Path("a.jsonl"), A[:30], log("c"))
    assert himalaya("ingest", "a.jsonl").code == 0
    before = contents(DATABASE)
    write(Path("b.jsonl"), A, B, BAD, log("c"))
    dry = himalaya("ingest", "b.jsonl", "--dry-run")
    assert contents(DATABASE) == before
    wet = himalaya("ingest", "b.jsonl")
    assert (dry.code, wet.code) == (3, 3)
    assert dry.out.replace(" would be", "") == wet.out + "dry run: nothing was changed\n"
    assert dry.out.count("would be") == 4


def test_a_dry_run_creates_no_database(himalaya: Command, tmp_path: Path) -> None:
    write(Path("a.jsonl"), A)
    answer = himalaya("ingest", "a.jsonl", "--dry-run")
    assert (answer.code, answer.out.splitlines()[0]) == (0, f"1 match, {len(A)} events would be loaded from 1 file")
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_dry_run_upgrades_no_database(himalaya: Command) -> None:
    before = zstandard.decompress((VERSIONS / "schema-8.duckdb.zst").read_bytes())
    DATABASE.write_bytes(before)
    write(Path("a.jsonl"), A)
    answer = himalaya("ingest", "a.jsonl", "--dry-run")
    assert (answer.code, answer.out) == (1, "")
    assert "written by an older himalaya" in answer.err
    assert DATABASE.read_bytes() == before


# --- A stopped run of `ingest`


def test_ctrl_c_reports_what_is_kept_and_the_same_command_resumes(
    himalaya: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "BATCH_EVENTS", 1)
    fill = load.fill_tables
    for name in "abc":
        write(Path(f"{name}.jsonl"), live(name))

    def pressed(connection: duckdb.DuckDBPyConnection, *_: object) -> None:
        fill(connection)
        if connection.execute("SELECT count(*) FROM dim_matches").fetchall() == [(2,)]:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(pipeline, "grouped", each_alone)
    with monkeypatch.context() as pressing:
        pressing.setattr(load, "fill_tables", pressed)
        answer = himalaya("ingest", ".")
    said = "what is loaded stays loaded (at least 1 match). Run the same command again to resume"
    assert (answer.code, answer.err.splitlines()[-1]) == (130, f"himalaya: stopped; {said}")
    assert rows(DATABASE, "SELECT match FROM dim_matches ORDER BY 1") == ["a", "b"]
    assert himalaya("ingest", ".").out.splitlines() == [
        f"1 match, {len(live('c'))} events loaded from 3 files",
        "2 matches skipped: already loaded, byte for byte the same",
    ]


# --- `ingest` next to a running server


@pytest.mark.slow("a further server")
def test_ctrl_c_also_stops_a_load_run_by_a_server(himalaya: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(_: int) -> str:
        raise KeyboardInterrupt

    write(Path("a.jsonl"), A)
    with serving(DATABASE):
        with monkeypatch.context() as pressing:
            pressing.setattr(loading, "_matches", pressed)
            answer = himalaya("ingest", "a.jsonl")
        assert (answer.code, answer.err.splitlines()[-1][:18]) == (130, "himalaya: stopped;")
        assert himalaya("ingest", "a.jsonl", "--db", str(DATABASE)).code == 0


@pytest.mark.slow("a further server; tests of the server load logs through one")
def test_a_running_server_does_the_work_of_every_command(himalaya: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    write(Path("bad.jsonl"), A[:9], BAD)
    with serving(DATABASE):
        typed(monkeypatch, b"".join(B))
        taken = himalaya("ingest", "-", "bad.jsonl", "--tournament", "autumn", "--json")
        assert (taken.code, json.loads(taken.out)["matches"]) == (3, 2)
        assert "open and does the work" in taken.err
        dry = himalaya("ingest", write(Path("c.jsonl"), live("c")).name, "--dry-run")
        assert "1 match, " in dry.out
        assert '"total": 1' in himalaya("quarantine", "list", "--json").out
        assert himalaya("quarantine", "show", "1", "--out", "r.jsonl").code == 0
        write(Path("r.jsonl"), log("bad"))
        assert himalaya("quarantine", "retry", "1", "--from", "r.jsonl").code == 0
        assert himalaya("quarantine", "drop", "--all", "--yes").out == "0 dropped\n"
    assert rows(DATABASE, "SELECT match, tournament FROM dim_matches ORDER BY 1") == [
        ("a", "autumn"),
        ("b", "autumn"),
        ("bad", None),
    ]


# --- The quarantine


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A folder with a log, and a database whose quarantine has a gap, a conflict and a line that is not JSON."""
    folder = tmp_path_factory.mktemp("quarantined")
    path = write(folder / "x.jsonl", A, [*B[:20], *B[21:]], log("a", luck="other"), [b"\xff\x00{\n"])
    assert main(["ingest", str(path), "--db", str(folder / DATABASE)]) == 3
    return folder, (folder / DATABASE).read_bytes()


@pytest.fixture
def quarantined(himalaya: Command, loaded: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return the command in that folder with a fresh copy of its database."""
    folder, database = loaded
    monkeypatch.chdir(folder)
    DATABASE.write_bytes(database)
    return himalaya


def test_a_list_shows_file_match_and_reason(quarantined: Command) -> None:
    answer = quarantined("quarantine", "list")
    assert answer.code == 0
    assert re.search(rf"^ +1 +x\.jsonl:{len(A) + 21} +b +seq_gap +seq: expected 20, found 21", answer.out, re.MULTILINE)
    assert answer.out.endswith("1 conflict, 1 nul_byte, 1 seq_gap\n")
    assert quarantined("quarantine", "list", "--reason", "seq_gap", "--file", ".").out.count("x.jsonl:") == 1
    assert quarantined("quarantine", "list", "--file", "elsewhere").out == "quarantine is empty\n"


def test_a_list_is_paged(quarantined: Command) -> None:
    first = quarantined("quarantine", "list", "--limit", "1").out
    assert first.endswith("2 more: add --after 1 for the next, or raise --limit\n")
    assert json.loads(quarantined("quarantine", "list", "--after", "1", "--json").out)["total"] == 2


def test_a_text_is_shown_unchanged_and_its_reason_separately(
    quarantined: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.BytesIO()
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "stdout", io.TextIOWrapper(out))
        answer = quarantined("quarantine", "show", "2")
        assert out.getvalue() == b"\xff\x00{\n"
    assert answer.err.startswith(f"2: x.jsonl:{len(A) + len(B) - 1 + len(log('a', luck='other')) + 1}: line: ")


def test_a_text_is_written_to_a_new_file_for_repair(quarantined: Command) -> None:
    answer = quarantined("quarantine", "show", "2", "--out", "repair.jsonl")
    assert Path("repair.jsonl").read_bytes() == b"\xff\x00{\n"
    assert answer.out.endswith("himalaya quarantine retry 2 --from repair.jsonl\n")
    again = quarantined("quarantine", "show", "2", "--out", "repair.jsonl")
    assert (again.code, again.err.splitlines()[-1]) == (2, "himalaya: cannot write repair.jsonl: it exists already")


@pytest.mark.slow("quarantined, by command")
def test_repaired_matches_are_loaded_and_others_stay_in_quarantine(quarantined: Command) -> None:
    write(Path("r.jsonl"), B)
    answer = quarantined("quarantine", "retry", "1", "--from", "r.jsonl")
    assert (answer.code, answer.out) == (0, "1 of 1 loaded (run 2)\n")
    rest = quarantined("quarantine", "retry", "--all")
    assert (rest.code, rest.out.splitlines()[:2]) == (3, ["0 of 2 loaded", "2 still in quarantine:"])
    assert rest.out.endswith("add --replace to load a conflicting log instead of the loaded one\n")
    swapped = quarantined("quarantine", "retry", "--all", "--reason", "conflict", "--replace")
    assert (swapped.code, swapped.out) == (0, "1 of 1 loaded (run 3)\n")
    assert rows(DATABASE, "SELECT match, luck FROM dim_matches ORDER BY 1") == [("a", "other"), ("b", "b")]
    assert quarantined("quarantine", "list", "--all").out.count("run ") == 2


def test_dropping_requires_confirmation(quarantined: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, b"y\n")
    assert quarantined("quarantine", "drop", "1").err == "himalaya: no terminal to ask in; confirm with --yes\n"
    for answer, code in ((b"\n", 1), (b"y\n", 0)):
        typed(monkeypatch, answer)
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
        asked = quarantined("quarantine", "drop", "1")
        assert (asked.code, asked.err[:51]) == (code, "drop 1 entry from quarantine, with the text? [y/N] ")
    assert quarantined("quarantine", "drop", "--all", "--yes").out == "2 dropped\n"
    assert rows(DATABASE, "SELECT count(*) FROM quarantine") == [0]


WRONG = {
    "list": ["list", "--limit", "0"],
    "show nothing": ["show"],
    "retry nothing": ["retry"],
    "retry both": ["retry", "1", "--all"],
    "retry from two": ["retry", "1", "2", "--from", "x.jsonl"],
    "drop by reason": ["drop", "--reason", "conflict", "--yes"],
}


def test_an_empty_selection_is_refused(quarantined: Command) -> None:
    answers = {name: quarantined("quarantine", *wrong) for name, wrong in WRONG.items()}
    assert {name: (answer.code, answer.err.count("\n")) for name, answer in answers.items()} == dict.fromkeys(
        WRONG, (2, 1)
    )
    assert rows(DATABASE, "SELECT count(*) FROM quarantine WHERE resolved_in IS NULL") == [3]


@pytest.mark.parametrize("words", [["list"], ["show", "1"], ["retry", "--all"], ["drop", "1", "--yes"]])
def test_listing_quarantine_creates_no_database(himalaya: Command, words: list[str]) -> None:
    answer = himalaya("quarantine", *words)
    assert (answer.code, answer.err) == (
        1 if "retry" in words else 2,
        "himalaya: himalaya.duckdb: no such database; check --db\n",
    )
    assert not DATABASE.exists()


# --- The table assertions of `check`


@pytest.mark.slow("breaks each promise")
def test_a_failed_integrity_check_is_reported(quarantined: Command) -> None:
    kept = quarantined("check")
    assert (kept.code, kept.out) == (0, "all checks passed\n")
    with duckdb.connect(str(DATABASE)) as connection:
        connection.execute("DELETE FROM dim_seats")
    broken, written = quarantined("check"), quarantined("check", "--json")
    assert (broken.code, written.code) == (1, 1)
    assert len(broken.out.splitlines()) == len(json.loads(written.out)["findings"]) > 0


def test_a_check_creates_no_database(himalaya: Command) -> None:
    answer = himalaya("check")
    assert (answer.code, answer.err) == (2, "himalaya: himalaya.duckdb: no such database; check --db\n")
    assert not DATABASE.exists()
