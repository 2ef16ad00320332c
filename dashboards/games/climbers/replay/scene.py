"""A climbers match as a scene for replay: its blocks, the climbers' places, and their reach after each event."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dashboards.boards.scene import (
    FORMAT,
    NOBODY,
    EventLane,
    Heading,
    Measure,
    Seat,
    Terms,
    check_view,
    kinds_among,
    lanes_of,
    seats_of,
    status_of,
)
from dashboards.boards.tower import Laying, Room, Step, TowerBoard, TowerFrame, TowerScene
from dashboards.games.climbers.replay.reach import Reaches
from dashboards.games.climbers.replay.rounds import calendar, summaries
from dashboards.games.climbers.replay.targets import GROUPS, arrivals, names_of_targets, squares_of, touch
from dashboards.games.climbers.replay.text import KIND_NAMES, moments, outcomes
from dashboards.games.climbers.terms import TERMS as WORDS
from himalaya_core.climbers.blocks import PAIRS, PARTNERS, Block, Colour, Pose, Size, Variant
from himalaya_core.climbers.climbing import level
from himalaya_core.climbers.events import (
    BlockMoved,
    BlockPlaced,
    ClimberShifted,
    ClimberStepped,
    ColourAssigned,
    DiscPlaced,
    LadderSpent,
    LevelReached,
    TurnStarted,
)
from himalaya_core.climbers.flow import is_over
from himalaya_core.climbers.pieces import Disc, DiscPlace, Ladder, Ladders
from himalaya_core.climbers.state import State
from himalaya_core.climbers.view import LETTERS
from himalaya_core.log.codec import Entry
from himalaya_core.log.envelope import Header
from himalaya_core.replay import Replay
from himalaya_core.winprob.review import names_in

__all__ = ["climbers_scene", "letters_of"]


ROUND: Final = (Variant.TEAL_PURPLE, Variant.PINK_NEUTRAL, Variant.YELLOW_RED)
"""Colour pairs of the reference block along x, y and z; for turned blocks, the pairs are reordered."""
FIRST: Final = (Colour.TEAL, Colour.NEUTRAL, Colour.RED)
"""Colours of the reference block on the faces towards larger x, towards larger y, and on top."""
OF_PAIR: Final = {colour: variant for variant, pair in PAIRS.items() for colour in pair}


def letters_of(block: Block, pose: Pose) -> str:
    """Return the letters of a block's faces: top, larger x, smaller x, larger y, smaller y."""
    if block.size is Size.TRIPLE:
        return LETTERS[Colour.NEUTRAL].upper() * 5
    right, back = _sides(block, pose)
    faces = (pose.top, right, PARTNERS[right], back, PARTNERS[back])
    return "".join(LETTERS[colour] for colour in faces).upper()


def _sides(block: Block, pose: Pose) -> tuple[Colour, Colour]:
    """Return the colours of the faces towards larger x and larger y."""
    top = ROUND.index(OF_PAIR[pose.top])
    along_x, along_y = (top + 1) % 3, (top + 2) % 3
    odd = _odd_axis(pose)
    if block.variant is not Variant.NONE and odd != "z":
        own = ROUND.index(block.variant)
        other = 3 - top - own
        along_x, along_y = (own, other) if odd == "x" else (other, own)
    turned = (along_y - along_x) % 3 == 2
    flipped = (pose.top not in FIRST) != turned
    right, back = (next(colour for colour in FIRST if OF_PAIR[colour] == ROUND[pair]) for pair in (along_x, along_y))
    return right, PARTNERS[back] if flipped else back


def _odd_axis(pose: Pose) -> str:
    edges = (pose.dx, pose.dy, pose.dz)
    return next((axis for axis, edge in zip("xyz", edges, strict=True) if edges.count(edge) == 1), "z")


TERMS: Final = Terms(
    round="Turn",
    rounds="turns",
    short="",
    step="",
    setup="Before the first turn the tower is built, the colours are dealt, and the start player is found.",
    keys="a rise, a disc, the end",
    secrets="",
    notes=[
        Heading(title="Ladders and discs", nothing="No ladder and no disc."),
        Heading(title="In other players' turns", nothing="No other climber moved up."),
    ],
    chance=WORDS.chance,
)
MEASURES: Final = (
    Measure(key="level", short="Level", name="Height of the surface that the climber is on"),
    Measure(key="ladders", short="Ladder", name="Ladders that are left"),
)
LANES: Final[Sequence[EventLane]] = (
    ("Rises", "climb", lambda event: isinstance(event, LevelReached)),
    ("Ladders", "ladder", lambda event: isinstance(event, LadderSpent)),
    ("Discs", "disc", lambda event: isinstance(event, DiscPlaced)),
    ("Blocks moved", "block", lambda event: isinstance(event, BlockMoved)),
)
IN_HAND: Final = -1
GONE: Final = -2
LADDER_LETTERS: Final = {Ladder.SHORT: "s", Ladder.LONG: "l"}


