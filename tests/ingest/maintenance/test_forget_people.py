"""Forgetting a person: their matches, and their name in other users' data, are in no byte of any file."""

import json
import re
import unicodedata
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ingest.errors import WarehouseError
from ingest.maintenance.mentions import Mentions
from ingest.opening import open_store, open_warehouse
from ingest.operations import run_operation
from ingest.people import audit
from ingest.people.audit import Entry
from ingest.people.bookmarks import add_bookmark, find_bookmarks
from ingest.people.branches import branches_of, keep_branch
from ingest.people.drafts import add_draft, list_drafts
from ingest.people.studies import Chapter, Study, add_study, list_studies, read_study, study_of
from ingest.people.tokens import create_token
from ingest.pipeline import ingest
from tests.copies import copied
from tests.core.cli.commands import Answer, Command
from tests.ingest.helping import begun, contents, rows, short, write
from tests.ingest.maintenance.test_forget import bytes_beside
from tests.ingest.people.test_drafts import SUNDAY, change

PERSON = "Zoë Zephyrine"
APART = unicodedata.normalize("NFD", PERSON)
NEVER_HERE = [PERSON, APART, json.dumps(PERSON)[1:-1], json.dumps(APART)[1:-1], "ephyrine"]
RECEIVED = "INSERT INTO receipts VALUES ('r', 1, TIMESTAMP '2026-01-01', $name, 'taken', $result)"


def seated(
    lines: tuple[bytes, ...], tournament: str | None = None, *, ascii_only: bool = True, **said: str
) -> tuple[bytes, ...]:
    """Return a log with changes to its first seat, and with Ben in the second seat."""
    first, *rest = lines
    header = json.loads(first)
    header["data"]["seats"][0] |= said
    header["data"]["seats"][1] |= {"player": "Ben", "version": "person"}
    header["data"]["tournament"] = tournament
    changed = [json.dumps(header, ensure_ascii=ascii_only, separators=(",", ":")).encode() + b"\n", *rest]
    last = json.loads(rest[-1])
    if "lines_sha256" in last["data"]:
        last["data"]["lines_sha256"] = sha256(b"".join(changed[:-1])).hexdigest()
        changed[-1] = json.dumps(last, separators=(",", ":")).encode() + b"\n"
    return tuple(changed)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the person's name in every possible place."""
    logs, path = tmp_path_factory.mktemp("logs"), tmp_path_factory.mktemp("made") / "w.duckdb"
    whole = seated(short("a"), "spring", player=PERSON)
    started = seated(begun("b"), ascii_only=False, label=f" {APART}  ")
    write(logs / "a.jsonl", whole, started)
    write(logs / f"{PERSON}.jsonl", short("c"), begun("d"))
    damaged = seated(begun("a"), "spring", player=APART, ascii_only=False)
    broken = [*short("e")[:3], b'{"match":"e","seq":"Zo\\u00eb zephyrine"}' + b"\n"]
    write(logs / "damaged.jsonl", damaged[:9], damaged[10:], broken)
    ingest([logs], path)
    with open_warehouse(path) as warehouse:
        add_bookmark(warehouse, "c", {"label": f"like {APART}", "tags": [PERSON.upper(), "opening"]})
        add_bookmark(warehouse, "a", {"label": "gone with its match"})
        document = '{"match":"c"}'
        number = sha256(document.encode()).hexdigest()[:32]
        keep_branch(warehouse, number, "c", document, title=f"{PERSON}'s idea", by="Ben")
        chapters = [Chapter(PERSON, "a"), Chapter("d", "d", text=f"As {PERSON} and\nZOË  ZEPHYRINE’s brother said")]
        add_study(warehouse.app, Study(f"By {PERSON}", chapters), PERSON)
        add_draft(warehouse.app, replace(SUNDAY, title=f"At {PERSON}'s"), [change(1)])
        add_draft(warehouse.app, replace(SUNDAY, id="2", setup={"seats": [{"name": APART}]}), [change(1)])
        add_draft(warehouse.app, replace(SUNDAY, id="3"), [change(0, take=0, name=PERSON, key_sha256="0" * 64)])
        audit.note(warehouse.app, Entry(PERSON, "proxy", "::1", "sign in", PERSON))
        with warehouse.writing() as connection:
            result = json.dumps({"quarantined": [{"message": f"found {PERSON}"}]})
            connection.execute(RECEIVED, {"name": PERSON, "result": result})
    return path


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return copied(made, folder)


def forgotten(database: Path, **arguments: Any) -> dict[str, Any]:
    return run_operation(database, "forget", {"players": [PERSON], **arguments})


def test_a_forgotten_person_is_in_no_byte_of_any_file(database: Path) -> None:
    assert PERSON in rows(database, "SELECT DISTINCT player FROM dim_cohorts")
    done = forgotten(database)
    assert (done["matches"], done["names"], done["bookmarks"], done["drafts"]) == (2, ["a", "b", "e"], 1, 2)
    assert done["remaining"] == []
    held = bytes_beside(database)
    assert [name for name in NEVER_HERE if name.encode().lower() in held.lower()] == []
    said = repr(contents(database)).casefold()
    assert [name for name in NEVER_HERE if name.casefold() in said] == []


