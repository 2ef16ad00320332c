"""A referee for summit: reports the first line of an event log that does not follow from the rules.

It follows the match from the first line to the last. At each step it knows which event comes next, or who decides.
Anchors in docstrings, such as S-7.chase, are those of the rules. It is independent and shares no code with the program
that plays the game.

    python summit.py BOARD.json LOG.jsonl...
"""

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

LONGEST_LINE = 1 << 20
DEEPEST = 200
MATCH = re.compile(r"[A-Za-z0-9._-]{1,64}")
TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)

Data = dict[str, Any]
OPTIONAL = type(None)
ENVELOPE: Data = {
    "match": str,
    "seq": int,
    "ply": int,
    "round": int,
    "type": str,
    "seat": (int, OPTIONAL),
    "data": dict,
    "action": (dict, OPTIONAL),
    "at": (str, OPTIONAL),
}
HEADER: Data = {
    "format": int,
    "game": str,
    "rules_version": str,
    "options": dict,
    "board": dict,
    "seats": [dict],
    "tournament": (str, OPTIONAL),
    "pairing": (int, OPTIONAL),
    "luck": (str, OPTIONAL),
}
SEAT: Data = {"seat": int, "player": str, "version": str, "params": dict, "label": str}
MOVE: Data = {"type": str, "piece": str, "dir": str, "along": ([str], OPTIONAL)}
ACTIONS: dict[str, Data] = {
    "draw_lot": {"type": str, "first": int},
    "throw_dice": {"type": str, "values": [int]},
    "draw_yeti_card": {"type": str, "card": int},
    "draw_bad_weather": {"type": str},
    "reroll": {"type": str},
    "move_by_die": {**MOVE, "face": int},
    "move_by_card": {**MOVE, "card": str, "value": int},
    "forfeit": {"type": str, "face": int},
    "take_back": {"type": str, "card": str},
    "decline": {"type": str},
}
PLAYERS = 4
"""Default number of players."""
CLIMBER = "C"
SHERPAS = ("S0", "S1", "S2", "S3")


@dataclass(frozen=True)
class Departure:
    """A divergence from the rules: the line number, from 1, with the expected and the found event."""

    line: int
    expected: str
    found: str


class Departed(Exception):
    """The match diverges from the rules."""

    def __init__(self, line: int, expected: str, found: object) -> None:
        super().__init__(f"{line}: expected {expected}, found {found}")
        self.departure = Departure(line, expected, str(found))


class EndOfLog(Exception):
    """Raised when the log ends, whether the match is finished or not."""


def first_departure(lines: Sequence[bytes], board: Mapping[str, Any]) -> Departure | None:
    """Return the first line of a match that does not follow from the rules, or None."""
    try:
        Referee(lines, board).follow()
    except Departed as departed:
        return departed.departure
    except EndOfLog:
        pass
    return None


# Read lines


@dataclass(frozen=True)
class Line:
    """A line of a match with a valid envelope."""

    number: int
    match: str
    seq: int
    ply: int
    round: int
    type: str
    seat: int | None
    data: Data
    action: Data | None
    at: str | None
    board: object

    def __str__(self) -> str:
        return described(self.type, self.seat, self.data)


def described(kind: str, seat: int | None, data: Data) -> str:
    """Describe an event for messages."""
    who = "" if seat is None else f" of seat {seat}"
    return f"{kind}{who} {plain(data)}"


def plain(value: object) -> str:
    """Return a value as compact JSON, which distinguishes `1`, `1.0` and `true`."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes."""
    return hashlib.sha256(data).hexdigest()


def is_a(value: object, kind: Any) -> bool:
    """Return whether a value matches a kind: a type, a choice of kinds, or `[type]` for a list."""
    if isinstance(kind, tuple):
        return any(is_a(value, one) for one in kind)
    if isinstance(kind, list):
        return isinstance(value, list) and all(type(item) is kind[0] for item in value)
    return type(value) is kind


