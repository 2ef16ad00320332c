"""What tables hold of a match of summit, found once more by going through its positions and what was chosen in them.

No SQL, nothing of `ingest`, and of an event hardly more than its type: what moved is seen from where pawns stood.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from himalaya_core.replay import Replay
from himalaya_core.summit import actions, events, scoring
from himalaya_core.summit.pieces import SHERPAS, Direction, Phase, Piece, ThrowCause

__all__ = ["Row", "SummitFold", "fold_summit"]

Row = dict[str, Any]
CHOSEN = actions.MoveByDie | actions.MoveByCard | actions.Forfeit
FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")
FAIR = Fraction(7, 2)


@dataclass
class SummitFold:
    """What became of one match: rows of tables, without the match."""

    replay: Replay
    throws: list[Row] = field(default_factory=list)
    moves: list[Row] = field(default_factory=list)
    turns: list[Row] = field(default_factory=list)
    supply: list[Row] = field(default_factory=list)
    standings: list[Row] = field(default_factory=list)
    seats: list[Counter[str]] = field(default_factory=list)
    means: list[dict[str, Fraction]] = field(default_factory=list)
    """By seat, what its dice came to, as exact numbers."""
    fields: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    """Counts by seat, what is counted, throw and field."""

    @property
    def players(self) -> range:
        return self.replay.states[0].seats

    @property
    def course(self) -> Row:
        """The row of `fct_summit_courses`."""
        final = self.replay.states[-1]
        winners = set(scoring.standing(final).ranking[0])
        led = [{row["seat"] for row in rows if row["wins"]} for _, rows in self.by_round()]
        lasts = [max(row["place"] for row in rows) for _, rows in self.by_round()]
        second_half = [
            row
            for (number, rows), last in zip(self.by_round(), lasts, strict=True)
            for row in rows
            if final.throws > number >= final.throws / 2 and row["place"] == last > 1
        ]
        heights = sorted(final.climbers, reverse=True)
        return {
            "ending": "summit" if final.board.summit in final.climbers else "bad_weather",
            "throws": final.throws,
            "rerolls": sum(row["cause"] == "reroll" for row in self.throws),
            "turns": final.turn,
            "forfeits": sum(count["forfeits"] for count in self.seats),
            "take_alongs": sum(count["take_alongs"] for count in self.seats),
            "slides": sum(count["slides"] for count in self.seats),
            "chases": sum(count["chases"] for count in self.seats),
            "lead_changes": sum(now != then for then, now in pairwise(led)),
            "decisive_round": next(n for n in range(1, len(led) + 1) if all(who == winners for who in led[n - 1 :])),
            "comeback": any(row["seat"] in winners for row in second_half),
            "margin": heights[0] - heights[1] if len(winners) == 1 else 0,
        }

    def by_round(self) -> Iterator[tuple[int, list[Row]]]:
        for number in range(1, self.replay.states[-1].throws + 1):
            yield number, [row for row in self.standings if row["round"] == number]


def fold_summit(replay: Replay) -> SummitFold:
    """Go through a match."""
    players = replay.states[0].seats
    nothing = {"dice_luck": Fraction(0), "dice_left": Fraction(0), "dice_choice": Fraction(0)}
    found = SummitFold(replay, seats=[Counter() for _ in players], means=[dict(nothing) for _ in players])
    chosen: Any = None
    thrown: tuple[int, ...] = ()
    for at, entry in list(enumerate(replay.entries))[1:]:
        before, after = replay.states[at - 1], replay.states[at]
        chosen = entry.action or chosen
        if after.throws > before.throws:
            thrown = after.pool
            _throw(found, at, before, after)
        if isinstance(entry.event, events.TurnStarted):
            row = {"seq": at, "round": after.throws, "turn": after.turn, "seat": after.active, "rerolled": False}
            found.turns.append(row | {"choice": None, "number": None, "piece": None, "dice": 0, "pips": 0})
            found.seats[after.active]["turns"] += 1
        if isinstance(entry.action, CHOSEN):
            _choose(found, before, entry.action, thrown)
        _supply(found, at, before, entry.action)
        _move(found, at, before, after, chosen)
        _draw(found, before, after)
        if found.turns:
            found.turns[-1]["round"] = after.throws
        if after.throws and (at + 1 == len(replay.states) or replay.states[at + 1].throws > after.throws):
            _stand(found, after)
    final = replay.states[-1]
    for seat, count in enumerate(found.seats):
        count["climber"] = final.climbers[seat]
        count["sherpas"] = sum(final.sherpas[seat])
        count["arrived"] = final.climbers[seat] == final.board.summit
    return found


def _throw(found: SummitFold, at: int, before: Any, after: Any) -> None:
    """Begin a row for a throw; what comes of it is added later."""
    cause = "reroll" if before.rerolled or before.pool else "pool_empty" if before.throws else "start"
    faces = Counter(after.pool)
    row = {"seq": at, "round": after.throws, "turn": after.turn, "seat": after.active, "cause": cause}
    row |= {"dice": len(after.pool)} | {name: faces[face] for face, name in enumerate(FACES, 1)}
    row |= {"pips": sum(after.pool), "luck": float(sum(after.pool) - FAIR * len(after.pool))}
    row |= {"yeti_card": None, "yeti_field": None, "chased": 0, "bad_weather": False, "taken": 0, "taken_pips": 0}
    found.throws.append(row)
    found.seats[after.active]["throws"] += 1
    if cause == ThrowCause.REROLL:
        found.turns[-1]["rerolled"] = True
        found.seats[after.active]["rerolls"] += 1


def _draw(found: SummitFold, before: Any, after: Any) -> None:
    """Add to a throw the card that it has drawn, and where the Yeti then is."""
    if after.draws > before.draws:
        found.throws[-1]["bad_weather"] = after.phase is Phase.OVER
        if after.phase is not Phase.OVER:
            found.throws[-1]["yeti_card"] = after.seen[-1]
    if before.phase is Phase.YETI:
        found.throws[-1]["yeti_field"] = after.yeti


def _choose(found: SummitFold, before: Any, action: Any, thrown: tuple[int, ...]) -> None:
    """Add to a turn what was chosen, and to a seat what that says of its dice."""
    seat, pool, count = before.active, before.pool, found.seats[before.active]
    number = action.value if isinstance(action, actions.MoveByCard) else action.face
    found.turns[-1] |= {"number": number, "piece": getattr(action, "piece", None), "dice": len(pool), "pips": sum(pool)}
    found.turns[-1]["choice"] = {"MoveByDie": "die", "MoveByCard": "card", "Forfeit": "forfeit"}[type(action).__name__]
    if isinstance(action, actions.MoveByCard):
        count["cards_played"] += 1
        count["card_pips"] += number
        return
    if isinstance(action, actions.Forfeit):
        count["forfeits"] += 1
        count["unused_pips"] += number
    count["dice"] += 1
    count["pips"] += number
    found.throws[-1]["taken"] += 1
    found.throws[-1]["taken_pips"] += number
    of_throw, left = Fraction(sum(thrown), len(thrown)), Fraction(sum(pool), len(pool))
    found.means[seat]["dice_luck"] += of_throw - FAIR
    found.means[seat]["dice_left"] += left - of_throw
    found.means[seat]["dice_choice"] += number - left


def _supply(found: SummitFold, at: int, before: Any, action: Any) -> None:
    """Add a row for a card that was played or might be taken back."""
    row = {"seq": at, "round": before.throws, "seat": before.active, "card": None, "number": None, "camp": None}
    match action:
        case actions.MoveByCard():
            row |= {"what": "played", "card": action.card, "number": action.value}
        case actions.TakeBack():
            row |= {"what": "taken_back", "card": action.card, "camp": before.arrived}
            found.seats[before.active]["cards_taken_back"] += 1
            found.fields[before.active, "resupplied", before.throws, before.arrived] += 1
        case actions.Decline():
            row |= {"what": "declined", "camp": before.arrived}
            found.seats[before.active]["cards_declined"] += 1
        case _:
            return
    found.supply.append(row)


def _move(found: SummitFold, at: int, before: Any, after: Any, action: Any) -> None:
    """Add a row for each pawn that does not stand where it stood."""
    event = found.replay.entries[at].event
    for seat in before.seats:
        for piece in Piece:
            start, to = before.at(seat, piece), after.at(seat, piece)
            if start == to:
                continue
            kind, cause, number = _way(event, piece, action)
            row = {"seq": at, "round": after.throws, "turn": after.turn, "seat": seat, "piece": piece, "kind": kind}
            row |= {"cause": cause, "number": number, "from_field": start, "to_field": to, "fields": to - start}
            found.moves.append(row)
            _count(found, row)


def _way(event: Any, piece: Piece, action: Any) -> tuple[str, str, int | None]:
    """Return in which of the ways a pawn moved, why, and by what number."""
    if isinstance(event, events.Slid):
        return "slid", event.kind, None
    if isinstance(event, events.YetiChased):
        return "chased", event.cause, None
    by_card = isinstance(action, actions.MoveByCard)
    cause = "card" if by_card else "die"
    if isinstance(event, events.TakeAlong):
        return "went_on" if piece == action.piece else "taken_along", cause, None
    return "forward" if action.dir is Direction.FORWARD else "back", cause, action.value if by_card else action.face


def _count(found: SummitFold, row: Row) -> None:
    """Count a move for its seat, and for the fields it touches."""
    seat, kind, far, number = row["seat"], row["kind"], abs(row["fields"]), row["round"]
    count, is_climber = found.seats[seat], row["piece"] is Piece.CLIMBER
    match kind:
        case "forward" if is_climber:
            count["climber_moves"] += 1
        case "forward" | "back":
            count[f"{kind}_moves"] += 1
            count[f"fields_{kind}"] += far
        case "went_on" | "taken_along":
            count["take_alongs" if kind == "went_on" else "taken_along"] += 1
            count["fields_along"] += far
        case "slid":
            count["slides"] += 1
            count["fields_slid"] += far
        case "chased":
            count["chases"] += 1
            count["fields_chased"] += far
            count[f"chases_{row['cause']}"] += 1
            found.throws[-1]["chased"] += row["cause"] == "yeti_arrived"
    if row["number"] is not None:
        count["unused_pips"] += row["number"] - far
    if kind in {"slid", "chased"}:
        found.fields[seat, kind, number, row["from_field"]] += 1
        found.fields[seat, "fields_lost", number, row["from_field"]] += far
        found.fields[seat, "brought", number, row["to_field"]] += 1
    else:
        alongs = "alongs" if kind in {"went_on", "taken_along"} else "sherpas"
        found.fields[seat, "climbers" if is_climber else alongs, number, row["to_field"]] += 1


def _stand(found: SummitFold, state: Any) -> None:
    """Add how all stand before the next throw, or at the end."""
    ranking = scoring.standing(state).ranking
    for seat in state.seats:
        (nth,) = [nth for nth, group in enumerate(ranking) if seat in group]
        row = {"round": state.throws, "seat": seat, "climber": state.climbers[seat]}
        row |= {"sherpas": sum(state.at(seat, piece) for piece in SHERPAS)}
        found.standings.append(row | {"place": 1 + sum(map(len, ranking[:nth])), "wins": nth == 0})
