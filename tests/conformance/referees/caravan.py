"""A referee for caravan: checks that a log follows from the rules, and reports the first line that does not.

The rules are those of himalaya_core/caravan/RULES.md, whose anchors are named here; the log format is that of
docs/reference/event-log.md. The referee plays the match along with the log. For a decision of a player or of chance,
it reads the log and checks that the decision is allowed. It computes everything else and expects the log to agree.

    python caravan.py BOARD.json LOG.jsonl...
"""

import hashlib
import itertools
import json
import math
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

Json = dict[str, Any]

RESOURCES = {"salt": 18, "barley": 15, "tea": 12, "jade": 9, "gold": 6}
"""Number of cubes of each resource, cheapest first."""
PLANNED = ("soil", "stone", "ice", "trade", "rest")
TOKENS = ("yeti", "snowstorm", "market")
STUPAS, DELEGATIONS, MARKER_YAKS = 5, 15, 3
ROUNDS, STEPS, DIE = 12, 6, 20
INVENTORY_ROUNDS = (4, 8, 12)

FLAGS = ("tokens", "full_inventory", "village_cards", "fewer_rewards")
HEADER_KEYS = {"format", "game", "rules_version", "options", "board", "seats", "tournament", "pairing", "luck"}
PLAYERS = 4
"""Default number of players."""
SEAT_KEYS = {"seat", "player", "version", "params", "label"}
NULLABLE = {
    "refill_rolled": ("drawn", "order"),
    "token_placed": ("road", "village"),
    "place_token": ("road", "village"),
    "moved": ("storm",),
}
"""Keys that may be null or missing, by type of event or action."""
LINE_BYTES, LEVELS, LARGEST = 1 << 20, 200, (1 << 31) - 1
"""Limits: length of a line including its end, nesting depth of its values, and largest number."""


@dataclass(frozen=True)
class Supply:
    """Number of pieces, depending on the number of players (C-setup.supply)."""

    villages: int
    cubes: int
    out_for_politics: int


SUPPLY = {3: Supply(5, 5, 0), 4: Supply(5, 5, 1), 5: Supply(6, 4, 1), 6: Supply(6, 5, 2)}


@dataclass(frozen=True)
class Departure:
    """The first line that does not follow from the rules; `line` counts from 1 within the match."""

    line: int
    expected: str
    found: str


class Departed(Exception):
    """The log diverges from the rules."""

    def __init__(self, line: int, expected: str, found: str) -> None:
        super().__init__(line, expected, found)
        self.departure = Departure(line, expected, found)


class LogEnds(Exception):
    """There are no more lines."""


class Abandoned(Exception):
    """The last line read says that the match was abandoned."""


def first_departure(lines: Sequence[bytes], board: Mapping[str, Any]) -> Departure | None:
    """Return the first divergence of a match from the rules, or None."""
    log = Log(lines)
    try:
        Referee(log, board, read_header(log, board)).match()
    except LogEnds:
        return None
    except Departed as departed:
        return departed.departure
    return None


# Read lines


@dataclass(frozen=True)
class Entry:
    """A line with a valid envelope."""

    line: int
    match: str
    seq: int
    ply: int
    round: int
    type: str
    seat: int | None
    data: Json
    action: Json | None
    board: Any

    @property
    def told(self) -> str:
        """The event as text, for comparison and messages."""
        return told(self.type, self.seat, self.ply, self.round, without_nulls(self.type, self.data))


