"""The manifest of a tournament, `NAME.tournament.json`: the plan, the versions used, and the digest of each shard.

The manifest is written before the first match is played, with the source of each player at that time. A shard (a file
of matches) is added once it is complete. When a tournament is resumed, each listed shard must have unchanged bytes.

If the process was killed between writing a shard and listing it, that shard must contain exactly its planned matches.
Anything else is an error: a file of matches is never overwritten.

A tournament may be extended by running it again with more matches. `extended` then lists the earlier numbers of
matches, because people may have looked at the results at those points.
"""

import fcntl
import hashlib
import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from itertools import pairwise, starmap
from pathlib import Path
from platform import python_version
from typing import Any, BinaryIO, Final

from himalaya_core import __version__
from himalaya_core.document import as_json, as_seat
from himalaya_core.files import LogFileError, write_log
from himalaya_core.game import SEAT, Game
from himalaya_core.players import NamedPlayer
from himalaya_core.players.external import former_sources
from himalaya_core.players.named import in_full, make_player, source_of
from himalaya_core.tournament.plan import Plan, TournamentError, seed_name
from himalaya_core.winprob.model import shipped

__all__ = [
    "BEGINNING",
    "SUFFIX",
    "Manifest",
    "alone",
    "audit",
    "damage",
    "looks_of",
    "model_of",
    "sources_of",
    "unlisted",
]

SUFFIX: Final = ".tournament.json"
LATER_KEYS: Final[Mapping[str, Any]] = {
    "schedule": "fixed",
    "seating": "rotate",
    "seats": None,
    "limits": None,
    "until_decided": None,
}
"""Defaults for keys that are missing in manifests of earlier versions."""
BEGINNING: Final = ("himalaya", "python", "seeds", "sources", "model")
"""Keys for the state at the start: versions, first and last seed, each player's source digest, and the model.

Recording the digest of the model in advance prevents choosing a model after seeing the results.
"""
OPTIONAL_KEYS: Final = ("outside", "limits", "until_decided", "verdict", "extended", *BEGINNING)
"""Keys that are omitted from the file if they have no value."""
DIGEST: Final = re.compile("[0-9a-f]{64}")


