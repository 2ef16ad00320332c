"""The events of a caravan match as text, and the result if the match were scored at a given frame."""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final

from dashboards.boards.scene import NOBODY, Ending, Kept, Moment, joined, verbs
from himalaya_core.caravan import scoring
from himalaya_core.caravan.events import (
    ActionVoided,
    Bartered,
    CaravanPlaced,
    Collected,
    DelegationsSent,
    Delivered,
    Eliminated,
    InfluenceScored,
    InventoryCounted,
    InventoryMarkerTaken,
    Moved,
    OrderReturned,
    PlanCommitted,
    PlansRevealed,
    PoliticsRecounted,
    RefillRolled,
    Rested,
    RoundEnded,
    RoundStarted,
    StormEntered,
    StupaPlaced,
    TokenPassed,
    TokenPlaced,
    TokensRemoved,
)
from himalaya_core.caravan.pieces import RESOURCES, ROUNDS, Act, Cause, Cubes, Influence, TieBreak, Token, VoidReason
from himalaya_core.caravan.state import Elimination, Scores, State
from himalaya_core.log.codec import Entry
from himalaya_core.log.envelope import Ended, Header, Reason
from himalaya_core.names import shown_name

__all__ = [
    "KIND_NAMES",
    "TIE_BREAKS",
    "VOIDS",
    "cubes_text",
    "decision_in_words",
    "is_inventory_reward",
    "moments",
    "outcomes",
]


VOIDS: Final[Mapping[VoidReason, tuple[str, str]]] = {
    VoidReason.NO_ROAD: ("n", "no such road leaves here"),
    VoidReason.YETI: ("y", "the Yeti closes the road"),
    VoidReason.STORM_UNFINISHED: ("s", "not out of the snowstorm in time"),
    VoidReason.ON_STORM: ("o", "is on a snowstorm"),
    VoidReason.NOTHING_HERE: ("h", "nothing to trade here"),
    VoidReason.ALREADY_COLLECTED: ("a", "already took goods here this round"),
    VoidReason.GOODS_MISSING: ("g", "lacks the goods for the order"),
    VoidReason.DECLINED: ("d", "declined"),
}
"""For each reason why an action is void: its letter in the plans shown on the page, and its text."""

TIE_BREAKS: Final[Mapping[TieBreak, str]] = {
    TieBreak.STUPAS: "fewer stupas",
    TieBreak.DELEGATIONS: "fewer delegations",
    TieBreak.YAKS: "fewer yaks",
    TieBreak.TURN_ORDER: "acts later",
}

KINDS: Final[Mapping[type[Any], str]] = {
    Header: "start",
    RefillRolled: "refill",
    CaravanPlaced: "place",
    RoundStarted: "round",
    TokenPassed: "pass",
    PlanCommitted: "plan",
    PlansRevealed: "reveal",
    Moved: "move",
    StormEntered: "snowstorm",
    Rested: "rest",
    Collected: "collect",
    Delivered: "deliver",
    ActionVoided: "void",
    TokensRemoved: "token",
    InventoryCounted: "inventory",
    RoundEnded: "round",
    InfluenceScored: "score",
    Eliminated: "out",
    PoliticsRecounted: "score",
    Ended: "end",
}
KIND_NAMES: Final[Mapping[str, str]] = {
    "deliver": "Deliveries",
    "collect": "Goods taken",
    "move": "Moves",
    "rest": "Rests",
    "void": "Void actions",
    "plan": "Plans",
    "reveal": "Plans revealed",
    "yeti": "The Yeti",
    "snowstorm": "Snowstorms",
    "market": "Markets",
    "pass": "No token placed",
    "token": "Tokens leaving",
    "inventory": "Inventories",
    "refill": "Refills",
    "place": "Caravans placed",
    "round": "Rounds",
    "score": "Final scoring",
    "out": "Eliminations",
    "start": "Start",
    "end": "End",
}
"""Kinds of moments in the event list, in the order of the page's filter."""
CONSEQUENCES: Final = (Bartered, OrderReturned, StupaPlaced, DelegationsSent, InventoryMarkerTaken)
KEY: Final = (Delivered, InfluenceScored, Eliminated, Ended)
PLACED: Final[Mapping[Token, str]] = {
    Token.YETI: "puts the Yeti on the road",
    Token.SNOWSTORM: "puts a snowstorm on the road",
    Token.MARKET: "opens the market in village",
}


