"""Ending of a caravan match if it were scored at a frame: eliminations and winners, also in words."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Final

from dashboards.boards.kept import Kept
from dashboards.boards.scene import Ending
from dashboards.boards.words import joined, verbs
from dashboards.games.caravan.replay.text import TIE_BREAKS
from himalaya_core.caravan import scoring
from himalaya_core.caravan.pieces import RESOURCES, ROUNDS, Influence
from himalaya_core.caravan.state import Elimination, Scores, State

__all__ = ["outcomes"]

COUNTED: Final = attrgetter(
    "stupas", "delegations", "herds", "markers", "first", "scores", "eliminated", "round", "inventory", "round_over"
)
_kept: Final[Kept[Ending]] = Kept()
TO_COME: Final = "The inventory of this last round is still to come."


def outcomes(states: Sequence[State], names: Sequence[str]) -> tuple[list[Ending], list[int]]:
    """Return the different outcomes along a match, and the number of the outcome of each state."""
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
    """Return whether the inventory of this round, if it has one, may still give a reward."""
    done = state.inventory is not None and state.inventory.resource is RESOURCES[-1] and state.inventory.rewarded
    return not (state.round_over or done)


def _out(result: scoring.Ending, shown: Scores, names: Sequence[str], *, over: bool) -> list[str]:
    """Describe the eliminations; if politics differ from those `shown`, also give them and the reason."""
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
    """Return "red (3)", or after a tie "red (3, as blue, but fewer stupas)"; several are joined by "and"."""
    out, said = [*before], list[str]()
    for each in gone:
        out.append(each.seat)
        level = [name for seat, name in enumerate(names) if values[seat] == each.value and seat not in out]
        tie = f", tied with {joined(level)}, but {TIE_BREAKS[each.tie_break]}" if each.tie_break else ""
        said.append(f"{names[each.seat]} ({each.value}{tie})")
    return joined(said)


def _win(result: scoring.Ending, names: Sequence[str], *, over: bool) -> str:
    """Name the winners and the reason: three players by leading two influences, more by yaks (C-scoring)."""
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