def climbers_scene(replay: Replay, view: int | None = None) -> TowerScene:
    """Return the scene of a match: one frame per log line, the first for `match_started`.

    All seats know the same (L-view), so `view` only names the viewer. Raises `ValueError` if there is no such seat.
    """
    header, entries, states = replay.header, replay.entries, replay.states
    check_view(header, view)
    colours = _colours(entries)
    names, blocks = names_in(replay), replay.board.blocks
    found, which = outcomes(entries, states, names)
    told = moments(entries, names, blocks)
    touch(told, entries, states)
    reaches = Reaches()
    frames = _frames(entries, states, which, reaches)
    rounds = [entry.round for entry in entries]
    return TowerScene(
        format=FORMAT,
        match=entries[0].match,
        game=header.game,
        status=status_of(replay),
        view=NOBODY if view is None else view,
        terms=TERMS,
        seats=_seats(header, colours),
        measures=list(MEASURES),
        kinds=kinds_among(told, KIND_NAMES),
        names=names_of_targets(blocks, names),
        groups=dict(GROUPS),
        board=_board(replay),
        plies=[entry.ply for entry in entries],
        rounds=rounds,
        when=calendar(entries, rounds),
        frames=frames,
        endings=found,
        moments=told,
        visits=arrivals(entries, replay.board.side),
        summaries=summaries(entries, rounds, frames, names, blocks),
        lanes=lanes_of(entries, LANES, [found[index]["win"] for index in which]),
        layings=[_laying(blocks, block, pose) for block, pose in _laid(entries)],
        reaches=reaches.found,
        opens=next((at for at, entry in enumerate(entries) if isinstance(entry.event, TurnStarted)), 0),
    )


def _colours(entries: Sequence[Entry]) -> dict[int, str]:
    """Return the colour dealt to each seat; its climber keeps that colour for the whole match (L-5.colours)."""
    dealt = (entry.event for entry in entries if isinstance(entry.event, ColourAssigned))
    return {event.player: str(event.colour) for event in dealt}


def _seats(header: Header, colours: Mapping[int, str]) -> list[Seat]:
    """Return the seats with the colours of their climbers."""
    return [
        Seat(name=colours[seat], player=who["player"], version=who["version"], colour=colours[seat])
        if seat in colours
        else who
        for seat, who in enumerate(seats_of(header))
    ]


def _laid(entries: Sequence[Entry]) -> list[tuple[int, Pose]]:
    found = []
    for entry in entries:
        match entry.event:
            case BlockPlaced(block=block, pose=pose) | BlockMoved(block=block, to_pose=pose):
                found.append((block, pose))
    return found


def _laying(blocks: Sequence[Any], block: int, pose: Pose) -> Laying:
    letters = letters_of(blocks[block], pose)
    return block, pose.x, pose.y, pose.z, pose.dx, pose.dy, pose.dz, letters


def _board(replay: Replay) -> TowerBoard:
    side = replay.board.side
    return TowerBoard(
        kind="tower",
        nodes=squares_of(replay.entries, side),
        links=[],
        side=side,
        room=_room([pose for _, pose in _laid(replay.entries)], side),
        colours={letter.upper(): str(colour) for colour, letter in LETTERS.items()},
    )


def _room(poses: Sequence[Pose], side: int) -> Room:
    """Return the space that the tower occupies during the match; the middle of the table if there are no blocks."""
    if not poses:
        return Room(x=side // 2 - 3, y=side // 2 - 3, dx=6, dy=6, height=7)
    left, front = min(pose.x for pose in poses), min(pose.y for pose in poses)
    right, back = max(pose.x + pose.dx for pose in poses), max(pose.y + pose.dy for pose in poses)
    return Room(x=left, y=front, dx=right - left, dy=back - front, height=max(pose.z + pose.dz for pose in poses))


def _frames(
    entries: Sequence[Entry], states: Sequence[State], which: Sequence[int], reaches: Reaches
) -> list[TowerFrame]:
    """Return the frames; the display of a turn remains until the next turn begins."""
    steps: list[Step] = []
    laid = 0
    frames = []
    for entry, state, ending in zip(entries, states, which, strict=True):
        match entry.event:
            case BlockPlaced() | BlockMoved():
                laid += 1
            case TurnStarted():
                steps = []
            case ClimberStepped() as step:
                before = [step.from_.x, step.from_.y, step.from_level] if step.from_ else [step.from_level]
                steps = [*steps, (step.seat, before, [step.to.x, step.to.y, step.to_level], "")]
            case LadderSpent(kind=kind):
                *others, (seat, before, to, _) = steps
                steps = [*others, (seat, before, to, LADDER_LETTERS[kind])]
            case ClimberShifted(player=player, from_cell=start, to_cell=end):
                height = level(state, player)
                steps = [*steps, (player, [start.x, start.y, height], [end.x, end.y, height], "")]
        frames.append(_frame(state, laid, steps, ending, reaches))
    return frames


def _frame(state: State, laid: int, steps: list[Step], ending: int, reaches: Reaches) -> TowerFrame:
    goes_on = state.turn and not is_over(state)
    return TowerFrame(
        f=[[level(state, seat), sum(state.ladders[seat])] for seat in state.seats],
        a=state.acting if goes_on else NOBODY,
        x=0,
        e=ending,
        b=laid,
        p="".join(LETTERS[colour].upper() for colour in state.colours),
        c=[[] if cell is None else [cell.x, cell.y] for cell in state.climbers],
        h=[_ladders(ladders) for ladders in state.ladders],
        d=[_disc(disc) for disc in state.discs],
        r=[reaches.of(state, seat) for seat in state.seats],
        m=NOBODY if state.moved is None else state.moved,
        o=NOBODY if state.last_moved is None else state.last_moved,
        t=steps,
        k=state.streak,
    )


def _ladders(ladders: Ladders) -> str:
    return "".join(letter for kind, letter in LADDER_LETTERS.items() if ladders.has(kind))


def _disc(disc: Disc) -> list[int]:
    if disc.place is DiscPlace.ON and disc.block is not None and disc.cell is not None:
        return [disc.block, disc.cell.x, disc.cell.y]
    return [IN_HAND if disc.place is DiscPlace.IN_HAND else GONE]