def is_inventory_reward(event: Any) -> bool:
    """Return whether an event is an inventory reward: a marker, or a stupa or delegations instead of a marker."""
    return isinstance(event, InventoryMarkerTaken) or getattr(event, "cause", None) is Cause.INVENTORY


def moments(entries: Sequence[Entry], names: Sequence[str], drawn: str) -> list[Moment]:
    """Return the lines of the event list; `names` are the seats' names, `drawn` is "Card" or "Die"."""
    groups: list[list[int]] = []
    for at, entry in enumerate(entries):
        passes = (
            bool(groups) and isinstance(entry.event, TokenPassed) and isinstance(entries[at - 1].event, TokenPassed)
        )
        if (groups and isinstance(entry.event, CONSEQUENCES)) or passes:
            groups[-1].append(at)
        else:
            groups.append([at])
    return [_moment([entries[at].event for at in group], group[0], names, drawn) for group in groups]


def decision_in_words(events: Sequence[Any], names: Sequence[str]) -> str:
    """Describe the events of one decision of a seat."""
    parts = [part for part in (_consequence(event, names) for event in events) if part]
    first = events[0]
    return ": ".join(filter(None, [_begun(first, names), ", ".join(parts)]))


def _begun(event: Any, names: Sequence[str]) -> str:
    if isinstance(event, TokenPassed):
        return _passing([names[event.seat]])
    return "" if isinstance(event, CONSEQUENCES) else _text(event, names)


def _passing(names: Sequence[str]) -> str:
    return f"{joined(names)} {'place' if len(names) > 1 else 'places'} no token"


def cubes_text(cubes: Cubes, *, counted: bool = False) -> str:
    """Return "salt + barley" or, if `counted`, "2 salt, 1 gold"."""
    if counted:
        return ", ".join(f"{count} {resource}" for resource, count in cubes.items())
    return " + ".join(f"{count} {resource}" if count > 1 else str(resource) for resource, count in cubes.items())


def _moment(events: Sequence[Any], at: int, names: Sequence[str], drawn: str) -> Moment:
    first, *rest = events
    if isinstance(first, TokenPassed):
        text = _passing([names[int(event.seat)] for event in events])
    else:
        text = _refill(first, drawn) if isinstance(first, RefillRolled) else _text(first, names)
    parts = [part for part in (_consequence(event, names) for event in rest) if part]
    seat = NOBODY if isinstance(first, TokenPassed) and rest else getattr(first, "seat", NOBODY)
    if isinstance(first, InventoryCounted) and first.winner is not None:
        seat = first.winner
    kind = str(first.token) if isinstance(first, TokenPlaced) else KINDS[type(first)]
    moment = Moment(at=at, seat=seat, kind=kind, text=text + (": " + ", ".join(parts) if parts else ""))
    if any(isinstance(event, KEY) or is_inventory_reward(event) for event in events):
        moment["key"] = True
    return moment


def _text(event: Any, names: Sequence[str]) -> str:
    """Describe an event without its consequences."""
    match event:
        case Moved(storm=True):
            return f"{names[event.seat]} leaves the snowstorm, moving from {event.from_} to {event.to}"
        case StormEntered():
            way = f"the {event.road} road from {event.from_} to {event.toward}"
            return f"{names[event.seat]} enters the snowstorm on {way}"
        case Moved():
            return f"{names[event.seat]} takes the {event.road} road from {event.from_} to {event.to}"
        case Rested():
            return f"{names[event.seat]} rests"
        case Collected():
            where = "at the market in" if event.market else "in"
            return f"{names[event.seat]} takes {event.resource} {where} village {event.village}"
        case Delivered():
            return f"{names[event.seat]} delivers {cubes_text(event.spent)} in village {event.village}"
        case ActionVoided():
            what = (
                "does not trade"
                if event.action is Act.TRADE
                else f"does not take {'an' if event.action is Act.ICE else 'a'} {event.action} road"
            )
            return f"{names[event.seat]} {what}: {VOIDS[event.reason][1]}"
        case PlanCommitted(plan=()):
            return f"{names[event.seat]} commits a plan"
        case PlanCommitted():
            return f"{names[event.seat]} plans {', '.join(event.plan)}"
        case CaravanPlaced():
            return f"{names[event.seat]} starts in village {event.village}"
        case InventoryCounted():
            return f"Inventory of {event.resource}, {_row(event.counts)}" + (
                ": no player has the most" if event.winner is None else ""
            )
        case _:
            return _calendar(event, names)


