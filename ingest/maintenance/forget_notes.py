"""Finds and removes texts about matches and people to forget, in the app store of a warehouse."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Final

from himalaya_core.names import normalize_name
from ingest.app_store import AppStore
from ingest.maintenance.found import Found
from ingest.people.studies import study_document, study_of

__all__ = ["find_notes", "matches_of_notes", "people_in_notes", "remove_notes"]

TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "audit": ("who", "what"),
    "bookmarks": ("label", "tags"),
    "branches": ("title", "kept_by"),
    "draft_changes": ("changed_by",),
    "drafts": ("title", "made_by"),
    "studies": ("made_by",),
}
"""The columns of free text, by table."""
AS_JSON: Final = frozenset({"tags"})
NAMED: Final = """
SELECT match FROM bookmarks UNION SELECT match FROM branches
UNION SELECT value ->> '$.match' FROM studies, json_each(document, '$.chapters')
"""
SEATED: Final = """
SELECT drafts.id, value ->> '$.name' FROM drafts, json_each(setup, '$.seats')
UNION ALL SELECT draft, change ->> '$.name' FROM draft_changes WHERE change -> '$.take' IS NOT NULL
"""
HANDED_IN: Final = """
SELECT draft, change ->> '$.handed_in.match' FROM draft_changes WHERE change -> '$.handed_in' IS NOT NULL
"""


def matches_of_notes(store: AppStore) -> set[str]:
    """Return the names of the matches that bookmarks, branches and studies are about."""
    with store.reading() as connection:
        return {name for (name,) in connection.execute(NAMED).fetchall() if name is not None}


def people_in_notes(store: AppStore, found: Found, people: frozenset[str]) -> None:
    """Find the recordings with these people in a seat, and the tokens that are named after them."""
    with store.reading() as connection:
        for draft, name in connection.execute(SEATED).fetchall():
            if name is not None and normalize_name(name) in people:
                found.drafts.add(draft)
                found.seen.add(normalize_name(name))
        tokens = connection.execute("SELECT DISTINCT name FROM tokens ORDER BY name").fetchall()
    found.tokens = [name for (name,) in tokens if found.mentions.names_person(name)]


def find_notes(store: AppStore, found: Found) -> None:
    """Find entries about the matches, and the texts that mention them or people."""
    with store.reading() as connection:
        for name, number in connection.execute("SELECT match, count(*) FROM bookmarks GROUP BY match").fetchall():
            if name in found.names:
                found.bookmarks += number
                found.seen.add(name)
        for branch, name, document in connection.execute("SELECT id, match, document FROM branches").fetchall():
            if name in found.names or found.mentions.names_person(document):
                found.branches.append(branch)
                found.seen.update({name} & found.names)
        for draft, name in connection.execute(HANDED_IN).fetchall():
            if name in found.names:
                found.drafts.add(draft)
                found.seen.add(name)
        for study_id, document in connection.execute("SELECT id, document FROM studies ORDER BY id").fetchall():
            matches = [chapter.match for chapter in study_of(document).chapters]
            gone = [match for match in matches if match in found.names]
            found.chapters += len(gone)
            found.studies += [study_id] if gone and len(gone) == len(matches) else []
            found.seen.update(gone)
    with closing(AppStore(contents=store.contents())) as copy, copy.writing() as connection:
        for table, number in _remove(connection, found).items():
            found.changed_texts[table] = found.changed_texts.get(table, 0) + number


def remove_notes(store: AppStore, found: Found) -> None:
    """Remove the entries found without leaving a trace in the file, and also any written since."""
    with store.writing() as connection:
        _remove(connection, found)
    store.compact()


def _remove(connection: sqlite3.Connection, found: Found) -> dict[str, int]:
    """Remove rows and mentions; return by table how many texts lose a name."""
    for name in found.names:
        connection.execute("DELETE FROM bookmarks WHERE match = ?", (name,))
        connection.execute("DELETE FROM branches WHERE match = ?", (name,))
    for branch in found.branches:
        connection.execute("DELETE FROM branches WHERE id = ?", (branch,))
    for draft in found.drafts:
        connection.execute("DELETE FROM draft_changes WHERE draft = ?", (draft,))
        connection.execute("DELETE FROM drafts WHERE id = ?", (draft,))
    changed = {"studies": number} if (number := _remove_chapters(connection, found)) else {}
    for table, column in ((table, column) for table, columns in TEXTS.items() for column in columns):
        redacted = found.mentions.redacted_json if column in AS_JSON else found.mentions.redacted
        for (value,) in connection.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall():
            if (after := redacted(value)) != value:
                rows = connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (after, value))
                changed[table] = changed.get(table, 0) + rows.rowcount
    return changed


def _remove_chapters(connection: sqlite3.Connection, found: Found) -> int:
    """Remove the chapters about the matches, and the mentions in the others; return how many studies lose a name."""
    changed = 0
    for number, document in connection.execute("SELECT id, document FROM studies ORDER BY id").fetchall():
        study = study_of(document)
        left = [chapter for chapter in study.chapters if chapter.match not in found.names]
        if study.chapters and not left:
            connection.execute("DELETE FROM studies WHERE id = ?", (number,))
            continue
        rest = replace(study, chapters=left)
        redacted = found.mentions.redacted_study(rest)
        changed += redacted != rest
        if redacted != study:
            sql = "UPDATE studies SET title = ?, chapters = ?, document = ? WHERE id = ?"
            connection.execute(sql, (redacted.title, len(left), study_document(redacted), number))
    return changed
