"""A referee for climbers: reports the first line of an event log that does not follow from the rules.

It is written from the page on the event log and the game's RULES.md. It shares no code with the program, so that an
error in either shows. Start reading at `Referee.play`, which follows a match from beginning to end. Each `follow` is
the one event that the next line must hold. Names such as L-4.step are anchors of RULES.md.

    python climbers.py BOARD.json LOG.jsonl...
"""

import hashlib
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

# --- Results of a referee ---


@dataclass(frozen=True)
class Departure:
    """The first line that no valid log can have after the previous lines."""

    line: int
    expected: str
    found: str


class Departs(Exception):
    """Raised if a line does not follow from the rules."""

    def __init__(self, departure: Departure) -> None:
        super().__init__(departure)
        self.departure = departure


class LogEnds(Exception):
    """Raised at the end of the log, or if the match was abandoned."""


# --- Read lines ---

MATCH = re.compile(r"[A-Za-z0-9._-]{1,64}")
TIME = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):?[0-5]\d)", re.ASCII
)
LONGEST_LINE = 1 << 20
DEEPEST = 200
GREATEST_INT = (1 << 31) - 1

# Shapes of values: a type, the keys of an object, the items of a list, or a choice.
ENVELOPE = {"match": str, "seq": int, "ply": int, "round": int, "type": str, "data": dict}
OPTIONAL = {"seat": (int, None), "action": (dict, None), "at": (str, None)}
PLAYERS = 4
"""Default number of players."""
SEAT = {"seat": int, "player": str, "version": str, "params": dict, "label": str}
SOURCE = {"tournament": (str, None), "pairing": (int, None), "luck": (str, None)}
WHAT = {"format": int, "game": str, "rules_version": str, "options": dict, "board": {"id": str, "sha256": str}}
HEADER = {**WHAT, "seats": [SEAT], **SOURCE}
CELL = {"x": int, "y": int}
POSE = {"x": int, "y": int, "z": int, "dx": int, "dy": int, "dz": int, "top": str}
SHIFT = {"player": int, "to_cell": CELL}
MOVE = {"block": int, "x": int, "y": int, "dx": int, "dy": int, "top": str, "shifts": [SHIFT]}
ACTIONS: dict[str, dict[str, Any]] = {
    "build_opening": {"placements": [{"block": int, "pose": POSE}]},
    "deal_colours": {"colours": [str]},
    "draw_lot": {"first": int},
    "climb_step": {"to_cell": CELL, "ladder": str},
    "end_climb": {},
    "move_block": MOVE,
    "skip_block": {},
    "place_disc": {"block": int, "cell": CELL},
    "skip_disc": {},
}
MAY_BE_LEFT_OUT: dict[str, dict[str, Any]] = {"climb_step": {"ladder": "none"}, "move_block": {"shifts": []}}


def canonical(value: object) -> str:
    """Return JSON with sorted keys and without spaces; equal only for values of equal type."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(value: object) -> str:
    """Return the SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def fits(value: object, shape: Any) -> bool:
    """Return whether a value has a shape."""
    if isinstance(shape, tuple):
        return any(fits(value, choice) for choice in shape)
    if isinstance(shape, dict):
        return isinstance(value, dict) and value.keys() == shape.keys() and all(fits(value[k], shape[k]) for k in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(item, shape[0]) for item in value)
    return value is None if shape is None else type(value) is shape


def parsed(line: bytes) -> Any:
    """Return the value on a line; `ValueError` if readers could interpret it differently."""
    if line.endswith(b"\r\n") or len(line) > LONGEST_LINE:
        raise ValueError("a line of more than 1 MiB, or one that ends in \\r\\n")
    value = json.loads(line.decode(), object_pairs_hook=unique, parse_float=finite, parse_constant=finite)
    canonical(value).encode()  # raises an error for a lone surrogate, which has no UTF-8
    if depth(value) > DEEPEST:
        raise ValueError(f"nesting deeper than {DEEPEST} levels")
    return value


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs; raises if a key is repeated."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key that stands twice in an object")
    return value