def _calendar(event: Any, names: Sequence[str]) -> str:
    match event:
        case Header():
            who = [f"{name} ({shown_name(seat.player)})" for name, seat in zip(names, event.seats, strict=True)]
            return f"{joined(who)} take their seats"
        case RoundStarted():
            return f"{names[event.first]} is First Caravaneer"
        case TokenPlaced():
            where = f"{event.road[0]}–{event.road[1]}" if event.road else event.village
            return f"{names[event.seat]} {PLACED[event.token]} {where}"
        case TokensRemoved():
            verb = "leaves" if len(event.tokens) == 1 else "leave"
            return f"The {joined(['Yeti' if token is Token.YETI else str(token) for token in event.tokens])} {verb}"
        case PlansRevealed():
            return "The plans are revealed"
        case RoundEnded():
            return "The round ends"
        case InfluenceScored():
            counted = f"political {_row(event.political)}, economic {_row(event.economic)}"
            return f"Final scoring: religious {_row(event.religious)}, {counted}"
        case Eliminated():
            tie = f", {TIE_BREAKS[event.tie_break]}" if event.tie_break else ""
            return f"{names[event.seat]} is out: least {event.influence} influence ({event.value}{tie})"
        case PoliticsRecounted():
            return f"Politics recounted: {_row(event.political)}"
        case Ended() if event.reason is Reason.FINISHED:
            winners = [names[seat] for seat in event.ranking[0]]
            return f"{joined(winners)} {'wins' if len(winners) == 1 else 'share the win'}"
        case _:
            return "The match was abandoned"


def _refill(event: RefillRolled, drawn: str) -> str:
    rolled = f"{drawn} {event.die}" if event.die == event.village else f"{drawn} {event.die}, not empty"
    if event.order is not None:
        wanted = f"an order of {cubes_text(event.order.demand)} for {event.order.yaks} yaks"
        return f"{rolled}: {wanted} comes to village {event.village}"
    return f"{rolled}: {cubes_text(event.drawn or {}, counted=True)} come to village {event.village}"


def _consequence(event: Any, names: Sequence[str]) -> str:
    match event:
        case Bartered():
            return f"{event.yaks} yaks"
        case StupaPlaced(cause=Cause.INVENTORY):
            return f"{names[event.seat]} builds a stupa in village {event.village}"
        case StupaPlaced():
            return "stupa"
        case DelegationsSent():
            (first, count), *others = event.regions.items()
            noun = "delegation" if count == 1 else "delegations"
            sender = f"{names[event.seat]} sends " if event.cause is Cause.INVENTORY else ""
            sent = [f"{count} {noun} to region {first}", *(f"{n} to region {region}" for region, n in others)]
            return sender + ", ".join(sent)
        case InventoryMarkerTaken():
            return f"{names[event.seat]} takes {event.yaks} yaks"
        case _:
            return ""


def _row(values: Sequence[int]) -> str:
    return "–".join(map(str, values))


COUNTED: Final = attrgetter(
    "stupas", "delegations", "herds", "markers", "first", "scores", "eliminated", "round", "inventory", "round_over"
)
_kept: Final[Kept[Ending]] = Kept()
TO_COME: Final = "The inventory of this last round is still to come."


def outcomes(states: Sequence[State], names: Sequence[str]) -> tuple[list[Ending], list[int]]:
    """Return the distinct outcomes during a match, and the index of the outcome at each state."""
    found: list[Ending] = []
    which: list[int] = []
    before: State | None = None
    for state in states:
        if before is None or any(now is not then for now, then in zip(COUNTED(state), COUNTED(before), strict=True)):
            outcome = _kept.of(state, tuple(names), partial(_outcome, state, names))
            if outcome not in found[-1:]:
                found.append(outcome)
        which.append(len(found) - 1)
        before = state
    return found, which


