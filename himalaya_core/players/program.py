"""Players as programs in any language: JSON lines over standard input and output, protocol 1.

One process plays one seat of one match. It gets a message and answers with one line:

    hello   game, seat, seed and settings of the player   ->  ready   name, version, settings
    match   the header of the match and its board             (no answer)
    choose  what the seat may know, and its legal actions  ->  an action, or its number in the list
    end     the result                                         (no answer; the program ends)

docs/reference/player-programs.md describes the messages. A program runs in its own process group, which is killed when
its match ends or when the program breaks a limit. This is no sandbox: run only programs that you trust.
"""

import hashlib
import json
import os
import re
import resource
import selectors
import shlex
import shutil
import signal
import subprocess
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from time import monotonic
from typing import Any, Final

from himalaya_core.game import Game, Outcome
from himalaya_core.log.codec import LogError, decode_action, written_action, written_header
from himalaya_core.log.envelope import Header
from himalaya_core.match import FailureKind, ProgramFailure
from himalaya_core.players.external import NAME, OutsideError

__all__ = ["NO_LIMITS", "Limits", "Program", "ProgramPlayer", "begin_match", "end_match"]

PREFIX: Final = "prog:"
PROTOCOL: Final = 1
MOST_LISTED: Final = 1_000
"""Legal actions are listed up to this number; beyond it, only their number is given."""
LONGEST_LINE: Final = 1 << 20
QUOTED: Final = 80
"""Maximum length of an answer that a message quotes."""
CHUNK: Final = 1 << 16
STDERR_KEPT: Final = 2_000
START_SECONDS: Final = 20.0
"""Time for the answer to `hello`, in which a virtual machine may start."""
PAUSE: Final = 0.5
"""Seconds after which a silent program is checked for having exited."""
END_SECONDS: Final = 0.5
"""Time for a program to exit by itself after `end`."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a program: seconds for a decision and for all decisions of a match, and mebibytes of memory."""

    move: float | None = None
    match: float | None = None
    memory: int | None = None


NO_LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class Program:
    """A program as the source of a player: `prog:COMMAND`, and ` =NAME` if the log is to call it otherwise."""

    text: str
    command: tuple[str, ...]
    alias: str | None
    folder: str
    """The folder in which the program runs."""
    limits: Limits

    @classmethod
    def read(cls, text: str, beside: Path | None = None, limits: Limits = NO_LIMITS) -> "Program | None":
        """Parse a source; `None` if it does not begin with `prog:`. It runs in `beside` if its files are there.

        Raises `OutsideError` for a command that cannot be run.
        """
        if not text.startswith(PREFIX):
            return None
        try:
            words = shlex.split(text.removeprefix(PREFIX))
        except ValueError as error:
            raise OutsideError(f"the command cannot be read: {error}") from None
        alias = words.pop().removeprefix("=") if len(words) > 1 and words[-1].startswith("=") else None
        if not words:
            raise OutsideError("expected prog:COMMAND, such as prog:./bot --level 3")
        near = beside is not None and any((beside / word).is_file() for word in words)
        folder = beside.absolute() if beside is not None and near else Path.cwd()
        if not (folder / words[0]).is_file() and shutil.which(words[0]) is None:
            raise OutsideError(f"{words[0]}: No such program")
        return cls(text, tuple(words), alias, str(folder), limits)

    def is_same(self, other: object) -> bool:
        """Return whether the other source runs the same command in the same folder."""
        mine = (self.command, self.folder)
        return isinstance(other, Program) and mine == (other.command, other.folder)

    @property
    def sha256(self) -> str:
        """Digest of the command and of every file that it names, such as a script and the engine that it starts."""
        return _digest(self.command, self.folder)

    def player(self, game: Game[Any, Any, Any], seed: str) -> "ProgramPlayer":
        """Return a player for one match. Raises `OutsideError` if the program does not say who it is."""
        return ProgramPlayer(self, game, seed, _identity(self, game))


@dataclass(frozen=True, slots=True)
class Identity:
    """What a program says of itself, in its answer to `hello`."""

    name: str
    version: str
    params: Mapping[str, Any]
    is_repeatable: bool


@cache
def _digest(command: Sequence[str], folder: str) -> str:
    whole = hashlib.sha256()
    for word in command:
        path = Path(folder, word)
        whole.update(f"{len(word)} {word} ".encode())
        if path.is_file():
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


