"""What tables hold of a match of climbers, found once more by going through its positions and what was chosen in them.

No SQL, nothing of `ingest`, and of an event hardly more than its type: who went where is seen from where they stand.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from himalaya_core.climbers import actions, climbing, events, scoring
from himalaya_core.climbers.blocks import Cell, Colour, Size
from himalaya_core.climbers.pieces import LADDERS_FOR, DiscPlace, Ladder
from himalaya_core.climbers.state import State
from himalaya_core.replay import Replay

__all__ = ["ClimbersFold", "Row", "enterable", "fold_climbers"]

Row = dict[str, Any]
SIZES = {Size.HALF: "half", Size.CUBE: "cube", Size.DOUBLE: "double", Size.TRIPLE: "triple"}


@dataclass
class ClimbersFold:
    """What became of one match: rows of tables, without the match."""

    replay: Replay
    placements: list[Row] = field(default_factory=list)
    climbs: list[Row] = field(default_factory=list)
    discs: list[Row] = field(default_factory=list)
    standings: list[Row] = field(default_factory=list)
    turns: list[Row] = field(default_factory=list)
    hindrances: list[Row] = field(default_factory=list)
    seats: list[Counter[str]] = field(default_factory=list)
    hindered_by: list[list[int]] = field(default_factory=list)
    cells: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    """Counts by seat, what is counted, turn, square from the middle, and level."""

    @property
    def course(self) -> Row:
        """The row of `fct_climbers_courses`."""
        final = self.replay.states[-1]
        winners = set(scoring.standing(final).ranking[0])
        led = [{row["seat"] for row in rows if row["wins"]} for _, rows in self.by_round()]
        second_half = [
            row
            for number, rows in self.by_round()
            for row in rows
            if final.turn > number >= final.turn / 2 and row["place"] == max(row["place"] for row in rows) > 1
        ]
        levels = sorted((climbing.level(final, seat) for seat in final.seats), reverse=True)
        margin = levels[0] - levels[1] if len(winners) < len(levels) else 0
        return {
            "turns": final.turn,
            "steps": len(self.climbs),
            "rises": final.rises,
            "ladders": sum(2 - sum(left) for left in final.ladders),
            "blocks_moved": len(self.placements),
            "discs": len(self.discs),
            "hindrances": len(self.hindrances),
            "highest": levels[0],
            "lead_changes": sum(now != then for then, now in pairwise(led)),
            "decisive_round": next(n for n in range(1, len(led) + 1) if all(who == winners for who in led[n - 1 :])),
            "comeback": any(row["seat"] in winners for row in second_half),
            "margin": margin,
            "tie_break": len(winners) == 1 and not margin,
        }

    def by_round(self) -> Iterator[tuple[int, list[Row]]]:
        for number in range(1, self.replay.states[-1].turn + 1):
            yield number, [row for row in self.standings if row["round"] == number]


def fold_climbers(replay: Replay) -> ClimbersFold:
    """Go through a match."""
    players = replay.states[0].seats
    found = ClimbersFold(replay, seats=[Counter() for _ in players], hindered_by=[[0] * len(players) for _ in players])
    chosen: Any = None
    for at, entry in list(enumerate(replay.entries))[1:]:
        before, after = replay.states[at - 1], replay.states[at]
        chosen = entry.action or chosen
        if isinstance(entry.event, events.TurnStarted):
            found.seats[after.active]["turns"] += 1
        if isinstance(chosen, actions.MoveBlock):
            _place(found, at, before, after, chosen)
        if isinstance(entry.event, events.ClimberStepped) and isinstance(chosen, actions.ClimbStep):
            _climb(found, at, before, after, chosen)
        _disc(found, at, before, after)
        if isinstance(entry.event, events.TurnEnded):
            _stand(found, after)
    final = replay.states[-1]
    for seat, count in enumerate(found.seats):
        count["level"] = climbing.level(final, seat)
        count["ladders_left"] = sum(final.ladders[seat])
    return found


def _place(found: ClimbersFold, at: int, before: State, after: State, action: actions.MoveBlock) -> None:
    """Add a row for a block that does not lie as it lay, and count who was set aside for it."""
    for seat in before.seats:
        if before.climbers[seat] != after.climbers[seat]:
            found.seats[seat]["shifted"] += seat != after.active
    start, to = before.poses[action.block], after.poses[action.block]
    if start == to or start is None or to is None:
        return
    row: Row = {"seq": at, "round": after.turn, "seat": after.active, "block": action.block}
    row |= {"size": SIZES[after.board.blocks[action.block].size], "turned": (start.x, start.y) == (to.x, to.y)}
    for name, pose in (("from", start), ("to", to)):
        row |= {f"{name}_x": pose.x, f"{name}_y": pose.y, f"{name}_level": pose.z + pose.dz, f"{name}_top": pose.top}
    found.placements.append(row | {"shifted": len(action.shifts)})
    found.seats[after.active]["blocks_moved"] += 1
    found.seats[after.active]["blocks_turned"] += row["turned"]
    _hinder(found, at, before, after, "block")


def _climb(found: ClimbersFold, at: int, before: State, after: State, action: actions.ClimbStep) -> None:
    """Add a row for a step, and count it."""
    (seat,) = [seat for seat in before.seats if before.climbers[seat] != after.climbers[seat]]
    start, to = before.climbers[seat], after.climbers[seat]
    low, high = climbing.level(before, seat), climbing.level(after, seat)
    assert isinstance(to, Cell)
    row: Row = {"seq": at, "round": after.turn, "seat": seat, "phase": before.phase.value}
    row |= {"from_x": start and start.x, "from_y": start and start.y, "to_x": to.x, "to_y": to.y, "from_level": low}
    row |= {"to_level": high, "rise": high - low, "ladder": action.ladder}
    found.climbs.append(row | {"reached": before.rises + 1 if high > low else None})
    whose = "own" if seat == after.active else "others"
    found.seats[seat][f"steps_{whose}"] += 1
    found.seats[seat][f"levels_{whose}"] += high - low
    found.seats[seat]["rises"] += high > low
    found.seats[seat]["levels_by_ladder"] += high - low if action.ladder is not Ladder.NONE else 0
    found.cells[seat, "arrivals", after.turn, *_from_the_middle(found, to), high] += 1


def _disc(found: ClimbersFold, at: int, before: State, after: State) -> None:
    """Add a row for a disc that is laid, or say when it left the game."""
    for seat in before.seats:
        was, now = before.discs[seat], after.discs[seat]
        if was == now:
            continue
        if now.place is DiscPlace.GONE:
            (laid,) = [row for row in found.discs if row["seat"] == seat]
            laid["removed"] = after.turn
        elif now.cell is not None:
            row: Row = {
                "seq": at,
                "round": after.turn,
                "seat": seat,
                "block": now.block,
                "x": now.cell.x,
                "y": now.cell.y,
            }
            found.discs.append(row | {"level": climbing.ground(after).height_at(now.cell), "removed": None})
            found.seats[seat]["disc_used"] += 1
            _hinder(found, at, before, after, "disc")


def enterable(state: State, seat: int) -> set[int]:
    """Return the blocks that a climber may step on; a top that is cut is one place, and so is all bare table."""
    ground, cell = climbing.ground(state), state.climbers[seat]
    block = None if cell is None else ground.block_at(cell)
    squares = ground.levels[0] if block is None else ground.exposed[block]
    height = climbing.level(state, seat)
    standing = sum({ground.grid.square(cell) for cell in state.climbers if cell is not None})
    found = set[int]()
    for near in ground.below(ground.grid.around(squares) & ~squares):
        pose = state.poses[near]
        assert pose is not None
        ladders = LADDERS_FOR.get(pose.z + pose.dz - height, ())
        if (
            pose.top in {state.colours[seat], Colour.NEUTRAL}
            and any(state.ladders[seat].has(ladder) for ladder in ladders)
            and near not in state.disc_blocks
            and ground.exposed[near] & ~standing
        ):
            found.add(near)
    return found


def _hinder(found: ClimbersFold, at: int, before: State, after: State, means: str) -> None:
    """Add a row for each of the others who can't step any more where it could."""
    for seat in before.seats:
        lost = enterable(before, seat) - enterable(after, seat)
        if seat == after.active or not lost:
            continue
        row = {"seq": at, "round": after.turn, "seat": seat, "by_seat": after.active, "means": means}
        found.hindrances.append(row | {"steps": len(lost)})
        found.hindered_by[seat][after.active] += 1
        found.seats[seat]["hindered"] += 1
        found.seats[seat][f"hindered_by_{means}s"] += 1
        found.seats[after.active]["hindering"] += 1


