"""What the OpenAPI document says of the replay: scenes, positions and pictures of them, dropped logs."""

from dataclasses import dataclass
from typing import Any, Final

from dashboards.boards.scene import Scene
from dashboards.http.openapi.parts import API, IF_NONE_MATCH, UNREADABLE, Answer, answers, path_parameter, query, ref
from dashboards.http.upload import LIMITS, DroppedLog, NotReplayed
from dashboards.replay.chances import Chances
from dashboards.replay.origin import Origin
from dashboards.replay.same_seed import Siblings

__all__ = ["RECORDS", "Opened", "Position", "replay_paths"]


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a match: after which event it is, and all of it as data.

    `name` is how an address calls the place: "57.3" is after the third event of ply 57. `view` is the seat, from 0,
    whose knowledge it is; -1 for all.
    """

    match: str
    seq: int
    ply: int
    name: str
    round: int
    view: int
    position: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Opened:
    """What one move would open: places of the board, by the numbers that the scene has for them."""

    places: list[int]


RECORDS: Final[tuple[type, ...]] = (Chances, DroppedLog, NotReplayed, Opened, Origin, Position, Siblings)
SCENE: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What the replay draws: the board, and a frame for each event.",
    "required": sorted({*Scene.__required_keys__, "board", "frames"}),
}
SEAT: Final = {"type": "integer", "minimum": 1, "maximum": 6}
PLY: Final = {"type": "string", "pattern": r"^[0-9]{1,9}(\.[0-9]{1,9})?$"}
MATCH: Final = path_parameter("match", "name of the match")
VIEW: Final = query("view", "number of the viewing seat, from 1: what it could not know is left out", SEAT)
AFTER: Final = query("ply", "`57` is after ply 57, `57.3` after its third event; if left out, before the first", PLY)
SAME: Final = Answer("It has not changed")
TAG: Final = {"ETag": "digest of the answer"}
NOT_FOUND: Final = "There is no match of that name"
BROKEN: Final = Answer("The log of the match cannot be replayed, or is in quarantine", ref(NotReplayed))


def replay_paths() -> dict[str, Any]:
    """Return the operations of the replay by their paths."""
    base = f"{API}/replay/{{match}}"
    return {
        f"{API}/replay": {"post": _drop()},
        base: {"get": _scene()},
        f"{base}/position.json": {"get": _position("Data", Answer("It", ref(Position), headers=TAG))},
        f"{base}/position.txt": {"get": _position("Text", Answer("It", {"type": "string"}, "text/plain", TAG))},
        f"{base}/board.svg": {"get": _picture()},
        f"{base}/chances": {"get": _chances()},
        f"{base}/opens": {"get": _opens()},
        f"{base}/origin": {"get": _origin()},
        f"{base}/same-luck": {"get": _same_luck()},
        f"{base}/offline.html": {"get": _offline()},
    }


def _scene() -> dict[str, Any]:
    return {
        "operationId": "replay",
        "summary": "A match, ready to be drawn",
        "parameters": [MATCH, VIEW, *IF_NONE_MATCH],
        "responses": answers(
            {"200": Answer("The scene", SCENE, headers=TAG), "304": SAME, "422": BROKEN},
            {"400": "There is no such seat at this match", "404": NOT_FOUND, "503": UNREADABLE},
        ),
    }


def _position(kind: str, found: Answer) -> dict[str, Any]:
    return {
        "operationId": f"position{kind}",
        "summary": f"A position of a match as {kind.lower()}",
        "parameters": [MATCH, AFTER, VIEW, *IF_NONE_MATCH],
        "responses": answers(
            {"200": found, "304": SAME, "422": BROKEN},
            {"400": "There is no such seat or ply", "404": NOT_FOUND, "503": UNREADABLE},
        ),
    }


def _picture() -> dict[str, Any]:
    theme = query("theme", "for a light or a dark page", {"enum": ["light", "dark"], "default": "light"})
    part = query("part", "only a part of it, small: the board", {"enum": ["board"]})
    return {
        "operationId": "positionPicture",
        "summary": "A position of a match as a picture of the board",
        "parameters": [MATCH, AFTER, VIEW, theme, part, *IF_NONE_MATCH],
        "responses": answers(
            {"200": Answer("SVG", {"type": "string"}, "image/svg+xml", TAG), "304": SAME, "422": BROKEN},
            {"400": "There is no such seat, ply, theme or part", "404": NOT_FOUND, "503": UNREADABLE},
        ),
    }


def _origin() -> dict[str, Any]:
    named = query(
        "list", "a list of matches, as `tournament=cup&sort=-margin`: its neighbours in it", {"type": "string"}
    )
    return {
        "operationId": "origin",
        "summary": "Where a match comes from, and what stands beside it in a list",
        "parameters": [MATCH, named],
        "responses": answers(
            {"200": Answer("Its tournament, seed, options, and what was checked of it", ref(Origin)), "422": BROKEN},
            {"404": NOT_FOUND, "503": UNREADABLE},
        ),
    }


def _opens() -> dict[str, Any]:
    return {
        "operationId": "opens",
        "summary": "What one move would open to a seat",
        "description": "The places that the seat named by `view` cannot get to now, and could after one move of the "
        "board that sets nobody aside.",
        "parameters": [MATCH, AFTER, VIEW, *IF_NONE_MATCH],
        "responses": answers(
            {"200": Answer("The places", ref(Opened), headers=TAG), "304": SAME, "422": BROKEN},
            {
                "400": "There is no such seat or ply, no seat is named, or no move of the game opens places",
                "404": NOT_FOUND,
                "503": UNREADABLE,
            },
        ),
    }


def _chances() -> dict[str, Any]:
    return {
        "operationId": "chances",
        "summary": "Each seat's chances of winning after every decision",
        "description": "By the model that ships with the game, and only for matches of the kind that it was checked "
        "on. They are the same for every `view`: the model sees what everybody at the table may see.",
        "parameters": [MATCH, *IF_NONE_MATCH],
        "responses": answers(
            {
                "200": Answer("The chances, or why there are none", ref(Chances), headers=TAG),
                "304": SAME,
                "422": BROKEN,
            },
            {"404": NOT_FOUND, "503": UNREADABLE},
        ),
    }


def _same_luck() -> dict[str, Any]:
    return {
        "operationId": "sameLuck",
        "summary": "Other matches on the same seed",
        "description": "Matches of the same game, board and options that name the same seed; those with the most seats "
        "played by the same player come first.",
        "parameters": [MATCH],
        "responses": answers(
            {"200": Answer("The first of them, and how many there are", ref(Siblings)), "422": BROKEN},
            {"404": NOT_FOUND, "503": UNREADABLE},
        ),
    }


def _offline() -> dict[str, Any]:
    return {
        "operationId": "offlineReplay",
        "summary": "A match as one HTML file that plays from disk",
        "description": "It holds the scene, the log (not in the view of a seat), script, styles and font, and asks for "
        "nothing.",
        "parameters": [MATCH, VIEW, *IF_NONE_MATCH],
        "responses": answers(
            {"200": Answer("The file", {"type": "string"}, "text/html", TAG), "304": SAME, "422": BROKEN},
            {"400": "There is no such seat at this match", "404": NOT_FOUND, "503": UNREADABLE},
        ),
    }


def _drop() -> dict[str, Any]:
    types = ("application/jsonl", "application/gzip", "application/zstd", "application/octet-stream")
    body = {"schema": {"contentMediaType": "application/jsonl"}}
    most = f"at most {LIMITS.body >> 20} MiB as sent, {LIMITS.text >> 20} MiB of text"
    found = {"oneOf": [SCENE, ref(DroppedLog)]}
    return {
        "operationId": "replayLog",
        "summary": "Replay a log without loading it",
        "description": f"The body is a log as `POST {API}/logs` takes it, {most}. It is checked as strictly, and kept "
        "nowhere. A log of one valid match is answered with its scene, one of several with the list of them. What is "
        "not valid is named in `problems`, in the words of `himalaya ingest`.",
        "parameters": [query("match", "which one, of a log of several", {"type": "string"}), VIEW],
        "requestBody": {"required": True, "content": dict.fromkeys(types, body)},
        "responses": answers(
            {
                "200": Answer("The scene, or the matches to choose from", found),
                "422": Answer("It holds no such valid match, or is compressed and damaged", ref(NotReplayed)),
            },
            {
                "400": "The body is empty, or the match has no such seat",
                "403": "It came from a page of another site",
                "413": "The body is too large, or has too many lines or matches, or the match too many events",
                "415": "The Content-Type is not that of a log",
                "429": "Too many requests within a minute",
                "503": "Other logs are being checked",
            },
        ),
    }