class Manifest:
    """The contents of a manifest. `shards` maps file names to the number of matches, digest and version.

    `outside` gives the sources of external players as they were entered; the files may move between runs. `beginning`
    has the keys in `BEGINNING`, or none in a manifest of an earlier version. `verdict` is the result of
    `--until-decided`; adding a shard deletes the verdict. `extended` lists the numbers of matches at which the
    tournament was complete before each extension.
    """

    def __init__(
        self,
        path: Path,
        asked: Mapping[str, Any],
        shards: dict[str, dict[str, Any]],
        outside: Mapping[str, str],
        beginning: Mapping[str, Any],
    ) -> None:
        self.path = path
        self.asked = dict(asked)
        self.shards = shards
        self.outside = outside
        self.beginning = beginning
        self.verdict: Mapping[str, Any] | None = None
        self.extended: list[int] = []

    @classmethod
    def open(
        cls,
        game: Game[Any, Any, Any],
        plan: Plan,
        board: Any,
        folder: Path,
        until_decided: Mapping[str, Any] | None = None,
    ) -> "Manifest":
        """Return the manifest of a plan; create it if needed. Raises an error if another tournament has this name.

        If the plan has more matches than the manifest, `matches` changes only when `extend` is called.
        """
        path = folder / f"{plan.name}{SUFFIX}"
        players = {name: make_player(game, name, "", plan.outside) for name in plan.players}
        asked = {**_asked(game, plan, board, players), "until_decided": until_decided}
        outside = {name: place.text for name, place in plan.outside.items()}
        beginning = _beginning(game, plan, players)
        if not path.exists():
            manifest = cls(path, asked, {}, outside, beginning)
            manifest.write()
            return manifest
        found = {**LATER_KEYS, **_read(path)}
        for key, value in asked.items():
            if found.get(key) != value and not (key == "matches" and _is_fewer(found.get(key), value)):
                begun = f"the tournament {plan.name} in {folder} was begun with"
                files = shlex.quote(str(folder / plan.name))
                advice = f"take another --name or --out, or delete it: rm {files}{SUFFIX} {files}-????[._]*"
                raise TournamentError(f"{begun} {_difference(game, key, found.get(key), value)}; {advice}")
        asked["matches"] = found["matches"]
        _refuse_changed(path, players, found.get("sources") or {}, beginning["sources"])
        shards = {shard["file"]: shard for shard in found.get("shards", ())}
        manifest = cls(path, asked, shards, outside, {key: found.get(key) for key in BEGINNING})
        manifest.verdict = found.get("verdict")
        manifest.extended = found.get("extended", [])
        return manifest

    @property
    def matches(self) -> int:
        """Number of matches requested."""
        return int(self.asked["matches"])

    @property
    def played(self) -> int:
        """Number of matches in the listed shards."""
        return sum(self.lengths.values())

    @property
    def lengths(self) -> dict[str, int]:
        """Number of matches in each listed shard, by its file."""
        return {name: shard["matches"] for name, shard in self.shards.items()}

    def extend(self, plan: Plan) -> None:
        """Replace the plan with a longer one. If the tournament was complete, record its previous number of matches."""
        if self.played >= self.matches:
            self.extended = [*self.extended, self.matches]
        self.asked["matches"] = plan.matches
        if self.beginning.get("seeds"):
            self.beginning = {**self.beginning, "seeds": _seeds(plan)}
        self.verdict = None
        self.write()

    def add(self, shard: Path, matches: int) -> None:
        """Add a complete shard."""
        self.shards[shard.name] = {
            "file": shard.name,
            "matches": matches,
            "sha256": _digest(shard),
            "himalaya": __version__,
        }
        self.verdict = None
        self.write()

    def conclude(self, verdict: Mapping[str, Any]) -> None:
        """Record the verdict of the sequential test."""
        if self.verdict != verdict:
            self.verdict = verdict
            self.write()

    def write(self) -> None:
        """Write the file atomically, so that readers never see a partial file."""
        shards = [self.shards[name] for name in sorted(self.shards)]
        whole = {**self.asked, **self.beginning, "played": self.played, "shards": shards, "verdict": self.verdict}
        whole |= {"outside": self.outside or None, "extended": self.extended or None}
        said = {key: value for key, value in whole.items() if value is not None or key not in OPTIONAL_KEYS}
        text = json.dumps(said, indent=2, sort_keys=True)
        with write_log(self.path) as file:
            file.write(text.encode() + b"\n")


def audit(path: Path) -> tuple[list[str], list[str]]:
    """Compare a manifest with the shards next to it. Return the faults, and the parts that are only unfinished."""
    manifest = _read(path)
    if "shards" not in manifest:
        return [], []
    shards = manifest["shards"]
    wrong = [fault for shard in shards if (fault := _fault(path.parent / shard["file"], shard["sha256"]))]
    asked, played = manifest.get("matches", 0), manifest.get("played", 0)
    if _is_complete(manifest):
        return wrong, []
    return wrong, [f"{path}: {played:,} of {asked:,} matches are in complete files; the same command plays the rest"]


def unlisted(path: Path, found: Mapping[Path, int]) -> tuple[list[str], list[str]]:
    """Return messages on files that a manifest does not list: those with extra matches, and unfinished ones.

    `found` gives the number of this tournament's matches in each file. A shard that was complete when the process was
    killed is added when the tournament is resumed.
    """
    manifest = _read(path)
    if "shards" not in manifest:
        return [], []
    listed = {path.parent / shard["file"] for shard in manifest["shards"]}
    name = path.name.removesuffix(SUFFIX)
    added, unfinished = list[str](), list[str]()
    for file, matches in sorted(found.items()):
        if file not in listed:
            may_be_listed = not _is_complete(manifest) and file.name.startswith(f"{name}-")
            counted = f"{matches:,} {'match' if matches == 1 else 'matches'}"
            said = f"{file}: {counted} of {name}, which its manifest does not list"
            (unfinished if may_be_listed else added).append(said)
    return added, unfinished