def misfit(data: Data, shape: Data) -> str | None:
    """Return what is wrong with the keys of an object or the types of their values."""
    for key in (*shape, *data):
        if key not in data:
            return f"the key {key}"
        if key not in shape:
            return f"no key {key}"
        if not is_a(data[key], shape[key]):
            return f"another kind of value for {key}"
    return None


def read_line(raw: bytes, number: int) -> Line:
    """Return a line of the log after checking its envelope; unknown keys of the envelope are ignored."""
    try:
        entry = read_json(raw)
    except (ValueError, RecursionError) as error:
        raise Departed(number, "a line of JSON as the format has it", error) from None
    known: Data = {key: entry.get(key) for key in ENVELOPE}
    problem = misfit(known, ENVELOPE)
    if problem:
        raise Departed(number, f"{problem} in the envelope", plain(entry))
    line = Line(number, **known, board=entry.get("board"))
    if not MATCH.fullmatch(line.match):
        raise Departed(number, "a name for the match", line.match)
    if line.seq != number - 1:
        raise Departed(number, f"seq {number - 1}", f"seq {line.seq}")
    if line.at is not None and not is_time(line.at):
        raise Departed(number, "a time such as 2026-01-31T18:05:00Z", line.at)
    return line


def read_json(raw: bytes) -> Data:
    """Return the object on a line; `ValueError` if readers could interpret it differently."""
    if len(raw) > LONGEST_LINE:
        raise ValueError(f"more than {LONGEST_LINE} bytes")
    if raw.endswith(b"\r\n"):
        raise ValueError("a line end of \\r\\n")
    entry: Data = json.loads(raw.decode(), object_pairs_hook=once)
    if not is_a(entry, dict):
        raise ValueError("no object")
    if depth(entry) > DEEPEST:
        raise ValueError(f"nesting deeper than {DEEPEST} levels")
    plain(entry).encode()  # raises ValueError for NaN, numbers beyond a double, and lone surrogates
    return entry


def once(pairs: list[tuple[str, Any]]) -> Data:
    """Return the object of these pairs; raises if a key is repeated."""
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key that stands twice")
    return dict(pairs)


def depth(value: object) -> int:
    """Return how deeply objects and lists are nested."""
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def is_time(text: str) -> bool:
    """Return whether a text is an RFC 3339 time on an existing day."""
    if not TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(re.sub(r":60(?=[.Z+-])", ":59", text.upper()))  # a leap second
    except ValueError:
        return False
    return True


def option_problems(options: Data) -> Iterator[str]:
    """Yield the errors in the options of a match."""
    players, first = options.get("players", PLAYERS), options.get("first")
    if type(players) is not int or players not in range(2, 6):
        yield "the option players, 2 to 5"
    elif first is not None and (type(first) is not int or first not in range(players)):
        yield "a seat as the option first"
    if not options.keys() <= {"players", "first"}:
        yield "no options but players and first"


# The position


@dataclass
class Seat:
    """The pawns and cards of a player."""

    hand: list[str]
    climber: int = 0
    sherpas: list[int] = field(default_factory=lambda: [1, 2, 3, 4])
    used: list[str] = field(default_factory=list)
    gained: list[int] = field(default_factory=list)

    def names_on(self, place: int) -> list[str]:
        """Return the names of the Sherpas on a field, lowest first (S-8.alike)."""
        return [name for name, at in zip(SHERPAS, self.sherpas, strict=True) if at == place]


@dataclass
class Position:
    """The state of a match; its digest is `state_sha256`."""

    yeti: int
    deck: list[int]
    phase: str = "start"
    turn: int = 0
    active: int = 0
    throws: int = 0
    draws: int = 0
    cycle: int = 1
    rerolled: bool = False
    arrived: int | None = None
    pool: list[int] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)


