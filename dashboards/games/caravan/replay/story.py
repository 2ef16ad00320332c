"""How a caravan match ended, in sentences: who was out on which influence, and what won."""

from collections.abc import Sequence

from dashboards.boards.scene import joined
from dashboards.boards.story import Line, result_line, told
from dashboards.games.caravan.replay.text import TIE_BREAKS, outcomes
from himalaya_core.caravan.events import Eliminated
from himalaya_core.caravan.scoring import Ending, final
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import Valued
from himalaya_core.winprob.review import Moment, names_in

__all__ = ["caravan_story"]


def caravan_story(replay: Replay, course: Sequence[Valued], moments: Sequence[Moment]) -> list[Line]:
    """Return the story of a match: its favourite, its turns, the eliminations, and what won."""
    scoring = final(replay.states[-1])
    end = result_line(replay, _result(replay, scoring))
    out = [
        Line(at=entry.seq, seat=entry.event.seat, text=_out(replay, entry.event, scoring))
        for entry in replay.entries
        if isinstance(entry.event, Eliminated)
    ]
    return told(replay, course, moments, [*out, end] if end else [])


def _out(replay: Replay, event: Eliminated, scoring: Ending) -> str:
    """Say why a seat was out, and whether it was the richest."""
    names, yaks = names_in(replay), scoring.scores.economic
    richest = yaks[event.seat] == max(yaks) and yaks.count(max(yaks)) == 1
    rich = f", richest with {yaks[event.seat]} yaks," if richest else ""
    tie = f", {TIE_BREAKS[event.tie_break]} in a tie" if event.tie_break else ""
    return f"{names[event.seat]}{rich} was out: least {event.influence} influence ({event.value}{tie})."


def _result(replay: Replay, scoring: Ending) -> str:
    """Say how the winner won; with eliminations and without a tie on yaks, by the yaks of the best remaining rival."""
    names, yaks, winners = names_in(replay), scoring.scores.economic, scoring.outcome.winners
    gone = {each.seat for each in scoring.eliminated}
    rivals = [seat for seat in range(len(names)) if seat not in (*gone, winners[0])]
    best = max((yaks[seat] for seat in rivals), default=0)
    if gone and len(winners) == 1 and yaks[winners[0]] > best:
        second = joined([names[seat] for seat in rivals if yaks[seat] == best])
        return f"{names[winners[0]]} won on economy, {yaks[winners[0]]} yaks to {best} of {second}."
    *_, said = outcomes(replay.states[-1:], names)[0]
    return said["text"].rpartition("influence. ")[2]