def finite(text: str) -> float:
    """Return the number of a text; raises if it does not fit a double."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number")
    return number


def depth(value: object) -> int:
    """Return how deeply objects and lists are nested."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def is_time(text: str) -> bool:
    """Return whether a text is a time with a zone, on an existing day."""
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return TIME.fullmatch(text) is not None


class Log:
    """The lines of one match, read one by one."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.lines = lines
        self.read = 0
        self.match: str | None = None
        self.ply = 0
        self.round = 0
        self.deciding = False

    def depart(self, expected: str, found: object) -> NoReturn:
        """Report a divergence on the next line."""
        raise Departs(Departure(self.read + 1, expected, found if isinstance(found, str) else canonical(found)))

    def illegal(self, expected: str) -> NoReturn:
        """Report an illegal action on the next line."""
        self.depart(expected, self.next()["action"])

    def next(self) -> dict[str, Any]:
        """Return the next line without consuming it, after checking the keys of its envelope."""
        if self.read == len(self.lines):
            raise LogEnds
        try:
            line = parsed(self.lines[self.read])
        except (ValueError, RecursionError) as error:
            self.depart("one JSON object that all readers understand alike", str(error))
        if not isinstance(line, dict):
            self.depart("a JSON object", line)
        for key, shape in {**ENVELOPE, **OPTIONAL}.items():
            if not fits(line.get(key), shape):
                self.depart(f"the key {key} of the envelope, of its type", line.get(key))
        if not MATCH.fullmatch(line["match"]) or self.match not in {None, line["match"]}:
            self.depart("the name of the match", line["match"])
        if line.get("at") is not None and not is_time(line["at"]):
            self.depart("a time such as 2026-01-31T18:05:00Z", line["at"])
        return line

    def decision(self, who: str, *kinds: str) -> dict[str, Any]:
        """Return the action on the next line, which begins a ply; its event is read afterwards."""
        line = self.next()
        action = line.get("action") or {}
        kind = action.get("type")
        if kind not in kinds:
            self.depart(f"an action of {who}: {' or '.join(kinds)}", action or line["type"])
        action = {**MAY_BE_LEFT_OUT.get(kind, {}), **action}
        if not fits(action, {"type": str, **ACTIONS[kind]}):
            self.depart(f"{kind} with its keys, of their types", action)
        self.deciding = True
        self.ply += 1
        return action

    def follow(self, kind: str, data: Mapping[str, Any], seat: int | None = None) -> None:
        """Read the next line, which must contain this event."""
        line = self.next()
        expected = {"type": kind, "seat": seat, "data": data, "seq": self.read, "ply": self.ply, "round": self.round}
        for key, value in expected.items():
            if canonical(line.get(key)) != canonical(value):
                self.depart(f"{kind} with {key} {canonical(value)}", f"{line['type']} with {canonical(line.get(key))}")
        if line.get("action") is not None and not self.deciding:
            self.depart(f"{kind} without an action, as it follows by rule", line["action"])
        self.match = line["match"]
        self.deciding = False
        self.read += 1


# --- Blocks and their poses ---

Cell = tuple[int, int]
BLOCKS = 35
CORE = (33, 34)
PAIRS = {"tp": {"teal", "purple"}, "yr": {"yellow", "red"}, "pn": {"pink", "neutral"}}
COLOURS = {"teal", "purple", "yellow", "red", "pink", "neutral"}
ODD_EDGE = {"H": 1, "C": 2, "D": 4, "T": 6}


class Pose(NamedTuple):
    """The position and orientation of a block: its lowest corner, edges and top colour."""

    x: int
    y: int
    z: int
    dx: int
    dy: int
    dz: int
    top: str

    @property
    def squares(self) -> set[Cell]:
        """Return the squares of the table below the block."""
        return {(x, y) for x in range(self.x, self.x + self.dx) for y in range(self.y, self.y + self.dy)}

    @property
    def level(self) -> int:
        """Return the height of the block's top."""
        return self.z + self.dz


def kinds_of_blocks(board: Mapping[str, Any]) -> list[str]:
    """Return the kind of each block, by number: halves, cubes, doubles, triples, in the board's variants."""
    counts = board["block_variants"]
    halves = ["H" + pair for pair in PAIRS for _ in range(counts["1"].get(pair, 0))]
    doubles = ["D" + pair for pair in PAIRS for _ in range(counts["4"].get(pair, 0))]
    return halves + ["C"] * 12 + doubles + ["T"] * 2