class Log:
    """The lines of a match, read one after another."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._lines = [line.removesuffix(b"\n") for line in lines]
        self._match = ""
        self._digest = hashlib.sha256()
        self.read = 0

    def next(self) -> Entry:
        """Read the next line."""
        if self.read == len(self._lines):
            raise LogEnds
        if self.read:
            self._digest.update(self._lines[self.read - 1] + b"\n")
        number = self.read + 1
        try:
            entry = read_entry(number, self._lines[self.read])
        except ValueError as error:
            raise Departed(number, "a line of an event log", str(error)) from None
        if entry.seq != self.read:
            raise Departed(number, f"seq {self.read}", f"seq {entry.seq}")
        if self.read and entry.match != self._match:
            raise Departed(number, f"match {self._match}", f"match {entry.match}")
        self._match = entry.match
        self.read = number
        return entry

    @property
    def lines_sha256(self) -> str:
        """The digest of all lines before the last one read."""
        return self._digest.hexdigest()


def read_entry(number: int, line: bytes) -> Entry:
    """Read a line and check its envelope; raises `ValueError` with what is wrong."""
    if len(line) >= LINE_BYTES:
        raise ValueError(f"a line of {len(line) + 1} bytes")
    if line.endswith(b"\r"):
        raise ValueError("a line end of \\r\\n")
    try:
        found = json.loads(line.decode(), object_pairs_hook=_unique, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("values nested too deep") from None
    _check_value(found, 0)
    if type(found) is not dict:
        raise ValueError("a value that is no object")
    found = {"seat": None, "action": None, "at": None, "board": None, **found}
    checks: dict[str, Callable[[Any], bool]] = {
        "match": lambda value: _matches(value, r"[A-Za-z0-9._-]{1,64}"),
        "seq": is_count,
        "ply": is_count,
        "round": is_count,
        "type": lambda value: _matches(value, r"[a-z][a-z0-9_]*"),
        "seat": lambda value: value is None or (is_count(value) and value <= 5),
        "data": lambda value: isinstance(value, dict),
        "action": lambda value: value is None or isinstance(value, dict),
        "at": lambda value: value is None or _is_time(value),
    }
    for key, is_right in checks.items():
        if key not in found:
            raise ValueError(f"no {key}")
        if not is_right(found[key]):
            raise ValueError(f"{key} {text(found[key])}")
    del found["at"]
    return Entry(line=number, **{key: found[key] for key in Entry.__dataclass_fields__ if key != "line"})


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError(f"a key that stands twice among {[key for key, _ in pairs]}")
    return value


def _no_number(constant: str) -> NoReturn:
    raise ValueError(constant)


def _check_value(value: Any, level: int) -> None:
    """Reject values that JSON readers interpret differently."""
    if isinstance(value, dict | list) and level > LEVELS:
        raise ValueError("values nested too deep")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a number that no double holds")
    if isinstance(value, str):
        value.encode()  # raises ValueError for a lone surrogate
    members = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    for member in members:
        _check_value(member, level + 1)


def is_count(value: Any) -> bool:
    """Return whether a value is an integer from 0: neither true nor 1.0."""
    return type(value) is int and 0 <= value <= LARGEST


def _matches(value: Any, pattern: str) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None


def _is_time(value: Any) -> bool:
    """Return whether a value is a time with seconds and a zone, on an existing day."""
    if not _matches(value, r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:?[0-5]\d)"):
        return False
    try:
        datetime.fromisoformat(re.sub(r":60(?=[.Z+-])", ":59", value.upper()))  # a leap second
    except ValueError:
        return False
    return True


def text(value: Any) -> str:
    """Return the canonical JSON of a value: equal for equal values, but 1, 1.0 and true differ."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of a value."""
    return hashlib.sha256(text(value).encode()).hexdigest()


def without_nulls(kind: Any, data: Json) -> Json:
    """Remove keys that are null."""
    nullable = NULLABLE.get(kind, ()) if isinstance(kind, str) else ()
    return {key: value for key, value in data.items() if value is not None or key not in nullable}


def told(kind: str, seat: int | None, ply: int, round: int, data: Json) -> str:
    """Describe an event as a sentence."""
    return f"{kind} of {who(seat)} in ply {ply} of round {round}: {text(data)}"


def who(seat: int | None) -> str:
    """Return the name of a seat for messages."""
    return "nobody" if seat is None else f"seat {seat}"


# Read the first line


def read_header(log: Log, board: Mapping[str, Any]) -> Json:
    """Read `match_started` and return the options."""
    entry = log.next()
    data = entry.data
    if entry.type != "match_started" or set(data) != HEADER_KEYS:
        raise Departed(1, f"match_started with {', '.join(sorted(HEADER_KEYS))}", f"{entry.type} {text(data)}")
    right = {
        "ply": entry.ply == 0,
        "round": entry.round == 0,
        "seat": entry.seat is None,
        "action": entry.action is None,
        "board of the envelope": entry.board is None or text(entry.board) == text(board),
        "format": text(data["format"]) == "1",
        "game": data["game"] == "caravan",
        "rules_version": data["rules_version"] == "1",
        "options": _are_options(data["options"]),
        "board": data["board"] == {"id": board["id"], "sha256": digest(board)},
        "seats": isinstance(data["seats"], list) and all(map(_is_seat, data["seats"], itertools.count())),
        "tournament": data["tournament"] is None or isinstance(data["tournament"], str),
        "pairing": data["pairing"] is None or is_count(data["pairing"]),
        "luck": data["luck"] is None or isinstance(data["luck"], str),
    }
    for key, is_right in right.items():
        if not is_right:
            raise Departed(1, f"match_started with the right {key}", f"{entry.told} by {text(entry.action)}")
    options: Json = {"players": PLAYERS, **data["options"]}
    if len(data["seats"]) != options["players"]:
        raise Departed(1, f"{options['players']} seats", f"{len(data['seats'])} seats")
    return options