@cache
def _identity(program: Program, game: Game[Any, Any, Any]) -> Identity:
    """Ask a program who it is, once in this process."""
    try:
        process = _Process(program)
        try:
            said = process.ask(_hello(game, ""), START_SECONDS)
        finally:
            process.kill()
    except ProgramFailure as failure:
        raise OutsideError(f"it {failure}") from None
    if said.get("protocol", PROTOCOL) != PROTOCOL:
        raise OutsideError(f"it speaks protocol {said['protocol']!r}; this version speaks {PROTOCOL}")
    name = program.alias or said.get("name")
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise OutsideError(f"name: expected a letter, then up to 31 of A-Z a-z 0-9 . _ -, found {name!r}")
    version, params = said.get("version", "1"), said.get("params", {})
    if not isinstance(version, str) or not isinstance(params, dict):
        raise OutsideError(f"expected version as text and params as an object, found {version!r} and {params!r}")
    return Identity(name, version, params, said.get("repeatable", True) is True)


def _hello(game: Game[Any, Any, Any], seed: str) -> dict[str, Any]:
    version = game.rules_version
    return {"type": "hello", "protocol": PROTOCOL, "game": game.name, "rules_version": version, "seed": seed}


class ProgramPlayer:
    """A program that plays one seat of one match. Its process starts with its first decision."""

    def __init__(self, program: Program, game: Game[Any, Any, Any], seed: str, identity: Identity) -> None:
        self.program = program
        self.name = identity.name
        self.version = identity.version
        self.params = identity.params
        self.is_repeatable = identity.is_repeatable
        self._game = game
        self._seed = seed
        self._match: dict[str, Any] = {}
        self._process: _Process | None = None
        self._decisions = 0
        self._seconds = 0.0

    def begin(self, header: Header, board: Any) -> None:
        """Tell the program which match it will play."""
        self._match = {
            "type": "match",
            "header": json.loads(written_header(header)),
            "board": board.document,
        }

    def choose(self, view: Any, seat: int) -> Any:
        """Return the program's choice. Raises `ProgramFailure` if it gives none within its limits."""
        limits = self.program.limits
        seconds = min((limit for limit in (limits.move, self._left()) if limit is not None), default=None)
        process = self._started()
        self._decisions += 1
        legal = self._game.legal_actions(view, seat)
        number = len(legal)
        question = {
            "type": "choose",
            "id": self._decisions,
            "seat": seat,
            "round": self._game.round_of(view),
            "view": self._game.position(view),
            "legal": [self._written(action) for action in legal] if number <= MOST_LISTED else None,
            "number_of_legal": number,
        }
        begun = monotonic()
        answer = process.ask(question, seconds)
        self._seconds += monotonic() - begun
        return self._chosen(answer, legal, seat)

    def end(self, outcome: Outcome | None) -> None:
        """Tell the program the result, let it exit, and kill it if it does not."""
        if self._process is not None:
            result = {} if outcome is None else {"ranking": outcome.ranking, "scores": [*map(dict, outcome.scores)]}
            self._process.end({"type": "end", **result})
            self._process = None

    def _started(self) -> "_Process":
        if self._process is None:
            self._process = _Process(self.program)
            self._process.ask(_hello(self._game, self._seed), START_SECONDS)
            if self._match:
                self._process.tell(self._match, START_SECONDS)
        return self._process

    def _left(self) -> float | None:
        whole = self.program.limits.match
        return None if whole is None else max(0.0, whole - self._seconds)

    def _written(self, action: Any) -> Any:
        return json.loads(written_action(self._game, action))

    def _chosen(self, answer: Mapping[str, Any], legal: Sequence[Any], seat: int) -> Any:
        if answer.get("id") != self._decisions:
            raise ProgramFailure(f"answered question {answer.get('id')!r}, not {self._decisions}", FailureKind.ILLEGAL)
        number, action = answer.get("number"), answer.get("action")
        if type(number) is int and action is None and 0 <= number < len(legal):
            return legal[number]
        if not isinstance(action, dict):
            last = len(legal) - 1
            said = f"expected an action, or a number from 0 to {last}, found {_short(json.dumps(answer).encode())}"
            raise ProgramFailure(said, FailureKind.ILLEGAL)
        try:
            return decode_action(self._game, action, seat)
        except LogError as error:
            raise ProgramFailure(f"chose no action: {error}", FailureKind.ILLEGAL) from None


def begin_match(players: Iterable[object], header: Header, board: Any) -> None:
    """Tell the programs among some players which match they will play."""
    for player in players:
        if isinstance(player, ProgramPlayer):
            player.begin(header, board)


def end_match(players: Iterable[object], outcome: Outcome | None) -> None:
    """Tell the programs among some players the result, if there is one, and end their processes."""
    for player in players:
        if isinstance(player, ProgramPlayer):
            player.end(outcome)


