"""A caravan match as a scene for replay: the map, and the position after each event of the log."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import Final

from dashboards.boards.map import (
    Area,
    Disc,
    Level,
    MapBoard,
    MapFrame,
    MapScene,
    Marker,
    Place,
    Token,
    region_corners,
    two_tones,
)
from dashboards.boards.scene import (
    FORMAT,
    NOBODY,
    EventLane,
    Heading,
    Link,
    Measure,
    Named,
    Terms,
    check_view,
    kinds_among,
    lanes_of,
    names_of,
    seats_of,
    status_of,
)
from dashboards.games.caravan.replay.rounds import calendar, summaries
from dashboards.games.caravan.replay.targets import GROUPS, arrivals, target_names, touch
from dashboards.games.caravan.replay.text import KIND_NAMES, VOIDS, is_inventory_reward, moments, outcomes
from dashboards.games.caravan.terms import TERMS as WORDS
from himalaya_core.caravan.board import Board as CaravanBoard
from himalaya_core.caravan.events import (
    ActionVoided,
    CaravanPlaced,
    DelegationsSent,
    Delivered,
    Moved,
    PlanCommitted,
    RoundStarted,
    StupaPlaced,
    TokenPlaced,
)
from himalaya_core.caravan.pieces import PLAN_LENGTH, RESOURCES, Act, Cubes, Goods, Plan, Resource
from himalaya_core.caravan.pieces import Token as EventToken
from himalaya_core.caravan.scoring import influences
from himalaya_core.caravan.state import PlacedToken, Scores, State
from himalaya_core.log.codec import Entry
from himalaya_core.replay import Replay

__all__ = ["HIDDEN_PLAN", "caravan_scene", "redacted"]


HIDDEN_PLAN: Final = ()
"""Placeholder that `Game.view` uses for a committed plan that is still secret."""


def redacted(replay: Replay, seat: int) -> Replay:
    """Return the replay without the other seats' unrevealed plans in events, intents and states."""
    check_view(replay.header, seat)
    return replace(
        replay,
        entries=tuple(_hidden(entry) if _is_secret(entry, seat) else entry for entry in replay.entries),
        states=tuple(replay.game.view(state, seat) for state in replay.states),
    )


def _is_secret(entry: Entry, seat: int) -> bool:
    return isinstance(entry.event, PlanCommitted) and entry.event.seat != seat


def _hidden(entry: Entry) -> Entry:
    event = object.__new__(PlanCommitted)
    object.__setattr__(event, "seat", entry.event.seat)
    object.__setattr__(event, "plan", HIDDEN_PLAN)
    return replace(entry, event=event, action={})


LETTERS: Final[Mapping[Resource, str]] = {resource: resource[0].upper() for resource in RESOURCES}
ACTS: Final[Mapping[Act, str]] = {Act.SOIL: "s", Act.STONE: "t", Act.ICE: "i", Act.TRADE: "x", Act.REST: "r"}
COUNTS: Final = attrgetter("stupas", "delegations", "herds", "markers", "scores")
"""State attributes from which the influences are computed; most events leave them unchanged."""
HIDDEN: Final = "?"
HIDDEN_ACT: Final = Named(icon="hidden", name="hidden")
LEVELS: Final[Mapping[int, str]] = {1: "house", 2: "temple", 3: "monastery"}
TERMS: Final = Terms(
    round="Round",
    rounds="rounds",
    short="R",
    step="action",
    setup="Before the first round the players take their seats and place their pieces.",
    keys="a delivery, an inventory won, the final scoring",
    secrets="plans",
    notes=[
        Heading(title="Contested", nothing="Nothing was contested."),
        Heading(title="Came too late", nothing="No player came too late."),
    ],
    chance=WORDS.chance,
)
MEASURES: Final = (
    Measure(key="religious", short="Rel", name="Religious influence"),
    Measure(key="political", short="Pol", name="Political influence"),
    Measure(key="economic", short="Eco", name="Economic influence"),
)
SUPPLIES: Final = (Named(icon="stupa", name="stupas left"), Named(icon="flag", name="delegations left"))
TOKENS: Final[Mapping[EventToken, Marker]] = {
    EventToken.YETI: Marker(icon="yeti", letter="Y", name="Yeti"),
    EventToken.SNOWSTORM: Marker(icon="snowstorm", letter="S", name="snowstorm"),
    EventToken.MARKET: Marker(icon="market", letter="M", name="market"),
}
KINDS: Final = tuple(TOKENS)
LANES: Final[Sequence[EventLane]] = (
    ("Deliveries", "deliver", lambda event: isinstance(event, Delivered)),
    ("Stupas", "stupa", lambda event: isinstance(event, StupaPlaced)),
    ("Delegations", "flag", lambda event: isinstance(event, DelegationsSent)),
    ("Void actions", "void", lambda event: isinstance(event, ActionVoided)),
    ("Inventories", "inventory", is_inventory_reward),
)
TOKEN_LANE: Final[EventLane] = ("Tokens", "snowstorm", lambda event: isinstance(event, TokenPlaced))