def ways_to_lie(kind: str) -> dict[tuple[int, int, str], int]:
    """Return each pose of a block: its height, by base edges and top colour (L-2.poses)."""
    if kind == "C":
        return {(2, 2, top): 2 for top in COLOURS}
    odd = ODD_EDGE[kind[0]]
    across = {"neutral"} if kind == "T" else PAIRS[kind[1:]]
    along = {"neutral"} if kind == "T" else COLOURS - across
    standing = {(2, 2, top): odd for top in across}
    return standing | {(dx, dy, top): 2 for top in along for dx, dy in ((odd, 2), (2, odd))}


def given_opening(opening: Sequence[str], kinds: Sequence[str]) -> list[tuple[int, Pose]]:
    """Return the opening of a board; e.g. "Dpn@12,13,0:2x2x4:pink" is the next block of the kind Dpn (L-5.given)."""
    found: dict[int, Pose] = {}
    for text in opening:
        kind, where = text.split("@")
        place, edges, *top = where.split(":")
        x, y, z = map(int, place.split(","))
        dx, dy, dz = map(int, edges.split("x"))
        number = next(number for number, other in enumerate(kinds) if other == kind and number not in found)
        found[number] = Pose(x, y, z, dx, dy, dz, top[0] if top else "neutral")
    return list(found.items())


# --- The structure of blocks ---


def around(squares: Iterable[Cell]) -> set[Cell]:
    """Return the squares that share an edge with one of these squares, seen from above (L-4.edge)."""
    inside = set(squares)
    return {(x + dx, y + dy) for x, y in inside for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} - inside


def parts(squares: Iterable[Cell]) -> list[set[Cell]]:
    """Return the connected regions of a set of squares (L-4.region)."""
    left, found = set(squares), []
    while left:
        part = edge = {left.pop()}
        while edge:
            edge = around(edge) & left
            left -= edge
            part = part | edge
        found.append(part)
    return found


class Structure:
    """The placed blocks. Without overhangs, each square of the table has one height (L-2.heights)."""

    def __init__(self, poses: Mapping[int, Pose], table: int) -> None:
        self.poses = poses
        self.table = table
        self.showing: dict[Cell, int] = {}
        for block, pose in sorted(poses.items(), key=lambda item: item[1].z):
            self.showing.update(dict.fromkeys(pose.squares, block))

    def height(self, square: Cell) -> int:
        """Return the height of a square above the table."""
        return self.poses[self.showing[square]].level if square in self.showing else 0

    def top(self, block: int) -> set[Cell]:
        """Return the uncovered squares of a block's top."""
        return {square for square in self.poses[block].squares if self.showing[square] == block}

    def place(self, square: Cell) -> set[Cell]:
        """Return the connected region of a block's top that contains a square (L-4.region)."""
        return next(part for part in parts(self.top(self.showing[square])) if square in part)

    def outside(self) -> set[Cell]:
        """Return the empty squares connected to the edge of the table (L-4.table)."""
        every = range(self.table)
        ground = parts({(x, y) for x in every for y in every} - self.showing.keys())
        rim = {0, self.table - 1}
        return {square for part in ground if any(rim & {x, y} for x, y in part) for square in part}

    def without(self, block: int) -> "Structure":
        """Return the structure without a block."""
        return Structure({other: pose for other, pose in self.poses.items() if other != block}, self.table)

    def having(self, block: int, pose: Pose) -> "Structure":
        """Return the structure with another block added."""
        return Structure({**self.poses, block: pose}, self.table)

    def carries(self, pose: Pose) -> bool:
        """Return whether the whole underside of a block is supported at one height (L-3.placeable, L-3.support)."""
        on_table = 0 <= pose.x <= self.table - pose.dx and 0 <= pose.y <= self.table - pose.dy
        return on_table and {self.height(square) for square in pose.squares} == {pose.z}

    def touches(self, pose: Pose) -> bool:
        """Return whether a block face touches another block at some square, also below it (L-3.contact)."""
        return pose.z > 0 or any(square in self.showing for square in around(pose.squares))


