"""Confirms that an alternative is better than the actual decision, by playing both out many times.

In a review, the cost of a decision is only the model's estimate. Here the original players continue from both choices,
in pairs with the same seeds. Up to 200 pairs select the alternative if it is better by three standard errors.

A second sample of fixed size, with other seeds, then measures the difference. The first sample cannot be used for that:
being selected by it makes the alternative look too good.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from himalaya_core.engine import step
from himalaya_core.errors import HimalayaError
from himalaya_core.log.codec import canonical, decode_action
from himalaya_core.players import players_of
from himalaya_core.players.named import make_player
from himalaya_core.replay import Replay
from himalaya_core.tournament.playouts import Pairs, between, is_open
from himalaya_core.tournament.reproducibility import NotAsked, player_of
from himalaya_core.winprob.key_moments import Evaluation
from himalaya_core.winprob.review import participants

__all__ = ["SECONDS", "ConfirmError", "Confirmation", "confirm", "digest_of", "guess_in_words", "positions"]

SECONDS: Final = 120.0
"""Time limit for one decision, in seconds of processor time."""
SIZES: Final = ((200, 400), (100, 200), (50, 100))
"""Possible sample sizes: maximum pairs for selection, and pairs for measuring. The first that fits the time is used."""
LOOK: Final = 25
"""Number of pairs between checks for early stopping. The first check comes after twice as many pairs."""
STAND_INS: Final = ("greedy", "random")
"""Substitutes for a player that cannot be run here, in order of preference. A game may lack the first."""


class ConfirmError(HimalayaError, ValueError):
    """A decision that cannot be played out; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The result of playing out an alternative: whether it is better, and a sentence about that.

    `gain` is the mean of the second sample and its 95 % interval, as a difference in the seat's chance of winning;
    `pairs` is the size of that sample. `gain` is `None` if the alternative was not selected. `stand_ins` names the
    players that replaced those that cannot be run here.
    """

    is_confirmed: bool
    pairs: int
    gain: tuple[float, float, float] | None
    stand_ins: Mapping[int, str]
    text: str

    @property
    def document(self) -> dict[str, Any]:
        """The result as a JSON document."""
        return {
            "is_confirmed": self.is_confirmed,
            "pairs": self.pairs,
            "gain": None if self.gain is None else [round(each, 4) for each in self.gain],
            "stand_ins": {str(seat): name for seat, name in self.stand_ins.items()},
            "text": self.text,
        }


def guess_in_words(judged: Evaluation) -> str:
    """Return the sentence shown for an alternative that has not been played out."""
    return f"The model's guess, not confirmed: {_signed(judged.cost)} points."


def confirm(
    replay: Replay,
    judged: Evaluation,
    seconds: float = SECONDS,
    report: Callable[[int, int], None] = lambda _done, _of: None,
) -> Confirmation:
    """Play out an alternative and the actual decision, within `seconds` of processor time.

    `report` is called with the number of pairs done and the maximum number. Both choices continue from the last
    position before the decision in which nothing was hidden; other seats make their secret choices again. Raises
    `ConfirmError` with the reason if this is impossible.
    """
    stand_ins = _stand_ins(replay)
    players = [stand_ins.get(info.seat) for info in replay.header.seats]
    states = positions(replay, judged)
    until = time.process_time() + seconds
    select, estimate = SIZES[0]

    def series(name: str, done_before: int, samples: int) -> Any:
        for pairs in between(replay, states, players, samples, luck=f"{name}-{judged.seq}"):
            if pairs.done > 1 and time.process_time() > until:
                raise ConfirmError(f"its players take longer than {seconds:.0f} s of processor time")
            report(done_before + pairs.done, select + estimate)
            yield pairs

    is_selected, started = False, time.process_time()
    for pairs in series("select", 0, select):
        if pairs.done == 1:
            select, estimate = _sizes(time.process_time() - started, seconds)
        is_selected = _is_far_above(pairs, judged.seat)
        enough = pairs.done >= 2 * LOOK and pairs.done % LOOK == 0
        if pairs.done == select or (enough and (is_selected or pairs.difference[judged.seat][0] <= 0)):
            break
    if not is_selected:
        return _found(replay, stand_ins, 0, None)
    *_, last = series("confirm", select, estimate)
    return _found(replay, stand_ins, estimate, last.difference[judged.seat])


def digest_of(replay: Replay, lines_sha256: str, judged: Evaluation, model: str) -> str:
    """Return the cache key of a confirmation: a digest of the log, decision, alternative, players and model."""
    game, stand_ins = replay.game, _stand_ins(replay)
    seats = [
        [name, make_player(game, name, "").version] if (name := stand_ins.get(info.seat)) else None
        for info in replay.header.seats
    ]
    actions = [dict(each) for each in (judged.action, *judged.then)]
    return sha256(canonical([lines_sha256, judged.seq, judged.seat, actions, seats, model])).hexdigest()


def _sizes(seconds_of_a_pair: float, seconds: float) -> tuple[int, int]:
    for sizes in SIZES:
        if seconds_of_a_pair * sum(sizes) <= seconds:
            return sizes
    least = sum(SIZES[-1])
    needed = f"{least} pairs take {least * seconds_of_a_pair:.0f} s of processor time"
    raise ConfirmError(f"{needed}, and there are {seconds:.0f}")


def _is_far_above(pairs: Pairs, seat: int) -> bool:
    """Return whether a difference is at least three standard errors above 0."""
    _, low, high = pairs.difference[seat]
    return low > (high - low) / 4


def _stand_ins(replay: Replay) -> dict[int, str]:
    """Return a substitute for each seat with a player that cannot be run here."""
    known = players_of(replay.game)
    name = next(name for name in STAND_INS if name in known)
    found = dict[int, str]()
    for info in replay.header.seats:
        try:
            player_of(replay, info, (), "")
        except NotAsked:
            found[info.seat] = name
    return found


def positions(replay: Replay, judged: Evaluation) -> tuple[Any, Any]:
    """Return two positions: after the alternative, and after the actual decision."""
    game, seat = replay.game, judged.seat
    before = next((at for at in range(judged.seq - 1, -1, -1) if is_open(replay, at)), None)
    if before is None or seat not in game.actors(replay.states[before]):
        raise ConfirmError("what others had chosen in secret was hidden from its seat")
    alternative = [decode_action(game, dict(each), seat) for each in (judged.action, *judged.then)]
    entries = replay.entries[judged.seq :]
    own = [entry.action for entry in entries if entry.action is not None and entry.seat == seat][: judged.decisions]
    return _after(replay, before, alternative), _after(replay, before, own)


def _after(replay: Replay, place: int, actions: list[Any]) -> Any:
    state = replay.states[place]
    for action in actions:
        state = step(replay.game, state, action)[-1][1]
    return state


def _found(
    replay: Replay, stand_ins: Mapping[int, str], pairs: int, gain: tuple[float, float, float] | None
) -> Confirmation:
    is_confirmed = gain is not None and gain[1] > 0
    text = "No better decision was confirmed."
    if gain is not None and is_confirmed:
        mean, low, high = gain
        text = f"Confirmed: {_signed(mean)} points (95% CI {100 * low:.0f} to {100 * high:.0f}), {pairs} pairs."
    played = [f"{name} played for {participants(replay)[seat]}." for seat, name in stand_ins.items()]
    return Confirmation(is_confirmed, pairs, gain, stand_ins, " ".join([text, *played]))


def _signed(chance: float) -> str:
    return f"{100 * chance:+.0f}".replace("-", "−")
