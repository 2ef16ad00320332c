"""The operations of the replay: scenes, positions and pictures of them, dropped logs."""

from dataclasses import dataclass
from typing import Any, Final

from dashboards.boards.scene import Scene
from dashboards.http.openapi.described import IF_NONE_MATCH, UNREADABLE, Answer, Operation
from dashboards.replay.chances import Chances
from dashboards.replay.origin import Origin
from dashboards.replay.problems import Problem
from dashboards.replay.same_seed import Siblings
from dashboards.warehouse.addresses import TEXT, Key

__all__ = [
    "AFTER",
    "CHANCES",
    "LIST",
    "OFFLINE",
    "OPENS",
    "ORIGIN",
    "PART",
    "PICTURE",
    "PICTURE_AS_PNG",
    "POSITION",
    "POSITION_AS_TEXT",
    "REPLAY",
    "REVIEW",
    "REVIEWED",
    "SAME_SEED",
    "SCENE",
    "THEME",
    "VIEW",
    "DroppedLog",
    "DroppedMatch",
    "NotReplayed",
    "Opened",
    "Position",
]


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


@dataclass(frozen=True, slots=True)
class NotReplayed:
    """Why nothing can be shown of a log, in one sentence, and what is wrong with it where."""

    message: str
    problems: list[Problem]


@dataclass(frozen=True, slots=True)
class DroppedMatch:
    """A valid match of a log of several; `line` is where it starts."""

    match: str
    status: str
    players: int
    line_up: str
    rounds: int
    events: int
    line: int


@dataclass(frozen=True, slots=True)
class DroppedLog:
    """The matches of a log to choose from, and what is wrong with the rest of it."""

    matches: list[DroppedMatch]
    problems: list[Problem]


SCENE: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What the replay draws: the board, and a frame for each event.",
    "required": sorted({*Scene.__required_keys__, "board", "frames"}),
}
SHARE: Final = {"type": "number", "minimum": -1, "maximum": 1}
ROWS: Final = {"type": "array", "items": {"type": "object"}}
REVIEWED: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What a model says of a match, as `himalaya review --format json` has it; docs/review.md names what "
    "is in it. Each decision has `on` too: what on the board its alternative would touch, by the ids of the scene.",
    "required": ["not_valued", "model", "chances", "moments", "split", "judgements"],
    "properties": {
        "not_valued": {"type": ["string", "null"]},
        "model": {"type": ["object", "null"]},
        "chances": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["seq", "chances"],
                "properties": {"seq": {"type": "integer"}, "chances": {"type": "array", "items": SHARE}},
            },
        },
        "moments": ROWS,
        "split": ROWS,
        "judgements": ROWS,
    },
}

VIEW: Final = Key(
    "view",
    "number of the viewing seat, from 1: what it could not know is left out",
    {"type": "integer", "minimum": 1, "maximum": 6},
)
AFTER: Final = Key(
    "ply",
    "`57` is after ply 57, `57.3` after its third event; if left out, before the first",
    {"type": "string", "pattern": r"^[0-9]{1,9}(\.[0-9]{1,9})?$"},
)
THEME: Final = Key("theme", "for a light or a dark page", {"enum": ["light", "dark"], "default": "light"})
PART: Final = Key("part", "only a part of it, small: the board", {"enum": ["board"]})
LIST: Final = Key("list", "a list of matches, as `tournament=cup&sort=-margin`: its neighbours in it", TEXT)
TAG: Final = {"ETag": "digest of the answer"}
UNCHANGED: Final = {"304": Answer("It has not changed")}
BROKEN: Final = {"422": Answer("The log of the match cannot be replayed, or is in quarantine", NotReplayed)}
NOT_THERE: Final = {"404": "There is no match of that name", "503": UNREADABLE}
NO_SEAT: Final = {"400": "There is no such seat at this match"} | NOT_THERE
NO_PLY: Final = {"400": "There is no such seat or ply"} | NOT_THERE
KNOWN: Final = (IF_NONE_MATCH,)