# --- The position ---


@dataclass
class Seat:
    """A player's pieces: a climber, which starts on the table, a short and a long ladder, and a disc (L-5.pieces)."""

    climber: Cell | None = None
    short: bool = True
    long: bool = True
    disc: str = "in_hand"
    disc_block: int | None = None
    disc_cell: Cell | None = None
    reached: int = 0


@dataclass
class Position:
    """Everything that the rest of a match depends on; `state_sha256` is the digest of its JSON."""

    phase: str = "build"
    turn: int = 0
    active: int = 0
    acting: int = 0
    moved: int | None = None
    last_moved: int | None = None
    climbed: bool = False
    streak: int = 0
    rises: int = 0
    blocks: list[Pose | None] = field(default_factory=lambda: [None] * BLOCKS)
    colours: list[str] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)


# --- Follow a match by the rules ---

LADDERS_FOR = {0: {"none"}, 1: {"none"}, 2: {"short", "long"}, 3: {"long"}, 4: {"long"}}


def plain(cell: Cell) -> dict[str, int]:
    """Return a square as written in a log."""
    return {"x": cell[0], "y": cell[1]}


def cell_of(value: Mapping[str, int]) -> Cell:
    """Return the square that a log names."""
    return value["x"], value["y"]


class Referee:
    """Follows a match line by line, and stops at the first divergence from the rules."""

    def __init__(self, lines: Sequence[bytes], board: Mapping[str, Any]) -> None:
        self.log = Log(lines)
        self.board = board
        self.kinds = kinds_of_blocks(board)
        self.position = Position()
        self.shift_all = False

    def play(self) -> None:
        """Follow a whole match."""
        options = self.header()
        players = options.get("players", PLAYERS)
        self.shift_all = options.get("shift_all", False)
        self.position.seats = [Seat() for _ in range(players)]
        self.build()
        self.deal()
        self.position.active = self.first_player(options.get("first"))
        while self.position.streak < players:
            self.turn()
        self.end("finished", self.ranking(), self.scores())

    def decision(self, who: str, *kinds: str) -> dict[str, Any]:
        """Return the next decision; raises if the match was abandoned instead."""
        line = self.log.next()
        if line["type"] == "match_ended" and line["data"].get("reason") == "abandoned":
            self.end("abandoned", [], [])
            raise LogEnds
        return self.log.decision(who, *kinds)

    def structure(self) -> Structure:
        """Return the current structure of blocks."""
        poses = {block: pose for block, pose in enumerate(self.position.blocks) if pose is not None}
        return Structure(poses, self.board["table"])

    # Set-up

    def header(self) -> dict[str, Any]:
        """Read the game, board and players, and return the options."""
        line, log = self.log.next(), self.log
        data = line["data"]
        for seat in data["seats"] if fits(data.get("seats"), [dict]) else ():
            if not re.fullmatch("[0-9a-f]{64}", str(seat.pop("source_sha256", "0" * 64))):
                log.depart("a digest as source_sha256", data)
        board = {"id": self.board["id"], "sha256": digest(self.board)}
        if not fits(data, HEADER):
            log.depart(f"match_started with {', '.join(HEADER)}, of their types", data)
        if line.get("board") is not None and digest(line["board"]) != board["sha256"]:
            log.depart(f"a board with the digest {board['sha256']}", digest(line["board"]))
        for key, value in {"format": 1, "game": "climbers", "rules_version": "1", "board": board}.items():
            if data[key] != value:
                log.depart(f"{key} {canonical(value)}", data[key])
        options: dict[str, Any] = data["options"]
        players, first = options.get("players", PLAYERS), options.get("first")
        if not options.keys() <= {"players", "first", "shift_all"} or type(players) is not int or not 2 <= players <= 5:
            log.depart("the option players from 2 to 5, and none but first and shift_all besides", options)
        if type(options.get("shift_all", False)) is not bool:
            log.depart("the option shift_all as true or false", options)
        if first is not None and (type(first) is not int or not 0 <= first < players):
            log.depart(f"a seat from 0 to {players - 1} to go first", first)
        if [seat["seat"] for seat in data["seats"]] != list(range(players)):
            log.depart(f"{players} seats, in order from 0", data["seats"])
        if not 0 <= (data["pairing"] or 0) <= GREATEST_INT:
            log.depart("the number of a pairing", data["pairing"])
        log.follow("match_started", data)
        return options

    def build(self) -> None:
        """Place all blocks, as given by the board (L-5.given) or by chance (L-5.build)."""
        if "opening" in self.board:
            listed = given_opening(self.board["opening"], self.kinds)
        else:
            action = self.decision("chance", "build_opening")
            listed = [(item["block"], Pose(**item["pose"])) for item in action["placements"]]
            self.check_opening(listed)
        for block, pose in self.laid_one_by_one(listed):
            self.log.follow("block_placed", {"block": block, "pose": pose._asdict()})
            self.position.blocks[block] = pose
        self.log.follow("setup_checked", {"core_hidden": True})
        self.position.phase = "colours"

    def laid_one_by_one(self, listed: Sequence[tuple[int, Pose]]) -> list[tuple[int, Pose]]:
        """Place the core, then repeatedly the first block in the list that can be placed."""
        left = dict(listed)
        laid = {block: left.pop(block) for block in CORE}
        while left:
            structure = Structure(laid, self.board["table"])
            can_be_laid = (block for block, pose in left.items() if structure.carries(pose) and structure.touches(pose))
            block = next(can_be_laid, None)
            if block is None:
                self.log.illegal("blocks that can be laid one by one")
            laid[block] = left.pop(block)
        return list(laid.items())

    def check_opening(self, listed: Sequence[tuple[int, Pose]]) -> None:
        """Check that each pose is possible, and that the core is upright and hidden (L-5.core, L-5.hidden)."""
        if sorted(block for block, _ in listed) != list(range(BLOCKS)):
            self.log.illegal("each block once")
        for block, pose in listed:
            if ways_to_lie(self.kinds[block]).get((pose.dx, pose.dy, pose.top)) != pose.dz:
                self.log.illegal(f"block {block} as it can lie")
        one, other = (dict(listed)[block] for block in CORE)
        table = Structure({}, self.board["table"])
        upright = all(pose.dz == 6 and table.carries(pose) for pose in (one, other))
        if not upright or sorted((abs(one.x - other.x), abs(one.y - other.y))) != [0, 2]:
            self.log.illegal("the two triples upright on the table, side by side")
        structure = Structure(dict(self.laid_one_by_one(listed)), self.board["table"])
        core = one.squares | other.squares
        if any(structure.showing[square] in CORE for square in core):
            self.log.illegal("something on top of the triples")
        if any(structure.height(square) < 6 for square in around(core)):
            self.log.illegal("the squares around the triples at least 6 high")

    def deal(self) -> None:
        """Give each player a colour by lot (L-5.colours)."""
        colours = self.decision("chance", "deal_colours")["colours"]
        players = len(self.position.seats)
        if len(colours) != players or len(set(colours)) < players or not set(colours) <= COLOURS - {"neutral"}:
            self.log.illegal(f"{players} colours of players, each once")
        for player, colour in enumerate(colours):
            self.log.follow("colour_assigned", {"player": player, "colour": colour, "method": "lot"})
        self.position.colours = colours
        self.position.phase = "start"

    def first_player(self, named: int | None) -> int:
        """Return the start player, drawn by lot unless the options name it (L-5.start)."""
        first = self.decision("chance", "draw_lot")["first"] if named is None else named
        if not 0 <= first < len(self.position.seats):
            self.log.illegal("one of the seats")
        self.log.follow("start_player_chosen", {"player": first, "method": "lot" if named is None else "named"})
        return int(first)

    # The turn

    def others(self) -> list[int]:
        """Return the other seats, clockwise from the left (L-6.order, L-6.others)."""
        players, active = len(self.position.seats), self.position.active
        return [(active + step) % players for step in range(1, players)]

    def turn(self) -> None:
        """Follow a turn: climb, move a block, climb, place the disc; then the others climb (L-6.phases)."""
        position = self.position
        active = position.active = self.others()[0] if position.turn else position.active
        position.turn = self.log.round = position.turn + 1
        position.moved, position.climbed = None, False
        self.log.follow("turn_started", {"no": position.turn}, active)
        seat = position.seats[active]
        if seat.disc == "on":
            self.log.follow("disc_removed", {"block": seat.disc_block}, active)
            seat.disc, seat.disc_block, seat.disc_cell = "gone", None, None
        self.climb(active, "A")
        self.move_block()
        self.climb(active, "C")
        if seat.disc == "in_hand":
            self.lay_disc()
        for other in self.others():
            self.log.follow("others_slot", {}, other)
            self.climb(other, "others")
        position.streak = 0 if position.climbed else position.streak + 1
        self.log.follow("turn_ended", {"climbed": position.climbed, "streak": position.streak}, active)
        position.phase, position.last_moved = "turn", position.moved

    # Climbing

    def climb(self, acting: int, phase: str) -> None:
        """Follow the steps of a seat (L-4.step), skipping it if there are none (L-8.skip)."""
        self.position.acting, self.position.phase = acting, phase
        while steps := self.steps():
            action = self.decision(f"seat {acting}", "climb_step", "end_climb")
            if action["type"] == "end_climb":
                self.log.follow("phase_skipped", {"phase": phase}, acting)
                return
            step = cell_of(action["to_cell"]), action["ladder"]
            if step not in steps:
                self.log.illegal(f"a square that seat {acting} can step on, with the ladder that this needs")
            self.step(*step)
        if phase != "others":
            self.log.follow("phase_skipped", {"phase": phase}, acting)

    def steps(self) -> set[tuple[Cell, str]]:
        """Return the squares that the acting seat's climber can step to, each with the possible ladders.

        It can step from any square of its place to any free square of an adjacent place (L-4.edge, L-8.square). It may
        enter a place if its colour (L-4.colour), discs (L-4.disc) and free squares (L-4.capacity) allow it, and never
        goes down.
        """
        structure, acting = self.structure(), self.position.acting
        seat = self.position.seats[acting]
        here = structure.outside() if seat.climber is None else structure.place(seat.climber)
        ladders = {"none"} | {kind for kind, kept in (("short", seat.short), ("long", seat.long)) if kept}
        steps: set[tuple[Cell, str]] = set()
        for beside in around(here) & structure.showing.keys():
            block = structure.showing[beside]
            colour = structure.poses[block].top
            if colour not in {self.position.colours[acting], "neutral"} or self.has_disc(block):
                continue
            free = structure.place(beside) - {other.climber for other in self.position.seats}
            fitting = ladders & LADDERS_FOR.get(structure.height(beside) - self.level(seat), set())
            steps |= {(square, ladder) for square in free for ladder in fitting}
        return steps

    def step(self, cell: Cell, ladder: str) -> None:
        """Make a step; a used ladder leaves the game (L-4.ladder)."""
        position, acting = self.position, self.position.acting
        seat = position.seats[acting]
        before, level = self.level(seat), self.structure().height(cell)
        squares = {"from": None if seat.climber is None else plain(seat.climber), "to": plain(cell)}
        data = {**squares, "from_level": before, "to_level": level, "phase": position.phase}
        self.log.follow("climber_stepped", data, acting)
        seat.climber = cell
        if ladder != "none":
            self.log.follow("ladder_spent", {"kind": ladder, "diff": level - before}, acting)
            seat.short, seat.long = seat.short and ladder != "short", seat.long and ladder != "long"
        if level > before:
            position.rises += 1
            position.climbed, seat.reached = True, position.rises
            self.log.follow("level_reached", {"level": level, "no": position.rises}, acting)

    def level(self, seat: Seat) -> int:
        """Return the height of a climber (L-4.level)."""
        return 0 if seat.climber is None else self.structure().height(seat.climber)

    def has_disc(self, block: int) -> bool:
        """Return whether there is a disc on a block."""
        return any(seat.disc_block == block for seat in self.position.seats)

    # Moving a block

    def move_block(self) -> None:
        """Let the active seat move or turn one block."""
        position, active = self.position, self.position.active
        position.phase = "B"
        action = self.decision(f"seat {active}", "move_block", "skip_block")
        if action["type"] == "skip_block":
            self.log.follow("phase_skipped", {"phase": "B"}, active)
            return
        block = action["block"]
        self.check_lifting(block)
        old, ground = self.structure().poses[block], self.structure().without(block)
        pose = self.pose_on(ground, action)
        if pose == old:
            self.log.illegal("the block to lie otherwise than before (L-3.unturned)")
        shifts = [(shift["player"], cell_of(shift["to_cell"])) for shift in action["shifts"]]
        self.check_shifts(shifts, ground, ground.having(block, pose))
        for player, cell in shifts:
            cells = {"from_cell": plain(self.standing()[player]), "to_cell": plain(cell)}
            self.log.follow("climber_shifted", {"player": player, "block": ground.showing[cell], **cells}, active)
            position.seats[player].climber = cell
        poses = {"from_pose": old._asdict(), "to_pose": pose._asdict()}
        self.log.follow("block_moved", {"block": block, **poses}, active)
        position.blocks[block], position.moved = pose, block

    def standing(self) -> dict[int, Cell]:
        """Return the squares of the climbers that have left the table, by seat."""
        return {no: seat.climber for no, seat in enumerate(self.position.seats) if seat.climber is not None}

    def check_lifting(self, block: int) -> None:
        """Check that nothing is on a block (L-3.removable), and that it was not moved in the last turn (L-3.last)."""
        if not 0 <= block < BLOCKS:
            self.log.illegal(f"a block from 0 to {BLOCKS - 1}")
        structure = self.structure()
        if structure.top(block) != structure.poses[block].squares:
            self.log.illegal(f"a block that no other lies on, unlike {block}")
        if structure.top(block) & set(self.standing().values()):
            self.log.illegal(f"a block that nobody stands on, unlike {block}")
        if self.has_disc(block):
            self.log.illegal(f"a block that no disc lies on, unlike {block}")
        if block == self.position.last_moved:
            self.log.illegal(f"a block that was not moved in the turn before, unlike {block}")

    def pose_on(self, ground: Structure, action: Mapping[str, Any]) -> Pose:
        """Return a block's pose on other blocks, which must support it (L-3.placeable) and have no disc (L-6.disc)."""
        x, y, dx, dy, top = (action[key] for key in ("x", "y", "dx", "dy", "top"))
        dz = ways_to_lie(self.kinds[action["block"]]).get((dx, dy, top))
        if dz is None:
            self.log.illegal(f"block {action['block']} as it can lie")
        pose = Pose(x, y, ground.height((x, y)), dx, dy, dz, top)
        if not ground.carries(pose):
            self.log.illegal("a place on the table where the ground is level")
        if not ground.touches(pose):
            self.log.illegal("a place where a face of the block touches another")
        if any(self.has_disc(ground.showing[square]) for square in pose.squares & ground.showing.keys()):
            self.log.illegal("a place without a disc on a block below")
        return pose

    def check_shifts(self, shifts: Sequence[tuple[int, Cell]], ground: Structure, laid: Structure) -> None:
        """Check that climbers make room by moving to another square of the same block's top (L-3.shift, L-3.room).

        A climber must move if the block is placed on its square, and may move if the block cuts its place in two. With
        the option shift_all, climbers may move on any block that it is placed on (L-3.whom).
        """
        standing = self.standing()
        after = {**standing, **dict(shifts)}
        must = {no for no, cell in standing.items() if laid.showing[cell] != ground.showing[cell]}
        left = {no: ground.place(cell) & laid.top(ground.showing[cell]) for no, cell in standing.items()}
        may = must | {no for no in standing if len(parts(left[no])) > 1}
        if self.shift_all:
            built_on = {ground.showing[cell] for cell in ground.showing if laid.showing[cell] != ground.showing[cell]}
            may |= {no for no, cell in standing.items() if ground.showing[cell] in built_on}
        shifted = {no for no, _ in shifts}
        if len(shifted) < len(shifts) or not must <= shifted <= may:
            self.log.illegal(
                f"the climbers of {sorted(must)} to be shifted, perhaps some of {sorted(may - must)}, each once"
            )
        for no, cell in shifts:
            if cell == standing[no] or cell not in laid.top(ground.showing[standing[no]]):
                self.log.illegal(f"for the climber of {no} another square of the block it is on")
        if len(set(after.values())) < len(after):
            self.log.illegal("one climber on each square")

    # Placing the disc

    def lay_disc(self) -> None:
        """Let the active seat place its disc on a block without climbers (L-6.disc)."""
        position, active = self.position, self.position.active
        position.phase = "D"
        action = self.decision(f"seat {active}", "place_disc", "skip_disc")
        if action["type"] == "skip_disc":
            self.log.follow("phase_skipped", {"phase": "D"}, active)
            return
        block, cell, structure = action["block"], cell_of(action["cell"]), self.structure()
        if structure.showing.get(cell) != block:
            self.log.illegal(f"a square where block {block} shows")
        if structure.top(block) & set(self.standing().values()):
            self.log.illegal(f"a block that nobody stands on, unlike {block}")
        if self.has_disc(block):
            self.log.illegal(f"a block that no disc lies on, unlike {block}")
        self.log.follow("disc_placed", {"block": block, "cell": plain(cell)}, active)
        seat = position.seats[active]
        seat.disc, seat.disc_block, seat.disc_cell = "on", block, cell

    # The end of a match

    def ranking(self) -> list[list[int]]:
        """Return groups of seats by level, then by who reached it first (L-9.tie, L-9.table)."""
        groups: dict[tuple[int, int], list[int]] = {}
        for number, seat in enumerate(self.position.seats):
            groups.setdefault((-self.level(seat), seat.reached), []).append(number)
        return [groups[key] for key in sorted(groups)]

    def scores(self) -> list[dict[str, int]]:
        """Return for each seat its level, the number of the rise that reached it, and the ladders left."""
        return [
            {"level": self.level(seat), "reached": seat.reached, "ladders": seat.short + seat.long}
            for seat in self.position.seats
        ]

    def end(self, reason: str, ranking: Sequence[Sequence[int]], scores: Sequence[Mapping[str, int]]) -> None:
        """Read the last line; no line may follow."""
        lines = hashlib.sha256(b"".join(self.log.lines[: self.log.read])).hexdigest()
        digests = {"lines_sha256": lines, "state_sha256": digest(asdict(self.position))}
        self.log.follow("match_ended", {"reason": reason, "ranking": ranking, "scores": scores, **digests})
        if self.log.read < len(self.log.lines):
            self.log.depart("no line after match_ended", self.log.lines[self.log.read].decode(errors="replace"))