def _are_options(options: Any) -> bool:
    return (
        isinstance(options, dict)
        and set(options) <= {"players", "first", *FLAGS}
        and is_count(options.get("players", PLAYERS))
        and options.get("players", PLAYERS) in SUPPLY
        and is_count(options.get("first", 0))
        and options.get("first", 0) < options.get("players", PLAYERS)
        and all(isinstance(options.get(flag, False), bool) for flag in FLAGS)
    )


def _is_seat(seat: Any, number: int) -> bool:
    return (
        isinstance(seat, dict)
        and set(seat) - {"source_sha256"} == SEAT_KEYS
        and re.fullmatch("[0-9a-f]{64}", str(seat.get("source_sha256", "0" * 64))) is not None
        and text(seat["seat"]) == str(number)
        and all(isinstance(seat[key], str) for key in ("player", "version", "label"))
        and isinstance(seat["params"], dict)
    )


# The board and the pieces on it


class Board:
    """The map and the orders, in look-up tables."""

    def __init__(self, board: Mapping[str, Any]) -> None:
        self.level: dict[int, int] = {village["village"]: village["level"] for village in board["villages"]}
        self.bordered: dict[int, list[int]] = {village["village"]: village["regions"] for village in board["villages"]}
        self.regions: list[int] = [region["region"] for region in board["regions"]]
        self.roads = [sorted(road["between"]) for road in board["roads"]]
        self.orders: dict[str, Json] = {order["id"]: order for order in board["orders"]}
        self._far: dict[tuple[int, str], int] = {
            (near, road["type"]): far
            for road in board["roads"]
            for near, far in itertools.permutations(road["between"])
        }

    def far(self, village: int, road_type: str) -> int | None:
        """Return the village at the other end of a road of this type; each village has at most one."""
        return self._far.get((village, road_type))


@dataclass(frozen=True)
class Token:
    """An event token on the board: on a road, or a market in a village."""

    kind: str
    seat: int
    place: Any


@dataclass
class Player:
    """The pieces of a seat."""

    caravan: int = 0
    hand: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RESOURCES, 0))
    herd: list[str] = field(default_factory=list)
    markers: int = 0
    stupas: int = STUPAS
    delegations: int = DELEGATIONS
    tokens: set[str] = field(default_factory=lambda: set(TOKENS))
    plan: list[str] = field(default_factory=list)
    collected: set[int] = field(default_factory=set)
    storm_toward: int = 0

    def data(self) -> Json:
        """Return a seat in the form used by the final position."""
        return {
            "caravan": self.caravan,
            "hand": sparse(self.hand),
            "herd": self.herd,
            "markers": self.markers,
            "stupas_left": self.stupas,
            "delegations_left": self.delegations,
            "plan": self.plan or None,
            "collected": sorted(self.collected),
        }


def sparse(goods: Mapping[str, int]) -> Json:
    """Return counts without zeros, as in a log."""
    return {resource: number for resource, number in goods.items() if number}


class Position:
    """The pieces on the board and the state of the turn."""

    def __init__(self, board: Board, options: Json) -> None:
        self.map = board
        self.options = options
        self.round = 0
        self.first: int = options.get("first", 0)
        self.step = 0
        self.turn = 0
        self.bag = dict(RESOURCES)
        self.order_bag = set(board.orders)
        self.goods = {village: dict.fromkeys(RESOURCES, 0) for village in board.level}
        self.orders: dict[int, str] = {}
        self.stupas: dict[int, int] = {}
        self.delegations = {region: [0] * options["players"] for region in board.regions}
        self.cards = set(range(1, DIE + 1))
        self.tokens: list[Token] = []
        self.players = [Player() for _ in range(options["players"])]
        self.eliminated: list[int] = []

    def clockwise(self) -> list[int]:
        """Return the seats clockwise from the First Caravaneer (C-setup.first, C-I)."""
        seats = range(len(self.players))
        return [*seats[self.first :], *seats[: self.first]]

    def markets(self) -> list[int]:
        """Return the villages that offer resources."""
        return [village for village, goods in self.goods.items() if any(goods.values())]

    def data(self) -> Json:
        """Return the position in the form whose digest is `state_sha256`."""
        data = {
            "round": self.round,
            "first": self.first,
            "step": self.step,
            "turn": self.turn,
            "bag": sparse(self.bag),
            "order_bag": sorted(self.order_bag),
            "goods": {str(village): sparse(self.goods[village]) for village in self.markets()},
            "orders": {str(village): order for village, order in self.orders.items()},
            "stupas": {str(village): owner for village, owner in self.stupas.items()},
            "delegations": {str(region): row for region, row in self.delegations.items() if any(row)},
            "seats": [player.data() for player in self.players],
            "eliminated": self.eliminated,
        }
        if self.options.get("village_cards"):
            data["cards"] = sorted(self.cards)
        if self.options.get("tokens"):
            data["tokens"] = [{"token": token.kind, "seat": token.seat, "at": token.place} for token in self.tokens]
            data["tokens_left"] = [sorted(player.tokens) for player in self.players]
            data["storms"] = [player.storm_toward for player in self.players]
        return data


