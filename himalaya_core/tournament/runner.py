"""Runs a tournament defined by options or a TOML file, in several processes; it can be resumed at any point."""

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from himalaya_core.document import as_json
from himalaya_core.errors import LogFileError, OptionsError
from himalaya_core.files import PARTIAL, load_board, read_lines, read_unfinished, write_log
from himalaya_core.game import SEAT, Game
from himalaya_core.games import GAMES
from himalaya_core.log.codec import LogError, decode_line
from himalaya_core.log.envelope import Ended
from himalaya_core.log.matches import matches
from himalaya_core.match import PlayerFailure
from himalaya_core.names import TOURNAMENT_NAME, did_you_mean
from himalaya_core.players.named import Source, UnknownPlayer
from himalaya_core.players.program import NO_LIMITS, Limits
from himalaya_core.pool import ordered
from himalaya_core.tournament.manifest import Manifest, alone, damage
from himalaya_core.tournament.plan import (
    Pairing,
    Plan,
    Schedule,
    Seating,
    TournamentError,
    check,
    header,
    make_plan,
    pairings,
    play,
    play_command,
)
from himalaya_core.tournament.sequential import EloModel, Referee, SequentialTest, at_most

__all__ = ["Plan", "Question", "Shard", "TournamentError", "pairings", "read_plan", "run_tournament", "shards"]


Check = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Question:
    """The comparison that a tournament is to decide: the test, and two players (`None` if it has only two)."""

    compare: tuple[str, ...] | None
    test: SequentialTest


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 1


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(TOURNAMENT_NAME, value) is not None


def _is_line_up(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(player, str) for player in value)


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_one_of(names: type[Schedule | Seating | EloModel]) -> Check:
    return lambda value: isinstance(value, str) and value in list(names)


KEYS: Final[Mapping[str, tuple[str, Check]]] = {
    "name": ("1 to 57 of A-Z a-z 0-9 . _ -", _is_name),
    "game": ("one of {games}", lambda value: isinstance(value, str) and value in GAMES),
    "players": ('a list of players such as ["greedy", "trader"]', _is_line_up),
    "schedule": (f"one of {', '.join(Schedule)}", _is_one_of(Schedule)),
    "seating": (f"one of {', '.join(Seating)}", _is_one_of(Seating)),
    "seats": ("a whole number from 1", _is_count),
    "seeds": ("a whole number from 1", _is_count),
    "matches": ("a whole number from 1", _is_count),
    "options": ("a table such as [options] with tokens = true", lambda value: isinstance(value, dict)),
    "board": ("the path of a file, or the id of a board that ships with the game", _is_path),
    "out": ("the path of a folder", _is_path),
    "until_decided": ("a table such as [until_decided] with elo1 = 20", lambda value: isinstance(value, dict)),
}
QUESTION: Final[Mapping[str, tuple[str, Check]]] = {
    "compare": ('two players such as ["greedy", "trader"]', lambda value: _is_line_up(value) and len(value) == 2),
    "elo0": ("a number", _is_number),
    "elo1": ("a number", _is_number),
    "alpha": ("a number", _is_number),
    "beta": ("a number", _is_number),
    "elo_model": (f"one of {', '.join(EloModel)}", _is_one_of(EloModel)),
}
FORMER: Final[Mapping[str, str]] = {"lucks": "seeds"}
"""Maps former names of keys to the present ones."""
NEEDED: Final = ("name", "game", "players")


