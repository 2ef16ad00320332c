"""How a caravan match would end if it were scored at a frame: who is eliminated, who wins, and both in words."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from dashboards.boards.scene import Ending
from dashboards.boards.words import joined
from dashboards.games.caravan.replay.text import TIE_BREAKS
from himalaya_core.caravan import scoring
from himalaya_core.caravan.state import Elimination, Scores, State

__all__ = ["outcomes"]

COUNTED: Final = attrgetter("stupas", "delegations", "herds", "markers", "first", "scores", "eliminated")


def outcomes(states: Sequence[State], names: Sequence[str]) -> tuple[list[Ending], list[int]]:
    """Return the different outcomes along a match, and the number of that of each state."""
    found: list[Ending] = []
    which: list[int] = []
    before: State | None = None
    for state in states:
        if before is None or any(now is not then for now, then in zip(COUNTED(state), COUNTED(before), strict=True)):
            outcome = _outcome(state, names)
            if outcome not in found[-1:]:
                found.append(outcome)
        which.append(len(found) - 1)
        before = state
    return found, which


def _outcome(state: State, names: Sequence[str]) -> Ending:
    head = "If scored now" if state.scores is None else "Final scoring"
    result = scoring.final(state)
    scores = result.scores
    if not any((*scores.religious, *scores.political, *scores.economic)):
        return Ending(head=head, out=[], win=[], text="Nobody has any influence yet.")
    out = [(gone.seat, str(gone.influence)) for gone in result.eliminated]
    winners = list(result.outcome.winners)
    sentences = [*(_out(gone, names) for gone in result.eliminated), _win(scores, winners, out, names)]
    return Ending(head=head, out=out, win=winners, text=" ".join(sentences))


def _out(gone: Elimination, names: Sequence[str]) -> str:
    tie = f", {TIE_BREAKS[gone.tie_break]}" if gone.tie_break else ""
    return f"{names[gone.seat]} out: least {gone.influence} ({gone.value}{tie})."


def _win(scores: Scores, winners: Sequence[int], out: Sequence[tuple[int, str]], names: Sequence[str]) -> str:
    """Say who wins and by what: three players by leading two influences, more by yaks (C-scoring)."""
    if len(winners) > 1:
        return f"{joined([names[seat] for seat in winners])} share the win."
    (winner,) = winners
    measures = {"religious": scores.religious, "political": scores.political, "economic": scores.economic}
    opening = ""
    if not out:
        opening = "Nobody leads two influences; "
        led = [name for name, row in measures.items() if row[winner] == max(row) and row.count(row[winner]) == 1]
        if len(led) > 1:
            return f"{names[winner]} wins, leading {joined(led)} influence."
    gone = {seat for seat, _ in out}
    rivals = [seat for seat in range(len(names)) if seat != winner and seat not in gone]
    for name in ("economic", "political"):
        row = measures[name]
        level = [seat for seat in rivals if row[seat] == row[winner]]
        if not level:
            unit = "yaks" if name == "economic" else f"{name} influence"
            return f"{opening}{names[winner]} wins with {row[winner]} {unit}."
        rivals = level
    return f"{opening}{names[winner]} wins on religious influence."