# Follow the match


class Referee(Position):
    """Plays a position along with the log; each method reads the lines of its part of the rules."""

    def __init__(self, log: Log, board: Mapping[str, Any], options: Json) -> None:
        super().__init__(Board(board), options)
        self._log = log
        self._ply = 0
        self._decided: Entry | None = None

    def match(self) -> None:
        """Read the match after its first line."""
        try:
            self._set_up()
            for self.round in range(1, ROUNDS + 1):
                self._round()
            ranking, scores = self._final_scoring()
            self._end(self._log.next(), "finished", ranking, scores)
        except Abandoned:
            pass
        raise Departed(self._log.next().line, "nothing after match_ended", "another line")

    def _decision(self, seats: Collection[int | None], kinds: Collection[str]) -> tuple[int | None, Json]:
        """Read a decision on the line of the first event it causes; seat None means chance."""
        entry = self._log.next()
        if entry.type == "match_ended":
            self._end(entry, "abandoned", [], [])
            raise Abandoned
        self._ply += 1
        if entry.seat not in seats or entry.action is None or entry.action.get("type") not in kinds:
            expected = f"an action of {' or '.join(map(who, seats))}: {', '.join(kinds)}"
            raise Departed(entry.line, expected, f"{entry.type} of {who(entry.seat)} by {text(entry.action)}")
        self._decided = entry
        return entry.seat, without_nulls(entry.action["type"], entry.action)

    def _choice(self, seat: int, choices: Iterable[Json]) -> Json:
        """Read which legal action a seat chooses."""
        allowed = {text(choice): choice for choice in choices}
        _, action = self._decision([seat], sorted({choice["type"] for choice in allowed.values()}))
        if text(action) not in allowed:
            self._refuse(action, " or ".join(allowed))
        return action

    def _refuse(self, action: Json, expected: str) -> NoReturn:
        raise Departed(self._log.read, expected, text(action))

    def _event(self, kind: str, data: Json, seat: int | None = None) -> None:
        """Check that an event is next: on the line of the decision just read, or else on the next line."""
        entry = self._decided or self._log.next()
        expected = told(kind, seat, self._ply, self.round, data)
        if entry.action is not None and entry is not self._decided:
            raise Departed(entry.line, f"{expected}, by itself", f"the action {text(entry.action)}")
        if entry.told != expected:
            raise Departed(entry.line, expected, entry.told)
        self._decided = None

    def _end(self, entry: Entry, reason: str, ranking: list[list[int]], scores: list[Json]) -> None:
        """Check `match_ended`."""
        outcome = {"reason": reason, "ranking": ranking, "scores": scores}
        digests = {"lines_sha256": self._log.lines_sha256, "state_sha256": digest(self.data())}
        expected = told("match_ended", None, self._ply, self.round, {**outcome, **digests})
        if entry.told != expected or entry.action is not None:
            raise Departed(entry.line, expected, f"{entry.told} by {text(entry.action)}")

    # Course of the match: set-up, rounds and refills

    def _set_up(self) -> None:
        """Refill, then place the caravans, clockwise from the First Caravaneer (C-setup.refill, C-setup.caravans)."""
        self._refill()
        free = list(self.map.level)
        for seat in self.clockwise():
            village = self._choice(seat, ({"type": "place_caravan", "village": village} for village in free))["village"]
            free.remove(village)
            self.players[seat].caravan = village
            self._event("caravan_placed", {"village": village}, seat)

    def _round(self) -> None:
        """Read a round (C-I to C-V); the plans stay visible until the next one begins."""
        if self.round > 1:
            self.first = (self.first + 1) % len(self.players)
        self.step = 0
        for player in self.players:
            player.plan = []
            player.collected = set()
        self._event("round_started", {"first": self.first})
        if self.options.get("tokens"):
            self._place_tokens()
        self._plan()
        for self.step in range(1, STEPS + 1):
            for turn, seat in enumerate(self.clockwise()):
                self.turn = turn
                self._act(seat)
        self.step, self.turn = STEPS + 1, 0
        if self.tokens:
            self._event("tokens_removed", {"tokens": [token.kind for token in self.tokens]})
            self.tokens = []
        self._refill()
        if self.round in INVENTORY_ROUNDS:
            self._inventory()
        self._event("round_ended", {})

    def _refill(self) -> None:
        """Roll for resources, then for orders, until enough villages have them or a bag is empty (C-IV.refill)."""
        supply = SUPPLY[len(self.players)]
        while len(self.markets()) < supply.villages and any(self.bag.values()):
            self._roll_resources(min(supply.cubes, sum(self.bag.values())))
        while len(self.orders) < supply.villages and self.order_bag:
            self._roll_order()

    def _roll_resources(self, cubes: int) -> None:
        """Draw cubes for a village; a bag with too few gives all it has (C-IV.bag)."""
        _, action = self._decision([None], ["roll_resources"])
        if set(action) != {"type", "die", "drawn"} or not self._can_draw(action["drawn"], cubes):
            self._refuse(action, f"a die and {cubes} cubes of {text(sparse(self.bag))}")
        village = self._next_empty(action)
        drawn: dict[str, int] = action["drawn"]
        for resource, number in drawn.items():
            self.bag[resource] -= number
            self.goods[village][resource] += number
        self._event("refill_rolled", {"kind": "resources", "die": action["die"], "village": village, "drawn": drawn})

    def _can_draw(self, drawn: Any, cubes: int) -> bool:
        return (
            isinstance(drawn, dict)
            and all(is_count(number) and 0 < number <= self.bag.get(resource, 0) for resource, number in drawn.items())
            and sum(drawn.values()) == cubes
        )

    def _roll_order(self) -> None:
        """Draw an order for a village."""
        _, action = self._decision([None], ["roll_order"])
        order = action.get("order")
        if set(action) != {"type", "die", "order"} or not isinstance(order, str) or order not in self.order_bag:
            self._refuse(action, f"a die and one of {text(sorted(self.order_bag))}")
        village = self._next_empty(action)
        self.order_bag.remove(order)
        self.orders[village] = order
        data = {"kind": "order", "die": action["die"], "village": village, "order": self.map.orders[order]}
        self._event("refill_rolled", data)

    def _next_empty(self, action: Json) -> int:
        """Return the rolled village, or the next empty one (C-IV.next-empty); removes the used card (C-setup.cards)."""
        die = action["die"]
        if not is_count(die) or die not in self.cards:
            self._refuse(action, f"one of {text(sorted(self.cards))}")
        if self.options.get("village_cards"):
            self.cards.remove(die)
        if not self.cards:
            self.cards = set(range(1, DIE + 1))
        occupied = {*self.markets(), *self.orders}
        upwards: list[int] = [*range(die, DIE + 1), *range(1, die)]
        return next(village for village in upwards if village not in occupied)

    def _place_tokens(self) -> None:
        """Let each player place an event token or pass; players without a usable token are skipped (C-Ib)."""
        for seat in self.clockwise():
            action: Json = {"type": "pass_token"}
            if self.players[seat].tokens - {token.kind for token in self.tokens}:
                action = self._choice(seat, [*self._token_choices(seat), action])
            if action["type"] == "pass_token":
                self._event("token_passed", {}, seat)
            else:
                self.players[seat].tokens.remove(action["token"])
                self.tokens.append(Token(action["token"], seat, action.get("road", action.get("village"))))
                self._event("token_placed", {key: action[key] for key in action if key != "type"}, seat)

    def _token_choices(self, seat: int) -> Iterator[Json]:
        """Return the tokens that may be placed, with their sites (C-Ib.once, C-Ib.site)."""
        taken = [token.place for token in self.tokens]
        for kind in self.players[seat].tokens - {token.kind for token in self.tokens}:
            if kind == "market":
                for village in self.markets():
                    yield {"type": "place_token", "token": kind, "village": village}
            else:
                for road in self.map.roads:
                    if road not in taken:
                        yield {"type": "place_token", "token": kind, "road": road}

    def _plan(self) -> None:
        """Read the plans in any order, as players plan at the same time (C-II)."""
        unplanned = self.clockwise()
        while unplanned:
            seat, action = self._decision(unplanned, ["commit_plan"])
            plan = action.get("plan")
            if set(action) != {"type", "plan"} or not isinstance(plan, list) or len(plan) != STEPS:
                self._refuse(action, f"a plan of {STEPS} actions")
            if not all(planned in PLANNED for planned in plan):
                self._refuse(action, f"a plan of {', '.join(PLANNED)}")
            assert seat is not None
            unplanned.remove(seat)
            self.players[seat].plan = plan
            self._event("plan_committed", {"plan": plan}, seat)
        self._event("plans_revealed", {})

    # The six planned actions

    def _act(self, seat: int) -> None:
        """Carry out a player's planned action of this step (C-III.order)."""
        player = self.players[seat]
        planned = player.plan[self.step - 1]
        if planned == "rest":
            self._event("rested", {"step": self.step}, seat)
        elif player.storm_toward:
            self._act_on_storm(seat, planned)
        elif planned == "trade":
            self._trade(seat)
        else:
            self._move(seat, planned)

    def _void(self, seat: int, reason: str) -> None:
        """Expect that the planned action is void."""
        action = self.players[seat].plan[self.step - 1]
        self._event("action_voided", {"step": self.step, "action": action, "reason": reason}, seat)

    def _move(self, seat: int, road_type: str) -> None:
        """Move along the road of this type (C-III.move), unless a token prevents it (C-Ib.yeti, C-Ib.snowstorm)."""
        player = self.players[seat]
        near, far = player.caravan, self.map.far(player.caravan, road_type)
        if far is None:
            self._void(seat, "no_road")
            return
        hindrance = next((token.kind for token in self.tokens if token.place == sorted((near, far))), None)
        if hindrance == "yeti":
            self._void(seat, "yeti")
        elif hindrance == "snowstorm" and road_type not in player.plan[self.step :]:
            self._void(seat, "storm_unfinished")
        elif hindrance == "snowstorm":
            player.storm_toward = far
            self._event("storm_entered", {"step": self.step, "road": road_type, "from": near, "toward": far}, seat)
        else:
            player.caravan = far
            self._event("moved", {"step": self.step, "road": road_type, "from": near, "to": far}, seat)

    def _act_on_storm(self, seat: int, planned: str) -> None:
        """Leave the storm by a second action of the road's type; all other actions are void (C-Ib.snowstorm)."""
        player = self.players[seat]
        near, far = player.caravan, player.storm_toward
        if self.map.far(near, planned) != far:
            self._void(seat, "on_storm")
            return
        player.caravan, player.storm_toward = far, 0
        self._event("moved", {"step": self.step, "road": planned, "from": near, "to": far, "storm": True}, seat)

    def _trade(self, seat: int) -> None:
        """Deliver or collect, if the village has an order or cubes (C-III.trade)."""
        player = self.players[seat]
        village = player.caravan
        if village in self.orders:
            demand = self.map.orders[self.orders[village]]["demand"]
            if all(player.hand[resource] >= number for resource, number in demand.items()):
                self._deliver(seat, village)
            else:
                self._void(seat, "goods_missing")
        elif village not in self.markets():
            self._void(seat, "nothing_here")
        elif village in player.collected:
            self._void(seat, "already_collected")
        else:
            self._collect(seat, village)

    def _collect(self, seat: int, village: int) -> None:
        """Take the cheapest cube, or at a market any cube (C-III.collect, C-Ib.market), or decline (C-III.decline)."""
        offered = list(sparse(self.goods[village]))
        market = village in [token.place for token in self.tokens]
        choices = [{"type": "collect", "resource": resource} for resource in (offered if market else offered[:1])]
        action = self._choice(seat, [*choices, {"type": "decline_trade"}])
        if action["type"] == "decline_trade":
            self._void(seat, "declined")
            return
        resource = action["resource"]
        self.goods[village][resource] -= 1
        self.players[seat].hand[resource] += 1
        self.players[seat].collected.add(village)
        data = {"step": self.step, "village": village, "resource": resource, "market": market}
        self._event("collected", data, seat)

    def _deliver(self, seat: int, village: int) -> None:
        """Hand over the goods of an order and take the rewards (C-III.deliver), or decline (C-III.decline)."""
        action = self._choice(seat, [*self._deliveries(seat, village), {"type": "decline_trade"}])
        if action["type"] == "decline_trade":
            self._void(seat, "declined")
            return
        player = self.players[seat]
        order = self.map.orders[self.orders.pop(village)]
        for resource, number in order["demand"].items():
            player.hand[resource] -= number
            self.bag[resource] += number
        rewards = action["rewards"]
        traded = {"order": order, "spent": order["demand"], "rewards": rewards}
        self._event("delivered", {"step": self.step, "village": village, **traded}, seat)
        if "barter" in rewards:
            player.herd.append(order["id"])
            self._event("bartered", {"order": order["id"], "yaks": order["yaks"]}, seat)
        else:
            self.order_bag.add(order["id"])
            self._event("order_returned", {"order": order["id"]}, seat)
        if "offering" in rewards:
            self._place_stupa(seat, village, "offering")
        if "delegation" in rewards:
            self._send_delegations(seat, action["regions"], "delegation")

    def _deliveries(self, seat: int, village: int) -> Iterator[Json]:
        """Return the possible rewards of a delivery (C-III.rewards, C-III.may, C-III.offering, C-III.delegation)."""
        player, near = self.players[seat], self.map.bordered[village]
        possible = ["barter"]
        if player.stupas and village not in self.stupas:
            possible.append("offering")
        if player.delegations:
            possible.append("delegation")
        fewer = bool(self.options.get("fewer_rewards"))
        number = min(self.map.level[village], player.delegations)
        for wanted in {min(2, len(possible)), 1} if fewer else {min(2, len(possible))}:
            for rewards in itertools.combinations(possible, wanted):
                sent = range(1 if fewer else number, number + 1) if "delegation" in rewards else (0,)
                for regions in itertools.chain.from_iterable(splits(some, near) for some in sent):
                    yield {"type": "deliver", "rewards": list(rewards), "regions": regions}

    def _place_stupa(self, seat: int, village: int, cause: str) -> None:
        self.players[seat].stupas -= 1
        self.stupas[village] = seat
        self._event("stupa_placed", {"village": village, "level": self.map.level[village], "cause": cause}, seat)

    def _send_delegations(self, seat: int, regions: Mapping[str, int], cause: str) -> None:
        for region, number in regions.items():
            self.players[seat].delegations -= number
            self.delegations[int(region)][seat] += number
        self._event("delegations_sent", {"regions": regions, "cause": cause}, seat)

    # The inventory, after some rounds

    def _inventory(self) -> None:
        """Count each resource; the only seat with the most gets a reward (C-V.inventory)."""
        for resource in RESOURCES:
            counts = [player.hand[resource] for player in self.players]
            winner = strictly_most(counts)
            self._event("inventory_counted", {"resource": resource, "counts": counts, "winner": winner})
            if winner is not None:
                self._reward_inventory(winner, resource)

    def _reward_inventory(self, winner: int, resource: str) -> None:
        """Give the winner a marker, or the chosen reward (C-V.full)."""
        player = self.players[winner]
        action: Json = {"type": "take_marker"}
        if self.options.get("full_inventory"):
            action = self._choice(winner, self._inventory_choices(player))
        if action["type"] == "take_marker":
            player.markers += 1
            self._event("inventory_marker_taken", {"resource": resource, "yaks": MARKER_YAKS}, winner)
        elif action["type"] == "place_inventory_stupa":
            self._place_stupa(winner, action["village"], "inventory")
        else:
            self._send_delegations(winner, {str(action["region"]): min(2, player.delegations)}, "inventory")

    def _inventory_choices(self, player: Player) -> Iterator[Json]:
        """Return the rewards that the winner may choose from; even a single one is a choice."""
        yield {"type": "take_marker"}
        near = self.map.bordered[player.caravan]
        if player.delegations:
            for region in near:
                yield {"type": "send_inventory_delegations", "region": region}
        if player.stupas:
            for village, level in self.map.level.items():
                if level == 1 and village not in self.stupas and not set(near).isdisjoint(self.map.bordered[village]):
                    yield {"type": "place_inventory_stupa", "village": village}

    # The final scoring

    def _final_scoring(self) -> tuple[list[list[int]], list[Json]]:
        """Score and eliminate; return the ranking and the scores of all seats (C-scoring.four, C-scoring.places)."""
        seats = range(len(self.players))
        scores: list[Json] = [{"religious": self._religious(seat), "economic": self._yaks(seat)} for seat in seats]
        regions = self._score_politics(scores)
        influences = {name: [score[name] for score in scores] for name in ("religious", "political", "economic")}
        self._event("influence_scored", {**influences, "regions": regions})
        if len(seats) == 3:
            return rank_three(scores), scores
        self._eliminate("religious", scores, "stupas", list(self.stupas.values()))
        self._remove(self.eliminated[0])
        regions = self._score_politics(scores)
        self._event("politics_recounted", {"political": [score["political"] for score in scores], "regions": regions})
        for _ in range(SUPPLY[len(seats)].out_for_politics):
            sent = [seat for row in self.delegations.values() for seat in seats for _ in range(row[seat])]
            self._eliminate("political", scores, "delegations", sent)
        left = [seat for seat in seats if seat not in self.eliminated]
        return [*rank(left, scores), *([seat] for seat in reversed(self.eliminated))], scores

    def _religious(self, seat: int) -> int:
        """Score each stupa by its village's level (C-scoring.religious)."""
        return sum(self.map.level[village] for village, owner in self.stupas.items() if owner == seat)

    def _yaks(self, seat: int) -> int:
        """Count the yaks of bartered orders and markers (C-scoring.economic)."""
        player = self.players[seat]
        return player.markers * MARKER_YAKS + sum(int(self.map.orders[order]["yaks"]) for order in player.herd)

    def _score_politics(self, scores: Sequence[Json]) -> Json:
        """Score each seat's regions, and return the leaders (C-scoring.political)."""
        leaders = {str(region): strictly_most(row) for region, row in self.delegations.items()}
        for seat, score in enumerate(scores):
            score["political"] = list(leaders.values()).count(seat)
        return leaders

    def _eliminate(self, influence: str, scores: Sequence[Json], pieces: str, owners: Sequence[int]) -> None:
        """Eliminate the weakest seat (C-scoring.religious-out, C-scoring.political-out, C-scoring.turn-order)."""
        seats = range(len(scores))
        criteria = {
            None: [score[influence] for score in scores],
            pieces: [owners.count(seat) for seat in seats],
            "yaks": [score["economic"] for score in scores],
            "turn_order": [-self.clockwise().index(seat) for seat in seats],
        }
        tied = [seat for seat in seats if seat not in self.eliminated]
        tie_break = None
        for criterion, values in criteria.items():
            if len(tied) > 1:
                tie_break = criterion
                tied = [seat for seat in tied if values[seat] == min(values[rival] for rival in tied)]
        (seat,) = tied
        self.eliminated.append(seat)
        data = {"influence": influence, "value": scores[seat][influence], "tie_break": tie_break}
        self._event("eliminated", data, seat)

    def _remove(self, seat: int) -> None:
        """Remove a seat's stupas and delegations from the board (C-scoring.religious-out)."""
        self.stupas = {village: owner for village, owner in self.stupas.items() if owner != seat}
        for row in self.delegations.values():
            row[seat] = 0


