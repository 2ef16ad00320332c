"""The source digest of a player: its module and everything it imports, except the core and the standard library.

The same version of a player should make the same choices; the digest shows whether its code has changed. Imports are
read from the source, including those inside functions. Modules of the player's own package, or of none, count by their
bytes; other installed packages by name and version. Python and the core are left out, as a manifest records their
versions separately. Files that a player reads (such as weights) are not covered.
"""

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Any, Final

__all__ = ["is_of_the_core", "source_sha256"]

CORE: Final = "himalaya_core"
PLAYERS: Final = f"{CORE}.players"
SOURCE: Final = ".py"
ITSELF: Final = "the player's module"
"""Name of the first module, as a file's module name would depend on its location."""


@cache  # keyed by the class; `Any`, because mypy takes a class for unhashable
def source_sha256(kind: Any) -> str | None:
    """Return the digest of a player's class; `None` if it was not loaded from a file, as in a notebook."""
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


def _parts(first: str, file: Path, package: str) -> Mapping[str, str]:
    """Return the parts of a module: digests of modules, versions of packages."""
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
            if top != own and (installed := _installed().get(top)):
                parts[top] = " ".join(f"{distribution}=={version(distribution)}" for distribution in installed)
                continue
            found = _found(wanted)
            if found is not None and found.origin and Path(found.origin).is_file():
                inside = wanted if found.submodule_search_locations else wanted.rpartition(".")[0]
                waiting.append((wanted, Path(found.origin), inside))
    return parts


def _is_given(name: str) -> bool:
    """Return whether a module belongs to Python or to the core."""
    if name == PLAYERS or (_top(name) == CORE and not name.startswith(f"{PLAYERS}.")):
        return True
    return _top(name) in sys.stdlib_module_names


def _imports(source: bytes, package: str) -> Iterator[str]:
    """Yield the modules that a source may import, with their parent packages."""
    for node in ast.walk(ast.parse(source)):
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
    """Return a module's spec; `None` if the name is not a module or its package is missing."""
    if name in sys.modules:
        return sys.modules[name].__spec__
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None


@cache
def _installed() -> Mapping[str, Sequence[str]]:
    """Return the distributions that installed each top-level module, sorted."""
    return {top: sorted(set(found)) for top, found in packages_distributions().items()}


def _top(name: str) -> str:
    return name.partition(".")[0]