def _stand(found: ClimbersFold, state: State) -> None:
    """Add how all stand after a turn, and what the turn was."""
    ranking = scoring.standing(state).ranking
    number, levels = state.turn, [climbing.level(state, seat) for seat in state.seats]
    for seat in state.seats:
        (nth,) = [nth for nth, group in enumerate(ranking) if seat in group]
        cell = state.climbers[seat]
        row: Row = {"round": number, "seat": seat, "x": cell and cell.x, "y": cell and cell.y, "level": levels[seat]}
        row |= {"reached": state.reached[seat], "ladders": sum(state.ladders[seat])}
        found.standings.append(row | {"place": 1 + sum(map(len, ranking[:nth])), "wins": nth == 0})
        if cell is not None:
            found.cells[seat, "stands", number, *_from_the_middle(found, cell), levels[seat]] += 1
    climbs = [row for row in found.climbs if row["round"] == number]
    own = [row for row in climbs if row["seat"] == state.active]
    turn: Row = {"round": number, "seat": state.active, "block": state.moved, "steps": len(own)}
    turn |= {"disc": any(disc["round"] == number for disc in found.discs), "steps_others": len(climbs) - len(own)}
    turn |= {"rises": sum(row["rise"] > 0 for row in climbs), "streak": state.streak, "levels": levels}
    found.turns.append(turn | {"leader": ranking[0][0] if len(ranking[0]) == 1 else None})


def _from_the_middle(found: ClimbersFold, cell: Cell) -> tuple[int, int]:
    """Return where a square is, from the middle of the triples as they lay when all was built."""
    built = next(state for state in found.replay.states if None not in state.poses)
    core = [pose for pose, block in zip(built.poses, built.board.blocks, strict=True) if block.size is Size.TRIPLE]
    middles = [(2 * pose.x + pose.dx, 2 * pose.y + pose.dy) for pose in core if pose]
    return cell.x - sum(x for x, _ in middles) // 4, cell.y - sum(y for _, y in middles) // 4
