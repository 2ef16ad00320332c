"""Studies over HTTP: `GET /api/studies/ID` is the study as it is exported; who may write sends the same to keep one."""

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Final

from flask import Flask, Response, request

from dashboards.http.access import Refused, Scope, caller, needs, note
from dashboards.http.bodies import JSON, json_text
from dashboards.http.branches import keep_tried, told, tried_on
from dashboards.http.kept import keeping, record_answer
from dashboards.http.openapi.described import API, UNREADABLE, Answer, Operation, served
from dashboards.http.rates import Rate
from dashboards.replay.studies import ReadStudy, read, study_file
from dashboards.warehouse.addresses import Key
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.studies import kept_study, listed_studies
from ingest.people.studies import (
    MOST_BYTES,
    KeptStudy,
    ListedStudy,
    Study,
    add_study,
    change_study,
    digest_of,
    remove_study,
    study_of,
)
from ingest.warehouse import Warehouse

__all__ = ["register", "register_writing"]

RATE: Final = 60
"""Changes that one sender makes in a minute."""
STUDIES: Final = f"{API}/studies"
SCHEMA: Final = {"$ref": "#/components/schemas/Study"}
IF_MATCH: Final = Key("If-Match", "ETag of the study that is to be changed", {"type": "string"})
TAG: Final = {"ETag": "tells whether the study was changed"}
NOT_FOUND: Final = {"404": "There is no study with that id"}
NOT_ADMITTED: Final = {
    "401": "A token is needed, or the one sent is unknown to this server",
    "403": "The token is not for writing; or without one, it came from a page of another site or under another name",
    "429": "Too many requests within a minute",
    "503": "Nothing can be written here",
}
NOT_READ: Final = {
    "413": "The body is too large",
    "415": "The Content-Type is not JSON",
    "422": "The body is no study; the message names the field",
}
BODY: Final = {"required": True, "content": {JSON: {"schema": SCHEMA}}}


@dataclass(frozen=True, slots=True)
class StudyList:
    """Studies, the one that was changed last first."""

    studies: list[ListedStudy]


@dataclass(frozen=True, slots=True)
class StudyKept:
    """What is known of a study that was written: its id, and what tells whether it was changed."""

    id: str
    title: str
    chapters: int
    digest: str


LIST: Final = Operation(
    "listStudies", "The studies that are kept here", {"200": Answer("All of them", StudyList)}, {"503": UNREADABLE}
)
EXPORT: Final = Operation(
    "exportStudy",
    "A study as JSON; sent again, it is the same bytes",
    {"200": Answer("The study", Study, headers=TAG)},
    NOT_FOUND | {"503": UNREADABLE},
)
OFFLINE: Final = Operation(
    "offlineStudy",
    "A study as one HTML file that is read from disk",
    {"200": Answer("The file", {"type": "string"}, ("text/html",))},
    NOT_FOUND | {"409": "None of its matches is here", "503": UNREADABLE},
    description="It holds its matches with their reviews, its branches, script, styles and font, and asks for nothing.",
)
READ: Final = Operation(
    "readStudy",
    "A study as it is read, its Markdown as HTML",
    {"200": Answer("The study", ReadStudy)},
    NOT_FOUND | {"503": UNREADABLE},
)
ADD: Final = Operation(
    "addStudy",
    "Keep a new study",
    {"201": Answer("It is kept", StudyKept)},
    NOT_ADMITTED | NOT_READ | {"409": "There are as many studies, or branches of a match, as there may be"},
    body=BODY,
    takes_token=True,
)
CHANGE: Final = Operation(
    "changeStudy",
    "Put a study in the place of what it was",
    {"200": Answer("It is kept", StudyKept)},
    NOT_ADMITTED
    | NOT_READ
    | NOT_FOUND
    | {"409": "There are as many branches of a match as there may be", "412": "It was changed meanwhile"},
    headers=(IF_MATCH,),
    body=BODY,
    takes_token=True,
)
REMOVE: Final = Operation(
    "removeStudy",
    "Remove a study",
    {"200": Answer("What it was", StudyKept)},
    NOT_ADMITTED | NOT_FOUND,
    takes_token=True,
)


def register(server: Flask, reader: Reader) -> None:
    """Add the routes that read."""
    tried = tried_on(server)

    @served(server, "GET", STUDIES, LIST)
    def list_all() -> Response:
        return record_answer(StudyList(listed_studies(reader)))

    @served(server, "GET", f"{STUDIES}/<study>", EXPORT)
    def export(study: str) -> Response:
        with keeping():
            kept = kept_study(reader, study)
        answer = Response(kept.document, mimetype=JSON)
        answer.set_etag(digest_of(kept.document))
        answer.headers["Cache-Control"] = "private, no-cache"
        answer.headers["Content-Disposition"] = f'attachment; filename="study-{kept.id}.json"'
        return answer

    @served(server, "GET", f"{STUDIES}/<study>/reading", READ)
    def reading(study: str) -> Response:
        with keeping():
            return record_answer(read(reader, study))

    @served(server, "GET", f"{STUDIES}/<study>/offline.html", OFFLINE)
    def offline(study: str) -> Response:
        with keeping():
            found = read(reader, study)
        page = study_file(reader, found, partial(told, reader, tried))
        if page is None:
            raise Refused(HTTPStatus.CONFLICT, "None of the matches of this study is in this database.")
        answer = Response(page, mimetype="text/html")
        answer.headers["Content-Disposition"] = f'attachment; filename="study-{found.id}.html"'
        answer.headers["Cache-Control"] = "no-store"
        return answer


def register_writing(server: Flask, warehouse: Warehouse) -> None:
    """Add the routes that write."""
    rate, tried = Rate(RATE), tried_on(server)

    def sent() -> Study:
        """Return the study of the body; branches that its chapters show are kept with it."""
        study = study_of(json_text(MOST_BYTES))
        for chapter in study.chapters:
            if chapter.branch is not None:
                keep_tried(warehouse, tried, chapter.branch, chapter.title)
        return study

    @served(server, "POST", STUDIES, ADD)
    @needs(Scope.WRITE)
    def add() -> Response:
        rate.count(caller().key)
        with keeping():
            added = add_study(warehouse.app, sent(), caller().name)
        note("add study", added.id)
        return record_answer(_kept(added), HTTPStatus.CREATED)

    @served(server, "PUT", f"{STUDIES}/<study>", CHANGE)
    @needs(Scope.WRITE)
    def change(study: str) -> Response:
        rate.count(caller().key)
        expected = request.headers.get("If-Match", "").strip('W/"') or None
        with keeping():
            changed = change_study(warehouse.app, study, sent(), expected)
        note("change study", changed.id)
        return record_answer(_kept(changed))

    @served(server, "DELETE", f"{STUDIES}/<study>", REMOVE)
    @needs(Scope.WRITE)
    def remove(study: str) -> Response:
        rate.count(caller().key)
        with keeping():
            removed = remove_study(warehouse.app, study)
        note("remove study", removed.id)
        return record_answer(_kept(removed))


def _kept(study: KeptStudy) -> StudyKept:
    document = study_of(study.document)
    return StudyKept(study.id, document.title, len(document.chapters), digest_of(study.document))
