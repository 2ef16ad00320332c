"""External players: a class in a file or a module outside this package, and the digest of its source."""

import ast
import hashlib
import importlib
import importlib.util
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import packages_distributions, version
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, Final

from himalaya_core import __version__
from himalaya_core.errors import in_one_line

__all__ = [
    "NAME",
    "Outside",
    "OutsideError",
    "OutsidePlayer",
    "former_sources",
    "is_of_the_core",
    "made",
    "outside_player",
    "source_sha256",
]


NAME: Final = r"[A-Za-z][A-Za-z0-9._-]{0,31}"
WORD: Final = r"[^\W\d]\w*"
CALL: Final = re.compile(
    rf"(?P<place>.+?\.py|{WORD}(?:\.{WORD})*):(?P<kind>{WORD})(?P<settings>(?::{WORD}=[^:=]*)*)(?:=(?P<alias>{NAME}))?"
)


class OutsideError(ValueError):
    """A class that cannot be found or is not a player; the message gives the place and the reason."""


@dataclass(frozen=True, slots=True)
class Outside:
    """The source of an external player: everything another process needs to create the player."""

    text: str
    """The source as entered."""
    file: Path | None
    """The absolute path of the file, which is valid in any folder; `None` for a module."""
    module: str
    """The name of the module, or the file as entered."""
    kind: str
    """The name of the player's class."""
    settings: tuple[str, ...]
    alias: str | None
    folder: str
    """The folder searched last for a module."""

    @classmethod
    def read(cls, text: str, beside: Path | None = None) -> "Outside | None":
        """Parse the source of an external player; `None` if the text does not have this form.

        A file is searched for in the folder `beside` first, if given, then in the current folder.
        """
        found = CALL.fullmatch(text)
        if found is None:
            return None
        place, here = found["place"], Path.cwd()
        file = None
        if place.endswith(".py"):
            near = beside / place if beside else Path(place)
            file = (near if near.exists() else Path(place)).absolute()
        settings = tuple(found["settings"].split(":")[1:])
        return cls(text, file, place, found["kind"], settings, found["alias"], str(here))

    def is_same(self, other: object) -> bool:
        """Return whether the other source names the same class with the same settings."""
        mine = (self.file or self.module, self.kind, self.settings)
        return isinstance(other, Outside) and mine == (other.file or other.module, other.kind, other.settings)

    def load(self) -> type[Any]:
        """Import the class. Raises `OutsideError` with the reason if that fails."""
        module = _file(self.file, self.module) if self.file else _module(self.module, self.folder)
        kind = getattr(module, self.kind, None)
        if not isinstance(kind, type):
            there = [name for name, value in vars(module).items() if _is_player(value, module)]
            raise OutsideError(f"{self.module} has no class {self.kind!r}; its players: {', '.join(there) or 'none'}")
        if not callable(getattr(kind, "choose", None)):
            raise OutsideError(f"{self.kind} is not a player: it has no choose(view, seat)")
        return kind

    def make(self, kind: type[Any], seed: str, settings: Mapping[str, Any]) -> Any:
        """Return a player for one match. Any exception in its class becomes an `OutsideError`."""
        try:
            return made(kind, seed, settings)
        except ValueError:
            raise
        except Exception as error:  # noqa: BLE001  external code can raise anything; report it in one line
            raise OutsideError(in_one_line(error, str(self.file), self.module)) from None


@dataclass(slots=True)
class OutsidePlayer:
    """An external player, with the name that logs use for it."""

    name: str
    version: str
    params: Mapping[str, Any]
    choose: Callable[[Any, int], Any]
    kind: type[Any]
    """The class that makes the choices."""
    is_repeatable: bool


def made(kind: Callable[..., Any], seed: str, settings: Mapping[str, Any]) -> Any:
    """Create a player for one match: `kind(seed, settings)`, or `kind()` with the settings added to its `params`."""
    takes_both = _takes(kind, seed, settings)
    if not takes_both and not _takes(kind):
        raise OutsideError("expected __init__(self, seed, settings), or one that needs no arguments")
    player = kind(seed, settings) if takes_both else kind()
    if settings and not takes_both:
        player.params = {**player.params, **settings}
    return player