def caravan_scene(replay: Replay, view: int | None = None) -> MapScene:
    """Return the scene of a match: one frame per log line, the first for `match_started`.

    With a `view`, the scene contains only what that seat knows (C-view). Raises `ValueError` if there is no such seat.
    """
    if view is not None:
        replay = redacted(replay, view)
    header, entries, states = replay.header, replay.entries, replay.states
    names = names_of(header)
    found, which = outcomes(states, names)
    lines = moments(entries, names, drawn="Card" if states[0].options.village_cards else "Die")
    touch(lines, entries, states)
    frames = _frames(entries, states, which)
    lanes = [*LANES, TOKEN_LANE] if states[0].options.tokens else LANES
    scene = MapScene(
        format=FORMAT,
        match=entries[0].match,
        game=header.game,
        status=status_of(replay),
        view=NOBODY if view is None else view,
        terms=TERMS,
        seats=seats_of(header),
        measures=list(MEASURES),
        tokens=[Token(key=resource, letter=LETTERS[resource], name=resource) for resource in RESOURCES],
        supplies=list(SUPPLIES),
        acts={letter: Named(icon=act, name=act) for act, letter in ACTS.items()} | {HIDDEN: HIDDEN_ACT},
        voids=dict(VOIDS.values()),
        kinds=kinds_among(lines, KIND_NAMES),
        names=target_names(replay.board),
        groups=dict(GROUPS),
        discs=[Disc(demand=_cubes(order.demand), pays=order.yaks) for order in replay.board.orders],
        board=_board(replay.board),
        plies=[entry.ply for entry in entries],
        rounds=[entry.round for entry in entries],
        when=calendar(entries, states),
        frames=frames,
        endings=found,
        moments=lines,
        visits=arrivals(entries, replay.board),
        summaries=summaries(entries, states, frames, names),
        lanes=lanes_of(entries, lanes, [found[index]["win"] for index in which]),
    )
    if states[0].options.tokens:
        scene["markers"] = list(TOKENS.values())
    return scene


def _board(board: CaravanBoard) -> MapBoard:
    corners = region_corners(board)
    tones = two_tones(corners)
    return MapBoard(
        kind="map",
        size=board.size,
        levels=[Level(icon=icon, short=str(level), name=f"{icon}, level {level}") for level, icon in LEVELS.items()],
        nodes=[
            Place(
                n=village.number, x=village.x, y=village.y, icon=LEVELS[village.level], name=f"Village {village.number}"
            )
            for village in board.villages
        ],
        links=[Link(a=road.between[0], b=road.between[1], style=road.type) for road in board.roads],
        areas=[
            Area(n=region, x=x, y=y, tone=tones[region], corners=corners[region])
            for region, (x, y) in sorted(board.region_labels.items())
        ],
    )


def _frames(entries: Sequence[Entry], states: Sequence[State], which: Sequence[int]) -> list[MapFrame]:
    seats = states[0].seats
    discs = {order.id: index for index, order in enumerate(states[0].board.orders)}
    trails: list[list[int]] = [[] for _ in seats]
    marks = ["" for _ in seats]
    seat, step = NOBODY, 0
    frames = []
    counted: tuple[tuple[object, ...], Scores] | None = None
    for entry, state, ending in zip(entries, states, which, strict=True):
        event = entry.event
        if isinstance(event, RoundStarted):
            trails = [[village] for village in state.caravans]
            marks = ["......" for _ in seats]
        elif isinstance(event, Moved | CaravanPlaced):
            trails[event.seat] = [*trails[event.seat], state.caravans[event.seat]]
        seat, step = _acting(entry, seat, step)
        if step and hasattr(event, "step"):
            mark = VOIDS[event.reason][0] if isinstance(event, ActionVoided) else "+"
            marks[seat] = marks[seat][: step - 1] + mark + marks[seat][step:]
        counts = COUNTS(state)
        if counted is None or any(now is not then for now, then in zip(counts, counted[0], strict=True)):
            counted = counts, influences(state) if state.scores is None else state.scores
        frames.append(_frame(state, discs, list(trails), list(marks), (seat, step, ending), counted[1]))
    return frames


def _acting(entry: Entry, seat: int, step: int) -> tuple[int, int]:
    """Return the acting seat and the step of its plan; the rewards of a delivery count towards that action."""
    if entry.seat is None:
        return NOBODY, 0
    step = getattr(entry.event, "step", step if entry.seat == seat and entry.action is None else 0)
    return entry.seat, step


def _frame(
    state: State,
    discs: Mapping[str, int],
    trails: list[list[int]],
    marks: list[str],
    now: tuple[int, int, int],
    scores: Scores,
) -> MapFrame:
    seat, step, ending = now
    frame = MapFrame(
        n=[_letters(goods) for goods in state.goods[1:]],
        o=[NOBODY if order is None else discs[order.id] for order in state.orders[1:]],
        u=[NOBODY if owner is None else owner for owner in state.stupas[1:]],
        d=[list(row) for row in state.delegations[1:]],
        l=[NOBODY if leader is None else leader for leader in scores.regions[1:]],
        c=list(state.caravans),
        t=trails,
        f=[list(row) for row in zip(scores.religious, scores.political, scores.economic, strict=True)],
        h=[list(hand) for hand in state.hands],
        s=[list(left) for left in zip(state.stupas_left, state.delegations_left, strict=True)],
        p=[_plan(plan) for plan in state.plans],
        m=marks,
        a=seat,
        x=step,
        e=ending,
        y=state.first,
    )
    if state.options.tokens:
        frame["k"] = [_marker(placed) for placed in state.tokens]
        frame["w"] = list(state.storms)
        frame["q"] = ["".join(TOKENS[kind]["letter"] for kind in KINDS if kind in left) for left in state.tokens_left]
    return frame


def _marker(placed: PlacedToken) -> tuple[int, int, int, int]:
    a, b = placed.road or (placed.village or 0, placed.village or 0)
    return KINDS.index(placed.token), placed.seat, a, b


def _plan(plan: Plan | None) -> str:
    return "" if plan is None else "".join(ACTS[act] for act in plan) or HIDDEN * PLAN_LENGTH


@cache
def _letters(goods: Goods) -> str:
    return "".join(LETTERS[resource] * count for resource, count in zip(RESOURCES, goods, strict=True))


def _cubes(cubes: Cubes) -> str:
    return "".join(LETTERS[resource] * count for resource, count in cubes.items())