def first_departure(lines: Sequence[bytes], board: Mapping[str, Any]) -> Departure | None:
    """Return the first line of a match that diverges from the rules, or `None`; lines include their line ends."""
    try:
        Referee(lines, board).play()
    except Departs as departs:
        return departs.departure
    except LogEnds:
        return None
    return None


# --- The command line ---


def matches(path: Path) -> Iterator[tuple[str, list[bytes]]]:
    """Yield each match of a file with its lines; a line without a match name belongs to the match before it."""
    name = ""
    named: list[tuple[str, bytes]] = []
    with path.open("rb") as file:
        for line in file:
            name = match_named_on(line) or name
            named.append((name, line))
    for match, group in groupby(named, key=itemgetter(0)):
        yield match, [line for _, line in group]


def match_named_on(line: bytes) -> str | None:
    """Return the match named on a line, if any."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value["match"] if isinstance(value, dict) and isinstance(value.get("match"), str) else None


def main(arguments: Sequence[str]) -> int:
    """Print for each match in some files whether it follows the rules, or where it first diverges."""
    if len(arguments) < 2:
        sys.stderr.write("usage: python climbers.py BOARD.json LOG.jsonl...\n")
        return 2
    board = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    all_follow = True
    for log in arguments[1:]:
        before = 0
        for match, lines in matches(Path(log)):
            departure = first_departure(lines, board)
            if departure is None:
                sys.stdout.write(f"{log}: {match} follows from the rules\n")
            else:
                all_follow = False
                where = f"{log}:{before + departure.line}"
                sys.stdout.write(f"{where}: expected {departure.expected}, found {departure.found}\n")
            before += len(lines)
    return 0 if all_follow else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