@dataclass(frozen=True)
class Move:
    """A seat's move by a die or card; `along` is `None` without the take-along rule."""

    number: int
    piece: str
    dir: str
    along: list[str] | None = None
    by_card: bool = False

    @classmethod
    def of(cls, action: Data) -> "Move":
        """Return the move of an action."""
        by_card = action["type"] == "move_by_card"
        number = action["value" if by_card else "face"]
        return cls(number, action["piece"], action["dir"], action["along"], by_card)

    @property
    def steps(self) -> int:
        """Fields the pawn moves up; negative for a backward move, by half the value rounded up (S-6.backward)."""
        return self.number if self.dir == "fwd" else -((self.number + 1) // 2)


class Referee:
    """Follows a match line by line; its methods raise `Departed` at the first line that violates the rules."""

    def __init__(self, lines: Sequence[bytes], board: Mapping[str, Any]) -> None:
        self.lines = lines
        self.read = 0
        self.match: str | None = None
        self.ply = 0
        self.board = board
        self.summit: int = board["summit"]
        self.camps = {0, *board["high_camps"]}
        self.slides: dict[int, Data] = {int(source): slide for source, slide in board["slides"].items()}
        self.first: int | None = None
        self.dice = 0
        self.now = Position(yeti=board["cave"], deck=sorted(map(int, board["yeti_cards"])))
        self.over = False

    @property
    def own(self) -> Seat:
        """The pawns and cards of the active seat."""
        return self.now.seats[self.now.active]

    # Read the next lines

    def next_line(self) -> Line:
        """Return the next line of the match."""
        if self.read == len(self.lines):
            raise EndOfLog
        self.read += 1
        line = read_line(self.lines[self.read - 1], self.read)
        if self.match not in {None, line.match}:
            raise Departed(line.number, f"the match {self.match}", line.match)
        self.match = line.match
        return line

    def follows(self, kind: str, data: Data, seat: int | None = None) -> None:
        """Read the next line, which must contain this forced event."""
        line = self.next_line()
        self.same(line, kind, data, seat)
        if line.action is not None:
            raise Departed(line.number, "no action: the event follows by rule", plain(line.action))

    def same(self, line: Line, kind: str, data: Data, seat: int | None = None) -> None:
        """Check that a line has the expected event."""
        expected, found = described(kind, seat, data), str(line)
        if expected != found:
            raise Departed(line.number, expected, found)
        if (line.ply, line.round) != (self.ply, self.now.throws):
            expected = f"ply {self.ply}, round {self.now.throws}"
            raise Departed(line.number, expected, f"ply {line.ply}, round {line.round}")

    def decision(self, phase: str, seat: int | None, *kinds: str) -> tuple[Line, Data]:
        """Read the next line, which begins a ply; return its action by a seat or chance."""
        self.now.phase = phase
        line = self.next_line()
        if line.type == "match_ended" and line.data.get("reason") == "abandoned":
            self.ended(line, "abandoned", [], [])
        action = line.action
        if action is None or action.get("type") not in kinds:
            whose = "chance" if seat is None else f"seat {seat}"
            expected = f"an action of {whose}: {' or '.join(kinds)}"
            raise Departed(line.number, expected, line if action is None else plain(action))
        shape = ACTIONS[action["type"]]
        if "along" in shape:
            action = {"along": None, **action}
        problem = misfit(action, shape)
        if problem:
            raise Departed(line.number, f"{problem} in the action", plain(action))
        self.ply += 1
        return line, action

    # The first and the last line of a match

    def follow(self) -> None:
        """Follow the match from its first line to its last (S-10.summit, S-10.weather, S-10.tie, S-10.places)."""
        self.header()
        self.set_up()
        while not self.over:
            self.one_turn()
        standing = [(seat.climber, sum(seat.sherpas)) for seat in self.now.seats]
        places = sorted(set(standing), reverse=True)
        ranking = [[seat for seat, own in enumerate(standing) if own == place] for place in places]
        scores = [{"climber": climber, "sherpas": sherpas} for climber, sherpas in standing]
        self.ended(self.next_line(), "finished", ranking, scores)

    def header(self) -> None:
        """Check `match_started`, with the game, board and players."""
        line = self.next_line()
        for problem in self.header_problems(line):
            raise Departed(line.number, problem, str(line))
        players = line.data["options"].get("players", PLAYERS)
        self.first = line.data["options"].get("first")
        self.dice = self.board["dice_by_players"][str(players)]
        self.now.seats = [Seat(list(self.board["supply_by_players"][str(players)])) for _ in range(players)]

    def header_problems(self, line: Line) -> Iterator[str]:
        """Yield what is missing or wrong on the first line."""
        if (line.type, line.ply, line.round, line.seat, line.action) != ("match_started", 0, 0, None, None):
            yield "match_started, ply 0, round 0, without seat and action"
        if problem := misfit(line.data, HEADER):
            yield problem
        data = line.data
        if (data["format"], data["game"], data["rules_version"]) != (1, "summit", "1"):
            yield 'format 1, game "summit", rules_version "1"'
        if data["board"] != {"id": self.board["id"], "sha256": digest(plain(self.board).encode())}:
            yield "id and sha256 of the board that is played on"
        if line.board is not None and plain(line.board) != plain(self.board):
            yield "no other board than that of this sha256"
        yield from option_problems(data["options"])
        for seat in data["seats"]:
            source = seat.pop("source_sha256", "0" * 64)
            if problem := misfit(seat, SEAT):
                yield f"{problem} in seats"
            if not re.fullmatch("[0-9a-f]{64}", str(source)):
                yield "a digest as source_sha256"
        players = data["options"].get("players", PLAYERS)
        if [seat["seat"] for seat in data["seats"]] != list(range(players)):
            yield f"the seats 0 to {players - 1}"
        if data["pairing"] is not None and not 0 <= data["pairing"] < 1 << 31:
            yield "a pairing from 0 to 2147483647"

    def ended(self, line: Line, reason: str, ranking: list[list[int]], scores: list[dict[str, int]]) -> NoReturn:
        """Check `match_ended`, and that no line follows."""
        data = {
            "reason": reason,
            "ranking": ranking,
            "scores": scores,
            "lines_sha256": digest(b"".join(self.lines[: self.read - 1])),
            "state_sha256": digest(plain(asdict(self.now)).encode()),
        }
        self.same(line, "match_ended", data)
        if line.action is not None:
            raise Departed(line.number, "no action on match_ended", plain(line.action))
        after = self.next_line()
        raise Departed(after.number, "nothing after match_ended", after)

    # The turn of a seat

    def set_up(self) -> None:
        """Shuffle the Yeti cards and choose the start player (S-4.start)."""
        self.follows("deck_shuffled", {"cycle": 1, "size": len(self.now.deck)})
        if self.first is not None:
            self.now.active = self.first
            self.follows("start_player_chosen", {"first": self.first, "method": "named"})
            return
        line, action = self.decision("start", None, "draw_lot")
        if action["first"] not in range(len(self.now.seats)):
            raise Departed(line.number, "one of the seats as first", plain(action))
        self.now.active = action["first"]
        self.same(line, "start_player_chosen", {"first": self.now.active, "method": "lot"})

    def one_turn(self) -> None:
        """Play the turn of the active seat (S-5.order)."""
        self.now.turn += 1
        self.now.rerolled, self.now.arrived = False, None
        self.follows("turn_started", {"no": self.now.turn}, self.now.active)
        if not self.now.pool:
            self.throw("pool_empty" if self.now.throws else "start")
        while not self.over and self.decide():
            self.throw("reroll")
        if not self.over:
            self.follows("turn_ended", {}, self.now.active)
            self.now.active = (self.now.active + 1) % len(self.now.seats)

    def throw(self, cause: str) -> None:
        """Throw all dice; draw a Yeti card, except at the first throw (S-5.throw)."""
        line, action = self.decision("throw" if cause == "reroll" else "decide", None, "throw_dice")
        values = action["values"]
        if len(values) != self.dice or values != sorted(values) or not set(values) <= set(range(1, 7)):
            raise Departed(line.number, f"{self.dice} dice in ascending order", plain(action))
        self.now.pool = values
        self.now.throws += 1
        self.same(line, "dice_rolled", {"thrower": self.now.active, "values": values, "cause": cause})
        if cause != "start":
            self.draw()

    def draw(self) -> None:
        """Draw a Yeti card; if none is left, shuffle all drawn cards again, with the bad weather (S-7.deck)."""
        if self.now.cycle == 1 and not self.now.deck:
            self.now.cycle = 2
            self.now.deck, self.now.seen = sorted(self.now.seen), []
            self.follows("deck_shuffled", {"cycle": 2, "size": len(self.now.deck) + 1})
        kinds = ["draw_yeti_card"] if self.now.cycle == 1 else ["draw_yeti_card", "draw_bad_weather"]
        line, action = self.decision("draw", None, *kinds)
        self.now.draws += 1
        if action["type"] == "draw_bad_weather":
            self.same(line, "bad_weather", {"draw_no": self.now.draws})
            self.now.phase, self.over = "over", True
            return
        card: int = action["card"]
        if card not in self.now.deck:
            raise Departed(line.number, f"one of the cards {self.now.deck}", plain(action))
        self.now.deck.remove(card)
        self.now.seen.append(card)
        self.same(line, "yeti_card_drawn", {"card": card, "draw_no": self.now.draws})
        self.move_yeti(card)

    def move_yeti(self, card: int) -> None:
        """Move the Yeti between the base camp and the field below the summit; it chases Sherpas there (S-7.yeti)."""
        origin, wanted = self.now.yeti, self.now.yeti + card
        self.now.yeti = min(max(wanted, 0), self.summit - 1)
        self.follows("yeti_moved", {"from": origin, "to": self.now.yeti, "clamped": self.now.yeti != wanted})
        for seat in range(len(self.now.seats)):
            self.chase(seat, range(4), "yeti_arrived")

    def chase(self, seat: int, sherpas: Sequence[int], cause: str) -> None:
        """Send Sherpas that meet the Yeti to the camp below, except in a camp or with their climber (S-7.chase)."""
        own = self.now.seats[seat]
        if self.now.yeti in self.camps or own.climber == self.now.yeti:
            return
        camp = max(camp for camp in self.camps if camp <= self.now.yeti)
        for sherpa in sherpas:
            if own.sherpas[sherpa] == self.now.yeti:
                own.sherpas[sherpa] = camp
                data = {"piece": SHERPAS[sherpa], "from": self.now.yeti, "to": camp, "cause": cause}
                self.follows("yeti_chased", data, seat)

    # Decisions of a seat

    def decide(self) -> bool:
        """Carry out the active seat's action; return whether it throws the dice again (S-5.reroll, S-8.reroll)."""
        rerolls = ["reroll"] if len(self.now.pool) == 1 and not self.now.rerolled else []
        line, action = self.decision("decide", self.now.active, *rerolls, "move_by_die", "move_by_card", "forfeit")
        kind = action["type"]
        if kind == "reroll":
            self.now.rerolled = True
            self.same(line, "reroll_chosen", {}, self.now.active)
            return True
        problem = self.action_problem(action)
        if problem:
            raise Departed(line.number, f"another action: {problem}", plain(action))
        if kind == "move_by_card":
            self.own.hand.remove(action["card"])
            self.own.used.append(action["card"])
            self.same(line, "supply_played", {"card": action["card"], "value": action["value"]}, self.now.active)
        else:
            self.now.pool.remove(action["face"])
            event = "forfeited" if kind == "forfeit" else "die_taken"
            self.same(line, event, {"face": action["face"]}, self.now.active)
        if kind != "forfeit":
            self.carry_out(Move.of(action))
        return False

    def action_problem(self, action: Data) -> str | None:
        """Return why the active seat may not use a die or card in this way, or None (S-5.card, S-5.forfeit)."""
        if action["type"] == "move_by_card":
            if action["card"] not in self.own.hand:
                return f"the supply cards are {self.own.hand}"
            if str(action["value"]) not in action["card"].split("/"):
                return f"the numbers of the card are {action['card']}"
        elif action["face"] not in self.now.pool:
            return f"the dice show {self.now.pool}"
        if action["type"] != "forfeit":
            return self.problem(Move.of(action))
        for die in self.now.pool:
            for piece in (CLIMBER, *SHERPAS):
                for way in ("fwd", "back"):
                    if self.problem(Move(die, piece, way)) is None:
                        return f"the die {die} moves {piece} {way}"
        return None

    # Legal moves

    def problem(self, move: Move) -> str | None:
        """Return why the active seat may not make a move, or None."""
        if move.dir not in {"fwd", "back"}:
            return "a pawn goes fwd or back"
        if move.piece == CLIMBER:
            return self.climber_problem(move)
        if move.piece in SHERPAS:
            return self.sherpa_problem(move)
        return "there is no such pawn"

    def climber_problem(self, move: Move) -> str | None:
        """Return why the climber may not make a move (S-6.climber, S-6.summit)."""
        to = self.own.climber + move.steps
        if move.dir == "back":
            return "a climber moves forward only"
        if move.along is not None:
            return "a climber goes alone"
        if to >= self.summit:
            return "no supply card leads to the summit" if move.by_card else None
        if any(seat.climber == to for seat in self.now.seats):
            return f"another climber stands on {to}"
        if self.own.sherpas.count(to) < 2:
            return f"the climber needs two own Sherpas on {to}"
        return self.obstacle(to, by_card=move.by_card)

    def sherpa_problem(self, move: Move) -> str | None:
        """Return why a Sherpa may not make a move (S-6.forward, S-6.backward, S-8.alike)."""
        origin = self.own.sherpas[SHERPAS.index(move.piece)]
        to = origin + move.steps
        alike = self.own.names_on(origin)
        if move.piece != alike[0]:
            return f"{alike[0]} is the lowest of {alike} on {origin}"
        if not 0 <= to < self.summit:
            return f"no Sherpa goes to {to}"
        return self.obstacle(to, by_card=move.by_card) or self.along_problem(move, to)

    def along_problem(self, move: Move, found_on: int) -> str | None:
        """Return why a Sherpa may not continue with others from where it first lands (S-6.along)."""
        if move.along is None:
            return None
        if move.dir == "back":
            return "nobody goes on after a move backward"
        if found_on in self.slides:
            return f"nobody goes on from the slide on {found_on}"
        found = self.sherpas_on(found_on)
        if not found:
            return f"no Sherpas stand on {found_on}"
        alike = self.own.names_on(found_on)
        if move.along != alike[: len(move.along)]:
            return f"the lowest of {alike} go along"
        if found_on + found >= self.summit:
            return "no Sherpa enters the summit"
        return self.obstacle(found_on + found, by_card=move.by_card)

    def obstacle(self, to: int, *, by_card: bool) -> str | None:
        """Return why no pawn may end its move on a field, or None (S-6.blocked, S-6.snow)."""
        if to == self.board["cave"]:
            return f"the cave is on {to}"
        if to == self.now.yeti:
            return f"the Yeti is on {to}"
        if by_card and to in self.board["snow"]:
            return f"no supply card leads to the snow on {to}"
        return None

    def sherpas_on(self, place: int) -> int:
        """Return the number of Sherpas of all seats on a field."""
        return sum(seat.sherpas.count(place) for seat in self.now.seats)

    # Consequences of a move

    def carry_out(self, move: Move) -> None:
        """Move a pawn with all consequences, to the end of the turn or match."""
        self.now.phase = "resolve"
        self.now.arrived = self.move_climber(move) if move.piece == CLIMBER else self.move_sherpa(move)
        self.over = self.now.arrived == self.summit
        if not self.over:
            self.resupply()

    def move_climber(self, move: Move) -> int:
        """Move the climber; Sherpas that it leaves with the Yeti are chased (S-6.climber, S-6.summit, S-7.chase)."""
        own, origin = self.own, self.own.climber
        own.climber = min(origin + move.steps, self.summit)
        self.pawn_moved(move, origin, own.climber)
        if origin == self.now.yeti:
            self.chase(self.now.active, range(4), "climber_left")
        return own.climber

    def move_sherpa(self, move: Move) -> int:
        """Move a Sherpa and those it takes along, with their slides (S-6.along, S-7.slide)."""
        own, origin = self.own, self.own.sherpas[SHERPAS.index(move.piece)]
        to = origin + move.steps
        self.pawn_moved(move, origin, to)
        movers = [move.piece]
        if move.along is not None:
            movers += move.along
            found = self.sherpas_on(to)
            data = {"found": found, "movers": movers, "from": to, "to": to + found}
            self.follows("take_along", data, self.now.active)
            to += found
        moved = sorted(SHERPAS.index(name) for name in movers)
        for sherpa in moved:
            own.sherpas[sherpa] = to
        if to not in self.slides:
            return to
        end: int = self.slides[to]["to"]
        for sherpa in moved:
            own.sherpas[sherpa] = end
            data = {"piece": SHERPAS[sherpa], "from": to, "to": end, "kind": self.slides[to]["kind"]}
            self.follows("slid", data, self.now.active)
            self.chase(self.now.active, [sherpa], "slid")
        return end

    def pawn_moved(self, move: Move, origin: int, to: int) -> None:
        """Read the event of a pawn moving by its number."""
        data = {"piece": move.piece, "from": origin, "to": to, "dir": move.dir, "steps": abs(move.steps)}
        self.follows("pawn_moved", data, self.now.active)

    def resupply(self) -> None:
        """Let the seat take back a used card in a high camp that a pawn has reached in this turn (S-7.resupply)."""
        own, camp = self.own, self.now.arrived
        if camp is None or camp not in self.board["high_camps"]:
            return
        if own.sherpas.count(camp) < 2 or camp in own.gained or not own.used:
            return
        line, action = self.decision("resolve", self.now.active, "take_back", "decline")
        if action["type"] == "decline":
            self.same(line, "resupply_declined", {"camp": camp}, self.now.active)
            return
        card = action["card"]
        if card not in own.used:
            raise Departed(line.number, f"one of the used cards {own.used}", plain(action))
        own.used.remove(card)
        own.hand.append(card)
        own.gained = sorted([*own.gained, camp])
        self.same(line, "resupplied", {"camp": camp, "card": card}, self.now.active)


# The command line


def matches(log: Iterable[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the matches of a log, each with the number of lines before it and its own consecutive lines."""
    name: str | None = None
    lines: list[bytes] = []
    number = 0
    for number, line in enumerate(log):
        found = match_name(line) or name
        if lines and found != name:
            yield number - len(lines), lines
            lines = []
        name = found
        lines.append(line)
    yield number + 1 - len(lines), lines


def match_name(line: bytes) -> str | None:
    """Return the match name on a line, if readable."""
    try:
        name = read_json(line).get("match")
    except (ValueError, RecursionError):
        return None
    return name if isinstance(name, str) else None


def main(board_file: str, *logs: str) -> int:
    """Print the result for each match of each log; return 1 if a match diverges from the rules."""
    departs = 0
    board = json.loads(Path(board_file).read_bytes())
    for name in logs:
        with Path(name).open("rb") as log:
            for before, lines in matches(log):
                found = first_departure(lines, board)
                verdict = f"{name}: {match_name(lines[0])} follows from the rules"
                if found is not None:
                    departs = 1
                    verdict = f"{name}:{before + found.line}: expected {found.expected}, found {found.found}"
                sys.stdout.write(verdict + "\n")
    return departs


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
