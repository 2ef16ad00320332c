"""The player's modules without a browser: found in assets/replay, run in QuickJS."""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from posixpath import dirname, join, normpath
from threading import Lock, stack_size
from typing import Any, Final

import quickjs

__all__ = ["LOADER", "MODULES", "SPECIFIER", "DrawingError", "ModuleError", "defined", "needed", "resolved", "run"]


MODULES: Final = Path(__file__).parent.parent / "assets" / "replay"
SPECIFIER: Final = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}/[\w./-]+\.js)\2""")
COMMENT: Final = re.compile(r"^\s*(?://|/?\*).*$", re.MULTILINE)
IMPORT: Final = re.compile(r"^import\s*(\{[^}]*\})\s*from\s*([^;\n]+);?", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
LOADER: Final = """\
const $made = {}, $known = {};
function $define(name, make) { $made[name] = make; }
function $need(name) { return ($known[name] ??= $made[name]()); }
"""
"""Script by which `defined` modules are defined and required."""


class ModuleError(Exception):
    """A module with syntax that a script cannot have."""


def resolved(specifier: str, module: str) -> str:
    """Return the module that `specifier` means in `module`: `../drawing/dom.js` is `drawing/dom.js`."""
    return normpath(join(dirname(module), specifier))


@cache
def needed(entry: str) -> tuple[str, ...]:
    """Return the modules that one needs, directly or not, and the module itself."""
    found, waiting = set[str](), [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            code = COMMENT.sub("", (MODULES / name).read_text("utf-8"))
            waiting += [resolved(to, name) for _, _, to in SPECIFIER.findall(code)]
    return tuple(sorted(found))


def defined(name: str, text: str) -> str:
    """Return a module as part of a script: a function that is run on demand.

    Lines keep their numbers, so that an error names the right one.
    """

    def reference(found: re.Match[str]) -> str:
        return f"$need({json.dumps(resolved(found[3], name))})"

    exported = EXPORT.findall(text)
    code = IMPORT.sub(
        lambda found: f"const {_renamed(found[1])} = {SPECIFIER.sub(reference, f'from {found[2]}')};", text
    )
    code = SPECIFIER.sub(lambda found: f"Promise.resolve({reference(found)}", EXPORT.sub("", code))
    if strange := LEFT.search(code):
        raise ModuleError(f"{name}: cannot be part of a script: {strange[0]}")
    return f'$define({json.dumps(name)}, () => {{ "use strict"; {code}\nreturn {{ {", ".join(exported)} }}; }});'


def _renamed(names: str) -> str:
    return re.sub(r"\s+as\s+", ": ", names)


ENTRY: Final = "print/print.js"
SECONDS: Final = 10
"""Limit of processor seconds for a run; the time of the whole process is counted."""
MEMORY: Final = 256 << 20
STACK: Final = 1 << 20
THREAD_STACK: Final = 8 << 20
RUNNER: Final = """
let $answer;
function $run(entry, name, value) {
  $answer = undefined;
  const failed = (error) => ($answer = JSON.stringify({ failed: `${error}\\n${error?.stack ?? ""}` }));
  const done = (found) => ($answer = JSON.stringify({ found: found ?? null }));
  Promise.resolve().then(() => $need(entry)[name](JSON.parse(value))).then(done, failed);
}
"""


class DrawingError(Exception):
    """A drawing that a module could not make, or not within its limits of time and memory."""


def run(function: str, value: Any) -> Any:
    """Call a function of `print/print.js` with a JSON value, and return its result or that of its promise.

    `DrawingError` names the failure and its place.
    """
    with _starting:
        worker = _worker()
    return worker.submit(_drawn, function, json.dumps(value)).result()


_starting: Final = Lock()
_contexts: Final[list[Any]] = []
"""The worker's context, once there is one; only the worker uses it."""


@cache
def _worker() -> ThreadPoolExecutor:
    before = stack_size(THREAD_STACK)
    try:
        worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="drawing")
        worker.submit(int).result()  # starts its thread now, with that stack
    finally:
        stack_size(before)
    return worker


def _drawn(function: str, value: str) -> Any:
    context = _contexts.pop() if _contexts else _context()
    found = _called(context, function, value)
    _contexts.append(context)
    return found


def _context() -> Any:
    """Return a context that has the modules."""
    context = quickjs.Context()
    context.set_memory_limit(MEMORY)
    context.set_max_stack_size(STACK)
    context.set_time_limit(SECONDS)
    context.eval(LOADER + RUNNER)
    for name, code in _modules().items():
        _guarded(name, partial(context.eval, code))
    return context


def _called(context: Any, function: str, value: str) -> Any:
    _guarded(ENTRY, partial(context.get("$run"), ENTRY, function, value))
    while _guarded(ENTRY, context.execute_pending_job):
        pass
    answer = context.eval("$answer")
    if answer is None:
        raise DrawingError(f"{ENTRY}: {function} waits for what never comes")
    result: dict[str, Any] = json.loads(answer)
    if "failed" in result:
        raise DrawingError(_words(result["failed"]))
    return result["found"]


def _guarded(what: str, act: Callable[[], Any]) -> Any:
    try:
        return act()
    except quickjs.JSException as error:
        raise DrawingError(f"{what}: {_words(str(error))}") from None


def _words(failed: str) -> str:
    """Return the failure in words; the engine throws null if no memory is left for its error."""
    return "InternalError: out of memory" if failed.strip() == "null" else failed.strip()


@cache
def _modules() -> dict[str, str]:
    """Return by name the definition of each module that the first one needs: a function that is run on demand."""
    try:
        return {name: f"{defined(name, (MODULES / name).read_text('utf-8'))} 0" for name in needed(ENTRY)}
    except ModuleError as error:
        raise DrawingError(str(error)) from None