REPLAY: Final = Operation(
    "replay",
    "A match, ready to be drawn",
    {"200": Answer("The scene", SCENE, headers=TAG)} | UNCHANGED | BROKEN,
    NO_SEAT,
    query=(VIEW,),
    headers=KNOWN,
)
POSITION: Final = Operation(
    "positionData",
    "A position of a match as data",
    {"200": Answer("It", Position, headers=TAG)} | UNCHANGED | BROKEN,
    NO_PLY,
    query=(AFTER, VIEW),
    headers=KNOWN,
)
POSITION_AS_TEXT: Final = Operation(
    "positionText",
    "A position of a match as text",
    {"200": Answer("It", TEXT, ("text/plain",), TAG)} | UNCHANGED | BROKEN,
    NO_PLY,
    query=(AFTER, VIEW),
    headers=KNOWN,
)
PICTURE: Final = Operation(
    "positionPicture",
    "A position of a match as a picture of the board",
    {"200": Answer("SVG", TEXT, ("image/svg+xml",), TAG)} | UNCHANGED | BROKEN,
    {"400": "There is no such seat, ply, theme or part"} | NOT_THERE,
    query=(AFTER, VIEW, THEME, PART),
    headers=KNOWN,
)
PICTURE_AS_PNG: Final = Operation(
    "positionPng",
    "The same picture as PNG, for programs that show no SVG",
    {"200": Answer("PNG", TEXT, ("image/png",), TAG)} | UNCHANGED | BROKEN,
    {"400": "There is no such seat, ply, theme or part"} | NOT_THERE,
    query=(AFTER, VIEW, THEME, PART),
    headers=KNOWN,
)
CHANCES: Final = Operation(
    "chances",
    "Each seat's chances of winning after every decision",
    {"200": Answer("The chances, or why there are none", Chances, headers=TAG)} | UNCHANGED | BROKEN,
    NOT_THERE,
    description="By the model that ships with the game, and only for matches of the kind that it was checked "
    "on. They are the same for every `view`: the model sees what everybody at the table may see.",
    headers=KNOWN,
)
REVIEW: Final = Operation(
    "review",
    "Who was winning a match after each decision, and where it turned",
    {"200": Answer("The review, or why there is none", REVIEWED, headers=TAG)} | UNCHANGED | BROKEN,
    NO_SEAT,
    description="Nothing in it tells of a plan that was not revealed.",
    query=(VIEW,),
    headers=KNOWN,
)
OPENS: Final = Operation(
    "opens",
    "What one move would open to a seat",
    {"200": Answer("The places", Opened, headers=TAG)} | UNCHANGED | BROKEN,
    {"400": "There is no such seat or ply, no seat is named, or no move of the game opens places"} | NOT_THERE,
    description="The places that the seat named by `view` cannot get to now, and could after one move of the "
    "board that sets nobody aside.",
    query=(AFTER, VIEW),
    headers=KNOWN,
)
ORIGIN: Final = Operation(
    "origin",
    "Where a match comes from, and what stands beside it in a list",
    {"200": Answer("Its tournament, seed, options, and what was checked of it", Origin)} | BROKEN,
    NOT_THERE,
    query=(LIST,),
)
SAME_SEED: Final = Operation(
    "sameLuck",
    "Other matches on the same seed",
    {"200": Answer("The first of them, and how many there are", Siblings)} | BROKEN,
    NOT_THERE,
    description="Matches of the same game, board and options that name the same seed; those with the most seats "
    "played by the same player come first.",
)
OFFLINE: Final = Operation(
    "offlineReplay",
    "A match as one HTML file that plays from disk",
    {"200": Answer("The file", TEXT, ("text/html",), TAG)} | UNCHANGED | BROKEN,
    NO_SEAT,
    description="It holds the scene, the review, the log (not in the view of a seat), script, styles and font, "
    "and asks for nothing.",
    query=(VIEW,),
    headers=KNOWN,
)