def outside_player(player: Any, alias: str | None = None) -> OutsidePlayer:
    """Return a player with the name, version and parameters that a log needs. `OutsideError` says what is missing.

    By default, `version` is "1" and `params` is empty.
    """
    name = alias or getattr(player, "name", None)
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        found = "none" if name is None else repr(name)
        raise OutsideError(f"name: expected a letter, then up to 31 of A-Z a-z 0-9 . _ -, found {found}")
    version = getattr(player, "version", "1")
    if not isinstance(version, str):
        raise OutsideError(f"version: expected text, found {version!r}")
    if not callable(getattr(player, "choose", None)):
        raise OutsideError(f"{type(player).__name__} is not a player: it has no choose(view, seat)")
    params = getattr(player, "params", {})
    if not isinstance(params, Mapping) or not all(isinstance(key, str) for key in params):
        raise OutsideError(f"params: expected a mapping with text keys, found {params!r}")
    try:
        json.dumps(dict(params), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise OutsideError(f"params: a log cannot keep them: {error}") from None
    return OutsidePlayer(name, version, params, player.choose, type(player), getattr(player, "is_repeatable", True))


def _takes(kind: Callable[..., Any], *arguments: object) -> bool:
    try:
        inspect.signature(kind).bind(*arguments)
    except TypeError:
        return False
    return True


def _is_player(value: object, module: ModuleType) -> bool:
    own = isinstance(value, type) and value.__module__ == module.__name__
    return own and callable(getattr(value, "choose", None))


@cache
def _file(path: Path, given: str) -> ModuleType:
    """Import a file, once per process. Its module name contains a digest, so it cannot replace another module."""
    name = f"himalaya_player_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    if not path.is_file():
        raise OutsideError(f"{given}: No such file")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None, "a name that ends in .py has a spec"
    assert spec.loader is not None, "and a loader of source files"
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001  external code can raise anything; report it in one line
        del sys.modules[name]
        raise OutsideError(in_one_line(error, str(path), given)) from None
    return module


def _module(name: str, folder: str) -> ModuleType:
    """Import a module; `folder` is searched last."""
    top = name.partition(".")[0]
    if importlib.util.find_spec(top) is None and folder not in sys.path:
        sys.path.append(folder)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            what = "module" if "." in name else "player or module"
            raise OutsideError(f"there is no {what} {error.name!r}") from None
        raise OutsideError(in_one_line(error)) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001  external code can raise anything; report it in one line
        raise OutsideError(in_one_line(error)) from None


CORE: Final = "himalaya_core"
PLAYERS: Final = f"{CORE}.players"
SOURCE: Final = ".py"
PARSING: Final = Lock()
"""Held while `ast` parses: in Python 3.11 it fails if two threads parse (https://github.com/python/cpython/issues/106905)."""
ITSELF: Final = "the player's module"
"""Key for the player's own module. Its real name is not used, because it depends on the file's location."""


@cache
def source_sha256(kind: Any) -> str | None:
    """Return a digest of the source of a player's class; `None` if it has no source file, as in a notebook."""
    module = sys.modules.get(getattr(kind, "__module__", ""))
    file = getattr(module, "__file__", None)
    if module is None or file is None or not Path(file).is_file():
        return None
    package = "" if module.__spec__ is None else module.__spec__.parent or ""
    parts = _parts(module.__name__, Path(file), package)
    lines = sorted(f"{name} {what}\n" for name, what in parts.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def is_of_the_core(kind: Any) -> bool:
    """Return whether a class belongs to this package."""
    return _top(getattr(kind, "__module__", "")) == CORE


@cache
def former_sources() -> frozenset[str]:
    """Return the source digests that built-in players had before their modules were renamed.

    Each belongs to a player version that still makes the same choices; `tests/golden/players.json` records these
    choices.
    """
    return frozenset(json.loads((Path(__file__).parent / "former_sources.json").read_bytes()).values())


def _parts(first: str, file: Path, package: str) -> Mapping[str, str]:
    """Return everything a module depends on: digests of modules, and versions of installed packages."""
    own, parts = _top(first), dict[str, str]()
    waiting = [(ITSELF, file, package)]
    seen = {first}
    while waiting:
        name, path, package = waiting.pop()
        source = path.read_bytes()
        parts[name] = hashlib.sha256(source).hexdigest()
        for wanted in _imports(source, package) if path.suffix == SOURCE else ():
            if wanted in seen or _is_given(wanted):
                continue
            seen.add(wanted)
            top = _top(wanted)
            if top == CORE != own:
                parts[top] = f"himalaya=={__version__}"
                continue
            if top != own and (installed := _installed().get(top)):
                parts[top] = " ".join(f"{distribution}=={version(distribution)}" for distribution in installed)
                continue
            found = _found(wanted)
            if found is not None and found.origin and Path(found.origin).is_file():
                inside = wanted if found.submodule_search_locations else wanted.rpartition(".")[0]
                waiting.append((wanted, Path(found.origin), inside))
    return parts


def _is_given(name: str) -> bool:
    """Return whether a module is part of Python or of this package, but not of its players."""
    if name == PLAYERS or (_top(name) == CORE and not name.startswith(f"{PLAYERS}.")):
        return True
    return _top(name) in sys.stdlib_module_names


def _imports(source: bytes, package: str) -> Iterator[str]:
    """Yield the modules that a source file may import, with their parent packages."""
    with PARSING:
        tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names: Sequence[str] = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node.module or "", node.level, package)
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[:size]) for size in range(1, len(parts) + 1))


def _absolute(name: str, level: int, package: str) -> str:
    if not level:
        return name
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - level + 1], *([name] if name else [])])


def _found(name: str) -> ModuleSpec | None:
    """Return a module's spec; `None` if there is no such module or its package is missing."""
    if name in sys.modules:
        return sys.modules[name].__spec__
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None


@cache
def _installed() -> Mapping[str, Sequence[str]]:
    """Return the distributions that provide each top-level module, sorted."""
    return {top: sorted(set(found)) for top, found in packages_distributions().items()}


def _top(name: str) -> str:
    return name.partition(".")[0]