def sources_of(path: Path) -> dict[str, str]:
    """Return the digest of each player's source at the start; empty for a manifest of an earlier version.

    Raises `LogFileError` for an unreadable file and `TournamentError` for a file that is no manifest.
    """
    sources = _read(path).get("sources") or {}
    if not isinstance(sources, dict):
        raise TournamentError(f"{path} is not a tournament manifest")
    digests = {in_full.partition(":")[0]: source for in_full, source in sources.items()}
    return {
        player: source for player, source in digests.items() if isinstance(source, str) and DIGEST.fullmatch(source)
    }


def model_of(path: Path) -> str | None:
    """Return the digest of the model named in a manifest, if any. Raises the same errors as `sources_of`."""
    model = _read(path).get("model")
    return model if isinstance(model, str) and DIGEST.fullmatch(model) else None


def looks_of(path: Path) -> dict[str, Any]:
    """Return facts about interim looks at the results; empty if the results were visible only at the end.

    `extended` lists the numbers of matches before each extension. `until_decided` is true if a sequential test looked
    after each seed. Raises the same errors as `sources_of`.
    """
    manifest = _read(path)
    looks = {"extended": manifest.get("extended"), "until_decided": bool(manifest.get("until_decided"))}
    return {key: value for key, value in looks.items() if value}


def _is_complete(manifest: Mapping[str, Any]) -> bool:
    return manifest.get("played", 0) >= manifest.get("matches", 0) or "verdict" in manifest


def damage(manifest: Manifest, shard: Path) -> str | None:
    """Return the fault of a listed shard that exists; `None` if it is intact."""
    return _fault(shard, manifest.shards[shard.name]["sha256"])


def _fault(path: Path, expected: str) -> str | None:
    if not path.exists():
        return f"{path} is missing: the manifest lists it"
    if _digest(path) == expected:
        return None
    return f"{path} is damaged: its contents are not those that the manifest lists"


def _asked(game: Game[Any, Any, Any], plan: Plan, board: Any, players: Mapping[str, NamedPlayer]) -> dict[str, Any]:
    seated = [players[name] for name in plan.players]
    return {
        "name": plan.name,
        "game": plan.game,
        "rules_version": game.rules_version,
        "board": {"id": board.id, "sha256": board.sha256},
        "options": dict(plan.options),
        "players": [{"player": p.name, "version": p.version, "params": dict(p.params)} for p in seated],
        "schedule": plan.schedule.value,
        "seating": plan.seating.value,
        "seats": plan.seats,
        "matches": plan.matches,
        "limits": {key: value for key, value in asdict(plan.limits).items() if value is not None} or None,
    }


def _beginning(game: Game[Any, Any, Any], plan: Plan, players: Mapping[str, NamedPlayer]) -> dict[str, Any]:
    """Return the values for the keys in `BEGINNING`. Only players loaded from a file have a source."""
    model = shipped(game)
    return {
        "himalaya": __version__,
        "python": python_version(),
        "seeds": _seeds(plan),
        "sources": {name: source_of(player) for name, player in players.items()},
        "model": model and model.sha256,
    }


def _seeds(plan: Plan) -> dict[str, str]:
    return {"first": seed_name(plan, 0), "last": seed_name(plan, plan.matches - 1)}


def _difference(game: Game[Any, Any, Any], key: str, there: Any, here: Any) -> str:
    """Return a sentence on how a value in the manifest differs from the value requested now."""
    match key:
        case "players":
            return _other_players(there, here)
        case "rules_version":
            return f"version {there} of the rules of {game.name}; version {here} is installed"
        case "board":
            before, now = (board.get("id") if isinstance(board, Mapping) else None for board in (there, here))
            other = "the board of that id has other contents now" if before == now else f"you named {now}"
            return f"the board {before}; {other}"
        case "options":
            return f"{_options(game, there)}; you gave {_options(game, here)}"
        case "matches":
            return f"{there} matches; it can be extended, not shortened to {here}"
        case "until_decided":
            return _other_test(there, here)
        case _:
            before, now = ("the usual" if value is None else value for value in (there, here))
            return f"{key} {before}; you gave {now}"