def _outcome(state: State, names: Sequence[str]) -> Ending:
    over = state.scores is not None
    head = "Final scoring" if over else "If scored now"
    result = scoring.final(state)
    if not any((*result.scores.religious, *result.scores.political, *result.scores.economic)):
        return Ending(head=head, over=over, out=[], win=[], text="No player has any influence yet.")
    shown = state.scores or scoring.influences(state)
    sentences = [*_out(result, shown, names, over=over), _win(result, names, over=over)]
    if state.round == ROUNDS and not over and _inventory_to_come(state):
        sentences.append(TO_COME)
    out = [(gone.seat, str(gone.influence)) for gone in result.eliminated]
    return Ending(head=head, over=over, out=out, win=list(result.outcome.winners), text=" ".join(sentences))


def _inventory_to_come(state: State) -> bool:
    """Return whether this round has an inventory that may still give a reward."""
    done = state.inventory is not None and state.inventory.resource is RESOURCES[-1] and state.inventory.rewarded
    return not (state.round_over or done)


def _out(result: scoring.Ending, shown: Scores, names: Sequence[str], *, over: bool) -> list[str]:
    """Describe the eliminations, and if the political scores differ from those `shown`, these scores and the reason."""
    religious = [gone for gone in result.eliminated if gone.influence is Influence.RELIGIOUS]
    political = [gone for gone in result.eliminated if gone.influence is Influence.POLITICAL]
    if not religious:
        return []
    went, scores = verbs(over=over).went, result.scores
    first = religious[0].seat
    sentences = [f"{_gone(religious, scores.religious, [], names)} {went} out on religious influence."]
    if shown.political != scores.political:
        others = [seat for seat in range(len(names)) if seat != first]
        counted = ", ".join(f"{names[seat]} {scores.political[seat]}" for seat in others)
        sentences.append(f"Without {names[first]}, political influence is {counted}.")
    sentences.append(f"{_gone(political, scores.political, [first], names)} {went} out on political influence.")
    return sentences


def _gone(gone: Sequence[Elimination], values: Sequence[int], before: Sequence[int], names: Sequence[str]) -> str:
    """Return "red (3)", or after a tie "red (3, as blue, but fewer stupas)", joined by "and"."""
    out, said = [*before], list[str]()
    for each in gone:
        out.append(each.seat)
        level = [name for seat, name in enumerate(names) if values[seat] == each.value and seat not in out]
        tie = f", tied with {joined(level)}, but {TIE_BREAKS[each.tie_break]}" if each.tie_break else ""
        said.append(f"{names[each.seat]} ({each.value}{tie})")
    return joined(said)


def _win(result: scoring.Ending, names: Sequence[str], *, over: bool) -> str:
    """Name the winners and the reason: with three players, leading two influences; with more, yaks (C-scoring)."""
    scores, (winner, *level_with) = result.scores, result.outcome.winners
    verb = verbs(over=over)
    if level_with:
        who = joined([names[seat] for seat in (winner, *level_with)])
        return f"{who} {verb.share} the win: they are tied on everything."
    measures = {"religious": scores.religious, "political": scores.political, "economic": scores.economic}
    gone = {each.seat for each in result.eliminated}
    opening = ""
    if not gone:
        led = [name for name, row in measures.items() if row[winner] == max(row) and row.count(row[winner]) == 1]
        if len(led) > 1:
            return f"{names[winner]} {verb.win}, leading {joined(led)} influence."
        opening = "No player leads two influences. "
    rivals = [seat for seat in range(len(names)) if seat != winner and seat not in gone]
    ties = ""
    for name in ("economic", "political", "religious"):
        row = measures[name]
        unit = "yaks" if name == "economic" else f"{name} influence"
        level = [seat for seat in rivals if row[seat] == row[winner]]
        if not level:
            return f"{opening}{names[winner]} {verb.win} with {row[winner]} {unit}{ties}."
        tied = joined([names[seat] for seat in level])
        ties += f"{', and' if ties else ', tied'} with {tied} on {unit} ({row[winner]})"
        rivals = level
    message = "one winner is level with no other in everything"
    raise AssertionError(message)
