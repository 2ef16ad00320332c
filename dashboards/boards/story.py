"""The story of a match in at most five sentences, each about one event, and a title for the match."""

import re
from collections.abc import Collection, Sequence
from typing import Final, TypedDict

from dashboards.boards.scene import NOBODY, joined
from himalaya_core.log.envelope import Reason
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import FAVOURITE, Valued
from himalaya_core.winprob.review import Moment, in_points, names_in, participants

__all__ = ["MOST_LINES", "Line", "plain_story", "result_line", "title_from", "told"]


MOST_LINES: Final = 5
TURNS: Final = 2
"""Maximum number of sentences about the largest changes of the chances."""
END: Final = 3
"""Maximum number of sentences about the end of the match."""
MOMENT: Final = re.compile(
    r"(?:(?P<word>Round|Turn) (?P<number>\d+), )?(?P<subject>(?!.* in all\. ).+?)(?: \([^)]*\))?:"
    r" (?P<effect>(?:[+−]\d+ points?|no change)(?: for .+?)?)(?:\. Expected when chosen.*)?"
)


class Line(TypedDict):
    """A sentence of a story: its seat, and the frame that shows what it says. Nothing later is needed to say it."""

    at: int
    seat: int
    text: str


def plain_story(replay: Replay, course: Sequence[Valued], moments: Sequence[Moment]) -> list[Line]:
    """Return the story of a match of any game, from its chances and its result alone."""
    end = result_line(replay)
    return told(replay, course, moments, [end] if end else [])


def told(
    replay: Replay,
    course: Sequence[Valued],
    moments: Sequence[Moment],
    end: Sequence[Line],
    word: str = "round",
) -> list[Line]:
    """Return a story: the favourite, the largest changes of the chances, and the last lines of how the match ended.

    `course` and `moments` are empty for a match without chances. `word` is the game's word for a round.
    """
    last = list(end)[-END:]
    turns = _turns(replay, moments)[: MOST_LINES - 1 - len(last)]
    favourite = _favourite(replay, course, {line["at"] for line in turns}, word)
    lines = sorted((*favourite, *turns, *last), key=lambda line: line["at"])
    texts = _introduced(replay, [f"{line['text'][:1].upper()}{line['text'][1:]}" for line in lines])
    return [Line(at=line["at"], seat=line["seat"], text=text) for line, text in zip(lines, texts, strict=True)]


def _introduced(replay: Replay, texts: Sequence[str]) -> list[str]:
    """Replace each seat's name, where it is first mentioned, by its participant, such as `trader (Bhotia)`."""
    seats = {}
    for name, who in zip(names_in(replay), participants(replay), strict=True):
        seats[name] = seats[f"{name[:1].upper()}{name[1:]}"] = who
    names = "|".join(map(re.escape, sorted(seats, key=len, reverse=True)))
    met = set[str]()

    def first(found: re.Match[str]) -> str:
        who = seats[found[0]]
        is_new = who not in met
        met.add(who)
        return who if is_new else found[0]

    mention = re.compile(rf"(?<!\w)(?:{names})(?!\w| on top)")  # a block may lie with a seat's colour on top
    return [mention.sub(first, text) for text in texts]


def _favourite(replay: Replay, course: Sequence[Valued], told: Collection[int], word: str) -> list[Line]:
    """Say when the winner became the favourite for good; or if that is `told` or another led, who led half-way."""
    if len(course) < 2:
        return []
    names, half = names_in(replay), course[len(course) // 2]
    ahead = half.chances.index(max(half.chances))
    if course[-1].chances[ahead] == 1:
        since = len(course) - 1
        while since and course[since - 1].chances[ahead] >= FAVOURITE:
            since -= 1
        found = course[since]
        if since and found.seq not in told and found.chances[ahead] < 1:
            text = f"{names[ahead]} became the favourite in {word} {found.round}: a chance of {_percent(found, ahead)}."
            return [Line(at=found.seq, seat=ahead, text=text)]
    text = f"Half-way, in {word} {half.round}, {names[ahead]} had the best chance: {_percent(half, ahead)}."
    return [Line(at=half.seq, seat=ahead, text=text)]


def _percent(valued: Valued, seat: int) -> str:
    return f"{100 * valued.chances[seat]:.0f}%"


def _turns(replay: Replay, moments: Sequence[Moment]) -> list[Line]:
    """Return sentences on the largest changes that outlast their round: what they did, not their expected cost."""
    names, lines = names_in(replay), dict[int, Line]()
    for moment in sorted(moments, key=lambda each: -abs(each.change)):
        swing, whose = moment.swing, "" if moment.seat == moment.swing.by else f" for {names[moment.seat]}"
        if moment.subject and swing.seq not in lines and len(lines) < TURNS and _lasts(moment, moments):
            text = f"{moment.subject}: {in_points(moment.change)}{whose}."
            lines[swing.seq] = Line(at=swing.seq, seat=swing.by, text=text)
    return list(lines.values())


def _lasts(moment: Moment, moments: Sequence[Moment]) -> bool:
    """Return whether at least half of a change is left after the other changes of its round."""
    swings = [each.swing for each in moments if each.swing.round == moment.swing.round]
    left = sum(swing.amounts[moment.seat] for swing in swings)
    return moment.change != 0 and left / moment.change >= 1 / 2


def result_line(replay: Replay, how: str = "") -> Line | None:
    """Return the last sentence of a finished match: who won, with `how` in place of the plain words if it is given."""
    if replay.ended is None or replay.ended.reason is not Reason.FINISHED:
        return None
    winners = replay.ended.ranking[0]
    won = "won" if len(winners) == 1 else "shared the win"
    text = how or f"{joined([names_in(replay)[seat] for seat in winners])} {won}."
    return Line(at=len(replay.entries) - 1, seat=winners[0] if len(winners) == 1 else NOBODY, text=text)


def title_from(moment: str, *, turned: bool) -> str:
    """Return a title for a match from the sentence on a key moment, such as "Tamang's plan turned it in round 7".

    If the moment did not turn the match, the title is its effect: "Tamang's plan in round 7: +11 points". A sentence on
    an action is its own title: "Blue moved its climber from field 5 to 11". Returns an empty text for a sentence on
    several changes.
    """
    found = MOMENT.fullmatch(moment)
    if not found:
        return ""
    subject = found["subject"].partition(", ")[0]
    subject = f"{subject[:1].upper()}{subject[1:]}"
    match found["word"]:
        case "Round":
            where = f"in round {found['number']}"
            return f"{subject} turned it {where}" if turned else f"{subject} {where}: {found['effect']}"
        case "Turn":
            return f"{subject.removesuffix(' in its turn')} in turn {found['number']}"
        case _:
            return subject