def splits(number: int, regions: Sequence[int]) -> Iterator[Json]:
    """Return all ways to send delegations to regions."""
    for counts in itertools.product(range(number + 1), repeat=len(regions)):
        if sum(counts) == number:
            yield {str(region): count for region, count in zip(regions, counts, strict=True) if count}


def strictly_most(counts: Sequence[int]) -> int | None:
    """Return the only seat with the most, or None if there is a tie."""
    return counts.index(max(counts)) if counts.count(max(counts)) == 1 else None


def rank_three(scores: Sequence[Json]) -> list[list[int]]:
    """Rank three seats: a seat that leads two influences is first (C-scoring.three)."""
    leaders = [strictly_most([score[name] for score in scores]) for name in ("religious", "political", "economic")]
    first = [seat for seat in range(3) if leaders.count(seat) > 1]
    return [*rank(first, scores), *rank([seat for seat in range(3) if seat not in first], scores)]


def rank(seats: Iterable[int], scores: Sequence[Json]) -> list[list[int]]:
    """Rank by yaks, then politics, then religion (C-scoring.last); equal seats share a place (C-scoring.shared)."""

    def standing(seat: int) -> list[int]:
        return [-scores[seat][name] for name in ("economic", "political", "religious")]

    return [list(group) for _, group in itertools.groupby(sorted(seats, key=standing), key=standing)]


# The command line


def matches_of(path: Path) -> Iterator[tuple[int, str, list[bytes]]]:
    """Return the matches of a file: for each the number of lines before it, its name and its lines."""
    lines = path.read_bytes().removesuffix(b"\n").split(b"\n")
    names = [""]
    for line in lines:
        try:
            names.append(str(json.loads(line)["match"]))
        except (ValueError, LookupError, TypeError):
            names.append(names[-1])
    before = 0
    for name, group in itertools.groupby(names[1:]):
        size = len(list(group))
        yield before, name, lines[before : before + size]
        before += size


def main(arguments: Sequence[str]) -> int:
    """Verify logs; return 1 if a match diverges from the rules."""
    board = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    code = 0
    for file in arguments[1:]:
        for before, name, lines in matches_of(Path(file)):
            departure = first_departure(lines, board)
            if departure:
                code = 1
                line = before + departure.line
                sys.stdout.write(f"{file}:{line}: expected {departure.expected}, found {departure.found}\n")
            else:
                sys.stdout.write(f"{file}: {name} follows from the rules\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