class _Process:
    """A running program. Reading and writing happen in one loop, so neither side can block the other."""

    def __init__(self, program: Program) -> None:
        memory = program.limits.memory
        limited = None if memory is None else partial(_limit_memory, memory << 20)
        try:
            self._process = subprocess.Popen(  # noqa: S603  running a program of the user's choice is the purpose
                program.command,
                cwd=program.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                preexec_fn=limited,  # noqa: PLW1509  the callers have no other threads that hold locks
            )
        except OSError as error:
            raise ProgramFailure(f"cannot be run: {error.strerror}", FailureKind.EXITED) from None
        self._finalizer = weakref.finalize(self, _kill, self._process)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._stderr = self._process.stderr
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        self._out = b""
        self._errors = b""

    def ask(self, question: Mapping[str, Any], seconds: float | None) -> Mapping[str, Any]:
        """Send a message and return the answer, a JSON object on one line."""
        if self._out:
            raise self._failure(f"answered twice: {_short(self._out)}", FailureKind.ILLEGAL)
        self._exchange(question, seconds, is_answered=True)
        line, _, self._out = self._out.partition(b"\n")
        try:
            answer = json.loads(line)
        except (UnicodeDecodeError, ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            said = f"expected one JSON object on a line, found {_short(line)}"
            raise self._failure(said, FailureKind.ILLEGAL)
        return answer

    def tell(self, message: Mapping[str, Any], seconds: float | None) -> None:
        """Send a message that has no answer."""
        self._exchange(message, seconds, is_answered=False)

    def end(self, message: Mapping[str, Any]) -> None:
        """Send the last message, wait a moment for the program to exit, and kill what is left of its group."""
        with suppress(ProgramFailure, subprocess.TimeoutExpired):
            if not self._finalizer.alive:  # killed for a failure
                return
            self.tell(message, END_SECONDS)
            self._stdin.close()
            self._process.wait(END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill the program's process group and close the pipes."""
        self._finalizer()

    def _exchange(self, message: Mapping[str, Any], seconds: float | None, *, is_answered: bool) -> None:
        """Write a message and read until a whole line is there, in one loop."""
        unsent = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        until = None if seconds is None else monotonic() + seconds
        with selectors.DefaultSelector() as ready:
            ready.register(self._stdin, selectors.EVENT_WRITE)
            ready.register(self._stdout, selectors.EVENT_READ)
            ready.register(self._stderr, selectors.EVENT_READ)
            while unsent or (is_answered and b"\n" not in self._out):
                if len(self._out) > LONGEST_LINE:
                    raise self._failure(f"wrote more than {LONGEST_LINE} bytes without a line end", FailureKind.ILLEGAL)
                left = PAUSE if until is None else min(PAUSE, until - monotonic())
                events = ready.select(left) if left > 0 else []
                if not events and self._process.poll() is not None:  # a child process may hold its pipes open
                    raise self._exited()
                if not events and left <= 0:
                    raise self._failure(f"gave no answer within {seconds:.3g} seconds", FailureKind.TIMED_OUT)
                for key, _ in events:
                    if key.fileobj is self._stdin:
                        unsent = self._send(unsent)
                        if not unsent:
                            ready.unregister(self._stdin)
                    elif key.fileobj is self._stdout:
                        self._receive()
                    elif not self._hear():
                        ready.unregister(self._stderr)

    def _send(self, unsent: bytes) -> bytes:
        try:
            return unsent[os.write(self._stdin.fileno(), unsent) :]
        except BlockingIOError:
            return unsent
        except OSError:
            raise self._exited() from None

    def _receive(self) -> None:
        found = os.read(self._stdout.fileno(), CHUNK)
        if not found:
            raise self._exited()
        self._out += found

    def _hear(self) -> bool:
        """Read standard error and keep its last lines; return `False` at its end, or if there is nothing now."""
        try:
            found = os.read(self._stderr.fileno(), CHUNK)
        except BlockingIOError:
            return False
        self._errors = (self._errors + found)[-STDERR_KEPT:]
        return bool(found)

    def _exited(self) -> ProgramFailure:
        try:
            code = self._process.wait(END_SECONDS)
            said = f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"
        except subprocess.TimeoutExpired:
            said = "closed its standard input or output"
        return self._failure(said, FailureKind.EXITED)

    def _failure(self, said: str, kind: FailureKind) -> ProgramFailure:
        while self._hear():
            pass
        lines = self._errors.decode(errors="replace").split("\n")
        last = " | ".join(line.strip() for line in lines if line.strip())[-STDERR_KEPT // 4 :]
        self.kill()
        return ProgramFailure(f"{said}; its last output to stderr: {last}" if last else said, kind)


def _limit_memory(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _short(line: bytes) -> str:
    text = line.split(b"\n")[0][: 2 * QUOTED].decode(errors="replace")
    return repr(text if len(text) <= QUOTED else text[: QUOTED - 1] + "…")
