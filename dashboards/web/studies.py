"""Studies over HTTP: `GET /api/studies/ID` is the study as it is exported; who may write sends the same to keep one."""

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Header, Request
from starlette.responses import Response

from dashboards.replay.studies import ReadStudy, read, study_file
from dashboards.warehouse.studies import kept_study, listed_studies
from dashboards.web.access import Scope, caller, needs, note
from dashboards.web.branches import answer_of, keep_tried
from dashboards.web.refusals import API, Refused
from dashboards.web.replayed import answer_file
from dashboards.web.routing import (
    JSON,
    NO_STORE,
    UNREADABLE,
    WRITING,
    as_body,
    at_most,
    check_json,
    limited,
    refusals,
)
from dashboards.web.services import Services
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
"""Changes that one sender makes in a minute."""
STUDY: Final = "/{study}"
NOT_FOUND: Final = {404: "There is no study with that id"}
NOT_READ: Final = {
    413: "The body is too large",
    415: "The Content-Type is not JSON",
    422: "The body is no study; the message names the field",
}
BODY: Final = {"requestBody": {"required": True, "content": {JSON: {"schema": {"$ref": "#/components/schemas/Study"}}}}}
TAG: Final = {"ETag": {"description": "tells whether the study was changed", "schema": {"type": "string"}}}


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


async def _sent(request: Request) -> bytes:
    check_json(request)
    return await request.body()


Sent = Annotated[bytes, Depends(_sent)]


def routes(services: Services) -> APIRouter:
    """Return the routes of studies."""
    api, reader, store = APIRouter(prefix=f"{API}/studies"), services.reader, services.warehouse.app
    rate, fits = limited(RATE), at_most(MOST_BYTES)

    def with_branches(sent: bytes) -> Study:
        """Return the study of a body; branches that its chapters show are kept with it."""
        study = study_of(sent)
        for chapter in study.chapters:
            if chapter.branch is not None:
                keep_tried(services, chapter.branch, chapter.title)
        return study

    @api.get(
        "",
        operation_id="listStudies",
        summary="The studies that are kept here",
        dependencies=[NO_STORE],
        responses=refusals(UNREADABLE),
    )
    def list_all() -> StudyList:
        return StudyList(listed_studies(reader))

    @api.get(
        STUDY,
        operation_id="exportStudy",
        summary="A study as JSON; sent again, it is the same bytes",
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
        summary="A study as it is read, its Markdown as HTML",
        dependencies=[NO_STORE],
        responses=refusals(NOT_FOUND, UNREADABLE),
    )
    def reading(study: str) -> ReadStudy:
        return read(reader, study)

    @api.get(
        f"{STUDY}/offline.html",
        operation_id="offlineStudy",
        summary="A study as one HTML file that is read from disk",
        description="It holds its matches with their reviews, its branches, script, styles and font, and asks for "
        "nothing.",
        response_class=Response,
        responses={
            200: as_body("The file", {"type": "string"}, "text/html"),
            **refusals(NOT_FOUND, {409: "None of its matches is here"}, UNREADABLE),
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
        summary="Keep a new study",
        dependencies=[NO_STORE, rate, fits],
        responses=refusals(
            WRITING, NOT_READ, {409: "There are as many studies, or branches of a match, as there may be"}
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
        summary="Put a study in the place of what it was",
        dependencies=[NO_STORE, rate, fits],
        responses=refusals(
            WRITING,
            NOT_READ,
            NOT_FOUND,
            {409: "There are as many branches of a match as there may be", 412: "It was changed meanwhile"},
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