def read_plan(path: Path, limits: Limits = NO_LIMITS) -> tuple[Plan, Path | None, Question | None]:
    """Read a TOML file; return the plan, the output folder, and the content of the table `until_decided`, if any.

    `limits` apply to players that are programs.

    Relative paths start from the file's own folder. `TournamentError` names the file, the key, the expected value and
    the value found.
    """
    found = _read(path)
    _check_keys(path, found, KEYS)
    for key in NEEDED:
        if key not in found:
            raise TournamentError(f"{path}: {key} is missing: {KEYS[key][0]}")
    out = found.pop("out", None)
    board = found.pop("board", None)
    if board is not None:
        beside = path.parent / board
        found["board"] = beside if beside.exists() else Path(board)
    for key, kind in (("schedule", Schedule), ("seating", Seating)):
        if key in found:
            found[key] = kind(found[key])
    if "options" in found:
        found["options"] = _from_zero(GAMES[found["game"]], found["options"])
    question = _question(path, found.pop("until_decided")) if "until_decided" in found else None
    try:
        plan = make_plan(**{**found, "players": tuple(found["players"])}, beside=path.parent, limits=limits)
    except (TournamentError, OptionsError, UnknownPlayer) as error:
        raise TournamentError(f"{path}: {error}") from None
    if question and not {"seeds", "matches"} & set(found):
        plan = at_most(plan)
    return plan, None if out is None else path.parent / out, question


def _read(path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file, with former keys renamed."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TournamentError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TournamentError(f"{path}: expected text in UTF-8; save the file so") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at (line \d+, column \d+|end of document)\)", str(error))
        where = f" at {place[1]}" if place else ""
        raise TournamentError(f"{path}: this is not TOML{where}; docs/tournament.toml shows the format") from None
    return {FORMER.get(key, key): value for key, value in found.items()}