def _other_players(there: Any, here: Any) -> str:
    try:
        before, now = ([row["player"] for row in rows] for rows in (there, here))
        if before != now:
            return f"players {', '.join(before)}; you named {', '.join(now)}"
        mine, yours = next(pair for pair in zip(there, here, strict=True) if pair[0] != pair[1])
        if mine["version"] != yours["version"]:
            return f"version {mine['version']} of {mine['player']}; version {yours['version']} is installed"
        return (
            f"player {in_full(mine['player'], mine['params'])}; you named {in_full(yours['player'], yours['params'])}"
        )
    except (AttributeError, KeyError, StopIteration, TypeError):
        return "other players"


def _options(game: Game[Any, Any, Any], options: Any) -> str:
    if not isinstance(options, Mapping) or not options:
        return "no options"
    seats = {option.name for option in game.options if option.number == SEAT}
    shown = [f"{name}={as_seat(value) if name in seats else as_json(value)}" for name, value in options.items()]
    return f"options {', '.join(shown)}"


def _other_test(there: Any, here: Any) -> str:
    if not isinstance(there, Mapping):
        return "no test; you gave --until-decided"
    if here is None:
        return "--until-decided; you gave no test"
    key = next(key for key in {**there, **here} if there.get(key) != here.get(key))
    before, now = (_criterion(key, test.get(key)) for test in (there, here))
    return f"a test of {key} {before}; you gave {now}"


def _criterion(key: str, value: Any) -> str:
    if value is None:
        return "none"
    return " against ".join(value) if key == "players" else _short(value)


def _is_fewer(there: Any, here: Any) -> bool:
    return type(there) is type(here) is int and 0 < there < here


def _are_ends(extended: Any, matches: Any) -> bool:
    return isinstance(extended, list) and all(starmap(_is_fewer, pairwise([*extended, matches])))


def _refuse_changed(
    path: Path, players: Mapping[str, NamedPlayer], before: Mapping[str, Any], now: Mapping[str, Any]
) -> None:
    """Raise `TournamentError` if a player's source has changed since the tournament began."""
    for name, source in now.items():
        if before.get(name, source) not in {source, *former_sources()}:
            raise TournamentError(
                f"{path}: the source of {name}, version {players[name].version}, has changed since this tournament "
                f"began; put the former source back, or raise its version and take another --name or --out"
            )


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LogFileError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise TournamentError(f"{path} is not a tournament manifest: it is not JSON in UTF-8") from None
    shards = found.get("shards", []) if isinstance(found, dict) else None
    if not isinstance(shards, list) or not all(
        isinstance(row, dict) and {"file", "sha256"} <= set(row) for row in shards
    ):
        raise TournamentError(f"{path} is not a tournament manifest")
    if "extended" in found and not _are_ends(found["extended"], found.get("matches")):
        raise TournamentError(
            f"{path} is damaged: extended lists increasing numbers of matches below {found.get('matches')}, "
            f"found {_short(found['extended'])}"
        )
    whole: dict[str, Any] = found
    return whole


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise LogFileError(f"{path}: {error.strerror}") from None


@contextmanager
def alone(folder: Path, name: str) -> Iterator[None]:
    """Hold a tournament's lock for this process. The lock is released when the process ends, even if it is killed."""
    path = folder / f"{name}.tournament.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    except (FileExistsError, NotADirectoryError):
        raise LogFileError(f"{folder}: this is not a folder that logs can go to") from None
    except OSError as error:
        raise LogFileError(f"{path}: {error.strerror}") from None
    with file:
        if not _locked(file):
            raise TournamentError(f"another process is playing {name} into {folder}")
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _locked(file: BinaryIO) -> bool:
    """Try to lock a file. Return `False` also if the previous holder has just deleted it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(file.fileno()).st_nlink > 0
