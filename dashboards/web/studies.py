"""Studies over HTTP: `GET /api/studies/ID` exports one; POST and PUT save the same JSON with the scope `write`."""

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Header, Request
from starlette.responses import Response

from dashboards.queries.reader import kept_study, listed_studies
from dashboards.replay.studies import ReadStudy, read, study_file
from dashboards.web.access import Scope, caller, needs, note
from dashboards.web.branches import answer_of, keep_tried
from dashboards.web.refusals import API, Refused
from dashboards.web.replay import answer_file
from dashboards.web.routing import (
    JSON,
    NO_STORE,
    UNREADABLE,
    WRITING,
    Services,
    as_body,
    at_most,
    check_json,
    limited,
    refusals,
)
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

__all__ = ["routes"]

RATE: Final = 60
"""Maximum number of changes to studies per caller and minute."""
STUDY: Final = "/{study}"
NOT_FOUND: Final = {404: "There is no study with that id"}
NOT_READ: Final = {
    413: "The body is too large",
    415: "The Content-Type is not JSON",
    422: "The body is not a valid study; the message names the field",
}
BODY: Final = {"requestBody": {"required": True, "content": {JSON: {"schema": {"$ref": "#/components/schemas/Study"}}}}}
TAG: Final = {"ETag": {"description": "changes with the study", "schema": {"type": "string"}}}


@dataclass(frozen=True, slots=True)
class StudyList:
    """Studies, most recently changed first."""

    studies: list[ListedStudy]


@dataclass(frozen=True, slots=True)
class StudyKept:
    """A saved study: its id and title, its number of chapters, and a digest that changes with it."""

    id: str
    title: str
    chapters: int
    digest: str


async def _sent(request: Request) -> bytes:
    check_json(request)
    return await request.body()


Sent = Annotated[bytes, Depends(_sent)]


def routes(services: Services) -> APIRouter:
    """Return the routes of studies."""
    api, reader, store = APIRouter(prefix=f"{API}/studies"), services.reader, services.warehouse.app
    rate, fits = limited(RATE), at_most(MOST_BYTES)

    def with_branches(sent: bytes) -> Study:
        """Parse a request body into a study, and save the branches that its chapters show."""
        study = study_of(sent)
        for chapter in study.chapters:
            if chapter.branch is not None:
                keep_tried(services, chapter.branch, chapter.title)
        return study

    @api.get(
        "",
        operation_id="listStudies",
        summary="List the studies",
        dependencies=[NO_STORE],
        responses=refusals(UNREADABLE),
    )
    def list_all() -> StudyList:
        return StudyList(listed_studies(reader))

    @api.get(
        STUDY,
        operation_id="exportStudy",
        summary="Download a study as JSON, ready to be sent again",
        response_class=Response,
        responses={
            200: {"model": Study, "description": "The study", "headers": TAG},
            **refusals(NOT_FOUND, UNREADABLE),
        },
    )
    def export(study: str) -> Response:
        kept = kept_study(reader, study)
        answer = answer_file(kept.document, JSON, f"study-{kept.id}.json")
        answer.headers["ETag"] = f'"{digest_of(kept.document)}"'
        answer.headers["Cache-Control"] = "private, no-cache"
        return answer

    @api.get(
        f"{STUDY}/reading",
        operation_id="readStudy",
        summary="Get a study for reading, with its Markdown as HTML",
        dependencies=[NO_STORE],
        responses=refusals(NOT_FOUND, UNREADABLE),
    )
    def reading(study: str) -> ReadStudy:
        return read(reader, study)

    @api.get(
        f"{STUDY}/offline.html",
        operation_id="offlineStudy",
        summary="Download a study as one HTML file that opens from disk",
        description="It contains its matches with their reviews, its branches, script, styles and font, and makes no "
        "requests.",
        response_class=Response,
        responses={
            200: as_body("The file", {"type": "string"}, "text/html"),
            **refusals(NOT_FOUND, {409: "None of its matches is in this database"}, UNREADABLE),
        },
    )
    def offline(study: str) -> Response:
        found = read(reader, study)
        page = study_file(reader, found, partial(answer_of, services))
        if page is None:
            raise Refused(HTTPStatus.CONFLICT, "None of the matches of this study is in this database.")
        return answer_file(page, "text/html", f"study-{found.id}.html")

    @api.post(
        "",
        status_code=HTTPStatus.CREATED,
        operation_id="addStudy",
        summary="Add a study",
        dependencies=[NO_STORE, rate, fits],
        responses=refusals(
            WRITING, NOT_READ, {409: "The maximum number of studies, or of branches of a match, is reached"}
        ),
        openapi_extra=BODY,
    )
    @needs(Scope.WRITE)
    def add(sent: Sent) -> StudyKept:
        added = add_study(store, with_branches(sent), caller().name)
        note("add study", added.id)
        return _kept(added)

    @api.put(
        STUDY,
        operation_id="changeStudy",
        summary="Replace a study",
        dependencies=[NO_STORE, rate, fits],
        responses=refusals(
            WRITING,
            NOT_READ,
            NOT_FOUND,
            {409: "The maximum number of branches of a match is reached", 412: "It was changed meanwhile"},
        ),
        openapi_extra=BODY,
    )
    @needs(Scope.WRITE)
    def change(study: str, sent: Sent, if_match: Annotated[str, Header()] = "") -> StudyKept:
        changed = change_study(store, study, with_branches(sent), if_match.strip('W/"') or None)
        note("change study", changed.id)
        return _kept(changed)

    @api.delete(
        STUDY,
        operation_id="removeStudy",
        summary="Remove a study",
        dependencies=[NO_STORE, rate],
        responses=refusals(WRITING, NOT_FOUND),
    )
    @needs(Scope.WRITE)
    def remove(study: str) -> StudyKept:
        removed = remove_study(store, study)
        note("remove study", removed.id)
        return _kept(removed)

    return api


def _kept(study: KeptStudy) -> StudyKept:
    document = study_of(study.document)
    return StudyKept(study.id, document.title, len(document.chapters), digest_of(study.document))