@pytest.mark.slow("forgotten, further on")
def test_notes_of_others_stay_without_the_name(database: Path) -> None:
    forgotten(database)
    with open_warehouse(database) as warehouse:
        (bookmark,) = find_bookmarks(warehouse).bookmarks
        assert (bookmark.label, bookmark.tags) == ("like (forgotten)", ["(forgotten)", "opening"])
        assert branches_of(warehouse.app, "c")[0].title == "(forgotten)'s idea"
        (study,) = list_studies(warehouse.app)
        assert (study.title, study.chapters, study.made_by) == ("By (forgotten)", 1, "(forgotten)")
        (chapter,) = study_of(read_study(warehouse.app, study.id).document).chapters
        assert chapter.text == "As (forgotten) and\n(forgotten)’s brother said"
        assert [each.draft.title for each in list_drafts(warehouse.app)] == ["At (forgotten)'s"]
    assert rows(database, "SELECT match FROM raw_matches ORDER BY 1") == ["c", "d"]
    assert rows(database, "SELECT source FROM receipts") == ["(forgotten)"]
    assert run_operation(database, "check", {}) == {"findings": []}


def test_a_dry_run_counts_matches_by_tournament_and_names_other_people(database: Path) -> None:
    found = forgotten(database, dry_run=True)
    assert (found["tournaments"], found["others"]) == ([("spring", 1), (None, 1)], ["Ben"])
    counts = {"audit": 2, "bookmarks": 2, "branches": 1, "drafts": 1, "raw_matches": 2, "receipts": 2, "studies": 2}
    assert found["mentions"] == counts
    assert rows(database, "SELECT count(*) FROM raw_matches") == [4]


@pytest.mark.parametrize("name", ["greedy", " Trader ", "racer", "random"])
def test_players_installed_with_a_game_are_not_people(database: Path, name: str) -> None:
    with pytest.raises(WarehouseError, match=r"is a player of \w+, not a person; nothing was forgotten$"):
        forgotten(database, players=[name])


def test_an_unknown_name_is_refused(database: Path) -> None:
    with pytest.raises(WarehouseError, match=r"^there is no player Benn in the database; .*; did you mean 'Ben'\?$"):
        forgotten(database, players=[PERSON, "Benn"])
    with pytest.raises(WarehouseError, match="is not the name of a person"):
        forgotten(database, players=[" "])


def test_the_label_that_a_game_gives_to_a_seat_is_no_person(database: Path) -> None:
    label = json.loads(short("c")[0])["data"]["seats"][0]["label"]
    with open_warehouse(database) as warehouse:
        add_bookmark(warehouse, "d", {"label": label})
    assert forgotten(database, players=[label], dry_run=True)["matches"] == 0


@pytest.mark.slow("forgotten, further on")
@pytest.mark.parametrize("typed", ["An⟨U+202E⟩na", "An\u202ena"])
def test_a_name_is_found_as_it_was_written_and_as_it_is_shown(tmp_path: Path, typed: str) -> None:
    ingest([write(tmp_path / "a.jsonl", seated(begun("b"), player="An\u202ena"))], tmp_path / "w.duckdb", processes=0)
    assert run_operation(tmp_path / "w.duckdb", "forget", {"players": [typed]})["matches"] == 1


@pytest.mark.slow("logs and tokens")
def test_logs_and_tokens_that_still_name_the_person_are_listed(database: Path, tmp_path: Path) -> None:
    with closing(open_store(database)) as store:
        create_token(store, "zoe-zephyrine")
    write(tmp_path / "cup.jsonl", seated(begun("f"), "Zoe-Zephyrine-cup", player="Anna"))
    ingest([tmp_path / "cup.jsonl"], database)
    done = forgotten(database, players=["Zoe Zephyrine"])
    assert (done["matches"], done["remaining"], done["tokens"]) == (0, ["f"], ["zoe-zephyrine"])


@pytest.mark.slow("matches that come again")
def test_forgotten_matches_stay_out_and_new_ones_are_loaded(database: Path, tmp_path: Path) -> None:
    forgotten(database)
    again, new = seated(short("a"), "spring", player=PERSON), seated(begun("g"), player=PERSON)
    later = write(tmp_path / "later.jsonl", again, new)
    loaded = ingest([later], database)
    assert (loaded.matches, loaded.forgotten) == (1, 1)


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("zoë won", "(forgotten) won"),
        ("ZOE\u0308!", "(forgotten)!"),
        ("logs/zoë_final.jsonl", "logs/(forgotten)_final.jsonl"),
        ("Zoë2 and Zoëlla", "Zoë2 and Zoëlla"),
        ("Anna-Lena  Ott, Anna", "(forgotten), Anna"),
        ("see m-7.", "see (forgotten)."),
        ("a m1 in logs/m-7.jsonl.zst", "a m1 in logs/(forgotten)"),
    ],
)
def test_a_name_in_a_text_is_a_whole_word(text: str, without: str) -> None:
    assert Mentions.of(["Zoë", "Anna-Lena Ott"]).and_matches(["a", "m1", "m-7"]).redacted(text) == without


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    himalaya = Command(capsys)
    return lambda database, *arguments: himalaya("forget", *arguments, "--db", str(database))


@pytest.mark.slow("the command")
def test_the_command_shows_what_it_removes_and_cannot_reach(ask: Callable[..., Answer], database: Path) -> None:
    asked = ask(database, "--player", PERSON)
    assert asked.code == 2
    assert "matches by tournament: spring (1), none (1)\nalso in these matches: Ben\n" in asked.out
    done = ask(database, "--player", PERSON, "--yes")
    assert (done.code, done.err) == (0, "")
    assert "forgotten: 2 matches, " in done.out
    assert re.search(r"^not erased: the log file .*a\.jsonl$", done.out, re.MULTILINE)