def _from_zero(game: Game[Any, Any, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with seats counted from 0, as in logs; the file counts from 1."""
    seats = {option.name for option in game.options if option.number == SEAT}
    return {name: value - 1 if name in seats and type(value) is int else value for name, value in options.items()}


def _question(path: Path, found: Mapping[str, Any]) -> Question:
    _check_keys(path, found, QUESTION, "until_decided.")
    given = dict(found)
    compare = given.pop("compare", None)
    if "elo_model" in given:
        given["elo_model"] = EloModel(given["elo_model"])
    try:
        return Question(None if compare is None else tuple(compare), SequentialTest(**given))
    except ValueError as error:
        raise TournamentError(f"{path}: until_decided: {error}") from None


def _check_keys(path: Path, found: Mapping[str, Any], keys: Mapping[str, tuple[str, Check]], table: str = "") -> None:
    for key, value in found.items():
        if key not in keys:
            there = f"there are {', '.join(keys)}{did_you_mean(key, keys)}"
            raise TournamentError(f"{path}: key {table + key!r} is unknown; {there}")
        expected, fits = keys[key]
        if not fits(value):
            expected = expected.format(games=", ".join(GAMES))
            raise TournamentError(f"{path}: {table}{key}: expected {expected}, found {as_json(value)}")


MATCHES_PER_SHARD: Final = 50


class FailedMatch(TournamentError):
    """A match in which a player failed; `pairing` is the match."""

    def __init__(self, message: str, pairing: Pairing) -> None:
        super().__init__(message, pairing)
        self.pairing = pairing

    def __str__(self) -> str:
        return f"match {self.pairing.match}, seed {self.pairing.seed}: {self.args[0]}"


Progress = Callable[..., None]
"""Called with the number of finished matches and, with a sequential test, the maximum number and the test's state."""


@dataclass(frozen=True)
class Shard:
    """A file with consecutive matches of a tournament."""

    path: Path
    pairings: tuple[Pairing, ...]


def shards(plan: Plan, folder: Path, cut: Mapping[str, int] | None = None) -> list[Shard]:
    """Return a plan's files with their matches. `cut` maps names of existing files to their numbers of matches."""
    every = list(pairings(plan))
    found: list[Shard] = []
    for number, start in enumerate(range(0, len(every), MATCHES_PER_SHARD), start=1):
        rest, piece = every[start : start + MATCHES_PER_SHARD], 1
        while rest:
            further = "" if piece == 1 else f"_{piece:02d}"
            path = folder / f"{plan.name}-{number:04d}{further}.jsonl.zst"
            length = max(1, (cut or {}).get(path.name, len(rest)))
            found.append(Shard(path, tuple(rest[:length])))
            rest, piece = rest[length:], piece + 1
    return found


def run_tournament(
    plan: Plan,
    folder: Path,
    jobs: int,
    progress: Progress | None = None,
    say: Callable[[str], None] | None = None,
    *,
    referee: Referee | None = None,
) -> list[Path]:
    """Play the missing matches of a plan and return its log files. `say` receives notes on unfinished files.

    If the plan has more matches than before, the tournament is extended. A `referee` runs the sequential test: the
    tournament then ends after the shard in which the test decides. The plan's length is the maximum, and the decision
    is written to the manifest.

    Raises `TournamentError` if the folder contains another tournament with this name or a damaged shard, or if a player
    fails; the message names the match and the command that plays it again. Raises `LogFileError` if writing fails.
    Complete shards are kept, the unfinished one stays as `*.partial`, and the same call resumes the tournament.

    >>> from pathlib import Path
    >>> import himalaya_core as hm
    >>> plan = hm.make_plan("cup", "summit", ("porter", "racer"), seeds=2)
    >>> [path.name for path in hm.run_tournament(plan, Path("logs"), 1)]
    ['cup-0001.jsonl.zst']
    >>> len(list(hm.read_log("logs")))
    4
    """
    check(plan)
    game = GAMES[plan.game]
    board = load_board(game, plan.board)
    tell = say or (lambda _: None)
    with alone(folder, plan.name):
        manifest = Manifest.open(game, plan, board, folder, referee.asked if referee else None)
        if manifest.matches < plan.matches:
            _extend(manifest, plan, board, folder, tell)
        every = shards(plan, folder, manifest.lengths)
        missing = _missing(manifest, plan, board, every, tell)
        kept = {shard.path: _salvaged(plan, board, shard, tell) for shard in missing}
        show = partial(_show, progress, plan, referee)
        show(plan.matches - sum(len(shard.pairings) for shard in missing))
        to_play = [pairing for shard in missing for pairing in shard.pairings[len(kept[shard.path]) :]]
        play_one = partial(_lines, plan.game, board, plan.options, plan.outside)
        lines = ordered(play_one, to_play, min(jobs, len(to_play)) or 1, lambda each: f"match {each.match}")
        with closing(lines):
            try:
                return _gone_through(every, kept, lines, manifest=manifest, show=show, referee=referee)
            except FailedMatch as failed:
                again = play_command(plan, failed.pairing)
                raise TournamentError(f"{failed}. To see that position: {again}") from failed


def _extend(manifest: Manifest, plan: Plan, board: Any, folder: Path, tell: Callable[[str], None]) -> None:
    before = replace(plan, matches=manifest.matches)
    _missing(manifest, before, board, shards(before, folder, manifest.lengths), lambda _: None)
    tell(f"{plan.name} is extended from {before.matches:,} to {plan.matches:,} matches")
    manifest.extend(plan)


def _gone_through(
    every: Sequence[Shard],
    kept: dict[Path, list[bytes]],
    lines: Iterator[bytes],
    *,
    manifest: Manifest,
    show: Callable[[int], None],
    referee: Referee | None,
) -> list[Path]:
    """Play and write the missing shards; `kept` has matches already finished. Return all shards up to the decision."""
    done = sum(len(shard.pairings) for shard in every if shard.path not in kept)
    paths: list[Path] = []
    for shard in every:
        paths.append(shard.path)
        if shard.path in kept:
            whole = kept.pop(shard.path)
            for match in _written(shard, chain(whole, islice(lines, len(shard.pairings) - len(whole)))):
                if referee:
                    referee.see(match[match.rfind(b"\n", 0, -1) + 1 :])
                done += 1
                show(done)
            manifest.add(shard.path, len(shard.pairings))
        elif referee:
            for _, rows in matches(read_lines(shard.path)):
                referee.see(rows[-1])
        if referee and referee.is_decided:
            break
    if referee:
        manifest.conclude(asdict(referee.verdict))
    return paths


def _show(progress: Progress | None, plan: Plan, referee: Referee | None, done: int) -> None:
    if progress is None:
        return
    if referee is None:
        progress(done)
    else:
        progress(done, plan.matches, referee.state)


def _lines(game: str, board: Any, options: Mapping[str, Any], outside: Mapping[str, Source], pairing: Pairing) -> bytes:
    try:
        return play(GAMES[game], board, options, pairing, outside)[1]
    except PlayerFailure as failure:
        raise FailedMatch(str(failure), pairing) from failure


def _written(shard: Shard, whole: Iterable[bytes]) -> Iterator[bytes]:
    with write_log(shard.path) as file:
        for lines in whole:
            file.write(lines)
            yield lines


def _missing(
    manifest: Manifest, plan: Plan, board: Any, every: Sequence[Shard], tell: Callable[[str], None]
) -> list[Shard]:
    """Return the shards still to play. Check existing shards, and add unlisted ones to the manifest."""
    missing: list[Shard] = []
    for shard in every:
        listed = shard.path.name in manifest.shards
        if not shard.path.exists():
            missing.append(shard)
            if listed:
                tell(f"{shard.path} is gone; its matches are played again")
            continue
        wrong = damage(manifest, shard.path) if listed else _strange(plan, board, shard)
        if wrong:
            raise TournamentError(f"{wrong}; put the right file back, or delete it to have its matches played again")
        if not listed:
            manifest.add(shard.path, len(shard.pairings))
    return missing


def _strange(plan: Plan, board: Any, shard: Shard) -> str | None:
    """Return what is wrong with a shard that the manifest does not list; `None` if it is intact."""
    try:
        found = len(_whole(plan, board, shard, read_lines(shard.path), exactly=True))
    except LogFileError as error:
        return str(error)
    if found == len(shard.pairings):
        return None
    return f"{shard.path}: not in the manifest, and its match {found + 1} is not the whole match that belongs there"


def _salvaged(plan: Plan, board: Any, shard: Shard, tell: Callable[[str], None]) -> list[bytes]:
    """Return the complete matches at the start of an interrupted shard."""
    unfinished = shard.path.with_name(shard.path.name + PARTIAL)
    if not unfinished.exists():
        return []
    kept = _whole(plan, board, shard, read_unfinished(unfinished).splitlines(keepends=True))
    tell(f"{unfinished} was not finished; {len(kept)} of its {len(shard.pairings)} matches are kept")
    return kept


def _whole(plan: Plan, board: Any, shard: Shard, lines: Iterable[bytes], *, exactly: bool = False) -> list[bytes]:
    """Return the complete matches at the start of `lines`, up to the first one that the plan does not contain.

    With `exactly`, extra lines after the planned matches are a fault, reported by omitting the last match.
    """
    rows = iter(lines)
    found: list[bytes] = []
    for pairing in shard.pairings:
        match = _next_match(plan, board, pairing, rows)
        if match is None:
            return found
        found.append(match)
    return found[:-1] if exactly and next(rows, None) is not None else found


def _next_match(plan: Plan, board: Any, pairing: Pairing, rows: Iterator[bytes]) -> bytes | None:
    game = GAMES[plan.game]
    gathered: list[bytes] = []
    digest = hashlib.sha256()
    try:
        for row in rows:
            gathered.append(row)
            if len(gathered) == 1:
                first = decode_line(row)
                expected = header(game, board, plan.options, pairing, plan.outside)
                if (first.match, first.event) != (pairing.match, expected):
                    return None
            elif b'"type":"match_ended"' in row[:200]:
                last = decode_line(row, game)
                whole = isinstance(last.event, Ended) and last.event.lines_sha256 == digest.hexdigest()
                return b"".join(gathered) if whole and row.endswith(b"\n") else None
            digest.update(row)
    except LogError:
        return None
    return None
